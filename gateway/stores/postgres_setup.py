"""What an owner runs once so that a database takes the state of a project: one login, one database."""

from urllib.parse import unquote, urlsplit

LOGIN = "cellbound_state"
DATABASE = "cellbound_state"
_TEXT = """\
-- State of cellbound in PostgreSQL 15 or later, in a database of its own.
-- Run as an administrator with psql: psql -f THIS_FILE postgres
-- Then give the login a way in: \\password {login_name}
-- The gateway makes its tables itself, in the schema cellbound_state.

CREATE ROLE {login} LOGIN;
CREATE DATABASE {database} OWNER {login} ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE {database} FROM PUBLIC;
"""


def state_setup(url: str) -> str:
    """Return the script for the database and the login that a url names; nothing is connected to."""
    parts = urlsplit(url)
    login = unquote(parts.username or "") or LOGIN
    database = unquote(parts.path.lstrip("/")) or DATABASE
    return _TEXT.format(login=_quoted(login), login_name=login, database=_quoted(database))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
