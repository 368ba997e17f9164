"""How far the data went stands beside the result: in its snapshot, where it costs next to nothing."""

from datetime import date
from pathlib import Path

import pytest

from gateway.service import Gateway
from gateway.stages.watermarks import CHEAP_COST, CHEAP_ROWS, is_cheap
from traces.records import Caller, Close, Estimate, Scan


def _closed(gateway: Gateway, trace_id: str) -> Close:
    trace = gateway.traces.read(trace_id)
    assert trace is not None and trace.closed is not None
    return trace.closed


def test_each_time_column_that_a_plan_reads_by_has_its_newest_value_and_its_rows(
    gateway: Gateway, ana: Caller, revenue: dict[str, object], shop_file: Path
) -> None:
    closed = _closed(gateway, gateway.ask(ana, revenue).trace_id)
    (mark,) = closed.watermarks
    assert mark.name == "orders.order_date"
    assert date.fromisoformat(mark.newest) <= date(2026, 9, 30)
    assert mark.rows > 1000


def test_the_count_of_the_joins_is_not_lost_beside_it(
    gateway: Gateway, ana: Caller, revenue: dict[str, object]
) -> None:
    closed = _closed(gateway, gateway.ask(ana, revenue).trace_id)
    counted = [d.verdict for d in closed.decisions if d.check == "row_conservation"]
    assert set(counted) == {"allow"}
    assert closed.query is not None and "newest" not in closed.query.guard
    assert closed.watermarks


def test_a_question_without_a_time_has_no_watermark(gateway: Gateway, ana: Caller) -> None:
    reply = gateway.ask(ana, {"metrics": ["order_count"]})
    assert reply.outcome == "answered", reply.issues
    marks = _closed(gateway, reply.trace_id).watermarks
    assert all(mark.newest for mark in marks)


@pytest.mark.parametrize(
    ("marks", "question", "cheap"),
    [
        (Estimate(cost=1.0), Estimate(cost=1.0), True),
        (Estimate(cost=CHEAP_COST + 1.0), Estimate(cost=CHEAP_COST + 1.0), False),
        (Estimate(cost=CHEAP_COST * 2.0), Estimate(cost=CHEAP_COST * 20.0), True),
        (Estimate(scans=(Scan(relation="a", rows=CHEAP_ROWS),)), Estimate(), True),
        (Estimate(scans=(Scan(relation="a", rows=CHEAP_ROWS + 1),)), Estimate(), False),
        (Estimate(scans=(Scan(relation="a"),)), Estimate(), False),
        (Estimate(), Estimate(), True),
    ],
    ids=["cheap", "too much", "a share", "few rows", "many rows", "unknown rows", "answered from statistics"],
)
def test_a_watermark_that_costs_too_much_is_not_asked_for(
    marks: Estimate, question: Estimate, cheap: bool
) -> None:
    assert is_cheap(marks, question) is cheap
