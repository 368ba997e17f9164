"""What became of the data: late rows and restated rows are told apart, with and without periods."""

from typing import Any

import pytest

from tests.gateway.replay.stall import LAYER_FILE, Stall

LATE = "INSERT INTO sales VALUES (100, DATE '2026-09-15', TIMESTAMP '2026-09-15 08:00:00', 'apple', 7)"
LAST_DAY = "INSERT INTO sales VALUES (101, DATE '2026-08-29', TIMESTAMP '2026-08-29 23:00:00', 'apple', 7)"
LONG_AGO = "INSERT INTO sales VALUES (102, DATE '2026-07-02', TIMESTAMP '2026-07-02 08:00:00', 'apple', 7)"
RESTATED = "UPDATE sales SET amount = amount + 1 WHERE sale_id = 3"
RESTATED_IN_THE_NEWEST_MONTH = "UPDATE sales SET amount = amount + 1 WHERE sale_id = 58"
GONE = "DELETE FROM sales WHERE sale_id = 5"
SWAPPED = "UPDATE sales SET amount = 69 - amount + 10 WHERE sale_id < 60"

PLAIN: dict[str, Any] = {}
BY_FRUIT: dict[str, Any] = {"dimensions": ["fruit"]}
BY_MONTH: dict[str, Any] = {"time": {"grain": "month"}}
BY_DAY: dict[str, Any] = {"time": {"grain": "day"}}
FILLED: dict[str, Any] = {"time": {"grain": "month", "fill": "zero"}}
BY_MOMENT: dict[str, Any] = {"time": {"field": "sold_at"}}
SHAPES = {
    "plain": PLAIN,
    "by fruit": BY_FRUIT,
    "by month": BY_MONTH,
    "by day": BY_DAY,
    "filled": FILLED,
    "by moment": BY_MOMENT,
}


@pytest.mark.parametrize(
    ("change", "became"),
    [
        (LATE, "late"),
        (RESTATED, "restated"),
        (RESTATED_IN_THE_NEWEST_MONTH, "restated"),
        (GONE, "restated"),
    ],
    ids=["late", "restated", "restated in the newest month", "gone"],
)
def test_late_and_restated_rows_are_told_apart(stall: Stall, change: str, became: str) -> None:
    asked = {name: stall.ask(**shape) for name, shape in SHAPES.items()}
    stall.change(change)
    for name, each in asked.items():
        report = stall.replay(each)
        assert report.verdict == f"data({became})", (name, report.detail)
        moved = (*report.numbers, *report.totals)
        assert moved and all(number.old != number.new for number in moved), "old and new numbers are told"


def test_rows_of_the_newest_day_that_came_later_are_late_in_a_result_over_time(stall: Stall) -> None:
    asked = stall.ask(**BY_MONTH)
    stall.change(LAST_DAY)
    assert stall.replay(asked).verdict == "data(late)"


def test_rows_that_came_in_long_before_the_newest_are_a_restatement(stall: Stall) -> None:
    by_month, by_moment = stall.ask(**BY_MONTH), stall.ask(**BY_MOMENT)
    stall.change(LONG_AGO)
    assert stall.replay(by_month).verdict == "data(restated)"
    assert stall.replay(by_moment).verdict == "data(restated)"


def test_what_cannot_be_told_is_not_guessed(stall: Stall) -> None:
    asked = stall.ask()
    stall.change(LAST_DAY)
    report = stall.replay(asked)
    assert report.verdict == "data(unknown)"
    assert "on the last day, sales.sold_on 2026-08-29, or before it" in report.detail


def test_a_change_outside_the_question_is_none(stall: Stall) -> None:
    asked = stall.ask(time={"from": "2026-07-01", "to": "2026-07-31"})
    stall.change(LATE)
    assert stall.replay(asked).verdict == "same"


def test_values_that_moved_between_rows_are_found_though_the_total_stayed(stall: Stall) -> None:
    asked = stall.ask(**BY_DAY)
    stall.change(SWAPPED)
    report = stall.replay(asked)
    assert report.verdict == "data(restated)"


def test_the_total_of_a_column_is_shown_then_and_now(stall: Stall) -> None:
    asked = stall.ask(**BY_DAY)
    stall.change(LATE)
    (total,) = stall.replay(asked).totals
    assert (total.name, float(total.old), float(total.new)) == ("takings", 2370.0, 2377.0)


def test_a_definition_and_the_data_together_are_both_named(stall: Stall) -> None:
    asked = stall.ask(**BY_MONTH)
    stall.change(LATE)
    stall.edit(LAYER_FILE, "type: sum", "type: max")
    stall.edit(LAYER_FILE, "version: 1", "version: 2")
    report = stall.replay(asked)
    assert report.verdict == "definition + data(late)"
    assert "takings v1 -> v2" in report.detail


def test_small_groups_leave_no_watermark(stall: Stall) -> None:
    asked = stall.ask(time={"from": "2026-07-01", "to": "2026-07-03"})
    trace = stall.gateway.traces.read(asked.trace_id)
    assert trace is not None and trace.closed is not None
    assert trace.closed.watermarks == ()


@pytest.mark.parametrize(
    ("change", "became"), [(LATE, "late"), (RESTATED, "restated")], ids=["late", "restated"]
)
def test_an_engine_that_keeps_history_is_read_at_the_recorded_moment(
    travelling: Stall, change: str, became: str
) -> None:
    asked = {name: travelling.ask(**shape) for name, shape in SHAPES.items()}
    assert {travelling.replay(each).verdict for each in asked.values()} == {"same"}
    travelling.change(change)
    for name, each in asked.items():
        report = travelling.replay(each)
        assert report.verdict == f"data({became})", (name, report.detail)
        assert "still gives the old rows" in report.detail


def test_rewritten_history_is_said(travelling: Stall) -> None:
    asked = travelling.ask()
    travelling.change("CREATE OR REPLACE TABLE sales AS SELECT * FROM sales WHERE sale_id > 10")
    report = travelling.replay(asked)
    assert report.verdict.startswith("data("), report.detail
