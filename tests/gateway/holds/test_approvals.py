"""A held question from its finding to its run: who decides, what an accept is for, that it counts once."""

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.doors.status import status_of
from gateway.doors.watch import watching
from gateway.engines.base import EngineBusy
from gateway.pipeline import answer
from gateway.record.recorder import StoreRecorder
from gateway.reply import Reply
from gateway.service import Gateway
from policies.policy import Lines
from tests.gateway.holds.held_shop import Clock, Plan, Shop, code, seen
from traces.errors import TraceUnwritable
from traces.records import Ask, Caller, Receipt

FREE = (
    "SELECT c.region, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer_id = c.customer_id"
    " GROUP BY c.region"
)


def codes(reply: Reply) -> set[str]:
    return {issue.code for issue in reply.issues}


def test_a_hold_carries_what_a_reviewer_needs(house: Shop, ana: Caller, rita: Caller, revenue: Plan) -> None:
    house.change(budget=house.policy.budget.model_copy(update={"bytes": None}))
    ran = [house.ask(ana, revenue) for _ in range(3)]
    assert {reply.outcome for reply in ran} == {"answered"}
    house.change(budget=house.policy.budget.model_copy(update={"bytes": Lines(warn=1, hard=10**12)}))
    held = house.ask(ana, revenue)
    view = seen(house.gateway.show_hold(rita, held.hold_id))
    (finding,) = view.findings
    assert finding.check == "budget" and finding.seen and "warn 1 B, hard" in finding.threshold
    assert view.plan_words.startswith("Net revenue by region, from 2026-07-01 to 2026-09-30 by month")
    assert "order_status is completed" in view.plan_words
    assert view.sql == held.sql and view.estimate is not None
    (measure,) = [each for each in view.usual if each.measure == "bytes"]
    assert measure.n == 3 and measure.median and measure.times == pytest.approx(measure.seen / measure.median)
    assert view.asker.startswith("u_") and not re.search(r"\bana\b", view.model_dump_json())
    assert (view.role, view.may_decide, view.status) == ("analyst", True, "waiting")


def test_an_accept_runs_nothing_and_counts_once(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    held = house.ask(ana, revenue)
    assert held.outcome == "held" and not house.engine.runs
    assert seen(house.decide(rita, held.hold_id)).status == "accepted"
    assert not house.engine.runs, "an accept runs nothing"
    told = house.ask(ana, revenue, held.hold_id)
    assert told.outcome == "answered" and "accepted by a reviewer: budget" in told.notes
    again = house.ask(ana, revenue, held.hold_id)
    assert again.outcome == "held" and "approval_used" in codes(again) and status_of(again).http == 409
    assert again.hold_id != held.hold_id and len(house.engine.runs) == 1
    assert house.ask(ana, revenue, held.hold_id).hold_id == again.hold_id, "one item in the queue"


def test_nobody_decides_their_own_question_unless_the_policy_lets_them(
    house: Shop, rita: Caller, revenue: Plan
) -> None:
    own = house.ask(rita, revenue)
    assert code(house.decide(rita, own.hold_id)) == "own_question"
    view = seen(house.gateway.show_hold(rita, own.hold_id))
    assert view.own and not view.may_decide and view.why_not == "Nobody decides their own question."
    house.rule("budget", own_allowed=True)
    held = house.ask(rita, revenue)
    assert held.hold_id != own.hold_id, "another policy is another question"
    assert seen(house.decide(rita, held.hold_id)).rulings[0].own
    told = house.ask(rita, revenue, held.hold_id)
    assert told.outcome == "answered" and "accepted by its own asker, as the policy allows" in told.notes
    trace = house.gateway.traces.read(held.trace_id)
    assert trace is not None and trace.judgements[0].own, "the trace shows it"


def test_two_people_decide_where_the_policy_says_so(
    house: Shop, ana: Caller, rita: Caller, ralf: Caller, revenue: Plan
) -> None:
    house.rule("budget", two_person=True)
    held = house.ask(ana, revenue)
    first = seen(house.decide(rita, held.hold_id))
    assert first.status == "waiting" and (first.findings[0].accepted, first.findings[0].needed) == (1, 2)
    assert house.ask(ana, revenue, held.hold_id).hold_id == held.hold_id, "one accept opens nothing"
    assert code(house.decide(rita, held.hold_id)) == "already_decided"
    assert seen(house.decide(ralf, held.hold_id)).status == "accepted"
    assert house.ask(ana, revenue, held.hold_id).outcome == "answered"


def test_findings_of_several_stages_are_decided_in_one_round(house: Shop, ana: Caller, rita: Caller) -> None:
    house.change(release={**house.policy.release, "free": "reviewed"})
    held = house.gateway.ask_planned(ana, lambda _: FREE)
    assert held.outcome == "held", held.issues
    view = seen(house.gateway.show_hold(rita, held.hold_id))
    assert {(each.stage, each.check) for each in view.findings} == {("plan", "release"), ("cost", "budget")}
    house.decide(rita, held.hold_id)
    gateway = house.gateway
    recorder = StoreRecorder(gateway.traces, gateway.results, gateway.state, gateway.attestations)
    told = answer(gateway.house, recorder, ana, Ask(approval_id=held.hold_id), planner=lambda _: FREE)
    assert told.outcome == "answered", told.issues
    assert len(house.engine.runs) == 1


def test_a_later_finding_holds_anew_and_the_earlier_accept_still_counts(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = house.ask(ana, revenue)
    house.decide(rita, held.hold_id)
    real = house.engine.explain

    def growing(*given: object, **named: object) -> object:
        estimate = real(*given, **named)  # type: ignore[operator]
        joins = tuple(each.model_copy(update={"rows": 10**9, "growth": 99.0}) for each in estimate.joins[:1])
        return estimate.model_copy(update={"joins": joins})

    monkeypatch.setattr(house.engine, "explain", growing, raising=False)
    second = house.ask(ana, revenue, held.hold_id)
    assert second.outcome == "held" and second.hold_id != held.hold_id
    view = seen(house.gateway.show_hold(rita, second.hold_id))
    assert {each.check: each.carried for each in view.findings} == {"budget": True, "join_growth": False}
    assert view.earlier == held.hold_id
    assert seen(house.gateway.show_hold(rita, held.hold_id)).status == "superseded"
    assert seen(house.decide(rita, second.hold_id)).status == "accepted"
    assert house.ask(ana, revenue, second.hold_id).outcome == "answered"
    assert len(house.engine.runs) == 1


def test_an_estimate_that_grew_much_since_the_accept_is_held_anew(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = house.ask(ana, revenue)
    house.decide(rita, held.hold_id)
    real = house.engine.explain

    def larger(*given: object, **named: object) -> object:
        estimate = real(*given, **named)  # type: ignore[operator]
        return estimate.model_copy(update={"bytes": estimate.bytes * 2})

    monkeypatch.setattr(house.engine, "explain", larger, raising=False)
    again = house.ask(ana, revenue, held.hold_id)
    assert again.outcome == "held" and again.hold_id != held.hold_id
    assert not house.engine.runs


def test_a_question_that_changed_since_its_accept_returns_to_the_queue_with_what_changed(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    """The report BR-088: an approval must not carry over when the policy or a definition changed."""
    held = house.ask(ana, revenue)
    house.decide(rita, held.hold_id)
    budget = house.policy.budget.model_copy(update={"bytes": Lines(warn=2, hard=10**12)})
    house.change(budget=budget)
    again = house.ask(ana, revenue, held.hold_id)
    assert again.outcome == "held" and status_of(again).http == 409
    (stale,) = [issue for issue in again.issues if issue.code == "approval_stale"]
    assert set(stale.seen.split(", ")) == {"policy", "thresholds"}
    view = seen(house.gateway.show_hold(rita, again.hold_id))
    assert set(view.changed) == {"policy", "thresholds"} and view.status == "waiting"
    other = house.ask(ana, {**revenue, "dimensions": ["segment"]}, held.hold_id)
    assert {"plan", "sql"} <= set(seen(house.gateway.show_hold(rita, other.hold_id)).changed)
    assert not house.engine.runs


def test_a_changed_definition_makes_a_waiting_hold_stale_for_its_reviewer(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    held = house.ask(ana, revenue)
    files = sorted((house.folder / "metrics").glob("*.yml"))
    changed = next(each for each in files if "name: net_revenue" in each.read_text(encoding="utf-8"))
    text = changed.read_text(encoding="utf-8")
    changed.write_text(text.replace("description: ", "description: Now otherwise. ", 1), encoding="utf-8")
    found = house.gateway.reload()
    assert found is not None and found.outcome == "changed", found
    refused = house.decide(rita, held.hold_id)
    assert code(refused) == "hold_stale" and status_of(refused).http == 409
    assert "definitions" in refused.issues[0].message  # type: ignore[union-attr]


def test_expiry_is_denial_and_is_recorded(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan, clock: Clock
) -> None:
    held = house.ask(ana, revenue)
    clock.ahead = timedelta(minutes=61)
    late = house.ask(ana, revenue, held.hold_id)
    assert late.outcome == "expired" and "approval_expired" in codes(late) and not house.engine.runs
    trace = house.gateway.traces.read(held.trace_id)
    assert trace is not None and [each.verdict for each in trace.judgements] == ["expired"]
    assert code(house.decide(rita, held.hold_id)) == "hold_expired"
    again = house.gateway.traces.read(held.trace_id)
    assert again is not None and len(again.judgements) == 1, "it expires once"


def test_a_server_ends_overdue_holds_though_nobody_looks(
    house: Shop, ana: Caller, revenue: Plan, clock: Clock
) -> None:
    held = house.ask(ana, revenue)
    clock.ahead = timedelta(minutes=61)
    with watching(house.gateway, 0.05, lambda _: None):
        until = time.monotonic() + 20
        while time.monotonic() < until and not _verdicts(house, held.trace_id):
            time.sleep(0.05)
    assert _verdicts(house, held.trace_id) == ["expired"]


def _verdicts(house: Shop, trace_id: str) -> list[str]:
    trace = house.gateway.traces.read(trace_id)
    return [each.verdict for each in trace.judgements] if trace else []


def test_a_denied_question_ends_denied(house: Shop, ana: Caller, rita: Caller, revenue: Plan) -> None:
    held = house.ask(ana, revenue)
    view = seen(house.decide(rita, held.hold_id, "deny"))
    assert view.rulings[0].reason == "looked at it"
    back = house.ask(ana, revenue, held.hold_id)
    assert back.outcome == "denied" and "approval_denied" in codes(back)


def test_a_hold_does_not_exist_for_who_may_not_see_it(
    house: Shop, ana: Caller, emil: Caller, rita: Caller, revenue: Plan
) -> None:
    held = house.ask(ana, revenue)
    stranger = rita.model_copy(update={"tenant": "other"})
    missing = house.gateway.show_hold(emil, "nothing")
    for caller in (emil, stranger):
        refused = house.gateway.show_hold(caller, held.hold_id)
        assert code(refused) == code(missing) == "unknown_hold"
        assert code(house.decide(caller, held.hold_id)) == "unknown_hold"
        assert not house.gateway.hold_waits(caller, held.hold_id)
    assert house.gateway.list_holds(emil).holds == ()  # type: ignore[union-attr]
    assert [each.hold_id for each in house.gateway.list_holds(ana).holds] == [held.hold_id]  # type: ignore[union-attr]
    assert code(house.decide(ana, held.hold_id)) == "right_missing"
    used = house.ask(emil, revenue, held.hold_id)
    assert "approval_unknown" in codes(used), "somebody else's hold is one that is not there"


def test_a_decision_says_why(house: Shop, ana: Caller, rita: Caller, revenue: Plan) -> None:
    held = house.ask(ana, revenue)
    refused = house.gateway.decide_hold(rita, held.hold_id, "maybe", "  ")
    assert [issue.code for issue in refused.issues] == ["unknown_verdict", "reason_missing"]  # type: ignore[union-attr]
    assert status_of(refused).http == 422


def test_two_reviewers_at_once_have_one_effect(
    open_counted: Callable[[], Shop], ana: Caller, rita: Caller, ralf: Caller, revenue: Plan
) -> None:
    one, other = open_counted(), open_counted()
    held = one.ask(ana, revenue)
    with ThreadPoolExecutor(2) as pool:
        found = list(
            pool.map(
                lambda each: each[0].decide(each[1], held.hold_id, each[2]),
                ((one, rita, "accept"), (other, ralf, "deny")),
            )
        )
    assert sorted(hasattr(each, "status") for each in found) == [False, True]
    (refused,) = [each for each in found if not hasattr(each, "status")]
    assert code(refused) == "already_decided" and status_of(refused).http == 409


def test_of_two_askers_at_once_one_runs(
    open_counted: Callable[[], Shop], ana: Caller, rita: Caller, revenue: Plan
) -> None:
    one, other = open_counted(), open_counted()
    held = one.ask(ana, revenue)
    one.decide(rita, held.hold_id)
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda n: (one, other)[n % 2].ask(ana, revenue, held.hold_id), range(4)))
    assert sorted(reply.outcome for reply in told) == ["answered", "held", "held", "held"]
    assert len(one.engine.runs) + len(other.engine.runs) == 1


def test_an_accept_survives_a_crash_between_accept_and_use(
    open_counted: Callable[[], Shop],
    ana: Caller,
    rita: Caller,
    revenue: Plan,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = open_counted()
    held = first.ask(ana, revenue)

    def torn(record: object, *, durable: bool) -> Receipt:
        raise TraceUnwritable("trace_disk", "the disk is gone")

    with monkeypatch.context() as patched:
        patched.setattr(first.gateway.traces, "append", torn)
        with pytest.raises(TraceUnwritable):
            first.decide(rita, held.hold_id)
    second = open_counted()
    assert second.ask(ana, revenue, held.hold_id).outcome == "answered"
    assert second.ask(ana, revenue, held.hold_id).outcome == "held"
    trace = second.gateway.traces.read(held.trace_id)
    assert trace is not None and [each.verdict for each in trace.judgements] == ["accept"], "made good"


def test_an_accept_comes_back_when_no_session_was_free(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = house.ask(ana, revenue)
    house.decide(rita, held.hold_id)

    def busy(*_: object, **__: object) -> None:
        raise EngineBusy("engine_busy", "no session is free", next_step="Ask again.", retry_after=1)

    with monkeypatch.context() as patched:
        patched.setattr(house.engine, "run", busy)
        assert house.ask(ana, revenue, held.hold_id).outcome == "failed"
    assert house.ask(ana, revenue, held.hold_id).outcome == "answered"
    assert house.ask(ana, revenue, held.hold_id).outcome == "held"


def test_what_was_let_through_is_let_through_again_in_a_replay(
    shop: Path, open_shop: Callable[[], Gateway], ana: Caller, rita: Caller, revenue: Plan
) -> None:
    file = shop / "policies" / "policy.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("bytes: {warn: 20000000,", "bytes: {warn: 1,"), encoding="utf-8")
    gateway = open_shop()
    held = gateway.ask(ana, revenue)
    gateway.decide_hold(rita, held.hold_id, "accept", "fine")
    told = gateway.ask(ana, revenue, AskOptions(approval_id=held.hold_id))
    assert (held.outcome, told.outcome) == ("held", "answered")
    for trace_id in (held.trace_id, told.trace_id):
        found = gateway.replay(ana, trace_id)
        assert found is not None and found.verdict == "same", found
    trace = gateway.traces.read(told.trace_id)
    assert trace is not None and trace.closed is not None
    let = [(each.check, each.judge, each.hold_id) for each in trace.closed.approvals]
    assert let == [("budget", "person", held.hold_id)]


def test_a_role_that_lost_its_right_runs_nothing_with_an_old_accept(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    held = house.ask(ana, revenue)
    house.decide(rita, held.hold_id)
    gone = ana.model_copy(update={"roles": ("intern",)})
    assert house.ask(gone, revenue, held.hold_id).outcome == "denied"
    analyst = house.policy.roles["analyst"].model_copy(update={"may": ("check_sql",)})
    house.change(roles={**house.policy.roles, "analyst": analyst})
    assert house.ask(ana, revenue, held.hold_id).outcome == "held"
    assert not house.engine.runs


def test_a_dry_run_is_never_held(house: Shop, ana: Caller, revenue: Plan) -> None:
    house.change(release={})
    assert house.ask(ana, revenue).outcome == "dry_run"
    listed = house.gateway.list_holds(ana)
    assert listed.holds == ()  # type: ignore[union-attr]


def test_a_question_that_waits_costs_its_day_nothing(house: Shop, ana: Caller, revenue: Plan) -> None:
    day = house.policy.budget.day.model_copy(update={"bytes": Lines(warn=10**11, hard=10**12)})
    house.change(budget=house.policy.budget.model_copy(update={"day": day}))
    assert house.ask(ana, revenue).outcome == "held"
    gateway = house.gateway
    today = gateway.house.now().date()
    assert gateway.state.spent(gateway.house.subject(ana), today) == (0, 0, 0)


def test_decisions_of_the_trace_carry_no_name(house: Shop, ana: Caller, rita: Caller, revenue: Plan) -> None:
    held = house.ask(ana, revenue)
    house.decide(rita, held.hold_id)
    trace = house.gateway.traces.read(held.trace_id)
    assert trace is not None
    (ruling,) = trace.judgements
    assert ruling.by == house.gateway.house.subject(rita)
    assert "looked at it" not in ruling.model_dump_json(), "the reason is sealed"
