"""The rows of a result as a file: CSV, Arrow or Parquet, with exact decimals and no formulas in text."""

import csv
import io
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq

from gateway.json_cells import json_cell
from gateway.record.kept import OwnResult
from metric_layer.resolved import OutputColumn
from traces.records import Table, Value

FileForm = Literal["csv", "arrow", "parquet"]
MEDIA: dict[FileForm, str] = {
    "csv": "text/csv; charset=utf-8; header=present",
    "arrow": "application/vnd.apache.arrow.stream",
    "parquet": "application/vnd.apache.parquet",
}
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001
"""What makes a spreadsheet read a text as a formula, in both widths."""


def file_of(result: OwnResult, form: FileForm) -> bytes:
    """Return the rows that may be read, in a form."""
    if form == "csv":
        return csv_of(result.table)
    table = arrow_of(result)
    sink = pa.BufferOutputStream()
    if form == "parquet":
        pq.write_table(table, sink)
    else:
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
    return bytes(sink.getvalue())


def csv_of(table: Table) -> bytes:
    """Return CSV (RFC 4180, UTF-8): names first, nothing where a value is missing.

    A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay as they are.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([_harmless(column.name) for column in table.columns])
    writer.writerows([_written(value) for value in row] for row in table.rows)
    return text.getvalue().encode()


def arrow_of(result: OwnResult) -> pa.Table:
    """Return an Arrow table; labels and units stand in the fields' metadata."""
    table, view = result.table, result.view
    columns = [_column([row[at] for row in table.rows]) for at in range(len(table.columns))]
    fields = [_field(column, values) for column, values in zip(table.columns, columns, strict=True)]
    about = {"trace_id": view.trace_id, "row_count": str(view.row_count), "limit_source": view.limit_source}
    return pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=about))


def _field(column: OutputColumn, values: pa.Array) -> pa.Field:
    about = {"label": column.label, "unit": column.unit, "kind": column.kind}
    return pa.field(column.name, values.type, metadata=about)


def _column(values: Sequence[Value]) -> pa.Array:
    """Return values as Arrow has them exactly; as texts where it has no type that holds them all."""
    present = [value for value in values if value is not None]
    if any(isinstance(value, Decimal) for value in present):
        values = [Decimal(value) if type(value) is int else value for value in values]
    if present:
        try:
            return pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            pass
    return pa.array([None if value is None else _text(value) for value in values], pa.string())


def _written(value: Value) -> str:
    if value is None:
        return ""
    return _harmless(value) if isinstance(value, str) else _text(value)


def _text(value: Value) -> str:
    found = json_cell(value)
    return str(found).lower() if isinstance(found, bool) else str(found)


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULAS) else text
