"""A comparison from the command line; a disagreement becomes an evaluation case of the project at once."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from evals.cases import Case, OwnersNumber
from gateway.comparing import Compared, Own, OwnFile, OwnNumber, OwnSql, compare
from gateway.doors.evaluating.case import NewCase, put_case
from gateway.doors.json_input import BadInput
from gateway.doors.opened import Opened, opened
from gateway.ladder.view import ComparedAnswer
from gateway.reply import Refusal
from gateway.reviews.plan_words import plan_in_words
from metric_layer.issues import Issue
from metric_layer.record import Record
from metric_layer.sql.values import select_of_rows
from policies.release import STAGES, ReleaseStage
from traces.errors import Unsealable
from traces.records import Caller, Trace
from traces.seal import unseal_any


class ShadowReport(Record):
    """What a comparison found, and the case that was written where the two did not agree."""

    compared: ComparedAnswer
    case: NewCase | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """An analyst's answer as the command line takes it: exactly one of the three."""

    number: str = ""
    tolerance: str = "0"
    file: Path | None = None
    sql: Path | None = None
    question: str = ""

    def own(self) -> Own:
        """Return the answer. Raises BadInput for none, several, or one that cannot be read."""
        given = [each for each in (self.number, self.file, self.sql) if each]
        if len(given) != 1:
            raise _wrong("one_answer", "Bring one answer.", str(len(given)), "--answer, --file or --sql.")
        if self.number:
            return OwnNumber(_decimal(self.number), abs(_decimal(self.tolerance)))
        return OwnFile(_text(self.file)) if self.file else OwnSql(_text(self.sql))


def shadow(trace_id: str, given: Given, *, user: str, project: Path | None) -> ShadowReport | Refusal:
    """Compare an answer with a recorded one and, where they disagree, write the case."""
    own = given.own()
    with opened(project) as house:
        caller = house.callers.for_cli(user)
        found = compare(house.gateway, caller, trace_id, own)
        if isinstance(found, Refusal):
            return found
        if found.report.agreed:
            return ShadowReport(compared=found.report)
        folder = house.settings.at(house.settings.paths.cases)
        dialect = house.gateway.house.engine.dialect
        case = _case(house, caller, found, own, given.question)
    return ShadowReport(compared=found.report, case=put_case(case, folder, dialect))


def stage_named(text: str) -> ReleaseStage:
    """Return a stage by its name. Raises BadInput for another word."""
    if text not in STAGES:
        raise _wrong("unknown_stage", "There is no such stage.", text, f"Write {', '.join(STAGES)}.")
    return next(stage for stage in STAGES if stage == text)


def _case(house: Opened, caller: Caller, found: Compared, own: Own, question: str) -> Case:
    """Return the case: the analyst's answer is the right one, until its owner says otherwise."""
    closed, plan = found.about.closed, found.about.trace.opened.ask.plan
    used = {each.name: each.version for each in closed.pins.used} if closed.pins else {}
    metric = plan.metrics[0] if plan is not None and len(plan.metrics) == 1 else ""
    version = used.get(metric)
    bare = Case(
        id=f"shadow-{found.about.trace.trace_id}",
        question=question or _words(house, caller, found.about.trace),
        metric=metric if version else "",
        version=version,
        tags=("shadow",),
        question_class=found.about.question_class,
        trace=found.about.trace.trace_id,
    )
    dialect = house.gateway.house.engine.dialect
    match own:
        case OwnNumber():
            data = closed.pins.data.value if closed.pins else ""
            number = OwnersNumber(value=own.value, tolerance=own.tolerance, data=data)
            return bare.model_copy(update={"number": number})
        case OwnFile():
            return bare.model_copy(update={"gold_sql": select_of_rows(own.rows(), dialect)})
        case OwnSql():
            return bare.model_copy(update={"gold_sql": own.sql})


def _words(house: Opened, caller: Caller, trace: Trace) -> str:
    """Return the asker's words for who may unseal them, on record; else the plan in words."""
    plan, gateway = trace.opened.ask.plan, house.gateway
    if trace.opened.sealed_question and "unseal" in gateway.standing(caller).rights:
        opened_trace = gateway.custody.open_trace(caller, trace.trace_id, "to make a case of a disagreement")
        if isinstance(opened_trace, Trace):
            try:
                return unseal_any(gateway.house.keys, opened_trace.opened.sealed_question)
            except Unsealable:
                pass
    if plan is not None:
        return plan_in_words(plan)
    step = "Say what was asked with --question."
    raise _wrong("no_words", "The question's words are sealed and it has no plan.", trace.trace_id, step)


def _decimal(text: str) -> Decimal:
    try:
        found = Decimal(text)
    except InvalidOperation:
        found = Decimal("nan")
    if not found.is_finite():
        raise _wrong("no_number", "That is no number.", text, "Write it like 1234.5.")
    return found


def _text(file: Path | None) -> str:
    assert file is not None, "one of the three was given"
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise _wrong("no_file", "The file cannot be read as text.", str(file), "Name another.") from fault


def _wrong(code: str, message: str, seen: str, step: str) -> BadInput:
    return BadInput(Issue(code=code, message=message, seen=seen, next_step=step))
