"""A question whose price the database cannot tell is held to the end, or runs under its hard caps alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.engines.base import Identity, Limits, Rows
from policies.policy import Lines, Measures
from tests.gateway.holds.held_shop import Plan, Shop, seen
from traces.records import Caller, Decision, Estimate

BY_DAY = {"field": "order_date", "from": "2026-07-01", "to": "2026-07-31", "grain": "day"}


@pytest.fixture
def house(shop: Path, open_counted: Callable[[], Shop], monkeypatch: pytest.MonkeyPatch) -> Shop:
    """The shop, whose database tells no price and whose lines warn of none; a run gives back seven rows."""
    file = shop / "policies" / "policy.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("\n  rows: 10000\n", "\n  rows: 7\n"), encoding="utf-8")
    house = open_counted()
    real = house.engine.explain

    def unpriced(*given: object, **named: object) -> Estimate:
        estimate: Estimate = real(*given, **named)  # type: ignore[operator]
        return estimate.model_copy(update={"bound": "unknown", "bytes": None, "rows": None})

    monkeypatch.setattr(house.engine, "explain", unpriced, raising=False)
    house.change(budget=house.policy.budget.model_copy(update={"bytes": Lines(warn=10**12, hard=10**13)}))
    return house


def caps_only(house: Shop, **more: object) -> None:
    house.change(budget=house.policy.budget.model_copy(update={"unknown": "hard_caps", **more}))


def priced(house: Shop, trace_id: str) -> Decision:
    """Return what the check of the budget recorded of a question."""
    trace = house.gateway.traces.read(trace_id)
    assert trace is not None and trace.closed is not None
    assert trace.closed.estimate is not None and trace.closed.estimate.bound == "unknown"
    (found,) = (each for each in trace.closed.decisions if each.check == "budget")
    return found


def test_it_waits_and_its_reviewer_reads_that_nobody_knows(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    held = house.ask(ana, revenue)
    assert held.outcome == "held" and not house.engine.runs
    (issue,) = held.issues
    assert (issue.code, issue.seen) == ("budget", "unknown") and issue.next_step
    assert priced(house, held.trace_id).verdict == "hold"
    view = seen(house.gateway.show_hold(rita, held.hold_id))
    (finding,) = view.findings
    assert (finding.check, finding.seen) == ("budget", "unknown")
    assert "cannot estimate" in finding.reason
    assert view.estimate is not None and view.estimate.bound == "unknown"


def test_an_accept_lets_it_run_once_and_a_denial_never(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    held = house.ask(ana, revenue)
    house.decide(rita, held.hold_id)
    assert house.ask(ana, revenue, held.hold_id).outcome == "answered"
    assert house.ask(ana, revenue, held.hold_id).outcome == "held"
    other: Plan = {**revenue, "dimensions": ["segment"]}
    denied = house.ask(ana, other)
    house.decide(rita, denied.hold_id, "deny")
    assert house.ask(ana, other, denied.hold_id).outcome == "denied"
    assert len(house.engine.runs) == 1


def test_where_the_policy_says_so_it_runs_under_its_hard_caps_and_the_trace_says_that_it_did(
    house: Shop, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    caps_only(house)
    caps = house.policy.caps
    limits: list[Limits] = []
    real = house.engine.run

    def noted(sql: str, who: Identity, under: Limits, query_id: str, *, beside: str = "") -> Rows:
        limits.append(under)
        return real(sql, who, under, query_id, beside=beside)

    monkeypatch.setattr(house.engine, "run", noted)
    told = house.ask(ana, revenue)
    assert told.outcome == "answered" and told.rows
    found = priced(house, told.trace_id)
    assert (found.verdict, found.seen) == ("allow", "unknown") and "hard caps" in found.reason
    (under,) = limits
    assert (under.rows, under.bytes) == (caps.rows, caps.bytes) and 0 < under.seconds <= caps.seconds


def test_a_hard_cap_really_ends_what_nobody_could_price(house: Shop, ana: Caller) -> None:
    caps_only(house)
    reply = house.ask(ana, {"metrics": ["order_count"], "time": BY_DAY})
    assert reply.outcome == "answered" and reply.truncated and reply.limit_source
    assert len(reply.rows) == 7


def test_a_day_that_is_counted_lets_no_unknown_price_pass(house: Shop, ana: Caller, revenue: Plan) -> None:
    day = Measures(bytes=Lines(warn=10**12, hard=10**13))
    caps_only(house, day=day)
    held = house.ask(ana, revenue)
    assert held.outcome == "held" and {issue.code for issue in held.issues} == {"day_budget"}
    assert not house.engine.runs


def test_a_dry_run_says_that_nobody_knows(house: Shop, ana: Caller, revenue: Plan) -> None:
    house.change(release={})
    told = house.ask(ana, revenue)
    assert told.outcome == "dry_run" and told.estimate is not None and told.estimate.bound == "unknown"
    assert not house.engine.runs
