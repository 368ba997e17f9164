"""A database that is away, dies, stalls or is slow: a named end on record, and all is well again after.

The report BR-075 is of this kind: a server that stops answering on an open socket.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from gateway.reply import Reply
from gateway.service import Gateway
from tests.gateway.faults.post_office import ANA, PLAN, PostOffice
from tests.servers.proxy import Proxy
from tests.servers.served import ENVIRONMENT, MAIN

pytestmark = [pytest.mark.faults, pytest.mark.engine("postgres")]
Open = Callable[..., Gateway]
NAMED = {"query_timeout", "database_unreachable", "database_busy"}
BUDGET, GRACE = 2.0, 1.0
"""Seconds that a question may take of the database, and by how much an end may come late."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def traced(gateway: Gateway, reply: Reply) -> str:
    """Return how the question of a reply ended on record; it has to stand there."""
    trace = gateway.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None
    return trace.closed.outcome


def test_without_its_database_a_gateway_tells_definitions_and_why_and_goes_on_when_it_is_there(
    office: PostOffice, open_office: Open
) -> None:
    port = free_port()
    gateway = open_office(port)
    assert [metric.name for metric in gateway.list_metrics(ANA).metrics] == ["parcel_count"]
    found = {finding.name: finding for finding in gateway.ready().findings}
    assert not found["database"].ok and found["database"].next_step
    assert found["definitions"].ok and found["traces"].ok
    refused = gateway.ask(ANA, PLAN)
    assert (refused.outcome, refused.issues[0].code) == ("failed", "database_unreachable")
    assert refused.issues[0].next_step and traced(gateway, refused) == "failed"
    with Proxy(office.socket, port=port):
        assert gateway.ready().ready
        assert gateway.ask(ANA, PLAN).outcome == "answered"


def test_serve_ends_and_says_what_it_could_not_prove(office: PostOffice, tmp_path: Path) -> None:
    """Nothing is served before every role was proved; a supervisor starts it again until it can be."""
    project = office.project(tmp_path / "post", free_port())
    command = [sys.executable, *MAIN, "serve", "--port", "0", "--project", str(project)]
    ended = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert "not_proved" in ended.stderr and "role everywhere" in ended.stderr


def test_a_database_that_dies_during_a_query_fails_it_by_name_and_the_next_one_is_answered(
    office: PostOffice, open_office: Open, network: Proxy
) -> None:
    office.slow(0.7)
    gateway = open_office(network.port)
    assert gateway.ask(ANA, PLAN).outcome == "answered"
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(gateway.ask, ANA, PLAN)
        until_running(office)
        network.cut()
        reply = asking.result(10)
    assert (reply.outcome, reply.rows, reply.answer) == ("failed", (), "")
    assert reply.issues[0].code == "database_unavailable" and traced(gateway, reply) == "failed"
    assert gateway.ask(ANA, PLAN).outcome == "answered"


def test_a_column_that_went_under_an_open_gateway_fails_by_name_until_it_is_back(
    office: PostOffice, open_office: Open, network: Proxy
) -> None:
    gateway = open_office(network.port)
    assert gateway.ask(ANA, PLAN).outcome == "answered"
    office.execute("ALTER TABLE parcels RENAME region TO area")
    gone = gateway.ask(ANA, PLAN)
    assert (gone.outcome, gone.rows, gone.answer) == ("failed", (), "")
    assert gone.issues[0].code == "bad_sql" and gone.issues[0].next_step
    assert traced(gateway, gone) == "failed"
    office.execute("ALTER TABLE parcels RENAME area TO region")
    assert gateway.ask(ANA, PLAN).outcome == "answered"


def test_a_slow_database_ends_its_question_at_the_limit_and_that_is_partial(
    office: PostOffice, open_office: Open, network: Proxy
) -> None:
    office.slow(20)
    gateway = open_office(network.port, seconds=1.0)
    began = time.monotonic()
    reply = gateway.ask(ANA, PLAN)
    assert time.monotonic() - began < 1.0 + GRACE
    assert (reply.outcome, reply.rows) == ("partial", ())
    assert traced(gateway, reply) == "partial"


@pytest.mark.parametrize("warm", [True, False], ids=["sessions open", "none open"])
def test_twenty_questions_at_a_stalled_server_are_each_told_in_time_and_the_sessions_come_back(
    open_office: Open, network: Proxy, warm: bool
) -> None:
    gateway = open_office(network.port, seconds=BUDGET)
    if warm:
        assert gateway.ask(ANA, PLAN).outcome == "answered"
    network.stall()

    def ask(_: int) -> tuple[Reply, float]:
        began = time.monotonic()
        return gateway.ask(ANA, PLAN), time.monotonic() - began

    with ThreadPoolExecutor(20) as pool:
        told = list(pool.map(ask, range(20)))
    assert {reply.outcome for reply, _ in told} <= {"partial", "failed"}
    assert {reply.issues[0].code for reply, _ in told} <= NAMED
    assert all(traced(gateway, reply) == reply.outcome for reply, _ in told)
    assert max(seconds for _, seconds in told) < BUDGET + GRACE
    network.resume()
    assert [gateway.ask(ANA, PLAN).outcome for _ in range(6)] == ["answered"] * 6


def until_running(office: PostOffice) -> None:
    """Wait until the database executes a question of the asker."""
    look = (
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'post_ana'"
        " AND state = 'active' AND wait_event = 'PgSleep') THEN RAISE 'not yet'; END IF; END $$"
    )
    deadline = time.monotonic() + 10
    while True:
        try:
            office.execute(look)
        except psycopg.errors.RaiseException:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        else:
            return
