"""A result on its way -> rows up to the caps, every value one that a result can carry, numbers exact."""

import time

from google.cloud.bigquery import SchemaField

from gateway.engines.base import Limits, Rows
from gateway.engines.bigquery_session import Answer
from gateway.engines.capped import Convert, take, unchanged, value_type
from traces.records import Actual

AS_IT_IS = frozenset(
    {
        "INTEGER",
        "INT64",
        "FLOAT",
        "FLOAT64",
        "NUMERIC",
        "BIGNUMERIC",
        "BOOLEAN",
        "BOOL",
        "STRING",
        "DATE",
        "DATETIME",
        "TIMESTAMP",
    }
)
AS_TEXT = frozenset({"TIME"})


def read_rows(answer: Answer, limits: Limits, started: float) -> Rows:
    """Fetch the answer up to the row and byte caps.

    Raises EngineError for a column of a type that a result cannot carry or a value that is outside what it
    can.
    """
    names, types, kinds = _columns(answer.columns)
    kept, limit_source = take(answer.pages(), kinds, limits)
    return Rows(
        names=names,
        types=types,
        rows=tuple(kept),
        truncated=bool(limit_source),
        limit_source=limit_source,
        actual=Actual(
            rows=len(kept),
            bytes=answer.job.total_bytes_processed,
            ms=round((time.monotonic() - started) * 1000, 3),
        ),
    )


def _columns(
    columns: tuple[SchemaField, ...],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Convert, ...]]:
    """Return names, types and converters of the columns; names all that cannot be carried at once."""
    kinds = {column.name: _convert(column) for column in columns}
    if strange := [f"{each.name} ({_shown(each)})" for each in columns if kinds[each.name] is None]:
        raise value_type(strange)
    names = tuple(column.name for column in columns)
    return names, tuple(map(_shown, columns)), tuple(kind for kind in kinds.values() if kind is not None)


def _convert(column: SchemaField) -> Convert | None:
    if column.mode == "REPEATED":
        return None
    if column.field_type in AS_IT_IS:
        return unchanged
    return str if column.field_type in AS_TEXT else None


def _shown(column: SchemaField) -> str:
    return f"ARRAY<{column.field_type}>" if column.mode == "REPEATED" else str(column.field_type)
