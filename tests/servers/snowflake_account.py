"""What a Snowflake account holds, for the stand-in: users, roles and grants, tables with their old versions.

Rows live in DuckDB, one attached database per database of the account, names as Snowflake stores them.
"""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import duckdb
import sqlglot
from sqlglot import exp

Name = tuple[str, str, str]
HISTORY = "__HISTORY"
PUBLIC = "PUBLIC"
NO_ROWS = "FALSE"


@dataclass(slots=True, eq=False)
class Failure(Exception):
    """What the service refuses, by its own number, SQLSTATE and words."""

    code: str
    sqlstate: str
    said: str


@dataclass(slots=True)
class User:
    """Somebody who may log in: by password, or with a key whose public half is PEM text."""

    name: str
    roles: tuple[str, ...]
    password: str = ""
    public_key: str = ""


@dataclass(slots=True)
class Token:
    """A token of a kind (`OAUTH` or `PROGRAMMATIC_ACCESS_TOKEN`) that stands for a user until it expires."""

    user: str
    kind: str
    expired: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """A privilege on an object, as SHOW GRANTS lists it; a role is granted as USAGE on ROLE."""

    privilege: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Version:
    """Rows of a table from `since` until the next version; `place` is where DuckDB keeps them."""

    since: datetime
    place: Name


@dataclass(frozen=True, slots=True)
class Policy:
    """A row or masking policy: the names of what it takes, and its body in Snowflake's words."""

    takes: tuple[str, ...]
    body: exp.Expr


@dataclass(frozen=True, slots=True)
class Request:
    """One statement as the service got it."""

    user: str
    role: str
    sql: str
    parameters: Mapping[str, str]


@dataclass(slots=True)
class Account:
    """One account. A role sees a table's rows by its row policy, and its columns as far as they are listed.

    `masks` are what it sees in the place of a column. Of `policies` made by a script, `masked_by` names those
    of columns and `kept_by` those of a table's rows with the columns they take. With `secondary` set, a
    session policy gives every session those secondary roles. The warehouse has a resource `monitor` ("null"
    for none) and a time limit of its own. A `suspended` one does not resume, an `exhausted` one has used up
    its monitor. The next `broken` requests are answered with 503; after `patience` seconds a running
    statement is answered with where to ask for it.
    """

    name: str = "acme"
    database: str = "SHOP"
    users: dict[str, User] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    grants: dict[str, set[Grant]] = field(default_factory=dict)
    row_policies: dict[Name, dict[str, str]] = field(default_factory=dict)
    shown: dict[tuple[Name, str], tuple[str, ...]] = field(default_factory=dict)
    masks: dict[tuple[Name, str], dict[str, str]] = field(default_factory=dict)
    policies: dict[str, Policy] = field(default_factory=dict)
    masked_by: dict[tuple[Name, str], str] = field(default_factory=dict)
    kept_by: dict[Name, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    log: list[Request] = field(default_factory=list, repr=False)
    suspended: bool = False
    exhausted: bool = False
    broken: int = 0
    patience: float = 45.0
    secondary: str = ""
    monitor: str = "MONTHLY"
    warehouse_seconds: int = 3600
    versions: dict[Name, list[Version]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    duck: duckdb.DuckDBPyConnection = field(default_factory=duckdb.connect)

    def __post_init__(self) -> None:
        for statement in (
            "SET GLOBAL TimeZone = 'UTC'",
            # A count without a scan of the table would leave the table out of the plan.
            "SET GLOBAL disabled_optimizers = 'statistics_propagation'",
            f"ATTACH ':memory:' AS \"{self.database}\"",
            f'CREATE SCHEMA "{self.database}"."{PUBLIC}"',
            f'CREATE SCHEMA "{self.database}"."{HISTORY}"',
        ):
            self.duck.execute(statement)

    def add_user(self, name: str, *roles: str, password: str = "", public_key: str = "") -> User:
        """Admit a user with roles; the first one is the default."""
        user = self.users[name.upper()] = User(name.upper(), roles, password, public_key)
        for role in roles:
            self.grants.setdefault(role, set())
        return user

    def grant(self, role: str, privilege: str, kind: str, *names: str) -> None:
        """Grant a privilege on objects to a role."""
        self.grants.setdefault(role, set()).update(Grant(privilege, kind, name) for name in names)

    def closure(self, role: str) -> set[str]:
        """Return the roles whose rights a role has: itself, those granted to it, and PUBLIC."""
        found, left = {PUBLIC}, [role]
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += [g.name for g in self.grants.get(name, ()) if g.kind == "ROLE"]
        return found

    def may(self, role: str, privilege: str, name: str) -> bool:
        """Say whether a role has a privilege on an object, or owns it."""
        held = {g for r in self.closure(role) for g in self.grants.get(r, ())}
        return any(g.name == name and g.privilege in (privilege, "OWNERSHIP") for g in held)

    def current(self, name: Name) -> Version | None:
        """Return the rows of a table as they are; None for no table."""
        versions = self.versions.get(name)
        return versions[-1] if versions and versions[-1].place == name else None

    def at(self, name: Name, moment: datetime) -> Version:
        """Return the rows of a table as they were. Raises Failure where none are kept."""
        before = [version for version in self.versions.get(name, ()) if version.since <= moment]
        if not before:
            said = (
                f"Time travel data is not available for table {name[2]}. The requested time is either beyond"
                " the allowed time travel period or before the object creation time."
            )
            raise Failure("000707", "02000", said)
        return before[-1]

    def execute(self, script: str) -> None:
        """Change data as the owner: DuckDB's SQL in schema PUBLIC, names folded as Snowflake does.

        A script is one moment: what a table held before it can be read with AT.
        """
        statements = [tree for tree in sqlglot.parse(script, read="duckdb") if tree is not None]
        with self.lock:
            cursor = self.duck.cursor()
            cursor.execute(f'USE "{self.database}"."{PUBLIC}"')
            changed = dict.fromkeys(name for tree in statements for name in self._written(tree))
            for name in changed:
                self._keep(cursor, name)
            for tree in statements:
                cursor.execute(_folded(tree).sql("duckdb"))
            now = datetime.now(UTC)
            for name in changed:
                if _exists(cursor, name):
                    self.versions.setdefault(name, []).append(Version(now, name))

    def _written(self, tree: exp.Expr) -> Iterable[Name]:
        kinds = (exp.Create, exp.Insert, exp.Update, exp.Delete, exp.Drop, exp.Alter)
        if isinstance(tree, kinds) and tree.args.get("kind") != "SCHEMA":
            table = tree.this.find(exp.Table) if not isinstance(tree.this, exp.Table) else tree.this
            if table is not None:
                yield self.full_name([part.name.upper() for part in table.parts])

    def full_name(self, parts: Iterable[str], schema: str = PUBLIC) -> Name:
        """Return a name with database and schema filled in."""
        database, space, name = (["", "", *parts])[-3:]
        return database or self.database, space or schema, name

    def _keep(self, cursor: duckdb.DuckDBPyConnection, name: Name) -> None:
        """Move the rows of a table, as they are before a change, to its history."""
        versions = self.versions.get(name, [])
        if not versions or versions[-1].place != name or not _exists(cursor, name):
            return
        place = (name[0], HISTORY, f"{name[1]}.{name[2]}@{len(versions)}")
        cursor.execute(f"CREATE TABLE {quoted(place)} AS FROM {quoted(name)}")
        versions[-1] = Version(versions[-1].since, place)


def quoted(name: Iterable[str]) -> str:
    """Return a name as SQL text."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in name)


def _exists(cursor: duckdb.DuckDBPyConnection, name: Name) -> bool:
    sql = (
        "SELECT 1 FROM information_schema.tables"
        " WHERE table_catalog = ? AND table_schema = ? AND table_name = ?"
    )
    found = cursor.execute(sql, list(name))
    return found.fetchone() is not None


def _folded(tree: exp.Expr) -> exp.Expr:
    for identifier in tree.find_all(exp.Identifier):
        if not identifier.args.get("quoted"):
            identifier.set("this", identifier.name.upper())
            identifier.set("quoted", True)
    return tree
