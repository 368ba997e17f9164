"""Claims of a draft go to the same judges as held questions, as a choice between fixed options."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.gateway.holds.held_shop import Plan
from tests.gateway.judges.answering import Answer, Model, answering, sends
from traces.records import Caller

OPTIONS = ("the rows bear it out", "the rows speak against it", "the rows do not tell")
CLAIM = "This was driven by the new pricing."


@pytest.fixture
def model() -> Iterator[Model]:
    with answering() as opened:
        yield opened


@pytest.fixture
def gateway(shop: Path, model: Model) -> Iterator[Gateway]:
    """The shop, whose policy file puts claims to a model."""
    with (shop / "policies" / "policy.yml").open("a", encoding="utf-8") as policy:
        policy.write(
            f"\njudge: {{url: {model.url}, seconds: 5, probation: 0}}\n"
            "findings:\n  claims: {judge: model, allow_at: 0.9, deny_at: 0.2, owner: data-governance}\n"
        )
    opened = open_gateway(shop)
    yield opened
    opened.close()


def chooses(*chances: float) -> Answer:
    said = {"probabilities": dict(zip(OPTIONS, chances, strict=True))}
    return sends(json.dumps(said).encode())


@pytest.mark.parametrize(
    ("chances", "outcome"),
    [((0.95, 0.03, 0.02), "passed"), ((0.5, 0.1, 0.4), "held"), ((0.1, 0.8, 0.1), "blocked")],
)
def test_a_claim_is_put_to_the_model_and_its_thresholds_decide(
    gateway: Gateway,
    model: Model,
    ana: Caller,
    revenue: Plan,
    chances: tuple[float, float, float],
    outcome: str,
) -> None:
    model.answer = chooses(*chances)
    told = gateway.ask(ana, revenue)
    checked = gateway.check_answer(ana, f"{told.answer} {CLAIM}", [told.trace_id])
    assert checked.outcome == outcome, checked.issues
    trace = gateway.traces.read(told.trace_id)
    assert trace is not None
    let = [(each.check, each.judge, each.ruling) for each in trace.attempts[0].approvals]
    rulings = {"passed": "allow", "blocked": "deny"}
    assert let == ([("claims", "model", rulings[outcome])] if outcome in rulings else [])
    (asked,) = model.asked
    assert asked["check"] == "claims"
    question, fields = asked["question"], asked["fields"]
    assert isinstance(question, dict) and tuple(question["options"]) == OPTIONS
    assert isinstance(fields, dict) and fields["draft"].endswith(CLAIM)


def test_a_number_without_a_cell_is_put_to_nobody(
    gateway: Gateway, model: Model, ana: Caller, revenue: Plan
) -> None:
    model.answer = chooses(1.0, 0.0, 0.0)
    told = gateway.ask(ana, revenue)
    checked = gateway.check_answer(ana, f"{told.answer} {CLAIM} It is 987,654,321 more.", [told.trace_id])
    assert checked.outcome == "blocked" and not model.asked
