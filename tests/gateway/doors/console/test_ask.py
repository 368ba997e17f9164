"""Asking in the console: read back before it runs, asked back as buttons, one run per press, every number."""

import json
import re
from collections.abc import Callable

import pytest

from gateway.doors.console.metric_pages import example_question
from gateway.reply import MetricCard
from gateway.service import Gateway
from tests.gateway.conftest import ANA
from tests.gateway.doors.console.visitor import Visitor
from traces.records import Open

SignedIn = Callable[..., Visitor]
QUESTION = "net revenue by region in Q3 2026"
CHECK, RUN = "/console/ask/check", "/console/ask/run"
HOSTILE = '<img src=x onerror="alert(1)"></textarea><script>alert(2)</script>'


def asked(gateway: Gateway) -> list[Open]:
    return [record for record in gateway.traces.records() if isinstance(record, Open)]


def test_the_plan_is_read_back_in_words_with_its_cost_before_anything_runs(
    visitor: SignedIn, gateway: Gateway
) -> None:
    ana = visitor("ana")
    page = ana.send(ana.get("/console/ask"), CHECK, question=QUESTION)
    assert page.status == 200 and "This is what would run" in page
    assert re.search(r"Net revenue by region, from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d", page.markup.text)
    assert "It would read" in page and "Gross revenue less refunds." in page
    assert [record.ask.dry_run for record in asked(gateway)] == [True]


def test_what_was_shown_runs_and_every_number_of_the_answer_leads_to_its_cell(visitor: SignedIn) -> None:
    page = visitor("ana").ask(QUESTION)
    assert page.path == "/console/ask" and QUESTION in page and "answered" in page
    links, ids = page.markup.every("href"), page.markup.every("id")
    numbers = [link for link in links if re.fullmatch(r"#n\d+", link)]
    assert numbers and {link.removeprefix("#") for link in numbers} <= set(ids)
    assert re.search(r'<td id="c0-1" data-n="1" class="figure"', page.html)
    assert len(ids) == len(set(ids))
    trace = next(link for link in links if link.startswith("/console/traces/"))
    assert f"{trace}#sql" in links, "the SQL stands on the page of the trace"


def test_the_stages_of_the_checks_are_lit_with_how_many_allow(visitor: SignedIn) -> None:
    page = visitor("ana").ask(QUESTION)
    lights = re.findall(r'<li class="light (\w+)">', page.html)
    assert len(lights) == 5 and set(lights) <= {"allow", "skipped"}
    assert re.search(r"(\d+) of \1 allow", page.markup.text)


def test_a_word_with_two_readings_comes_back_as_buttons_and_the_choice_is_kept_on(
    visitor: SignedIn,
) -> None:
    ana = visitor("ana")
    back = ana.send(ana.get("/console/ask"), CHECK, question="net revenue by region on 03/04/2026")
    assert back.status == 409 and "One thing is open" in back
    options = [button for button in back.form(CHECK).buttons if button[0] == "choose"]
    assert [value.split("\x1f")[1] for _, value in options] == ["2026-04-03", "2026-03-04"]
    chosen = ana.send(back, CHECK, press=options[1])
    assert chosen.status == 200 and "from 2026-03-04 to 2026-03-04" in chosen
    assert "answered" in ana.send(chosen, RUN)


def test_a_question_outside_the_layer_is_refused_in_words_and_nothing_runs(visitor: SignedIn) -> None:
    ana = visitor("ana")
    page = ana.send(ana.get("/console/ask"), CHECK, question="headcount by region last month")
    assert page.status == 200 and "Nothing ran" in page
    assert "'headcount' is no metric of this layer." in page and "unknown_metric" in page
    assert not [form for form in page.markup.forms if form.action == RUN]


def test_a_second_press_of_the_same_button_runs_nothing_again(visitor: SignedIn, gateway: Gateway) -> None:
    ana = visitor("ana")
    checked = ana.send(ana.get("/console/ask"), CHECK, question=QUESTION)
    first, second = ana.send(checked, RUN), ana.send(checked, RUN)
    assert first.response.url == second.response.url
    assert [record.ask.dry_run for record in asked(gateway)] == [True, False]


def test_a_follow_up_goes_on_from_the_question_before_it_and_the_conversation_stays_in_sight(
    visitor: SignedIn,
) -> None:
    ana = visitor("ana")
    first = ana.ask(QUESTION)
    checked = ana.send(first, CHECK, question="by customer segment")
    assert "Net revenue by" in checked and "segment" in checked
    second = ana.send(checked, RUN)
    assert QUESTION in second and "Conversation" in second
    assert len(re.findall(r'<article class="turn', second.html)) == 2


def test_nobody_sees_a_turn_of_somebody_else_s_conversation(visitor: SignedIn) -> None:
    page = visitor("ana").ask(QUESTION)
    others = visitor("emil").get(f"/console/ask?{page.response.url.query.decode()}")
    assert others.status == 200
    assert QUESTION not in others and "$" not in others.markup.text


def test_a_plan_can_be_asked_as_it_is(visitor: SignedIn, revenue: dict[str, object]) -> None:
    ana = visitor("ana")
    page = ana.send(ana.get("/console/ask"), CHECK, question="", plan=json.dumps(revenue))
    assert "Net revenue by region, from 2026-07-01 to 2026-09-30 by month" in page
    assert "answered" in ana.send(page, RUN)


@pytest.mark.parametrize(
    ("plan", "told"),
    [("{", "JSON"), ('{"metrics": []}', "metrics"), ('{"metrics": ["x"], "sql": "SELECT 1"}', "sql")],
)
def test_a_plan_that_is_none_says_what_is_wrong_with_it(visitor: SignedIn, plan: str, told: str) -> None:
    ana = visitor("ana")
    page = ana.send(ana.get("/console/ask"), CHECK, question="", plan=plan)
    assert page.status == 422 and told in page.html
    assert page.markup.forms and plan in dict(
        pair for form in page.markup.forms for pair in form.sends if pair[0] == "plan"
    ).get("plan", ""), "what was typed is kept"


def test_markup_in_a_question_stays_text_on_every_page_that_shows_it(visitor: SignedIn) -> None:
    ana = visitor("ana")
    page = ana.send(ana.get("/console/ask"), CHECK, question=f"net revenue last month {HOSTILE}")
    assert "<img" not in page.html and "alert(2)</script>" not in page.html
    trace = next(link for link in page.markup.every("href") if link.startswith("/console/traces/"))
    shown = ana.get(trace)
    assert "onerror" in shown.markup.text and "<img" not in shown.html


def test_when_the_plan_is_another_one_than_was_shown_the_page_says_so(visitor: SignedIn) -> None:
    ana = visitor("ana")
    checked = ana.send(ana.get("/console/ask"), CHECK, question=QUESTION)
    assert "changed after you saw the plan" not in ana.send(checked, RUN)
    assert "changed after you saw the plan" in ana.send(checked, RUN, shown="0" * 64, key="another press")


def test_the_example_of_every_metric_can_be_asked(open_house: Callable[[], Gateway]) -> None:
    gateway, outcomes = open_house(), {}
    for metric in gateway.list_metrics(ANA, limit=200).metrics:
        card = gateway.describe_metric(ANA, metric.name)
        assert isinstance(card, MetricCard)
        question = example_question(card)
        read = gateway.ask_question(ANA, question)
        outcomes[question] = read.outcome
    assert set(outcomes.values()) <= {"answered", "no_rows", "needs_clarification"}, outcomes
    assert sum(outcome == "answered" for outcome in outcomes.values()) >= len(outcomes) - 2
