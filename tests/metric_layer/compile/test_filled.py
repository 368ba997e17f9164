"""Periods without rows: shown where asked for, empty or as zero, and never in place of a missing value."""

from collections.abc import Iterator
from datetime import date

import pytest

from metric_layer.layer import Layer
from tests.metric_layer.both_engines import BothEngines
from tests.metric_layer.ledger import ledger
from tests.metric_layer.ledger_tables import LEDGER_TABLES

JAN, FEB, MAR, APR, MAY = (date(2026, month, 1) for month in (1, 2, 3, 4, 5))


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger()


@pytest.fixture(scope="module")
def tables(both: BothEngines) -> Iterator[BothEngines]:
    both.execute(LEDGER_TABLES)
    yield both


def asked(*metrics: str, fill: str | None, last: str = "2026-05-31", **more: object) -> dict[str, object]:
    window = {"from": "2026-04-01", "to": last, "grain": "month", "fill": fill}
    return {"metrics": list(metrics), "time": window, **more}


def test_a_period_without_rows_has_no_row_unless_asked_for(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("fees", fill=None), layer) == [(APR, 32)]
    assert tables.rows(asked("fees", fill="empty"), layer) == [(APR, 32), (MAY, None)]


def test_zero_stands_for_nothing_counted_or_summed(layer: Layer, tables: BothEngines) -> None:
    found = tables.rows(asked("fees", "payments_made", "fee_each", "fee_median", fill="zero"), layer)
    assert found == [(APR, 32, 1, 32, 32), (MAY, 0, 0, None, None)]


def test_a_sum_of_missing_values_stays_missing(layer: Layer, tables: BothEngines) -> None:
    plan = asked("paid_usd", "fees", fill="zero")
    plan["time"] = {"from": "2026-02-01", "to": "2026-04-30", "grain": "month", "fill": "zero"}
    plan["filters"] = [{"field": "branch", "op": "eq", "values": ["south"]}]
    assert tables.rows(plan, layer) == [(FEB, 0, 8), (MAR, 0, 0), (APR, 0, 0)]
    plan["metrics"] = ["paid_eur"]
    assert tables.rows(plan, layer) == [(FEB, None), (MAR, 0), (APR, 0)]


def test_every_group_that_has_rows_gets_every_period(layer: Layer, tables: BothEngines) -> None:
    plan = asked("fees", "visit_count", fill="zero", dimensions=["branch"])
    plan["time"] = {"from": "2026-02-01", "to": "2026-03-31", "grain": "month", "fill": "zero"}
    plan["metrics"] = ["fees", "payments_made"]
    assert tables.rows(plan, layer) == [
        (FEB, "north", 4, 1),
        (FEB, "south", 8, 1),
        (MAR, "north", 16, 2),
        (MAR, "south", 0, 0),
    ]


def test_the_group_without_a_name_is_filled_too(layer: Layer, tables: BothEngines) -> None:
    found = tables.rows(asked("fees", fill="empty", dimensions=["branch"]), layer)
    assert found == [(APR, None, 32), (MAY, None, None)]


def test_months_of_empty_days_are_filled_for_every_group(layer: Layer, tables: BothEngines) -> None:
    plan = asked("fees", fill="zero", dimensions=["branch"])
    plan["time"] = {"from": "2026-01-01", "to": "2026-10-27", "grain": "day", "fill": "zero"}
    found = tables.rows(plan, layer)
    assert len(found) == 300 * 3 and sum(row[2] for row in found) == 62  # type: ignore[misc]


def test_a_day_without_a_counterpart_is_not_zero(layer: Layer, tables: BothEngines) -> None:
    plan = asked("fees_last_month", fill="zero")
    plan["time"] = {"from": "2026-03-28", "to": "2026-03-31", "grain": "day", "fill": "zero"}
    assert [value for _, value in tables.rows(plan, layer)] == [8, None, None, None]


def test_a_balance_is_never_made_up(layer: Layer, tables: BothEngines) -> None:
    plan = asked("balance", fill="zero")
    plan["time"] = {"from": "2026-01-01", "to": "2026-03-31", "grain": "month", "fill": "zero"}
    assert tables.rows(plan, layer) == [(JAN, 167), (FEB, 215), (MAR, None)]


def test_an_earlier_value_fills_a_period_of_its_own(layer: Layer, tables: BothEngines) -> None:
    found = tables.rows(asked("fees", "fees_last_month", fill="zero", last="2026-06-30"), layer)
    assert found == [(APR, 32, 16), (MAY, 0, 32), (date(2026, 6, 1), 0, 0)]


@pytest.mark.parametrize("grain", ["month", "week", "day"])
def test_a_period_to_come_has_no_earlier_value_and_not_zero(
    grain: str, layer: Layer, tables: BothEngines
) -> None:
    plan = asked("fees", "fees_last_month", "payments_made", fill="zero")
    plan["time"] = {"from": "2026-11-02", "to": "2026-12-31", "grain": grain, "fill": "zero"}
    rows = tables.rows(plan, layer)
    assert {row[1] for row in rows} == {row[3] for row in rows} == {0}
    began = [row[2] for row in rows if row[0] <= date(2026, 11, 30)]  # type: ignore[operator]
    to_come = {row[2] for row in rows if row[0] > date(2026, 11, 30)}  # type: ignore[operator]
    assert (set(began) - {None}, to_come) == ({0}, {None})


def test_a_comparison_of_a_period_to_come_is_no_value_and_not_zero(layer: Layer, tables: BothEngines) -> None:
    plan = asked("payments_made", fill="zero", compare={"kind": "previous_year"})
    plan["time"] = {"from": "2026-08-01", "to": "2027-03-31", "grain": "quarter", "fill": "zero"}
    assert tables.rows(plan, layer) == [
        (date(2026, 7, 1), 0, 0, 0, None),
        (date(2026, 10, 1), 0, 0, 0, None),
        (date(2027, 1, 1), 0, None, None, None),
    ]
