"""Conversions: a base event counts once if an event of the same entity follows it within the window."""

from collections.abc import Iterator
from decimal import Decimal

import pytest

from metric_layer.layer import Layer
from tests.metric_layer.both_engines import BothEngines
from tests.metric_layer.ledger import ledger
from tests.metric_layer.ledger_tables import LEDGER_TABLES

MAY = {"from": "2026-05-01", "to": "2026-05-02"}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger()


@pytest.fixture(scope="module")
def tables(both: BothEngines) -> Iterator[BothEngines]:
    both.execute(LEDGER_TABLES)
    yield both


def test_a_rate_counts_each_base_event_at_most_once(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows({"metrics": ["conversion_rate", "visit_count"], "time": MAY}, layer) == [
        (Decimal("0.375"), 8)
    ]


def test_a_rate_is_told_per_group(layer: Layer, tables: BothEngines) -> None:
    plan = {"metrics": ["conversion_rate", "visit_count"], "dimensions": ["country"], "time": MAY}
    assert tables.rows(plan, layer) == [
        ("DE", Decimal("0.6666666667"), 3),
        ("FR", 0, 3),
        (None, Decimal("0.5"), 2),
    ]


def test_without_a_window_any_later_event_follows(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows({"metrics": ["converted", "visitors"], "time": MAY}, layer) == [(6, 7)]


def test_events_outside_the_plans_window_still_follow(layer: Layer, tables: BothEngines) -> None:
    day = {"from": "2026-05-01", "to": "2026-05-01"}
    assert tables.rows({"metrics": ["conversion_rate"], "time": day}, layer) == [(Decimal("0.4285714286"),)]


def test_the_order_of_two_events_holds_through_the_hour_that_comes_twice(
    layer: Layer, tables: BothEngines
) -> None:
    tables.execute("INSERT INTO visits VALUES (21, NULL, 'a', '2026-10-25 00:50:00+00:00', NULL)")
    tables.execute("INSERT INTO signups VALUES (21, NULL, 'a', 'pro', '2026-10-25 01:10:00+00:00', NULL)")
    day = {"from": "2026-10-25", "to": "2026-10-25"}
    assert tables.rows({"metrics": ["conversion_rate"], "time": day}, layer) == [(Decimal("0.25"),)]


def test_a_window_of_days_ends_at_the_same_time_of_day(layer: Layer, tables: BothEngines) -> None:
    tables.execute(
        """INSERT INTO visits VALUES (22, NULL, 'a', '2026-10-24 12:00:00+00:00', NULL),
             (23, NULL, 'a', '2026-10-24 12:00:00+00:00', NULL);
           INSERT INTO signups VALUES (22, NULL, 'a', 'pro', '2026-10-31 12:59:59+00:00', NULL),
             (23, NULL, 'a', 'pro', '2026-10-31 13:00:00+00:00', NULL)"""
    )
    day = {"from": "2026-10-24", "to": "2026-10-24"}
    assert tables.rows({"metrics": ["conversion_rate", "visit_count"], "time": day}, layer) == [
        (Decimal("0.5"), 2)
    ]
