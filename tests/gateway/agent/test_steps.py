"""Several queries are one plan: checked together, run in order, revised where a result decides."""

import json
from dataclasses import replace

import pytest

from policies.judge import Opinion, Request, opinion_of
from tests.gateway.agent.conftest import PLAN, QUESTION, AgentShop
from tests.gateway.agent.plans import MONTHS, TOP, TWO_STEPS
from tests.servers.models import by_purpose, say
from traces.records import Caller


def test_several_queries_are_one_plan_whose_later_steps_read_earlier_results(agent_shop: AgentShop) -> None:
    agent_shop.plays(lambda _: say(TWO_STEPS))
    reply = agent_shop.ask()
    assert reply.outcome == "answered", reply.issues
    assert [step.id for step in reply.steps] == ["top", "months"]
    first, second = (agent_shop.gateway.traces.read(step.trace_id) for step in reply.steps)
    assert first is not None and second is not None
    assert second.opened.ask.step_of == first.trace_id
    assert reply.plan is not None
    (kept,) = reply.plan.filters
    best = agent_shop.gateway.ask(agent_shop.caller, TOP)
    assert set(kept.values) == {row[0] for row in best.rows}
    assert {citation.trace_id for citation in reply.citations} == {step.trace_id for step in reply.steps}
    for citation in reply.citations:
        assert reply.answer[citation.start : citation.end] == citation.text


def test_a_plan_with_more_queries_than_its_class_allows_runs_nothing(agent_shop: AgentShop) -> None:
    agent_shop.limits(queries=1, retries=1)
    agent_shop.plays(lambda _: say(TWO_STEPS))
    reply = agent_shop.ask()
    assert reply.outcome == "partial" and reply.actual is None
    assert agent_shop.calls(reply) == [("plan", "rejected", ("too_many_queries",))] * 2


@pytest.mark.parametrize(("mends", "outcome"), [(True, "partial"), (False, "denied")])
def test_steps_are_checked_together_so_that_a_refused_one_keeps_the_others_from_running(
    agent_shop: AgentShop, monkeypatch: pytest.MonkeyPatch, mends: bool, outcome: str
) -> None:
    """A step over its budget may be mended; one that may not be (here by decree) is asked alone."""
    if not mends:
        monkeypatch.setattr("gateway.agent.together._mendable", lambda _: False)
    wide = {"id": "wide", "plan": {**PLAN, "metrics": ["event_count"]}}
    agent_shop.limits(retries=1)
    agent_shop.policy(budget={"rows": {"warn": 200_000, "hard": 300_000}})
    agent_shop.plays(lambda _: say({"steps": [*TWO_STEPS["steps"], wide]}))
    ran: list[str] = []
    engine = agent_shop.gateway.house.engine
    real = engine.run

    def run(sql: str, *given: object, **named: object) -> object:
        ran.append(sql)
        return real(sql, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "run", run)
    reply = agent_shop.ask()
    assert reply.outcome == outcome
    assert "budget" in {issue.code for issue in reply.issues}
    assert ran == []
    trace = agent_shop.trace(reply)
    assert (trace.opened.ask.plan is None) == mends


def test_a_result_that_decides_leads_to_a_revised_plan_that_is_checked_again(agent_shop: AgentShop) -> None:
    first = {"steps": [{"id": "top", "plan": TOP, "decides": True}]}
    bad = {"steps": [{"id": "next", "plan": {**PLAN, "metrics": ["nothing"]}}]}
    rest = {"steps": [{"id": "next", "plan": MONTHS}]}
    agent_shop.plays(by_purpose({"plan": say(first), "revise": [say(bad), say(rest)]}))
    reply = agent_shop.ask()
    assert reply.outcome == "answered" and [step.id for step in reply.steps] == ["top", "next"]
    assert agent_shop.endpoint.purposes() == ["plan", "revise", "revise"]
    seen = agent_shop.endpoint.asked[1].fields["results"]
    assert seen[0]["step"] == "top" and len(seen[0]["rows"]) == 2


def test_a_later_step_that_is_held_comes_back_without_asking_for_the_plan_again(
    agent_shop: AgentShop, rita: Caller
) -> None:
    events = {**PLAN, "metrics": ["event_count"]}
    agent_shop.policy(findings={}, budget={"rows": {"warn": 300_000, "hard": 10_000_000}})
    agent_shop.plays(lambda _: say({"steps": [{"id": "a", "plan": events}, {"id": "b", "plan": TOP}]}))
    first = agent_shop.ask()
    assert first.outcome == "held" and first.steps == ()
    agent_shop.gateway.decide_hold(rita, first.hold_id, "accept", "it answers it")
    second = agent_shop.ask(approval_id=first.hold_id)
    assert second.outcome == "held" and [step.outcome for step in second.steps] == ["answered", "held"]
    view = agent_shop.gateway.show_hold(rita, second.hold_id)
    assert {each.check for each in view.findings} == {"budget"}  # type: ignore[union-attr]
    agent_shop.gateway.decide_hold(rita, second.hold_id, "accept", "worth it")
    told = agent_shop.ask(approval_id=second.hold_id)
    assert told.outcome == "answered" and [step.outcome for step in told.steps] == ["answered"] * 2
    assert len(agent_shop.endpoint.asked) == 1


def test_the_judge_sees_the_question_and_every_step_as_fields(agent_shop: AgentShop) -> None:
    """The decision model is a recording stand-in: what it is asked is what is looked at."""
    asked: list[Request] = []

    class Recording:
        def ask(self, request: Request) -> Opinion:
            asked.append(request)
            return opinion_of(request.question, {"yes": 0.99, "no": 0.01})

    rule = {"judge": "model", "allow_at": 0.9, "deny_at": 0.1, "owner": "gov"}
    judge = {"url": "http://judge.example", "probation": 0}
    agent_shop.policy(findings={"model_plan": rule}, judge=judge)
    house = agent_shop.gateway.house
    agent_shop.gateway.houses.replace(replace(house, judge=Recording()))
    agent_shop.plays(lambda _: say(TWO_STEPS))
    assert agent_shop.ask().outcome == "answered"
    (request,) = asked
    assert request.question.text.startswith("Does this plan")
    assert request.fields["words"] == QUESTION
    assert json.loads(request.fields["plan"])[1]["uses"][0]["step"] == "top"
