"""What `probe` finds wrong with a role's session: every promise tried, one line per broken promise."""

from collections.abc import Iterator

import duckdb

from gateway.engines.base import Relation, RoleScope
from gateway.engines.duckdb_storage import quote, unquote

LOCKED = {
    "enable_external_access": False,
    "lock_configuration": True,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
}
_READ_ONLY = "SELECT count(*) FROM duckdb_databases() WHERE database_name = ? AND readonly"
_HELD = """
    SELECT schema_name, table_name, column_name FROM duckdb_columns() WHERE database_name = ? ORDER BY ALL
"""
_WRITABLE = "SELECT count(*) FROM duckdb_tables() WHERE database_name <> ?"


def find_faults(
    cursor: duckdb.DuckDBPyConnection, scope: RoleScope, alias: str, *, extract: bool = False
) -> tuple[str, ...]:
    """Return one line per thing wrong; nothing is written and no row is returned.

    An `extract` has to hold the relations of the scope, with the columns that the role may see, and no more.
    """
    faults = [*session_faults(cursor, alias)]
    if extract:
        faults.extend(_extract_faults(cursor, scope, alias))
    for relation in scope.relations:
        faults.extend(f"{relation.name}: {fault}" for fault in _relation_faults(cursor, relation))
    return tuple(f"{scope.role}: {fault}" for fault in faults)


def session_faults(cursor: duckdb.DuckDBPyConnection, alias: str) -> Iterator[str]:
    """Yield what is wrong with the walls of a session, whatever it shows."""
    if _number(cursor, _READ_ONLY, [alias]) != 1:
        yield "the data file is not attached read-only"
    if _number(cursor, _WRITABLE, [alias]):
        yield "the session holds tables of its own"
    for name, wanted in LOCKED.items():
        seen = cursor.execute("SELECT current_setting(?)", [name]).fetchone()
        if seen is None or seen[0] is not wanted:
            yield f"{name} is not {str(wanted).lower()}"
    try:
        cursor.execute("SELECT size FROM read_blob(?)", [__file__]).fetchall()
    except duckdb.PermissionException:
        pass
    else:
        yield "a file can be read that is not the role's"
    try:
        cursor.execute("SET memory_limit='64MB'")
    except duckdb.InvalidInputException:
        return
    yield "the configuration is not locked: a limit could be changed"


def _extract_faults(cursor: duckdb.DuckDBPyConnection, scope: RoleScope, alias: str) -> Iterator[str]:
    """Look at the file itself, not at the views over it."""
    expected = {("main", *parts)[-2:]: each for each in scope.relations if (parts := unquote(each.name))}
    held: dict[tuple[str, ...], set[str]] = {}
    for schema, table, column in cursor.execute(_HELD, [alias]).fetchall():
        held.setdefault((schema, table), set()).add(column)
    for place, columns in held.items():
        relation = expected.get(place)
        if relation is None:
            yield f"the extract holds {'.'.join(place)}, which the role may not see"
        elif relation.columns and (more := sorted(columns - set(relation.columns))):
            yield f"the extract holds columns of {relation.name} that the role may not see: {', '.join(more)}"


def _relation_faults(cursor: duckdb.DuckDBPyConnection, relation: Relation) -> Iterator[str]:
    name = ".".join(quote(part) for part in unquote(relation.name))
    shown = {str(row[0]) for row in cursor.execute(f"DESCRIBE {name}").fetchall()}
    if relation.columns:
        if more := sorted(shown - set(relation.columns)):
            yield f"shows columns that the role may not see: {', '.join(more)}"
        if less := sorted(set(relation.columns) - shown):
            yield f"does not show columns that the role may see: {', '.join(less)}"
    if relation.probe:
        try:
            broken = _number(cursor, relation.probe, [])
        except duckdb.Error as error:
            yield f"its row rule could not be proved ({type(error).__name__})"
            return
        if broken:
            yield f"{broken} rows break the row rule"


def _number(cursor: duckdb.DuckDBPyConnection, sql: str, values: list[str]) -> int:
    row = cursor.execute(sql, values).fetchone()
    return int(row[0]) if row else 0
