"""Holds are decided once per person, used once and expire, whichever thread or process is first."""

import multiprocessing
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gateway.holds.faults import (
    AlreadyDecided,
    HoldExpired,
    NotDecidable,
    OwnQuestion,
    UnknownFinding,
    UnknownHold,
)
from gateway.holds.records import GROWTH_ALLOWED, Held, HeldFinding, NewHold, Verdict
from gateway.holds.store import HoldStore
from gateway.state import StateStore
from gateway.stores.rows import Place
from tests.servers.state import StateDatabase

START = datetime(2026, 7, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PARTS = {"plan": "p1", "policy": "y1"}
BUDGET = HeldFinding(key="budget", check="budget", stage="cost", amount=100.0)
JOIN = HeldFinding(key="join", check="join_key", stage="sql")


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
def state(place: Place, clock: Clock) -> Iterator[StateStore]:
    opened = StateStore(place, clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def store(state: StateStore) -> HoldStore:
    return state.holds


def new_hold(hold_id: str = "h1", *findings: HeldFinding, expires: datetime = START + HOUR) -> NewHold:
    return NewHold(
        id=hold_id,
        trace_id=f"t-{hold_id}",
        kind="question",
        tenant="shop",
        asker="ann",
        role="analyst",
        parts=PARTS,
        findings=findings or (BUDGET,),
        at=START,
        expires=expires,
    )


def used(store: HoldStore, held: Held, run: str = "r1", asker: str = "ann", base: str = "") -> bool:
    store.mark_recorded(number for number, _, _ in store.unrecorded())
    return store.use(held.id, base or held.hold.base, asker, run)


def test_an_accept_is_used_once_by_its_asker_for_its_question(store: HoldStore) -> None:
    held = store.open(new_hold())
    assert held.status == "waiting"
    assert not used(store, held)
    assert store.rule("h1", "accept", "rita").status == "accepted"
    assert not used(store, held, asker="bob")
    assert not used(store, held, base="another question")
    assert used(store, held)
    assert not used(store, held, run="r2")
    found = store.find("h1")
    assert found is not None and (found.status, found.used_by) == ("used", "r1")


def test_an_accept_counts_only_once_it_stands_in_its_trace(store: HoldStore) -> None:
    held = store.open(new_hold())
    store.rule("h1", "accept", "rita")
    assert not store.use("h1", held.hold.base, "ann", "r1")
    assert used(store, held)


def test_the_same_question_waits_under_one_hold(store: HoldStore) -> None:
    first = store.open(new_hold("h1"))
    assert store.open(new_hold("h2")).id == first.id
    grown = BUDGET.model_copy(update={"amount": 100.0 * GROWTH_ALLOWED * 1.01})
    assert store.open(new_hold("h3", grown)).id == "h3", "what grew that much is another finding"
    assert store.open(new_hold("h4", BUDGET, JOIN)).id == "h4"


@pytest.mark.parametrize("first", ["accept", "deny"])
@pytest.mark.parametrize("second", ["accept", "deny"])
def test_a_second_decision_is_refused(store: HoldStore, first: Verdict, second: Verdict) -> None:
    store.open(new_hold())
    store.rule("h1", first, "rita")
    with pytest.raises(AlreadyDecided):
        store.rule("h1", second, "ralf")
    kept = store.find("h1")
    assert kept is not None and [ruled.by for ruled in kept.rulings] == ["rita"]


def test_two_people_means_two_different_ones(store: HoldStore) -> None:
    store.open(new_hold("h1", JOIN.model_copy(update={"needed": 2}), BUDGET))
    assert store.rule("h1", "accept", "rita").status == "waiting"
    with pytest.raises(AlreadyDecided):
        store.rule("h1", "accept", "rita")
    assert store.rule("h1", "accept", "ralf").status == "accepted"


def test_findings_can_be_accepted_one_by_one_and_one_denial_ends_all(store: HoldStore) -> None:
    store.open(new_hold("h1", JOIN, BUDGET))
    assert store.rule("h1", "accept", "rita", findings=("join",)).status == "waiting"
    assert store.rule("h1", "accept", "ralf", findings=("budget",)).status == "accepted"
    store.open(new_hold("h2", JOIN, BUDGET, expires=START + 2 * HOUR))
    assert store.rule("h2", "deny", "rita", findings=("join",)).status == "denied"
    store.open(new_hold("h3"))
    with pytest.raises(UnknownFinding):
        store.rule("h3", "accept", "rita", findings=("nothing",))


def test_the_asker_decides_only_what_the_policy_lets_them(store: HoldStore) -> None:
    own = JOIN.model_copy(update={"own_allowed": True})
    store.open(new_hold("h1", own, BUDGET))
    with pytest.raises(OwnQuestion):
        store.rule("h1", "accept", "ann")
    assert store.rule("h1", "accept", "ann", findings=("join",)).rulings[-1].own
    assert store.rule("h1", "accept", "rita").status == "accepted"


def test_an_accept_can_be_taken_back_until_it_is_used(store: HoldStore) -> None:
    held = store.open(new_hold())
    with pytest.raises(AlreadyDecided):
        store.rule("h1", "revoke", "rita")
    store.rule("h1", "accept", "rita")
    assert store.rule("h1", "revoke", "ralf").status == "denied"
    assert not used(store, held)
    again = store.open(new_hold("h2"))
    store.rule("h2", "accept", "rita")
    assert used(store, again)
    with pytest.raises(AlreadyDecided):
        store.rule("h2", "revoke", "rita")


def test_what_nobody_decided_or_came_for_in_time_expires_once(store: HoldStore, clock: Clock) -> None:
    accepted = store.open(new_hold("h1"))
    store.rule("h1", "accept", "rita")
    store.open(new_hold("h2", JOIN))
    clock.now = START + HOUR
    with pytest.raises(HoldExpired):
        store.rule("h2", "accept", "rita")
    assert not used(store, accepted)
    assert [held.id for held in store.expire()] == ["h1", "h2"]
    assert store.expire() == ()
    assert [ruled.verdict for _, _, ruled in store.unrecorded()] == ["expired", "expired"]


def test_accepts_move_to_a_newer_hold_once(store: HoldStore) -> None:
    store.open(new_hold("h1"))
    store.rule("h1", "accept", "rita")
    carried = BUDGET.model_copy(update={"carried": True})
    newer = new_hold("h2", carried, JOIN)
    moved = store.open(replace(newer, earlier="h1"))
    assert moved.hold.findings[0].carried
    old = store.find("h1")
    assert old is not None and old.status == "superseded"
    again = store.open(replace(new_hold("h3", carried, JOIN, BUDGET), earlier="h1"))
    assert not again.hold.findings[0].carried, "an accept that moved is not there a second time"
    assert store.rule("h2", "accept", "rita").status == "accepted"


def test_an_accept_comes_back_where_its_question_did_not_run(store: HoldStore) -> None:
    held = store.open(new_hold())
    store.rule("h1", "accept", "rita")
    assert used(store, held, run="r1")
    store.give_back("r1")
    assert used(store, held, run="r2")
    assert not used(store, held, run="r3")


def test_the_hold_that_expires_first_is_listed_first_and_tenants_are_apart(store: HoldStore) -> None:
    store.open(new_hold("late", BUDGET, expires=START + 2 * HOUR))
    store.open(new_hold("soon", JOIN))
    assert [held.id for held in store.list("waiting", "shop")] == ["soon", "late"]
    assert store.list("waiting", "other") == ()
    assert store.list(None, "shop", "bob") == ()


def test_an_erased_asker_leaves_no_hold_behind(store: HoldStore) -> None:
    store.open(new_hold())
    store.rule("h1", "accept", "rita")
    assert store.erase("ann") == 1
    assert store.find("h1") is None and store.unrecorded() == ()


def test_an_unknown_hold_is_named(store: HoldStore) -> None:
    with pytest.raises(UnknownHold, match="h9") as caught:
        store.rule("h9", "accept", "rita")
    assert caught.value.hold_id == "h9"


def test_of_many_reviewers_at_once_one_decides(store: HoldStore) -> None:
    store.open(new_hold())

    def decide(reviewer: int) -> bool:
        try:
            store.rule("h1", "accept", f"r{reviewer}")
        except AlreadyDecided:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(decide, range(8))) == 1


def _use(place: Place, run: str, answers: "multiprocessing.Queue[bool]") -> None:
    state = StateStore(place, clock=lambda: START)
    held = state.holds.find("h1")
    assert held is not None
    answers.put(state.holds.use("h1", held.hold.base, "ann", run))
    state.close()


def test_of_many_processes_at_once_one_uses_the_accept(store: HoldStore, place: Place) -> None:
    store.open(new_hold())
    store.rule("h1", "accept", "rita")
    store.mark_recorded(number for number, _, _ in store.unrecorded())
    context = multiprocessing.get_context("spawn")
    answers: multiprocessing.Queue[bool] = context.Queue()
    workers = [context.Process(target=_use, args=(place, f"r{number}", answers)) for number in range(3)]
    for process in workers:
        process.start()
    found = [answers.get(timeout=60) for _ in workers]
    for process in workers:
        process.join(60)
    assert sorted(found) == [False, False, True]


class Holds(RuleBasedStateMachine):
    """Whatever happens in whatever order, at most one run, and only after enough accepts in time.

    Two stores at one place stand for two processes; either may be closed and opened again at any moment.
    """

    database: StateDatabase | None = None

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.folder = tempfile.TemporaryDirectory()
        self.place: Place = Path(self.folder.name) / "state.sqlite"
        if self.database is not None:
            self.database.empty()
            self.place = self.database.place
        self.stores = [StateStore(self.place, clock=self.clock) for _ in range(2)]
        self.number = self.runs = 0
        self.ask(needed=1)

    @property
    def hold_id(self) -> str:
        return f"h{self.number}"

    @rule(needed=st.integers(1, 2))
    def ask(self, needed: int) -> None:
        finding = BUDGET.model_copy(update={"needed": needed, "key": f"k{self.number}"})
        self.number += 1
        self.needed, self.by, self.status = needed, set[str](), "waiting"
        self.expires = self.clock.now + HOUR
        self.held = self.stores[0].holds.open(new_hold(self.hold_id, finding, expires=self.expires))

    def over(self) -> bool:
        return self.clock.now >= self.expires

    @rule(
        process=st.integers(0, 1),
        verdict=st.sampled_from(["accept", "deny", "revoke"]),
        by=st.sampled_from(["rita", "ralf", "ann"]),
    )
    def decide(self, process: int, verdict: Verdict, by: str) -> None:
        wanted = "accepted" if verdict == "revoke" else "waiting"
        may = self.status == wanted and not self.over() and by != "ann"
        may = may and not (verdict == "accept" and by in self.by)
        try:
            self.stores[process].holds.rule(self.hold_id, verdict, by)
        except NotDecidable:
            assert not may
            return
        assert may
        if verdict == "accept":
            self.by.add(by)
            self.status = "accepted" if len(self.by) >= self.needed else "waiting"
        else:
            self.status = "denied"

    @rule(process=st.integers(0, 1), asker=st.sampled_from(["ann", "bob"]), same=st.booleans())
    def use(self, process: int, asker: str, same: bool) -> None:
        right = self.status == "accepted" and asker == "ann" and same and not self.over()
        self.runs += 1
        base = "" if same else "another"
        assert used(self.stores[process].holds, self.held, f"r{self.runs}", asker, base) == right
        if right:
            self.status = "used"

    @precondition(lambda self: self.status == "used")
    @rule()
    def give_back(self) -> None:
        self.stores[0].holds.give_back(f"r{self.runs}")
        found = self.stores[1].holds.find(self.hold_id)
        assert found is not None
        self.status = "accepted" if found.status in ("accepted", "expired") else "used"

    @rule(minutes=st.integers(1, 40))
    def wait(self, minutes: int) -> None:
        self.clock.now += timedelta(minutes=minutes)

    @rule(process=st.integers(0, 1))
    def sweep(self, process: int) -> None:
        self.stores[process].holds.expire()

    @rule(process=st.integers(0, 1))
    def restart(self, process: int) -> None:
        self.stores[process].close()
        self.stores[process] = StateStore(self.place, clock=self.clock)

    @invariant()
    def both_processes_see_the_same(self) -> None:
        views = [state.holds.find(self.hold_id) for state in self.stores]
        assert views[0] == views[1] and views[0] is not None
        open_now = self.status in ("waiting", "accepted") and not self.over()
        assert (views[0].status in ("waiting", "accepted")) == open_now

    def teardown(self) -> None:
        for state in self.stores:
            state.close()
        self.folder.cleanup()


TestHolds = Holds.TestCase
TestHolds.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestHolds = pytest.mark.holds(TestHolds)


@pytest.mark.holds
def test_two_replicas_over_one_database_never_run_an_accept_twice(state_database: StateDatabase) -> None:
    class OnPostgres(Holds):
        database = state_database

    run_state_machine_as_test(OnPostgres, settings=settings(TestHolds.settings, max_examples=10))
