"""A model words an answer: slots first, every draft checked, else the words of the code."""

import pytest

from tests.gateway.agent.conftest import GOOD, AgentShop
from tests.gateway.agent.plans import TWO_STEPS
from tests.servers.models import Asked, Say, by_purpose, say


def test_the_model_words_an_answer_with_slots_and_every_number_has_its_cell(agent_shop: AgentShop) -> None:
    agent_shop.limits(draft="planned")
    text = "EMEA made {{c:2.net_revenue}} net revenue, AMER {{c:0.net_revenue}}."
    agent_shop.plays(by_purpose({"plan": say(GOOD), "draft": say({"text": text})}))
    reply = agent_shop.ask()
    assert reply.answer.startswith("EMEA made $2,6") and len(reply.citations) == 2
    attempts = agent_shop.trace(reply).attempts
    assert [a.passed for a in attempts] == [True] and [c.purpose for c in attempts[0].calls] == ["draft"]


def test_a_draft_that_lies_goes_back_and_at_last_code_words_the_answer(agent_shop: AgentShop) -> None:
    agent_shop.limits(draft="planned")
    lie = say({"text": "EMEA made $9,999,999.00 net revenue."})
    agent_shop.plays(by_purpose({"plan": say(GOOD), "draft": lie}))
    reply = agent_shop.ask()
    assert reply.outcome == "answered" and "9,999,999" not in reply.answer and "$2,6" in reply.answer
    assert any("code worded the answer" in note for note in reply.notes)
    attempts = agent_shop.trace(reply).attempts
    assert [attempt.outcome for attempt in attempts] == ["blocked", "blocked"], "one is left for the asker"
    assert agent_shop.endpoint.asked[-1].fields["rejected"]


def test_several_results_are_worded_without_slots(agent_shop: AgentShop) -> None:
    agent_shop.limits(draft="planned")

    def script(asked: Asked) -> Say:
        if asked.purpose == "plan":
            return say(TWO_STEPS)
        assert asked.fields["slots"] is False
        row = asked.fields["results"][0]["rows"][0]["cells"]
        return say({"text": f"{row[0]} had net revenue of ${float(row[1]):,.2f} in Q3 2026."})

    agent_shop.plays(script)
    reply = agent_shop.ask()
    assert reply.answer.startswith("EMEA had net revenue of $2,6"), reply.notes
    assert len(reply.citations) == 1 and reply.citations[0].trace_id == reply.steps[0].trace_id


def test_without_a_draft_in_the_policy_no_row_goes_to_the_model(agent_shop: AgentShop) -> None:
    agent_shop.ask()
    assert agent_shop.endpoint.purposes() == ["plan"]


def test_with_always_the_model_words_what_intake_planned(agent_shop: AgentShop) -> None:
    agent_shop.limits(draft="always")
    agent_shop.plays(lambda _: say({"text": "EMEA: {{c:2.net_revenue}}."}))
    reply = agent_shop.ask("net revenue by region in Q3 2026")
    assert agent_shop.endpoint.purposes() == ["draft"] and reply.answer.startswith("EMEA: $2,6")


@pytest.mark.parametrize("show", ["first", "none"])
def test_the_model_reads_the_rows_that_policy_shows_and_the_summary_of_all(
    agent_shop: AgentShop, show: str
) -> None:
    rows = 1 if show == "first" else 0
    agent_shop.policy(reading={"show": show, "rows": 1}, agent={"draft": "planned"})
    agent_shop.plays(by_purpose({"plan": say(GOOD), "draft": say({"text": "EMEA: {{c:2.net_revenue}}."})}))
    assert agent_shop.ask().answer.startswith("EMEA: $2,6")
    (result,) = agent_shop.endpoint.asked[-1].fields["results"]
    assert (len(result["rows"]), result["row_count"], result["summary"]["rows"]) == (rows, 4, 4)
    region, revenue = result["summary"]["columns"]
    assert (region["name"], region["distinct"], region["nulls"]) == ("region", 3, 1)
    assert float(revenue["low"]) < float(revenue["high"]) < float(revenue["total"])
