"""The engine's url -> the one account, database, schema and warehouse that every session gets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from gateway.engines.base import EngineError
from metric_layer.vocabulary import near

KNOWN = ("warehouse", "authenticator", "host", "port", "protocol")
AUTHENTICATORS = ("oauth", "pat", "key_pair")
LOOPBACK = ("127.0.0.1", "::1", "localhost")
SCHEMA = "PUBLIC"
EXAMPLE = "Write snowflake://ACCOUNT/DATABASE/SCHEMA?warehouse=WAREHOUSE in cellbound.toml."


@dataclass(frozen=True, slots=True)
class Target:
    """Where sessions go, names as Snowflake stores them; `authenticator` is how a login proves itself."""

    account: str
    database: str
    schema: str
    warehouse: str
    authenticator: str
    address: Mapping[str, Any]

    def is_at(self, account: str, host: str) -> bool:
        """Say whether a connection to this host, for this account, is one to the target."""
        if account != self.account:
            return False
        if pinned := self.address.get("host"):
            return host.lower() == str(pinned).lower()
        return host.lower().startswith(f"{account.lower().replace('_', '-')}.snowflakecomputing.")

    def place(self) -> Mapping[str, str]:
        """Return what a credential hook is told of it."""
        return {
            "account": self.account,
            "database": self.database,
            "warehouse": self.warehouse,
            "authenticator": self.authenticator,
        }


def target_of(url: str) -> Target:
    """Return where a url points. Nothing of it is left to the environment.

    Raises EngineError for a url that names no account, database or warehouse, a secret, or a key not known.
    """
    parts = urlsplit(url)
    given = dict(parse_qsl(parts.query))
    if parts.username or parts.password:
        raise EngineError(
            "secret_in_url",
            "the engine's url holds a login or a secret",
            next_step="Take it out and name its source in `credentials` under [engine].",
        )
    if unknown := sorted(set(given) - set(KNOWN)):
        raise EngineError(
            "unknown_url_key",
            f"the engine's url may not say {', '.join(unknown)}",
            next_step=f"Known: {', '.join(near(unknown[0], KNOWN) or KNOWN)}.",
        )
    names = [unquote(name) for name in parts.path.split("/") if name]
    if not parts.netloc or not 1 <= len(names) <= 2 or not given.get("warehouse"):
        raise EngineError(
            "database_not_pinned",
            "the engine's url names no account, no database or no warehouse",
            next_step=EXAMPLE,
        )
    return Target(
        account=parts.netloc,
        database=names[0].upper(),
        schema=(names[1] if len(names) > 1 else SCHEMA).upper(),
        warehouse=given["warehouse"].upper(),
        authenticator=_authenticator(given.get("authenticator", AUTHENTICATORS[0])),
        address=_address(given),
    )


def _authenticator(given: str) -> str:
    if given not in AUTHENTICATORS:
        raise EngineError(
            "unknown_url_key",
            f"the engine's url names the authenticator {given!r}",
            next_step=f"Known: {', '.join(AUTHENTICATORS)}.",
        )
    return given


def _address(given: Mapping[str, str]) -> Mapping[str, Any]:
    """Return where the account is reached, if not at its public host; without TLS on this machine only."""
    protocol, host, port = given.get("protocol", "https"), given.get("host", ""), given.get("port", "")
    if protocol != "https" and (protocol != "http" or host not in LOOPBACK):
        raise EngineError(
            "insecure_url",
            f"the engine's url asks for {protocol!r}, which is for a server on this machine only",
            next_step="Take `protocol` out of the url.",
        )
    address: dict[str, Any] = {"host": host} if host else {}
    if port.isdecimal():
        address["port"] = int(port)
    return {**address, "protocol": "http", "use_proxy_env": False} if protocol == "http" else address
