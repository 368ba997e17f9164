"""What is taken away in cellbound.toml counts at once; what is given, where nothing must be proved."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from gateway.doors.identity import Callers, digest_of, require_tokens
from gateway.errors import IdentityRefused
from gateway.settings.file import load_settings
from gateway.settings.identity import IdentitySettings, OidcSettings

TOKEN, OTHER = "a token for ana", "another one for ana"
HEAD = '[project]\nname = "shop"\n[engine]\nurl = "duckdb:shop.duckdb"\n'
ANA = '[identity.users.ana]\nroles = ["analyst", "reviewer"]\n'
KIM = '[identity.users.kim]\nroles = ["analyst"]\n'


def listed(token: str, user: str = "ana") -> str:
    return f'[[identity.tokens]]\nuser = "{user}"\nsha256 = "{sha256(token.encode()).hexdigest()}"\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "cellbound.toml"
    file.write_text(HEAD + ANA + listed(TOKEN))
    return file


@pytest.fixture
def callers(file: Path) -> Callers:
    return Callers(load_settings(file.parent).identity, file.parent)


def test_a_token_taken_off_the_list_opens_nothing_from_that_moment(file: Path, callers: Callers) -> None:
    assert callers.by_digest(digest_of(TOKEN)) is not None
    file.write_text(HEAD + ANA + listed(OTHER))
    assert callers.by_digest(digest_of(TOKEN)) is None
    assert callers.by_digest(digest_of(OTHER)) is not None, "and a new one opens"


def test_a_token_taken_away_counts_though_the_file_is_as_long_and_as_old_as_before(
    file: Path, callers: Callers
) -> None:
    assert callers.by_digest(digest_of(TOKEN)) is not None
    before = file.stat()
    file.write_text(HEAD + ANA + listed(OTHER))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = file.stat()
    assert (after.st_size, after.st_mtime_ns, after.st_ino) == (
        before.st_size,
        before.st_mtime_ns,
        before.st_ino,
    )
    assert callers.by_digest(digest_of(TOKEN)) is None


def test_a_user_taken_off_the_list_is_nobody_from_that_moment(file: Path, callers: Callers) -> None:
    file.write_text(HEAD + KIM + listed(TOKEN, "kim"))
    assert callers.listed("ana") is None
    assert callers.by_digest(digest_of(TOKEN)) is None, "a new user counts from the next start"


def test_a_role_taken_away_is_gone_and_a_role_given_waits_for_the_next_start(
    file: Path, callers: Callers
) -> None:
    file.write_text(HEAD + '[identity.users.ana]\nroles = ["admin", "reviewer"]\n' + listed(TOKEN))
    caller = callers.by_digest(digest_of(TOKEN))
    assert caller is not None and caller.roles == ("reviewer",)


@pytest.mark.parametrize(
    "wrong", ["", "[project", HEAD + ANA + listed(TOKEN, "nobody"), HEAD + "[identity]\nx=1\n"]
)
def test_half_a_saved_file_locks_nobody_out_and_the_next_one_counts(
    file: Path, callers: Callers, wrong: str
) -> None:
    file.write_text(wrong)
    assert callers.by_digest(digest_of(TOKEN)) is not None
    file.write_text(HEAD + ANA)
    assert callers.by_digest(digest_of(TOKEN)) is None


def test_a_server_that_nobody_could_enter_says_how_a_token_is_made() -> None:
    with pytest.raises(IdentityRefused) as refused:
        require_tokens(IdentitySettings())
    assert "cellbound token create" in refused.value.issues[0].next_step
    require_tokens(IdentitySettings(), any_issued=True)
    require_tokens(IdentitySettings(oidc=OidcSettings(issuer="https://id.example", audience="x")))


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ({"issuer": "http://id.example", "audience": "a"}, "https"),
        ({"issuer": "https://ana:pw@id.example", "audience": "a"}, "https"),
        ({"issuer": "https://id.example"}, "audience"),
        (
            {"issuer": "https://id.example", "audience": "c", "client_id": "c", "public_url": "https://g"},
            "client_id",
        ),
        ({"issuer": "https://id.example", "audience": "a", "client_id": "c"}, "public_url"),
        ({"issuer": "https://id.example", "audience": "a", "algorithms": ["HS256"]}, "RS256"),
        ({"issuer": "https://id.example", "audience": "a", "algorithms": ["none"]}, "RS256"),
    ],
)
def test_settings_that_would_trust_too_much_are_refused(said: dict[str, object], about: str) -> None:
    with pytest.raises(ValueError, match=about):
        OidcSettings.model_validate(said)
