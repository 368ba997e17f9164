"""Another model, or another prompt, is asked the recorded questions again. Nothing of it is answered."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from gateway.agent.candidate_report import CandidateQuestion, CandidateReport, PlanChange, side_of, summed_up
from gateway.agent.endings import fault_issue
from gateway.agent.free import Writer, is_allowed
from gateway.agent.meter import Exhausted
from gateway.agent.narrow import periods_of
from gateway.agent.planner import planned
from gateway.agent.prompting import Prompts
from gateway.agent.replies import PlanReply, StepReply
from gateway.agent.resume import recorded_plan
from gateway.agent.steps import filled, probe
from gateway.agent.task import Stores, Task, dialogue_of
from gateway.asking import EVALUATION, AskOptions, Door, Entry
from gateway.cancellation import Cancellation
from gateway.house import House
from gateway.models.verb import Model, ModelFault
from gateway.pipeline import answer
from gateway.record.recorder import MemoryRecorder
from gateway.replay.sample import Choice, spread
from gateway.reply import NumberChange
from gateway.stages.stage import Stopped
from metric_layer.issues import Issue
from traces.assembly import questions
from traces.custody_records import Unsealed
from traces.diff import numbers_of
from traces.errors import Unsealable
from traces.records import Ask, Caller, Close, Open, Table, Trace
from traces.seal import seal, unseal


class _Skip(Exception):
    """A question that cannot be asked again; the message says why. Never leaves this file."""


class _Keeping(MemoryRecorder):
    """Keeps the result of a question in memory, for the steps after it."""

    table: Table | None = None

    def keep(self, trace_id: str, asker: str, table: Table) -> None:
        """Remember the table."""
        self.table = table


@dataclass(frozen=True, slots=True)
class Candidates:
    """Asks a candidate what a store holds, for one reader. `askers` are the users that the project knows."""

    house: House
    stores: Stores
    reader: Caller
    model: Model
    prompts: Prompts
    askers: tuple[Caller, ...]

    def report(self, choice: Choice) -> CandidateReport:
        """Ask a sample of the questions that a model worked on. Nothing of it is answered to anybody."""
        found = [opened.trace_id for opened in self._worked(choice)]
        pairs: list[CandidateQuestion] = []
        skipped: Counter[str] = Counter()
        for trace_id in spread(found, choice.most):
            try:
                pairs.append(self._pair(trace_id))
            except _Skip as why:
                skipped[str(why)] += 1
        about = self.model.pinned, self.prompts.digest
        return summed_up(pairs, dict(skipped.most_common()), len(found), about)

    def _worked(self, choice: Choice) -> Iterator[Open]:
        house, reader = self.house, self.reader
        audits = "audit" in house.rights(reader)
        own = house.subject(reader)
        for opened, closed in questions(self.stores.traces.records()):
            mine = opened.tenant == reader.tenant and (audits or opened.subject == own)
            asked = opened.client != EVALUATION.name and opened.sealed_question
            late = choice.since is None or opened.at >= choice.since
            if closed is None or opened.ask.step_of or not any(call.attempt for call in closed.calls):
                continue
            if mine and asked and late:
                yield opened

    def _pair(self, trace_id: str) -> CandidateQuestion:
        trace = self.stores.traces.read(trace_id)
        if trace is None or trace.closed is None or trace.erased:
            raise _Skip("erased")
        asker = self._asker(trace)
        question = self._question(trace)
        house = replace(self.house, now=lambda: trace.opened.at)
        task = self._task(house, asker, question)
        return self._asked(trace, trace.closed, task, runs=trace.opened.subject == house.subject(self.reader))

    def _asker(self, trace: Trace) -> Caller:
        """Return who asked, with the access they have now: what a model sees is what they may see."""
        known = (self.reader, *self.askers)
        found = next((each for each in known if self.house.subject(each) == trace.opened.subject), None)
        if found is None:
            raise _Skip("nobody with the asker's access is known")
        return found

    def _question(self, trace: Trace) -> str:
        """Return the words: one's own, or another's for who may unseal; that they were read is on record."""
        house, reader = self.house, self.reader
        by = house.subject(reader)
        if trace.opened.subject != by:
            if "unseal" not in house.rights(reader):
                raise _Skip("its words are sealed, and your role may not unseal")
            why = seal(house.keys, by, "replay against a candidate")
            seen = Unsealed(
                at=self.house.now(), by=by, sealed_reason=why, of=trace.trace_id, subject=trace.opened.subject
            )
            self.stores.traces.append(seen, durable=True)
        try:
            return unseal(house.keys, trace.opened.subject, trace.opened.sealed_question)
        except Unsealable as fault:
            raise _Skip("erased") from fault

    def _task(self, house: House, asker: Caller, question: str) -> Task:
        role = house.entitlements.of(asker)
        if role is None:
            raise _Skip("its asker has no role any more")
        leaver = Cancellation()
        return Task(
            house=house,
            recorder=MemoryRecorder(approvals=(), was_guarded=False),
            stores=self.stores,
            caller=asker,
            role=role,
            question=question,
            options=AskOptions(),
            door=Door("replay"),
            dialogue=dialogue_of(house, self.model, house.subject(asker), leaver, self.prompts),
            periods=periods_of(house, question),
            leaver=leaver,
        )

    def _asked(self, trace: Trace, closed: Close, task: Task, *, runs: bool) -> CandidateQuestion:
        before = recorded_plan(task, trace)
        again = _Again(task)
        again.work(runs=runs and closed.shape is not None)
        calls = task.dialogue.work.calls
        if calls and all(call.outcome == "failed" for call in calls):
            raise _Skip("the candidate did not answer")
        numbers = _changes(_numbers(self.stores, trace), again.numbers) if again.ran else ()
        pair = CandidateQuestion(
            trace_id=trace.trace_id,
            at=trace.opened.at.isoformat(timespec="seconds"),
            plan=_plan_change(trace, closed, before, again),
            recorded=side_of(closed.outcome, (closed,), closed.calls),
            candidate=side_of(again.outcome, again.closes, calls),
            ran=again.ran,
            numbers=numbers,
        )
        return pair.model_copy(update={"causes": _causes(pair, closed, task)}) if pair.parts else pair


@dataclass(slots=True)
class _Again:
    """A question planned anew by a candidate, and checked; run only for who asked it."""

    task: Task
    steps: tuple[StepReply, ...] = ()
    sql: str = ""
    outcome: str = "dry_run"
    ran: bool = False
    closes: list[Close] = field(default_factory=list)
    numbers: dict[str, str] = field(default_factory=dict)

    def work(self, *, runs: bool) -> None:
        """Plan, check and, with `runs`, run. What the candidate does not manage is its outcome."""
        try:
            self.steps = planned(self.task).reply.steps
        except Exhausted:
            self.outcome = "partial"
            return
        except ModelFault as fault:
            self.outcome = fault_issue(fault).code
            return
        if self.steps:
            self._steps(runs=runs)
        elif is_allowed(self.task.house.governed.policy):
            self._free()
        else:
            self.outcome = "abstained"

    def _steps(self, *, runs: bool) -> None:
        results: dict[str, Table] = {}
        for step in self.steps:
            plan = filled(step, results) if runs else probe(step)
            if isinstance(plan, Issue):
                self.outcome = "partial"
                return
            recorder = self._answer(Ask(plan=plan, dry_run=not runs))
            if recorder.table is None:
                break
            results[step.id] = recorder.table
        self.ran = runs and len(results) == len(self.steps)

    def _free(self) -> None:
        task = self.task
        try:
            self.sql = Writer(task).write(task.role.catalogue)
        except Stopped as stop:
            self.outcome = stop.outcome
            return
        self._answer(Ask(dry_run=True), self.sql)

    def _answer(self, ask: Ask, sql: str = "") -> _Keeping:
        task, recorder = self.task, _Keeping(approvals=(), was_guarded=False)
        planner = (lambda _catalogue: sql) if sql else None
        entry = Entry(task.door)
        reply = answer(task.house, recorder, task.caller, ask, planner=planner, entry=entry)
        self.outcome = reply.outcome
        trace = recorder.trace()
        if trace.closed is not None:
            self.closes.append(trace.closed)
        self.numbers.update(numbers_of(trace))
        return recorder


def _causes(pair: CandidateQuestion, closed: Close, task: Task) -> tuple[str, ...]:
    """Name the changed pins that feed what parts: the planning's only where the plan does.

    With none of them changed it is the model, which gives another plan each time, or the data.
    """
    pins, house = closed.pins, task.house
    work = task.dialogue.work
    after = {"definition": house.layer.digest, "policy": house.governed.digest}
    before = {"definition": pins.layer if pins else "", "policy": pins.policy if pins else ""}
    if pair.plan != "same":
        after |= {"model": work.model, "prompt": work.prompt}
        before |= {"model": pins.model if pins else "", "prompt": pins.prompt if pins else ""}
    changed = tuple(name for name, was in before.items() if was != after[name])
    return changed or (("model varies",) if pair.plan != "same" else ("data",))


def _plan_change(trace: Trace, closed: Close, before: PlanReply | None, again: _Again) -> PlanChange:
    if trace.opened.origin == "free":
        return "same" if again.closes and _sql(again.closes[-1]) == _sql(closed) else "changed"
    if not again.steps:
        return "none" if before is not None else "same"
    plans = [step.plan for step in again.steps]
    kept = [step.plan for step in before.steps] if before else None
    return "same" if plans == kept else "changed"


def _sql(closed: Close) -> str:
    return closed.query.sql if closed.query else ""


def _numbers(stores: Stores, trace: Trace) -> dict[str, str]:
    """Return the cited numbers of a question, those of its later steps too."""
    found = dict(numbers_of(trace))
    for opened, _ in questions(stores.traces.records()):
        if opened.ask.step_of == trace.trace_id and (step := stores.traces.read(opened.trace_id)):
            found.update(numbers_of(step))
    return found


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[NumberChange, ...]:
    return tuple(
        NumberChange(name=name, old=before.get(name, ""), new=after.get(name, ""))
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    )
