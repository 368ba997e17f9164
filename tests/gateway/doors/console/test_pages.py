"""The other pages: what is catalogued, recorded, compared, counted and well, each for its own reader."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from evals.agents import GoldPlans
from evals.cases import Case
from evals.replies import given_of_reply
from evals.results import RunLine, append
from evals.runner import RunPlan, run_plan
from evals.subject import Given
from gateway.bench import open_bench
from gateway.reply import Refusal
from gateway.service import Gateway
from metric_layer.plan import MetricPlan
from policies.load import govern
from policies.policy import Lines
from tests.gateway.conftest import ANA, EMIL, RITA
from tests.gateway.doors.console.visitor import Visitor

SignedIn = Callable[..., Visitor]
HOSTILE = "<b onclick=alert(1)>x</b>"


def newest_trace(reader: Visitor) -> str:
    """Return the address of the trace that stands first in a reader's list."""
    links = reader.get("/console/traces").markup.every("href")
    return next(link for link in links if re.match(r"/console/traces/\w", link))


def test_the_catalogue_lists_each_metric_with_owner_version_and_meaning(
    visitor: SignedIn, gateway: Gateway
) -> None:
    page = visitor("ana").get("/console/metrics")
    for metric in gateway.list_metrics(ANA, limit=200).metrics:
        assert metric.label in page and metric.owner in page and " ".join(metric.description.split()) in page


def test_a_metric_that_a_person_may_not_see_is_on_none_of_their_pages(
    visitor: SignedIn, gateway: Gateway
) -> None:
    seen = {metric.name for metric in gateway.list_metrics(EMIL, limit=200).metrics}
    hidden = {metric.name for metric in gateway.list_metrics(ANA, limit=200).metrics} - seen
    assert "ticket_count" in hidden
    emil = visitor("emil")
    pages = [emil.get(f"/console/{page}") for page in ("metrics", "metrics?search=ticket", "ask", "traces")]
    assert not [name for name in hidden for page in pages if name in page.html]
    gone, never = emil.get("/console/metrics/ticket_count"), emil.get("/console/metrics/ticket_counts")
    assert gone.status == never.status == 404
    assert gone.html.replace("ticket_count", "") == never.html.replace("ticket_counts", "")


def test_a_search_finds_and_a_script_gets_the_list_alone(visitor: SignedIn) -> None:
    ana = visitor("ana")
    whole = ana.get("/console/metrics?search=refund")
    part = ana.get("/console/metrics?search=refund", hx_request="true")
    assert "Refunds" in whole and "Sessions" not in whole
    assert part.html.startswith("<section") and part.html.strip() in whole.html
    assert "No metric that you may ask for matches." in ana.get(f"/console/metrics?search={HOSTILE}")
    assert HOSTILE not in ana.get(f"/console/metrics?search={HOSTILE}").html


def test_markup_in_a_definition_stays_text(console_shop: Path, visitor: SignedIn, gateway: Gateway) -> None:
    file = console_shop / "metrics" / "sales.yml"
    text = file.read_text(encoding="utf-8")
    label = re.search(r"label: (Net revenue)", text)
    assert label is not None
    file.write_text(text.replace(label[0], f"label: '{HOSTILE}'", 1), encoding="utf-8")
    reloaded = gateway.reload()
    assert reloaded is not None and reloaded.outcome == "changed", reloaded
    ana = visitor("ana")
    for page in ("metrics", "metrics/net_revenue"):
        assert HOSTILE in ana.get(f"/console/{page}") and "<b " not in ana.get(f"/console/{page}").html


def test_a_trace_shows_how_its_answer_came_about_and_its_chart_on_request(visitor: SignedIn) -> None:
    ana = visitor("ana")
    ana.ask("net revenue by region in Q3 2026")
    link = newest_trace(ana)
    page = ana.get(link)
    assert all(part in page for part in ("Answer", "Rows", "Definitions", "SQL as it ran", "Pins", "Receipt"))
    assert page.markup.every("id").count("sql") == 1
    charts = ana.get(f"{link}/charts")
    assert "<svg" in charts.html and "Drawn from the rows of the answer." in charts
    assert ana.get(f"{link}/charts", hx_request="true").html.startswith('<div id="charts">')


def test_an_auditor_sees_the_trace_without_rows_and_without_the_asker_s_name(visitor: SignedIn) -> None:
    visitor("ana").ask("net revenue by region in Q3 2026")
    rita = visitor("rita")
    link = next(
        link
        for link in rita.get("/console/traces").markup.every("href")
        if re.match(r"/console/traces/\w", link)
    )
    page = rita.get(link)
    assert "(pseudonym)" in page and "Rows are shown to the asker only." in page
    assert not re.search(r"\bana\b", page.markup.text)


def test_an_asker_is_shown_their_own_traces_only(visitor: SignedIn) -> None:
    visitor("ana").ask("net revenue by region in Q3 2026")
    emil = visitor("emil")
    assert "Nothing was asked yet." in emil.get("/console/traces")


@pytest.mark.parametrize("wanted", ["../metrics", "%2e%2e/health", "x y", "//evil.example"])
def test_an_id_that_is_typed_leads_to_no_other_place(visitor: SignedIn, wanted: str) -> None:
    page = visitor("ana").get(f"/console/traces?id={wanted}")
    assert page.path == "/console/traces"


def test_two_traces_part_at_the_first_step_that_differs(visitor: SignedIn, gateway: Gateway) -> None:
    ids = [
        gateway.ask_question(ANA, f"net revenue by region {period}").trace_id
        for period in ("in May 2026", "in June 2026")
    ]
    ana = visitor("ana")
    page = ana.get(f"/console/diff?old={ids[0]}&new={ids[1]}")
    assert "They part first at plan." in page and "Numbers that changed" in page
    same = ana.get(f"/console/diff?old={ids[0]}&new={ids[0]}")
    assert "Nothing that was told differs." in same
    assert visitor("emil").get(f"/console/diff?old={ids[0]}&new={ids[1]}").status == 404


def test_an_auditor_s_comparison_tells_no_number(visitor: SignedIn, gateway: Gateway) -> None:
    replies = [
        gateway.ask_question(ANA, f"net revenue by region {period}")
        for period in ("in May 2026", "in June 2026")
    ]
    page = visitor("rita").get(f"/console/diff?old={replies[0].trace_id}&new={replies[1].trace_id}")
    assert page.status == 200
    values = {citation.value for reply in replies for citation in reply.citations}
    assert values and not [value for value in values if value in page.html]


def test_checks_are_listed_with_how_often_they_fired_among_those_they_judged(
    visitor: SignedIn, gateway: Gateway
) -> None:
    for dimension in ("region", "regoin"):
        gateway.ask(ANA, {"metrics": ["net_revenue"], "dimensions": [dimension]})
    page = visitor("rita").get("/console/firing?weeks=4")
    assert "Questions: 2." in page
    row = re.search(r"<code>plan</code>.*?</tr>", page.html, re.DOTALL)
    assert row is not None and re.findall(r'class="figure">(\d+)<', row[0]) == ["1", "2"]
    assert "50.0%" in row[0]


def test_the_questions_drawn_for_a_day_are_linked_from_the_page_of_checks(
    visitor: SignedIn, gateway: Gateway, console_shop: Path
) -> None:
    trace = gateway.ask(ANA, {"metrics": ["net_revenue"], "dimensions": ["region"]}).trace_id
    day = gateway.house.now().date() - timedelta(days=1)
    drawn = {"question_class": "governed", "outcome": "allowed", "n": 4, "traces": [trace]}
    folder = console_shop / "var" / "samples"
    folder.mkdir()
    text = json.dumps({"day": day.isoformat(), "tenants": {"shop": [drawn]}})
    (folder / f"{day.isoformat()}.json").write_text(text, encoding="utf-8")
    page = visitor("rita").get("/console/firing")
    assert "Drawn each day" in page and "governed, allowed: 1 of 4" in page
    assert page.html.count(f'href="/console/traces/{trace}"') == 2, "drawn for its day and for its week"


def test_health_says_what_is_wrong_and_keeps_its_details_for_administrators(visitor: SignedIn) -> None:
    ana, ada = (visitor(user).get("/console/health") for user in ("ana", "ada"))
    assert ana.status == ada.status == 200
    assert "Questions can be answered." in ana and "Questions can be answered." in ada
    assert ">Detail<" not in ana.html and ">Detail<" in ada.html


def leave_run(gateway: Gateway, file: Path) -> list[RunLine]:
    """Run an evaluation of one case, with markup in its words, into a file, and return its lines."""
    case = Case(
        id="net-by-region",
        question=f"Net revenue by region {HOSTILE}?",
        gold_plan=MetricPlan(metrics=("net_revenue",), dimensions=("region",)),
    )
    bench = open_bench(gateway, RITA, shown_rows=50)
    assert not isinstance(bench, Refusal)

    def plan(raw: Mapping[str, Any], asker: str) -> Given:
        assert not asker
        return given_of_reply(gateway.ask(RITA, raw).model_dump(mode="json", by_alias=True))

    subject = GoldPlans({case.id: case}, plan)
    run = run_plan(RunPlan(known=(case,), subject_name="gold"), subject, bench, ())
    return list(append(file, run))


def test_a_run_is_shown_by_families_with_n_and_never_with_rows(
    visitor: SignedIn, gateway: Gateway, console_shop: Path
) -> None:
    folder = console_shop / "var" / "runs"
    folder.mkdir()
    rita = visitor("rita")
    assert "No run yet." in rita.get("/console/evals")
    lines = leave_run(gateway, folder / "first.jsonl")
    assert lines[0].run.shown is not None
    page = rita.get("/console/evals/first")
    assert "Questions asked: 1." in page and "Families" in page and "net-by-region" in page
    assert HOSTILE in page and "<b onclick" not in page.html
    whole = rita.get("/console/evals/first?whole=1")
    assert whole.response.headers["content-security-policy"] == "frame-ancestors 'none'"
    policy = next(found["content"] for _, found in whole.markup.elements if "http-equiv" in found)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    rows = {text for row in lines[0].run.shown.gold.rows for text in row if text and "." in text}
    assert rows and not [text for text in rows if text in whole.html or text in page.html]


@pytest.mark.parametrize("name", ["nothing", "..%2f..%2fcellbound", "%2e%2e"])
def test_a_run_is_a_file_of_the_folder_and_no_other(visitor: SignedIn, name: str) -> None:
    assert visitor("rita").get(f"/console/evals/{name}").status == 404


def test_a_run_that_cannot_be_read_says_where(visitor: SignedIn, console_shop: Path) -> None:
    folder = console_shop / "var" / "runs"
    folder.mkdir()
    (folder / "broken.jsonl").write_text('{"v": 1}\n', encoding="utf-8")
    page = visitor("rita").get("/console/evals/broken")
    assert page.status == 503 and "The line holds no result" in page
    assert str(console_shop) not in page.html


def test_checks_show_who_decides_how_fast_and_how_often_they_accept(
    visitor: SignedIn, gateway: Gateway, console_shop: Path
) -> None:
    ada = visitor("ada")
    assert "How people decide" not in ada.get("/console/firing")
    policy = gateway.house.governed.policy
    tight = policy.budget.model_copy(update={"rows": Lines(warn=1, hard=10**12), "bytes": None})
    house = gateway.house
    gateway.houses.replace(replace(house, governed=govern(policy.model_copy(update={"budget": tight}))))
    for month, verdict in (("May", "accept"), ("June", "deny")):
        held = gateway.ask_question(ANA, f"net revenue by region in {month} 2026")
        gateway.decide_hold(RITA, held.hold_id, verdict, "because")
    page = ada.get("/console/firing")
    assert "How people decide" in page
    assert re.search(r"u_\w+\s+2\s+50\.0%\s+0 s", page.markup.text), page.markup.text[-600:]
    assert "rita" not in page.markup.text.split("How people decide")[1]
