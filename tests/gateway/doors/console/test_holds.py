"""The queue in the console: what a reviewer needs, one decision that counts, and a run by its asker alone."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gateway.doors.console.hold_pages import ranked
from gateway.doors.console.marked import marked_sql, marked_text
from gateway.holds.opinions import Given
from gateway.reviews.view import HeldFindingView
from gateway.service import Gateway
from tests.gateway.doors.console.visitor import Page, Visitor
from traces.records import Close, Estimate, Scan

pytestmark = pytest.mark.holds
SignedIn = Callable[..., Visitor]
QUESTION = "net revenue by region in May 2026"
REASON = "Needed for the board pack."


@pytest.fixture
def shop(shop: Path) -> Path:
    """A shop in which a question over all orders lies above both warning lines."""
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    lowered = text.replace("bytes: {warn: 20000000", "bytes: {warn: 1000000")
    policy.write_text(lowered.replace("rows: {warn: 2500000", "rows: {warn: 300000"), encoding="utf-8")
    return shop


def held(asker: Visitor, question: str = QUESTION) -> str:
    """Ask a question that is held and return the address of its item."""
    page = asker.ask(question)
    assert "A reviewer has to decide this first. Nothing has run." in page
    return next(link for link in page.markup.every("href") if link.startswith("/console/holds/"))


def decide(reviewer: Visitor, item: str, verdict: str, reason: str = REASON) -> Page:
    return reviewer.send(reviewer.get(item), item, press=("verdict", verdict), reason=reason)


def outcomes(gateway: Gateway) -> list[str]:
    closed = (record for record in gateway.traces.records() if isinstance(record, Close))
    return [record.outcome for record in closed if record.outcome != "dry_run"]


def finding(key: str, **other: object) -> HeldFindingView:
    return HeldFindingView.model_validate(
        {"key": key, "check": "budget", "stage": "cost", "reason": "r", **other}
    )


def test_an_item_gives_the_plan_in_words_each_finding_with_both_lines_and_the_sql_marked(
    visitor: SignedIn,
) -> None:
    item = held(visitor("ana"))
    rita = visitor("rita")
    assert "Net revenue by region" in rita.get("/console/holds")
    page = rita.get(item)
    assert "Net revenue by region, from 2026-05-01 to 2026-05-31" in page
    assert re.search(r"Seen\s+[\d.]+ MB\s+Lines\s+warn 1\.0 MB, hard 40\.0 MB", page.markup.text)
    assert re.search(r"Lines\s+warn 300,000 rows, hard 5,000,000 rows", page.markup.text)
    assert "Estimate against what is usual" in page
    assert re.search(r"<mark>\s*FROM &#34;\w+&#34;", page.html)
    assert not re.search(r"\bana\b", page.markup.text), "the asker stands under a pseudonym"


def test_a_conversation_says_what_became_of_its_held_question(visitor: SignedIn) -> None:
    ana, rita = visitor("ana"), visitor("rita")
    asked = ana.ask(QUESTION)
    there = str(asked.response.url)
    item = next(link for link in asked.markup.every("href") if link.startswith("/console/holds/"))
    assert "A reviewer has to decide this first." in ana.get(there)
    decide(rita, item, "accept")
    page = ana.get(there)
    assert "A reviewer accepted it. It has not run yet" in page and "has to decide" not in page
    assert f"{item}#run" in page.markup.every("href")
    part = ana.get(f"{item}?told=1", hx_request="true")
    assert "A reviewer accepted it." in part and "html" not in part.markup.tags
    ana.send(ana.get(item), "/console/ask/run")
    page = ana.get(there)
    assert "A reviewer accepted it, and it has run since." in page and "has to decide" not in page
    newest = next(link for link in page.markup.every("href") if link.startswith("/console/traces/"))
    assert ana.get(newest).status == 200


def test_a_conversation_says_that_its_question_was_denied(visitor: SignedIn) -> None:
    ana, rita = visitor("ana"), visitor("rita")
    asked = ana.ask(QUESTION)
    item = next(link for link in asked.markup.every("href") if link.startswith("/console/holds/"))
    decide(rita, item, "deny")
    page = ana.get(str(asked.response.url))
    assert "A reviewer denied it." in page and "the question was held for a reviewer" in page


def test_an_asker_is_told_before_running_that_a_reviewer_will_have_to_decide(visitor: SignedIn) -> None:
    ana = visitor("ana")
    page = ana.send(ana.get("/console/ask"), "/console/ask/check", question=QUESTION)
    assert "This is what would run" in page and "a reviewer has to decide it first" in page
    assert re.search(r'<li class="light hold">\s*<details open>', page.html)


def test_an_accept_runs_nothing_until_its_asker_comes_back_and_then_once(
    visitor: SignedIn, gateway: Gateway
) -> None:
    ana, rita = visitor("ana"), visitor("rita")
    item = held(ana)
    page = decide(rita, item, "accept")
    assert page.status == 200 and page.path == item and "accepted" in page and REASON in page
    assert outcomes(gateway) == ["held"]
    own = ana.get(item)
    assert "Nothing has run yet." in own and REASON in own
    answered = ana.send(own, "/console/ask/run")
    assert "answered" in answered and "$" in answered.markup.text
    again = ana.send(own, "/console/ask/run", key="another press")
    assert "answered" not in again
    assert outcomes(gateway).count("answered") == 1


def test_a_reviewer_cannot_run_what_they_accepted(visitor: SignedIn) -> None:
    item = held(visitor("ana"))
    rita = visitor("rita")
    decide(rita, item, "accept")
    assert not [form for form in rita.get(item).markup.forms if form.action == "/console/ask/run"]


def test_who_decides_second_is_told_the_first_decision_and_changes_nothing(visitor: SignedIn) -> None:
    item = held(visitor("ana"))
    rita, rob = visitor("rita"), visitor("rob")
    open_page = rob.get(item)
    decide(rita, item, "deny", "Not for this purpose.")
    late = rob.send(open_page, item, press=("verdict", "accept"), reason="Fine by me.")
    assert late.status == 409
    assert "already_decided" in late and "Not for this purpose." in late and "denied" in late


def test_of_two_reviewers_at_the_same_moment_one_decision_counts(visitor: SignedIn) -> None:
    item = held(visitor("ana"))
    reviewers = [visitor("rita"), visitor("rob")]
    pages = [reviewer.get(item) for reviewer in reviewers]

    def press(at: int) -> int:
        verdict = ("verdict", ("accept", "deny")[at])
        return reviewers[at].send(pages[at], item, press=verdict, reason=REASON).status

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(press, (0, 1))) == [200, 409]


def test_nobody_decides_their_own_question(visitor: SignedIn) -> None:
    rita = visitor("rita")
    item = held(rita)
    page = rita.get(item)
    assert "Nobody decides their own question." in page
    assert not [form for form in page.markup.forms if form.action == item]
    key = page.form("/console/sign-out").sends[0][1]
    forced = rita.http.post(item, data={"form_key": key, "verdict": "accept", "reason": REASON})
    assert forced.status_code == 409 and "own_question" in forced.text


def test_a_decision_without_a_reason_is_none_and_what_was_typed_stays(visitor: SignedIn) -> None:
    item = held(visitor("ana"))
    page = decide(visitor("rita"), item, "accept", "   ")
    assert page.status == 422 and "reason_missing" in page and "waiting" in page


def test_an_asker_sees_their_own_items_and_nobody_else_s(visitor: SignedIn) -> None:
    ana, emil = visitor("ana"), visitor("emil")
    item = held(ana)
    assert "your own" in ana.get("/console/holds")
    assert "Nothing here." in emil.get("/console/holds")
    assert emil.get(item).status == 404
    page = ana.get(item)
    assert not [form for form in page.markup.forms if form.action == item], "and decides none"
    key = page.form("/console/sign-out").sends[0][1]
    forced = ana.http.post(item, data={"form_key": key, "verdict": "accept", "reason": REASON})
    assert forced.status_code == 403


def test_an_accept_can_be_taken_back_before_it_was_used(visitor: SignedIn, gateway: Gateway) -> None:
    ana, rita = visitor("ana"), visitor("rita")
    item = held(ana)
    decide(rita, item, "accept")
    own = ana.get(item)
    decide(rita, item, "revoke", "A mistake of mine.")
    assert "answered" not in ana.send(own, "/console/ask/run")
    assert "answered" not in outcomes(gateway)


def test_a_script_that_looks_again_is_told_the_state_alone(visitor: SignedIn) -> None:
    ana = visitor("ana")
    item = held(ana)
    waiting = ana.get(item, hx_request="true")
    assert waiting.html.startswith('<p id="state"') and "waiting" in waiting
    assert 'hx-trigger="every 5s" hx-swap="outerMorph"' in waiting.html, "what is focused stays focused"
    decide(visitor("rita"), item, "accept")
    done = ana.get(item, hx_request="true")
    assert "accepted" in done and "every 5s" not in done.html


def test_judges_are_held_against_the_people_who_decided_later_with_n_and_a_plot(
    visitor: SignedIn, gateway: Gateway
) -> None:
    ana, rita = visitor("ana"), visitor("rita")
    assert "No judge gave an opinion yet." in rita.get("/console/judges")
    item = held(ana)
    kept = gateway.state.holds.find(item.rpartition("/")[2])
    assert kept is not None
    for finding in kept.hold.findings:
        gateway.state.opinions.note(
            Given(kept.hold.trace_id, finding.key, finding.check, "model", "asked", 0.8, "between both")
        )
    decide(rita, item, "accept")
    page = rita.get("/console/judges")
    row = re.search(r"<code>budget</code>.*?</tr>", page.html, re.DOTALL)
    assert row is not None
    assert re.findall(r'class="figure">([^<]+)<', row[0]) == [
        *("2", "0", "2", "100.0%", "0.040"),
        *("none", "none"),
    ]
    assert page.html.count('<svg xmlns="http://www.w3.org/2000/svg"') == 1
    assert ana.get("/console/judges").status == 403


def test_findings_that_are_open_and_need_more_people_come_first() -> None:
    settled, plain, double, carried = (
        finding("settled", accepted=1),
        finding("plain", stage="answer"),
        finding("double", needed=2, accepted=1),
        finding("carried", carried=True),
    )
    assert [each.key for each in ranked((settled, plain, carried, double))] == [
        "double",
        "plain",
        "settled",
        "carried",
    ]


def test_the_clause_or_the_costliest_relation_of_a_finding_is_marked_and_nothing_else() -> None:
    sql = 'SELECT SUM("b"."x") AS "s" FROM "small" AS "a" JOIN "big" AS "b" ON "a"."k" = "b"."k" WHERE TRUE'
    estimate = Estimate(
        scans=(Scan(relation="main.small", bytes=10), Scan(relation="main.big", bytes=10**9, full=True))
    )

    def marked(*findings: HeldFindingView) -> list[str]:
        return [part.text for part in marked_sql(sql, findings, estimate) if part.marked]

    assert all('"big"' in line for line in marked(finding("f"))) and marked(finding("f"))
    assert marked(finding("f", stage="sql", place="where")) == ["WHERE TRUE"]
    assert marked(finding("f", stage="plan", place="nowhere")) == []
    assert "".join(part.text for part in marked_text("A rose 5% in May.", ())) == "A rose 5% in May."
    spans = marked_text("A rose 5% in May.", (finding("f", span=(2, 6)), finding("g", span=(90, 99))))
    assert [part.text for part in spans if part.marked] == ["rose"]
    assert "".join(part.text for part in spans) == "A rose 5% in May."
