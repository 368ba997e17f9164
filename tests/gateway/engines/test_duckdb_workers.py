"""Queries run in processes that can be killed: what outruns a limit ends, and the gateway lives on."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.engines import duckdb_process
from gateway.engines.base import EngineBusy, EngineCancelled, EngineError, EngineTimeout, Identity, Limits
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.duckdb_fleet import FLEET
from gateway.engines.duckdb_process import GRACE, STUBBORN_AFTER, Size, Worker
from gateway.engines.duckdb_spill import hold
from gateway.settings.file import DuckDBSettings
from tests.gateway.engines.processes import PATIENCE, computes, wait_until, workers_of

ROOT = Path(__file__).resolve().parents[3]
LATE = 10.0
"""Seconds by which a crowded machine may be late: far from what a query of these tests may take."""
ENDLESS = "SELECT count(*) FROM events a, events b WHERE a.kind <> b.kind"
# What neither listens to an interrupt nor counts its memory.
DEAF = (
    "SELECT list_reduce(range(100000000), lambda x, y: (x * 31 + y) % 1000003)",
    "SELECT levenshtein(repeat('ab', 800000), repeat('ba', 800000))",
    "SELECT len(replace(repeat('a', 20000000), 'a', repeat('b', 1000)))",
)
HUNGRY = (
    "SELECT len(repeat('x', 3000000000))",
    "SELECT list_sum(list_transform(range(300000000), lambda x: x * 2))",
    "SELECT len(string_agg(repeat(kind, 20000), '')) FROM events",
)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    """End every worker after each test: one test's processes are none of the next one's business."""
    FLEET.end()
    yield
    FLEET.end()
    assert not workers_of()


def _asks(engine: DuckDBEngine, who: Identity, limits: Limits) -> bool:
    return engine.run("SELECT count(*) FROM orders", who, limits, "after").rows == ((30_000,),)


def _warm(engine: DuckDBEngine, who: Identity, limits: Limits) -> int:
    """Ask once, and return the process that will answer the next question of the same role."""
    assert _asks(engine, who, limits)
    (worker,) = (each.pid for each in FLEET.idle if each.holds)
    return worker


def test_a_spare_that_has_waited_for_long_takes_its_first_order(monkeypatch: pytest.MonkeyPatch) -> None:
    spare = Worker(Size(memory_mb=256, spill_mb=0))
    try:
        assert wait_until(lambda: bool(spare._arrival.poll(0)), 30)
        monkeypatch.setattr(duckdb_process, "START_SECONDS", 0.0)
        spare.wait_until_ready(lambda: None)
        assert spare.fit
    finally:
        spare.end()


@pytest.mark.slow
@pytest.mark.parametrize("bomb", DEAF)
def test_what_ignores_every_limit_is_killed_at_its_deadline(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, limits: Limits, bomb: str
) -> None:
    engine, short = make_engine(memory_mb=256), replace(limits, seconds=0.5, memory_mb=256)
    _asks(engine, analyst, limits)
    for ask in (
        lambda: engine.run(bomb, analyst, short, "bomb"),
        lambda: engine.explain(bomb, analyst, short),
    ):
        started = time.monotonic()
        with pytest.raises(EngineTimeout) as caught:
            ask()
        assert time.monotonic() - started < short.seconds + GRACE + LATE
        assert (caught.value.code, caught.value.retryable) == ("query_timeout", True)
        assert _asks(engine, analyst, limits)


@pytest.mark.parametrize("bomb", HUNGRY)
def test_what_takes_too_much_memory_ends_and_the_engine_lives_on(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, limits: Limits, bomb: str
) -> None:
    engine = make_engine(memory_mb=256)
    with pytest.raises(EngineError) as caught:
        engine.run(bomb, analyst, replace(limits, seconds=10), "bomb")
    assert caught.value.code in {"query_too_large", "worker_died", "query_timeout"}
    assert _asks(engine, analyst, limits)


def test_a_cancel_that_is_not_obeyed_kills(engine: DuckDBEngine, analyst: Identity, limits: Limits) -> None:
    worker = _warm(engine, analyst, limits)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, DEAF[0], analyst, limits, "deaf")
        assert computes(worker)
        started = time.monotonic()
        engine.cancel("deaf")
        with pytest.raises(EngineCancelled):
            running.result(timeout=PATIENCE)
    assert STUBBORN_AFTER <= time.monotonic() - started < LATE
    assert wait_until(lambda: worker not in workers_of())
    assert _asks(engine, analyst, limits)


def test_a_cancel_that_is_obeyed_keeps_the_process(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    worker = _warm(engine, analyst, limits)
    before = set(workers_of())
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, ENDLESS, analyst, limits, "endless")
        assert computes(worker)
        engine.cancel("endless")
        with pytest.raises(EngineCancelled):
            running.result(timeout=PATIENCE)
    assert _asks(engine, analyst, limits)
    assert before <= set(workers_of())


def test_a_process_that_dies_is_said_and_replaced(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    worker = _warm(engine, analyst, limits)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, ENDLESS, analyst, limits, "endless")
        assert computes(worker)
        os.kill(worker, signal.SIGSEGV)
        with pytest.raises(EngineError) as caught:
            running.result(timeout=PATIENCE)
    assert (caught.value.code, caught.value.retryable) == ("worker_died", True)
    assert caught.value.next_step
    assert wait_until(lambda: bool(workers_of()) and worker not in workers_of())
    assert _asks(engine, analyst, limits)


def test_an_idle_process_that_dies_is_noticed_and_leaves_no_zombie(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    _asks(engine, analyst, limits)
    (idle,) = (each for each in FLEET.idle if each.holds)
    os.kill(idle.pid, signal.SIGKILL)
    assert wait_until(lambda: not idle.fit)
    assert _asks(engine, analyst, limits)
    assert wait_until(lambda: idle.pid not in workers_of())


def test_a_spare_is_kept_warm_while_the_engine_is_open(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, ENDLESS, analyst, limits, "endless")
        assert wait_until(lambda: len(workers_of()) == 2)
        engine.cancel("endless")
        with pytest.raises(EngineCancelled):
            running.result(timeout=PATIENCE)


def test_a_process_has_walls_and_nothing_of_the_gateway(
    engine: DuckDBEngine, shop: Path, analyst: Identity, limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CELLBOUND_MASTER_KEY", "very secret")
    with (ROOT / "README.md").open(encoding="utf-8") as secret:
        os.set_inheritable(secret.fileno(), True)
        _asks(engine, analyst, limits)
    (worker,) = (each.pid for each in FLEET.idle if each.holds)
    process = Path("/proc") / str(worker)
    names = {line.split(b"=")[0] for line in (process / "environ").read_bytes().split(b"\0") if line}
    assert names <= {b"PYTHONPATH", b"LANG", b"LD_LIBRARY_PATH", b"LC_CTYPE"}
    opened = {str(each.readlink()).partition(":")[0] for each in (process / "fd").iterdir()}
    assert opened == {"pipe", os.devnull, str(shop)}
    assert os.getpgid(worker) == worker
    walls = {
        line[:25].strip(): line[25:].split()[0] for line in (process / "limits").read_text().splitlines()
    }
    assert walls["Max address space"] == str((512 + 2048) << 20)
    assert walls["Max file size"] == walls["Max core file size"] == "0"
    assert "NoNewPrivs:\t1" in (process / "status").read_text()


def test_roles_share_no_process_at_the_same_time(
    engine: DuckDBEngine, analyst: Identity, clerk: Identity, limits: Limits
) -> None:
    for _ in range(3):
        for who, count in ((analyst, 30_000), (clerk, 10_000)):
            assert engine.run("SELECT count(*) FROM orders", who, limits, "q").rows == ((count,),)
    held = [worker.holds for worker in FLEET.idle]
    assert len(held) == len(set(held))


def test_what_a_killed_process_spilt_is_removed(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, limits: Limits, tmp_path: Path
) -> None:
    engine = make_engine(memory_mb=64, spill_mb=2000)
    spilling = (
        "SELECT event_id FROM events a, range(20) t(i) ORDER BY hash(event_id + i), kind OFFSET 19999999"
    )
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, spilling, analyst, limits, "spilling")
        assert wait_until(lambda: _spilt(tmp_path / "spill"))
        for worker in workers_of():
            os.kill(worker, signal.SIGKILL)
        with pytest.raises(EngineError):
            running.result(timeout=PATIENCE)
    assert wait_until(lambda: not _spilt(tmp_path / "spill"))


def _spilt(folder: Path) -> bool:
    """Say whether rows lie in a folder that others may empty meanwhile."""
    return any(name.endswith(".tmp") for _, _, names in os.walk(folder) for name in names)


def test_what_a_dead_gateways_processes_spilt_is_removed(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, limits: Limits, tmp_path: Path
) -> None:
    left, held = tmp_path / "spill" / "duckdb-1", tmp_path / "spill" / "duckdb-2"
    left.mkdir(parents=True)
    (left / "spilt.tmp").write_text("rows")
    handle = hold(held)
    _asks(make_engine(spill_mb=100), analyst, limits)
    os.close(handle)
    assert not left.exists()
    assert held.exists()


def test_fifty_questions_over_two_processes_are_all_answered(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, clerk: Identity, limits: Limits
) -> None:
    engine = make_engine(duckdb=DuckDBSettings(mode="soft", workers=2, wait_seconds=60))

    def ask(number: int) -> bool:
        who, count = ((analyst, 30_000), (clerk, 10_000))[number % 2]
        sql = "SELECT count(*), sum(amount) FROM orders"
        engine.explain(sql, who, limits)
        return engine.run(sql, who, limits, str(number)).rows[0][0] == count

    with ThreadPoolExecutor(50) as pool:
        assert all(pool.map(ask, range(50)))
    assert len(workers_of()) <= 3


def test_a_full_queue_is_busy_and_says_when_to_come_again(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, limits: Limits
) -> None:
    engine = make_engine(duckdb=DuckDBSettings(mode="soft", workers=1, waiting=0, wait_seconds=2))
    worker = _warm(engine, analyst, limits)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, ENDLESS, analyst, limits, "endless")
        assert computes(worker)
        with pytest.raises(EngineBusy) as caught:
            engine.run("SELECT 1", analyst, limits, "second")
        engine.cancel("endless")
        with pytest.raises(EngineCancelled):
            running.result(timeout=PATIENCE)
    assert (caught.value.code, caught.value.retry_after) == ("database_busy", 2)


def test_a_hundred_cancels_stop_a_hundred_questions(
    make_engine: Callable[..., DuckDBEngine], analyst: Identity, limits: Limits
) -> None:
    engine = make_engine(duckdb=DuckDBSettings(mode="soft", waiting=100, wait_seconds=60))
    _asks(engine, analyst, limits)

    def ask(number: int) -> str:
        try:
            engine.run(ENDLESS, analyst, limits, str(number))
        except EngineError as error:
            return error.code
        return "answered"

    with ThreadPoolExecutor(200) as pool:
        asked = [pool.submit(ask, number) for number in range(100)]
        time.sleep(0.2)
        list(pool.map(engine.cancel, map(str, range(100))))
        assert {each.result(timeout=PATIENCE) for each in asked} == {"query_cancelled"}
    assert _asks(engine, analyst, limits)


def test_a_closed_engine_stops_what_runs_and_opens_again(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    worker = _warm(engine, analyst, limits)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, ENDLESS, analyst, limits, "endless")
        assert computes(worker)
        engine.close()
        with pytest.raises(EngineError):
            running.result(timeout=PATIENCE)
    assert _asks(engine, analyst, limits)


def test_a_process_that_cannot_start_is_said(
    engine: DuckDBEngine, analyst: Identity, limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(EngineError) as caught:
        engine.run("SELECT 1", analyst, limits, "q")
    assert (caught.value.code, caught.value.retryable) == ("worker_not_started", True)


GATEWAY = """
import sys, threading
from pathlib import Path
from gateway.engines.base import Identity, Limits, Relation, RoleScope
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.duckdb_spill import hold
from gateway.settings.file import DuckDBSettings
limits = Limits(rows=10, bytes=1000, seconds=60, memory_mb=256, spill_mb=0)
scope = RoleScope("r", (Relation("events", 'SELECT * FROM {source}."main"."events"'),), "d")
engine = DuckDBEngine(Path(sys.argv[1]), {"r": scope}, limits, Path(sys.argv[2]),
                      settings=DuckDBSettings(), extracts=Path(sys.argv[2]))
who = Identity("u", "r")
engine.run("SELECT 1", who, limits, "q")
threading.Thread(target=engine.run, args=(sys.argv[3], who, limits, "r"), daemon=True).start()
print("asked", flush=True)
sys.stdin.read()
"""


@pytest.mark.faults
@pytest.mark.parametrize("running", [ENDLESS, DEAF[0]])
def test_the_gateways_own_death_ends_its_processes(shop: Path, tmp_path: Path, running: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", GATEWAY, str(shop), str(tmp_path), running],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT,
    ) as gateway:  # fmt: skip
        assert gateway.stdout is not None
        assert gateway.stdout.readline() == b"asked\n"
        workers = set(workers_of(gateway.pid))
        assert workers
        gateway.kill()
        gateway.wait()
        assert wait_until(lambda: not any((Path("/proc") / str(pid)).exists() for pid in workers))


def test_workers_outlive_the_thread_that_asked_first(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    """The kernel kills a process with the thread that started it, so no asker may start one."""
    first = threading.Thread(target=_asks, args=(engine, analyst, limits))
    first.start()
    first.join()
    (worker,) = (each.pid for each in FLEET.idle if each.holds)
    assert _asks(engine, analyst, limits)
    assert worker in workers_of()


def test_a_child_of_this_process_takes_none_of_its_workers(
    engine: DuckDBEngine, analyst: Identity, limits: Limits
) -> None:
    _asks(engine, analyst, limits)
    assert FLEET.idle
    child = os.fork()
    if child == 0:
        os._exit(len(FLEET.idle))
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert _asks(engine, analyst, limits)
