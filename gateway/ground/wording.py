"""A result as our own sentence: every value a cell, printed and cited by code."""

from collections.abc import Iterator, Sequence

from gateway.ground import Scope
from gateway.ground.own import Said, print_own
from gateway.ground.table.sheet import is_key
from metric_layer.resolved import OutputColumn, ResolvedPlan
from traces.grounding import Grounding
from traces.records import Table

MAX_ROWS = 12
MAX_FIGURES = 60
OPERATORS = {
    "in": "=", "eq": "=", "not_in": "not", "ne": "not", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "is_null": "is empty", "not_null": "is not empty",
}  # fmt: skip


def word(table: Table) -> tuple[Said, ...]:
    """Return a sentence over the result: its words, and the cells whose values stand between them."""
    keys = [at for at, column in enumerate(table.columns) if is_key(column)]
    figures = [at for at, column in enumerate(table.columns) if not is_key(column)]
    if not table.rows or not figures:
        return ()
    told = min(len(table.rows), MAX_ROWS, max(1, MAX_FIGURES // len(figures))) if keys else 1
    begin, end = ("- ", ".\n") if len(table.rows) > 1 and keys else ("", ".")
    words = tuple(_words_before(table.columns, keys, figures))
    places = (*keys, *figures)
    said: list[Said] = []
    for row in range(told):
        said.append(begin)
        for before, column in zip(words, places, strict=True):
            said += (before, (row, column))
        said.append(end)
    if end == ".\n":
        said[-1] = "." if len(table.rows) == told else ".\nThe other rows stand in the table."
    return tuple(said)


def own_answer(draft: str, table: Table, scope: Scope) -> Grounding | None:
    """Return the grounding of a draft that is our own sentence over the result, word for word; else None.

    Its names are cells too, so nothing that a cell holds is read as words of the draft.
    """
    own = print_own(word(table), table, scope)
    return own if own.verdict == "pass" and own.text and own.text == draft.strip() else None


def _words_before(
    columns: Sequence[OutputColumn], keys: Sequence[int], figures: Sequence[int]
) -> Iterator[str]:
    """Yield what stands before each value: "EMEA, July: Net revenue $1,234.00, Orders 56"."""
    yield from ("" if at == 0 else ", " for at in range(len(keys)))
    for at, column in enumerate(figures):
        joined = ", " if at else ": " if keys else ""
        yield f"{joined}{columns[column].label or columns[column].name} "


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
