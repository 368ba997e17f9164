"""Reads Snowflake's catalogue: tables, columns, keys and comments that a login sees in its role."""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing

from gateway.engines.base import Identity, Limits
from gateway.engines.catalogue import CatalogueColumn, CatalogueTable, ForeignKey
from gateway.engines.credentials import Secrets
from gateway.engines.event_loop import EventLoop
from gateway.engines.flights import Flights
from gateway.engines.snowflake_names import part
from gateway.engines.snowflake_session import Answer, Call, Session
from gateway.engines.snowflake_target import Target
from metric_layer.definitions import ColumnType

LIMITS = Limits(rows=1_000_000, bytes=1 << 30, seconds=60.0, memory_mb=0, spill_mb=0)
TYPES: Mapping[str, ColumnType] = {
    "FLOAT": "float",
    "TEXT": "string",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIMESTAMP_NTZ": "timestamp",
    "TIMESTAMP_LTZ": "timestamptz",
    "TIMESTAMP_TZ": "timestamptz",
}
_TABLES = """
SELECT TABLE_SCHEMA, TABLE_NAME, COALESCE(COMMENT, '') FROM {}.INFORMATION_SCHEMA.TABLES
 WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY TABLE_SCHEMA, TABLE_NAME
"""
_COLUMNS = """
SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, COALESCE(NUMERIC_SCALE, 0), IS_NULLABLE,
       COALESCE(COMMENT, '')
  FROM {}.INFORMATION_SCHEMA.COLUMNS
 WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
"""

Place = tuple[str, str]
Listed = Iterable[Mapping[str, str]]


def describe_snowflake(target: Target, who: Identity, secrets: Secrets) -> tuple[CatalogueTable, ...]:
    """Return every table and view of the database that the login may see, names in small letters.

    Keys are what is declared: Snowflake enforces none. Raises EngineError.
    """
    loop, flights = EventLoop(), Flights(1.0)
    database = part(target.database)
    with flights.flying("catalogue") as flight, closing(Session(target, loop, who, secrets)) as session:

        def call() -> Call:
            return Call(loop, flight, LIMITS, time.monotonic() + LIMITS.seconds)

        def ask(sql: str) -> Answer:
            return session.ask(call(), sql)

        session.open(call())

        tables = ask(_TABLES.format(database)).all()
        columns: dict[Place, list[CatalogueColumn]] = defaultdict(list)
        for schema, table, name, native, scale, nullable, comment in ask(_COLUMNS.format(database)).all():
            column = CatalogueColumn(
                name.lower(), _type(native, int(scale)), native.lower(), nullable == "YES", comment
            )
            columns[schema, table].append(column)
        listed = {
            kind: ask(f"SHOW {kind} KEYS IN DATABASE {database}").named()
            for kind in ("PRIMARY", "UNIQUE", "IMPORTED")
        }
    primary, unique = _keys(listed["PRIMARY"]), _keys(listed["UNIQUE"])
    foreign = _foreign(listed["IMPORTED"], target)
    return tuple(
        CatalogueTable(
            schema=_schema(schema, target),
            name=table.lower(),
            columns=tuple(columns[schema, table]),
            primary_key=next(iter(primary[schema, table]), ()),
            unique_keys=tuple(unique[schema, table]),
            foreign_keys=tuple(foreign[schema, table]),
            comment=comment,
            enforced=False,
        )
        for schema, table, comment in tables
    )


def _type(native: str, scale: int) -> ColumnType | None:
    if native == "NUMBER":
        return "decimal" if scale else "integer"
    return TYPES.get(native)


def _schema(schema: str, target: Target) -> str:
    """Return a schema as the project names it: the url's own as the url does."""
    return schema if schema == target.schema else schema.lower()


def _keys(listed: Listed) -> Mapping[Place, list[tuple[str, ...]]]:
    """Return the columns of each key of each table, in their order."""
    found: dict[tuple[Place, str], list[tuple[int, str]]] = defaultdict(list)
    for row in listed:
        place = (row["schema_name"], row["table_name"])
        found[place, row["constraint_name"]].append((int(row["key_sequence"]), row["column_name"].lower()))
    keys: dict[Place, list[tuple[str, ...]]] = defaultdict(list)
    for (place, _), columns in found.items():
        keys[place].append(tuple(name for _, name in sorted(columns)))
    return keys


def _foreign(listed: Listed, target: Target) -> Mapping[Place, list[ForeignKey]]:
    found: dict[tuple[Place, str, Place], list[tuple[int, str, str]]] = defaultdict(list)
    for row in listed:
        near = (row["fk_schema_name"], row["fk_table_name"])
        far = (row["pk_schema_name"], row["pk_table_name"])
        pair = (int(row["key_sequence"]), row["fk_column_name"].lower(), row["pk_column_name"].lower())
        found[near, row["fk_name"], far].append(pair)
    keys: dict[Place, list[ForeignKey]] = defaultdict(list)
    for (near, _, (schema, table)), pairs in found.items():
        pairs.sort()
        own, theirs = tuple(name for _, name, _ in pairs), tuple(name for _, _, name in pairs)
        keys[near].append(ForeignKey(own, (_schema(schema, target), table.lower()), theirs))
    return keys
