"""Suggestions of personal data in the console: a data owner accepts one, and it is enforced at once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.doors.cli.main import run
from gateway.reply import SqlReport
from gateway.service import Gateway
from metric_layer.load import load_layer
from tests.gateway.conftest import ANA
from tests.gateway.doors.console.test_browser import AXE, FINDINGS, Opened, browser, opened
from tests.gateway.doors.console.visitor import Visitor

__all__ = ["browser", "opened"]
SignedIn = Callable[..., Visitor]
HERE = "/console/personal"
COLUMN = "customers.phone"
BY_SEGMENT = {"metrics": ["new_customers"], "dimensions": ["segment"]}


@pytest.fixture
def console_shop(console_shop: Path) -> Path:
    """The console's shop with a data owner, looked at, and a column whose tag nobody has written yet."""
    policy = console_shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("evaluate, review]", "evaluate, review, accept_tags]"), encoding="utf-8")
    datasets = console_shop / "metrics" / "datasets.yml"
    text = datasets.read_text(encoding="utf-8")
    untagged = text.replace("{name: phone, type: string, personal: contact}", "{name: phone, type: string}")
    datasets.write_text(untagged, encoding="utf-8")
    assert run(["discover", "--project", str(console_shop)]) == 0
    return console_shop


def tag_of(shop: Path) -> str:
    columns = load_layer(shop / "metrics").datasets["customers"].columns
    return next(column.personal for column in columns if column.name == "phone")


def verdict_of(gateway: Gateway, sql: str) -> str:
    report = gateway.check_sql(ANA, sql)
    assert isinstance(report, SqlReport)
    return report.verdict


def test_an_owner_accepts_a_suggestion_and_it_is_in_force_at_once(
    visitor: SignedIn, gateway: Gateway, console_shop: Path
) -> None:
    owner = visitor("rita")
    page = owner.get(HERE)
    assert page.status == 200 and COLUMN in page and "+1 555" not in page.html
    assert verdict_of(gateway, "SELECT phone FROM customers LIMIT 5") == "allow"
    done = owner.send(page, HERE, press=("verdict", "accept"))
    assert done.status == 200 and "Nothing waits for a decision." in done
    assert tag_of(console_shop) == "contact"
    assert verdict_of(gateway, "SELECT phone FROM customers LIMIT 5") == "hard"


def test_not_personal_is_a_decision_too(visitor: SignedIn, console_shop: Path) -> None:
    owner = visitor("rita")
    done = owner.send(owner.get(HERE), HERE, press=("verdict", "none"))
    assert "Nothing waits for a decision." in done
    assert tag_of(console_shop) == ""


def test_nobody_else_sees_or_decides(visitor: SignedIn, console_shop: Path) -> None:
    page = visitor("rita").get(HERE)
    asker = visitor("ana")
    assert asker.get(HERE).status in (403, 404)
    assert HERE not in asker.get("/console/metrics").markup.every("href")
    form = page.form(HERE)
    sent = dict(form.sends, verdict="accept")
    assert asker.http.post(HERE, data=sent).status_code in (403, 404)
    assert tag_of(console_shop) == ""


def test_a_tag_that_cannot_be_one_is_said_and_not_written(visitor: SignedIn, console_shop: Path) -> None:
    owner = visitor("rita")
    page = owner.send(owner.get(HERE), HERE, press=("verdict", "accept"), tag="Not A Tag")
    assert page.status == 422 and COLUMN in page
    assert tag_of(console_shop) == ""


@pytest.mark.browser
@pytest.mark.slow
def test_the_page_is_clean_under_axe_narrow_and_dark(opened: Opened, tmp_path: Path) -> None:
    kinds: tuple[dict[str, object], ...] = (
        {},
        {"color_scheme": "dark"},
        {"viewport": {"width": 320, "height": 700}},
    )
    for number, context in enumerate(kinds):
        page = opened("rita", **context)
        page.goto(HERE)
        page.evaluate(AXE)
        assert page.evaluate(FINDINGS) == []
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
        page.screenshot(path=tmp_path / f"personal-{number}.png", full_page=True)
