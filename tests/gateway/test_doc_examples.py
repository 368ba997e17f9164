"""The commands and examples that the docs show do what the docs say, over the demo shop."""

import json
import re
import shlex
from pathlib import Path

import pytest

from gateway.doors.cli import run
from gateway.service import Gateway
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
