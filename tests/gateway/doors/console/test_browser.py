"""The console in a real Chromium: by keyboard alone, without scripts, dark, narrow, on paper, under axe."""

import shutil
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from gateway.holds.opinions import Given
from gateway.service import Gateway
from tests.gateway.conftest import ANA, RITA
from tests.gateway.doors.console.conftest import token_of
from tests.gateway.doors.console.test_holds import shop
from tests.gateway.doors.console.test_pages import leave_run

__all__ = ["shop"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]
CHROMIUM = shutil.which("chromium")
QUESTION = "net revenue by region in May 2026"
CHEAP = "new customers by region in May 2026"
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
FINDINGS = """() => axe.run(document).then(found => found.violations.map(
    each => each.id + ': ' + each.nodes.map(node => node.target.join(' ')).join(', ')))"""
"""Every rule of axe: those of WCAG 2.0, 2.1 and 2.2 at A and AA, and its own best practices."""
Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Opened]:
    """Opens pages as somebody; what the browser complains of, and a request to elsewhere, fails the test."""
    complaints: list[str] = []
    contexts = []

    def signed_in(user: str, **context: object) -> Page:
        contexts.append(browser.new_context(base_url=address, **context))  # type: ignore[arg-type]
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None,
        )
        page.on(
            "request",
            lambda sent: complaints.append(sent.url) if not sent.url.startswith(address) else None,
        )
        page.goto("/console/sign-in")
        page.fill("#token", token_of(user))
        page.press("#token", "Enter")
        page.wait_for_url("**/console/*")
        return page

    yield signed_in
    for each in contexts:
        each.close()
    assert not complaints


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until something is focused, as somebody without a mouse does."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached by the keyboard")


def ask(page: Page, question: str) -> None:
    page.goto("/console/ask")
    page.fill("#question", question)
    page.get_by_role("button", name="Answer at once").click()
    page.wait_for_url("**/console/ask?**")


def item_of(page: Page) -> str:
    return page.get_by_role("link", name="See what becomes of it").get_attribute("href") or ""


def judge_and_decide(gateway: Gateway, question: str) -> None:
    """Leave an opinion of a judge and a decision of a person on the findings of a held question."""
    kept = gateway.state.holds.find(gateway.ask_question(ANA, question).hold_id)
    assert kept is not None
    for finding in kept.hold.findings:
        given = Given(kept.hold.trace_id, finding.key, finding.check, "model", "asked", 0.7, "between both")
        gateway.state.opinions.note(given)
    gateway.decide_hold(RITA, kept.id, "accept", "Needed.")


def tour(page: Page, item: str, trace_id: str) -> Iterator[str]:
    """Open every page of an administrator in turn, filled with something, and yield its name."""
    for path in (
        "ask",
        "analyses",
        "analyses/revenue_review",
        "metrics",
        "metrics/net_revenue",
        "traces",
        "holds",
        "judges",
        "firing",
        "ladder",
        "ladder/governed",
        "evals",
        "health",
    ):
        page.goto(f"/console/{path}")
        yield path
    page.goto(item)
    page.locator("details.sql summary").click()
    yield "item"
    for path in (f"traces/{trace_id}", f"diff?old={trace_id}&new={trace_id}", "nothing"):
        page.goto(f"/console/{path}")
        yield path
    page.goto("/console/ask")
    page.fill("#question", CHEAP)
    page.get_by_role("button", name="Check").first.click()
    page.locator("details.sql summary").click()
    page.locator(".light summary").first.click()
    yield "checked"
    page.get_by_role("button", name="Run it").click()
    page.locator("#a1").click()
    yield "answer"
    page.get_by_role("link", name="check a text about this answer").click()
    page.fill("#draft", "In May 2026 we won 987654321 new customers.")
    page.get_by_role("button", name="Check the text").click()
    page.wait_for_selector("mark")
    yield "a text with a number of nobody"
    page.goto("/console/holds?status=accepted")
    page.locator("th a").first.click()
    page.get_by_text("Make this an evaluation case").click()
    yield "a decided item"
    page.goto("/console/ask")
    page.fill("#question", "net revenue on 03/04/2026")
    page.get_by_role("button", name="Check").first.click()
    yield "question back"
    page.get_by_role("button", name="Sign out").click()
    yield "sign-in"


def wrong_with(page: Page, width: int, shots: dict[str, list[bytes]]) -> dict[str, list[str]]:
    """Hold a page against the rules in light and in dark, and keep a picture of each."""
    wrong: dict[str, list[str]] = {}
    page.evaluate(AXE)
    for scheme, pictures in shots.items():
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        if found := page.evaluate(FINDINGS):
            wrong[scheme] = found
        pictures.append(page.screenshot(full_page=True))
    page.emulate_media(color_scheme="light")
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        wrong[f"{wide} wide"] = []
    return wrong


def keep(shots: dict[str, list[bytes]], folder: Path) -> None:
    """Leave the pictures where a person may look at them."""
    for scheme, pictures in shots.items():
        for number, picture in enumerate(pictures):
            (folder / f"{scheme}-{number:02}.png").write_bytes(picture)


@pytest.mark.parametrize("width", [1200, 320])
def test_every_page_passes_the_rules_of_wcag_and_never_scrolls_sideways(
    opened: Opened, gateway: Gateway, tmp_path: Path, width: int
) -> None:
    ana = opened("ana")
    ask(ana, QUESTION)
    judge_and_decide(gateway, "net revenue by region in June 2026")
    item, trace_id = item_of(ana), gateway.ask_question(ANA, CHEAP).trace_id
    page = opened("ada", viewport={"width": width, "height": 800}, reduced_motion="reduce")
    shots: dict[str, list[bytes]] = {"light": [], "dark": []}
    names: list[str] = []
    wrong: dict[str, dict[str, list[str]]] = {}
    for name in tour(page, item, trace_id):
        names.append(name)
        if found := wrong_with(page, width, shots):
            wrong[name] = found
    keep(shots, tmp_path)
    assert not wrong
    assert len(names) == 23 and len({*shots["light"], *shots["dark"]}) == 46


@pytest.mark.parametrize("width", [1200, 320])
def test_a_run_of_an_evaluation_passes_the_rules_too(
    opened: Opened, gateway: Gateway, console_shop: Path, tmp_path: Path, width: int
) -> None:
    folder = console_shop / "var" / "runs"
    folder.mkdir()
    leave_run(gateway, folder / "first.jsonl")
    page = opened("rita", viewport={"width": width, "height": 800})
    shots: dict[str, list[bytes]] = {"light": [], "dark": []}
    for path in ("evals", "evals/first"):
        page.goto(f"/console/{path}")
        assert not wrong_with(page, width, shots)
    keep(shots, tmp_path)


@pytest.mark.parametrize("width", [1200, 900])
def test_sign_out_stays_on_the_first_line_of_the_header(opened: Opened, width: int) -> None:
    page = opened("rita", viewport={"width": width, "height": 800})
    brand, leave = (page.locator(one).bounding_box() for one in (".brand", ".who button"))
    assert brand is not None and leave is not None
    assert abs((brand["y"] + brand["height"] / 2) - (leave["y"] + leave["height"] / 2)) < 12


@pytest.mark.parametrize("width", [360, 768, 1000])
def test_no_tab_of_the_header_stands_alone_on_a_line(opened: Opened, width: int) -> None:
    page = opened("ada", viewport={"width": width, "height": 800})
    lines = page.locator(".bar nav a").evaluate_all("tabs => tabs.map(tab => tab.offsetTop)")
    assert len(lines) == 9 and min(map(lines.count, lines)) > 1


def test_an_asker_without_a_mouse_asks_reads_the_plan_runs_it_and_follows_a_number(opened: Opened) -> None:
    page = opened("ana", reduced_motion="reduce")
    page.goto("/console/ask")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip", "the first stop skips the navigation"
    page.keyboard.press("Enter")
    tab_to(page, "#question")
    page.keyboard.type(CHEAP)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=This is what would run")
    tab_to(page, "form[action='/console/ask/run'] button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#a1")
    tab_to(page, "#a1")
    page.keyboard.press("Enter")
    assert page.locator("#n1").is_visible() and not page.locator("#n2").is_visible()
    lit = page.evaluate("getComputedStyle(document.querySelector('td[data-n=\"1\"]')).outlineStyle")
    assert lit == "solid", "the cell of the number is marked"


def test_a_reviewer_without_a_mouse_decides_an_item(opened: Opened) -> None:
    ana = opened("ana")
    ask(ana, QUESTION)
    page = opened("rita")
    assert page.url.endswith("/console/holds"), "a reviewer begins at the queue"
    tab_to(page, "th a")
    page.keyboard.press("Enter")
    page.wait_for_selector("#decide")
    tab_to(page, "summary")
    page.keyboard.press("Enter")
    assert page.locator("mark").first.is_visible(), "the lines in question are marked"
    tab_to(page, "#reason")
    page.keyboard.type("Needed for the board pack.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#rulings")
    assert page.locator("#state .accepted").is_visible()


def test_everything_works_with_scripts_off(opened: Opened) -> None:
    ana, rita = (opened(user, java_script_enabled=False) for user in ("ana", "rita"))
    ask(ana, QUESTION)
    item = item_of(ana)
    rita.goto(item)
    rita.fill("#reason", "Needed for the board pack.")
    rita.get_by_role("button", name="Accept").click()
    assert rita.locator("#state .accepted").is_visible()
    ana.goto(item)
    ana.get_by_role("button", name="Run it now").click()
    assert ana.locator(".verdict.answered").is_visible()
    ana.locator("#a2").click()
    assert ana.locator("#n2").is_visible()
    ana.get_by_role("link", name="Draw the chart of these rows").click()
    assert ana.locator("figure svg").is_visible()
    ana.goto("/console/metrics")
    ana.fill("#search", "refund")
    ana.get_by_role("button", name="Search").click()
    assert 0 < ana.locator("tbody tr").count() < 5


def test_with_scripts_a_chart_comes_by_itself_a_search_as_it_is_typed_and_a_decision_as_it_falls(
    opened: Opened,
) -> None:
    page, rita = opened("ana"), opened("rita")
    ask(page, CHEAP)
    page.wait_for_selector("figure svg", timeout=30_000)
    page.goto("/console/metrics")
    page.locator("#search").press_sequentially("refund")
    expect(page.locator("tbody tr")).to_have_count(2)
    assert page.url.endswith("/console/metrics")
    ask(page, QUESTION)
    item = item_of(page)
    page.goto(item)
    rita.goto(item)
    rita.fill("#reason", "Needed for the board pack.")
    rita.get_by_role("button", name="Accept").click()
    page.wait_for_selector("#state .accepted", timeout=15_000)


def test_markup_that_got_into_a_page_runs_nothing_and_asks_nobody_else(
    browser: Browser, address: str
) -> None:
    """Were a script or a handler ever let into a page, the browser itself would not run it."""
    hurt = (
        "<script>window.hurt = 1</script><img src='/console/static/none' onerror='window.hurt = 2'>"
        "<script src='https://elsewhere.example/x.js'></script>"
        "<a id='j' href='javascript:window.hurt = 3'>x</a>"
    )
    page = browser.new_page(base_url=address)
    blocked: list[str] = []
    failed: dict[str, str] = {}
    page.on("console", lambda said: blocked.append(said.text))
    page.on("requestfailed", lambda sent: failed.update({sent.url: sent.failure or ""}))

    def planted(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</main>", f"{hurt}</main>"))

    page.route("**/console/sign-in", planted)
    page.goto("/console/sign-in")
    assert page.locator("#j").count() == 1, "the markup is in the page"
    page.locator("#j").click()
    assert page.evaluate("window.hurt") is None
    assert failed == {"https://elsewhere.example/x.js": "csp"}
    assert sum("Content Security Policy" in each for each in blocked) >= 3
    page.close()


def test_dark_is_dark_and_paper_shows_the_answer_with_its_sources_and_no_buttons(opened: Opened) -> None:
    papers = []
    for scheme in ("light", "dark"):
        page = opened("ana", color_scheme=scheme)
        ask(page, CHEAP)
        papers.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(set(papers)) == 2
    page.emulate_media(media="print")
    assert page.locator(".source").last.is_visible() and page.locator(".rows").is_visible()
    assert not page.get_by_role("button").all() or not page.get_by_role("button").first.is_visible()
    assert not page.locator("nav").first.is_visible()
    assert len(page.pdf()) > 5_000
