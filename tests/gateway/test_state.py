"""The newest choice of a team counts, attempts are taken once, and a file that is not ours is left alone."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateway.state import StateStore
from gateway.stores.rows import Place, StoreUnusable
from gateway.team_choice import Choice

START = datetime(2026, 7, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


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
def store(place: Place, clock: Clock) -> Iterator[StateStore]:
    opened = StateStore(place, clock=clock)
    yield opened
    opened.close()


def _choice(term: str, option: str, clock: Clock, team: str = "sales") -> Choice:
    return Choice(team, term, option, definition="d", version=1, by="ann", at=clock.now)


def test_the_newest_choice_of_a_team_counts(store: StateStore, clock: Clock) -> None:
    store.record_choice(_choice("revenue", "gross_revenue", clock))
    clock.now += HOUR
    newest = _choice("revenue", "net_revenue", clock)
    store.record_choice(newest)
    assert store.list_choices("sales") == (newest,)
    assert (newest.option, newest.at) == ("net_revenue", START + HOUR)
    assert store.list_choices("finance") == ()


def test_choices_are_listed_by_term_and_can_be_revoked(store: StateStore, clock: Clock) -> None:
    for term in ("region", "active"):
        store.record_choice(_choice(term, f"{term}_x", clock))
    store.record_choice(_choice("region", "other", clock, team="finance"))
    assert [choice.term for choice in store.list_choices("sales")] == ["active", "region"]
    assert store.revoke_choice("sales", "region")
    assert not store.revoke_choice("sales", "region")
    assert [choice.term for choice in store.list_choices("sales")] == ["active"]
    assert [choice.term for choice in store.list_choices("finance")] == ["region"]


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(StoreUnusable) as caught:
        StateStore(path)
    assert caught.value.issues[0].code == "store_version"


def test_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite").mkdir()
    with pytest.raises(StoreUnusable) as caught:
        StateStore(tmp_path / "state.sqlite")
    assert caught.value.issues[0].code == "store_unwritable"
    assert caught.value.issues[0].place == "state.sqlite"


def test_attempts_are_taken_once_each_by_many_at_once(store: StateStore, place: Place) -> None:
    other = StateStore(place)
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda n: (store, other)[n % 2].take_attempt({"t1": 0}, 3), range(16)))
    other.close()
    assert sorted(number for number in taken if number) == [1, 2, 3]


def test_an_attempt_counts_for_every_trace_or_for_none(store: StateStore) -> None:
    assert store.take_attempt({"t1": 0, "t2": 2}, 3) == 3
    assert store.take_attempt({"t1": 0, "t2": 0}, 3) is None
    assert store.take_attempt({"t1": 0}, 3) == 2, "the refused attempt left the other trace alone"
