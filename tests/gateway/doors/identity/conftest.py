"""A provider on loopback, and settings that trust it."""

from collections.abc import Iterator
from typing import Any

import pytest

from gateway.doors.identity import Callers
from gateway.doors.identity.issuer import Issuer
from gateway.doors.identity.oidc import OidcTokens
from gateway.settings.identity import IdentitySettings, OidcSettings, RuleSettings, UserSettings
from tests.servers import oidc

RULES = (
    RuleSettings(claim="groups", value="finance", roles=("analyst",), teams=("finance",)),
    RuleSettings(claim="realm_access.roles", value="reviewers", roles=("reviewer",)),
)


class Clock:
    """Monotonic seconds that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def provider() -> Iterator[oidc.Provider]:
    with oidc.running() as found:
        yield found


@pytest.fixture
def clock() -> Clock:
    return Clock()


def settings_for(provider: oidc.Provider, **more: Any) -> OidcSettings:
    told = {"issuer": provider.issuer, "audience": provider.audience, "leeway_seconds": 5, **more}
    return OidcSettings.model_validate(told)


def identity_for(provider: oidc.Provider, **more: Any) -> IdentitySettings:
    ana = UserSettings(roles=("analyst",), teams=("sales",), tenant="shop")
    return IdentitySettings(users={"ana": ana}, oidc=settings_for(provider, **more))


def tokens_for(provider: oidc.Provider, clock: Clock, **more: Any) -> OidcTokens:
    identity = identity_for(provider, **more)
    return OidcTokens(identity.oidc, Issuer(identity.oidc, clock), Callers(identity).listed)
