"""Findings that are held where the policy says so: definitions not in force, stale keys, near questions."""

from datetime import timedelta

from gateway.asking import Door, Entry
from gateway.pipeline import answer
from gateway.record.recorder import StoreRecorder
from gateway.reply import Reply
from metric_layer.plan import MetricPlan
from tests.gateway.holds.held_shop import Clock, Plan, Shop, seen
from traces.records import Ask, Caller, Decision


def codes(reply: Reply) -> set[str]:
    return {issue.code for issue in reply.issues}


def test_the_findings_of_who_read_the_words_are_decided_with_the_others(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    near = Decision(stage="plan", check="nearby_question", verdict="hold", reason="answers a part of it")
    gateway = house.gateway
    recorder = StoreRecorder(gateway.traces, gateway.results, gateway.state, gateway.attestations)
    ask = Ask(plan=MetricPlan.model_validate(revenue))
    held = answer(gateway.house, recorder, ana, ask, entry=Entry(Door("agent"), findings=(near,)))
    view = seen(gateway.show_hold(rita, held.hold_id))
    assert [each.check for each in view.findings] == ["nearby_question", "budget"]


def test_a_join_on_a_key_that_was_not_counted_lately_is_held_where_the_policy_says_so(
    house: Shop, ana: Caller, revenue: Plan, clock: Clock
) -> None:
    house.change(budget=house.policy.budget.model_copy(update={"bytes": None}))
    house.change(evidence=house.policy.evidence.model_copy(update={"stale": "hold"}))
    held = house.ask(ana, revenue)
    assert held.outcome == "held" and codes(held) == {"stale_attestation"}
    assert house.gateway.attest(ana).ok
    assert house.ask(ana, revenue).outcome == "answered"
    clock.ahead = timedelta(hours=house.policy.evidence.attested_hours + 1)
    assert codes(house.ask(ana, revenue)) == {"stale_attestation"}


def test_sql_that_joins_on_a_key_nobody_declared_waits_where_the_policy_says_so(
    house: Shop, ana: Caller, rita: Caller
) -> None:
    house.change(
        release={**house.policy.release, "free": "reviewed"},
        budget=house.policy.budget.model_copy(update={"bytes": None}),
    )
    sql = (
        "SELECT count(*) AS n FROM orders AS o JOIN order_lines AS l ON l.order_line_id = o.order_id"
        " WHERE o.order_date >= DATE '2026-07-01'"
    )
    held = house.gateway.ask_planned(ana, lambda _: sql)
    assert held.outcome == "held", held.issues
    view = seen(house.gateway.show_hold(rita, held.hold_id))
    assert {"join_key", "release"} <= {each.check for each in view.findings}
    house.change(judgeable=("join_growth",))
    assert house.gateway.ask_planned(ana, lambda _: sql).outcome == "denied"


def test_a_draft_definition_is_held_where_the_policy_lets_it_be_asked(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    file = next(
        each
        for each in sorted((house.folder / "metrics").glob("*.yml"))
        if "name: net_revenue" in each.read_text(encoding="utf-8")
    )
    text = file.read_text(encoding="utf-8")
    at = text.index("name: net_revenue")
    file.write_text(text[:at] + text[at:].replace("type:", "status: draft\n    type:", 1), encoding="utf-8")
    found = house.gateway.reload()
    assert found is not None and found.outcome == "changed", found
    house.change(budget=house.policy.budget.model_copy(update={"bytes": None}))
    assert house.ask(ana, revenue).outcome == "invalid_plan"
    house.change(definitions_held=("draft",))
    held = house.ask(ana, revenue)
    assert held.outcome == "held" and codes(held) == {"definition_status"}
    house.decide(rita, held.hold_id)
    assert house.ask(ana, revenue, held.hold_id).outcome == "answered"
