"""A SQLite file of the house: whole transactions, private, and every fault in our own words."""

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gateway.stores.rows import Statements
from gateway.stores.sqlite_file import SqliteFile, StoreUnusable

SCHEMA = "CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL) STRICT"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SqliteFile]:
    opened = SqliteFile(tmp_path / "notes.sqlite", SCHEMA, version=1, durability="FULL")
    yield opened
    opened.close()


def _count(file: SqliteFile) -> int:
    with file.reading() as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM notes").fetchall()
    return int(count)


def _code(caught: pytest.ExceptionInfo[StoreUnusable]) -> str:
    assert caught.value.issues[0].place == "notes.sqlite"
    assert caught.value.issues[0].next_step
    return caught.value.issues[0].code


def test_a_block_that_fails_keeps_nothing(file: SqliteFile) -> None:
    with file.transaction() as connection:
        connection.execute("INSERT INTO notes VALUES ('kept')")
    with pytest.raises(KeyError), file.transaction() as connection:
        connection.execute("INSERT INTO notes VALUES ('lost')")
        raise KeyError
    assert _count(file) == 1


def test_a_full_disk_is_said_and_nothing_is_half_written(file: SqliteFile) -> None:
    with file.reading() as connection:
        connection.execute("PRAGMA max_page_count = 4").fetchone()
    with pytest.raises(StoreUnusable) as caught, file.transaction() as connection:
        connection.execute("INSERT INTO notes VALUES ('small')")
        connection.execute("INSERT INTO notes VALUES (?)", ("large" * 20_000,))
    assert _code(caught) == "store_full"
    assert _count(file) == 0


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("in the way")
    with pytest.raises(StoreUnusable) as caught:
        SqliteFile(tmp_path / "var" / "notes.sqlite", SCHEMA, version=1, durability="FULL")
    assert _code(caught) == "store_unwritable"


def test_a_mistake_in_a_statement_does_not_leave_as_a_driver_error(file: SqliteFile) -> None:
    with pytest.raises(StoreUnusable) as caught, file.transaction() as connection:
        connection.execute("INSERT INTO nowhere VALUES (1)")
    assert _code(caught) == "store_unwritable"


@pytest.mark.parametrize("durability", ["FULL", "NORMAL"])
def test_the_file_has_the_durability_it_was_asked_for(tmp_path: Path, durability: str) -> None:
    opened = SqliteFile(
        tmp_path / "notes.sqlite", SCHEMA, version=1, durability="FULL" if durability == "FULL" else "NORMAL"
    )
    with opened.reading() as connection:
        (synchronous,) = connection.execute("PRAGMA synchronous").fetchone()
        (journal,) = connection.execute("PRAGMA journal_mode").fetchone()
    opened.close()
    assert (synchronous, journal) == ({"FULL": 2, "NORMAL": 1}[durability], "wal")


def test_another_connection_reads_while_a_transaction_is_open(file: SqliteFile, tmp_path: Path) -> None:
    with file.transaction() as connection:
        connection.execute("INSERT INTO notes VALUES ('not yet')")
        with sqlite3.connect(tmp_path / "notes.sqlite") as other:
            ((seen,),) = other.execute("SELECT count(*) FROM notes").fetchall()
        other.close()
    assert seen == 0
    assert _count(file) == 1


def test_who_makes_a_file_at_once_waits_and_is_never_told_that_it_is_busy(tmp_path: Path) -> None:
    def make(path: Path, together: threading.Barrier) -> None:
        together.wait()
        SqliteFile(path, SCHEMA, version=1, durability="FULL").close()

    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            together = threading.Barrier(8)
            path = tmp_path / f"{number}.sqlite"
            for made in [pool.submit(make, path, together) for _ in range(8)]:
                made.result(timeout=30)


class Look:
    """Counts the notes, and how often it was asked to."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, statements: Statements) -> int:
        self.times += 1
        return int(statements.execute("SELECT count(*) FROM notes").fetchone()[0])


def _note(file: SqliteFile) -> None:
    with file.transaction() as connection:
        connection.execute("INSERT INTO notes VALUES ('one more')")


def test_a_look_is_taken_again_once_anybody_wrote(file: SqliteFile, tmp_path: Path) -> None:
    other = SqliteFile(tmp_path / "notes.sqlite", SCHEMA, version=1, durability="FULL")
    look = Look()
    assert [file.looked("count", look) for _ in range(3)] == [0, 0, 0] and look.times == 1
    _note(file)
    assert [file.looked("count", look) for _ in range(3)] == [1, 1, 1] and look.times == 2
    _note(other)
    assert [file.looked("count", look) for _ in range(3)] == [2, 2, 2] and look.times == 3
    other.close()


def test_a_look_that_found_nothing_is_not_taken_again(file: SqliteFile) -> None:
    asked: list[str] = []
    assert [file.looked("none", lambda _: asked.append("once")) for _ in range(2)] == [None, None]
    assert asked == ["once"]


def test_what_is_seen_inside_a_block_that_fails_is_not_remembered(file: SqliteFile) -> None:
    look = Look()
    with pytest.raises(KeyError), file.transaction() as connection:
        connection.execute("INSERT INTO notes VALUES ('lost')")
        assert file.looked("count", look) == 1
        raise KeyError
    assert file.looked("count", look) == 0


def test_a_statement_by_itself_is_kept_and_seen(file: SqliteFile) -> None:
    def count(statements: Statements) -> int:
        return int(statements.execute("SELECT count(*) FROM notes").fetchone()[0])

    assert file.looked("notes", count) == 0
    file.write("INSERT INTO notes VALUES (?)", ("kept",))
    assert file.looked("notes", count) == 1
    with pytest.raises(StoreUnusable):
        file.write("INSERT INTO notes VALUES (?), (NULL)", ("lost",))
    assert file.looked("notes", count) == 1
