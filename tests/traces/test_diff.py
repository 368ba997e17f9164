"""Two traces compared: the first step that differs, and every pin and number that does."""

import pytest

from metric_layer.plan import MetricPlan
from metric_layer.resolved import Used
from tests.traces.samples import NOON, citation, closed, decision, opened, pins, shape
from traces.diff import Change, Step, diff
from traces.records import AnswerAttempt, Ask, Close, DataReference, Estimate, Query, Trace


def trace(close: Close | None = None, **asked: object) -> Trace:
    return Trace(
        trace_id="t1",
        opened=opened("t1").model_copy(update=asked),
        closed=closed("t1") if close is None else close,
    )


def query(sql: str) -> Query:
    return Query(sql=sql, dialect="duckdb", origin="plan", digest=sql)


def test_equal_traces_are_the_same() -> None:
    found = diff(trace(), trace())
    assert found.same
    assert found.changed_pins == ()
    assert found.numbers == ()


@pytest.mark.parametrize(
    ("changed", "step"),
    [
        (trace(ask=Ask(plan=MetricPlan(metrics=("orders",)))), "plan"),
        (trace(closed("t1", query=query("SELECT 2"))), "sql"),
        (trace(closed("t1", estimate=Estimate(rows=9))), "estimate"),
        (trace(closed("t1", decisions=(decision("other"),))), "cost_checks"),
        (trace(closed("t1", shape=shape("0" * 64))), "rows"),
        (trace(closed("t1", answer=(citation("13.00"),))), "answer"),
        (trace(closed("t1", outcome="denied")), "outcome"),
    ],
)
def test_the_first_step_that_differs_is_named(changed: Trace, step: Step) -> None:
    found = diff(trace(), changed)
    assert found.first_step == step
    assert not found.same


def test_an_earlier_step_wins_over_a_later_one() -> None:
    found = diff(trace(), trace(closed("t1", query=query("SELECT 2"), shape=shape("0" * 64))))
    assert found.first_step == "sql"
    assert {"sql", "rows"} <= set(found.parted)
    assert "plan" not in found.parted


@pytest.mark.parametrize(
    "name", ["layer", "policy", "thresholds", "allowlist", "entitlement", "calendar", "gateway", "zone"]
)
def test_a_changed_pin_is_named_alone(name: str) -> None:
    before = str(getattr(pins(), name))
    found = diff(trace(), trace(closed("t1", pins=pins(**{name: "other"}))))
    assert found.changed_pins == (Change(name, before, "other"),)
    assert found.same


def test_changed_data_and_changed_definitions_are_named_with_both_versions() -> None:
    used = Used(kind="metric", name="net_revenue", version=4, owner="finance", digest="d4")
    data = DataReference(kind="content_hash", value="h2")
    found = diff(trace(), trace(closed("t1", pins=pins(used=(used,), data=data))))
    assert found.changed_pins == (
        Change("metric net_revenue", "v3 (d3)", "v4 (d4)"),
        Change("data", "content_hash h1", "content_hash h2"),
    )


def test_every_changed_number_is_named_by_its_row_and_metric() -> None:
    before = trace(closed("t1", answer=(citation("1"), citation("2", 1, "south"))))
    after = trace(closed("t1", answer=(citation("3"), citation("2", 1, "south"), citation("4", 2, "east"))))
    assert diff(before, after).numbers == (
        Change("north/net_revenue", "1", "3"),
        Change("east/net_revenue", "", "4"),
    )


def test_the_numbers_of_a_passed_draft_count() -> None:
    attempt = AnswerAttempt(
        trace_id="t1",
        at=NOON,
        attempt=1,
        passed=True,
        outcome="passed",
        decisions=(),
        citations=(citation("9"),),
        digest="x",
    )
    answered = trace().model_copy(update={"attempts": (attempt,)})
    assert diff(trace(), answered).numbers == (Change("north/net_revenue", "12.50", "9"),)


def test_rows_hashed_under_other_keys_are_said_to_be_incomparable() -> None:
    other = shape("0" * 64).model_copy(update={"key_id": "k2"})
    found = diff(trace(), trace(closed("t1", shape=other)))
    assert not found.rows_comparable
    assert "rows" not in found.parted
    fewer = other.model_copy(update={"rows": 3})
    assert "rows" in diff(trace(), trace(closed("t1", shape=fewer))).parted


def test_a_trace_without_a_close_can_be_compared() -> None:
    open_one = Trace(trace_id="t1", opened=opened("t1"))
    found = diff(open_one, trace())
    assert found.outcome == Change("outcome", "", "answered")
    assert diff(open_one, open_one).same
