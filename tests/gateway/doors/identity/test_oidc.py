"""A token of the issuer stands for somebody only while everything about it is right."""

import asyncio
import time
from base64 import urlsafe_b64encode
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.doors.identity.issuer import FLOOR_SECONDS, STALE_SECONDS
from gateway.doors.identity.oidc import OidcTokens
from tests.gateway.doors.identity.conftest import RULES, Clock, tokens_for
from tests.servers import oidc

pytestmark = pytest.mark.anyio


@pytest.fixture
def tokens(provider: oidc.Provider, clock: Clock) -> OidcTokens:
    return tokens_for(provider, clock)


@pytest.mark.parametrize("algorithm", ["ES256", "RS256", "PS256", "EdDSA"])
async def test_a_good_token_stands_for_its_user_with_the_roles_listed_for_them(
    provider: oidc.Provider, tokens: OidcTokens, algorithm: str
) -> None:
    provider.rotate(algorithm)
    proved = await tokens.proved(provider.token(scope="metrics:read openid"))
    assert proved is not None
    assert (proved.caller.user, proved.caller.roles, proved.caller.tenant) == ("ana", ("analyst",), "shop")
    assert proved.scopes == {"metrics:read"}, "only our scopes count"


@pytest.mark.parametrize(
    "wrong",
    [
        {"exp": 1_700_000_000},
        {"exp": "tomorrow"},
        {"exp": float("inf")},
        {"exp": None},
        {"nbf": 4_000_000_000},
        {"iat": 4_000_000_000},
        {"aud": "https://another.example/mcp"},
        {"aud": []},
        {"aud": None},
        {"iss": "https://another.example"},
        {"iss": None},
        {"sub": None},
        {"sub": ""},
        {"sub": 17},
        {"sub": "ana\u202e"},
        {"sub": " ana"},
        {"sub": "a" * 201},
        {"sub": "nobody-listed"},
    ],
    ids=lambda wrong: "=".join(map(str, next(iter(wrong.items()))))[:40],
)
async def test_one_wrong_or_missing_claim_makes_a_token_nobody_s(
    provider: oidc.Provider, tokens: OidcTokens, wrong: dict[str, Any]
) -> None:
    assert await tokens.proved(provider.token()) is not None
    assert await tokens.proved(provider.token(**wrong)) is None


async def test_clocks_may_differ_by_the_leeway_and_no_more(
    provider: oidc.Provider, tokens: OidcTokens
) -> None:
    now = time.time()
    assert await tokens.proved(provider.token(exp=now - 3, nbf=now + 3, iat=now + 3)) is not None
    assert await tokens.proved(provider.token(exp=now - 8)) is None
    assert await tokens.proved(provider.token(nbf=now + 8)) is None


async def test_a_claim_that_the_settings_require_must_be_there(provider: oidc.Provider, clock: Clock) -> None:
    tokens = tokens_for(provider, clock, required=("acr",))
    assert await tokens.proved(provider.token()) is None
    assert await tokens.proved(provider.token(acr="mfa")) is not None


async def test_a_token_signed_with_the_public_key_as_a_secret_is_nobody_s(
    provider: oidc.Provider, clock: Clock
) -> None:
    key = provider.rotate("RS256")
    tokens = tokens_for(provider, clock)
    public = key.private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    header = urlsafe_b64encode(f'{{"alg":"HS256","kid":"{key.id}"}}'.encode()).rstrip(b"=").decode()
    body = provider.token().split(".")[1]
    by_hand = jwt.api_jws.PyJWS().get_algorithm_by_name("HS256").sign(f"{header}.{body}".encode(), public)
    forged = f"{header}.{body}.{urlsafe_b64encode(by_hand).rstrip(b'=').decode()}"
    assert await tokens.proved(forged) is None
    assert await tokens.proved(provider.token()) is not None


@pytest.mark.parametrize("algorithm", ["none", "None", "HS256", "RS512", "", "ES384"])
async def test_an_algorithm_that_is_not_on_the_list_proves_nothing(
    provider: oidc.Provider, tokens: OidcTokens, algorithm: str
) -> None:
    _, body, signature = provider.token().split(".")
    head = f'{{"alg":"{algorithm}","kid":"{provider.keys[0].id}"}}'
    header = urlsafe_b64encode(head.encode()).rstrip(b"=").decode()
    for signed in (signature, ""):
        assert await tokens.proved(f"{header}.{body}.{signed}") is None


async def test_a_key_signs_with_its_own_algorithm_only(provider: oidc.Provider, tokens: OidcTokens) -> None:
    key = provider.rotate("RS256")
    other = oidc.SigningKey(key.id, "PS256", key.private)
    assert await tokens.proved(provider.token(key=other)) is None
    assert await tokens.proved(provider.token()) is not None


async def test_a_token_of_another_issuer_s_key_is_nobody_s(
    provider: oidc.Provider, tokens: OidcTokens
) -> None:
    mine = provider.keys[0]
    stranger = oidc.fresh_key()
    assert await tokens.proved(provider.token(key=stranger)) is None
    assert (
        await tokens.proved(provider.token(key=oidc.SigningKey(mine.id, "ES256", stranger.private))) is None
    )


async def test_a_fresh_key_is_fetched_once_and_then_known(
    provider: oidc.Provider, tokens: OidcTokens, clock: Clock
) -> None:
    old = provider.token()
    assert await tokens.proved(old) is not None
    clock.now += FLOOR_SECONDS
    provider.rotate()
    found = await asyncio.gather(*(tokens.proved(provider.token()) for _ in range(20)))
    assert all(found) and provider.key_reads == 2, "twenty at once cost one fetch"
    assert await tokens.proved(old) is not None, "what the issuer still publishes is still good"


async def test_unknown_keys_cannot_make_us_ask_the_issuer_again_and_again(
    provider: oidc.Provider, tokens: OidcTokens, clock: Clock
) -> None:
    assert await tokens.proved(provider.token()) is not None
    for _ in range(50):
        assert await tokens.proved(provider.token(key=oidc.fresh_key())) is None
    assert provider.key_reads == 1
    clock.now += FLOOR_SECONDS
    assert await tokens.proved(provider.token(key=oidc.fresh_key())) is None
    assert provider.key_reads == 2


async def test_a_key_the_issuer_took_back_is_forgotten(
    provider: oidc.Provider, tokens: OidcTokens, clock: Clock
) -> None:
    old = provider.token()
    assert await tokens.proved(old) is not None
    provider.rotate(keep=False)
    clock.now += FLOOR_SECONDS
    assert await tokens.proved(provider.token()) is not None
    assert await tokens.proved(old) is None


async def test_keys_that_are_due_are_read_again_while_nobody_waits(
    provider: oidc.Provider, tokens: OidcTokens, clock: Clock
) -> None:
    assert await tokens.proved(provider.token()) is not None
    clock.now += 3_601
    provider.slow = 0.5
    began = time.monotonic()
    assert await tokens.proved(provider.token()) is not None
    assert time.monotonic() - began < 0.4
    async with asyncio.timeout(10):
        while provider.key_reads < 2:
            await asyncio.sleep(0.02)


async def test_while_the_issuer_is_away_known_keys_go_on_for_a_day_and_unknown_ones_are_refused(
    provider: oidc.Provider, tokens: OidcTokens, clock: Clock
) -> None:
    assert await tokens.proved(provider.token()) is not None
    provider.down = True
    clock.now += 7_200
    assert await tokens.proved(provider.token()) is not None
    assert await tokens.proved(provider.token(key=oidc.fresh_key())) is None
    clock.now += STALE_SECONDS
    assert await tokens.proved(provider.token()) is None, "a key nobody confirmed for a day proves nothing"


async def test_an_issuer_that_hangs_costs_no_longer_than_the_deadline(
    provider: oidc.Provider, clock: Clock
) -> None:
    tokens = tokens_for(provider, clock, seconds=0.3)
    provider.slow = 5.0
    began = time.monotonic()
    assert await tokens.proved(provider.token()) is None
    assert time.monotonic() - began < 2
    provider.slow = 0.0


async def test_claims_become_roles_teams_and_tenant_by_the_rules(
    provider: oidc.Provider, clock: Clock
) -> None:
    tokens = tokens_for(provider, clock, rules=RULES, user_claim="email", tenant_claim="org")
    told: dict[str, Any] = {"email": "bo@shop.example", "email_verified": True, "org": "shop"}
    roles: dict[str, Any] = {"groups": ["finance", "x"], "realm_access": {"roles": ["reviewers"]}}
    proved = await tokens.proved(provider.token("u-17", **told, **roles))
    assert proved is not None
    assert proved.caller.model_dump() == {
        "user": "bo@shop.example",
        "teams": ("finance",),
        "roles": ("analyst", "reviewer"),
        "tenant": "shop",
    }
    without = await tokens.proved(provider.token("u-17", **told, groups="financed"))
    assert without is not None and without.caller.roles == (), "the house denies them on the record"
    for wrong in ({"email_verified": False}, {"email_verified": "true"}, {"org": None}, {"email": None}):
        assert await tokens.proved(provider.token("u-17", **{**told, **roles, **wrong})) is None


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=200))
async def test_no_made_up_text_is_a_token(tokens: OidcTokens, text: str) -> None:
    assert await tokens.proved(text) is None


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, 10_000), letter=st.sampled_from("Aa0_-."))
async def test_no_changed_letter_of_a_token_changes_whom_it_stands_for(
    provider: oidc.Provider, tokens: OidcTokens, place: int, letter: str
) -> None:
    token = provider.token()
    at = place % len(token)
    changed = token[:at] + letter + token[at + 1 :]
    proved = await tokens.proved(changed)
    # The last letter of a base64 part may carry bits that say nothing.
    assert proved is None or (proved.caller.user == "ana" and at == len(token) - 1) or changed == token
