"""Queries of a replay on the database: the whole question again, and variants that differ in one thing."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from gateway.asking import Door, Entry, SavedStep
from gateway.engines.base import Engine, Identity, Rows
from gateway.engines.table import table_of
from gateway.house import House, limits_of
from gateway.pipeline import answer
from gateway.record.recorder import MemoryRecorder
from gateway.replay.steps import Recorded
from gateway.stages.watermarks import watermarks_in
from metric_layer.compile import as_of, compile_plan, compile_watermarks, until
from metric_layer.resolved import ResolvedPlan
from policies.entitlement import Entitlement
from policies.reading import protect
from traces.records import Caller, Shape, Trace, Watermark
from traces.shape import shape_of

DOOR = Door("replay")
DIFFERENCING = "differencing"


def ask_again(house: House, asked: Recorded, caller: Caller) -> Trace:
    """Ask the whole question again under a house, at the time it was asked.

    Nothing is written and no model is asked. Reviewers and the day's budget are as they were; free SQL is the
    text that was recorded.
    """
    opened, closed = asked.opened, asked.closed
    recorder = MemoryRecorder(
        approvals=closed.approvals,
        was_guarded=bool(closed.query and closed.query.guard),
        day=closed.day,
        released=closed.release,
        was_near=sum(d.check == DIFFERENCING and d.verdict == "hold" for d in closed.decisions),
    )
    choices = {**closed.readings, **opened.ask.choices}
    ask = opened.ask.model_copy(update={"choices": choices})
    planner = None if opened.origin == "plan" else lambda _catalogue: asked.text
    saved = SavedStep(opened.analysis, sql=asked.text) if opened.analysis and planner else None
    then = replace(house, now=lambda: opened.at, judge=None)
    answer(then, recorder, caller, ask, planner=planner, entry=Entry(DOOR, saved=saved))
    return recorder.trace()


class Probe:
    """Variants of a query that has just passed every check and run, for the same person.

    Each is compiled from the same plan, or is the same text with a clause for an earlier moment put into its
    tree: no caller can write one. They run under the same limits. Raises EngineError.
    """

    def __init__(
        self, house: House, role: Entitlement, caller: Caller, plan: ResolvedPlan | None, sql: str
    ) -> None:
        self._house = house
        self._role = role
        self._who = Identity(user=caller.user, role=role.role_name, tenant=caller.tenant)
        self._plan = plan
        self._sql = sql

    @property
    def engine(self) -> Engine:
        """Return the database that is asked."""
        return self._house.engine

    def at(self, moment: datetime) -> Shape:
        """Return the shape of the result over the data of an earlier moment."""
        return self._shape(as_of(self._sql, moment, self.engine.dialect))

    def up_to(self, marks: Mapping[str, str]) -> Shape | None:
        """Return the shape of the result over what is no newer than some watermarks; None without a plan."""
        cut = until(self._plan, marks) if self._plan else None
        if cut is None:
            return None
        sql = self._compiled(cut)
        return self._shape(sql) if sql else None

    def marks(self, limits: Mapping[str, str], moment: datetime | None = None) -> tuple[Watermark, ...]:
        """Return the watermarks of the data, of an earlier moment, or of what is no newer than `limits`."""
        if self._plan is None:
            return ()
        tree = compile_watermarks(self._plan, self._house.layer, self.engine.dialect, limits)
        reading = self._role.reader.read(tree, self._house.now()) if tree is not None else None
        if reading is None or reading.faults:
            return ()
        sql = reading.sql if moment is None else as_of(reading.sql, moment, self.engine.dialect)
        rows = self._run(sql)
        return watermarks_in(replace(rows, beside=rows.rows), 1)

    def _compiled(self, plan: ResolvedPlan) -> str:
        tree = compile_plan(plan, self._house.layer, self.engine.dialect, self._role.caps.rows + 1)
        reading = self._role.reader.read(tree, self._house.now())
        return "" if reading.faults else reading.sql

    def _shape(self, sql: str) -> Shape:
        policy = self._house.governed.policy
        table, _ = protect(table_of(self._run(sql), self._plan), self._plan, policy.reading.min_group)
        return shape_of(table, self._house.keys, policy.answers.min_group)

    def _run(self, sql: str) -> Rows:
        name = f"{DOOR.name}-{secrets.token_hex(8)}"
        return self.engine.run(sql, self._who, limits_of(self._role.caps), name)
