"""What cellbound.toml says under [identity]: users, tokens, the issuer of OIDC tokens, a trusted proxy."""

from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from metric_layer.record import Record
from traces.records import Caller

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
Algorithm = Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]


def private_way(url: str) -> str:
    """Return an address that is https or on this very machine. Raises ValueError for another."""
    if not url:
        return url
    parts = urlsplit(url)
    near = parts.scheme == "http" and parts.hostname in LOOPBACK
    if not parts.hostname or parts.username or parts.fragment or not (parts.scheme == "https" or near):
        raise ValueError(
            "it must be an https address without a login and a fragment (http on the loopback address only)"
        )
    return url


Address = Annotated[str, Field(max_length=2_000), AfterValidator(private_way)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class UserSettings(Record):
    """A user the gateway knows: the roles are names of the policy, in order of preference."""

    roles: Annotated[tuple[str, ...], Field(min_length=1)]
    teams: tuple[str, ...] = ()
    tenant: str = "default"


class TokenSettings(Record):
    """A bearer token by its SHA-256, in hex. The token itself is nowhere in the project."""

    user: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class RuleSettings(Record):
    """What a claim grants: who has `value` in `claim` gets these roles and teams.

    A claim inside another one is written with dots. A list grants what any of its values does.
    """

    claim: Name
    value: Name
    roles: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()


class OidcSettings(Record):
    """The issuer whose tokens are taken; without an `issuer` none is.

    `audience` is what a token must be issued for; where it is empty, that is `public_url`/mcp. `user_claim`
    names the user, `tenant_claim` the tenant (`tenant` where it is empty), `scope_claim` the scopes; where it
    is empty, tokens of this issuer may do whatever the role may. Without `rules` a user must stand under
    [identity.users], with the roles from there. Keys are read from `jwks_url`, else from what the issuer
    publishes, again every `refresh_seconds`; no call takes longer than `seconds`. `client_id` opens the
    sign-in of the console; its secret comes from CELLBOUND_OIDC_CLIENT_SECRET.
    """

    issuer: Address = ""
    audience: Annotated[str, Field(max_length=2_000)] = ""
    public_url: Address = ""
    jwks_url: Address = ""
    algorithms: Annotated[tuple[Algorithm, ...], Field(min_length=1)] = ("RS256", "PS256", "ES256", "EdDSA")
    leeway_seconds: Annotated[int, Field(ge=0, le=300)] = 30
    required: tuple[str, ...] = ()
    user_claim: Name = "sub"
    tenant_claim: str = ""
    tenant: Name = "default"
    scope_claim: str = "scope"
    rules: tuple[RuleSettings, ...] = ()
    refresh_seconds: Annotated[int, Field(ge=60, le=86_400)] = 3_600
    seconds: Annotated[float, Field(gt=0, le=60)] = 5.0
    client_id: Annotated[str, Field(max_length=500)] = ""
    label: Annotated[str, Field(min_length=1, max_length=60)] = "single sign-on"

    @model_validator(mode="after")
    def _complete(self) -> "OidcSettings":
        if not self.issuer:
            return self
        if not self.wanted_audience:
            raise ValueError("name an audience, or the public_url of this gateway")
        if self.client_id and not self.public_url:
            raise ValueError("the sign-in of the console needs the public_url of this gateway")
        if self.client_id == self.wanted_audience:
            raise ValueError("the audience must not be the client_id: tokens made for a sign-in are no keys")
        return self

    @property
    def resource(self) -> str:
        """Return the address by which MCP clients know this server; empty without a public one."""
        return f"{self.public_url.rstrip('/')}/mcp" if self.public_url else ""

    @property
    def wanted_audience(self) -> str:
        """Return what a token must be issued for."""
        return self.audience or self.resource


class ProxySettings(Record):
    """A proxy that says in `header` who is asking, for example after mutual TLS; none without a `header`.

    It proves itself with the secret of the variable `secret_env`, sent in `secret_header`; a request with
    the one header and not the other is refused. The user must stand under [identity.users].
    """

    header: Annotated[str, Field(pattern=r"^([A-Za-z0-9-]{1,100})?$")] = ""
    secret_header: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,100}$")] = "X-Cellbound-Proxy"
    secret_env: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,99}$")] = "CELLBOUND_PROXY_SECRET"


class IdentitySettings(Record):
    """Who may come through which door."""

    cli_user: str = ""
    stdio_user: str = ""
    users: Mapping[str, UserSettings] = {}
    tokens: tuple[TokenSettings, ...] = ()
    oidc: OidcSettings = OidcSettings()
    proxy: ProxySettings = ProxySettings()

    def caller(self, user: str) -> Caller:
        """Return a configured user as a caller. Raises KeyError for a name that is not one."""
        known = self.users[user]
        return Caller(user=user, teams=known.teams, roles=known.roles, tenant=known.tenant)


class ExchangeSettings(Record):
    """Where an asker's token is exchanged for one of the database's own (RFC 8693); nowhere without a `url`.

    The token is asked for `audience`, `resource` and `scope` where they are set. `client_id` names this
    gateway there; its secret comes from CELLBOUND_EXCHANGE_SECRET. `otherwise` says where the secret of a
    login comes from that is not asking through a door now, as the members are who prove a role at start.
    """

    url: Address = ""
    client_id: Annotated[str, Field(max_length=500)] = ""
    audience: Annotated[str, Field(max_length=2_000)] = ""
    resource: Annotated[str, Field(max_length=2_000)] = ""
    scope: Annotated[str, Field(max_length=2_000)] = ""
    otherwise: Annotated[
        str, Field(pattern=r"^(|environment|files:.+|hook:[A-Za-z_][\w.]*:[A-Za-z_]\w*)$")
    ] = "environment"
    seconds: Annotated[float, Field(gt=0, le=60)] = 5.0
