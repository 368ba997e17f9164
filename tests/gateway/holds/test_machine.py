"""Whatever happens in whatever order, a question runs at most once per accept, and never without one."""

import os
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from gateway.reply import Refusal
from gateway.scaffold.project import templates
from policies.policy import Lines
from tests.gateway.holds.held_shop import RALF, Clock, Plan, Shop
from traces.records import Caller

ANA = Caller(user="ana", roles=("analyst",), teams=("sales-analytics",), tenant="shop")
EMIL = Caller(user="emil", roles=("emea_analyst",), teams=("sales-analytics",), tenant="shop")
RITA = Caller(user="rita", roles=("reviewer",), teams=("data-governance",), tenant="shop")
PEOPLE = {"ana": ANA, "emil": EMIL, "rita": RITA, "ralf": RALF}
PLAN: Plan = {
    "metrics": ["order_count"],
    "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-07-31"},
}
LIFE = timedelta(minutes=60)
EVENTS = st.sampled_from(["time", "policy", "definition", "restart"])
LATEST = st.sampled_from([0, 0, 0, 0, 1, 2])
"""Which hold is meant, counted from the newest: what was accepted is come back with, more often than not."""


class Held:
    """What the machine expects of one hold."""

    def __init__(self, hold_id: str, house: tuple[int, int], needed: int, expires: timedelta) -> None:
        self.id = hold_id
        self.house = house
        self.needed = needed
        self.expires = expires
        self.by: set[str] = set()
        self.status = "waiting"


class Questions(RuleBasedStateMachine):
    """Two processes over one project: ask, come back, decide, take back, expire, change, restart."""

    shop_file: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.parent = tempfile.TemporaryDirectory()
        self.folder = Path(self.parent.name) / "shop"
        shutil.copytree(templates() / "shop", self.folder)
        (self.folder / "var").mkdir()
        os.link(self.shop_file, self.folder / "var" / "shop.duckdb")
        self.clock = Clock()
        self.policy = self.definition = 0
        self.ran = self.allowed = 0
        self.gone = 0
        self.processes = [Shop(self.folder, self.clock) for _ in range(2)]
        self.held: list[Held] = []
        self._enforce()

    def _enforce(self) -> None:
        """Put today's policy in force in both processes."""
        for one in self.processes:
            lines = Lines(warn=1, hard=10**12 + self.policy)
            one.change(budget=one.policy.budget.model_copy(update={"bytes": lines}))
            one.rule("budget", two_person=bool(self.policy % 2))

    @property
    def house(self) -> tuple[int, int]:
        return self.policy, self.definition

    def _over(self, held: Held) -> bool:
        return self.clock.ahead >= held.expires

    def _runs(self) -> int:
        return self.gone + sum(len(one.engine.runs) for one in self.processes)

    @rule(process=st.integers(0, 1))
    def ask(self, process: int) -> None:
        reply = self.processes[process].ask(ANA, PLAN)
        assert reply.outcome == "held"
        self._expect(reply.hold_id)

    def _expect(self, hold_id: str) -> None:
        known = [each for each in self.held if each.id == hold_id]
        waiting = [
            each
            for each in self.held
            if each.house == self.house and each.status == "waiting" and not self._over(each)
        ]
        assert known == waiting[:1], "the same question waits once"
        if not known:
            needed = 2 if self.policy % 2 else 1
            self.held.append(Held(hold_id, self.house, needed, self.clock.ahead + LIFE))

    @rule(process=st.integers(0, 1), number=LATEST, who=st.sampled_from(["ana", "ana", "ana", "emil"]))
    def come_back(self, process: int, number: int, who: str) -> None:
        if not self.held:
            return
        self._return(process, self.held[-1 - number % len(self.held)], who)

    def _return(self, process: int, held: Held, who: str) -> None:
        reply = self.processes[process].ask(PEOPLE[who], PLAN, held.id)
        right = who == "ana" and held.house == self.house and not self._over(held)
        if right and held.status == "accepted":
            assert reply.outcome == "answered", reply.issues
            held.status = "used"
            self.allowed += 1
        elif right and held.status == "denied":
            assert reply.outcome == "denied"
        elif who == "ana" and held.house == self.house and held.status in ("waiting", "accepted"):
            assert reply.outcome == ("expired" if self._over(held) else "held")
            if reply.outcome == "held":
                self._expect(reply.hold_id)
        else:
            assert reply.outcome in ("held", "denied")
            if reply.outcome == "held" and who == "ana":
                self._expect(reply.hold_id)

    @rule(
        process=st.integers(0, 1),
        number=LATEST,
        who=st.sampled_from(["rita", "rita", "ralf", "ralf", "ana", "emil"]),
        verdict=st.sampled_from(["accept", "accept", "accept", "accept", "deny", "revoke"]),
    )
    def decide(self, process: int, number: int, who: str, verdict: str) -> None:
        if not self.held:
            return
        held = self.held[-1 - number % len(self.held)]
        found = self.processes[process].decide(PEOPLE[who], held.id, verdict)
        wanted = "accepted" if verdict == "revoke" else "waiting"
        may = who in ("rita", "ralf") and held.status == wanted and not self._over(held)
        if verdict == "accept":
            may = may and who not in held.by and held.house == self.house
        assert isinstance(found, Refusal) == (not may), found
        if may and verdict == "accept":
            held.by.add(who)
            held.status = "accepted" if len(held.by) >= held.needed else "waiting"
        elif may:
            held.status = "denied"

    @rule(process=st.integers(0, 1), number=LATEST, again=st.booleans())
    def approve_and_come_back(self, process: int, number: int, again: bool) -> None:
        """Take the straight way, so that what follows meets accepts that were used."""
        if not self.held:
            self.ask(process)
        held = self.held[-1 - number % len(self.held)]
        for who in ("rita", "ralf"):
            self.decide(process, number, who, "accept")
        for each in (process, 1 - process)[: 1 + again]:
            self._return(each, held, "ana")

    @rule(process=st.integers(0, 1), event=EVENTS, minutes=st.integers(5, 45))
    def approve_and_come_back_late(self, process: int, event: str, minutes: int) -> None:
        """Change something between the accept and the return."""
        if not self.held:
            self.ask(process)
        held = self.held[-1]
        for who in ("rita", "ralf"):
            self.decide(process, 0, who, "accept")
        self.happen(event, minutes)
        self._return(process, held, "ana")

    @rule(event=EVENTS, minutes=st.integers(5, 45))
    def happen(self, event: str, minutes: int) -> None:
        if event == "time":
            self.clock.ahead += timedelta(minutes=minutes)
        elif event == "policy":
            self.policy += 1
            self._enforce()
        elif event == "definition":
            self._change_a_definition()
        else:
            self._restart(minutes % 2)

    def _change_a_definition(self) -> None:
        self.definition += 1
        files = sorted((self.folder / "metrics").glob("*.yml"))
        file = next(each for each in files if "order_count" in each.read_text(encoding="utf-8"))
        text, said = file.read_text(encoding="utf-8"), f"description: ({self.definition}) "
        file.write_text(text.replace("description: ", said, 1), encoding="utf-8")
        for process in range(2):
            self._restart(process)

    def _restart(self, process: int) -> None:
        self.gone += len(self.processes[process].engine.runs)
        self.processes[process].close()
        self.processes[process] = Shop(self.folder, self.clock)
        self._enforce()

    @invariant()
    def what_ran_is_what_was_accepted(self) -> None:
        assert self._runs() == self.allowed

    def teardown(self) -> None:
        for one in self.processes:
            one.close()
        self.parent.cleanup()


@pytest.mark.holds
@pytest.mark.slow
def test_at_most_one_run_per_accept_and_never_one_without(shop_file: Path) -> None:
    few = settings(max_examples=15, stateful_step_count=15, deadline=None)
    Questions.shop_file = shop_file
    run_state_machine_as_test(Questions, settings=few)
