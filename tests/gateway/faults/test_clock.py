"""Clocks that jump, differ or are changed: order is by number, and what was over stays over."""

from datetime import timedelta
from pathlib import Path

import pytest

from gateway.service import Gateway
from tests.gateway.holds.held_shop import Clock, Plan, Shop
from traces.chain import Verified
from traces.records import Caller

pytestmark = pytest.mark.faults
HOUR = timedelta(hours=1)


def test_a_clock_that_goes_back_wakes_no_hold_that_was_over(
    shop: Path, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    clock = Clock()
    house = Shop(shop, clock)
    try:
        held = house.ask(ana, revenue)
        house.decide(rita, held.hold_id)
        clock.ahead = 2 * HOUR
        house.gateway.expire_holds()
        clock.ahead = -2 * HOUR
        late = house.ask(ana, revenue, held.hold_id)
        assert late.outcome == "expired" and not house.engine.runs
    finally:
        house.close()


def test_of_two_replicas_whose_clocks_differ_the_one_ahead_ends_a_hold_for_both(
    shop: Path, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    behind, ahead = Clock(), Clock()
    ahead.ahead = timedelta(minutes=61)
    first, second = Shop(shop, behind), Shop(shop, ahead)
    try:
        held = first.ask(ana, revenue)
        second.gateway.expire_holds()
        assert first.ask(ana, revenue, held.hold_id).outcome == "expired"
        assert not first.engine.runs
    finally:
        first.close()
        second.close()


def test_records_stand_in_the_order_of_writing_whatever_the_clock_says(
    shop: Path, ana: Caller, revenue: Plan
) -> None:
    clock = Clock()
    house = Shop(shop, clock)
    try:
        told = []
        for hours in (0, -30, 30, -1):
            clock.ahead = hours * HOUR
            told.append(house.ask(ana, revenue).receipt)
        places = [receipt.seq for receipt in told if receipt]
        assert len(places) == 4 and places == sorted(places)
        assert all(isinstance(verdict, Verified) for verdict in house.gateway.traces.verify())
    finally:
        house.close()


@pytest.mark.parametrize(
    ("first", "last"),
    [("2024-02-28", "2024-03-01"), ("2026-03-28", "2026-03-30"), ("2025-10-25", "2025-10-27")],
)
def test_a_question_of_a_leap_day_and_of_the_night_clocks_change_is_answered(
    gateway: Gateway, ana: Caller, first: str, last: str
) -> None:
    """Three days, each once, of which the middle one is 24, 23 and 25 hours long where clocks change."""
    plan = {
        "metrics": ["order_count"],
        "time": {"field": "order_date", "from": first, "to": last, "grain": "day", "fill": "zero"},
    }
    reply = gateway.ask(ana, plan)
    assert reply.outcome == "answered", reply.issues
    days = [str(row[0]) for row in reply.rows]
    assert len(days) == len(set(days)) == 3
