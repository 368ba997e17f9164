"""A result summed up column by column: counts, ends and totals, which go also where its rows do not."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from metric_layer.record import Record
from metric_layer.resolved import Arithmetic, OutputColumn, ResolvedPlan
from policies.mask import MASK
from traces.records import Table, Value


class ColumnSummary(Record):
    """A column of the whole result: counts of values, ends of numbers and dates, total of an additive metric.

    `hidden` counts the values that the reader may not see; they are in none of the other figures. `total` is
    empty where the column cannot be added up or the result is not whole.
    """

    name: str
    nulls: int
    hidden: int
    distinct: int
    low: str = ""
    high: str = ""
    total: str = ""


class Summary(Record):
    """A result without its rows. `whole` is false where a cap cut it or a figure is hidden."""

    rows: int
    whole: bool
    columns: tuple[ColumnSummary, ...]


def summarize(table: Table, plan: ResolvedPlan | None) -> Summary:
    """Sum up a protected table, column by column."""
    asked_part = plan is not None and plan.limit is not None and len(table.rows) >= plan.limit
    additive = () if plan is None or table.truncated or asked_part else additive_metrics(plan)
    columns = tuple(
        _column(column, [row[at] for row in table.rows], column.name in additive)
        for at, column in enumerate(table.columns)
    )
    return Summary(rows=len(table.rows), whole=not table.truncated, columns=columns)


def additive_metrics(plan: ResolvedPlan) -> frozenset[str]:
    """Return the metrics whose values over disjoint groups add up to the value over all."""
    kinds = {leaf.id: leaf.aggregate for leaf in plan.leaves}
    return frozenset(name for name, formula in plan.metrics if _adds_up(formula, kinds))


def _adds_up(formula: Arithmetic | None, kinds: Mapping[str, str]) -> bool:
    if formula is None:
        return False
    if formula.op == "leaf":
        return kinds[formula.leaf] in ("sum", "count")
    if formula.op in ("add", "sub"):
        return _adds_up(formula.left, kinds) and _adds_up(formula.right, kinds)
    scaled = formula.right is not None and formula.right.op == "number"
    return formula.op in ("mul", "div") and scaled and _adds_up(formula.left, kinds)


def _column(column: OutputColumn, values: Sequence[Value], additive: bool) -> ColumnSummary:
    figures: list[Decimal] = []
    others: list[bool | date | str] = []
    nulls = hidden = 0
    for value in values:
        if value is None:
            nulls += 1
        elif isinstance(value, str) and value == MASK:
            hidden += 1
        elif isinstance(value, bool | date | str):
            others.append(value)
        else:
            number = value if isinstance(value, Decimal) else Decimal(str(value))
            figures.append(number) if number.is_finite() else others.append(str(number))
    moments = [value.isoformat() for value in others if isinstance(value, date)]
    low, high = _ends(figures) if figures else (min(moments, default=""), max(moments, default=""))
    total = additive and figures and not others and not hidden
    return ColumnSummary(
        name=column.name,
        nulls=nulls,
        hidden=hidden,
        distinct=len(set(figures)) + len(set(others)),
        low=low,
        high=high,
        total=format(sum(figures, Decimal(0)), "f") if total else "",
    )


def _ends(figures: Sequence[Decimal]) -> tuple[str, str]:
    return format(min(figures), "f"), format(max(figures), "f")
