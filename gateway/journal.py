"""The journal of one question: opens the trace, keeps each record, closes it before the answer leaves."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256

from gateway import __version__
from gateway.asking import Entry
from gateway.chosen import said
from gateway.engines.base import EngineError
from gateway.engines.fault import traced
from gateway.house import House
from gateway.recorder import Recorder
from gateway.reply import TOLD
from gateway.state import Choice
from metric_layer.issues import Issue
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import PARSER_VERSION
from policies.entitlement import Entitlement
from traces.records import (
    Actual,
    Answer,
    Ask,
    Caller,
    Close,
    DataReference,
    Decision,
    Estimate,
    Hold,
    Open,
    Origin,
    Outcome,
    Pins,
    Query,
    Receipt,
    Shape,
    Spent,
)
from traces.seal import seal


def new_id(now: datetime) -> str:
    """Return an id that sorts by time: 48 bits of milliseconds, then 80 random ones, in hex."""
    return f"{int(now.timestamp() * 1000):012x}{os.urandom(10).hex()}"


class Journal:
    """What happened to one question so far. Every part is written once, by the step that made it."""

    def __init__(
        self, house: House, recorder: Recorder, caller: Caller, ask: Ask, *, origin: Origin, entry: Entry
    ) -> None:
        self.house = house
        self.recorder = recorder
        self.caller = caller
        self.ask = ask
        self.origin = origin
        self.entry = entry
        self.subject = house.subject(caller)
        self.opened_at = house.now()
        self.trace_id = new_id(self.opened_at)
        self.entitlement: Entitlement | None = house.entitlements.of(caller)
        self.resolved: ResolvedPlan | None = None
        self.query: Query | None = None
        self.submitted = ""
        self.estimate: Estimate | None = None
        self.day: Spent | None = None
        self.actual: Actual | None = None
        self.shape: Shape | None = None
        self.data = DataReference(kind="none")
        self.answer: Answer | None = None
        self.decisions: list[Decision] = []
        self.issues: list[Issue] = []
        self.faults: list[EngineError] = []
        self.notes: list[str] = [_narrowed(ask)] if ask.narrower_of else []
        self.readings: dict[str, str] = {}
        self.steps_us: dict[str, int] = {}
        self.step = "open"
        self.hold_id = ""
        words = entry.words
        if words is not None:
            self.notes.extend(words.notes)
            self.read_as(words.kept)
        self._open()

    def _open(self) -> None:
        words = self.entry.words
        self.recorder.write(
            Open(
                trace_id=self.trace_id,
                at=self.opened_at,
                mono_us=time.monotonic_ns() // 1000,
                subject=self.subject,
                role=self.entitlement.role_name if self.entitlement else next(iter(self.caller.roles), ""),
                tenant=self.caller.tenant,
                client=self.entry.client,
                origin=self.origin,
                ask=self.ask,
                sealed_question=seal(self.house.keys, self.subject, words.text) if words else "",
            ),
            durable=False,
        )

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        """Name the step that is running and add its time to the trace."""
        self.step = step
        started = time.perf_counter_ns()
        try:
            yield
        finally:
            spent = (time.perf_counter_ns() - started) // 1000
            self.steps_us[step] = self.steps_us.get(step, 0) + spent

    def read_as(self, kept: tuple[Choice, ...]) -> None:
        """Keep, and say, the readings of the team that settled what the plan left open."""
        self.readings.update({choice.term: choice.option for choice in kept})
        self.notes.extend(said(choice) for choice in kept)

    def binding(self) -> str:
        """Return the hash an accept is bound to: plan or SQL, pins, asker and role."""
        parts = (
            self.ask.plan.model_dump_json() if self.ask.plan else "",
            self.query.sql if self.query else "",
            self.pins(DataReference(kind="none")).model_dump_json(),
            self.subject,
            self.entitlement.role_name if self.entitlement else "",
        )
        return sha256("\x1f".join(parts).encode()).hexdigest()

    def hold(self, findings: tuple[Decision, ...]) -> None:
        """Keep the question for somebody entitled to decide; expiry is denial."""
        now = self.house.now()
        expires = now + timedelta(minutes=self.house.governed.policy.hold_minutes)
        self.hold_id = new_id(now)
        self.recorder.hold(
            Hold(
                trace_id=self.trace_id,
                at=now,
                hold_id=self.hold_id,
                findings=findings,
                binding=self.binding(),
                expires=expires,
            ),
            self.subject,
        )

    def pins(self, data: DataReference | None = None) -> Pins:
        """Return every input of this question by hash or version."""
        house, layer = self.house, self.house.layer
        promises = house.engine.capabilities()
        return Pins(
            layer=layer.digest,
            policy=house.governed.digest,
            thresholds=house.governed.thresholds,
            allowlist=self.entitlement.allowlist if self.entitlement else "",
            entitlement=self.entitlement.digest if self.entitlement else "",
            calendar=layer.calendar.digest,
            used=self.resolved.used if self.resolved else (),
            gateway=__version__,
            parser=PARSER_VERSION,
            engine=promises.engine,
            engine_version=promises.version,
            mode=promises.mode,
            dialect=house.engine.dialect,
            zone=layer.calendar.rules.time_zone,
            data=data or self.data,
        )

    def close(self, outcome: Outcome, failed_step: str = "") -> Receipt:
        """Write the last record, durable on disk, and return the receipt."""
        receipt = self.recorder.write(
            Close(
                trace_id=self.trace_id,
                at=self.house.now(),
                mono_us=time.monotonic_ns() // 1000,
                outcome=outcome,
                failed_step=failed_step,
                issues=(*self.issues, *(traced(fault) for fault in self.faults)),
                pins=self.pins(),
                query=self.query,
                readings=self.readings,
                sealed_submitted=seal(self.house.keys, self.subject, self.submitted)
                if self.submitted
                else "",
                estimate=self.estimate,
                day=self.day,
                actual=self.actual,
                shape=self.shape,
                decisions=tuple(self.decisions),
                answer=self.answer.citations if self.answer else (),
                sealed_answer=seal(self.house.keys, self.subject, self.answer.text) if self.answer else "",
                notes=tuple(self.notes),
                steps_us=self.steps_us,
            ),
            durable=True,
        )
        if outcome in TOLD and self.entry.conversation and self.resolved:
            self.recorder.remember(self.subject, self.entry.conversation, self.resolved.plan)
        return receipt


def _narrowed(ask: Ask) -> str:
    window = ask.plan.time if ask.plan else None
    days = f"{window.from_} to {window.to}" if window else "a shorter one"
    return f"The window was narrowed to {days}: all of it ran into the time limit ({ask.narrower_of})."
