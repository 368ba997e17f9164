"""The commands and examples that the docs show do what the docs say, over the demo shop."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from gateway.doors.cli.main import run
from gateway.scaffold.project import templates
from gateway.service import Gateway
from traces.keybackup import PASSPHRASE
from traces.records import Caller

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
LONG_LIVED = {"init", "serve", "mcp"}
BROKEN = {1, 2, 7}


def test_the_slots_and_the_derivation_of_the_grounding_page_print_what_it_shows(
    gateway: Gateway, ana: Caller, shop: Path
) -> None:
    page = (DOCS / "grounding.md").read_text(encoding="utf-8")
    draft, printed = (text.strip() for text in re.findall(r"```text\n(.*?)```", page, re.DOTALL))
    declared = json.loads(re.findall(r"```json\n(\[.*?)```", page, re.DOTALL)[0])
    plan = json.loads((shop / "plans" / "net_revenue_by_region.json").read_text(encoding="utf-8"))
    asked = gateway.ask(ana, plan)
    checked = gateway.check_answer(ana, draft, [asked.trace_id], declared)
    assert (checked.outcome, checked.text.strip()) == ("passed", printed)


def test_every_command_of_the_quickstart_runs_over_the_shop(
    gateway: Gateway, ana: Caller, shop: Path, revenue: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = gateway.ask(ana, revenue).trace_id
    (shop / "tried.sql").write_text("SELECT * FROM read_csv('/etc/passwd')", encoding="utf-8")
    monkeypatch.chdir(shop)
    page = (DOCS / "quickstart.md").read_text(encoding="utf-8")
    shown = [shlex.split(line) for line in re.findall(r"^    (?:.*\| )?cellbound (.*)$", page, re.MULTILINE)]
    ran = {}
    for words in shown:
        if words[0] not in LONG_LIVED:
            arguments = [{"TRACE": trace, "-": "tried.sql"}.get(word, word) for word in words]
            ran[" ".join(words)] = run(arguments)
    assert len(ran) >= 10
    assert not {command: status for command, status in ran.items() if status in BROKEN}


@pytest.fixture
def whole_demo(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo as `init` makes it, with its cases, and with what the pages take for there."""
    shutil.copytree(templates() / "shop" / "cases", shop / "cases")
    (shop / "mine.sql").write_text("SELECT COUNT(*) AS orders FROM orders", encoding="utf-8")
    (shop / "mine.csv").write_text("orders\n7\n", encoding="utf-8")
    monkeypatch.setenv(PASSPHRASE, "several words nobody puts together")
    monkeypatch.chdir(shop)
    return shop


@pytest.mark.usefixtures("whole_demo")
@pytest.mark.parametrize(("page", "least"), [("release.md", 9), ("keys.md", 9)])
def test_every_command_of_a_page_can_be_typed_as_it_stands_in_the_demo(
    page: str, least: int, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    shown = [
        shlex.split(line, comments=True) for line in re.findall(r"^    cellbound (.*)$", text, re.MULTILINE)
    ]
    assert len(shown) >= least
    Path("total.json").write_text(json.dumps({"metrics": ["order_count"]}), encoding="utf-8")

    def typed(words: list[str]) -> int:
        if "TRACE" not in words:
            return run(words)
        capsys.readouterr()
        assert run(["ask", "total.json", "--json"]) in (0, 3)
        trace = json.loads(capsys.readouterr().out)["trace_id"]
        return run([trace if word == "TRACE" else word for word in words])

    ran = {" ".join(words): typed(words) for words in shown}
    assert not {command: status for command, status in ran.items() if status in BROKEN}
