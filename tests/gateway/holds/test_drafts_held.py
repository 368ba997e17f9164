"""Claims of a draft that the cells do not settle wait for somebody, for that very text, and pass once."""

from collections.abc import Callable

import pytest

from gateway.reply import DraftReply, Reply
from gateway.service import Gateway
from tests.gateway.holds.held_shop import Plan, code, seen
from traces.records import Caller


@pytest.fixture
def answered(gateway: Gateway, ana: Caller, revenue: Plan) -> Reply:
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "answered", reply.issues
    return reply


@pytest.fixture
def send(gateway: Gateway, ana: Caller, answered: Reply) -> Callable[..., DraftReply]:
    """Sends our own answer with a claim of cause behind it."""

    def sent(claim: str = "This was driven by the new pricing.", approval: str = "") -> DraftReply:
        draft = f"{answered.answer} {claim}"
        return gateway.check_answer(ana, draft, [answered.trace_id], approval_id=approval)

    return sent


def test_a_claim_of_cause_waits_and_its_reviewer_reads_the_text(
    gateway: Gateway, rita: Caller, send: Callable[..., DraftReply]
) -> None:
    held = send()
    assert held.outcome == "held" and held.hold_id and not held.text
    view = seen(gateway.show_hold(rita, held.hold_id))
    assert (view.kind, view.status) == ("draft", "waiting")
    assert view.draft.endswith("driven by the new pricing.")
    assert [each.check for each in view.findings] == ["claims"]
    assert not view.sql and view.estimate is None


@pytest.mark.parametrize(
    "claim",
    [
        "The discount drove the rise.",
        "Sales keep trending upward.",
        "We did better than the market.",
        "Revenue will double next year.",
    ],
)
def test_a_claim_of_cause_trend_comparison_or_future_that_no_cell_settles_waits(
    gateway: Gateway, rita: Caller, send: Callable[..., DraftReply], claim: str
) -> None:
    held = send(claim)
    assert held.outcome == "held" and not held.text
    view = seen(gateway.show_hold(rita, held.hold_id))
    assert {each.check for each in view.findings} == {"claims"} and view.draft.endswith(claim)


def test_an_accepted_draft_passes_once_and_costs_no_attempt(
    gateway: Gateway, rita: Caller, send: Callable[..., DraftReply]
) -> None:
    held = send()
    left = held.attempts_left
    seen(gateway.decide_hold(rita, held.hold_id, "accept", "the price list changed in July"))
    passed = send(approval=held.hold_id)
    assert passed.outcome == "passed" and passed.text.endswith("driven by the new pricing.")
    assert passed.attempts_left == left
    again = send(approval=held.hold_id)
    assert again.outcome == "held" and "approval_used" in {issue.code for issue in again.issues}


def test_an_accept_is_for_that_very_text(
    gateway: Gateway, rita: Caller, send: Callable[..., DraftReply]
) -> None:
    held = send()
    gateway.decide_hold(rita, held.hold_id, "accept", "fine")
    other = send("This was caused by the weather.", approval=held.hold_id)
    assert other.outcome == "held" and other.hold_id != held.hold_id
    (stale,) = [issue for issue in other.issues if issue.code == "approval_stale"]
    assert stale.seen == "draft"


def test_a_denied_claim_is_blocked(
    gateway: Gateway, rita: Caller, ana: Caller, send: Callable[..., DraftReply]
) -> None:
    held = send()
    assert code(gateway.decide_hold(ana, held.hold_id, "accept", "mine")) == "right_missing"
    gateway.decide_hold(rita, held.hold_id, "deny", "nobody knows that")
    back = send(approval=held.hold_id)
    assert back.outcome == "blocked" and {issue.code for issue in back.issues} == {"approval_denied"}


def test_the_last_attempt_may_wait_and_come_back(
    gateway: Gateway, rita: Caller, send: Callable[..., DraftReply]
) -> None:
    texts = ("It was due to rain.", "It was due to snow.", "It was due to sun.")
    holds = [send(text).hold_id for text in texts]
    assert len(set(holds)) == 3
    assert send("It was due to wind.").outcome == "abstained"
    gateway.decide_hold(rita, holds[2], "accept", "it was")
    assert send(texts[2], approval=holds[2]).outcome == "passed"
