"""Limits, stops and broken networks of PostgreSQL: nothing waits for ever and nothing runs on unseen."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import psycopg
import pytest

from gateway.engines import postgres_asker
from gateway.engines.base import EngineBusy, EngineCancelled, EngineError, EngineTimeout
from tests.gateway.engines.warehouse import ALICE, BOB, GATEWAY, LIMITS, Warehouse
from tests.servers.proxy import Proxy

pytestmark = pytest.mark.engine("postgres")

OWN = "SELECT rep, count(*) FROM sales GROUP BY rep"
ENDLESS = "SELECT count(*) FROM sales a, sales b, sales c, sales d, sales e"
SOON = replace(LIMITS, seconds=0.3)
ASKER = """
import sys
from pathlib import Path
from gateway.engines.base import Identity, Limits
from gateway.engines.postgres import open_postgres
from gateway.settings.file import EngineSettings
limits = Limits(rows=10, bytes=1000, seconds=60, memory_mb=512, spill_mb=100)
engine = open_postgres(EngineSettings(url=sys.argv[1]), limits, {}, Path("."))
print("asking", flush=True)
engine.run(sys.argv[2], Identity("alice", "seller"), limits, "q")
"""


def _working(warehouse: Warehouse, user: str = "alice") -> int:
    """Return how many backends of a user are at work."""
    ((count,),) = warehouse.ask(
        f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{user}' AND state = 'active'"
    )
    return int(count)


def _until_idle(warehouse: Warehouse, seconds: float, user: str = "alice") -> float:
    """Wait until no backend of a user works any more; return how long it took."""
    started = time.monotonic()
    while _working(warehouse, user):
        assert time.monotonic() - started < seconds
        time.sleep(0.002)
    return time.monotonic() - started


@contextmanager
def _locked(warehouse: Warehouse, table: str) -> Iterator[None]:
    with psycopg.connect(warehouse.server.dsn(database=warehouse.database)) as connection:
        connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
        yield
        connection.rollback()


def test_planning_is_under_the_time_limit_too(warehouse: Warehouse) -> None:
    started = time.monotonic()
    with pytest.raises(EngineTimeout):
        warehouse.engine().explain("SELECT * FROM sales WHERE sale_id = sleeping(1)", ALICE, SOON)
    assert time.monotonic() - started < 2


def test_explain_runs_no_volatile_function_and_lets_the_others_write_nothing(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    engine.explain("SELECT nextval('counter')", ALICE, LIMITS)
    engine.explain("SELECT becoming('bob')", ALICE, LIMITS)
    for sql in ("SELECT counting(1)", "SELECT * FROM sales WHERE sale_id = counting(2)"):
        with pytest.raises(EngineError) as caught:
            engine.explain(sql, ALICE, LIMITS)
        assert caught.value.code == "statement_refused"
    assert warehouse.ask("SELECT last_value, is_called FROM counter") == [(1, False)]


@pytest.mark.parametrize("verb", ["explain", "run"])
def test_a_locked_relation_is_said_and_not_waited_for(warehouse: Warehouse, verb: str) -> None:
    engine = warehouse.engine()
    engine.explain(OWN, ALICE, LIMITS)
    with _locked(warehouse, "sales"), pytest.raises(EngineError) as caught:
        if verb == "explain":
            engine.explain(OWN, ALICE, SOON)
        else:
            engine.run(OWN, ALICE, SOON, "q")
    assert (caught.value.code, caught.value.retryable) == ("relation_locked", True)
    assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)


def test_who_leaves_while_the_price_waits_for_a_lock_leaves_at_once(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    with _locked(warehouse, "sales"), ThreadPoolExecutor(1) as pool:
        waits = pool.submit(engine.explain, OWN, ALICE, LIMITS, "priced")
        while not _working(warehouse):
            time.sleep(0.005)
        started = time.monotonic()
        engine.cancel("priced")
        with pytest.raises(EngineCancelled):
            waits.result(timeout=5)
        assert time.monotonic() - started < 1


def test_a_sort_beyond_the_cap_on_temporary_files_is_stopped(
    warehouse: Warehouse, switched: Warehouse
) -> None:
    sql = "SELECT md5(i::text) FROM generate_series(1, 400000) AS t(i) ORDER BY 1 OFFSET 399999"
    engine = switched.engine(login=GATEWAY)
    with pytest.raises(EngineError) as caught:
        engine.run(sql, ALICE, replace(LIMITS, spill_mb=1, memory_mb=64), "q")
    assert caught.value.code == "query_too_large"
    assert len(engine.run(sql, ALICE, replace(LIMITS, spill_mb=500), "q").rows) == 1


def test_a_time_limit_that_a_statement_lifts_is_held_by_our_own_clock(warehouse: Warehouse) -> None:
    lifted = (
        "SELECT set_config('statement_timeout', '0', false), set_config('transaction_timeout', '0', false)"
    )
    engine, started = warehouse.engine(), time.monotonic()
    with pytest.raises(EngineTimeout):
        engine.run(f"{lifted}, pg_sleep(30)", ALICE, SOON, "q")
    assert time.monotonic() - started < 3
    _until_idle(warehouse, 3)
    assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)


def test_cancel_makes_the_backend_idle_and_keeps_its_session(warehouse: Warehouse) -> None:
    engine, spent = warehouse.engine(connections=1), []
    engine.explain(ENDLESS, ALICE, LIMITS)
    ((backend,),) = engine.run("SELECT pg_backend_pid()", ALICE, LIMITS, "pid").rows
    with ThreadPoolExecutor(1) as pool:
        for again in range(5):
            running = pool.submit(engine.run, ENDLESS, ALICE, LIMITS, f"{again}")
            while not _working(warehouse):
                time.sleep(0.005)
            time.sleep(0.02)
            threading.Thread(target=engine.cancel, args=(f"{again}",)).start()
            spent.append(_until_idle(warehouse, 1))
            with pytest.raises(EngineCancelled):
                running.result(timeout=2)
    assert min(spent) < 0.05
    assert engine.run("SELECT pg_backend_pid()", ALICE, LIMITS, "pid").rows == ((backend,),)


def test_a_storm_of_cancels_harms_nobody_else(warehouse: Warehouse) -> None:
    engine = warehouse.engine(connections=4, waiting=200, wait_seconds=60)

    def ask(number: int) -> str:
        who, sql = (ALICE, BOB)[number % 2], OWN if number % 4 else ENDLESS
        try:
            return str(engine.run(sql, who, LIMITS, f"{number}").rows[0][0])
        except EngineCancelled:
            return "left"

    with ThreadPoolExecutor(12) as askers, ThreadPoolExecutor(8) as leavers:
        asked = []
        for number in range(120):
            asked.append(askers.submit(ask, number))
            if number % 4 == 0:
                leavers.submit(engine.cancel, f"{number}")
        told = [future.result(timeout=60) for future in asked]
    assert told == [("alice", "bob")[number % 2] if number % 4 else "left" for number in range(120)]


def test_a_query_that_an_administrator_stops_did_not_lose_its_caller(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    with ThreadPoolExecutor(1) as pool:
        for how in ("pg_cancel_backend", "pg_terminate_backend"):
            running = pool.submit(engine.run, ENDLESS, ALICE, LIMITS, how)
            while not _working(warehouse):
                time.sleep(0.005)
            time.sleep(0.05)
            warehouse.ask(f"SELECT {how}(pid) FROM pg_stat_activity WHERE usename = 'alice'")
            with pytest.raises(EngineError) as caught:
                running.result(timeout=5)
            assert (caught.value.code, caught.value.retryable) == ("database_unavailable", True)
            assert engine.run(OWN, ALICE, LIMITS, "after").rows == (("alice", 100),)


def test_a_gateway_that_dies_takes_its_query_with_it(warehouse: Warehouse) -> None:
    arguments = [sys.executable, "-c", ASKER, warehouse.url(), ENDLESS]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE) as asker:
        assert asker.stdout is not None
        assert asker.stdout.readline() == b"asking\n"
        while not _working(warehouse):
            time.sleep(0.01)
        asker.send_signal(signal.SIGKILL)
    _until_idle(warehouse, 3)


def _until_shut(proxy: Proxy) -> None:
    """Wait until the client has shut every connection that it ever made."""
    deadline = time.monotonic() + 5
    while proxy.left < proxy.opened:
        assert time.monotonic() < deadline, f"{proxy.opened - proxy.left} connections are still open"
        time.sleep(0.01)


def test_a_stalled_network_is_given_up_at_the_deadline(warehouse: Warehouse, proxy: Proxy) -> None:
    engine = warehouse.engine(port=proxy.port)
    engine.explain(OWN, ALICE, LIMITS)
    proxy.stall()
    started = time.monotonic()
    with pytest.raises(EngineTimeout):
        engine.run(OWN, ALICE, SOON, "q")
    assert time.monotonic() - started < 2.5
    _until_shut(proxy)
    proxy.resume()
    assert engine.run(OWN, ALICE, LIMITS, "r").rows == (("alice", 100),)


def test_cancel_is_quick_even_where_the_network_stalls(warehouse: Warehouse, proxy: Proxy) -> None:
    engine = warehouse.engine(port=proxy.port)
    engine.explain(ENDLESS, ALICE, LIMITS)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, ENDLESS, ALICE, LIMITS, "q")
        time.sleep(0.1)
        proxy.stall()
        started = time.monotonic()
        engine.cancel("q")
        with pytest.raises(EngineCancelled):
            running.result(timeout=5)
        assert time.monotonic() - started < 1
    proxy.cut()
    proxy.resume()


def test_a_server_that_does_not_answer_is_not_waited_for(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_asker, "CONNECT_SECONDS", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        engine, started = warehouse.engine(port=silent.getsockname()[1]), time.monotonic()
        with pytest.raises(EngineError) as caught:
            engine.run(OWN, ALICE, LIMITS, "q")
    assert time.monotonic() - started < 4
    assert (caught.value.code, caught.value.retryable) == ("database_unreachable", True)
    assert "127.0.0.1" not in str(caught.value)


def test_connections_that_broke_while_idle_are_opened_anew(warehouse: Warehouse, proxy: Proxy) -> None:
    engine = warehouse.engine(port=proxy.port)
    engine.run(OWN, ALICE, LIMITS, "q")
    proxy.cut()
    time.sleep(0.05)
    assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)


def test_a_connection_that_breaks_during_a_query_is_said(warehouse: Warehouse, proxy: Proxy) -> None:
    engine = warehouse.engine(port=proxy.port)
    engine.explain(ENDLESS, ALICE, LIMITS)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(engine.run, ENDLESS, ALICE, LIMITS, "q")
        time.sleep(0.1)
        proxy.cut()
        with pytest.raises(EngineError) as caught:
            running.result(timeout=5)
    assert (caught.value.code, caught.value.retryable) == ("database_unavailable", True)
    _until_idle(warehouse, 3)


def test_a_price_and_a_guarded_run_take_one_round_trip_more_than_the_bare_query(
    warehouse: Warehouse, proxy: Proxy
) -> None:
    engine = warehouse.engine(port=proxy.port)

    def priced_and_run() -> int:
        before = proxy.turns
        engine.explain(OWN, ALICE, LIMITS)
        engine.run(OWN, ALICE, LIMITS, "q")
        return proxy.turns - before

    def counted_beside() -> int:
        before = proxy.turns
        engine.run("SELECT sale_id FROM sales", ALICE, LIMITS, "q", beside=OWN)
        return proxy.turns - before

    # The fewest of ten: on a busy machine a server begins to answer before all is sent, which counts as two.
    assert min(priced_and_run() for _ in range(10)) == 2
    assert min(counted_beside() for _ in range(10)) == 1


def test_sessions_are_bounded_and_a_full_queue_says_when_to_come_back(warehouse: Warehouse) -> None:
    engine = warehouse.engine(connections=1, waiting=1, wait_seconds=0.3)
    with ThreadPoolExecutor(3) as pool:
        running = pool.submit(engine.run, ENDLESS, ALICE, LIMITS, "first")
        while not _working(warehouse):
            time.sleep(0.005)
        waits = pool.submit(engine.run, OWN, BOB, LIMITS, "second")
        time.sleep(0.1)
        started = time.monotonic()
        with pytest.raises(EngineBusy) as full:
            engine.run(OWN, BOB, LIMITS, "third")
        assert time.monotonic() - started < 0.2
        with pytest.raises(EngineBusy):
            waits.result(timeout=2)
        engine.cancel("first")
        with pytest.raises(EngineCancelled):
            running.result(timeout=2)
    assert full.value.retryable
    assert full.value.retry_after > 0
    assert engine.run(OWN, BOB, LIMITS, "fourth").rows == (("bob", 100),)


def test_who_leaves_the_queue_leaves_at_once(warehouse: Warehouse) -> None:
    engine = warehouse.engine(connections=1, wait_seconds=20)
    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(engine.run, ENDLESS, ALICE, LIMITS, "first")
        while not _working(warehouse):
            time.sleep(0.005)
        waits = pool.submit(engine.run, OWN, BOB, LIMITS, "second")
        time.sleep(0.1)
        started = time.monotonic()
        engine.cancel("second")
        with pytest.raises(EngineCancelled):
            waits.result(timeout=2)
        assert time.monotonic() - started < 1
        engine.cancel("first")
        with pytest.raises(EngineCancelled):
            running.result(timeout=2)


def test_many_askers_share_few_sessions(warehouse: Warehouse) -> None:
    engine = warehouse.engine(connections=2, wait_seconds=30)
    askers = {"alice": ALICE, "bob": BOB}

    def ask(number: int) -> bool:
        name = ("alice", "bob")[number % 2]
        return engine.run(OWN, askers[name], LIMITS, f"{number}").rows == ((name, 100),)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(80)))
    ((open_now,),) = warehouse.ask(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name ~ '^cellbound'"
    )
    assert open_now <= 2


def test_a_query_carries_its_trace_and_no_session_stays_in_a_transaction(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    sql = "SELECT current_setting('application_name'), pg_backend_pid()"
    ((label, backend),) = engine.run(sql, ALICE, LIMITS, "01TRACE").rows
    assert label == "cellbound 01TRACE"
    assert warehouse.ask(f"SELECT state FROM pg_stat_activity WHERE pid = {backend}") == [("idle",)]


def test_a_closed_engine_leaves_no_session(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    engine.run(OWN, ALICE, LIMITS, "q")
    engine.close()
    for _ in range(100):
        if warehouse.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = 'alice'") == [(0,)]:
            return
        time.sleep(0.01)
    pytest.fail(f"sessions are left over (process {os.getpid()})")
