"""After a timeout a plan is asked once more over the shorter window its asker accepted, and never else."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.asking import AskOptions
from gateway.engines.base import EngineError, EngineTimeout
from gateway.narrower import narrower_issue
from gateway.service import Gateway
from metric_layer.plan import MetricPlan, Window
from tests.gateway.other_house import over
from traces.records import Caller, ShorterWindow

Plan = dict[str, object]
AUGUST = ShorterWindow.model_validate({"from": "2026-08-01", "to": "2026-08-31"})
TIMEOUT = EngineTimeout("query_timeout", "the query was stopped at its time limit of 30 s", retryable=True)
BROKEN = EngineError("database_unavailable", "the database ended the session")


class Slow:
    """The real engine, failing its first runs."""

    def __init__(self, inner: object, fault: EngineError, times: int) -> None:
        self._inner, self._fault, self._left = inner, fault, times
        self.runs = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def run(self, *given: object, **more: object) -> object:
        self.runs += 1
        if self._left:
            self._left -= 1
            raise self._fault
        return self._inner.run(*given, **more)  # type: ignore[attr-defined]


def slow(gateway: Gateway, times: int, fault: EngineError = TIMEOUT) -> tuple[Gateway, Slow]:
    engine = Slow(gateway.house.engine, fault, times)
    house = replace(gateway.house, engine=engine)  # type: ignore[arg-type]
    return over(gateway, house), engine


def test_the_shorter_window_is_answered_with_a_note_and_a_trace_of_its_own(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    house, engine = slow(gateway, times=1)
    reply = house.ask(ana, revenue, options=AskOptions(accept_narrower=AUGUST))
    assert (reply.outcome, engine.runs) == ("answered", 2)
    assert {str(row[0]) for row in reply.rows} == {"2026-08-01"}
    assert reply.plan is not None and reply.plan.time is not None
    assert (reply.plan.time.from_, reply.plan.time.to) == (AUGUST.from_, AUGUST.to)
    second = house.traces.read(reply.trace_id)
    assert second is not None and second.closed is not None
    first = house.traces.read(second.opened.ask.narrower_of)
    assert first is not None and first.closed is not None and first.closed.outcome == "partial"
    assert first.opened.ask.accept_narrower == AUGUST
    (note,) = [note for note in reply.notes if "narrowed" in note]
    assert first.trace_id in note and "2026-08-01 to 2026-08-31" in note
    assert note in second.closed.notes


def test_there_is_one_more_attempt_and_no_third(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    house, engine = slow(gateway, times=5)
    reply = house.ask(ana, revenue, options=AskOptions(accept_narrower=AUGUST))
    assert (reply.outcome, engine.runs) == ("partial", 2)


@pytest.mark.parametrize(("accepted", "fault"), [(None, TIMEOUT), (AUGUST, BROKEN)])
def test_without_a_timeout_or_without_consent_nothing_is_narrowed(
    gateway: Gateway, ana: Caller, revenue: Plan, accepted: ShorterWindow | None, fault: EngineError
) -> None:
    house, engine = slow(gateway, 1, fault)
    assert house.ask(ana, revenue, options=AskOptions(accept_narrower=accepted)).outcome in (
        "partial",
        "failed",
    )
    assert engine.runs == 1


def test_a_replay_of_the_narrower_answer_is_the_same(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    house, _ = slow(gateway, times=1)
    reply = house.ask(ana, revenue, options=AskOptions(accept_narrower=AUGUST))
    report = house.replay(ana, reply.trace_id)
    assert report is not None and report.verdict == "same", report


@pytest.mark.parametrize(
    ("days", "said"),
    [
        ({"from": "2026-06-01", "to": "2026-08-31"}, "not inside"),
        ({"from": "2026-08-01", "to": "2026-10-01"}, "not inside"),
        ({"from": "2026-07-01", "to": "2026-09-30"}, "the plan's own"),
        ({"from": "2026-08-02", "to": "2026-08-01"}, "ends before"),
    ],
)
def test_a_window_that_is_no_part_of_the_plans_is_refused_before_anything_runs(
    gateway: Gateway, ana: Caller, revenue: Plan, days: dict[str, str], said: str
) -> None:
    reply = gateway.ask(ana, revenue, options=AskOptions(accept_narrower=ShorterWindow.model_validate(days)))
    assert reply.outcome == "invalid_plan" and not reply.trace_id
    (issue,) = reply.issues
    assert issue.code == "not_narrower" and said in issue.message and issue.next_step


DAYS = st.dates(date(2024, 1, 1), date(2024, 2, 1))


@given(DAYS, DAYS, DAYS, DAYS)
def test_what_passes_is_shorter_and_inside(start: date, end: date, low: date, high: date) -> None:
    window = Window.model_validate({"from": min(start, end), "to": max(start, end)})
    accepted = ShorterWindow.model_validate({"from": low, "to": high})
    asked = MetricPlan(metrics=("m",), time=window)
    shorter = window.from_ <= low <= high <= window.to and (high - low) < (window.to - window.from_)
    assert (narrower_issue(asked, accepted) is None) == shorter
    assert narrower_issue(MetricPlan(metrics=("m",)), accepted) is not None
