"""Days and hours are those of the plan's zone, whatever the zone of a column and of the session."""

from collections.abc import Iterator
from datetime import date, datetime

import pytest

from metric_layer.compile import compile_plan
from metric_layer.layer import Layer
from metric_layer.plan import Dialect
from tests.metric_layer.both_engines import BothEngines
from tests.metric_layer.ledger import ledger
from tests.metric_layer.ledger_tables import LEDGER_TABLES
from tests.metric_layer.trap_shop import resolved_of

BOTH_COLUMNS = pytest.mark.parametrize("metric", ["visit_count", "local_visits"])


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger()


@pytest.fixture(scope="module", params=["UTC", "Asia/Kolkata"])
def tables(both: BothEngines, request: pytest.FixtureRequest) -> Iterator[BothEngines]:
    both.execute("DROP TABLE IF EXISTS visits; DROP TABLE IF EXISTS signups")
    for table in ("accounts", "balances", "payments", "people", "pages", "hits"):
        both.execute(f"DROP TABLE IF EXISTS {table}")
    both.execute(f"SET TimeZone = '{request.param}'")
    both.execute(LEDGER_TABLES)
    yield both


def asked(metric: str, first: str, last: str, grain: str | None = None, **time: str) -> dict[str, object]:
    return {"metrics": [metric], "time": {"from": first, "to": last, "grain": grain, **time}}


@BOTH_COLUMNS
def test_a_day_of_23_hours_holds_its_own_rows(metric: str, layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked(metric, "2026-03-29", "2026-03-29"), layer) == [(2,)]
    assert tables.rows(asked(metric, "2026-03-28", "2026-03-30", "day"), layer) == [
        (date(2026, 3, 28), 1),
        (date(2026, 3, 29), 2),
        (date(2026, 3, 30), 1),
    ]


@BOTH_COLUMNS
def test_a_day_of_25_hours_holds_its_own_rows(metric: str, layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked(metric, "2026-10-25", "2026-10-25"), layer) == [(3,)]
    assert tables.rows(asked(metric, "2026-10-24", "2026-10-26", "day"), layer) == [
        (date(2026, 10, 25), 3),
        (date(2026, 10, 26), 1),
    ]


@BOTH_COLUMNS
def test_the_hour_that_comes_twice_is_one_bucket(metric: str, layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked(metric, "2026-10-25", "2026-10-25", "hour"), layer) == [
        (datetime(2026, 10, 25, 0), 1),
        (datetime(2026, 10, 25, 2), 2),
    ]


@BOTH_COLUMNS
def test_another_zone_has_other_days(metric: str, layer: Layer, tables: BothEngines) -> None:
    found = tables.rows(asked(metric, "2026-03-28", "2026-03-29", "day", zone="Asia/Tokyo"), layer)
    assert found == [(date(2026, 3, 29), 2)]
    found = tables.rows(asked(metric, "2026-03-28", "2026-03-29", "day", zone="America/New_York"), layer)
    assert found == [(date(2026, 3, 28), 2), (date(2026, 3, 29), 2)]


@BOTH_COLUMNS
def test_weeks_and_months_start_at_the_zones_own_midnight(
    metric: str, layer: Layer, tables: BothEngines
) -> None:
    assert tables.rows(asked(metric, "2026-03-23", "2026-04-05", "week"), layer) == [
        (date(2026, 3, 23), 3),
        (date(2026, 3, 30), 1),
    ]


def test_a_filter_names_moments_of_the_same_zone(layer: Layer, tables: BothEngines) -> None:
    for metric, field in (("visit_count", "visited_at"), ("local_visits", "seen_at")):
        plan = asked(metric, "2026-03-01", "2026-10-31")
        plan["filters"] = [{"field": field, "op": "ge", "values": ["2026-10-25T02:00:00"]}]
        assert tables.rows(plan, layer) == [(3,)]


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake", "bigquery"])
def test_no_column_is_converted_that_stands_in_the_plans_zone_already(dialect: Dialect, layer: Layer) -> None:
    plan = resolved_of(
        asked("local_visits", "2026-03-01", "2026-03-31", "day", zone="America/New_York"), layer
    )
    text = compile_plan(plan, layer, dialect, 10).sql(dialect=dialect)
    assert "New_York" not in text
