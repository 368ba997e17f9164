"""The watermarks of a plan: their query depends on its time columns and days, and on nothing else of it."""

from itertools import product

import pytest

from metric_layer.compile import compile_watermarks, marked_days
from metric_layer.plan import Dialect
from tests.metric_layer.trap_shop import resolved_of, trap_layer

METRICS = (["net"], ["aov"], ["net", "average_fee"], ["buyers"], ["completion_rate"])
DIMENSIONS: tuple[list[str], ...] = ([], ["buyer_region"])
WINDOWS = (("2026-07-01", "2026-09-30"), ("2026-07-01", "2026-07-31"), ("2025-07-01", "2025-09-30"))
MORE: tuple[dict[str, object], ...] = (
    {},
    {"limit": 3},
    {"filters": [{"field": "status", "op": "not_in", "values": ["lost"]}]},
)


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake", "bigquery"])
def test_plans_over_the_same_days_share_their_watermarks_and_over_others_they_do_not(
    dialect: Dialect,
) -> None:
    layer = trap_layer()
    texts: dict[object, set[str]] = {}
    plans = 0
    for metrics, dimensions, (start, end), more in product(METRICS, DIMENSIONS, WINDOWS, MORE):
        time = {"from": start, "to": end, "grain": "month"}
        raw = {"metrics": metrics, "dimensions": dimensions, "time": time, **more}
        plan = resolved_of(raw, layer)
        marks = compile_watermarks(plan, layer, dialect)
        assert marks is not None
        texts.setdefault((plan.zone, marked_days(plan)), set()).add(marks.sql(dialect=dialect))
        plans += 1
    assert all(len(each) == 1 for each in texts.values())
    assert len({text for each in texts.values() for text in each}) == len(texts)
    assert len(WINDOWS) <= len(texts) < plans


def test_a_plan_that_reads_nothing_by_time_has_no_watermarks() -> None:
    plan = resolved_of({"metrics": ["net"]}, trap_layer())
    assert marked_days(plan) == ()
    assert compile_watermarks(plan, trap_layer(), "duckdb") is None
