"""The page of one answer: every number leads to its cell, nothing acts or loads, nothing private is on it."""

import json
import re
import shutil
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pytest
from playwright.sync_api import Page, sync_playwright

from gateway.doors.evidence_page import evidence_page, render, steady
from gateway.record.evidence import Evidence
from gateway.service import Gateway
from gateway.wiring import open_gateway
from traces.records import Caller

Plan = dict[str, object]
CHROMIUM = shutil.which("chromium")
HOSTILE = '<img src=x onerror="alert(1)"></style><script>alert(2)</script>'


class Markup(HTMLParser):
    """Every element of a page with its attributes, and the text of its style."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.style = ""
        self._inside = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            self.style += data

    def every(self, attribute: str) -> list[str]:
        return [attributes[attribute] for _, attributes in self.elements if attribute in attributes]


@pytest.fixture
def evidence(gateway: Gateway, ana: Caller, revenue: Plan) -> Evidence:
    found = gateway.evidence(ana, gateway.ask(ana, revenue).trace_id)
    assert found is not None
    return found


def page_of(evidence: Evidence) -> bytes:
    return render(evidence, (), no_picture="not drawn here")


def test_every_cited_number_leads_to_its_source_and_from_there_to_its_cell(evidence: Evidence) -> None:
    page = Markup(page_of(evidence))
    ids, links = page.every("id"), page.every("href")
    assert len(ids) == len(set(ids))
    assert {link for link in links if link.startswith("#")} == set(links), "no link leads out of the page"
    assert {link.removeprefix("#") for link in links} <= set(ids)
    for n, citation in enumerate(evidence.told.citations, start=1):
        assert citation.cell is not None
        assert {f"a{n}", f"n{n}"} <= set(ids)
        assert f"#c{citation.cell.row}-2" in links
        assert links.count(f"#n{n}") == 2, "once in the sentence, once in the table"
    assert "#m-net_revenue" in links and "#sql" in links


def test_nothing_on_the_page_acts_or_loads(evidence: Evidence) -> None:
    page = Markup(page_of(evidence))
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "img", "link", "iframe", "object", "embed", "form", "base"}
    names = {name for _, attributes in page.elements for name in attributes}
    assert not {name for name in names if name.startswith("on")} | (
        names & {"style", "src", "srcset", "action"}
    )
    assert "url(" not in page.style and "@import" not in page.style


def test_the_page_forbids_itself_all_but_its_own_style(evidence: Evidence) -> None:
    page = Markup(page_of(evidence))
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    digest = b64encode(sha256(page.style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_markup_in_any_value_stays_text(evidence: Evidence) -> None:
    table = evidence.kept.table
    assert table is not None
    columns = tuple(column.model_copy(update={"label": HOSTILE}) for column in table.columns)
    hostile = table.model_copy(update={"columns": columns, "printed": ((HOSTILE,) * 3, *table.printed[1:])})
    metrics = tuple(
        metric.model_copy(update=dict.fromkeys(("label", "description", "formula", "owner", "unit"), HOSTILE))
        for metric in evidence.metrics
    )
    page = page_of(
        evidence.model_copy(
            update={
                "metrics": metrics,
                "kept": evidence.kept.model_copy(update={"table": hostile}),
                "ran": evidence.ran.model_copy(update={"sql": HOSTILE}),
                "asked": evidence.asked.model_copy(update={"filters": (HOSTILE,), "asker": HOSTILE}),
            }
        )
    )
    assert b"<img" not in page and b"<script" not in page
    assert {tag for tag, _ in Markup(page).elements} == {tag for tag, _ in Markup(page_of(evidence)).elements}


def test_the_lines_of_a_form_stay_lines() -> None:
    assert steady('{\r\n "limit": 3\r\n}') == '{\n "limit": 3\n}'
    assert steady("a\rb") == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize("odd", ["\u202e", "\u2066", "\x00", "\x1b", "\x85", "\ud800"])
def test_no_character_of_a_value_turns_hides_or_breaks_what_stands_around_it(
    evidence: Evidence, odd: str
) -> None:
    told = evidence.told.model_copy(update={"notes": (f"12{odd}34",)})
    page = page_of(evidence.model_copy(update={"told": told})).decode()
    assert "12\ufffd34" in page
    assert odd not in page


def test_a_citation_that_does_not_fit_the_text_leaves_the_text_whole(evidence: Evidence) -> None:
    late = evidence.told.citations[0].model_copy(update={"start": 10_000, "end": 10_001})
    told = evidence.told.model_copy(update={"citations": (late, *evidence.told.citations[1:])})
    page = page_of(evidence.model_copy(update={"told": told})).decode()
    answer = re.search(r'<p class="answer">(.*?)</p>', page, re.DOTALL)
    assert answer is not None
    assert re.sub(r"<[^>]*>", "", answer[1]) == evidence.told.text


def test_a_computed_number_shows_how_it_was_computed(evidence: Evidence) -> None:
    first, *rest = evidence.told.citations
    computed = first.model_copy(
        update={"kind": "derivation", "cell": None, "expression": "pct_change(r1, r2)", "metric": ""}
    )
    told = evidence.told.model_copy(update={"citations": (computed, *rest)})
    page = page_of(evidence.model_copy(update={"told": told})).decode()
    source = re.search(r'id="n1".*?</article>', page, re.DOTALL)
    assert source is not None and "<code>pct_change(r1, r2)</code>" in source[0]
    assert "Cell" not in source[0]


def test_a_page_of_a_thousand_rows_is_made_in_a_moment(evidence: Evidence) -> None:
    table = evidence.kept.table
    assert table is not None
    big = table.model_copy(
        update={
            "height": 1000,
            "numbers": tuple(range(1000)),
            "printed": tuple(table.printed[i % 12] for i in range(1000)),
            "exact": tuple(table.exact[i % 12] for i in range(1000)),
        }
    )
    started = time.process_time()
    page = page_of(evidence.model_copy(update={"kept": evidence.kept.model_copy(update={"table": big})}))
    assert page.count(b"<td id=") == 3000
    assert time.process_time() - started < 5


def test_without_rows_the_cited_values_stay_and_the_page_says_why(
    shop: Path, ana: Caller, revenue: Plan
) -> None:
    start = datetime(2026, 10, 1, tzinfo=UTC)
    early, late = open_gateway(shop, lambda: start), open_gateway(shop, lambda: start + timedelta(hours=2))
    try:
        reply = early.ask(ana, revenue)
        found = late.evidence(ana, reply.trace_id)
    finally:
        early.close()
        late.close()
    assert found is not None
    page = page_of(found).decode()
    assert "kept no longer" in page
    assert "<td id=" not in page
    for citation in reply.citations:
        assert f"<code>{citation.value}</code>" in page


def test_a_question_without_an_answer_has_a_page_with_its_reasons(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    found = gateway.evidence(ana, gateway.ask(ana, {**revenue, "dimensions": ["regoin"]}).trace_id)
    assert found is not None
    page = page_of(found).decode()
    assert "There is no answer. The reasons:" in page
    assert all(f"<strong>{issue.code}</strong>" in page for issue in found.issues)
    assert "regoin" in page and '<span class="verdict hard">' in page


def test_an_auditor_s_page_knows_neither_the_asker_nor_a_row(
    gateway: Gateway, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    found = gateway.evidence(rita, gateway.ask(ana, revenue).trace_id)
    assert found is not None
    page = page_of(found).decode()
    assert "(pseudonym)" in page and "Rows are shown to the asker only." in page
    assert not re.search(r"\bana\b", page)
    assert "<td id=" not in page


def test_no_personal_value_token_key_or_path_is_on_any_page(
    shop: Path, gateway: Gateway, ana: Caller, rita: Caller, monkeypatch: pytest.MonkeyPatch, revenue: Plan
) -> None:
    monkeypatch.setenv("CELLBOUND_CANARY", "canary-of-the-environment")
    by_segment = {**revenue, "metrics": ["net_revenue", "customers_ordering"], "dimensions": ["segment"]}
    trace_ids = [gateway.ask(ana, plan).trace_id for plan in (revenue, by_segment)]
    pages = [
        page_of(found).decode()
        for caller in (ana, rita)
        for trace_id in trace_ids
        if (found := gateway.evidence(caller, trace_id))
    ]
    assert len(pages) == 4
    with duckdb.connect(str(shop / "var" / "shop.duckdb"), read_only=True) as database:
        people = database.execute("SELECT name, email, phone FROM customers LIMIT 2000").fetchall()
    private = {value for row in people for value in row if value}
    keys = json.loads((shop / "var" / "keys.json").read_text(encoding="utf-8"))
    private |= {keys["master"], str(shop), "shop.duckdb", "keys.json", "canary-of-the-environment", "0" * 64}
    assert len(private) > 100
    everything = "\n".join(pages)
    assert not [value for value in private if value in everything]


def test_the_chart_is_drawn_from_the_rows_beside_it(evidence: Evidence) -> None:
    page = evidence_page(evidence)
    assert b'role="graphics-document"' in page and b"Drawn from the rows above." in page
    assert {"script", "style"} & {tag for tag, _ in Markup(page).elements} == {"style"}
    assert not [
        a for _, a in Markup(page).elements if "style" in a or ("href" in a and not a["href"].startswith("#"))
    ]


def test_a_chart_that_is_not_drawn_in_time_leaves_a_page_that_says_so(evidence: Evidence) -> None:
    page = evidence_page(evidence, seconds=0.01)
    assert b"No chart: Drawing took longer" in page and b"<td id=" in page


@pytest.fixture
def browser_page(tmp_path: Path, evidence: Evidence) -> Iterator[Callable[..., Page]]:
    """Opens the page in a real browser with scripts off; every complaint of the browser fails the test."""
    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install chromium")
    file = tmp_path / "evidence.html"
    file.write_bytes(evidence_page(evidence))
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def opened(**context: object) -> Page:
            page = browser.new_context(java_script_enabled=False, **context).new_page()  # type: ignore[arg-type]
            page.on("console", lambda message: complaints.append(message.text))
            page.on("requestfailed", lambda request: complaints.append(request.url))
            page.goto(file.as_uri())
            return page

        yield opened
        browser.close()
    assert not complaints


@pytest.mark.browser
def test_a_reader_clicks_a_number_and_sees_its_cell_definition_and_sql(
    browser_page: Callable[..., Page],
) -> None:
    page = browser_page(viewport={"width": 1200, "height": 900})
    assert not page.locator("#n2").is_visible()
    shown = page.locator("#a2").inner_text()
    page.click("#a2")
    source = page.locator("#n2")
    assert source.is_visible() and shown in source.inner_text()
    assert "row 2, column Net revenue" in source.inner_text() and "Net revenue v3" in source.inner_text()
    cell = page.locator("#c1-2")
    assert cell.inner_text() == shown
    assert cell.is_visible()
    page.click("#n2 >> text=the SQL that gave it")
    assert page.locator("pre").is_visible()
    page.click("#c4-2 a")
    assert page.locator("#n5").is_visible() and not page.locator("#n2").is_visible()


@pytest.mark.browser
def test_a_reader_clicks_a_number_of_the_draft_that_left_and_sees_its_cell_definition_and_sql(
    browser_page: Callable[..., Page], gateway: Gateway, ana: Caller, evidence: Evidence, tmp_path: Path
) -> None:
    told = evidence.told.text.splitlines()[1].removeprefix("- ")
    assert gateway.check_answer(ana, told, [evidence.trace_id]).outcome == "passed"
    found = gateway.evidence(ana, evidence.trace_id)
    assert found is not None and found.sent is not None
    (tmp_path / "evidence.html").write_bytes(page_of(found))
    page = browser_page(viewport={"width": 1200, "height": 900})
    number = page.locator(".answer.sent a.number")
    assert number.count() == 1 and page.locator(".answer.sent").inner_text() == told
    assert number.inner_text() == found.sent.citations[0].text
    place = f"#n{len(found.told.citations) + 1}"
    number.click()
    source = page.locator(place)
    assert source.is_visible() and "row 2, column Net revenue" in source.inner_text()
    assert "Net revenue v3" in source.inner_text()
    page.click(f"{place} >> text=the SQL that gave it")
    assert page.locator("pre").is_visible()


@pytest.mark.browser
def test_the_page_fits_wide_and_narrow_light_and_dark_and_prints_every_source(
    browser_page: Callable[..., Page],
) -> None:
    papers = set()
    for width, scheme in ((360, "light"), (1200, "dark")):
        page = browser_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        body = page.locator("body").bounding_box()
        assert body is not None and body["width"] <= width
        for chart in page.locator("figure svg").all():
            drawn = chart.bounding_box()
            assert drawn is not None and drawn["x"] > 0 and drawn["x"] + drawn["width"] <= width
        assert page.locator("figure svg").count()
        papers.add(page.screenshot(clip={"x": 0, "y": 0, "width": 4, "height": 4}))
        page.emulate_media(media="print")
        assert page.locator(".source").last.is_visible(), "on paper every source is shown"
    assert len(papers) == 2, "dark is dark"
