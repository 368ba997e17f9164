"""Figures that repeat a state: one moment of each period counts, chosen over all accounts or for each."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

import pytest

from metric_layer.layer import Layer
from tests.metric_layer.both_engines import BothEngines
from tests.metric_layer.ledger import ledger
from tests.metric_layer.ledger_tables import LEDGER_TABLES

JANUARY, FEBRUARY = date(2026, 1, 1), date(2026, 2, 1)
MONTHS = {"from": "2026-01-01", "to": "2026-02-28", "grain": "month"}
EXTRA = """
  - {name: balance_first, version: 1, owner: o, description: d, type: sum, dataset: balances, column: amount,
     snapshot: {over: balance_date, pick: first}}
  - {name: holders, version: 1, owner: o, description: d, type: count, dataset: balances, column: amount,
     snapshot: {over: balance_date, pick: last, per: [account]}}
  - {name: mean_each, version: 1, owner: o, description: d, type: sum, dataset: balances, column: amount,
     snapshot: {over: balance_date, pick: average, per: [account]}}
  - {name: kiel, version: 1, owner: o, description: d, type: filtered, metric: balance,
     filters: [{field: city, op: eq, values: [Kiel]}]}
  - {name: kiel_alone, version: 1, owner: o, description: d, type: sum, dataset: balances, column: amount,
     filters: [{field: city, op: eq, values: [Kiel]}], snapshot: {over: balance_date, pick: last}}
  - {name: largest, version: 1, owner: o, description: d, type: max, dataset: balances, column: amount,
     snapshot: {over: balance_date, pick: last}}
"""


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger(EXTRA)


@pytest.fixture(scope="module")
def tables(both: BothEngines) -> Iterator[BothEngines]:
    both.execute(LEDGER_TABLES)
    yield both


def asked(*metrics: str, **more: object) -> dict[str, object]:
    return {"metrics": list(metrics), "time": MONTHS, **more}


def test_the_last_day_of_a_month_counts_for_everybody(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("balance"), layer) == [(JANUARY, 167), (FEBRUARY, 215)]


def test_a_branch_without_rows_on_that_day_has_none(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("balance", dimensions=["city"]), layer) == [
        (JANUARY, "Kiel", 110),
        (JANUARY, None, 57),
        (FEBRUARY, "Bonn", 215),
        (FEBRUARY, None, None),
    ]


def test_each_account_has_a_last_day_of_its_own(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("balance_each", "holders", dimensions=["branch"]), layer) == [
        (JANUARY, "north", 310, 2),
        (JANUARY, "south", 50, 1),
        (JANUARY, None, 7, 1),
        (FEBRUARY, "north", 335, 3),
        (FEBRUARY, "south", None, 0),
    ]


def test_the_first_day_counts_where_the_definition_says_so(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("balance_first"), layer) == [(JANUARY, 300), (FEBRUARY, 120)]


def test_an_average_divides_by_the_days_that_have_rows(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("balance_mean", dimensions=["branch"]), layer) == [
        (JANUARY, "north", 205),
        (JANUARY, "south", 25),
        (JANUARY, None, Decimal("3.5")),
        (FEBRUARY, "north", Decimal("167.5")),
        (FEBRUARY, "south", None),
    ]


def test_an_average_of_each_account_adds_their_averages_up(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("mean_each"), layer) == [(JANUARY, 105 + 200 + 50 + 7), (FEBRUARY, 120 + 215)]


def test_thirds_of_an_average_come_to_a_whole_again(layer: Layer, tables: BothEngines) -> None:
    window = {"from": "2026-01-30", "to": "2026-02-27"}
    found = tables.rows({"metrics": ["mean_each"], "time": window, "dimensions": ["city"]}, layer)
    assert found == [("Bonn", 200), ("Kiel", 110), (None, 57)]


def test_without_a_window_the_latest_day_of_all_counts(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows({"metrics": ["balance"]}, layer) == [(215,)]


def test_a_filter_of_the_question_does_not_move_the_day(layer: Layer, tables: BothEngines) -> None:
    kiel = [{"field": "city", "op": "eq", "values": ["Kiel"]}]
    assert tables.rows(asked("balance", filters=kiel), layer) == [(JANUARY, 110)]
    assert tables.rows(asked("kiel"), layer) == [(JANUARY, 110)]


def test_a_filter_of_the_snapshot_itself_does(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("kiel_alone"), layer) == [(JANUARY, 110), (FEBRUARY, 120)]


def test_any_aggregate_may_be_told_at_the_moment(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("largest", "balance"), layer) == [(JANUARY, 110, 167), (FEBRUARY, 210, 215)]


def test_a_balance_stands_beside_its_own_earlier_value(layer: Layer, tables: BothEngines) -> None:
    growth = Decimal(215 - 167) / 167
    found = tables.rows(asked("balance_growth"), layer)
    assert found[0] == (JANUARY, None)
    assert abs(found[1][1] - growth) < Decimal("1e-9")  # type: ignore[operator]


def test_a_grouping_by_the_day_itself_shows_every_day_of_the_pick(layer: Layer, tables: BothEngines) -> None:
    found = tables.rows({"metrics": ["balance_each"], "dimensions": ["balance_date"]}, layer)
    assert found == [(date(2026, 1, 31), 7), (date(2026, 2, 27), 120), (date(2026, 2, 28), 215)]
