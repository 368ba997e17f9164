"""`metrics diff` and `metrics choices` on the command line: words for people, one object for scripts."""

import io
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.doors.cli.main import run
from gateway.wiring import open_gateway
from tests.gateway.test_choices import choose
from traces.records import Caller

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cellbound(shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs a command line in the shop's folder and returns (status, out, err)."""
    monkeypatch.chdir(shop)

    def said(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        status = run(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return status, captured.out, captured.err

    return said


@pytest.fixture
def after(shop: Path, tmp_path: Path) -> Path:
    """A copy of the shop's definitions in which net revenue means something else, under a new version."""
    folder = tmp_path / "after"
    shutil.copytree(shop / "metrics", folder)
    file = folder / "sales.yml"
    head, found, tail = file.read_text(encoding="utf-8").partition("- name: net_revenue\n")
    tail = tail.replace("version: 3", "version: 4", 1)
    tail = tail.replace("gross_revenue - refunds", "gross_revenue - refunds - shipping_fees", 1)
    file.write_text(head + found + tail, encoding="utf-8")
    return folder


def test_a_difference_is_told_in_words(cellbound: Command, after: Path) -> None:
    status, out, _ = cellbound("metrics", "diff", ".", str(after))
    assert status == 0
    assert "metric net_revenue v3 -> v4: changed\n" in out
    assert "  expression: gross_revenue - refunds -> gross_revenue - refunds - shipping_fees\n" in out
    assert "Affected" not in out, "nothing is made of net revenue"


def test_what_a_change_reaches_is_told_too(cellbound: Command, after: Path, shop: Path) -> None:
    file = after / "sales.yml"
    text = (shop / "metrics" / "sales.yml").read_text(encoding="utf-8")
    file.write_text(text.replace("column: amount", "column: unit_price", 1), encoding="utf-8")
    status, out, _ = cellbound("metrics", "diff", ".", str(after))
    assert status == 3
    assert "metric gross_revenue v2: changed\n  column: amount -> unit_price\n" in out
    assert "  net_revenue: the metric gross_revenue is a part of it\n" in out


def test_the_page_on_changes_shows_what_is_printed(cellbound: Command, after: Path, shop: Path) -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "changes.md").read_text(encoding="utf-8")
    text = (shop / "metrics" / "sales.yml").read_text(encoding="utf-8")
    text = text.replace("version: 2", "version: 3", 1).replace("column: amount", "column: unit_price", 1)
    (after / "sales.yml").write_text(text, encoding="utf-8")
    _, out, _ = cellbound("metrics", "diff", ".", str(after))
    shown = re.findall(r"```text\n(.*?)```", page, re.DOTALL)[0]
    assert shown == out


def test_a_project_beside_itself_is_the_same(cellbound: Command) -> None:
    assert cellbound("metrics", "diff", ".", "metrics") == (0, "same  every definition is what it was\n", "")


def test_a_forgotten_version_exits_with_findings(cellbound: Command, after: Path) -> None:
    file = after / "sales.yml"
    file.write_text(file.read_text(encoding="utf-8").replace("version: 4", "version: 3", 1), encoding="utf-8")
    status, out, _ = cellbound("metrics", "diff", ".", str(after))
    assert status == 3
    assert "metric net_revenue means something else without a new version (v3)" in out


def test_recorded_questions_that_would_change_are_listed(
    cellbound: Command, after: Path, revenue: dict[str, object]
) -> None:
    cellbound("ask", "-", "--dry-run", stdin=json.dumps(revenue))
    status, out, _ = cellbound("metrics", "diff", ".", str(after), "--against-traces")
    assert status == 0
    assert "1 of 1 recorded question of yours would change:" in out
    assert "other SQL: net_revenue by region, asked once as analyst, last in " in out
    assert ": metric net_revenue v3 -> v4" in out
    _, out, _ = cellbound("metrics", "diff", ".", str(after), "--against-traces", "--as", "rita", "--json")
    found = json.loads(out)["questions"]
    assert (found["own_only"], len(found["changed"])) == (False, 1)


def test_a_folder_that_is_none_is_refused_with_its_name(cellbound: Command) -> None:
    status, _, err = cellbound("metrics", "diff", ".", "no-such-folder")
    assert status == 2 and "error[no_folder] no-such-folder: " in err


def test_definitions_that_cannot_be_read_say_on_which_side(cellbound: Command, after: Path) -> None:
    (after / "sales.yml").write_text("metrics: [", encoding="utf-8")
    status, _, err = cellbound("metrics", "diff", ".", str(after))
    assert status == 1 and f"{after}/sales.yml:" in err


def test_readings_are_listed_and_taken_back(cellbound: Command, shop: Path, ana: Caller) -> None:
    gateway = open_gateway(shop)
    try:
        choose(gateway, ana, "turnover", "net_revenue")
    finally:
        gateway.close()
    status, out, _ = cellbound("metrics", "choices")
    assert status == 0 and "turnover" in out and "net_revenue v3" in out and "sales-analytics" in out
    status, out, _ = cellbound("metrics", "choices", "--team", "sales-analytics", "--json")
    assert [line["term"] for line in json.loads(out)["choices"]] == ["turnover"]
    status, _, err = cellbound("metrics", "choices", "--team", "finance")
    assert status == 2 and "not_in_team" in err
    status, _, err = cellbound("metrics", "choices", "--revoke", "turnovr")
    assert status == 2 and "near: turnover" in err
    status, out, _ = cellbound("metrics", "choices", "--revoke", "turnover")
    assert status == 0 and "turnover is asked again from now on" in out
    assert json.loads(cellbound("metrics", "choices", "--json")[1]) == {"choices": [], "revoked": ""}
