"""The engine's url -> the one server and database that every connection goes to."""

from collections.abc import Mapping
from dataclasses import dataclass

import psycopg
from psycopg.conninfo import conninfo_to_dict

from gateway.engines.base import EngineError
from metric_layer.vocabulary import near

ALLOWED = (
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "sslnegotiation",
    "channel_binding",
    "target_session_attrs",
)
EXAMPLE = (
    "Write postgresql://HOST:PORT/DATABASE in cellbound.toml, for example ?sslmode=verify-full behind it."
)


@dataclass(frozen=True, slots=True)
class Target:
    """`parameters` name server, port, database and encryption; `login` is the gateway's own user, or ""."""

    parameters: Mapping[str, str]
    login: str

    @property
    def hosts(self) -> int:
        """Return how many servers are tried, one after the other."""
        return len(self.parameters["host"].split(","))


def target_of(url: str) -> Target:
    """Return where a url points: nothing is left to the environment, another machine is reached encrypted.

    Raises EngineError for a url that names no host or database, a password, or a parameter not known here.
    """
    try:
        given = {name: str(value) for name, value in conninfo_to_dict(url).items() if value}
    except psycopg.ProgrammingError:
        raise EngineError("bad_url", "the engine's url is not one of PostgreSQL", next_step=EXAMPLE) from None
    if "password" in given:
        raise EngineError(
            "secret_in_url",
            "the engine's url holds a password",
            next_step="Take it out and name its source in `credentials` under [engine].",
        )
    if unknown := sorted(set(given) - set(ALLOWED)):
        known = ", ".join(near(unknown[0], ALLOWED) or ALLOWED)
        raise EngineError(
            "unknown_url_key",
            f"the engine's url may not say {', '.join(unknown)}",
            next_step=f"Known: {known}.",
        )
    if "host" not in given or "dbname" not in given:
        raise EngineError(
            "database_not_pinned", "the engine's url names no host or no database", next_step=EXAMPLE
        )
    login = given.pop("user", "")
    encrypted = {} if all(map(_is_here, given["host"].split(","))) else {"sslmode": "require"}
    return Target({"port": "5432", "hostaddr": "", **encrypted, **given}, login)


def _is_here(host: str) -> bool:
    """Say whether a host is a socket's folder or this machine itself."""
    return host.startswith("/") or host in {"localhost", "127.0.0.1", "::1"}
