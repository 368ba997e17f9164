"""A gateway in a world of its own: clock, disk, database, judge and people are drawn from one seed.

The house, the stores and the rules are the real ones. Everything runs on one thread; what happens at the same
time as a question happens in the middle of one of its calls to the database.
"""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from gateway.asking import AskOptions
from gateway.cancellation import Cancellation
from gateway.engines.base import Identity
from gateway.errors import HouseError
from gateway.reply import Refusal, Reply
from gateway.service import Gateway
from gateway.state import StateStore
from gateway.stores.attestations import AttestationStore
from gateway.stores.results import ResultStore
from tests.simulation.database import SLOTS, FakeDatabase
from tests.simulation.disk import SimulatedDisk
from tests.simulation.judge import FakeJudge
from tests.simulation.project import ALLOW_AT, CHEAP, DEAR, PLAN, RITA, START, Project
from traces.chain import Damage
from traces.errors import TraceError
from traces.records import Caller
from traces.store.files import FileTraceStore


class PowerCut(BaseException):
    """The machine stopped; whoever was asking hears nothing."""


@dataclass(slots=True)
class Asking:
    """A question under way: who asks, what it would read, under which policy it began, who may be gone."""

    caller: Caller
    bytes: int
    policy: int
    approval: str
    leaver: Cancellation


@dataclass(frozen=True, slots=True)
class Told:
    """A reply that reached its asker."""

    reply: Reply
    asking: Asking


class World:
    """One machine with a project on it. `meanwhile` may be replaced: it is called in the middle of calls."""

    def __init__(self, project: Project, folder: Path, draw: Random) -> None:
        self.project = project
        self.draw = draw
        self.now: datetime = START
        self.policy = 0
        self.boots = 0
        self.told: list[Told] = []
        self.asking: list[Asking] = []
        self.holds: dict[str, str] = {}
        self.asked_by: dict[str, Caller] = {}
        self.spent: dict[str, str] = {}
        self.judge = FakeJudge(draw)
        self._folder = folder
        self._boot(folder / "0")

    def _boot(self, machine: Path) -> None:
        machine.mkdir(exist_ok=True)
        keys = self.project.keys
        self.database = FakeDatabase(lambda: self.asking[-1].bytes, self._in_a_call)
        self.disk = SimulatedDisk(machine, self._folder / str(self.boots + 1), self.draw)
        self._traces = FileTraceStore(machine / "traces", keys.chain_key(), clock=self._clock, disk=self.disk)
        self.gateway = Gateway(
            self.project.house(self.policy, self.database, self.judge, self._clock),
            self._traces,
            ResultStore(machine / "results.sqlite", keys.wrapping_key("results"), clock=self._clock),
            StateStore(machine / "state.sqlite", clock=self._clock),
            AttestationStore(machine / "attestations.sqlite", clock=self._clock),
        )

    def _clock(self) -> datetime:
        return self.now

    # What people do

    def ask(self, caller: Caller, bytes_: int, approval: str = "") -> Reply | None:
        """Ask; None where the house could not keep its record, and so told nothing."""
        mine = Asking(caller, bytes_, self.policy, approval, Cancellation())
        self.asking.append(mine)
        try:
            options = AskOptions(approval_id=approval)
            reply = self.gateway.ask(caller, PLAN, options, cancellation=mine.leaver)
        except (TraceError, HouseError):
            if self.disk.dead:
                raise PowerCut from None
            assert self.disk.troubled, "the house refused although its disk was well"
            return None
        finally:
            self.asking.pop()
        self.told.append(Told(reply, mine))
        if reply.hold_id:
            self.holds.setdefault(reply.hold_id, "waiting")
            self.asked_by[reply.hold_id] = caller
        return reply

    def decide(self, hold: str, verdict: str) -> None:
        """Have a reviewer decide. Where nobody was told what came of it, it may count or not."""
        try:
            seen = self.gateway.decide_hold(RITA, hold, verdict, "simulated")
        except (TraceError, HouseError):
            self.holds[hold] = "nobody knows" if verdict == "accept" else self.holds[hold]
            if self.disk.dead:
                raise PowerCut from None
            assert self.disk.troubled
            return
        if not isinstance(seen, Refusal):
            self.holds[hold] = seen.status

    def leave(self) -> None:
        """The asker of the innermost question hangs up."""
        if self.asking:
            self.asking[-1].leaver.cancel()

    # What happens to the machine

    def reload(self) -> None:
        """Put the other policy in force."""
        self.policy = 1 - self.policy
        house = self.project.house(self.policy, self.database, self.judge, self._clock)
        self.gateway.houses.replace(house)

    def pass_time(self, minutes: int) -> None:
        """Let the clock run on."""
        self.now += timedelta(minutes=minutes)

    def end_overdue(self) -> None:
        """Do what a server does every few seconds."""
        with suppress(TraceError):
            self.gateway.expire_holds()
        if self.disk.dead:
            raise PowerCut

    def cut_power(self) -> None:
        """Stop the machine here."""
        self.disk.die()
        raise PowerCut

    def start_again(self) -> None:
        """Start the gateway on what its disk holds, or held when the power was cut."""
        with suppress(TraceError):
            self.gateway.close()
        self.asking.clear()
        self.boots += 1
        if not self.disk.dead:
            shutil.copytree(self._folder / str(self.boots - 1), self._folder / str(self.boots))
        self._boot(self._folder / str(self.boots))
        self.check_records()

    # What must hold

    def _in_a_call(self, name: str, who: Identity | None, query_id: str) -> None:
        if who is not None:
            asked = self.asking[-1].caller
            assert (who.user, who.role) == (asked.user, asked.roles[0]), "run as somebody else"
        if name == "run":
            self._check_run(query_id)
        self.meanwhile(name)

    def meanwhile(self, name: str) -> None:
        """Nothing happens meanwhile."""

    def _check_run(self, query_id: str) -> None:
        """A run is cheap, or accepted for just this run, or let through by a judge that is sure enough."""
        mine = self.asking[-1]
        assert mine.bytes <= DEAR, "what is over the hard line ran"
        if mine.bytes <= CHEAP:
            return
        held = self.gateway.state.holds.find(mine.approval) if mine.approval else None
        if held is not None and held.used_by == query_id:
            assert self.holds[mine.approval] in ("accepted", "nobody knows"), "nobody accepted this"
            assert self.now < held.hold.expires, "the accept was over"
            assert mine.approval not in self.spent, "an accept was used twice"
            self.spent[mine.approval] = query_id
            return
        assert mine.policy == 1 and max(self.judge.chances, default=0.0) >= ALLOW_AT, "nobody let this run"

    def check_slots(self) -> None:
        """Between questions no session is taken."""
        assert not self.asking
        assert self.database.free_slots() == SLOTS, "a slot was lost"

    def check_records(self) -> None:
        """Every reply that reached its asker stands in a closed trace, and every log is whole."""
        for verdict in self._traces.verify():
            assert not isinstance(verdict, Damage), verdict
        for told in self.told:
            trace = self.gateway.traces.read(told.reply.trace_id)
            assert trace is not None and trace.closed is not None, "an answer without a trace"
            assert trace.closed.outcome == told.reply.outcome
            assert trace.closed.pins is not None
            assert trace.closed.pins.policy == self.project.policy(told.asking.policy)
            assert trace.opened.role == told.asking.caller.roles[0]
