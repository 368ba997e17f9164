"""Everything that lets somebody in over HTTP, as the settings say."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.doors.identity.callers import Callers
from gateway.doors.identity.issuer import Issuer
from gateway.doors.identity.oidc import OidcTokens
from gateway.doors.identity.proxy import TrustedProxy
from gateway.engines.present import Present
from gateway.settings.identity import IdentitySettings, OidcSettings


@dataclass(frozen=True, slots=True)
class Entrance:
    """The ways in besides listed and issued tokens; without them those are the only ones."""

    callers: Callers
    oidc: OidcTokens | None = None
    proxy: TrustedProxy | None = None
    present: Present = field(default_factory=Present)
    settings: OidcSettings = field(default_factory=OidcSettings)


def entrance_of(
    identity: IdentitySettings, callers: Callers, present: Present, environ: Mapping[str, str]
) -> Entrance:
    """Return the ways in. Nothing is fetched yet. Raises IdentityRefused for a proxy without its secret."""
    oidc = OidcTokens(identity.oidc, Issuer(identity.oidc), callers.listed) if identity.oidc.issuer else None
    proxy = TrustedProxy(identity.proxy, environ, callers) if identity.proxy.header else None
    return Entrance(callers, oidc, proxy, present, identity.oidc)
