"""State in PostgreSQL: what a file promises holds here too, between replicas, and when the server is away."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import psycopg
import pytest

from gateway.holds.opinions import Given
from gateway.state import StateStore
from gateway.stores.attestations import AttestationStore, KeyCounts
from gateway.stores.opening import open_rows
from gateway.stores.postgres import PostgresRows, spelled
from gateway.stores.postgres_setup import state_setup
from gateway.stores.results import ResultStore
from gateway.stores.rows import Database, Place, Rows, StoreUnusable, Tables
from metric_layer.resolved import OutputColumn
from tests.servers.state import KEYS, PROJECT, StateDatabase
from traces.records import Table

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
NOTES = Tables("notes", "CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL) STRICT", 1, "FULL")
TABLE = Table(
    columns=(OutputColumn(name="revenue", kind="metric", type="decimal", label="Revenue", unit="EUR"),),
    rows=((Decimal("1234.50"),), (None,)),
)


def now() -> datetime:
    return NOW


@pytest.fixture
def notes(state_database: StateDatabase) -> Iterator[PostgresRows]:
    rows = PostgresRows(state_database.place, NOTES)
    yield rows
    rows.close()


def _put(rows: Rows, text: str) -> None:
    with rows.transaction() as statements:
        statements.execute("INSERT INTO notes VALUES (?)", (text,))


def _kept(rows: Rows) -> list[str]:
    with rows.reading() as statements:
        return [str(row[0]) for row in statements.execute("SELECT text FROM notes ORDER BY text")]


def _code(caught: pytest.ExceptionInfo[StoreUnusable]) -> str:
    issue = caught.value.issues[0]
    assert issue.next_step
    assert issue.place.startswith("postgresql://"), "the place names the server, and no user"
    assert "@" not in issue.place
    return issue.code


def test_a_block_that_fails_keeps_nothing_at_either_place(place: Place) -> None:
    rows = open_rows(place, NOTES)
    _put(rows, "kept? 100 % of it")
    with pytest.raises(KeyError), rows.transaction() as statements:
        statements.execute("INSERT INTO notes VALUES (?)", ("lost",))
        raise KeyError
    assert _kept(rows) == ["kept? 100 % of it"]
    rows.close()


def test_writers_of_different_replicas_take_turns(notes: PostgresRows, state_database: StateDatabase) -> None:
    other = PostgresRows(state_database.place, NOTES)
    turn = threading.Event()

    def count_and_put(rows: PostgresRows) -> int:
        with rows.transaction() as statements:
            (count,) = statements.execute("SELECT count(*) FROM notes").fetchone()
            turn.wait(0.05)
            statements.execute("INSERT INTO notes VALUES (?)", (f"{count}",))
        return int(count)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(count_and_put, [notes, other] * 6))
    assert sorted(found) == list(range(12))
    other.close()


def test_a_server_that_came_back_is_used_again_at_once(
    notes: PostgresRows, state_database: StateDatabase
) -> None:
    _put(notes, "before")
    state_database.open(to=False)
    with pytest.raises(StoreUnusable) as caught:
        _put(notes, "away")
    assert _code(caught) == "store_away"
    with pytest.raises(StoreUnusable) as caught:
        _kept(notes)
    assert _code(caught) == "store_away"
    state_database.open(to=True)
    _put(notes, "after")
    assert _kept(notes) == ["after", "before"]


def test_a_connection_lost_inside_a_block_keeps_nothing(
    notes: PostgresRows, state_database: StateDatabase
) -> None:
    with pytest.raises(StoreUnusable) as caught, notes.transaction() as statements:
        statements.execute("INSERT INTO notes VALUES (?)", ("lost",))
        state_database.cut()
        statements.execute("INSERT INTO notes VALUES (?)", ("lost, too",))
    assert _code(caught) == "store_away"
    assert _kept(notes) == []


@pytest.mark.parametrize("done", [True, False])
def test_a_commit_that_nobody_confirmed_is_looked_up(
    notes: PostgresRows, state_database: StateDatabase, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    """The connection is cut right after, or right before, the server takes the commit."""
    real = psycopg.Connection.execute

    def cut(connection: psycopg.Connection, statement: object, *given: object, **more: object) -> object:
        if statement != "COMMIT":
            return real(connection, statement, *given, **more)  # type: ignore[call-overload]
        if done:
            real(connection, "COMMIT")
        state_database.cut()
        return real(connection, "SELECT 1")

    _put(notes, "first")
    monkeypatch.setattr(psycopg.Connection, "execute", cut)
    if done:
        _put(notes, "second")
    else:
        with pytest.raises(StoreUnusable) as caught:
            _put(notes, "second")
        assert _code(caught) == "store_away"
    monkeypatch.undo()
    assert _kept(notes) == (["first", "second"] if done else ["first"])


def test_a_replica_that_hangs_in_a_block_is_named_busy_and_loses_its_turn(
    notes: PostgresRows, state_database: StateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.stores.postgres.STATEMENT_SECONDS", 0.2)
    monkeypatch.setattr("gateway.stores.postgres.BLOCK_SECONDS", 1.0)
    hung = PostgresRows(state_database.place, NOTES)
    free, wrote = threading.Event(), []

    def hang() -> None:
        with pytest.raises(StoreUnusable), hung.transaction() as statements:
            statements.execute("INSERT INTO notes VALUES (?)", ("never",))
            wrote.append(True)
            free.wait(20)

    thread = threading.Thread(target=hang)
    thread.start()
    while not wrote:
        threading.Event().wait(0.01)
    with pytest.raises(StoreUnusable) as caught:
        _put(notes, "early")
    assert _code(caught) == "store_busy"
    for _ in range(100):
        try:
            _put(notes, "late")
            break
        except StoreUnusable:
            threading.Event().wait(0.05)
    free.set()
    thread.join()
    assert _kept(notes) == ["late"]
    hung.close()


def test_a_database_of_another_project_or_format_is_left_alone(state_database: StateDatabase) -> None:
    state = StateStore(state_database.place)
    state.probe()
    state.close()
    namesake = Database(state_database.url, PROJECT, "00" * 32)
    for place, tables, code in (
        (Database(state_database.url, "another", KEYS), Tables("state", "", 2, "FULL"), "store_of_another"),
        (namesake, Tables("state", "", 2, "FULL"), "store_of_another"),
        (namesake, Tables("more", "", 1, "FULL"), "store_of_another"),
        (state_database.place, Tables("state", "", 99, "FULL"), "store_version"),
    ):
        with pytest.raises(StoreUnusable) as caught:
            open_rows(place, tables).transaction().__enter__()
        assert _code(caught) == code


def test_tables_from_before_keys_told_projects_apart_go_to_who_opens_them_first(
    notes: PostgresRows, state_database: StateDatabase
) -> None:
    _put(notes, "kept")
    state_database.server.execute("ALTER TABLE cellbound_state.made DROP COLUMN keys", state_database.name)
    state_database.cut()
    later = PostgresRows(state_database.place, NOTES)
    assert _kept(later) == ["kept"]
    later.close()
    with pytest.raises(StoreUnusable) as caught:
        _kept(PostgresRows(Database(state_database.url, PROJECT, "00" * 32), NOTES))
    assert _code(caught) == "store_of_another" and "other keys" in caught.value.issues[0].message


def test_a_login_without_rights_and_a_standby_are_told_apart(
    notes: PostgresRows, state_database: StateDatabase
) -> None:
    _put(notes, "x")
    notes.close()
    state_database.server.execute(
        f"ALTER DATABASE {state_database.name} SET default_transaction_read_only = on"
    )
    with pytest.raises(StoreUnusable) as caught:
        _put(notes, "y")
    assert _code(caught) == "store_read_only"
    state_database.server.execute(f"ALTER DATABASE {state_database.name} RESET ALL")
    state_database.server.execute("ALTER SCHEMA cellbound_state OWNER TO postgres", state_database.name)
    with pytest.raises(StoreUnusable) as caught:
        _put(notes, "y")
    assert _code(caught) == "store_no_right"


def test_a_statement_by_itself_is_kept_whole_or_not_at_all(place: Place) -> None:
    rows = open_rows(place, NOTES)
    rows.write("INSERT INTO notes VALUES (?)", ("kept",))
    with pytest.raises(StoreUnusable):
        rows.write("INSERT INTO notes VALUES (?), (NULL)", ("lost",))
    with rows.reading() as statements:
        assert statements.execute("SELECT text FROM notes").fetchall() == [("kept",)]
    rows.close()


def test_results_and_attestations_come_back_at_another_replica(place: Place) -> None:
    stores = [ResultStore(place, bytes(32), clock=now) for _ in range(2)]
    for _ in range(2):
        assert stores[0].put("t1", "ann", TABLE)
    found = stores[1].get("t1", "ann")
    assert found is not None and found.table == TABLE
    assert stores[1].get("t1", "bob") is None
    assert stores[1].erase("ann") == 1 and stores[0].get("t1", "ann") is None
    assert stores[0].purge() == 0
    for store in stores:
        store.close()


def test_a_guard_that_held_is_not_looked_up_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AttestationStore(place, clock=now)
    store.note_held("g")
    assert store.guard_held("g", NOW) == NOW
    monkeypatch.setattr(store._file, "looked", lambda *_: pytest.fail("looked up again"))
    assert store.guard_held("g", NOW) == NOW
    store.close()


def test_attestations_are_shared(place: Place) -> None:
    one, other = (AttestationStore(place, clock=now) for _ in range(2))
    counts = KeyCounts(10, 9, 0, None, None, None, None)
    for data in ("d1", "d2"):
        made = one.record("orders_to_customers", "d", data, counts)
    assert other.of(["orders_to_customers", "none"]) == {"orders_to_customers": made}
    assert other.of([]) == {}
    one.note_held("g")
    other.note_held("g")
    assert one.guard_held("g", NOW) == NOW
    assert one.guard_held("g", NOW + timedelta(seconds=1)) is None
    assert other.guard_held("h", NOW) is None
    one.note_held("h")
    assert other.guard_held("h", NOW) == NOW
    one.close()
    other.close()


def test_opinions_stand_beside_what_people_decided(place: Place) -> None:
    state = StateStore(place, clock=now)
    given = Given("t1", "k1", "budget", "model", "a1", 0.7, "yes")
    state.opinions.note(given)
    assert state.opinions.recall("a1", timedelta(hours=1)) == (0.7, "yes")
    assert [(each.chance, each.accepted) for each in state.opinions.compared()] == [(0.7, None)]
    state.close()


def test_budgets_of_a_day_count_together(place: Place) -> None:
    replicas = [StateStore(place, clock=now) for _ in range(2)]
    line = (55, 10**12, 10**12)
    with ThreadPoolExecutor(4) as pool:
        done = list(
            pool.map(
                lambda n: replicas[n % 2].spend(f"t{n}", "ana", date(2026, 7, 1), (10, 1, 10**11), line),
                range(12),
            )
        )
    assert sum(before[0] + 10 <= 55 for before in done) == 5
    assert replicas[0].spent("ana", date(2026, 7, 1)) == (50, 5, 5 * 10**11)
    for replica in replicas:
        replica.close()


def test_the_script_names_the_login_and_the_database_of_the_url() -> None:
    script = state_setup('postgres://the%20login:secret@db.example:5433/the"state')
    assert 'CREATE ROLE "the login" LOGIN;' in script
    assert 'CREATE DATABASE "the""state" OWNER "the login"' in script
    assert "secret" not in script


def test_every_word_of_a_schema_that_postgresql_spells_otherwise_is_spelled() -> None:
    text = spelled(
        "CREATE TABLE t (n INTEGER PRIMARY KEY, k INTEGER, at REAL, b BLOB, s TEXT) STRICT, WITHOUT ROWID"
    )
    assert text == (
        "CREATE TABLE t (n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, k BIGINT, at DOUBLE PRECISION,"
        ' b BYTEA, s TEXT COLLATE "C")'
    )
