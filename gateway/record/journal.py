"""The journal of one question: opens the trace, keeps each record, closes it before the answer leaves."""

import json
import os
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Literal

from gateway import __version__
from gateway.asking import EVALUATION, Entry
from gateway.chosen import said
from gateway.engines.base import Capabilities, EngineError
from gateway.engines.fault import traced
from gateway.house import House
from gateway.record.recorder import Recorder
from gateway.releases.in_force import metrics_of
from gateway.reply import TOLD
from gateway.stores.attestations import Attestation
from gateway.team_choice import Choice
from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import PARSER_VERSION
from policies.entitlement import Entitlement
from policies.release import AskedAs
from traces.diff import SETTING_PINS
from traces.records import (
    Actual,
    Answer,
    Approval,
    Ask,
    Caller,
    Close,
    DataReference,
    Decision,
    Estimate,
    Open,
    Origin,
    Outcome,
    Pins,
    Query,
    Receipt,
    ReleasePin,
    Run,
    Shape,
    Spent,
    Table,
    Watermark,
    mono_us,
)
from traces.score_records import StefMark
from traces.seal import named, seal


def new_id(now: datetime) -> str:
    """Return an id that sorts by time: 48 bits of milliseconds, then 80 random ones, in hex."""
    return f"{int(now.timestamp() * 1000):012x}{os.urandom(10).hex()}"


def _unheard(step: str) -> None:
    """Nobody looks on."""


class Timing:
    """Adds the time of a step to what the steps of a question took, in microseconds."""

    __slots__ = ("_spent", "_started", "_step")

    def __init__(self, spent: dict[str, int], step: str) -> None:
        self._spent = spent
        self._step = step

    def __enter__(self) -> None:
        self._started = time.perf_counter_ns()

    def __exit__(self, *_: object) -> None:
        took = (time.perf_counter_ns() - self._started) // 1000
        self._spent[self._step] = self._spent.get(self._step, 0) + took


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
        self.today = self.opened_at.date()
        self.plan_digest = sha256(ask.plan.model_dump_json().encode()).hexdigest() if ask.plan else ""
        self.entitlement: Entitlement | None = house.entitlements.of(caller)
        self._class_plan = ask.plan
        self._release: ReleasePin | None = None
        self.runs = False
        self.resolved: ResolvedPlan | None = None
        self.attested: Mapping[str, Attestation] = {}
        self.query: Query | None = None
        self.submitted = ""
        self.estimate: Estimate | None = None
        self.estimate_alone: Estimate | None = None
        self.day: Spent | None = None
        self.run: Run | None = None
        self.actual: Actual | None = None
        self.shape: Shape | None = None
        self.watermarks: tuple[Watermark, ...] = ()
        self.data = DataReference(kind="none")
        self.answer: Answer | None = None
        self.decisions: list[Decision] = list(entry.findings)
        self.waiting: list[Decision] = [] if ask.dry_run else list(entry.findings)
        self.approvals: list[Approval] = []
        self.issues: list[Issue] = []
        self.faults: list[EngineError] = []
        self.notes: list[str] = [_narrowed(ask)] if ask.narrower_of else []
        self.readings: dict[str, str] = {}
        self.steps_us: dict[str, int] = {}
        self.engine_seconds = 0.0
        self.step = "open"
        self.told: Callable[[str], None] = _unheard
        self.hold_id = ""
        self.changed: tuple[str, ...] = ()
        words = entry.words
        if words is not None:
            self.notes.extend(words.notes)
            self.read_as(words.kept)
        self._open()

    def _open(self) -> None:
        words, keys, conversation = self.entry.words, self.house.keys, self.entry.conversation
        self.recorder.write(
            Open(
                trace_id=self.trace_id,
                at=self.opened_at,
                mono_us=mono_us(),
                subject=self.subject,
                role=self.entitlement.role_name if self.entitlement else next(iter(self.caller.roles), ""),
                tenant=self.caller.tenant,
                client=self.entry.door.name,
                program=self.entry.door.program,
                conversation=named(keys, self.subject, conversation) if conversation else "",
                follows=self.entry.follows,
                request=named(keys, self.subject, self.entry.door.key) if self.entry.door.key else "",
                origin=self.origin,
                ask=self.ask,
                analysis=self.entry.saved.pin if self.entry.saved else None,
                sealed_question=seal(keys, self.subject, words.text) if words else "",
            ),
            durable=False,
        )

    def timing(self, step: str) -> "Timing":
        """Name the step that is running; its time is added to the trace when it ends."""
        self.step = step
        if step not in self.steps_us:
            self.told(step)
        return Timing(self.steps_us, step)

    @property
    def in_shadow(self) -> bool:
        """Say whether its answer is kept from its asker; an evaluation is told: it runs gold SQL anyway."""
        role = self.entitlement.role if self.entitlement else None
        evaluates = self.entry.door == EVALUATION and role is not None and "evaluate" in role.may
        return self.release.stage == "shadow" and not self.ask.dry_run and not evaluates

    def came_to(self, outcome: Outcome) -> Outcome | Literal[""]:
        """Return what a question in shadow came to, if its asker is told nothing of it: once it has run."""
        return outcome if self.in_shadow and self.runs and outcome != "left" else ""

    def classify(self, plan: MetricPlan) -> None:
        """Take the class of a question by the metrics that its names stand for."""
        self._class_plan, self._release = plan, None

    @property
    def release(self) -> ReleasePin:
        """Return its class with the stage in force, looked up when it is first asked for."""
        if self._release is None:
            self._release = self._released(self._class_plan)
        return self._release

    def _released(self, plan: MetricPlan | None) -> ReleasePin:
        asked = AskedAs(
            match="free" if self.origin == "free" else "governed",
            metrics=metrics_of(plan),
            role=self.entitlement.role_name if self.entitlement else "",
            teams=self.caller.teams,
        )
        return self.recorder.released(self.house.governed.policy, self.house.keys, asked)

    def keep(self, table: Table) -> None:
        """Keep the result for drafts and follow-ups of its asker, who gets none of a question in shadow."""
        if not self.in_shadow:
            self.recorder.keep(self.trace_id, self.subject, table)

    def read_as(self, kept: tuple[Choice, ...]) -> None:
        """Keep, and say, the readings of the team that settled what the plan left open."""
        self.readings.update({choice.term: choice.option for choice in kept})
        self.notes.extend(said(choice) for choice in kept)

    def parts(self) -> Mapping[str, str]:
        """Return all that an accept of this question is bound to, by name: no finding is among it."""
        pins = self.pins(DataReference(kind="none"))
        return {
            "plan": self.ask.plan.model_dump_json(by_alias=True) if self.ask.plan else "",
            "choices": json.dumps(sorted({**self.readings, **self.ask.choices}.items())),
            "sql": self.query.sql if self.query else "",
            "asker": self.subject,
            "role": self.entitlement.role_name if self.entitlement else "",
            "definitions": pins.layer,
            **{name: str(getattr(pins, name)) for name in SETTING_PINS},
        }

    def pins(self, data: DataReference | None = None) -> Pins:
        """Return every input of this question by hash or version."""
        house, role, work = self.house, self.entitlement, self.entry.work
        promises = house.engine.capabilities()
        under = (role.allowlist, role.digest) if role else ("", "")
        where = promises.version, promises.driver, promises.mode, promises.search_path
        key = (house.layer.digest, house.governed.digest, under, where)
        standing = house.kept.pins.of(key, lambda: _standing_pins(house, promises, under))
        own = {
            "used": self.resolved.used if self.resolved else (),
            "data": data or self.data,
            "model": work.model if work else "",
            "prompt": work.prompt if work else "",
        }
        return standing.model_copy(update=own)

    def _scored(self) -> StefMark | None:
        """Return the reference-free score where the project wants one; evaluations are scored elsewhere."""
        scorer, plan = self.house.scorer, self.ask.plan
        if scorer is None or plan is None or self.query is None or self.entry.door == EVALUATION:
            return None
        return scorer(plan, self.query)

    def close(self, outcome: Outcome, failed_step: str = "") -> Receipt:
        """Write the last record, durable on disk, and return the receipt."""
        came_to = self.came_to(outcome)
        outcome = "not_released" if came_to else outcome
        receipt = self.recorder.write(
            Close(
                trace_id=self.trace_id,
                at=self.house.now(),
                mono_us=mono_us(),
                outcome=outcome,
                came_to=came_to,
                release=self.release,
                failed_step=failed_step,
                issues=(*self.issues, *(traced(fault) for fault in self.faults)),
                pins=self.pins(),
                query=self.query,
                readings=self.readings,
                sealed_submitted=seal(self.house.keys, self.subject, self.submitted)
                if self.submitted
                else "",
                estimate=self.estimate,
                estimate_alone=self.estimate_alone,
                day=self.day,
                approvals=tuple(self.approvals),
                run=self.run,
                actual=self.actual,
                shape=self.shape,
                watermarks=self.watermarks,
                decisions=tuple(self.decisions),
                answer=self.answer.citations if self.answer else (),
                sealed_answer=seal(self.house.keys, self.subject, self.answer.text) if self.answer else "",
                notes=tuple(self.notes),
                steps_us=self.steps_us,
                calls=self.entry.work.take() if self.entry.work else (),
                stef=self._scored(),
            ),
            durable=True,
        )
        if outcome in TOLD and self.entry.conversation and self.resolved:
            plan = self.resolved.plan.model_dump_json(by_alias=True, exclude_none=True)
            sealed = seal(self.house.keys, self.subject, f"{self.trace_id}\n{plan}")
            called = named(self.house.keys, self.subject, self.entry.conversation)
            self.recorder.remember(self.subject, called, sealed)
        return receipt


def _standing_pins(house: House, promises: Capabilities, under: tuple[str, str]) -> Pins:
    """Return what the questions of a role have in common; `under` are its allowlist and its entitlement."""
    layer, (allowlist, entitlement) = house.layer, under
    return Pins(
        layer=layer.digest,
        policy=house.governed.digest,
        thresholds=house.governed.thresholds,
        allowlist=allowlist,
        entitlement=entitlement,
        calendar=layer.calendar.digest,
        gateway=__version__,
        parser=PARSER_VERSION,
        engine=promises.engine,
        engine_version=promises.version,
        driver=promises.driver,
        mode=promises.mode,
        search_path=promises.search_path,
        dialect=house.engine.dialect,
        zone=layer.calendar.rules.time_zone,
        data=DataReference(kind="none"),
    )


def _narrowed(ask: Ask) -> str:
    window = ask.plan.time if ask.plan else None
    days = f"{window.from_} to {window.to}" if window else "a shorter one"
    return f"The window was narrowed to {days}: all of it ran into the time limit ({ask.narrower_of})."
