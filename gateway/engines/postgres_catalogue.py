"""Reads PostgreSQL's catalogue: tables, columns, keys and comments that the login may see."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.rows import tuple_row

from gateway.engines.base import EngineError
from gateway.engines.catalogue import CatalogueColumn, CatalogueTable, ForeignKey
from gateway.engines.postgres_errors import as_open_error
from gateway.engines.postgres_target import target_of
from metric_layer.definitions import ColumnType

SECONDS = 30
TYPES: Mapping[str, ColumnType] = {
    **dict.fromkeys(("int2", "int4", "int8", "oid"), "integer"),
    **dict.fromkeys(("float4", "float8"), "float"),
    **dict.fromkeys(("text", "varchar", "bpchar", "name", "citext", "uuid"), "string"),
    "numeric": "decimal",
    "bool": "boolean",
    "date": "date",
    "timestamp": "timestamp",
    "timestamptz": "timestamptz",
}
_SEEN = """
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
   AND n.nspname !~ '^cellbound_' AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
   AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
   AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS e
                    WHERE e.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                      AND e.objid = c.oid AND e.deptype = 'e')
"""
_TABLES = f"""
SELECT c.oid::bigint, n.nspname, c.relname, coalesce(pg_catalog.obj_description(c.oid, 'pg_class'), '')
{_SEEN} ORDER BY n.nspname, c.relname
"""
# A domain is what its base type is; a column without the right to read it is not there.
_COLUMNS = f"""
SELECT a.attrelid::bigint, a.attnum, a.attname, coalesce(b.typname, t.typname), t.typtype::text,
       pg_catalog.format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
       coalesce(pg_catalog.col_description(a.attrelid, a.attnum), '')
  FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
  LEFT JOIN pg_catalog.pg_type AS b ON b.oid = t.typbasetype
 WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN (SELECT c.oid {_SEEN})
   AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT')
 ORDER BY a.attrelid, a.attnum
"""
_KEYS = f"""
SELECT i.indrelid::bigint, i.indisprimary, (i.indkey::int2[])[0:i.indnkeyatts - 1]
  FROM pg_catalog.pg_index AS i
 WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
   AND i.indrelid IN (SELECT c.oid {_SEEN})
 ORDER BY i.indrelid, i.indexrelid
"""
_FOREIGN = f"""
SELECT k.conrelid::bigint, k.conkey, k.confrelid::bigint, k.confkey
  FROM pg_catalog.pg_constraint AS k
 WHERE k.contype = 'f' AND k.convalidated AND k.conrelid IN (SELECT c.oid {_SEEN})
   AND k.confrelid IN (SELECT c.oid {_SEEN})
 ORDER BY k.conrelid, k.conname
"""

Rows = list[tuple[Any, ...]]


def describe_postgres(url: str) -> tuple[CatalogueTable, ...]:
    """Return every table and view that the url's login may read, else whoever the server takes us for.

    A password comes from where PostgreSQL's own programs find it (PGPASSWORD, the password file). Raises
    EngineError.
    """
    target = target_of(url)
    parameters = {**target.parameters, **({"user": target.login} if target.login else {})}
    try:
        with psycopg.connect(
            make_conninfo(**parameters),
            options=f"-c default_transaction_read_only=on -c statement_timeout={SECONDS * 1000}",
            connect_timeout=SECONDS,
            application_name="cellbound init",
        ) as connection:
            tables, columns, keys, foreign = (
                connection.cursor(row_factory=tuple_row).execute(query.encode()).fetchall()
                for query in (_TABLES, _COLUMNS, _KEYS, _FOREIGN)
            )
    except psycopg.OperationalError as error:
        raise as_open_error(error, target.login or "of the gateway") from None
    except psycopg.Error as error:
        raise EngineError(
            "catalogue_unreadable", f"the catalogue cannot be read ({error.sqlstate})"
        ) from None
    return _assembled(tables, columns, keys, foreign)


def _assembled(tables: Rows, columns: Rows, keys: Rows, foreign: Rows) -> tuple[CatalogueTable, ...]:
    names: dict[int, dict[int, str]] = defaultdict(dict)
    found: dict[int, list[CatalogueColumn]] = defaultdict(list)
    for table, number, name, type_, kind, native, nullable, comment in columns:
        names[table][number] = name
        type_of = "string" if kind == "e" else TYPES.get(type_)
        found[table].append(CatalogueColumn(name, type_of, native, nullable, comment))

    def named(table: int, numbers: list[int]) -> tuple[str, ...]:
        return tuple(names[table].get(number, "") for number in numbers)

    places = {number: (schema, name) for number, schema, name, _ in tables}
    return tuple(
        CatalogueTable(
            schema=schema,
            name=name,
            columns=tuple(found[table]),
            primary_key=next((named(table, key) for of, first, key in keys if of == table and first), ()),
            unique_keys=tuple(named(table, key) for of, first, key in keys if of == table and not first),
            foreign_keys=tuple(
                ForeignKey(named(table, own), places[far], named(far, theirs))
                for of, own, far, theirs in foreign
                if of == table
            ),
            comment=comment,
        )
        for table, schema, name, comment in tables
    )
