"""Rows as a driver gave them -> a table: a plan says what its columns mean, free SQL only their names."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

from gateway.engines.base import Rows
from metric_layer.definitions import ColumnType
from metric_layer.resolved import OutputColumn, ResolvedPlan
from traces.records import Table, Value


def table_of(rows: Rows, plan: ResolvedPlan | None) -> Table:
    """Return driver rows as a table, with the columns of the plan where there is one."""
    if plan is not None:
        columns = plan.outputs
    else:
        columns = tuple(
            OutputColumn(name=name, kind="dimension", type=_type_of(row[at] for row in rows.rows), label=name)
            for at, name in enumerate(rows.names)
        )
    return Table(columns=columns, rows=rows.rows, truncated=rows.truncated, limit_source=rows.limit_source)


def _type_of(values: Iterable[Value]) -> ColumnType:
    """Return the type of the first value there is; engines call their types by many names."""
    match next((value for value in values if value is not None), None):
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "float"
        case Decimal():
            return "decimal"
        case datetime():
            return "timestamp"
        case date():
            return "date"
    return "string"
