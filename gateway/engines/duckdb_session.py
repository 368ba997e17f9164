"""One locked in-memory DuckDB per role: the file attached read-only under a secret name, the role's views."""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from gateway.engines.base import EngineError, Limits, Relation, RoleScope
from gateway.engines.duckdb_cursor import Cursor, Cursors
from gateway.engines.duckdb_errors import as_open_error, as_query_error, first_line
from gateway.engines.duckdb_source import reading, text
from gateway.engines.duckdb_storage import TableStorage, quote, read_footers, read_storage, unquote
from gateway.engines.duckdb_tree import Plans, TableName, read_plans, scanned, stays_inside
from gateway.engines.refusals import not_one_select

SOURCE = "{source}"
PLANNED = 1024


@dataclass(frozen=True, slots=True)
class Session:
    """A hardened instance of one role.

    `alias` is the secret name of the attached file, `spill` the instance's temporary folder, `readable` the
    base tables that the role's views read, `planned` the statements that were found to stay inside them,
    `lake` the relations that are Parquet files by name, with those files.
    """

    connection: duckdb.DuckDBPyConnection
    cursors: Cursors
    alias: str
    spill: Path
    readable: set[TableName] = field(default_factory=set)
    planned: set[str] = field(default_factory=set)
    storages: dict[TableName, TableStorage] = field(default_factory=dict)
    lake: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    footers: dict[str, TableStorage] = field(default_factory=dict)

    @contextmanager
    def cursor(self, seconds: float) -> Iterator[Cursor]:
        """Yield a cursor whose every statement is stopped after `seconds`.

        What DuckDB raises in the block leaves as an EngineError without paths, hidden names and values.
        """
        try:
            with self.cursors.lent(seconds) as cursor:
                yield cursor
        except duckdb.Error as error:
            raise as_query_error(error, seconds=seconds, alias=self.alias) from None

    def plan(self, cursor: duckdb.DuckDBPyConnection, sql: str) -> Plans:
        """Return the plans of exactly one SELECT that reads nothing but relations of the role.

        Nothing is executed. Raises EngineError `not_one_select` and `outside_scope`.
        """
        statements = cursor.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise not_one_select()
        plans = _explain(cursor, sql)
        if self.alias in sql.lower() or not stays_inside(plans, self.readable, lake=bool(self.lake)):
            raise EngineError(
                "outside_scope",
                "the statement reads something that is not a relation of the role",
                next_step="Use only relations that your role can see.",
            )
        if len(self.planned) >= PLANNED:
            self.planned.clear()
        self.planned.add(sql)
        return plans

    def storage(self, cursor: duckdb.DuckDBPyConnection, table: TableName) -> TableStorage:
        """Return how a base table is stored; read once, because the file cannot change under a session."""
        if table not in self.storages:
            catalog, schema, name = table
            self.storages[table] = read_storage(cursor, catalog=catalog, schema=schema, table=name)
        return self.storages[table]

    def parquet(self, cursor: duckdb.DuckDBPyConnection) -> Mapping[str, TableStorage]:
        """Return how each Parquet relation is stored, by its name; read once."""
        if not self.footers:
            self.footers.update({name: read_footers(cursor, files) for name, files in self.lake.items()})
        return self.footers

    def close(self) -> None:
        """Close the instance and remove the folder that it may have spilt to."""
        self.cursors.close()
        self.connection.close()
        with suppress(OSError):
            self.spill.rmdir()


def open_session(path: Path, scope: RoleScope, limits: Limits, temp_directory: Path) -> Session:
    """Open an instance in which exactly the views of `scope` exist, and lock its configuration.

    Raises EngineError when the file is locked or no DuckDB file, and when views cannot be made (all of them
    in one error).
    """
    if limits.spill_mb:
        temp_directory.mkdir(parents=True, exist_ok=True)
    spill = temp_directory / f"duckdb-{secrets.token_hex(4)}"
    connection = duckdb.connect(":memory:")
    session = Session(
        connection,
        Cursors(connection),
        alias=f"src_{secrets.token_hex(16)}",
        spill=spill,
        lake={relation.name: relation.files for relation in scope.relations if relation.files},
    )
    try:
        _attach(session, path)
        for name, value in _settings(limits, spill, session.lake):
            session.connection.execute(f"SET GLOBAL {name}={value}")
        _make_views(session, scope)
        session.connection.execute("SET GLOBAL lock_configuration=true")
    except EngineError:
        session.close()
        raise
    return session


def relations_unreadable(role: str, wrong: Iterable[str]) -> EngineError:
    """Return the error for relations of a role that the database does not hold like that."""
    return EngineError(
        "relation_unreadable",
        f"role {role}: " + "; ".join(wrong),
        next_step="Compare the datasets in metrics/ with the tables and columns of the database.",
    )


def _attach(session: Session, path: Path) -> None:
    try:
        session.connection.execute(f"ATTACH {text(path)} AS {quote(session.alias)} (READ_ONLY, TYPE duckdb)")
    except duckdb.Error as error:
        raise as_open_error(error, path) from None


def _settings(limits: Limits, spill: Path, lake: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Yield the settings that make the wall, in the order that works.

    DuckDB keeps the path of an attached file readable when external access goes off: `read_blob` and
    `read_duckdb` would still take it. Without spill space the file system itself is switched off and closes
    that; with spill space the look at the bound plan (`stays_inside`) has to. Parquet files of the role need
    the file system too, which then opens nothing but them and the attached file, that is the role's own.
    """
    folder = str(spill).replace("'", "''") if limits.spill_mb else ""
    yield "allow_community_extensions", "false"
    yield "autoinstall_known_extensions", "false"
    yield "autoload_known_extensions", "false"
    yield "python_enable_replacements", "false"
    yield "memory_limit", f"'{limits.memory_mb}MB'"
    yield "temp_directory", f"'{folder}'"
    yield "max_temp_directory_size", f"'{limits.spill_mb}MB'"
    yield "TimeZone", "'UTC'"
    yield "explain_output", "'all'"
    if lake:
        yield "allowed_paths", f"[{', '.join(text(file) for files in lake.values() for file in files)}]"
    yield "enable_external_access", "false"
    if not limits.spill_mb and not lake:
        yield "disabled_filesystems", "'LocalFileSystem'"
    yield "allowed_configs", "['max_execution_time', 'enable_progress_bar']"


def _make_views(session: Session, scope: RoleScope) -> None:
    wrong = [problem for relation in scope.relations for problem in _make_view(session, relation)]
    if wrong:
        raise relations_unreadable(scope.role, wrong)


def _make_view(session: Session, relation: Relation) -> Iterable[str]:
    """Make one view and note which base tables it reads; yield what is wrong with it."""
    parts = unquote(relation.name)
    name = ".".join(quote(part) for part in parts)
    select = relation.select.replace(SOURCE, quote(session.alias))
    if relation.files:
        select = reading(relation.files)
    try:
        if len(parts) == 2:
            session.connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quote(parts[0])}")
        session.connection.execute(f"CREATE VIEW {name} AS {select}")
        session.readable.update(scanned(_explain(session.connection, f"FROM {name}")))
    except duckdb.Error as error:
        yield f"{relation.name} cannot be read: {first_line(error, session.alias)}"


def _explain(cursor: duckdb.DuckDBPyConnection, select: str) -> Plans:
    return read_plans(cursor.execute(f"EXPLAIN (FORMAT JSON) {select}").fetchall())
