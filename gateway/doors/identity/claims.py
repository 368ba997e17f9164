"""From the claims of a proved token to a caller: pure, by the rules of the settings."""

from collections.abc import Callable, Mapping

from gateway.doors.identity.scopes import EVERY, known_scopes
from gateway.settings.identity import OidcSettings
from traces.records import Caller

Claims = Mapping[str, object]
Listed = Callable[[str], Caller | None]
LONGEST = 200


def caller_of(claims: Claims, oidc: OidcSettings, listed: Listed) -> Caller | None:
    """Return whom claims name, or None where they name nobody.

    Without rules only a listed user is somebody. With rules, who fits none of them has no role: the house
    denies them on the record.
    """
    user = _name(claim(claims, oidc.user_claim))
    if not user or (oidc.user_claim == "email" and claims.get("email_verified") is not True):
        return None
    if not oidc.rules:
        return listed(user)
    tenant = _name(claim(claims, oidc.tenant_claim)) if oidc.tenant_claim else oidc.tenant
    if not tenant:
        return None
    granting = [rule for rule in oidc.rules if rule.value in _texts(claim(claims, rule.claim))]
    return Caller(
        user=user,
        teams=tuple(dict.fromkeys(team for rule in granting for team in rule.teams)),
        roles=tuple(dict.fromkeys(role for rule in granting for role in rule.roles)),
        tenant=tenant,
    )


def scopes_of(claims: Claims, oidc: OidcSettings) -> frozenset[str]:
    """Return our scopes among those of a token: one text with spaces, or a list."""
    if not oidc.scope_claim:
        return EVERY
    return known_scopes(part for text in _texts(claim(claims, oidc.scope_claim)) for part in text.split())


def claim(claims: Claims, name: str) -> object:
    """Return a claim by its name, else by the path that its dots make; None where there is none."""
    if name in claims:
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _name(value: object) -> str:
    """Return a name of a person or a tenant; empty for what is none."""
    good = isinstance(value, str) and value.strip() == value and value.isprintable() and len(value) <= LONGEST
    return value if good and isinstance(value, str) else ""
