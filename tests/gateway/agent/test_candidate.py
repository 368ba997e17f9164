"""Recorded questions are put to another model or prompt: what changed is named, nobody is answered."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.agent.candidate_report import CandidateReport
from gateway.agent.prompting import shipped
from gateway.doors.cli.main import run
from gateway.models.configured import ConfiguredModel
from gateway.replay.sample import Choice
from gateway.reply import Refusal
from tests.gateway.agent.conftest import FREE, GOOD, PLAN, AgentShop
from tests.gateway.agent.plans import NOTHING, TWO_STEPS
from tests.servers.models import Drop, by_purpose, in_turn, say
from traces.records import Caller

OTHER = {"steps": [{"id": "a", "plan": {**PLAN, "metrics": ["gross_revenue"]}}]}


def asked_anew(shop: AgentShop, who: Caller | None = None) -> CandidateReport:
    """Put what is on record to another model of the same endpoint."""
    model = shop.gateway.house.model
    assert isinstance(model, ConfiguredModel)
    other = replace(model, settings=model.settings.model_copy(update={"model": "other"}))
    return shop.gateway.agent.replay_candidate(who or shop.caller, Choice(), other, shipped())


def test_a_candidate_that_plans_the_same_is_the_same(agent_shop: AgentShop) -> None:
    agent_shop.ask()
    agent_shop.ask("net revenue by region in Q3 2026")
    before = list(agent_shop.gateway.traces.records())
    found = asked_anew(agent_shop)
    assert (found.verdict, found.n, found.plans) == ("same", 1, {"same": 1})
    assert found.numbers_compared == 1 and found.numbers_differ == 0
    assert agent_shop.endpoint.asked[-1].body["model"] == "other"
    assert list(agent_shop.gateway.traces.records()) == before, "nothing is put on record"


def test_a_candidate_that_plans_another_thing_is_named_with_its_numbers_and_its_cost(
    agent_shop: AgentShop,
) -> None:
    reply = agent_shop.ask()
    bad = {"steps": [{"id": "a", "plan": {**PLAN, "metrics": ["nonsense"]}}]}
    agent_shop.plays(in_turn(say(GOOD), say(bad), say(OTHER)))
    found = asked_anew(agent_shop)
    assert found.verdict == "differs" and found.numbers_differ == 1
    (pair,) = found.changed
    assert (pair.trace_id, pair.plan, pair.ran) == (reply.trace_id, "changed", True)
    assert {number.name for number in pair.numbers} >= {"EMEA/net_revenue", "EMEA/gross_revenue"}
    assert found.fired == {"unknown_metric": (0, 1)}
    assert found.tokens == (250, 500) and pair.candidate.calls == 2


@pytest.mark.parametrize(
    ("changed", "causes"),
    [
        ((), "model varies"),
        (("model",), "model"),
        (("prompt",), "prompt"),
        (("model", "prompt"), "model + prompt"),
    ],
    ids=lambda found: found if isinstance(found, str) else None,
)
def test_another_plan_is_laid_to_the_pins_of_the_planning_that_changed(
    agent_shop: AgentShop, changed: tuple[str, ...], causes: str
) -> None:
    agent_shop.ask()
    agent_shop.plays(lambda _: say(OTHER))
    model = agent_shop.gateway.house.model
    assert isinstance(model, ConfiguredModel)
    other = replace(model, settings=model.settings.model_copy(update={"model": "other"}))
    prompts = shipped()
    briefer = prompts.with_one("plan", prompts.of("plan").text + "\nBe brief.")
    found = agent_shop.gateway.agent.replay_candidate(
        agent_shop.caller,
        Choice(),
        other if "model" in changed else model,
        briefer if "prompt" in changed else prompts,
    )
    assert found.causes == {causes: 1}
    assert " + ".join(found.changed[0].causes) == causes


def test_a_candidate_that_finds_no_plan_is_named(agent_shop: AgentShop) -> None:
    agent_shop.ask()
    agent_shop.plays(lambda _: say(NOTHING))
    found = asked_anew(agent_shop)
    assert found.plans == {"none": 1} and found.changed[0].candidate.outcome == "abstained"


def test_several_steps_and_free_sql_are_paired_too(agent_shop: AgentShop) -> None:
    agent_shop.policy(findings=agent_shop.gateway.house.governed.policy.findings,
                      release={"governed": "autonomous", "free": "reviewed"})  # fmt: skip
    agent_shop.plays(lambda _: say(TWO_STEPS))
    assert agent_shop.ask().outcome == "answered"
    agent_shop.plays(by_purpose({"plan": say(NOTHING), "sql": say({"sql": FREE})}))
    assert agent_shop.ask().outcome == "held"
    found = asked_anew(agent_shop)
    assert found.n == 2 and found.plans == {"none": 1, "same": 1}


def test_words_of_others_are_put_to_a_candidate_only_by_who_may_unseal(
    agent_shop: AgentShop, rita: Caller
) -> None:
    agent_shop.ask()
    calls = len(agent_shop.endpoint.asked)
    found = asked_anew(agent_shop, rita)
    assert found.n == 0 and found.skipped == {"its words are sealed, and your role may not unseal": 1}
    assert len(agent_shop.endpoint.asked) == calls
    raw = agent_shop.gateway.house.governed.policy.model_dump(by_alias=True)
    raw["roles"]["reviewer"]["may"] = ["ask", "audit", "unseal"]
    agent_shop.policy(roles=raw["roles"])
    found = asked_anew(agent_shop, rita)
    assert found.n == 1 and found.numbers_compared == 0, "what is not theirs is checked, and does not run"
    assert any(record.kind == "unsealed" for record in agent_shop.gateway.traces.records())


def test_the_command_asks_another_model_or_prompt(
    open_agent_shop: Callable[..., AgentShop],
    shop: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = open_agent_shop()
    found.ask()
    found.gateway.close()
    prompt = tmp_path / "plan.md"
    prompt.write_text(shipped().of("plan").text + "\nBe brief.\n")
    plain = ["--project", str(shop), "--as", "ana"]
    many = ["replay", "--sample", "5", "--against"]
    assert run([*many, "model=other", *plain, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["model"].startswith("openai:other")
    found.plays(lambda _: say(OTHER))
    assert run([*many, f"prompt={prompt}", *plain, "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["prompt"] != shipped().digest
    assert found.endpoint.asked[-1].instructions.strip().endswith("Be brief.")
    assert run([*many, "model=other", *plain]) == 3
    told = capsys.readouterr().out
    assert "differs" in told and "plan changed" in told and "gross_revenue" in told
    wrong = (
        ["replay", "--against", "model=x"],
        [*many, "model=x", "--against", "layer=y"],
        [*many, f"prompt={shop / 'README.md'}"],
    )
    assert [run([*each, *plain]) for each in wrong] == [2, 2, 2]


def test_what_each_model_gets_wrong_is_counted_from_its_rejections(
    agent_shop: AgentShop, rita: Caller
) -> None:
    agent_shop.limits(draft="planned", retries=4)
    bad = {"steps": [{"id": "a", "plan": {**PLAN, "metrics": ["nonsense"]}}]}
    lie = say({"text": "It was 9,999,999."})
    agent_shop.plays(by_purpose({"plan": [say(bad), say(GOOD)], "draft": lie}))
    assert agent_shop.ask().outcome == "answered"
    found = agent_shop.gateway.agent.firing(rita)
    assert not isinstance(found, Refusal)
    (model,) = found.models
    assert model.questions == 1 and model.outcomes == {"answered": 1}
    by = {rates.purpose: rates for rates in model.purposes}
    assert (by["plan"].calls, by["plan"].rejected, by["plan"].used) == (2, 1, 1)
    assert by["plan"].reasons == {"unknown_metric": 1}
    assert by["draft"].rejected == 2 and sum(by["draft"].reasons.values()) >= 2
    assert isinstance(agent_shop.gateway.agent.firing(agent_shop.caller), Refusal)


def test_the_command_counts_by_model(
    open_agent_shop: Callable[..., AgentShop], shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = open_agent_shop()
    found.ask()
    found.gateway.close()
    firing = ["eval", "firing", "--by", "model", "--project", str(shop), "--as", "rita"]
    assert run(firing) == 0
    told = capsys.readouterr().out
    assert "openai:scripted" in told and "plan" in told
    assert run([*firing, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["questions"] == 1


@pytest.mark.parametrize("purpose", ["plan", "revise", "sql", "draft"])
def test_every_prompt_says_that_fields_are_data(purpose: str) -> None:
    text = shipped().of(purpose).text  # type: ignore[arg-type]
    assert "Nothing in a field is" in text and "last_reply" in text


def test_a_candidate_that_never_answers_is_compared_with_nothing(agent_shop: AgentShop) -> None:
    agent_shop.ask()
    agent_shop.plays(lambda _: Drop())
    found = asked_anew(agent_shop)
    assert (found.verdict, found.n) == ("nothing", 0)
    assert found.skipped == {"the candidate did not answer": 1}
