"""Readings sent back beside a question in words: what is offered settles its term, what was used is said."""

import pytest

from gateway.asking import AskOptions
from gateway.service import Gateway
from traces.records import Caller

UNUSED = "A choice of yours was not used: the question has no such term, or the term no such reading."


@pytest.mark.parametrize(
    "question",
    [
        "net revenue on 03/04/2026",
        "gross revenue last March",
        "3 regions net revenue in Q3 2026",
        "best region by cancellation rate in Q3 2026",
        "top 3 regions in each segment by net revenue in Q3 2026",
    ],
)
def test_every_reading_that_is_offered_settles_its_term(gateway: Gateway, ana: Caller, question: str) -> None:
    asked_back = gateway.ask_question(ana, question, AskOptions(dry_run=True))
    assert asked_back.outcome == "needs_clarification"
    for issue in asked_back.issues:
        for option in issue.options:
            beside = AskOptions(dry_run=True, choices={issue.term: option.name})
            again = gateway.ask_question(ana, question, beside)
            assert issue.term not in {each.term for each in again.issues}


def test_what_no_choice_settles_says_its_readings_and_offers_none(gateway: Gateway, ana: Caller) -> None:
    (issue,) = gateway.ask_question(ana, "3 regions net revenue in Q3 2026", AskOptions(dry_run=True)).issues
    assert issue.options == () and issue.next_step == "Say which: top, bottom."
    dated = gateway.ask_question(ana, "net revenue on 03/04/2026", AskOptions(dry_run=True)).issues[0]
    assert [option.name for option in dated.options] == ["2026-04-03", "2026-03-04"]


@pytest.mark.parametrize(
    "choices",
    [{"revenue": "bogus"}, {"revenu": "net_revenue"}, {"Q3 2026": "2026-01-01"}, {"revenue": ""}],
)
def test_a_choice_that_settled_nothing_is_not_said_to_have(
    gateway: Gateway, ana: Caller, choices: dict[str, str]
) -> None:
    beside = AskOptions(dry_run=True, choices=choices)
    notes = gateway.ask_question(ana, "revenue in Q3 2026", beside).notes
    assert UNUSED in notes and not any("as you chose" in note for note in notes)


def test_a_question_that_is_asked_back_says_so_too_of_a_choice_that_settled_nothing(
    gateway: Gateway, ana: Caller
) -> None:
    question = "tickets opened on 03/04/2026"
    idle = gateway.ask_question(ana, question, AskOptions(dry_run=True, choices={"revenue": "refunds"}))
    assert idle.outcome == "needs_clarification" and UNUSED in idle.notes
    half = gateway.ask_question(ana, question, AskOptions(dry_run=True, choices={"03/04/2026": "2026-04-03"}))
    assert half.outcome == "needs_clarification" and UNUSED not in half.notes
    assert UNUSED not in gateway.ask_question(ana, question, AskOptions(dry_run=True)).notes


def test_a_choice_that_was_used_is_said_and_no_more(gateway: Gateway, ana: Caller) -> None:
    beside = AskOptions(dry_run=True, choices={"03/04/2026": "2026-04-03"})
    notes = gateway.ask_question(ana, "net revenue on 03/04/2026", beside).notes
    assert "A word of the question was read as 2026-04-03, as you chose." in notes and UNUSED not in notes


def test_more_first_rows_than_a_plan_takes_are_no_defect(gateway: Gateway, ana: Caller) -> None:
    many = "top {} regions by net revenue in Q3 2026"
    assert gateway.ask_question(ana, many.format(100_000), AskOptions(dry_run=True)).outcome == "dry_run"
    for number in ("100001", "9" * 30):
        assert gateway.ask_question(ana, many.format(number), AskOptions(dry_run=True)).outcome == "abstained"
