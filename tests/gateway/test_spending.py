"""A user's day: what is counted, what is not, and that many questions at once do not pass its line."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from threading import Barrier, Thread

import pytest

from gateway.asking import AskOptions
from gateway.engines.base import EngineBusy, EngineTimeout
from gateway.engines.duckdb import DuckDBEngine
from gateway.pipeline import answer
from gateway.record.recorder import StoreRecorder
from gateway.service import Gateway
from gateway.state import Amount, StateStore
from gateway.stores.rows import Place
from policies.load import govern
from policies.policy import Lines, Measures
from policies.small_groups import Protected
from tests.gateway.other_house import over
from traces.records import Ask, Caller

Plan = dict[str, object]
TODAY = date(2026, 11, 30)
NO_LINE = 10**30


def with_day(gateway: Gateway, **lines: Lines) -> Gateway:
    """Return the shop with lines on a user's day and none on a question."""
    governed = gateway.house.governed
    budget = governed.policy.budget.model_copy(update={"bytes": None, "rows": None, "day": Measures(**lines)})
    policy = governed.policy.model_copy(update={"budget": budget})
    return over(gateway, replace(gateway.house, governed=govern(policy)))


def rows_of(gateway: Gateway, caller: Caller, plan: Plan) -> int:
    """Return what a plan is expected to read once its joins were counted."""
    assert gateway.ask(caller, plan).outcome == "answered"
    estimate = gateway.ask(caller, plan, options=AskOptions(dry_run=True)).estimate
    assert estimate is not None and estimate.rows is not None
    return estimate.rows


def spent(gateway: Gateway, caller: Caller) -> Amount:
    house = gateway.house
    return gateway.state.spent(house.subject(caller), house.now().date())


def test_questions_add_up_until_the_day_is_held_and_then_denied(
    gateway: Gateway, ana: Caller, emil: Caller, revenue: Plan
) -> None:
    one = rows_of(gateway, ana, revenue)
    house = with_day(gateway, rows=Lines(warn=2 * one, hard=3 * one))
    assert [house.ask(ana, revenue).outcome for _ in range(2)] == ["answered", "answered"]
    assert spent(house, ana)[1] == 2 * one
    held = house.ask(ana, revenue)
    assert held.outcome == "held"
    assert {issue.code for issue in held.issues} == {"day_budget"}
    assert spent(house, ana)[1] == 2 * one
    house.state.holds.rule(held.hold_id, "accept", by="rita")
    assert house.ask(ana, revenue, options=AskOptions(approval_id=held.hold_id)).outcome == "answered"
    denied = house.ask(ana, revenue)
    assert denied.outcome == "denied"
    assert "the day's reading would be" in denied.issues[0].message
    assert spent(house, ana)[1] == 3 * one
    assert spent(house, emil) == (0, 0, 0)


def test_a_dry_run_is_told_about_the_day_and_not_counted(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    house = with_day(gateway, rows=Lines(warn=1, hard=2))
    reply = house.ask(ana, revenue, options=AskOptions(dry_run=True))
    assert (reply.outcome, {issue.code for issue in reply.issues}) == ("denied", {"day_budget"})
    assert spent(house, ana) == (0, 0, 0)


def test_what_ran_into_its_time_limit_stays_counted(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object, **__: object) -> object:
        raise EngineTimeout("query_timeout", "the query was stopped at its time limit")

    house = with_day(gateway, rows=Lines(warn=10**9, hard=10**9))
    monkeypatch.setattr(type(house.house.engine), "run", slow)
    assert house.ask(ana, revenue).outcome == "partial"
    assert spent(house, ana)[1] > 0


def test_what_found_no_free_session_is_not_counted(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> object:
        raise EngineBusy("database_busy", "the queue is full", next_step="Ask again.", retry_after=1.0)

    house = with_day(gateway, rows=Lines(warn=10**9, hard=10**9))
    monkeypatch.setattr(type(house.house.engine), "run", busy)
    assert house.ask(ana, revenue).outcome == "failed"
    assert spent(house, ana) == (0, 0, 0)


def test_a_replay_is_judged_by_the_day_of_the_question_and_counts_for_nobody(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    one = rows_of(gateway, ana, revenue)
    house = with_day(gateway, rows=Lines(warn=one, hard=one))
    first, second = house.ask(ana, revenue), house.ask(ana, revenue)
    assert (first.outcome, second.outcome) == ("answered", "denied")
    before = spent(house, ana)
    for reply in (first, second):
        report = house.replay(ana, reply.trace_id)
        assert report is not None and report.verdict == "same", report
    assert spent(house, ana) == before


def test_an_engine_that_says_what_it_read_corrects_the_count(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    house = with_day(gateway, bytes=Lines(warn=10**12, hard=10**12)).house
    recorder = StoreRecorder(gateway.traces, gateway.results, gateway.state, gateway.attestations)
    real = house.engine.run

    class Telling:
        def __getattr__(self, name: str) -> object:
            return getattr(gateway.house.engine, name)

        def run(self, *given: object, **more: object) -> object:
            rows = real(*given, **more)  # type: ignore[arg-type]
            return replace(rows, actual=rows.actual.model_copy(update={"bytes": 17}))

    telling = replace(house, engine=Telling())  # type: ignore[arg-type]
    plan = gateway.traces.read(gateway.ask(ana, revenue).trace_id)
    assert plan is not None
    assert answer(telling, recorder, ana, Ask(plan=plan.opened.ask.plan)).outcome == "answered"
    assert spent(gateway, ana)[0] == 17


@pytest.fixture
def store(place: Place) -> Iterator[StateStore]:
    opened = StateStore(place)
    yield opened
    opened.close()


def test_of_many_questions_at_once_only_as_many_are_counted_as_fit(store: StateStore) -> None:
    gate, counted = Barrier(12), []

    def ask(number: int) -> None:
        gate.wait()
        before = store.spend(f"t{number}", "ana", TODAY, (10, 1, 0), (55, NO_LINE, NO_LINE))
        counted.append(before[0] + 10 <= 55)

    threads = [Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counted) == 5
    assert store.spent("ana", TODAY) == (50, 5, 0)


def test_days_and_users_are_counted_apart_and_old_days_are_forgotten(store: StateStore) -> None:
    lines: Amount = (NO_LINE, NO_LINE, NO_LINE)
    tomorrow = date(2026, 12, 1)
    store.spend("a", "ana", TODAY, (1, 2, 3), lines)
    store.spend("b", "emil", TODAY, (5, 5, 5), lines)
    assert store.spend("c", "ana", tomorrow, (7, 7, 7), lines) == (0, 0, 0)
    assert store.spent("ana", TODAY) == (0, 0, 0)
    store.correct_bytes("c", 70)
    assert store.spent("ana", tomorrow) == (70, 7, 7)
    store.refund("c")
    assert store.spent("ana", tomorrow) == (0, 0, 0)


def expired(gateway: Gateway, caller: Caller, plan: Plan) -> str:
    """Return the trace of an answer whose result is kept no longer."""
    reply = gateway.ask(caller, plan)
    assert reply.outcome == "answered"
    gateway.results.erase(gateway.house.subject(caller))
    return reply.trace_id


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the database runs, statement by statement."""
    run, seen = DuckDBEngine.run, list[str]()

    def counted(self: DuckDBEngine, sql: str, *arguments: object, **named: object) -> object:
        seen.append(sql)
        return run(self, sql, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(DuckDBEngine, "run", counted)
    return seen


def test_a_result_run_again_for_a_draft_counts_for_the_day(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    one = rows_of(gateway, ana, revenue)
    house = with_day(gateway, rows=Lines(warn=4 * one, hard=4 * one))
    trace_id = expired(house, ana, revenue)
    assert spent(house, ana)[1] == one
    for again in (2, 3):
        assert house.check_answer(ana, "Nothing.", [trace_id]).outcome != "result_expired"
        assert spent(house, ana)[1] == again * one


def test_a_result_is_not_run_again_over_a_line_of_the_day(
    gateway: Gateway, ana: Caller, revenue: Plan, runs: list[str]
) -> None:
    one = rows_of(gateway, ana, revenue)
    house = with_day(gateway, rows=Lines(warn=one, hard=2 * one))
    trace_id = expired(house, ana, revenue)
    del runs[:]
    checked = house.check_answer(ana, "Nothing.", [trace_id])
    assert (checked.outcome, checked.attempts_left, runs) == ("result_expired", 2, [])
    assert spent(house, ana)[1] == one


def test_a_result_run_again_costs_an_attempt_even_where_it_comes_to_nothing(
    gateway: Gateway, ana: Caller, revenue: Plan, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trace_id = expired(gateway, ana, revenue)
    del runs[:]
    monkeypatch.setattr(
        "gateway.drafts.answer.protect", lambda table, *_: Protected(table.model_copy(update={"rows": ()}))
    )
    outcomes = [gateway.check_answer(ana, "Nothing.", [trace_id, trace_id]).outcome for _ in range(12)]
    assert outcomes == ["result_expired"] * 3 + ["abstained"] * 9
    assert len(runs) == 3


def test_a_result_is_not_run_again_by_who_finds_no_free_session(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> object:
        raise EngineBusy("database_busy", "all sessions are taken", next_step="Come again.", retry_after=1)

    house = with_day(gateway, rows=Lines(warn=10**9, hard=10**9))
    trace_id = expired(house, ana, revenue)
    before = spent(house, ana)
    monkeypatch.setattr(DuckDBEngine, "run", busy)
    assert house.check_answer(ana, "Nothing.", [trace_id]).outcome == "result_expired"
    assert spent(house, ana) == before
