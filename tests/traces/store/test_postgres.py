"""What only the store in PostgreSQL has to face: rights, tampering past them, lost connections, crashes."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.servers.postgres import DEFAULT_VERSION, running, versions, why_missing
from tests.servers.proxy import Proxy
from tests.traces.samples import KEY, closed, opened
from tests.traces.store.conftest import TraceDatabase, set_up_on
from tests.traces.store.test_contract import ask, verified
from traces.chain import Damage
from traces.damage import DamageKind
from traces.errors import TraceDamaged, TraceUnwritable
from traces.records import Receipt
from traces.store.limits import StoreLimits
from traces.store.postgres import PostgresTraceStore
from traces.store.postgres_setup import traces_setup

pytestmark = pytest.mark.skipif(DEFAULT_VERSION not in versions(), reason=why_missing(DEFAULT_VERSION))
HASTY = StoreLimits(patience=1.0)
ROOT = Path(__file__).parents[3]
KILLS = int(os.environ.get("CELLBOUND_KILLS", "4"))


@pytest.fixture
def proxy(trace_database: TraceDatabase) -> Iterator[Proxy]:
    server = trace_database.server
    with Proxy(f"{server.folder}/.s.PGSQL.{server.port}") as found:
        yield found


def through(proxy: Proxy, database: TraceDatabase, limits: StoreLimits = HASTY) -> PostgresTraceStore:
    url = f"postgresql://{database.writer}@127.0.0.1:{proxy.port}/{database.name}"
    return database.store(url=url, limits=limits)


@pytest.mark.parametrize("who", ["writer", "owner"])
@pytest.mark.parametrize("table", ["records", "logs", "checkpoints"])
@pytest.mark.parametrize("order", ["UPDATE {} SET {}", "DELETE FROM {}", "TRUNCATE {}"])
def test_nobody_changes_or_deletes_a_trace_not_even_the_owner(
    trace_database: TraceDatabase, who: str, table: str, order: str
) -> None:
    store = trace_database.store()
    ask(store, "t1")
    store.close()
    same = {"records": "body = body", "logs": "key_id = key_id", "checkpoints": "note = note"}[table]
    role = trace_database.writer + ("_owner" if who == "owner" else "")
    with psycopg.connect(trace_database.server.dsn(database=trace_database.name)) as connection:
        connection.execute(f"SET ROLE {role}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(order.format(f"cellbound.{table}", same).encode())


def test_an_id_that_no_text_of_the_database_can_be_names_no_trace(trace_database: TraceDatabase) -> None:
    store = trace_database.store()
    ask(store, "t1")
    assert store.read("t1\0") is None and store.receipt("t1\0") is None
    assert list(store.list(before="t1\0")) == []
    store.close()


@pytest.mark.parametrize("right", ["UPDATE", "DELETE", "TRUNCATE"])
def test_a_login_that_could_change_traces_is_refused(trace_database: TraceDatabase, right: str) -> None:
    trace_database.run(f"GRANT {right} ON cellbound.records TO {trace_database.writer}")
    with pytest.raises(TraceUnwritable) as refused, trace_database.store().reserve(1):
        pytest.fail("a question was let in")
    assert refused.value.code == "trace_role_too_strong"


def test_a_database_that_was_not_set_up_is_named_with_what_to_run(
    trace_database: TraceDatabase, postgres_database: str
) -> None:
    url = trace_database.url.replace(trace_database.name, postgres_database)
    store = trace_database.store(url=url)
    with pytest.raises(TraceUnwritable) as refused:
        ask(store, "t1")
    assert refused.value.code == "trace_no_table"
    assert "setup sql --traces" in refused.value.next_step
    with pytest.raises(TraceDamaged):
        store.read("t1")
    store.close()


def test_a_database_that_only_reads_is_refused_before_the_question(trace_database: TraceDatabase) -> None:
    trace_database.server.execute(
        f"ALTER ROLE {trace_database.writer} SET default_transaction_read_only = on"
    )
    with pytest.raises(TraceUnwritable) as refused, trace_database.store().reserve(1):
        pytest.fail("a question was let in")
    assert refused.value.code == "trace_read_only"


def test_no_password_stands_in_an_error(trace_database: TraceDatabase) -> None:
    url = "postgresql://somebody:opensesame@127.0.0.1:1/traces?password=opensesame"
    store = PostgresTraceStore(url, KEY, limits=HASTY)
    with pytest.raises(TraceUnwritable) as refused:
        ask(store, "t1")
    said = [str(refused.value), refused.value.place, refused.value.next_step, repr(refused.value)]
    assert refused.value.code == "trace_database_away"
    assert refused.value.place == "postgresql://127.0.0.1:1/traces"
    assert not any("opensesame" in each for each in said)


CHANGES: tuple[tuple[str, DamageKind], ...] = (
    ("UPDATE cellbound.records SET body = replace(body, 'answered', 'denied') WHERE seq = 4", "flipped"),
    ("UPDATE cellbound.records SET hash = reverse(hash) WHERE seq = 4", "flipped"),
    ("UPDATE cellbound.records SET seq = seq + 100 WHERE seq = 4", "swapped"),
    ("DELETE FROM cellbound.records WHERE seq = 4", "removed"),
    ("UPDATE cellbound.records SET seq = 9 - seq WHERE seq IN (4, 5) AND log <> ''", "swapped"),
    (
        "UPDATE cellbound.records SET seq = -1 - seq WHERE seq > 4; "
        "UPDATE cellbound.records SET seq = -seq WHERE seq < 0; "
        "INSERT INTO cellbound.records (log, seq, segment, hash, body) "
        "SELECT log, 5, segment, hash, body FROM cellbound.records WHERE seq = 2",
        "inserted",
    ),
    ("DELETE FROM cellbound.records WHERE seq >= 7", "cut_tail"),
    ("DELETE FROM cellbound.records", "missing"),
    ("UPDATE cellbound.checkpoints SET note = replace(note, 'segment 0', 'segment 1')", "forged"),
)


@pytest.mark.parametrize(("change", "kind"), CHANGES)
def test_what_a_superuser_changes_past_the_trigger_is_named(
    trace_database: TraceDatabase, change: str, kind: DamageKind
) -> None:
    store = trace_database.store()
    ask(store, *(f"t{number}" for number in range(4)))
    store.close()
    verified(store)
    trace_database.run(
        "ALTER TABLE cellbound.records DROP CONSTRAINT records_pkey, DROP CONSTRAINT records_seq_check"
    )
    trace_database.run(change)
    assert [each.kind for each in store.verify() if isinstance(each, Damage)] == [kind]


@pytest.mark.parametrize("cut_after", [0.2, 0.6], ids=["before it arrives", "after it was committed"])
@pytest.mark.faults
def test_a_connection_lost_in_the_middle_of_an_append_leaves_the_record_there_once(
    trace_database: TraceDatabase, proxy: Proxy, cut_after: float
) -> None:
    store = through(proxy, trace_database, StoreLimits(patience=10.0))
    receipts = ask(store, "t1")
    proxy.delay = 0.4
    cut = threading.Timer(cut_after, _cut_and_hurry, (proxy,))
    cut.start()
    store.append(opened("t2"), durable=False)
    receipts.append(store.append(closed("t2"), durable=True))
    cut.join()
    assert proxy.opened > 1
    (verdict,) = verified(trace_database.store(), receipts)
    assert verdict.records == 5
    store.close()


def _cut_and_hurry(proxy: Proxy) -> None:
    proxy.delay = 0.0
    proxy.cut()


@pytest.mark.faults
def test_while_the_database_is_away_no_question_is_let_in_and_then_it_goes_on(
    trace_database: TraceDatabase, proxy: Proxy
) -> None:
    store = through(proxy, trace_database)
    receipts = ask(store, "t1")
    proxy.stall()
    proxy.cut()
    began = time.monotonic()
    with pytest.raises(TraceUnwritable) as refused:
        store.append(closed("lost"), durable=True)
    assert refused.value.code in ("trace_database_away", "trace_slow_disk")
    assert time.monotonic() - began < 15
    proxy.resume()
    deadline = time.monotonic() + 20
    while True:
        try:
            receipts += ask(store, "t2")
            break
        except TraceUnwritable:
            assert time.monotonic() < deadline
            time.sleep(0.2)
    verified(trace_database.store(), receipts)
    store.close()


@pytest.mark.faults
def test_a_server_that_stalls_is_given_up_in_time(trace_database: TraceDatabase, proxy: Proxy) -> None:
    store = through(proxy, trace_database)
    ask(store, "t1")
    time.sleep(1.1)
    proxy.stall()
    began = time.monotonic()
    with pytest.raises(TraceUnwritable), store.reserve(1):
        pytest.fail("a question was let in")
    assert time.monotonic() - began < 10
    proxy.resume()
    store.close()


def end_sessions(database: TraceDatabase) -> None:
    database.server.execute(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{database.writer}'"
    )


@pytest.mark.faults
def test_a_session_that_an_administrator_ends_costs_no_question(trace_database: TraceDatabase) -> None:
    store = trace_database.store()
    receipts = []
    for number in range(5):
        receipts += ask(store, f"t{number}")
        end_sessions(trace_database)
    (verdict,) = verified(trace_database.store(), receipts)
    assert verdict.records == 11
    assert len(list(store.list())) == 5
    store.close()


@pytest.mark.faults
@pytest.mark.slow
def test_records_that_a_crash_of_the_server_took_before_they_were_durable_are_written_again() -> None:
    with (
        running(settings={"wal_writer_delay": "10s", "fsync": "on"}) as server,
        set_up_on(server) as database,
    ):
        store = database.store()
        receipts = ask(store, "t0")
        for number in range(1, 4):
            store.append(opened(f"t{number}"), durable=False)
        crash(database)
        assert left_after(database) == 3, "nothing was lost: the test proves nothing"
        receipts += insist(store, "late")
        kinds = [record.kind for record in store.records() if record.kind != "segment"]
        assert kinds[:5] == ["open", "close", "open", "open", "open"]
        assert {one.trace_id for one in store.list()} >= {"t0", "t1", "t2", "t3"}
        verified(database.store(), receipts)
        store.close()


def crash(database: TraceDatabase) -> None:
    """Kill a backend, on which the server ends them all and recovers from its log."""
    with psycopg.connect(database.server.dsn(database=database.name)) as connection:
        os.kill(connection.info.backend_pid, signal.SIGKILL)


def left_after(database: TraceDatabase) -> int:
    """Count the records once the server has recovered."""
    for _ in range(100):
        try:
            with psycopg.connect(database.server.dsn(database=database.name)) as connection:
                row = connection.execute("SELECT count(*) FROM cellbound.records").fetchone()
                return int(row[0]) if row else 0
        except psycopg.OperationalError:
            time.sleep(0.1)
    pytest.fail("the server did not come back")


def insist(store: PostgresTraceStore, name: str) -> list[Receipt]:
    """Ask until the server has recovered; a record that was refused is not written later."""
    for attempt in range(100):
        try:
            store.append(opened(name), durable=False)
            return [store.append(closed(name), durable=True)]
        except TraceUnwritable as refused:
            assert refused.code == "trace_database_away"
            time.sleep(0.1)
            name = f"{name}-{attempt}"
    pytest.fail("the server did not come back")


@pytest.mark.faults
def test_an_older_state_of_the_database_is_not_gone_on_with(trace_database: TraceDatabase) -> None:
    store = trace_database.store()
    ask(store, "t1", "t2")
    trace_database.run("DELETE FROM cellbound.records WHERE seq >= 3")
    end_sessions(trace_database)
    with pytest.raises(TraceUnwritable) as refused:
        ask(store, "t3")
    assert refused.value.code == "trace_database_behind"
    store.close()


@pytest.fixture
def small_tablespace(trace_database: TraceDatabase, tmp_path: Path) -> Iterator[None]:
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=400k,uid=65534,gid=65534,mode=0700", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system needs root with the right to mount")
    for parent in folder.parents:
        if parent.stat().st_uid == 0 and parent != Path("/") and parent.stat().st_mode & 0o001 == 0:
            parent.chmod(parent.stat().st_mode | 0o011)
    space = f"small_{os.getpid()}_{trace_database.writer[-6:]}"
    try:
        trace_database.server.execute(f"CREATE TABLESPACE {space} LOCATION '{folder}'")
        trace_database.run(f"ALTER TABLE cellbound.records SET TABLESPACE {space}")
        yield
    finally:
        trace_database.server.drop_database(trace_database.name)
        trace_database.server.execute(f"DROP TABLESPACE IF EXISTS {space}")
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.faults
@pytest.mark.usefixtures("small_tablespace")
def test_a_full_disk_of_the_database_refuses_and_loses_nothing(trace_database: TraceDatabase) -> None:
    store = trace_database.store()
    receipts: list[Receipt] = []
    with pytest.raises(TraceUnwritable) as refused:
        for number in range(400):
            receipts += ask(store, f"t{number}")
    assert refused.value.code == "trace_disk_full"
    assert receipts
    verified(trace_database.store(), receipts)
    store.close()


def test_the_printed_script_names_the_login_and_the_database_of_the_url() -> None:
    script = traces_setup('postgres://the%20writer:secret@db.example:5433/the"traces')
    assert 'CREATE ROLE "the writer" LOGIN' in script
    assert 'CREATE DATABASE "the""traces"' in script
    assert "secret" not in script


WRITER = """
import os, sys
from tests.traces.samples import KEY, closed, opened
from tests.traces.signing import keeper
from traces.store.postgres import PostgresTraceStore
store = PostgresTraceStore(sys.argv[1], KEY, keeper=keeper())
for number in range(100_000):
    trace_id = f"{os.getpid()}-{number}"
    with store.reserve(12_000):
        store.append(opened(trace_id), durable=False)
        receipt = store.append(closed(trace_id), durable=True)
    os.write(1, receipt.model_dump_json().encode() + b"\\n")
"""


@pytest.mark.faults
@pytest.mark.slow
def test_kill_9_of_a_writer_in_a_loop_loses_no_acknowledged_record(trace_database: TraceDatabase) -> None:
    chance, receipts = random.Random(7), []
    for _ in range(KILLS):
        command = [sys.executable, "-c", WRITER, trace_database.url]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            lines = [child.stdout.readline() for _ in range(chance.randint(1, 40))]
            child.kill()
            lines += child.stdout.readlines()
        receipts += [Receipt.model_validate_json(line) for line in lines if line.endswith(b"\n")]
    store = trace_database.store()
    verified(store, receipts)
    answered = {one.trace_id for one in store.list(limit=10_000) if one.outcome == "answered"}
    assert len(receipts) >= KILLS
    assert {receipt.trace_id for receipt in receipts} <= answered
    store.close()
