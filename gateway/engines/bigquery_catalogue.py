"""Reads BigQuery's catalogue: the tables of one dataset, their columns, keys and descriptions."""

import time
from collections.abc import Iterator, Mapping
from contextlib import closing

from google.cloud.bigquery import SchemaField, Table

from gateway.engines.base import Identity, Limits
from gateway.engines.bigquery_session import Call, Session
from gateway.engines.bigquery_target import Target
from gateway.engines.catalogue import CatalogueColumn, CatalogueTable, ForeignKey
from gateway.engines.credentials import Secrets
from gateway.engines.flights import Flights
from metric_layer.definitions import ColumnType

LIMITS = Limits(rows=0, bytes=0, seconds=60.0, memory_mb=0, spill_mb=0)
TYPES: Mapping[str, ColumnType] = {
    **dict.fromkeys(("INTEGER", "INT64"), "integer"),
    **dict.fromkeys(("FLOAT", "FLOAT64"), "float"),
    **dict.fromkeys(("NUMERIC", "BIGNUMERIC"), "decimal"),
    **dict.fromkeys(("BOOLEAN", "BOOL"), "boolean"),
    "STRING": "string",
    "DATE": "date",
    "DATETIME": "timestamp",
    "TIMESTAMP": "timestamptz",
}


def describe_bigquery(target: Target, who: Identity, secrets: Secrets) -> tuple[CatalogueTable, ...]:
    """Return every table and view of the dataset that the asker may see. Nothing is billed.

    Keys are what is declared: BigQuery enforces none. Raises EngineError.
    """
    with (
        Flights(1.0).flying("catalogue") as flight,
        closing(Session(target, who, secrets)) as session,
    ):

        def call() -> Call:
            return Call(flight, LIMITS, time.monotonic() + LIMITS.seconds)

        names = session.table_names(call())
        tables = [session.table(call(), name) for name in names]
    return tuple(_described(table) for table in tables if table is not None)


def _described(table: Table) -> CatalogueTable:
    constraints = table.table_constraints
    primary = constraints.primary_key if constraints else None
    return CatalogueTable(
        schema=table.dataset_id,
        name=table.table_id,
        columns=tuple(map(_column, table.schema)),
        primary_key=tuple(primary.columns) if primary else (),
        foreign_keys=tuple(_foreign(table)),
        comment=table.description or "",
        enforced=False,
    )


def _column(field: SchemaField) -> CatalogueColumn:
    kind = TYPES.get(field.field_type) if field.mode != "REPEATED" else None
    native = f"ARRAY<{field.field_type}>" if field.mode == "REPEATED" else str(field.field_type)
    return CatalogueColumn(field.name, kind, native, field.mode != "REQUIRED", field.description or "")


def _foreign(table: Table) -> Iterator[ForeignKey]:
    constraints = table.table_constraints
    for key in (constraints.foreign_keys or ()) if constraints else ():
        far, pairs = key.referenced_table, key.column_references
        yield ForeignKey(
            tuple(pair.referencing_column for pair in pairs),
            (far.dataset_id, far.table_id),
            tuple(pair.referenced_column for pair in pairs),
        )
