"""What a BigQuery project holds, for the stand-in: who may do what, and tables with their old versions.

Rows live in DuckDB, a schema per dataset.
"""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import duckdb
import sqlglot
from sqlglot import exp

Name = tuple[str, str]
HISTORY = "__history"
READ = frozenset({"bigquery.tables.get", "bigquery.tables.getData"})
CREATE = "bigquery.tables.create"

KEYS = """
    SELECT constraint_type, constraint_column_names, referenced_table, referenced_column_names
      FROM duckdb_constraints() WHERE schema_name = ? AND table_name = ?
       AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') ORDER BY constraint_index
"""
REQUIRED = """
    SELECT column_name FROM duckdb_columns() WHERE schema_name = ? AND table_name = ? AND NOT is_nullable
"""
COMMENT = "SELECT comment FROM duckdb_tables() WHERE schema_name = ? AND table_name = ?"


@dataclass(slots=True)
class Failure(Exception):
    """What the service refuses: HTTP status, reason and words."""

    status: int
    reason: str
    said: str


@dataclass(frozen=True, slots=True)
class Version:
    """Rows of a table from `since` until the next version; `place` is where DuckDB keeps them."""

    since: datetime
    place: Name


@dataclass(frozen=True, slots=True)
class Request:
    """One query job as the service got it. `most_billed` and `timeout_ms` are 0 where none was set."""

    user: str
    sql: str
    dry_run: bool
    labels: dict[str, str]
    most_billed: int
    timeout_ms: int
    job_id: str


@dataclass(slots=True)
class Project:
    """One project. Users are known by e-mail, `tokens` say whose a bearer token is.

    A user reads a table whole, unless `row_policies` list a condition for some, or `tagged` columns are kept
    from them. `partitioned` tables have a part per day of a column. A source token of `impersonators` may act
    as those accounts. Rows of `streaming` tables are on their way in; `kinds` are other than TABLE. A name in
    `mistaken` is taken for another. `views` are read by their text, and what they stand on with the rights of
    whoever asks, unless `authorised` has the pair of its dataset and theirs. `reservation` pays for jobs.
    The next `broken` requests are answered with 503, as are the next `lost` jobs, which begin all the same.
    With `spent`, a quota is used up; a `terse` project does not say whose a dry run is.
    """

    name: str = "acme-shop"
    dataset: str = "shop"
    location: str = "EU"
    tokens: dict[str, str] = field(default_factory=dict)
    rights: dict[tuple[str, Name], frozenset[str]] = field(default_factory=dict)
    creators: set[str] = field(default_factory=set)
    impersonators: dict[str, tuple[str, ...]] = field(default_factory=dict)
    row_policies: dict[Name, dict[str, str]] = field(default_factory=dict)
    tagged: dict[tuple[Name, str], tuple[str, ...]] = field(default_factory=dict)
    partitioned: dict[Name, str] = field(default_factory=dict)
    clustered: set[Name] = field(default_factory=set)
    streaming: set[Name] = field(default_factory=set)
    kinds: dict[Name, str] = field(default_factory=dict)
    mistaken: dict[Name, Name] = field(default_factory=dict)
    views: dict[Name, exp.Query] = field(default_factory=dict)
    authorised: set[tuple[str, str]] = field(default_factory=set)
    log: list[Request] = field(default_factory=list, repr=False)
    broken: int = 0
    lost: int = 0
    spent: str = ""
    terse: bool = False
    reservation: str = ""
    versions: dict[Name, list[Version]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    duck: duckdb.DuckDBPyConnection = field(default_factory=duckdb.connect)

    def __post_init__(self) -> None:
        for statement in (
            "SET TimeZone = 'UTC'",
            f'CREATE SCHEMA "{self.dataset}"',
            f'CREATE SCHEMA "{HISTORY}"',
        ):
            self.duck.execute(statement)

    def grant(self, user: str, *tables: str, more: Iterable[str] = ()) -> None:
        """Let a user read tables, and do `more` with them."""
        for table in tables:
            self.rights[user, self.full_name(table.split("."))] = READ | frozenset(more)

    def may(self, user: str, permission: str, name: Name) -> bool:
        """Say whether a user has a permission on a table that exists."""
        return name in self.versions and permission in self.rights.get((user, name), ())

    def full_name(self, parts: Iterable[str]) -> Name:
        """Return a name with its dataset filled in; the project is left out."""
        space, table = (["", *parts])[-2:]
        name = (space or self.dataset, table)
        return self.mistaken.get(name, name)

    def at(self, name: Name, moment: datetime | None) -> Version:
        """Return the rows of a table as they were, or are. Raises Failure where none are kept."""
        versions = self.versions[name]
        if moment is None:
            return versions[-1]
        before = [version for version in versions if version.since <= moment]
        if not before:
            said = f"Invalid snapshot time {moment:%s}000 for table {self.said(name)}. Cannot read before"
            raise Failure(400, "invalid", f"{said} {versions[0].since:%s}000")
        return before[-1]

    def said(self, name: Name) -> str:
        """Return a table's name as the service's messages write it."""
        return f"{self.name}:{name[0]}.{name[1]}"

    def execute(self, script: str) -> None:
        """Change data as the owner: DuckDB's SQL in the dataset.

        A script is one moment: what a table held before it can be read with FOR SYSTEM_TIME AS OF.
        """
        trees = [tree for tree in sqlglot.parse(script, read="duckdb") if tree is not None]
        with self.lock:
            cursor = self.duck.cursor()
            cursor.execute(f'USE "{self.dataset}"')
            changed = dict.fromkeys(name for tree in trees for name in self._written(tree))
            for name in changed:
                self._keep(cursor, name)
            for tree in trees:
                cursor.execute(tree.sql("duckdb"))
            now = datetime.now(UTC)
            for name in changed:
                self.versions.setdefault(name, []).append(Version(now, name))

    def make_view(self, name: Name, tree: exp.Query) -> None:
        """Make a view of a text in BigQuery's words; one of DuckDB's own tells its columns."""
        seen = tree.copy()
        for asker in list(seen.find_all(exp.SessionUser)):
            asker.replace(exp.Literal.string(""))
        for table in seen.find_all(exp.Table):
            table.set("catalog", None)
        with self.lock:
            self.duck.cursor().execute(f"CREATE OR REPLACE VIEW {quoted(name)} AS {seen.sql('duckdb')}")
            self.views[name], self.kinds[name] = tree, "VIEW"
            self.versions[name] = [Version(datetime.now(UTC), name)]

    def columns(self, name: Name) -> dict[str, str]:
        """Return the columns of a table with DuckDB's types."""
        found = self.duck.cursor().execute(f"DESCRIBE {quoted(name)}").fetchall()
        return {str(row[0]): str(row[1]) for row in found}

    def required(self, name: Name) -> frozenset[str]:
        """Return the columns of a table that are never NULL."""
        found = self.duck.cursor().execute(REQUIRED, list(name)).fetchall()
        return frozenset(str(row[0]) for row in found)

    def declared(self, name: Name) -> Mapping[str, Any]:
        """Return a table's description and its keys as the service writes them; it enforces none."""
        said = self.duck.cursor().execute(COMMENT, list(name)).fetchone()
        keys: dict[str, Any] = {}
        for kind, own, far, theirs in self.duck.cursor().execute(KEYS, list(name)).fetchall():
            if kind == "PRIMARY KEY":
                keys["primaryKey"] = {"columns": own}
                continue
            place = {"projectId": self.name, "datasetId": name[0], "tableId": far}
            pairs = [
                {"referencingColumn": near, "referencedColumn": other}
                for near, other in zip(own, theirs, strict=True)
            ]
            key = {"name": f"{name[1]}.{far}", "referencedTable": place, "columnReferences": pairs}
            keys.setdefault("foreignKeys", []).append(key)
        constraints = {"tableConstraints": keys} if keys else {}
        return {**({"description": said[0]} if said and said[0] else {}), **constraints}

    def _written(self, tree: exp.Expr) -> Iterable[Name]:
        kinds = (exp.Create, exp.Insert, exp.Update, exp.Delete)
        if isinstance(tree, kinds) and tree.args.get("kind") != "SCHEMA":
            table = tree.this if isinstance(tree.this, exp.Table) else tree.this.find(exp.Table)
            if table is not None:
                yield self.full_name([part.name for part in table.parts])

    def _keep(self, cursor: duckdb.DuckDBPyConnection, name: Name) -> None:
        """Move the rows of a table, as they are before a change, to its history."""
        versions = self.versions.get(name)
        if not versions:
            return
        place = (HISTORY, f"{name[0]}.{name[1]}@{len(versions)}")
        cursor.execute(f"CREATE TABLE {quoted(place)} AS FROM {quoted(name)}")
        versions[-1] = Version(versions[-1].since, place)


def quoted(name: Iterable[str]) -> str:
    """Return a name as DuckDB's SQL text."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in name)
