"""A result as our own sentence: every value a slot, printed and cited by code."""

from collections.abc import Iterator, Sequence

from gateway.ground import Scope
from gateway.ground.sheet import is_key
from metric_layer.resolved import OutputColumn, ResolvedPlan
from traces.records import Table

MAX_ROWS = 12
MAX_FIGURES = 60
OPERATORS = {
    "in": "=", "eq": "=", "not_in": "not", "ne": "not", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "is_null": "is empty", "not_null": "is not empty",
}  # fmt: skip


def word(table: Table) -> str:
    """Return a draft with a slot for every value of the result; `ground` prints and cites them."""
    keys = [column for column in table.columns if is_key(column)]
    figures = [column for column in table.columns if not is_key(column)]
    if not table.rows or not figures:
        return ""
    if not keys:
        return f"{_said(0, figures)}."
    told = min(len(table.rows), MAX_ROWS, max(1, MAX_FIGURES // len(figures)))
    lines = [_line(row, keys, figures) for row in range(told)]
    if len(table.rows) == 1:
        return f"{lines[0]}."
    rest = ["The other rows stand in the table."] if len(table.rows) > told else []
    return "\n".join([*(f"- {line}." for line in lines), *rest])


def _line(row: int, keys: Sequence[OutputColumn], figures: Sequence[OutputColumn]) -> str:
    named = ", ".join(f"{{{{c:{row}.{column.name}}}}}" for column in keys)
    return f"{named}: {_said(row, figures)}"


def _said(row: int, figures: Sequence[OutputColumn]) -> str:
    """Return "Net revenue $1,234.00, orders 56" with slots for the values."""
    parts = [f"{column.label or column.name} {{{{c:{row}.{column.name}}}}}" for column in figures]
    return ", ".join(parts)


def scope_line(table: Table, resolved: ResolvedPlan, scope: Scope) -> str:
    """Return what a reader must know: period, filters, metrics with versions, cut marks."""
    return "; ".join(_parts(table, resolved, scope))


def _parts(table: Table, resolved: ResolvedPlan, scope: Scope) -> Iterator[str]:
    window = resolved.plan.time
    yield f"{window.from_.isoformat()} to {window.to.isoformat()}" if window else "all dates"
    for name, op, values in scope.filters:
        yield " ".join(part for part in (name, OPERATORS.get(op, op), ", ".join(values)) if part)
    for having in resolved.having:
        yield f"{having.metric} {OPERATORS.get(having.op, having.op)} {', '.join(map(str, having.values))}"
    labels = {column.name: column.label for column in table.columns}
    for used in resolved.used:
        if used.kind == "metric" and used.name in resolved.plan.metrics:
            yield f"{labels.get(used.name) or used.name} ({used.name} v{used.version})"
    if table.truncated:
        yield "the result was cut" + (f" ({table.limit_source})" if table.limit_source else "")
