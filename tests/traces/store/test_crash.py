"""Killed at any moment: no acknowledged record is missing, torn tails are cut and the cut is on record."""

import os
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest

from tests.traces.samples import KEY, closed, opened
from tests.traces.signing import keeper, notes_in
from traces.chain import Damage, Verified
from traces.errors import TraceUnwritable
from traces.log_records import Recovered
from traces.records import Receipt
from traces.store.files import FileTraceStore

ROOT = Path(__file__).parents[3]
KILLS = int(os.environ.get("CELLBOUND_KILLS", "12"))


def run_child(folder: Path, *arguments: str, kill_after: int | None = None) -> list[Receipt]:
    """Start a writing process, kill it after some acknowledged records, return all that it acknowledged."""
    command = [sys.executable, "-m", "tests.traces.store.crash_child", str(folder), *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        lines: list[bytes] = []
        for line in child.stdout:
            lines.append(line)
            if kill_after is not None and len(lines) == kill_after:
                child.kill()
    return [Receipt.model_validate_json(line) for line in lines if line.endswith(b"\n")]


def prove_all_there(folder: Path, receipts: list[Receipt]) -> None:
    store = FileTraceStore(folder, KEY, keeper=keeper(folder.with_name("elsewhere")))
    for verdict in store.verify(receipts):
        assert isinstance(verdict, Verified), verdict
    answered = {one.trace_id for one in store.list(limit=100_000) if one.outcome == "answered"}
    assert {receipt.trace_id for receipt in receipts} <= answered


@pytest.mark.faults
def test_kill_9_in_a_loop_loses_no_acknowledged_record(tmp_path: Path) -> None:
    chance, folder = random.Random(7), tmp_path / "traces"
    receipts: list[Receipt] = []
    for _ in range(KILLS):
        receipts += run_child(folder, kill_after=chance.randint(1, 60))
        prove_all_there(folder, receipts)
    assert len({receipt.log for receipt in receipts}) == 1
    assert len(notes_in(folder)) > 2


@pytest.mark.faults
def test_who_looks_on_while_writers_are_killed_is_never_stuck_and_never_told_of_damage(
    tmp_path: Path,
) -> None:
    chance, folder = random.Random(11), tmp_path / "traces"
    folder.mkdir()
    reader, over = FileTraceStore(folder, KEY), threading.Event()

    def look_on() -> int:
        looks = 0
        while not over.is_set():
            for verdict in reader.verify():
                assert isinstance(verdict, Verified), verdict
            for one in list(reader.list(limit=3)):
                assert one.readable, one
            looks += 1
        return looks

    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look_on)
        try:
            receipts: list[Receipt] = []
            for _ in range(KILLS // 2):
                receipts += run_child(folder, kill_after=chance.randint(1, 60))
                assert looking.running(), looking.result()
        finally:
            over.set()
        assert looking.result(timeout=10) > KILLS // 2
    for receipt in receipts:
        assert reader.receipt(receipt.trace_id) == receipt


@pytest.mark.faults
def test_a_process_killed_inside_a_write_leaves_a_tail_that_the_next_one_cuts_and_records(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "traces"
    receipts: list[Receipt] = []
    for tear_at in (1, 3, 5, 12):
        receipts += run_child(folder, str(tear_at))
        prove_all_there(folder, receipts)
    store = FileTraceStore(folder, KEY)
    store.append(opened("last"), durable=True)
    receipts.append(store.append(closed("last"), durable=True))
    cuts = [record for record in store.records() if isinstance(record, Recovered)]
    assert len(cuts) == 4
    assert all(cut.cut_bytes > 0 for cut in cuts)
    store.close()
    prove_all_there(folder, receipts)


def written(folder: Path) -> tuple[Path, list[Receipt]]:
    store = FileTraceStore(folder, KEY, log_id="a")
    receipts = [store.append(closed(f"t{number}"), durable=True) for number in range(3)]
    store.close()
    (path,) = folder.glob("*.jsonl")
    return path, receipts


@pytest.mark.parametrize(
    "torn", [b"{", b'{"h":"00', b'{"h":"' + b"0" * 64 + b'","s":4,"r":{"kind"', b"\0\0x"]
)
def test_a_torn_tail_is_cut_and_named_by_its_hash(tmp_path: Path, torn: bytes) -> None:
    path, receipts = written(tmp_path)
    path.write_bytes(path.read_bytes() + torn + bytes(1000))
    store = FileTraceStore(tmp_path, KEY, log_id="a")
    receipts.append(store.append(closed("next"), durable=True))
    store.close()
    (cut,) = [record for record in store.records() if isinstance(record, Recovered)]
    assert (cut.segment, cut.cut_bytes, cut.cut_sha256) == (path.name, len(torn), sha256(torn).hexdigest())
    (verdict,) = FileTraceStore(tmp_path, KEY).verify(receipts)
    assert isinstance(verdict, Verified)
    assert verdict.torn_bytes == 0


def test_every_length_of_a_torn_last_line_is_recovered(tmp_path: Path) -> None:
    path, receipts = written(tmp_path)
    whole = path.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for end in [*range(start + 1, len(whole), 997), len(whole) - 1]:
        path.write_bytes(whole[:end])
        store = FileTraceStore(tmp_path, KEY, log_id="a")
        store.append(closed("next"), durable=True)
        store.close()
        (verdict,) = store.verify(receipts[:-1])
        assert isinstance(verdict, Verified)
        assert verdict.records == 5


def test_space_set_aside_by_a_dead_process_is_given_back_without_a_word(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    path.write_bytes(path.read_bytes() + bytes(500_000))
    store = FileTraceStore(tmp_path, KEY, log_id="a")
    store.append(closed("next"), durable=True)
    store.close()
    assert not [record for record in store.records() if isinstance(record, Recovered)]
    assert path.stat().st_size < 100_000


def test_a_hole_that_a_power_cut_left_is_cut_with_all_that_follows_it(tmp_path: Path) -> None:
    path, receipts = written(tmp_path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], bytes(len(lines[2])), lines[3], b""]))
    store = FileTraceStore(tmp_path, KEY, log_id="a")
    store.append(closed("next"), durable=True)
    store.close()
    (verdict,) = store.verify(receipts[:1])
    assert isinstance(verdict, Verified)


def test_a_segment_that_never_got_its_first_line_is_removed_and_recorded(tmp_path: Path) -> None:
    _, receipts = written(tmp_path)
    (tmp_path / "a.000001.jsonl").write_bytes(b'{"h":"12' + bytes(100))
    (tmp_path / "a.000002.jsonl").write_bytes(b"")
    store = FileTraceStore(tmp_path, KEY, log_id="a")
    receipts.append(store.append(closed("next"), durable=True))
    store.close()
    (cut,) = [record for record in store.records() if isinstance(record, Recovered)]
    assert cut.segment == "a.000001.jsonl"
    (verdict,) = store.verify(receipts)
    assert isinstance(verdict, Verified)
    assert verdict.segments == 1


def test_damage_is_never_covered_up_by_recovery(tmp_path: Path) -> None:
    path, _ = written(tmp_path)
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b"answered", b"denied")
    path.write_bytes(b"\n".join(lines))
    before = path.read_bytes()
    with pytest.raises(TraceUnwritable) as refused:
        FileTraceStore(tmp_path, KEY, log_id="a").append(closed("next"), durable=True)
    assert refused.value.code == "trace_log_damaged"
    fresh = FileTraceStore(tmp_path, KEY)
    fresh.append(closed("next"), durable=True)
    fresh.close()
    assert path.read_bytes() == before
    kinds = {type(verdict) for verdict in fresh.verify()}
    assert kinds == {Damage, Verified}
