"""Filters as SQL conditions; a filter that looks into the rows below a fact's row becomes EXISTS."""

from collections.abc import Callable, Iterable, Sequence

from sqlglot import exp

from metric_layer.compile.literals import literal
from metric_layer.compile.tables import Datasets, Joins, all_of, joined_on
from metric_layer.compile.zone import moment_in
from metric_layer.expression import column_of
from metric_layer.paths import Path
from metric_layer.plan import Operator
from metric_layer.resolved import Hop, ResolvedFilter
from metric_layer.values import TypedValue

_COMPARISONS: dict[Operator, type[exp.Binary]] = {
    "eq": exp.EQ,
    "ne": exp.NEQ,
    "lt": exp.LT,
    "le": exp.LTE,
    "gt": exp.GT,
    "ge": exp.GTE,
}


def condition(
    column: exp.Expr, op: Operator, values: Sequence[TypedValue], *, keep_missing: bool
) -> exp.Expr:
    """Return `column op values`. With `keep_missing`, `ne` and `not_in` also keep rows without a value."""
    if op in ("is_null", "not_null"):
        missing = exp.Is(this=column, expression=exp.Null())
        return missing if op == "is_null" else exp.Not(this=missing)
    literals = [literal(value) for value in values]
    if op == "between":
        return exp.Between(this=column, low=literals[0], high=literals[1])
    if op == "in":
        return exp.In(this=column, expressions=literals)
    if op == "not_in":
        found: exp.Expr = exp.Not(this=exp.In(this=column, expressions=literals))
    else:
        found = _COMPARISONS[op](this=column, expression=literals[0])
    if op in ("ne", "not_in") and keep_missing:
        return exp.Paren(
            this=exp.Or(this=exp.Is(this=column.copy(), expression=exp.Null()), expression=found)
        )
    return found


def condition_on(
    column: exp.Expr, asked: ResolvedFilter, zone: str, *, keep_missing: bool = True
) -> exp.Expr:
    """Return a filter as a condition on its column; days and times among its values are those of `zone`."""
    values = [moment_in(value, asked.column, zone) for value in asked.values]
    return condition(column, asked.op, values, keep_missing=keep_missing)


def conditions_of(
    filters: Iterable[ResolvedFilter], joins: Joins, datasets: Datasets, zone: str
) -> list[exp.Expr]:
    """Return one condition per to-one filter, and one EXISTS per way down with all filters on that way."""
    found: list[exp.Expr] = []
    below: dict[Path, list[ResolvedFilter]] = {}
    for each in filters:
        down = way_down(each.column.path)
        if down:
            below.setdefault(down, []).append(each)
        else:
            found.append(
                condition_on(column_of(each.column.column, joins.alias(each.column.path)), each, zone)
            )
    found.extend(exists(each, joins, datasets, zone, keep_missing=True) for each in below.values())
    return found


def way_down(path: Path) -> Path:
    """Return the part of a path up to and with its last to-many hop."""
    last = max((index for index, hop in enumerate(path) if hop.to_many), default=-1)
    return path[: last + 1]


def exists(
    filters: Sequence[ResolvedFilter], joins: Joins, datasets: Datasets, zone: str, *, keep_missing: bool
) -> exp.Expr:
    """Return EXISTS over the first hop's dataset: one row there has to meet all the filters."""

    def inside(reached: Joins) -> list[exp.Expr]:
        return [
            condition_on(
                column_of(each.column.column, reached.alias(each.column.path[1:])),
                each,
                zone,
                keep_missing=keep_missing,
            )
            for each in filters
        ]

    return exists_row(filters[0].column.path[0], joins, datasets, inside)


def exists_row(
    hop: Hop, joins: Joins, datasets: Datasets, inside: Callable[[Joins], list[exp.Expr]]
) -> exp.Expr:
    """Return EXISTS over the rows a hop leads to, joined on as `inside` needs, under its conditions."""
    inner = Joins(datasets, hop.to_dataset, side=None, taken=joins.taken)
    tests = [joined_on(hop, joins.root, inner.root), *inside(inner)]
    return exists_where(inner, tests)


def exists_where(inner: Joins, tests: Iterable[exp.Expr]) -> exp.Expr:
    """Return EXISTS over what is joined, under all the conditions."""
    inside = exp.Select(
        expressions=[exp.Literal.number(1)],
        from_=exp.From(this=inner.source),
        joins=inner.nodes,
        where=exp.Where(this=all_of(tests)),
    )
    return exp.Exists(this=inside)
