"""What a filter names that its dimension does not list: said where no row came of it, and of a near miss."""

from collections.abc import Iterator, Sequence

from metric_layer.definitions import Dimension
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.plan import Filter, MetricFilter, MetricPlan
from metric_layer.vocabulary import near_terms

KEEPING = frozenset(("eq", "in"))
LEAVING_OUT = frozenset(("ne", "not_in"))
MOST_LISTED = 5


def unlisted_values(layer: Layer, plan: MetricPlan, rows: Sequence[Filter]) -> tuple[Issue, ...]:
    """Return an issue for each value that a filter keeps and its dimension does not list.

    `rows` are the row rules of the asker's role: a listed value that they leave out is never offered. A
    dimension that lists nothing has nothing to be held against.
    """
    return tuple(_unlisted(layer, plan.filters, rows))


def misspelt_values(layer: Layer, plan: MetricPlan, rows: Sequence[Filter]) -> tuple[Issue, ...]:
    """Return an issue for each unlisted value that is near a listed one and stands beside listed ones."""
    listed = {
        f"/filters/{at}/"
        for at, each in enumerate(plan.filters)
        if isinstance(each, Filter) and len(each.values) > 1 and _names_listed(layer, each)
    }
    found = unlisted_values(layer, plan, rows) if listed else ()
    return tuple(each for each in found if each.candidates and each.path.startswith(tuple(listed)))


def _names_listed(layer: Layer, asked: Filter) -> bool:
    dimension = layer.dimensions.get(asked.field)
    known = {each.value for each in dimension.values} if dimension is not None else set()
    return any(str(value) in known for value in asked.values)


def _unlisted(
    layer: Layer, filters: Sequence[Filter | MetricFilter], rows: Sequence[Filter]
) -> Iterator[Issue]:
    for at, each in enumerate(filters):
        dimension = layer.dimensions.get(each.field) if isinstance(each, Filter) else None
        if dimension is None or not dimension.values or each.op not in KEEPING:
            continue
        known = {value.value for value in dimension.values}
        for place, value in enumerate(each.values):
            if str(value) not in known:
                yield _issue(dimension, f"/filters/{at}/values/{place}", str(value), rows)


def _issue(dimension: Dimension, path: str, value: str, rows: Sequence[Filter]) -> Issue:
    shown = [each for each in dimension.values if _shown(dimension.name, each.value, rows)]
    terms = {term: each.value for each in shown for term in (each.value, each.label, *each.synonyms) if term}
    close = near_terms(value, terms)
    some = ", ".join(each.value for each in shown[:MOST_LISTED])
    listed = f"Listed are, for example: {some}." if some else ""
    return Issue(
        code="unlisted_value",
        message=f"This is not among the values that are listed for {dimension.name}.",
        path=path,
        seen=value[:100],
        candidates=close,
        next_step=f"Did you mean {close[0]}?" if close else listed,
    )


def _shown(dimension: str, value: str, rows: Sequence[Filter]) -> bool:
    """Say whether the row rules about a dimension leave a value in; a rule that is no list does not."""
    for rule in rows:
        if rule.field != dimension:
            continue
        named = value in map(str, rule.values)
        if not (rule.op in KEEPING and named) and not (rule.op in LEAVING_OUT and not named):
            return False
    return True
