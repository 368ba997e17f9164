"""Two processes over one project and its SQLite file, as under `serve --workers`: one decision, one run."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from gateway.service import Gateway
from gateway.wiring import open_gateway
from traces.chain import Verified
from traces.records import Caller

pytestmark = [pytest.mark.holds, pytest.mark.slow]
Plan = dict[str, object]
ROOT = Path(__file__).resolve().parents[3]
ROUNDS = 4
MEMBERS = """
import json, os, sys, time
from pathlib import Path
from gateway.asking import AskOptions
from gateway.reply import Refusal
from gateway.wiring import open_gateway
from traces.records import Caller

folder, begin = Path(sys.argv[1]), Path(sys.argv[2])
for work in (works := json.loads(sys.argv[3])):
    if os.fork() == 0:
        break
else:
    sys.exit(any([os.wait()[1] for _ in works]))
gateway = open_gateway(folder)
print("ready", flush=True)
while not begin.exists():
    time.sleep(0.001)
for user, role, verb, hold, given in work:
    caller = Caller(user=user, roles=(role,), tenant="shop")
    if verb == "ask":
        said = gateway.ask(caller, given, AskOptions(approval_id=hold)).outcome
    else:
        told = gateway.decide_hold(caller, hold, verb, "as seen")
        said = told.issues[0].code if isinstance(told, Refusal) else told.status
    print(json.dumps([hold, verb, said]), flush=True)
gateway.close()
"""
"""One process that forks the members before it opens anything, as `serve --workers` does."""


def at_once(folder: Path, works: Sequence[Sequence[object]]) -> list[list[str]]:
    """Let a process each do its work, all begun in the same moment; return what each step came to."""
    begin = folder / f"begin-{time.monotonic_ns()}"
    environment = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-c", MEMBERS, str(folder), str(begin), json.dumps(works)]
    members = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert members.stdout is not None
    assert [members.stdout.readline() for _ in works] == ["ready\n"] * len(works)
    begin.touch()
    said, _ = members.communicate(timeout=120)
    assert members.returncode == 0
    return [json.loads(line) for line in said.splitlines()]


@pytest.fixture
def waiting(shop: Path, ana: Caller, revenue: Plan) -> dict[str, Plan]:
    """Questions of the shop that wait, by their holds: each is another question."""
    file = shop / "policies" / "policy.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("bytes: {warn: 20000000,", "bytes: {warn: 1,"), encoding="utf-8")
    plans = [{**revenue, "limit": 10 + number} for number in range(ROUNDS)]
    gateway = open_gateway(shop)
    try:
        return {gateway.ask(ana, plan).hold_id: plan for plan in plans}
    finally:
        gateway.close()


def steps(waiting: Mapping[str, Plan], who: tuple[str, str], verb: str) -> list[object]:
    return [[*who, verb, hold, plan] for hold, plan in waiting.items()]


def test_two_processes_that_decide_and_ask_at_once_have_one_decision_and_one_run(
    shop: Path, waiting: dict[str, Plan]
) -> None:
    rita, ana = ("rita", "reviewer"), ("ana", "analyst")
    decided = at_once(shop, [steps(waiting, rita, "accept"), steps(waiting, rita, "deny")])
    asked = at_once(shop, [steps(waiting, ana, "ask")] * 3)
    for hold in waiting:
        ruled = [said for each, _, said in decided if each == hold]
        came_to = [said for each, _, said in asked if each == hold]
        assert "already_decided" in ruled and len(ruled) == 2, ruled
        if "accepted" in ruled:
            assert came_to.count("answered") == 1 and set(came_to) <= {"answered", "held"}, came_to
        else:
            assert set(came_to) == {"denied"}, came_to
    _is_sound(shop)


def test_the_record_of_two_processes_names_each_use_once(shop: Path, waiting: dict[str, Plan]) -> None:
    rita, ana = ("rita", "reviewer"), ("ana", "analyst")
    at_once(shop, [steps(waiting, rita, "accept")])
    asked = at_once(shop, [steps(waiting, ana, "ask"), steps(dict(reversed(waiting.items())), ana, "ask")])
    assert [said for _, _, said in asked].count("answered") == ROUNDS
    _is_sound(shop)


def _is_sound(folder: Path) -> None:
    """See that the log is whole and that no accept stands in two answers."""
    gateway: Gateway = open_gateway(folder)
    try:
        assert all(isinstance(each, Verified) for each in gateway.traces.verify())
        used = [
            approval.hold_id
            for line in gateway.traces.list(200)
            if (trace := gateway.traces.read(line.trace_id)) is not None and trace.closed is not None
            for approval in trace.closed.approvals
            if trace.closed.outcome == "answered"
        ]
        assert len(used) == len(set(used))
    finally:
        gateway.close()
