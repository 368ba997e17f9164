"""Suggestions of personal data in the console: a data owner accepts one, and it is enforced at once."""

import re
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from gateway.doors.cli.main import run
from gateway.reply import SqlReport
from gateway.service import Gateway
from metric_layer.load import load_layer
from tests.gateway.conftest import ANA
from tests.gateway.doors.console.test_browser import Opened, browser, keep, opened, wrong_with
from tests.gateway.doors.console.visitor import Visitor

__all__ = ["browser", "opened"]
SignedIn = Callable[..., Visitor]
HERE = "/console/personal"
COLUMN = "customers.phone"
CANARY = "zebra.canary.79@example.org"
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


@pytest.fixture
def drifted(console_shop: Path) -> Path:
    """The shop looked at again after a column of plain words filled with addresses."""
    file = console_shop / "var" / "shop.duckdb"
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content)
    with duckdb.connect(str(file)) as database:
        database.execute(f"UPDATE products SET brand = '{CANARY}'")
    words = ["--column", "products.brand", "--tag", "none", "--as", "rita"]
    assert run(["discover", "accept", *words, "--project", str(console_shop)]) == 0
    assert run(["discover", "--drift", "--project", str(console_shop)]) == 3
    return console_shop


def test_an_owner_reads_what_changed_and_goes_by_the_new_look(
    drifted: Path, visitor: SignedIn, gateway: Gateway
) -> None:
    """A column that an owner called not personal holds addresses by now; its tag is the owner's to change."""
    owner = visitor("rita")
    page = owner.get(HERE)
    assert "Not as they were" in page and CANARY not in page.html
    row = re.search(r"<code>products.brand</code>.*?</tr>", page.html, re.DOTALL)
    assert row is not None
    assert re.findall(r"<td>([^<]*)</td>", row[0])[::3] == ["changed pattern", "none"]
    assert "email 100%" in row[0]
    done = owner.send(page, HERE, press=("verdict", "take_up"))
    assert done.status == 200 and "Not as they were" not in done and "products.brand" in done
    assert verdict_of(gateway, "SELECT brand FROM products LIMIT 5") == "allow", "nothing was decided"
    assert run(["discover", "--drift", "--project", str(drifted)]) == 0


def test_a_look_that_the_owner_was_not_shown_is_not_gone_by(drifted: Path, visitor: SignedIn) -> None:
    owner = visitor("rita")
    page = owner.get(HERE)
    assert run(["discover", "--drift", "--project", str(drifted)]) == 3
    assert "Not as they were" in owner.send(page, HERE, press=("verdict", "take_up"))


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [1200, 320])
def test_the_page_is_clean_under_axe_narrow_and_dark(
    drifted: Path, opened: Opened, tmp_path: Path, width: int
) -> None:
    page = opened("rita", viewport={"width": width, "height": 700})
    page.goto(HERE)
    assert page.get_by_role("button", name="Go by the new look").is_visible()
    shots: dict[str, list[bytes]] = {"light": [], "dark": []}
    assert not wrong_with(page, width, shots)
    keep(shots, tmp_path)
