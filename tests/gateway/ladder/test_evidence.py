"""The evidence of a class: every figure with its n, the time under a hold counted, evaluations left out."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from gateway.asking import EVALUATION, AskOptions
from gateway.ladder.view import ClassView
from gateway.service import Gateway
from tests.gateway.holds.held_shop import Clock
from traces.records import Caller
from traces.store.sealed import SealedStore

Edit = Callable[..., None]
Open = Callable[[], Gateway]
Plan = dict[str, object]


def shown(gateway: Gateway, caller: Caller, name: str = "governed") -> ClassView:
    view = gateway.ladder.show(caller, name)
    assert isinstance(view, ClassView), view
    return view


def figures(view: ClassView) -> dict[str, tuple[float | None, int]]:
    return {each.name: (each.value, each.n) for each in view.evidence}


def test_a_figure_over_nothing_is_undefined_and_not_zero(shadow: Gateway, olga: Caller) -> None:
    found = figures(shown(shadow, olga))
    assert {found[name] for name in ("disagreed", "corrected", "overridden", "turnaround_s")} == {(None, 0)}


def test_the_time_under_a_hold_counts_and_an_accept_is_an_override(
    open_house: Open, edit: Edit, clock: Clock, ana: Caller, rita: Caller, olga: Caller, total: Plan
) -> None:
    edit(budget={"bytes": {"warn": 1, "hard": 10**12}})
    house = open_house()
    held = house.ask(ana, total)
    assert held.outcome == "held"
    clock.ahead += timedelta(minutes=20)
    house.decide_hold(rita, held.hold_id, "accept", "looked at")
    assert house.ask(ana, total, AskOptions(approval_id=held.hold_id)).outcome == "answered"
    denied = house.ask(ana, {**total, "metrics": ["order_count"]})
    house.decide_hold(rita, denied.hold_id, "deny", "no need")
    found = figures(shown(house, olga))
    assert found["overridden"] == (0.5, 2)
    seconds, n = found["turnaround_held_s"]
    assert n == 1 and seconds is not None and 1200 <= seconds < 1260
    assert found["turnaround_s"] == (seconds, 1)
    assert found["fired budget"] == (1.0, 3)


def test_a_ruling_that_the_project_never_signed_is_left_out_and_said(
    open_house: Open, edit: Edit, ana: Caller, rita: Caller, olga: Caller, total: Plan
) -> None:
    edit(budget={"bytes": {"warn": 1, "hard": 10**12}})
    house = open_house()
    held = house.ask(ana, total)
    house.decide_hold(rita, held.hold_id, "deny", "no need")
    trace = house.traces.read(held.trace_id)
    assert trace is not None and isinstance(house.traces, SealedStore)
    for own in (3, 2):
        forged = trace.judgements[0].model_copy(update={"verdict": "accept", "v": own})
        house.traces.inner.append(forged, durable=True)
    found = figures(shown(house, olga))
    assert found["overridden"] == (0.0, 1)
    assert found["unsigned"] == (2 / 3, 3)


def test_a_question_is_counted_under_its_class_and_an_evaluation_under_none(
    open_house: Open, edit: Edit, ana: Caller, eva: Caller, olga: Caller, total: Plan
) -> None:
    edit(classes=[{"name": "revenue", "metrics": ["net_revenue"], "stage": "shadow"}])
    house = open_house()
    house.ask(ana, total)
    house.ask(ana, total)
    house.ask(ana, {**total, "metrics": ["order_count"]})
    house.ask(eva, total, door=EVALUATION)
    house.ask(ana, total, AskOptions(dry_run=True))
    assert shown(house, olga, "revenue").questions == 2
    assert shown(house, olga).questions == 1
    stranger = olga.model_copy(update={"tenant": "other"})
    assert shown(house, stranger, "revenue").questions == 0


def test_evidence_begins_anew_with_each_decision(
    shadow: Gateway, ana: Caller, olga: Caller, total: Plan
) -> None:
    shadow.ask(ana, total)
    assert shown(shadow, olga).questions == 1
    shadow.ladder.move(olga, "governed", None, "one is enough here", up=True)
    view = shown(shadow, olga)
    assert (view.questions, view.decisions[0].number) == (0, 1)
    kept = {each.name: each.n for each in view.decisions[0].evidence}
    assert kept["turnaround_s"] == 1


@pytest.mark.parametrize("stage", ["reviewed", "autonomous"])
def test_in_the_stage_reviewed_only_people_decide(
    open_house: Open, edit: Edit, ana: Caller, olga: Caller, total: Plan, stage: str
) -> None:
    rules = [{"verdict": "allow", "roles": ["analyst"]}]
    rule = {"judge": "rules", "allow_at": 1, "deny_at": 0, "owner": "finance", "rules": rules}
    edit(
        budget={"bytes": {"warn": 1, "hard": 10**12}},
        release={"governed": "reviewed"},
        findings={"budget": rule},
    )
    house = open_house()
    if stage == "autonomous":
        house.ladder.move(olga, "governed", None, "the rules were right so far", up=True)
    assert house.ask(ana, total).outcome == ("held" if stage == "reviewed" else "answered")
