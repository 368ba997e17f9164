"""Rows as a driver gave them -> a table: a plan says what its columns mean, free SQL only their names."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import chain, count

from gateway.engines.base import Rows
from metric_layer.definitions import ColumnType
from metric_layer.resolved import OutputColumn, ResolvedPlan
from traces.records import Table, Value

PLAIN = frozenset((str, int, float, bool, date, datetime, type(None)))


def table_of(rows: Rows, plan: ResolvedPlan | None) -> Table:
    """Return driver rows as a table, with the columns of the plan where there is one.

    Columns of one name, which free SQL may have, are numbered: `name_1`, `name_2`.
    What a plan calls a whole number is an int, also where an engine sums it in a decimal type.
    The row beyond a plan's own limit, fetched to see what the limit left off, is left out; such a result is
    as long as it was asked to be, and not cut.
    """
    cells = rows.rows
    if plan is not None:
        columns = plan.outputs
        cells = _whole(cells, columns)
    else:
        columns = tuple(
            OutputColumn(name=name, kind="dimension", type=_type_of(row[at] for row in cells), label=name)
            for at, name in enumerate(_told_apart(rows.names))
        )
    # Cells of the very types a table holds need no look at every alternative of each.
    made = Table.model_construct if _are_plain(cells) else Table
    if plan is not None and _beyond(rows, plan) is not None:
        return made(columns=columns, rows=cells[: plan.limit])
    return made(columns=columns, rows=cells, truncated=rows.truncated, limit_source=rows.limit_source)


def limit_note(rows: Rows, plan: ResolvedPlan) -> str:
    """Say what a plan's own limit left off, and whether the next row ties with the last one shown."""
    beyond = _beyond(rows, plan)
    if beyond is None or plan.limit is None or not plan.order:
        return ""
    by, descending = plan.order[0]
    names = [output.name for output in plan.outputs]
    at = names.index(by)
    last = rows.rows[plan.limit - 1][at]
    label = plan.outputs[at].label
    order = f"{label}, highest first" if descending else label
    first = f"These are the first {plan.limit:,} rows by {order}; more follow."
    if plan.plan.order is None or beyond[at] != last:
        return first
    return f"{first} The next one ties with the last one shown: both have the same {label}."


def _beyond(rows: Rows, plan: ResolvedPlan | None) -> tuple[Value, ...] | None:
    """Return the row that a plan's own limit left off, where there is one."""
    if plan is None or plan.limit is None or len(rows.rows) <= plan.limit:
        return None
    return rows.rows[plan.limit]


def _told_apart(names: Sequence[str]) -> Iterator[str]:
    """Yield the names of columns, numbered where several have one, so that it alone names none of them."""
    often = Counter(names)
    taken = set(names)
    for name in names:
        numbered = (f"{name}_{n}" for n in count(1))
        told = name if often[name] == 1 else next(each for each in numbered if each not in taken)
        taken.add(told)
        yield told


def _whole(
    rows: tuple[tuple[Value, ...], ...], columns: Sequence[OutputColumn]
) -> tuple[tuple[Value, ...], ...]:
    """Return rows with an int for each decimal without places in a column of whole numbers."""
    places = [at for at, column in enumerate(columns) if column.type == "integer"]
    if not any(type(row[at]) is Decimal for row in rows for at in places):
        return rows
    return tuple(
        tuple(_as_int(value) if at in places else value for at, value in enumerate(row)) for row in rows
    )


def _as_int(value: Value) -> Value:
    whole = isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value()
    return int(value) if whole and isinstance(value, Decimal) else value


def _are_plain(rows: tuple[tuple[Value, ...], ...]) -> bool:
    kinds = set(map(type, chain.from_iterable(rows)))
    if Decimal not in kinds:
        return kinds <= PLAIN
    numbers = [value for value in chain.from_iterable(rows) if type(value) is Decimal]
    return kinds <= PLAIN | {Decimal} and all(map(Decimal.is_finite, numbers))


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
