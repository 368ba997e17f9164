"""A held question becomes an evaluation case by what people decided of it, and by nothing less."""

from datetime import timedelta
from pathlib import Path

import pytest

from gateway.doors.evaluating.case import NewCase, Told, case_in
from gateway.doors.json_input import BadInput
from gateway.reply import Reply
from tests.gateway.holds.held_shop import Clock, Plan, Shop, seen
from traces.records import Caller

OVER = timedelta(minutes=61)
WORDS = "What was net revenue?"


@pytest.fixture
def held(house: Shop, ana: Caller, revenue: Plan) -> Reply:
    """A question that two people have to accept."""
    house.rule("budget", two_person=True)
    reply = house.ask(ana, revenue)
    assert reply.outcome == "held", reply.issues
    return reply


def made(house: Shop, who: Caller, asked: str, folder: Path, number: str = "") -> NewCase:
    found = case_in(house.gateway, who, asked, Told(WORDS, number=number), folder)
    assert isinstance(found, NewCase), found
    return found


def undecided(house: Shop, who: Caller, asked: str, folder: Path) -> str:
    """Return what was seen of a question that nobody decided; no case of it is written."""
    with pytest.raises(BadInput) as fault:
        case_in(house.gateway, who, asked, Told(WORDS), folder)
    assert fault.value.issue.code == "not_decided" and fault.value.issue.next_step
    assert not folder.exists() or not list(folder.iterdir())
    return fault.value.issue.seen


@pytest.mark.parametrize("accepts", [0, 1])
def test_a_hold_that_waits_is_no_case_under_its_id_or_its_trace(
    house: Shop, held: Reply, ana: Caller, rita: Caller, tmp_path: Path, accepts: int
) -> None:
    if accepts:
        house.decide(rita, held.hold_id)
    assert undecided(house, rita, held.hold_id, tmp_path / "cases") == "waiting"
    assert undecided(house, ana, held.trace_id, tmp_path / "cases") == "waiting"
    assert undecided(house, ana, held.hold_id, tmp_path / "cases") == "waiting"


def test_a_question_that_was_asked_again_while_it_waited_is_no_case(
    house: Shop, held: Reply, ana: Caller, revenue: Plan, tmp_path: Path
) -> None:
    again = house.ask(ana, revenue)
    assert (again.hold_id, again.outcome) == (held.hold_id, "held")
    assert again.trace_id != held.trace_id
    assert undecided(house, ana, again.trace_id, tmp_path / "cases") == "held"


@pytest.mark.parametrize("accepts", [0, 1])
def test_a_hold_that_ran_out_undecided_is_no_case(
    house: Shop,
    held: Reply,
    ana: Caller,
    rita: Caller,
    revenue: Plan,
    clock: Clock,
    tmp_path: Path,
    accepts: int,
) -> None:
    if accepts:
        house.decide(rita, held.hold_id)
    clock.ahead = OVER
    assert undecided(house, rita, held.hold_id, tmp_path / "cases") == "expired"
    late = house.ask(ana, revenue, held.hold_id)
    assert late.outcome == "expired", late.issues
    assert undecided(house, ana, late.trace_id, tmp_path / "cases") == "expired"


def test_an_accept_that_nobody_came_for_still_says_that_the_plan_is_right(
    house: Shop, held: Reply, rita: Caller, ralf: Caller, clock: Clock, tmp_path: Path
) -> None:
    house.decide(rita, held.hold_id)
    assert seen(house.decide(ralf, held.hold_id)).status == "accepted"
    clock.ahead = OVER
    case = made(house, rita, held.hold_id, tmp_path / "cases").case
    assert case.expect == "answer" and case.gold_plan is not None


@pytest.mark.parametrize("last", ["deny", "revoke"])
def test_the_last_word_counts_after_an_accept(
    house: Shop, held: Reply, ana: Caller, rita: Caller, ralf: Caller, tmp_path: Path, last: str
) -> None:
    house.decide(rita, held.hold_id)
    if last == "revoke":
        house.decide(ralf, held.hold_id)
    assert seen(house.decide(ralf, held.hold_id, last)).status == "denied"
    cases = [made(house, rita, held.hold_id, tmp_path / "of hold").case]
    cases.append(made(house, ana, held.trace_id, tmp_path / "of trace").case)
    assert [(case.expect, case.gold_plan) for case in cases] == [("abstain", None)] * 2


def test_an_owners_own_figure_needs_no_decision(
    house: Shop, held: Reply, rita: Caller, tmp_path: Path
) -> None:
    case = made(house, rita, held.hold_id, tmp_path / "cases", number="7").case
    assert case.expect == "answer" and case.gold_plan is None and case.number is not None


def test_a_text_that_was_denied_says_nothing_of_its_question(
    house: Shop, ana: Caller, rita: Caller, revenue: Plan, tmp_path: Path
) -> None:
    house.change(budget=house.policy.budget.model_copy(update={"bytes": None}))
    told = house.ask(ana, revenue)
    assert told.outcome == "answered", told.issues
    draft = f"{told.answer} This was driven by the new pricing."
    waits = house.gateway.check_answer(ana, draft, [told.trace_id])
    assert undecided(house, rita, waits.hold_id, tmp_path / "cases") == "waiting"
    assert seen(house.decide(rita, waits.hold_id, "deny")).status == "denied"
    case = made(house, ana, told.trace_id, tmp_path / "cases").case
    assert case.expect == "answer" and case.gold_plan is not None
