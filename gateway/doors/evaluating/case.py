"""From work to evaluation: a question on record becomes a case of the project."""

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from evals.cases import Case, CasesInvalid, Expectation, OwnersNumber, load_folder, twins_among
from evals.pairs import write_cases
from gateway.doors.faults import unknown_trace
from gateway.doors.json_input import BadInput
from gateway.doors.opened import opened
from gateway.doors.private_file import write_private
from gateway.errors import HouseError
from gateway.holds.records import Held, HoldStatus
from gateway.reply import Refusal
from gateway.reviews.view import HoldView
from gateway.service import Gateway
from metric_layer.issues import Issue
from metric_layer.plan import Dialect
from metric_layer.record import Record
from traces.records import Caller, Trace
from traces.release_records import AnswerCompared

STOPPED: dict[str, Expectation] = {"needs_clarification": "ask", "abstained": "abstain", "denied": "abstain"}
"""Outcomes that a case takes for right: the owner reviews them before they count."""
UNDECIDED = ("held", "expired")
"""Outcomes of a question that waited for somebody: without a decision nobody knows what is right."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the caller says of a case: its words and names, and what is right where the answer was not.

    `number` is a figure, or `figure~tolerance`.
    """

    question: str
    name: str = ""
    tags: tuple[str, ...] = ()
    gold_sql: Path | None = None
    number: str = ""

    @property
    def has_gold(self) -> bool:
        """Say whether the caller brings what is right."""
        return self.gold_sql is not None or bool(self.number)


class NewCase(Record):
    """A case that was written, and the cases that ask the same gold."""

    file: str
    case: Case
    twins: tuple[str, ...]


def case_of(asked: str, told: Told, *, user: str, project: Path | None) -> NewCase | Refusal:
    """Write a question of the caller's own, or of anyone's for who may unseal, as a case of the project.

    `asked` is a trace or a hold. Raises BadInput and HouseError; nothing is written then.
    """
    with opened(project) as house:
        folder = house.settings.at(house.settings.paths.cases)
        return case_in(house.gateway, house.callers.for_cli(user), asked, told, folder)


def case_in(gateway: Gateway, caller: Caller, asked: str, told: Told, folder: Path) -> NewCase | Refusal:
    """Write a question into a folder of cases: as `case_of`, or of a hold for a reviewer who may evaluate.

    Such a reviewer knows the plan of the hold already; nothing is unsealed for them.
    """
    hold = gateway.show_hold(caller, asked)
    seen = isinstance(hold, HoldView) and not hold.own and "evaluate" in gateway.standing(caller).rights
    trace_id = hold.trace_id if isinstance(hold, HoldView) else asked
    opened_trace = gateway.custody.open_trace
    trace = gateway.traces.read(trace_id) if seen else opened_trace(caller, trace_id, "to make a case of it")
    if not isinstance(trace, Trace):
        return trace or unknown_trace(asked)
    if _disagreed(gateway, trace_id) and not told.has_gold:
        message = "Somebody held another answer against this one: its plan is no gold."
        raise _wrong("no_gold", message, trace_id, "Say what is right with --gold-sql or --number.")
    held = None if told.has_gold else _held(gateway, trace, asked)
    right: Expectation = "answer" if told.has_gold else _right(trace, held)
    engine = gateway.house.engine
    case = _case(trace, told, right, engine.pin().value)
    if held is not None and right == "answer":
        checks = tuple(dict.fromkeys(each.check for each in held.hold.findings))
        case = case.model_copy(update={"accepted": checks})
    return put_case(case, folder, engine.dialect)


def right_by(status: HoldStatus, *, settled: bool) -> Expectation | None:
    """Return what people decided is right, None where they did not: a hold that waits, or that ran out.

    `settled` says that every finding has the accepts that it needs. An accept that was taken back is a
    denial; one that nobody came for in time still counts.
    """
    if status == "denied":
        return "abstain"
    decided = status in ("accepted", "used") or (status == "expired" and settled)
    return "answer" if decided else None


def case_file(folder: Path, case_id: str) -> Path:
    """Return the file of a case."""
    return folder / f"{re.sub(r'[^A-Za-z0-9_-]+', '-', case_id)}.yml"


def put_case(case: Case, folder: Path, dialect: Dialect) -> NewCase:
    """Write a case into a folder of cases, and tell its twins. Raises BadInput for one that is there."""
    try:
        known = load_folder(folder)
    except CasesInvalid as fault:
        raise HouseError(fault.issues) from fault
    file = case_file(folder, case.id)
    if file.exists() or case.id in {other.id for other in known}:
        message, step = f"There is a case {case.id!r} already.", "Name another one with --id."
        raise _wrong("duplicate_case", message, case.id, step)
    folder.mkdir(parents=True, exist_ok=True)
    write_private(file, write_cases([case]).encode())
    twins = next((ids for ids in twins_among((*known, case), dialect) if case.id in ids), ())
    return NewCase(file=str(file), case=case, twins=tuple(other for other in twins if other != case.id))


def _disagreed(gateway: Gateway, trace_id: str) -> bool:
    """Say whether the last answer that an analyst held against a recorded one was another."""
    compared = [
        record.agreed
        for record in gateway.traces.records()
        if isinstance(record, AnswerCompared) and record.of == trace_id
    ]
    return bool(compared) and not compared[-1]


def _case(trace: Trace, told: Told, expect: Expectation, data: str) -> Case:
    plan, closed = trace.opened.ask.plan, trace.closed
    if closed is None or plan is None:
        message = (
            "The question has not ended." if closed is None else "The question was asked without a plan."
        )
        step = "Take the trace of a plan that was answered or stopped."
        raise _wrong("no_case", message, trace.trace_id, step)
    used = {each.name: each.version for each in closed.pins.used} if closed.pins else {}
    metric = plan.metrics[0] if len(plan.metrics) == 1 else ""
    return Case(
        id=told.name or trace.trace_id,
        question=told.question,
        expect=expect,
        gold_sql=told.gold_sql.read_text(encoding="utf-8").strip() if told.gold_sql else "",
        gold_plan=plan if expect == "answer" and not told.has_gold else None,
        number=_number(told.number, data) if told.number else None,
        metric=metric,
        version=used.get(metric) if expect == "answer" and not told.has_gold else None,
        tags=told.tags,
        trace=trace.trace_id,
    )


def _right(trace: Trace, held: Held | None) -> Expectation:
    """What people decided of the question is right; where nothing had to be decided, what it came to."""
    outcome = (trace.closed.came_to or trace.closed.outcome) if trace.closed else ""
    if held is None and outcome not in UNDECIDED:
        return STOPPED.get(outcome, "answer")
    settled = held is not None and all(map(held.is_settled, held.hold.findings))
    right = right_by(held.status, settled=settled) if held is not None else None
    if right is None:
        step = "Have its hold decided and name that, or say what is right with --gold-sql or --number."
        seen = held.status if held is not None else outcome
        raise _wrong("not_decided", "Nobody decided this question: its plan is no gold.", seen, step)
    return right


def _held(gateway: Gateway, trace: Trace, asked: str) -> Held | None:
    """Return the hold that was named, else the last of the question; not one of a text about its answer."""
    holds = gateway.state.holds
    named = holds.find(asked) if any(each.hold_id == asked for each in trace.holds) else None
    own = [each.hold_id for each in trace.holds if each.about == "question"]
    return named or (holds.find(own[-1]) if own else None)


def _number(text: str, data: str) -> OwnersNumber:
    value, _, tolerance = text.partition("~")
    try:
        return OwnersNumber(value=Decimal(value), tolerance=Decimal(tolerance or 0), data=data)
    except (InvalidOperation, ValueError) as fault:
        step = "Write a figure, or a figure and what it may be off by: 1200.50~0.01."
        raise _wrong("bad_number", "That is no figure.", text, step) from fault


def _wrong(code: str, message: str, seen: str, next_step: str) -> BadInput:
    return BadInput(Issue(code=code, message=message, seen=seen, next_step=next_step))
