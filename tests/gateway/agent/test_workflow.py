"""The fixed order: intake, a plan by a model, the truth; held questions come back as they were."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from gateway.agent.prompting import shipped
from gateway.agent.run import OTHER
from gateway.engines.base import EngineTimeout
from gateway.models.verb import ModelFault
from gateway.questions import UNREAD
from tests.gateway.agent.conftest import GOOD, PLAN, QUESTION, AgentShop
from tests.gateway.agent.plans import NOTHING
from tests.servers.models import Say, in_turn, say
from traces.records import Caller
from traces.seal import unseal


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_words_that_intake_does_not_know_are_planned_by_the_model_on_both_wires(
    open_agent_shop: Callable[..., AgentShop], provider: str
) -> None:
    shop = open_agent_shop(provider)
    reply = shop.ask()
    assert reply.outcome == "answered", reply.issues
    assert reply.plan is not None and reply.plan.metrics == ("net_revenue",)
    same = shop.gateway.ask(shop.caller, PLAN)
    assert (same.rows, same.answer) == (reply.rows, reply.answer)
    assert any("A model planned this" in note for note in reply.notes)
    assert {asked.wire for asked in shop.endpoint.asked} == {provider}


def test_what_intake_reads_is_never_put_to_a_model(agent_shop: AgentShop) -> None:
    assert agent_shop.ask("net revenue by region in Q3 2026").outcome == "answered"
    assert agent_shop.endpoint.asked == []


@pytest.mark.parametrize(
    ("question", "outcome"),
    [
        ("net revenue recently", "needs_clarification"),
        ("net revenue by region", "needs_clarification"),
        ("why did net revenue fall in Q3 2026", "abstained"),
        ("forecast net revenue for Q3 2026", "abstained"),
        ("delete the orders of Q3 2026", "abstained"),
        ("net revenue in Q3 2031", "abstained"),
    ],
)
def test_what_is_open_or_unsupported_is_asked_back_or_refused_and_not_guessed(
    agent_shop: AgentShop, question: str, outcome: str
) -> None:
    assert agent_shop.ask(question).outcome == outcome
    assert agent_shop.endpoint.asked == []


def test_model_parameters_and_prompts_are_pinned_and_the_reply_is_kept_sealed(agent_shop: AgentShop) -> None:
    reply = agent_shop.ask()
    trace = agent_shop.trace(reply)
    assert trace.closed is not None and trace.closed.pins is not None
    assert trace.closed.pins.model == "openai:scripted temperature=0.0 max_tokens=2000"
    assert trace.closed.pins.prompt == shipped().digest
    (call,) = trace.closed.calls
    assert (call.prompt, call.tokens_in, call.tokens_out) == (shipped().of("plan").digest, 200, 50)
    kept = unseal(agent_shop.gateway.house.keys, trace.opened.subject, call.sealed_reply)
    assert json.loads(kept) == GOOD
    same = agent_shop.gateway.ask(agent_shop.caller, PLAN)
    plain = agent_shop.trace(same).closed
    assert plain is not None and plain.pins is not None and (plain.pins.model, plain.calls) == ("", ())


def test_a_replay_asks_no_model(agent_shop: AgentShop) -> None:
    reply = agent_shop.ask()
    calls = len(agent_shop.endpoint.asked)
    report = agent_shop.gateway.replay(agent_shop.caller, reply.trace_id)
    assert report is not None and report.verdict == "same", report
    assert len(agent_shop.endpoint.asked) == calls


def test_the_model_sees_what_its_asker_may_see_and_nothing_else(agent_shop: AgentShop, emil: Caller) -> None:
    agent_shop.ask(who=emil)
    (asked,) = agent_shop.endpoint.asked
    names = {metric["name"] for metric in asked.fields["metrics"]}
    assert names and names <= {line.name for line in agent_shop.gateway.list_metrics(emil).metrics}
    text = json.dumps(asked.body)
    assert "ticket_count" not in text and "event_count" not in text and "unit_cost" not in text


def test_a_hidden_metric_in_a_plan_is_like_one_that_does_not_exist(
    agent_shop: AgentShop, emil: Caller
) -> None:
    hidden = {"steps": [{"id": "a", "plan": {**PLAN, "metrics": ["ticket_count"]}}]}
    unknown = {"steps": [{"id": "a", "plan": {**PLAN, "metrics": ["ticket_kount"]}}]}
    told = []
    for reply in (hidden, unknown):
        agent_shop.plays(lambda _, reply=reply: say(reply))  # type: ignore[misc]
        before = len(agent_shop.endpoint.asked)
        assert agent_shop.ask(who=emil).outcome == "partial"
        again = agent_shop.endpoint.asked[before + 1].fields["rejected"]
        told.append([(issue["code"], issue["path"]) for issue in again])
    assert told[0] == told[1] == [("unknown_metric", "/steps/0/plan/metrics/0")]


def test_a_plan_of_a_model_waits_for_somebody_where_the_policy_names_no_judge(
    agent_shop: AgentShop, rita: Caller
) -> None:
    agent_shop.policy(findings={})
    held = agent_shop.ask()
    assert held.outcome == "held" and held.hold_id and held.rows == ()
    assert held.plan is not None and held.plan.metrics == ("net_revenue",)
    view = agent_shop.gateway.show_hold(rita, held.hold_id)
    assert [finding.check for finding in view.findings] == ["model_plan"]  # type: ignore[union-attr]
    agent_shop.gateway.decide_hold(rita, held.hold_id, "accept", "it does answer it")
    calls = len(agent_shop.endpoint.asked)
    agent_shop.plays(lambda _: say(NOTHING))
    told = agent_shop.ask(approval_id=held.hold_id)
    assert told.outcome == "answered", told.issues
    assert len(agent_shop.endpoint.asked) == calls, "what was accepted is what runs: nothing is asked again"


def test_a_plan_for_a_question_near_the_one_asked_is_held_where_the_policy_says_so(
    agent_shop: AgentShop, rita: Caller
) -> None:
    assert agent_shop.ask().outcome == "answered"
    agent_shop.limits(nearby="hold")
    held = agent_shop.ask()
    assert held.outcome == "held" and held.rows == ()
    view = agent_shop.gateway.show_hold(rita, held.hold_id)
    (near,) = [each for each in view.findings if each.check == "nearby_question"]  # type: ignore[union-attr]
    assert near.check == "nearby_question" and near.seen and near.threshold.startswith("question ")
    assert not {"continental", "fare"} & set(near.model_dump_json().split()), "the words stay sealed"
    agent_shop.gateway.decide_hold(rita, held.hold_id, "accept", "it is the same but for its words")
    assert agent_shop.ask(approval_id=held.hold_id).outcome == "answered"
    other = agent_shop.ask(QUESTION.replace("fare", "do"), approval_id=held.hold_id)
    assert other.outcome == "held", "the accept is of another question"


def test_a_question_whose_words_are_all_the_layer_s_has_none_near_it(agent_shop: AgentShop) -> None:
    agent_shop.limits(nearby="hold")
    assert agent_shop.ask("net revenue by region in Q3 2026").outcome == "answered"


def test_an_accept_counts_for_its_own_question_only(agent_shop: AgentShop, rita: Caller) -> None:
    agent_shop.policy(findings={})
    held = agent_shop.ask()
    agent_shop.gateway.decide_hold(rita, held.hold_id, "accept", "fine")
    other = agent_shop.ask(QUESTION.replace("fare", "do"), approval_id=held.hold_id)
    assert other.outcome == "held" and other.hold_id != held.hold_id, "another question, the same plan"
    assert any(OTHER in note for note in other.notes)
    assert agent_shop.ask(approval_id=held.hold_id).outcome == "answered"


def test_a_judge_that_says_no_ends_the_question(agent_shop: AgentShop) -> None:
    rule = {"judge": "rules", "allow_at": 0.9, "deny_at": 0.1, "owner": "gov", "rules": [{"verdict": "deny"}]}
    agent_shop.policy(findings={"model_plan": rule})
    reply = agent_shop.ask()
    assert reply.outcome == "denied" and reply.rows == ()
    assert "judge_denied" in {issue.code for issue in reply.issues}


def test_a_rejected_plan_goes_back_with_every_reason_and_a_mended_one_runs(agent_shop: AgentShop) -> None:
    bad = {"steps": [{"id": "a", "plan": {"metrics": ["net_revenu"], "dimensions": ["regoin"],
                                          "time": {"from": "2026-01-01", "to": "2026-03-31"}}}]}  # fmt: skip
    agent_shop.plays(in_turn(say(bad), say(GOOD)))
    reply = agent_shop.ask()
    assert reply.outcome == "answered"
    told = agent_shop.endpoint.asked[1].fields["rejected"]
    assert {issue["code"] for issue in told} == {"unknown_metric", "unknown_dimension", "not_the_window"}
    near = next(issue for issue in told if issue["code"] == "unknown_metric")
    assert near["candidates"][0] == "net_revenue"
    assert agent_shop.calls(reply)[0][1] == "rejected" and agent_shop.calls(reply)[1][1] == "used"


@pytest.mark.parametrize(
    "text",
    ["", "{", "I think it was about 3 million.", "[]", '{"steps": 7}', '{"steps": [], "sql": "x"}',
     '{"steps": [], "steps": []}', '{"limit": NaN}', "[" * 2000],
)  # fmt: skip
def test_a_reply_that_cannot_be_read_goes_back_and_a_good_one_is_taken(
    agent_shop: AgentShop, text: str
) -> None:
    agent_shop.plays(in_turn(Say(text), say(GOOD)))
    reply = agent_shop.ask()
    assert reply.outcome == "answered"
    assert [outcome for _, outcome, _ in agent_shop.calls(reply)] == ["unreadable", "used"]


def test_a_follow_up_goes_on_from_a_plan_of_the_model_and_keeps_its_window(agent_shop: AgentShop) -> None:
    agent_shop.ask(conversation="c")
    reply = agent_shop.ask("and just for enterprise", conversation="c")
    assert reply.outcome == "answered" and reply.plan is not None and reply.plan.time is not None
    assert str(reply.plan.time.from_) == "2026-07-01"


def test_a_dry_run_plans_and_prices_and_runs_nothing(agent_shop: AgentShop) -> None:
    reply = agent_shop.ask(dry_run=True)
    assert reply.outcome == "dry_run" and reply.estimate is not None and reply.rows == ()


def test_without_a_model_intake_works_and_says_what_would_need_one(agent_shop: AgentShop) -> None:
    house = agent_shop.gateway.house
    agent_shop.gateway.houses.replace(replace(house, model=None))
    assert agent_shop.ask("net revenue by region in Q3 2026").outcome == "answered"
    reply = agent_shop.ask()
    assert reply.outcome == "abstained" and UNREAD in reply.notes


def test_without_the_client_library_the_extra_is_named(
    agent_shop: AgentShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.models.configured.is_installed", lambda: False)
    assert agent_shop.ask("net revenue by region in Q3 2026").outcome == "answered"
    reply = agent_shop.ask()
    assert reply.outcome == "partial" and reply.issues[0].code == "model_no_client"
    assert "cellbound[agent]" in reply.issues[0].next_step


def test_the_key_is_in_no_text(
    open_agent_shop: Callable[..., AgentShop], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CELLBOUND_AGENT_KEY", "sk-very-secret")
    shop = open_agent_shop()
    shop.ask()
    assert shop.endpoint.asked[0].headers["authorization"] == "Bearer sk-very-secret"
    model = shop.gateway.house.model
    assert model is not None and "sk-very" not in f"{model!r} {model.pinned}"
    assert "sk-very" not in shop.endpoint.asked[0].instructions
    assert isinstance(ModelFault("x", "y"), Exception)


def test_a_timeout_gets_the_shorter_window_that_its_asker_accepts(
    agent_shop: AgentShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = agent_shop.gateway.house.engine
    real, slow = engine.run, iter([True, False, True])

    def run(*given: object, **named: object) -> object:
        if next(slow):
            raise EngineTimeout("timeout", "too long")
        return real(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "run", run)
    reply = agent_shop.ask(accept_narrower={"from": "2026-09-01", "to": "2026-09-30"})
    assert reply.outcome == "answered" and reply.plan is not None and reply.plan.time is not None
    assert str(reply.plan.time.from_) == "2026-09-01"
    assert agent_shop.ask().outcome == "partial", "without it there is no other attempt"
    assert agent_shop.endpoint.purposes() == ["plan", "plan"]
