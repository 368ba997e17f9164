"""Holds are decided once, used once and expire; the newest choice of a team counts."""

import multiprocessing
import sqlite3
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from gateway.sqlite_file import StoreUnusable
from gateway.state import (
    AlreadyDecided,
    Choice,
    HeldQuestion,
    HoldExpired,
    NotDecidable,
    StateStore,
    UnknownHold,
)

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
def store(tmp_path: Path, clock: Clock) -> Iterator[StateStore]:
    opened = StateStore(tmp_path / "var" / "state.sqlite", clock=clock)
    yield opened
    opened.close()


def _hold(store: StateStore, hold_id: str = "h1", expires: datetime = START + HOUR) -> HeldQuestion:
    return store.create_hold(
        hold_id=hold_id,
        trace_id="t1",
        binding="b1",
        findings=("budget: above the warning line",),
        asker="ann",
        expires=expires,
    )


def test_a_new_hold_waits(store: StateStore) -> None:
    held = _hold(store)
    assert held.status == "waiting"
    assert store.get_hold("h1") == held
    assert store.list_waiting() == (held,)
    assert store.get_hold("h2") is None


def test_an_accept_is_used_once_by_its_asker_for_its_question(store: StateStore) -> None:
    _hold(store)
    assert not store.consume_hold("h1", "b1", "ann")
    decided = store.decide_hold("h1", "accept", "rita")
    assert (decided.status, decided.decided_by, decided.decided_at) == ("accepted", "rita", START)
    assert store.get_hold("h1") == decided
    assert not store.consume_hold("h1", "b2", "ann")
    assert not store.consume_hold("h1", "b1", "bob")
    assert not store.consume_hold("h2", "b1", "ann")
    assert store.consume_hold("h1", "b1", "ann")
    assert not store.consume_hold("h1", "b1", "ann")


@pytest.mark.parametrize("first", ["accept", "deny"])
@pytest.mark.parametrize("second", ["accept", "deny"])
def test_a_second_decision_is_refused(store: StateStore, first: str, second: str) -> None:
    _hold(store)
    store.decide_hold("h1", "accept" if first == "accept" else "deny", "rita")
    with pytest.raises(AlreadyDecided):
        store.decide_hold("h1", "accept" if second == "accept" else "deny", "ralf")
    kept = store.get_hold("h1")
    assert kept is not None
    assert kept.decided_by == "rita"


def test_a_denied_hold_opens_nothing(store: StateStore) -> None:
    _hold(store)
    store.decide_hold("h1", "deny", "rita")
    assert not store.consume_hold("h1", "b1", "ann")
    assert store.list_waiting() == ()


def test_a_hold_expires_undecided(store: StateStore, clock: Clock) -> None:
    _hold(store)
    clock.now = START + HOUR
    with pytest.raises(HoldExpired):
        store.decide_hold("h1", "accept", "rita")
    found = store.get_hold("h1")
    assert found is not None
    assert found.status == "expired"
    assert store.list_waiting() == ()
    assert [held.id for held in store.expire_holds()] == ["h1"]
    assert store.expire_holds() == ()


def test_an_accept_that_nobody_came_for_expires(store: StateStore, clock: Clock) -> None:
    _hold(store)
    store.decide_hold("h1", "accept", "rita")
    clock.now = START + HOUR
    assert not store.consume_hold("h1", "b1", "ann")
    assert [(held.id, held.status) for held in store.expire_holds()] == [("h1", "expired")]


def test_a_used_hold_does_not_expire(store: StateStore, clock: Clock) -> None:
    _hold(store)
    store.decide_hold("h1", "accept", "rita")
    store.consume_hold("h1", "b1", "ann")
    clock.now = START + HOUR
    assert store.expire_holds() == ()


def test_an_unknown_hold_is_named(store: StateStore) -> None:
    with pytest.raises(UnknownHold, match="h9") as caught:
        store.decide_hold("h9", "accept", "rita")
    assert caught.value.hold_id == "h9"


def test_the_hold_that_expires_first_is_listed_first(store: StateStore) -> None:
    _hold(store, "late", START + 2 * HOUR)
    _hold(store, "soon", START + HOUR)
    assert [held.id for held in store.list_waiting()] == ["soon", "late"]


def test_of_many_reviewers_at_once_one_decides(store: StateStore) -> None:
    _hold(store)

    def decide(reviewer: int) -> bool:
        try:
            store.decide_hold("h1", "accept", f"r{reviewer}")
        except AlreadyDecided:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(decide, range(8))) == 1


def _use(path: Path, answers: "multiprocessing.Queue[bool]") -> None:
    store = StateStore(path, clock=lambda: START)
    answers.put(store.consume_hold("h1", "b1", "ann"))
    store.close()


def test_of_many_processes_at_once_one_uses_the_accept(store: StateStore, tmp_path: Path) -> None:
    _hold(store)
    store.decide_hold("h1", "accept", "rita")
    context = multiprocessing.get_context("spawn")
    answers: multiprocessing.Queue[bool] = context.Queue()
    workers = [
        context.Process(target=_use, args=(tmp_path / "var" / "state.sqlite", answers)) for _ in range(3)
    ]
    for process in workers:
        process.start()
    used = [answers.get(timeout=60) for _ in workers]
    for process in workers:
        process.join(60)
    assert sorted(used) == [False, False, True]


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


def test_what_was_decided_survives_a_restart(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "state.sqlite"
    first = StateStore(path, clock=clock)
    _hold(first)
    decided = first.decide_hold("h1", "accept", "rita")
    first.close()
    second = StateStore(path, clock=clock)
    assert second.get_hold("h1") == decided
    second.close()


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


class Holds(RuleBasedStateMachine):
    """Whatever happens in whatever order, a question runs at most once, and only after an accept in time."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.folder = tempfile.TemporaryDirectory()
        self.store = StateStore(Path(self.folder.name) / "state.sqlite", clock=self.clock)
        self.number = 0
        self._new()

    def _new(self) -> None:
        self.number += 1
        self.accepted = self.used = self.decided = False
        self.expires = self.clock.now + HOUR
        _hold(self.store, f"h{self.number}", self.expires)

    def _in_time(self) -> bool:
        return self.clock.now < self.expires

    @rule(ruling=st.sampled_from(["accept", "deny"]))
    def decide(self, ruling: str) -> None:
        may = self._in_time() and not self.decided
        try:
            self.store.decide_hold(f"h{self.number}", "accept" if ruling == "accept" else "deny", "rita")
        except NotDecidable:
            assert not may
            return
        assert may
        self.decided, self.accepted = True, ruling == "accept"

    @rule(binding=st.sampled_from(["b1", "b2"]), asker=st.sampled_from(["ann", "bob"]))
    def use(self, binding: str, asker: str) -> None:
        right = (binding, asker) == ("b1", "ann") and self.accepted and not self.used and self._in_time()
        assert self.store.consume_hold(f"h{self.number}", binding, asker) == right
        self.used = self.used or right

    @rule(minutes=st.integers(1, 40))
    def wait(self, minutes: int) -> None:
        self.clock.now += timedelta(minutes=minutes)

    @rule()
    def sweep(self) -> None:
        self.store.expire_holds()

    @rule()
    def ask_again(self) -> None:
        self._new()

    @invariant()
    def only_undecided_holds_in_time_are_offered(self) -> None:
        offered = {held.id for held in self.store.list_waiting()}
        assert (f"h{self.number}" in offered) == (self._in_time() and not self.decided)

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()


TestHolds = Holds.TestCase
TestHolds.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestHolds = pytest.mark.holds(TestHolds)


def test_attempts_are_taken_once_each_by_many_at_once(store: StateStore, tmp_path: Path) -> None:
    other = StateStore(tmp_path / "var" / "state.sqlite")
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda n: (store, other)[n % 2].take_attempt({"t1": 0}, 3), range(16)))
    other.close()
    assert sorted(number for number in taken if number) == [1, 2, 3]


def test_an_attempt_counts_for_every_trace_or_for_none(store: StateStore) -> None:
    assert store.take_attempt({"t1": 0, "t2": 2}, 3) == 3
    assert store.take_attempt({"t1": 0, "t2": 0}, 3) is None
    assert store.take_attempt({"t1": 0}, 3) == 2, "the refused attempt left the other trace alone"
