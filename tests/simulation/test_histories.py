"""Random histories of one machine: whatever happens in whatever order, what the gateway promises holds.

Failures name their seed: CELLBOUND_SEED=N runs that history alone. `make soak` runs tens of thousands.
"""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from gateway.engines.turnstile import Turnstile
from gateway.holds.approvals import StoredApprovals
from gateway.holds.records import Held
from gateway.holds.store import HoldStore
from gateway.judges import panel
from policies.entitlement import Entitlements
from tests.simulation.project import ANA, ASKERS, CHEAP, DEAR, TOO_DEAR, Project
from tests.simulation.world import PowerCut, World
from traces.store.files import FileTraceStore

HISTORIES = int(os.environ.get("CELLBOUND_HISTORIES", "400"))
STEPS = 10
DEEPEST = 3
"""How many questions are under way at once: one more than the database has sessions for is refused."""
MEMORY = Path("/dev/shm")


class History(World):
    """A world in which each step, and what happens in the middle of it, is drawn."""

    def __init__(self, project: Project, folder: Path, draw: Random) -> None:
        super().__init__(project, folder, draw)
        self.happened: Counter[str] = Counter()

    def run(self) -> None:
        """Take all steps; after each the slots are free, at the end every reply has its trace."""
        for _ in range(STEPS):
            self.take(self.draw.choices(*zip(*STEPS_OF.items(), strict=True))[0])
            self.check_slots()
        self.take("power")
        self.check_records()

    def take(self, step: str) -> None:
        """Take one step; where the power is cut in it, start again."""
        try:
            self.happen(step)
        except PowerCut:
            self.start_again()
        if self.disk.dead:
            self.start_again()

    def happen(self, step: str) -> None:
        """Do one thing that can happen at any time."""
        self.happened[step] += 1
        EVENTS[step](self)

    def meanwhile(self, name: str) -> None:
        """Let something happen in the middle of a call to the database, now and then."""
        if self.draw.random() > 0.12:
            return
        step = self.draw.choices(*zip(*MEANWHILE.items(), strict=True))[0]
        if step not in ("ask", "return") or len(self.asking) <= DEEPEST:
            self.happen(step)

    def ask_anew(self) -> None:
        price = self.draw.choice((CHEAP, CHEAP, DEAR, DEAR, TOO_DEAR))
        reply = self.ask(self.draw.choice(ASKERS), price)
        self.happened[reply.outcome if reply else "nothing"] += 1

    def come_back(self) -> None:
        if self.holds:
            accepted = [hold for hold, status in self.holds.items() if status == "accepted"]
            hold = self.draw.choice(accepted[-1:] * 3 + list(self.holds))
            reply = self.ask(self.draw.choice((*ASKERS, *[self.asked_by[hold]] * 6)), DEAR, hold)
            self.happened["returned " + (reply.outcome if reply else "nothing")] += 1

    def rule(self) -> None:
        if self.holds:
            verdict = self.draw.choices(("accept", "deny", "revoke"), (6, 1, 1))[0]
            waiting = [hold for hold, status in self.holds.items() if status == "waiting"]
            self.decide(self.draw.choice(waiting[-1:] * 3 + list(self.holds)), verdict)

    def trouble_disk(self) -> None:
        self.disk.full = not self.disk.full
        self.disk.forgive()

    def fail_disk(self) -> None:
        self.disk.failing = self.draw.randint(1, 3)

    def doom_disk(self) -> None:
        self.disk.dies_in = self.draw.randint(1, 12)

    def trouble_database(self) -> None:
        self.database.fails = self.draw.choice(("dies", "slow"))


EVENTS: dict[str, Callable[[History], None]] = {
    "ask": History.ask_anew,
    "return": History.come_back,
    "decide": History.rule,
    "leave": History.leave,
    "reload": History.reload,
    "time": lambda world: world.pass_time(world.draw.choice((1, 20, 61))),
    "expire": History.end_overdue,
    "full": History.trouble_disk,
    "failing": History.fail_disk,
    "doom": History.doom_disk,
    "database": History.trouble_database,
    "power": History.cut_power,
    "restart": History.start_again,
}
STEPS_OF = {
    "ask": 8, "decide": 7, "return": 9, "reload": 1, "time": 1, "expire": 1, "full": 1, "failing": 1,
    "doom": 1, "database": 1, "power": 1, "restart": 1,
}  # fmt: skip
"""What a history is made of, by weight."""
MEANWHILE = {
    "leave": 3, "ask": 3, "return": 4, "decide": 2, "reload": 2, "time": 1, "expire": 1, "full": 1,
    "failing": 1, "doom": 1, "database": 3, "power": 2,
}  # fmt: skip
"""What happens while the database is at work, by weight."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder in memory, where there is one: a history writes much and keeps nothing."""
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as made:
        yield Path(made)


@pytest.fixture(scope="module")
def project(folder: Path) -> Project:
    return Project(folder)


def lived(project: Project, folder: Path, seed: int) -> Counter[str]:
    """Live one history; a failure says its seed."""
    place = folder / str(seed)
    place.mkdir()
    history = History(project, place, Random(seed))
    try:
        history.run()
    except BaseException as fault:
        fault.add_note(f"CELLBOUND_SEED={seed}")
        raise
    finally:
        history.gateway.close()
        shutil.rmtree(place)
    return history.happened


def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers leave before their records are on disk."""
    append = FileTraceStore.append
    monkeypatch.setattr(
        FileTraceStore, "append", lambda self, record, *, durable: append(self, record, durable=False)
    )


def generous(monkeypatch: pytest.MonkeyPatch) -> None:
    """An accept comes back after its run."""
    use = HoldStore.use

    def once_more(self: HoldStore, hold_id: str, base: str, asker: str, trace_id: str) -> bool:
        self.give_back(next(held.used_by for held in [self.find(hold_id)] if held))
        return use(self, hold_id, base, asker, trace_id)

    find = StoredApprovals.find
    monkeypatch.setattr(HoldStore, "use", once_more)
    monkeypatch.setattr(StoredApprovals, "find", lambda self, hold_id: accepted_again(find(self, hold_id)))


def accepted_again(held: Held | None) -> Held | None:
    return replace(held, status="accepted", used_by="") if held and held.status == "used" else held


def careless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody asks in the first role of the policy."""
    of = Entitlements.of
    monkeypatch.setattr(Entitlements, "of", lambda self, caller: of(self, ANA))


def leaky(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session is not given back when its statement fails."""

    @contextmanager
    def inside(self: Turnstile, check: Callable[[], None]) -> Iterator[None]:
        self._enter(check)
        yield
        self._inside -= 1

    monkeypatch.setattr(Turnstile, "inside", inside)


def credulous(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that is not sure is believed."""
    monkeypatch.setattr(panel, "rule", lambda chance, of: "allow" if chance >= 0.5 else "deny")


@pytest.mark.faults
@pytest.mark.slow
@pytest.mark.parametrize("fault", [forgetful, generous, careless, leaky, credulous])
def test_a_gateway_that_breaks_a_promise_does_not_live_long(
    project: Project,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[pytest.MonkeyPatch], None],
) -> None:
    """The simulation itself is tried: each fault put into the gateway is found."""
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(400):
            lived(project, folder, seed)


@pytest.mark.faults
@pytest.mark.slow
def test_no_history_breaks_a_promise(project: Project, folder: Path) -> None:
    """No answer without a trace, no accept used twice, nobody run as somebody else, no slot lost."""
    alone = os.environ.get("CELLBOUND_SEED")
    if alone:
        lived(project, folder, int(alone))
        return
    seen: Counter[str] = Counter()
    for seed in range(HISTORIES):
        seen += lived(project, folder, seed)
    wanted = {"answered", "held", "denied", "left", "failed", "partial", "nothing", "returned answered"}
    assert wanted | set(EVENTS) <= set(seen), "the histories do not reach what they are for"
