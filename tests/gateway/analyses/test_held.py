"""An analysis whose steps are held: all that waits is offered at once, and each accept counts once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.analyses.call import AnalysisCall
from gateway.analyses.view import AnalysisReply
from gateway.asking import AskOptions
from gateway.service import Gateway
from traces.records import Caller

GIVEN = {"region": "EMEA", "period": "Q3 2026"}


@pytest.fixture
def reviewed(shop: Path, open_shop: Callable[[], Gateway]) -> Gateway:
    """A shop in which a person decides every question that reads more than a row."""
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    assert "{warn: 2500000, hard: 5000000}" in text
    policy.write_text(
        text.replace("{warn: 2500000, hard: 5000000}", "{warn: 1, hard: 5000000}"), encoding="utf-8"
    )
    return open_shop()


def ran(gateway: Gateway, caller: Caller, approval: str = "") -> AnalysisReply:
    call = AnalysisCall("revenue_review", GIVEN, AskOptions(approval_id=approval))
    found = gateway.run_analysis(caller, call)
    assert isinstance(found, AnalysisReply)
    return found


def test_all_that_waits_is_offered_at_once_and_answered_after_the_accepts(
    reviewed: Gateway, ana: Caller, rita: Caller
) -> None:
    first = ran(reviewed, ana)
    holds = first.hold_id.split(",")
    assert (first.outcome, len(holds)) == ("held", 2)
    assert [step.outcome for step in first.steps] == ["held", "held"]
    assert not first.answer
    for hold in holds:
        reviewed.decide_hold(rita, hold, "accept", "asked every quarter")
    again = ran(reviewed, ana, first.hold_id)
    assert again.outcome == "answered", again.issues
    assert {c.trace_id for c in again.citations} == {step.trace_id for step in again.steps}
    used_up = ran(reviewed, ana, first.hold_id)
    assert used_up.outcome == "held"


def test_an_accept_stays_unused_while_another_step_still_waits(
    reviewed: Gateway, ana: Caller, rita: Caller
) -> None:
    holds = ran(reviewed, ana).hold_id.split(",")
    reviewed.decide_hold(rita, holds[1], "accept", "asked every quarter")
    waiting = ran(reviewed, ana, ",".join(holds))
    assert waiting.outcome == "held"
    reviewed.decide_hold(rita, holds[0], "accept", "asked every quarter")
    assert ran(reviewed, ana, ",".join(holds)).outcome == "answered"


def test_the_accept_of_somebody_else_opens_nothing(
    reviewed: Gateway, ana: Caller, emil: Caller, rita: Caller
) -> None:
    holds = ran(reviewed, ana).hold_id
    for hold in holds.split(","):
        reviewed.decide_hold(rita, hold, "accept", "asked every quarter")
    assert ran(reviewed, emil, holds).outcome == "held"
