"""Many recorded questions replayed at once: the regression test of a change of definitions or policy."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import Field

from gateway.reply import Comparison, ReplayReport
from metric_layer.record import Record
from traces.records import Trace

SHOWN = 200
"""Changed questions that a report lists at most."""
MOST = 10_000


@dataclass(frozen=True, slots=True)
class Choice:
    """Which questions to replay: those since a moment, and of these at most so many, spread evenly."""

    most: int = MOST
    since: datetime | None = None


class ChangedQuestion(Record):
    """A question of a sample that does not come out as it was recorded."""

    trace_id: str
    at: str
    role: str
    metrics: tuple[str, ...] = ()
    report: ReplayReport


class ReplaySample(Comparison):
    """What replaying a sample gave. `questions` are those on record to choose from, `n` those replayed.

    `verdict` is `same` only where something was replayed. `own_only` says that the reader may replay their
    own questions only; `left_off` are changed and not listed. `unplanned` came to no plan and no SQL when
    they were asked: nothing of them can be asked again.
    """

    verdict: Literal["same", "differs", "nothing"]
    questions: int
    n: int
    same: int
    unplanned: int = 0
    verdicts: Mapping[str, int] = Field(default_factory=dict)
    own_only: bool = False
    changed: tuple[ChangedQuestion, ...] = ()
    left_off: int = 0


def spread(found: Sequence[str], most: int) -> tuple[str, ...]:
    """Return at most `most` of the questions, spread evenly from the first to the last."""
    if len(found) <= most:
        return tuple(found)
    if most == 1:
        return (found[-1],)
    return tuple(found[at * (len(found) - 1) // (most - 1)] for at in range(most))


def summed_up(
    replayed: Sequence[tuple[Trace, ReplayReport]], questions: int, *, own_only: bool, unplanned: int
) -> ReplaySample:
    """Return the report of a sample, changed questions in the order they were asked."""
    changed = [_changed(trace, report) for trace, report in replayed if report.verdict != "same"]
    verdicts = Counter(report.verdict for _, report in replayed)
    return ReplaySample(
        verdict=("differs" if changed else "same") if replayed else "nothing",
        questions=questions,
        n=len(replayed),
        same=verdicts["same"],
        verdicts=dict(verdicts.most_common()),
        own_only=own_only,
        unplanned=unplanned,
        changed=tuple(changed[:SHOWN]),
        left_off=max(len(changed) - SHOWN, 0),
    )


def _changed(trace: Trace, report: ReplayReport) -> ChangedQuestion:
    plan = trace.opened.ask.plan
    return ChangedQuestion(
        trace_id=trace.trace_id,
        at=trace.opened.at.isoformat(timespec="seconds"),
        role=trace.opened.role,
        metrics=plan.metrics if plan else (),
        report=report,
    )
