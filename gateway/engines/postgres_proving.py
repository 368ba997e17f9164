"""The lines of a server's own files by which an asker proves who they are; for a person to put there."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

from gateway.engines.postgres_names import group_of, quoted
from gateway.engines.setup import Setup, commented

MAP = "cellbound"
MARK = "--   "
HEAD = """\
-- How a login proves who it is stands outside of SQL and fits `credentials` of cellbound.toml:
-- {credentials}.
-- Above the other lines of pg_hba.conf{address}:"""
ADDRESS = ", with the gateway's address for ADDRESS (192.0.2.7/32)"
SYSTEM_USER = "SYSTEM_USER", "the gateway's system account"
COMMON_NAME = "COMMON_NAME", "the common name of the gateway's certificate"
CERTIFICATES = """\
-- In postgresql.conf ssl is on, and ssl_ca_file names who signs these certificates, and no others.
-- The engine's url says sslmode=verify-full and sslrootcert=FILE{own}."""
OWN = ", and the gateway's own certificate: sslcert=FILE, sslkey=FILE"
COMMON_NAMES = "-- The common name of each certificate is the login."
READ_AGAIN = "-- Then: SELECT pg_reload_conf();"


def proving(setup: Setup) -> Iterator[str]:
    """Yield the lines, in comments, for the way in which the project's logins prove themselves."""
    kind, url = setup.credentials.partition(":")[0], urlsplit(setup.url)
    socket = not url.hostname and parse_qs(url.query).get("host", [""])[0].startswith("/")
    yield HEAD.format(credentials=kind, address="" if socket else ADDRESS)
    mapped = kind == "server"
    method = {"server": "peer" if socket else "cert", "certificates": "cert"}.get(kind, "scram-sha-256")
    place = "local  DATABASE  {}" if socket else "hostssl  DATABASE  {}  ADDRESS"
    yield _lines(f"{place.format(','.join(_logins(setup)))}  {method}{f'  map={MAP}' if mapped else ''}")
    if mapped:
        yield from _ident(setup, *(SYSTEM_USER if socket else COMMON_NAME))
    if method == "cert":
        yield CERTIFICATES.format(own=OWN if mapped else "")
        yield from () if mapped else (COMMON_NAMES,)
    yield READ_AGAIN


def _ident(setup: Setup, placeholder: str, meaning: str) -> Iterator[str]:
    """Yield the map that lets the gateway in as any asker: by groups, which servers before 16 do not know."""
    people = [setup.login] if setup.login else setup.users
    each = [f"{MAP}  {placeholder}  {quoted(name)}" for name in people]
    by_group = [f"{MAP}  {placeholder}  {name}" for name in _logins(setup)]
    which = "" if setup.login else " from version 16 on"
    yield f"-- In pg_ident.conf{which}, with {meaning} for {placeholder}:"
    yield _lines(*by_group)
    if not setup.login:
        yield "-- and before version 16, where a map knows no groups, a line per asker:"
        yield _lines(*each)


def _logins(setup: Setup) -> tuple[str, ...]:
    """Return who logs in, as both files write it: a group stands for its members."""
    if setup.login:
        return (quoted(setup.login),)
    return tuple(f"+{quoted(group_of(role.name))}" for role in setup.roles)


def _lines(*lines: str) -> str:
    return commented("\n".join(lines), MARK)
