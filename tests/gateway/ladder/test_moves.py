"""Classes are moved one stage at a time by an owner, on the record, and no reload undoes it."""

import sqlite3
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from gateway.comparing import OwnNumber, compare
from gateway.doors.watch import watching
from gateway.ladder.view import ClassView, ReleaseList
from gateway.record.ledger import verification
from gateway.releases.in_force import stage_of
from gateway.reply import Refusal
from gateway.service import Gateway
from policies.release import STAGES, ReleaseStage, in_force
from traces.records import Caller
from traces.release_records import StageDecided

Edit = Callable[..., None]
Open = Callable[[], Gateway]
Plan = dict[str, object]
WHY = "thirty questions compared, none wrong"


def stage(gateway: Gateway, name: str = "governed") -> str:
    policy, keys = gateway.house.governed.policy, gateway.house.keys
    return stage_of(policy, keys, gateway.state.releases.newest, name).stage


def moved(found: ClassView | Refusal) -> ClassView:
    assert isinstance(found, ClassView), found
    return found


def code(found: object) -> str:
    assert isinstance(found, Refusal), found
    return found.issues[0].code


def test_an_owner_moves_a_class_up_one_stage_and_the_next_question_is_answered(
    shadow: Gateway, ana: Caller, olga: Caller, total: Plan
) -> None:
    assert shadow.ask(ana, total).outcome == "not_released"
    view = moved(shadow.ladder.move(olga, "governed", None, WHY, up=True))
    assert (view.line.stage, view.line.start, view.up) == ("reviewed", "shadow", ("autonomous",))
    assert shadow.ask(ana, total).outcome == "answered"


def test_a_reply_that_was_kept_is_not_shown_again_once_its_class_went_down(
    shadow: Gateway, ana: Caller, olga: Caller, total: Plan
) -> None:
    moved(shadow.ladder.move(olga, "governed", None, WHY, up=True))
    first, again = (shadow.once(ana, "k", "d", lambda: shadow.ask(ana, total)) for _ in range(2))
    assert (again.outcome, again.trace_id) == ("answered", first.trace_id) and again.rows
    moved(shadow.ladder.move(olga, "governed", None, WHY, up=False))
    later = shadow.once(ana, "k", "d", lambda: shadow.ask(ana, total))
    assert (later.outcome, later.issues[0].code) == ("invalid_plan", "idempotency_key_reused")
    assert not later.rows


def test_a_decision_is_signed_in_the_log_with_its_evidence_and_a_sealed_reason(
    shadow: Gateway, ana: Caller, olga: Caller, total: Plan
) -> None:
    shadow.ask(ana, total)
    view = moved(shadow.ladder.move(olga, "governed", None, WHY, up=True))
    (record,) = (each for each in shadow.traces.records() if isinstance(each, StageDecided))
    assert (record.was, record.stage, record.start, record.number) == ("shadow", "reviewed", "shadow", 1)
    assert record.by == shadow.house.subject(olga) and record.signature and record.key_id
    assert WHY not in record.model_dump_json()
    assert {"disagreed", "corrected", "overridden", "turnaround_s"} <= {each.name for each in record.evidence}
    assert next(each.n for each in record.evidence if each.name == "turnaround_s") == 1
    assert [(each.reason, each.genuine) for each in view.decisions] == [(WHY, True)]
    assert verification(shadow.traces.verify()).ok


def test_who_may_not_release_moves_nothing(shadow: Gateway, rita: Caller, ana: Caller) -> None:
    for caller in (rita, ana):
        assert code(shadow.ladder.move(caller, "governed", None, WHY, up=True)) == "right_missing"
    assert code(shadow.ladder.list(ana)) == "right_missing"
    assert isinstance(shadow.ladder.list(rita), ReleaseList)
    assert stage(shadow) == "shadow"


@pytest.mark.parametrize(
    ("name", "to", "up", "why", "expected"),
    [
        ("governed", "autonomous", True, WHY, "wrong_step"),
        ("governed", "reviewed", False, WHY, "wrong_step"),
        ("governed", None, True, "  ", "reason_missing"),
        ("goverened", None, True, WHY, "unknown_class"),
        ("free", None, True, WHY, "unknown_class"),
    ],
)
def test_a_step_that_is_none_is_refused_with_what_to_do(
    shadow: Gateway, olga: Caller, name: str, to: ReleaseStage | None, up: bool, why: str, expected: str
) -> None:
    found = shadow.ladder.move(olga, name, to, why, up=up)
    assert code(found) == expected
    assert isinstance(found, Refusal) and all(issue.next_step for issue in found.issues)


def test_free_sql_is_never_autonomous(open_house: Open, edit: Edit, olga: Caller) -> None:
    edit(release={"governed": "reviewed", "free": "reviewed"})
    house = open_house()
    assert code(house.ladder.move(olga, "free", None, WHY, up=True)) == "top_of_ladder"
    moved(house.ladder.move(olga, "governed", None, WHY, up=True))
    assert code(house.ladder.move(olga, "governed", None, WHY, up=True)) == "top_of_ladder"


def test_a_demotion_outlives_a_restart_and_a_reload(
    open_house: Open, edit: Edit, ana: Caller, olga: Caller, total: Plan
) -> None:
    house = open_house()
    moved(house.ladder.move(olga, "governed", "dry_run", "wrong totals", up=False))
    assert open_house().ask(ana, total).outcome == "dry_run"
    edit(hold_minutes=30)
    again = open_house()
    assert (stage(again), again.house.governed.policy.hold_minutes) == ("dry_run", 30)


def test_a_policy_that_says_less_lowers_and_one_that_says_more_does_not_raise(
    open_house: Open, edit: Edit, olga: Caller
) -> None:
    edit(release={"governed": "shadow"})
    moved(open_house().ladder.move(olga, "governed", None, WHY, up=True))
    edit(release={"governed": "dry_run"})
    assert stage(open_house()) == "dry_run"
    edit(release={"governed": "autonomous"})
    assert stage(open_house()) == "reviewed"


def test_the_stage_in_force_is_never_above_what_was_decided_or_what_the_policy_allows() -> None:
    for start in STAGES:
        for most in STAGES:
            assert STAGES.index(in_force(start, most, None)) <= STAGES.index(most)
            for decided in STAGES:
                for then in STAGES:
                    found = STAGES.index(in_force(start, most, (decided, then)))
                    assert found <= min(STAGES.index(decided), STAGES.index(most))
                    assert then == start or found <= STAGES.index(start)


def test_a_rule_that_comes_into_the_policy_takes_a_class_down_without_another_comparison(
    open_house: Open, edit: Edit, ana: Caller, eva: Caller, total: dict[str, object]
) -> None:
    edit(release={"governed": "reviewed"})
    gateway = open_house()
    asked = gateway.ask(ana, total)
    assert asked.outcome == "answered", asked.issues
    compare(gateway, eva, asked.trace_id, OwnNumber(Decimal(1)))
    assert gateway.ladder.apply_rules() == () and stage(gateway) == "reviewed"
    rule = {"measure": "disagreed", "above": 0.1, "last": 5, "least": 1, "to": "shadow", "owner": "finance"}
    edit(ladder={"demote": [rule]})
    gateway.reload()
    with watching(gateway, 0.05, lambda _: None):
        until = time.monotonic() + 20
        while stage(gateway) == "reviewed" and time.monotonic() < until:
            time.sleep(0.05)
    assert stage(gateway) == "shadow"
    assert gateway.ladder.apply_rules() == (), "nothing is new"


def test_who_writes_into_the_state_file_releases_nothing(
    open_house: Open, edit: Edit, shop: Path, ana: Caller, olga: Caller, rita: Caller, total: Plan
) -> None:
    edit(release={"governed": "shadow"})
    house = open_house()
    moved(house.ladder.move(olga, "governed", "dry_run", "closed", up=False))
    with sqlite3.connect(shop / "var" / "state.sqlite") as file:
        file.execute("UPDATE release_decisions SET body = replace(body, '\"stage\":\"dry_run\"',"
                     " '\"stage\":\"autonomous\"')")  # fmt: skip
    assert house.ask(ana, total).outcome == "dry_run"
    listed = house.ladder.list(rita)
    assert isinstance(listed, ReleaseList) and listed.classes[0].fault


def test_decisions_that_the_state_has_lost_come_back_from_the_log(
    open_house: Open, shop: Path, olga: Caller
) -> None:
    house = open_house()
    moved(house.ladder.move(olga, "governed", "shadow", "closed", up=False))
    with sqlite3.connect(shop / "var" / "state.sqlite") as file:
        file.execute("DELETE FROM release_decisions")
    assert stage(house) == "autonomous"
    found = house.ladder.sweep(olga)
    assert not isinstance(found, Refusal) and found.recovered == 1
    assert stage(house) == "shadow"


def test_of_two_owners_at_once_one_decision_counts(
    open_house: Open, edit: Edit, olga: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(release={"governed": "dry_run"})
    one, other = open_house(), open_house()
    put = other.state.releases.decide
    rivals: list[ClassView | Refusal] = []

    def late(decision: StageDecided, write: Callable[[StageDecided], object]) -> bool:
        if not rivals:
            rivals.append(one.ladder.move(olga, "governed", None, WHY, up=True))
        return put(decision, write)

    monkeypatch.setattr(other.state.releases, "decide", late)
    assert code(other.ladder.move(olga, "governed", None, WHY, up=True)) == "already_decided"
    assert [each.number for each in other.state.releases.decisions("governed")] == [1]
