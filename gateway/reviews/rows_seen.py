"""Whether a reviewer who sees a part of the rows may know the values that a held question names."""

from collections.abc import Iterator

from gateway.holds.records import NewHold
from gateway.house import House
from gateway.record.entitled import sees_rows_of
from metric_layer.definitions import NUMERIC_TYPES, TIME_TYPES
from metric_layer.plan import Filter
from policies.entitlement import Entitlement
from traces.records import Trace

RANGES = frozenset({"lt", "le", "gt", "ge", "between"})
LISTS = frozenset({"eq", "in"})


def may_know_values(house: House, role: Entitlement, hold: NewHold, trace: Trace) -> bool:
    """Say whether what a question compares with tells a reviewer nothing of rows that are hidden from them.

    That is so where the reviewer sees every row that the asker's role sees; else for values that their own
    row rule names, that the definitions name, or that are bounds of a range. Free SQL and drafts are not
    read for values and figures: they are for reviewers who see all of those rows.
    """
    if sees_rows_of(house, role, hold.role):
        return True
    plan = trace.opened.ask.plan
    if plan is None or hold.kind == "draft":
        return False
    filters = (each for each in plan.filters if isinstance(each, Filter))
    return all(_is_known(house, role.role.rows, each) for each in filters)


def _is_known(house: House, rules: tuple[Filter, ...], asked: Filter) -> bool:
    dimension = house.layer.dimensions.get(asked.field)
    if not asked.values:
        return True
    if dimension is None:
        return False
    own = [rule for rule in rules if rule.field == asked.field]
    if own:
        return all(rule.op in LISTS and set(asked.values) <= set(rule.values) for rule in own)
    kind = house.layer.dimension_type(dimension)
    if asked.op in RANGES and kind in (*NUMERIC_TYPES, *TIME_TYPES):
        return True
    return set(map(str, asked.values)) <= set(_named(house, asked.field))


def _named(house: House, field: str) -> Iterator[str]:
    """Yield the values of a dimension that its definition names for everybody who may see it."""
    for value in house.layer.dimensions[field].values:
        yield value.value
