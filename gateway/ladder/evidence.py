"""The evidence of a class: how it answered, what stopped it, what people said of it; each with its n."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median

from evals.firing import firing
from gateway.asking import EVALUATION
from gateway.ladder.rules import disagreed
from traces.records import AnyRecord, Close, Hold, Judgement, Open
from traces.release_records import AnswerCompared, EvidenceFigure
from traces.signatures import stands

TOLD = ("answered", "no_rows")


@dataclass(slots=True)
class Found:
    """What the logs hold of the questions of a class."""

    ended: list[tuple[Open, Close]] = field(default_factory=list)
    holds: dict[str, Hold] = field(default_factory=dict)
    rulings: list[Judgement] = field(default_factory=list)


def gathered(records: Iterable[AnyRecord], tenant: str, name: str, since: datetime | None) -> Found:
    """Return the questions of a class and tenant that ended since then, evaluations left out."""
    opened: dict[str, Open] = {}
    closed: dict[str, Close] = {}
    found = Found()
    for record in records:
        match record:
            case Open() if record.tenant == tenant and record.client != EVALUATION.name:
                opened[record.trace_id] = record
            case Close() if record.release is not None and record.release.question_class == name:
                closed[record.trace_id] = record
            case Hold():
                found.holds[record.hold_id] = record
            case Judgement():
                found.rulings.append(record)
    found.ended = [
        (opened[trace_id], each)
        for trace_id, each in closed.items()
        if trace_id in opened and not opened[trace_id].ask.dry_run and (since is None or each.at > since)
    ]
    return found


def figures(
    found: Found, compared: Sequence[AnswerCompared], signed: Callable[[Judgement], bool]
) -> tuple[EvidenceFigure, ...]:
    """Return every figure of a class; one over nothing is None, with n=0. `signed` tells of a ruling."""
    return (
        EvidenceFigure(name="disagreed", value=disagreed(compared), n=len(compared)),
        _corrected(found, compared),
        *_overridden(found, signed),
        *_turnaround(found),
        *_firing(found),
    )


def _corrected(found: Found, compared: Sequence[AnswerCompared]) -> EvidenceFigure:
    """How often people corrected an answer that had been told, of all that were told."""
    told = {closed.trace_id for _, closed in found.ended if closed.outcome in TOLD}
    wrong = {each.of for each in compared if each.told and not each.agreed} & told
    return EvidenceFigure(name="corrected", value=len(wrong) / len(told) if told else None, n=len(told))


def _overridden(found: Found, signed: Callable[[Judgement], bool]) -> Iterator[EvidenceFigure]:
    """Yield how often people let pass what code had held, and what part of rulings nobody here signed.

    What the project did not sign was decided by nobody that it knows, so it counts in the second figure only.
    """
    mine = {closed.trace_id: opened.v for opened, closed in found.ended}
    ruled = [each for each in found.rulings if each.trace_id in mine and each.verdict in ("accept", "deny")]
    genuine = [each for each in ruled if stands(each, mine[each.trace_id], signed)]
    last = {each.hold_id: each.verdict for each in genuine}
    accepted = sum(verdict == "accept" for verdict in last.values())
    yield EvidenceFigure(name="overridden", value=accepted / len(last) if last else None, n=len(last))
    forged = len(ruled) - len(genuine)
    yield EvidenceFigure(name="unsigned", value=forged / len(ruled) if ruled else None, n=len(ruled))


def _turnaround(found: Found) -> Iterator[EvidenceFigure]:
    """Yield the median seconds to an answer, the time under a hold counted; then that of the held alone."""
    spent = [pair for opened, closed in found.ended if (pair := _seconds(found, opened, closed)) is not None]
    held = [seconds for seconds, waited in spent if waited]
    for name, seconds in (("turnaround_s", [each for each, _ in spent]), ("turnaround_held_s", held)):
        yield EvidenceFigure(name=name, value=median(seconds) if seconds else None, n=len(seconds))


def _seconds(found: Found, opened: Open, closed: Close) -> tuple[float, bool] | None:
    """Return how long an answer took since its question was first held or asked, and whether it was held."""
    if (closed.came_to or closed.outcome) not in TOLD:
        return None
    ids = {each.hold_id for each in closed.approvals if each.hold_id}
    since = [found.holds[each].at for each in _with_earlier(found, ids) if each in found.holds]
    began = min((*since, opened.at))
    return (closed.at - began).total_seconds(), bool(since)


def _with_earlier(found: Found, ids: set[str]) -> set[str]:
    """Return holds with those that they went on from."""
    known, todo = set(ids), list(ids)
    while todo:
        hold = found.holds.get(todo.pop())
        if hold is not None and hold.earlier and hold.earlier not in known:
            known.add(hold.earlier)
            todo.append(hold.earlier)
    return known


def _firing(found: Found) -> Iterator[EvidenceFigure]:
    """Yield how often each check fired among the questions that it judged."""
    for rate in firing(found.ended, sample=0).rates:
        yield EvidenceFigure(name=f"fired {rate.check}", value=rate.fired / rate.n, n=rate.n)
