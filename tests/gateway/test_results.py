"""The result store: for the asker only, for a while, and for nobody who holds the file alone."""

import multiprocessing
import secrets
import sqlite3
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.stores.results import SWEEP_EVERY, ResultStore, ResultUnreadable
from gateway.stores.sqlite_file import StoreUnusable
from metric_layer.resolved import OutputColumn
from traces.records import Table

KEY = bytes(range(32))
START = datetime(2026, 7, 1, 12, tzinfo=UTC)
TABLE = Table(
    columns=(
        OutputColumn(name="month", kind="time", type="date", label="Month"),
        OutputColumn(name="revenue", kind="metric", type="decimal", label="Revenue", unit="EUR"),
    ),
    rows=((date(2026, 7, 1), Decimal("1234.50")), (date(2026, 8, 1), None)),
)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_store(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., ResultStore]]:
    opened: list[ResultStore] = []

    def open_(key: bytes = KEY, **options: int) -> ResultStore:
        store = ResultStore(tmp_path / "var" / "results.sqlite", key, clock=clock, **options)
        opened.append(store)
        return store

    yield open_
    for store in opened:
        store.close()


def test_the_asker_gets_the_table_back_while_it_is_kept(open_store: Callable[..., ResultStore]) -> None:
    store = open_store()
    assert store.put("t1", "ann", TABLE)
    found = store.get("t1", "ann")
    assert found is not None
    assert found.table == TABLE
    assert found.expires == START + timedelta(hours=1)


def test_somebody_elses_result_looks_like_none(open_store: Callable[..., ResultStore]) -> None:
    store = open_store()
    store.put("t1", "ann", TABLE)
    assert store.get("t1", "bob") is None
    assert store.get("t2", "ann") is None


def test_a_result_is_gone_when_its_time_is_over(open_store: Callable[..., ResultStore], clock: Clock) -> None:
    store = open_store(ttl_seconds=60)
    store.put("t1", "ann", TABLE)
    clock.now = START + timedelta(seconds=59)
    assert store.get("t1", "ann") is not None
    clock.now = START + timedelta(seconds=60)
    assert store.get("t1", "ann") is None
    assert store.purge() == 1
    assert store.purge() == 0


def test_a_new_result_sweeps_the_expired_ones_away(
    open_store: Callable[..., ResultStore], clock: Clock
) -> None:
    store = open_store()
    store.put("t1", "ann", TABLE)
    clock.now += timedelta(hours=2)
    store.put("t2", "ann", TABLE)
    assert store.purge() == 0


def test_expired_results_are_swept_once_in_a_while(
    open_store: Callable[..., ResultStore], clock: Clock
) -> None:
    store = open_store(ttl_seconds=1)
    for name in ("t1", "t2", "t3"):
        store.put(name, "ann", TABLE)
        clock.now += SWEEP_EVERY / 2
    assert store.get("t1", "ann") is None
    assert store.purge() == 1  # t3: the others went as it came
    store.put("t4", "ann", TABLE)
    clock.now += SWEEP_EVERY
    store.put("t5", "ann", TABLE)
    assert store.purge() == 0


@given(st.lists(st.integers(-7200, 7200), min_size=1, max_size=6))
def test_however_the_clock_was_set_an_expired_result_goes_with_a_sweep_later_at_most(
    steps: list[int],
) -> None:
    with TemporaryDirectory() as folder:
        clock = Clock()
        store = ResultStore(Path(folder) / "results.sqlite", KEY, clock=clock, ttl_seconds=1)
        for number, seconds in enumerate(steps):
            clock.now += timedelta(seconds=seconds)
            store.put(f"t{number}", "ann", TABLE)
        clock.now += SWEEP_EVERY
        store.put("last", "ann", TABLE)
        assert store.purge() == 0, "all that had expired was gone"
        store.close()


def test_the_newest_result_of_an_id_counts(open_store: Callable[..., ResultStore]) -> None:
    store = open_store()
    store.put("t1", "ann", TABLE)
    store.put("t1", "ann", TABLE.model_copy(update={"rows": ()}))
    found = store.get("t1", "ann")
    assert found is not None
    assert found.table.rows == ()


def test_erasing_a_subject_leaves_nothing_of_theirs_in_any_file(
    open_store: Callable[..., ResultStore], tmp_path: Path
) -> None:
    store = open_store()
    store.put("t1", "subject-of-ann", TABLE)
    store.put("t2", "subject-of-bob", TABLE)
    assert store.erase("subject-of-ann") == 1
    assert store.get("t1", "subject-of-ann") is None
    assert store.get("t2", "subject-of-bob") is not None
    left = b"".join(file.read_bytes() for file in (tmp_path / "var").iterdir())
    assert b"subject-of-ann" not in left
    assert b"subject-of-bob" in left


def test_no_value_is_readable_in_the_file(open_store: Callable[..., ResultStore], tmp_path: Path) -> None:
    store = open_store()
    secret = "a name that nobody else has"
    store.put("t1", "ann", TABLE.model_copy(update={"rows": ((secret, secret),)}))
    files = list((tmp_path / "var").iterdir())
    assert files
    assert all(secret.encode() not in file.read_bytes() for file in files)
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)


@pytest.mark.parametrize("column", ["wrapped_key", "sealed"])
def test_a_changed_byte_is_refused(
    open_store: Callable[..., ResultStore], tmp_path: Path, column: str
) -> None:
    store = open_store()
    store.put("t1", "ann", TABLE)
    with sqlite3.connect(tmp_path / "var" / "results.sqlite") as raw:
        ((sealed,),) = raw.execute(f"SELECT {column} FROM results").fetchall()
        raw.execute(f"UPDATE results SET {column} = ?", (sealed[:-1] + bytes([sealed[-1] ^ 1]),))
    raw.close()
    with pytest.raises(ResultUnreadable) as caught:
        store.get("t1", "ann")
    assert caught.value.issues[0].code == "result_unreadable"


@pytest.mark.parametrize(("moved", "to"), [("id", "t9"), ("subject", "bob")])
def test_a_row_moved_under_another_name_does_not_open(
    open_store: Callable[..., ResultStore], tmp_path: Path, moved: str, to: str
) -> None:
    store = open_store()
    store.put("t1", "ann", TABLE)
    with sqlite3.connect(tmp_path / "var" / "results.sqlite") as raw:
        raw.execute(f"UPDATE results SET {moved} = ?", (to,))
    raw.close()
    with pytest.raises(ResultUnreadable):
        store.get("t9" if moved == "id" else "t1", "bob" if moved == "subject" else "ann")


def test_another_master_key_opens_nothing(open_store: Callable[..., ResultStore]) -> None:
    open_store().put("t1", "ann", TABLE)
    with pytest.raises(ResultUnreadable):
        open_store(secrets.token_bytes(32)).get("t1", "ann")


def test_a_result_too_large_is_not_kept_and_says_so(open_store: Callable[..., ResultStore]) -> None:
    store = open_store(most_bytes=2000)
    large = TABLE.model_copy(update={"rows": ((secrets.token_hex(4000), None),)})
    assert store.put("t1", "ann", TABLE)
    assert not store.put("t2", "ann", large)
    assert store.get("t2", "ann") is None


def _put_many(path: Path, worker: int) -> None:
    store = ResultStore(path, KEY)
    for number in range(10):
        store.put(f"{worker}-{number}", f"s{worker}", TABLE)
    store.close()


def test_several_processes_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_put_many, args=(path, worker)) for worker in range(3)]
    for process in workers:
        process.start()
    for process in workers:
        process.join(60)
    assert [process.exitcode for process in workers] == [0, 0, 0]
    store = ResultStore(path, KEY)
    kept = [store.get(f"{worker}-{number}", f"s{worker}") for worker in range(3) for number in range(10)]
    store.close()
    assert all(found is not None and found.table == TABLE for found in kept)


def test_many_threads_share_one_store(open_store: Callable[..., ResultStore]) -> None:
    store = open_store()

    def keep_and_take(number: int) -> bool:
        store.put(f"t{number}", f"s{number}", TABLE)
        found = store.get(f"t{number}", f"s{number}")
        return found is not None and found.table == TABLE

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(keep_and_take, range(40)))


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    path.write_bytes(b"not a database, but long enough to be looked at as one" * 10)
    with pytest.raises(StoreUnusable) as caught:
        ResultStore(path, KEY)
    assert caught.value.issues[0].code == "store_damaged"
    assert caught.value.issues[0].place == "results.sqlite"
    assert caught.value.issues[0].next_step
