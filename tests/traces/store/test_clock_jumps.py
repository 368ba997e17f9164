"""The clock of the process jumps, for real: nothing acknowledged is lost, and nobody waits for a time."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.traces.samples import KEY, closed, opened
from tests.traces.signing import keeper
from tests.traces.store.clock_child import PLACES
from traces.chain import Verified
from traces.records import Receipt
from traces.store.files import FileTraceStore

ROOT = Path(__file__).parents[3]
SECONDS = 60
TURNS = ("+400d", "-400d", "-1s", "+12y", "-25y")
FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(FAKETIME is None, reason="no libfaketime: as root, apt-get install libfaketime"),
]


def child(folder: Path, turned: Path, *turns: str) -> "subprocess.Popen[str]":
    """Start a process that asks while its clock is turned; its timers go on as they do on a real machine."""
    turned.write_text("+0s")
    environment = {
        **os.environ,
        "LD_PRELOAD": str(FAKETIME),
        "FAKETIME_TIMESTAMP_FILE": str(turned),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
    }
    command = [sys.executable, "-m", "tests.traces.store.clock_child", str(folder), str(turned), *turns]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment)


def taken(lines: list[str]) -> tuple[list[datetime], list[Receipt]]:
    split = [line.split(" ", 1) for line in lines if line.endswith("}\n")]
    return [datetime.fromisoformat(at) for at, _ in split], [
        Receipt.model_validate_json(receipt) for _, receipt in split
    ]


def prove_all_there(folder: Path, receipts: list[Receipt]) -> None:
    store = FileTraceStore(folder, KEY, keeper=keeper())
    for verdict in store.verify(receipts):
        assert isinstance(verdict, Verified), verdict
    answered = {one.trace_id for one in store.list(limit=1000) if one.outcome == "answered"}
    assert {receipt.trace_id for receipt in receipts} <= answered


def test_a_jump_of_the_clock_at_any_place_of_a_question_loses_nothing_and_holds_up_nobody(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "traces"
    process = child(folder, tmp_path / "turned", *TURNS)
    out, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    moments, receipts = taken(out.splitlines(keepends=True))
    assert len(receipts) == len(TURNS) * PLACES
    now = datetime.now(UTC)
    assert max(moments) - now > timedelta(days=4000)
    assert now - min(moments) > timedelta(days=9000)
    assert [receipt.seq for receipt in receipts] == sorted(receipt.seq for receipt in receipts)
    prove_all_there(folder, receipts)


def test_a_log_goes_on_when_its_next_process_lives_in_another_year(tmp_path: Path) -> None:
    folder = tmp_path / "traces"
    receipts: list[Receipt] = []
    for number, turn in enumerate(TURNS):
        with child(folder, tmp_path / f"turned{number}", *[turn] * 20) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(number + 2)]
            process.kill()
            lines += process.stdout.readlines()
        receipts += taken(lines)[1]
        prove_all_there(folder, receipts)
    store = FileTraceStore(folder, KEY, keeper=keeper())
    store.append(opened("last"), durable=False)
    receipts.append(store.append(closed("last"), durable=True))
    store.close()
    prove_all_there(folder, receipts)
    assert len({receipt.log for receipt in receipts}) == 1
