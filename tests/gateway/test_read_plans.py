"""A plan that comes again is the one that was read before; what only looks like it is read anew."""

from decimal import Decimal

import pytest

from gateway.read_plans import LONGEST, ReadPlans
from metric_layer.plan import Filter, MetricPlan


def plan(*values: object) -> dict[str, object]:
    return {"metrics": ["revenue"], "filters": [{"field": "region", "op": "in", "values": list(values)}]}


def values_of(found: object) -> tuple[object, ...]:
    assert isinstance(found, MetricPlan)
    (only,) = found.filters
    assert isinstance(only, Filter)
    return only.values


def test_the_same_plan_is_read_once() -> None:
    plans = ReadPlans()
    assert plans.read(plan("EMEA")) is plans.read(plan("EMEA"))


def test_values_of_other_kinds_are_other_plans() -> None:
    plans = ReadPlans()
    for value in (1, True, "1", Decimal(1), Decimal("1.0"), "True"):
        found = values_of(plans.read(plan(value)))
        assert [(type(each), str(each)) for each in found] == [(type(value), str(value))]


@pytest.mark.parametrize("raw", [{"metrics": []}, {"metrcs": ["revenue"]}, [], None, "revenue"])
def test_what_is_no_plan_is_told_each_time(raw: object) -> None:
    plans = ReadPlans()
    for _ in range(2):
        found = plans.read(raw)
        assert isinstance(found, tuple) and found


def test_a_plan_is_not_mistaken_for_one_that_was_changed_after_it_was_read() -> None:
    plans, raw = ReadPlans(), plan("EMEA")
    assert values_of(plans.read(raw)) == ("EMEA",)
    raw["filters"] = plan("APAC")["filters"]
    assert values_of(plans.read(raw)) == ("APAC",)


def test_a_long_plan_is_read_and_not_kept() -> None:
    plans, raw = ReadPlans(), plan(*(f"value {number:040}" for number in range(LONGEST // 40)))
    one, other = plans.read(raw), plans.read(raw)
    assert isinstance(one, MetricPlan)
    assert one == other and one is not other
