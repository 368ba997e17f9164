"""One question on PostgreSQL: its prices and its run share one transaction, which leaves nothing behind."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from gateway.engines import postgres_kept, postgres_session
from gateway.engines.base import EngineBusy, EngineCancelled, EngineError, EngineTimeout
from tests.gateway.engines.warehouse import ALICE, BOB, GATEWAY, LIMITS, MEMBERSHIP, Warehouse
from tests.servers.proxy import Proxy

pytestmark = pytest.mark.engine("postgres")

OWN = "SELECT rep, count(*) FROM sales GROUP BY rep"
SNAPSHOT = "SELECT pg_current_snapshot()::text, pg_backend_pid()::text, current_user::text FROM sales LIMIT 1"
WRITTEN = "INSERT INTO sales VALUES (9001, 'alice', 1)"
UNWRITTEN = "DELETE FROM sales WHERE sale_id = 9001"
OPEN = "SELECT count(*) FROM pg_stat_activity WHERE application_name ~ '^cellbound' AND state ~ 'transaction'"


def _open(warehouse: Warehouse) -> int:
    ((count,),) = warehouse.ask(OPEN)
    return int(count)


@pytest.mark.parametrize("login", ["", GATEWAY])
def test_a_row_written_after_the_price_is_not_in_the_run(request: pytest.FixtureRequest, login: str) -> None:
    place = request.getfixturevalue("switched" if login else "warehouse")
    engine = place.engine(login=login)
    try:
        with engine.one_snapshot("q"):
            engine.explain(OWN, ALICE, LIMITS, "q")
            place.execute(WRITTEN)
            shared = engine.run(OWN, ALICE, LIMITS, "q")
        assert shared.rows == (("alice", 100),)
        assert engine.run(OWN, ALICE, LIMITS, "r").rows == (("alice", 101),)
    finally:
        place.execute(UNWRITTEN)


def test_every_price_the_count_beside_and_the_run_read_one_snapshot(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    try:
        with engine.one_snapshot("q"):
            engine.explain(SNAPSHOT, ALICE, LIMITS, "q")
            ((state,),) = warehouse.ask("SELECT pg_current_snapshot()::text")
            warehouse.execute(WRITTEN)
            engine.explain(OWN, ALICE, LIMITS, "q")
            rows = engine.run(SNAPSHOT, ALICE, LIMITS, "q", beside=SNAPSHOT)
        assert rows.rows == rows.beside
        assert rows.rows[0][0] == state
        assert rows.data is not None and rows.data.value.startswith(f"{state}@")
    finally:
        warehouse.execute(UNWRITTEN)


def test_a_table_cannot_change_its_form_between_price_and_run(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    with engine.one_snapshot("q"):
        engine.explain(OWN, ALICE, LIMITS, "q")
        with psycopg.connect(warehouse.server.dsn(database=warehouse.database)) as owner:
            owner.execute("SET lock_timeout = 50")
            with pytest.raises(psycopg.errors.LockNotAvailable):
                owner.execute("ALTER TABLE sales DROP COLUMN amt")
        assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)


def test_a_shared_transaction_takes_no_round_trip_more(warehouse: Warehouse, proxy: Proxy) -> None:
    engine = warehouse.engine(port=proxy.port)
    engine.explain(OWN, ALICE, LIMITS)
    before = proxy.turns
    with engine.one_snapshot("q"):
        engine.explain(OWN, ALICE, LIMITS, "q")
        engine.run(OWN, ALICE, LIMITS, "q")
    assert proxy.turns - before == 2


@pytest.mark.parametrize("login", ["", GATEWAY])
def test_a_question_that_ends_before_its_run_leaves_nothing_open(
    request: pytest.FixtureRequest, login: str
) -> None:
    place = request.getfixturevalue("switched" if login else "warehouse")
    engine = place.engine(login=login, connections=1)
    with engine.one_snapshot("q"):
        engine.explain(OWN, ALICE, LIMITS, "q")
        assert _open(place) == 1
    assert _open(place) == 0
    assert engine.run("SELECT current_user::text, count(*) FROM sales", BOB, LIMITS, "r").rows == (
        ("bob", 100),
    )


def test_once_it_has_run_a_question_keeps_nobody_waiting(warehouse: Warehouse) -> None:
    engine = warehouse.engine(connections=1, wait_seconds=0.1)
    with engine.one_snapshot("q"):
        engine.explain(OWN, ALICE, LIMITS, "q")
        with pytest.raises(EngineBusy):
            engine.run(OWN, BOB, LIMITS, "r")
        engine.run(OWN, ALICE, LIMITS, "q")
        assert _open(warehouse) == 0
        assert engine.run(OWN, BOB, LIMITS, "r").rows == (("bob", 100),)


def test_what_goes_wrong_in_a_price_ends_the_transaction_and_the_next_one_begins(
    warehouse: Warehouse,
) -> None:
    engine = warehouse.engine(connections=1)
    with engine.one_snapshot("q"):
        engine.explain(OWN, ALICE, LIMITS, "q")
        with pytest.raises(EngineError) as caught:
            engine.explain("SELECT nothing FROM sales", ALICE, LIMITS, "q")
        assert caught.value.code == "bad_sql"
        assert _open(warehouse) == 0
        with pytest.raises(EngineError) as caught:
            engine.explain("INSERT INTO sales VALUES (1)", ALICE, LIMITS, "q")
        assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)
    assert _open(warehouse) == 0


def test_a_stop_between_price_and_run_ends_the_transaction(warehouse: Warehouse) -> None:
    engine = warehouse.engine(connections=1)
    with engine.one_snapshot("q"):
        engine.explain(OWN, ALICE, LIMITS, "q")
        engine.cancel("q")
        with pytest.raises(EngineCancelled):
            engine.run(OWN, ALICE, LIMITS, "q")
    assert _open(warehouse) == 0
    assert engine.run(OWN, BOB, LIMITS, "r").rows == (("bob", 100),)


def test_a_run_that_outlives_its_limit_ends_the_transaction(warehouse: Warehouse) -> None:
    engine = warehouse.engine(connections=1)
    endless = "SELECT count(*) FROM sales a, sales b, sales c, sales d, sales e"
    with engine.one_snapshot("q"):
        engine.explain(endless, ALICE, replace(LIMITS, seconds=0.3), "q")
        with pytest.raises(EngineTimeout):
            engine.run(endless, ALICE, replace(LIMITS, seconds=0.3), "q")
    assert _open(warehouse) == 0


def test_the_run_has_its_whole_time_after_a_price_that_took_its_own(warehouse: Warehouse) -> None:
    """The limit of a transaction, where the server has one, starts again with each part."""
    engine = warehouse.engine()
    limits = replace(LIMITS, seconds=1.0)
    with engine.one_snapshot("q"):
        engine.explain(OWN, ALICE, limits, "q")
        ((began, _),) = engine.run("SELECT now()::text, 1 FROM sales LIMIT 1", ALICE, limits, "other").rows
        for _ in range(3):
            time.sleep(0.9)
            engine.explain(OWN, ALICE, limits, "q")
        time.sleep(0.9)
        ((still, _),) = engine.run("SELECT now()::text, 1 FROM sales LIMIT 1", ALICE, limits, "q").rows
    assert str(still) < str(began)


def test_the_server_itself_ends_what_rests_too_long_and_the_run_goes_on(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_session, "IDLE_MILLISECONDS", 100)
    engine = warehouse.engine()
    with engine.one_snapshot("q"):
        engine.explain(OWN, ALICE, LIMITS, "q")
        deadline = time.monotonic() + 5
        while _open(warehouse):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 100),)


def test_what_rests_longer_than_the_server_lets_it_is_begun_anew(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_kept, "KEPT_SECONDS", 0.0)
    engine = warehouse.engine(connections=1)
    try:
        with engine.one_snapshot("q"):
            engine.explain(OWN, ALICE, LIMITS, "q")
            warehouse.execute(WRITTEN)
            assert engine.run(OWN, ALICE, LIMITS, "q").rows == (("alice", 101),)
    finally:
        warehouse.execute(UNWRITTEN)


@pytest.mark.parametrize(
    ("login", "taken", "back", "code"),
    [
        ("", "REVOKE SELECT ON sales FROM alice", "GRANT SELECT ON sales TO alice", "statement_refused"),
        (GATEWAY, f"REVOKE alice FROM {GATEWAY}", MEMBERSHIP[True], "identity_refused"),
    ],
)
def test_a_right_taken_within_the_transaction_counts_at_once(
    request: pytest.FixtureRequest, login: str, taken: str, back: str, code: str
) -> None:
    place = request.getfixturevalue("switched" if login else "warehouse")
    engine = place.engine(login=login)
    try:
        with engine.one_snapshot("q"):
            engine.explain(OWN, ALICE, LIMITS, "q")
            place.execute(taken)
            with pytest.raises(EngineError) as caught:
                engine.run(OWN, ALICE, LIMITS, "q")
        assert caught.value.code == code
    finally:
        place.execute(back)
    assert _open(place) == 0


@pytest.mark.parametrize(
    ("taken", "back"),
    [
        ("ALTER ROLE alice NOLOGIN", "ALTER ROLE alice LOGIN"),
        ("ALTER ROLE alice BYPASSRLS", "ALTER ROLE alice NOBYPASSRLS"),
    ],
)
def test_what_a_login_may_is_looked_at_as_each_transaction_begins(
    warehouse: Warehouse, taken: str, back: str
) -> None:
    engine = warehouse.engine()
    try:
        with engine.one_snapshot("q"):
            engine.explain(OWN, ALICE, LIMITS, "q")
            warehouse.execute(taken)
        with pytest.raises(EngineError) as caught:
            engine.run(OWN, ALICE, LIMITS, "q")
        assert caught.value.code == "identity_refused"
    finally:
        warehouse.execute(back)


def test_many_questions_over_few_sessions_keep_to_themselves(warehouse: Warehouse) -> None:
    engine = warehouse.engine(connections=2, wait_seconds=30)
    askers = {"alice": ALICE, "bob": BOB}

    def ask(number: int) -> bool:
        name, label = ("alice", "bob")[number % 2], f"{number}"
        with engine.one_snapshot(label):
            engine.explain(SNAPSHOT, askers[name], LIMITS, label)
            if number % 5 == 0:
                return True
            if number % 7 == 0:
                engine.cancel(label)
                with pytest.raises(EngineCancelled):
                    engine.run(SNAPSHOT, askers[name], LIMITS, label)
                return True
            rows = engine.run(SNAPSHOT, askers[name], LIMITS, label, beside=OWN)
            return rows.rows[0][2] == name and rows.beside == ((name, 100),)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(80)))
    assert _open(warehouse) == 0
