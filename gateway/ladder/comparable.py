"""Which recorded answers an analyst may hold their own against, and the one figure that some of them are."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from gateway.house import House
from gateway.ladder.refusals import problem
from gateway.record.entitled import may_know
from gateway.reply import Refusal
from traces.records import Caller, Close, Outcome, Trace
from traces.release_records import AnswerCompared, Stage

CAME_TO = ("answered", "no_rows")


@dataclass(frozen=True, slots=True)
class Comparable:
    """A recorded answer: its trace, what the question came to, its class and the stage it was asked in."""

    trace: Trace
    closed: Close
    came_to: Outcome
    question_class: str
    stage: Stage

    @property
    def told(self) -> bool:
        """Say whether its asker had the answer."""
        return not self.closed.came_to

    @property
    def figures(self) -> tuple[Decimal, ...]:
        """Return every figure of the answer, as it was computed."""
        cells = (each for each in self.closed.answer if each.kind == "cell" and each.metric)
        return tuple(found for each in cells if (found := _number(each.value)) is not None)

    def compared(
        self, house: House, caller: Caller, means: Literal["number", "file", "sql"], *, agreed: bool
    ) -> AnswerCompared:
        """Return the record of a comparison."""
        return AnswerCompared(
            at=house.now(),
            by=house.subject(caller),
            of=self.trace.trace_id,
            question_class=self.question_class,
            stage=self.stage,
            means=means,
            agreed=agreed,
            told=self.told,
        )


def comparable(house: House, caller: Caller, trace: Trace | None) -> Comparable | Refusal:
    """Return a trace as something to compare with, or why it is not.

    It is of the caller's tenant, over nothing that is hidden from their own role, and not of their own
    asking: a comparison tells what a question in shadow came to.
    """
    closed = trace.closed if trace is not None else None
    if trace is None or trace.opened.tenant != caller.tenant or not _sees(house, caller, trace):
        seen = trace.trace_id if trace else ""
        return problem("unknown_trace", "There is no such question that you may compare.", "/trace_id", seen)
    if trace.opened.subject == house.subject(caller):
        return problem("own_answer", "Nobody compares the answer to their own question.", "/trace_id", "")
    if closed is None or closed.release is None or trace.erased:
        seen = "erased" if trace.erased else "unfinished"
        return problem("not_comparable", "The question came to no answer.", "/trace_id", seen)
    release, came_to = closed.release, closed.came_to or closed.outcome
    if came_to not in CAME_TO:
        return problem("not_comparable", "The question came to no answer.", "/trace_id", came_to)
    return Comparable(trace, closed, came_to, release.question_class, release.stage)


def _sees(house: House, caller: Caller, trace: Trace) -> bool:
    role = house.entitlements.of(caller)
    used = trace.closed.pins.used if trace.closed and trace.closed.pins else ()
    return (
        role is not None
        and all(role.visible.metric(each.name) for each in used if each.kind == "metric")
        and may_know(house, role, trace)
    )


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
