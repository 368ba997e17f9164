"""Run one case at a time: ask the subject, run the gold SQL live beside it, score every family."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from time import monotonic

from evals.answers import AnswerScore, score_answer
from evals.cases import Case, left_out
from evals.retrieval import RetrievalScore, score_retrieval
from evals.scores import CaseScores, Side, score_case
from evals.subject import Asked, Given, Subject
from evals.tables import Failure, ResultTable
from metric_layer.record import Record
from metric_layer.sql.components import Components, Unread, Warehouse, read_components

Execute = Callable[[str], ResultTable | Failure]
"""Run one SELECT as the case's asker, under the gateway's limits; what goes wrong is a `Failure`."""

Retrieve = Callable[[Asked], Iterable[str] | None]
"""Call the retriever directly, with the same question and the same cases left out."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What a run stands on. `data` names the data that both queries see; `clock` counts seconds."""

    warehouse: Warehouse
    execute: Execute
    retrieve: Retrieve | None = None
    data: str = ""
    clock: Callable[[], float] = monotonic


class CaseRun(Record):
    """One case asked once. `offered_inside` is the retrieval family of the subject's own call.

    `gap_s` lies between the gold result and the candidate's, `latency_s` is the subject's time. A subject
    that cannot leave cases out is counted in `not_left_out`.
    """

    case_id: str
    phrasing: int
    tags: tuple[str, ...]
    question_class: str
    scores: CaseScores | None
    offered_inside: RetrievalScore
    answer: AnswerScore
    not_left_out: bool
    latency_s: float
    gap_s: float
    cost: str = ""
    trace_id: str = ""


def run_cases(
    cases: tuple[Case, ...], subject: Subject, bench: Bench, *, phrasings: bool = False
) -> Iterator[CaseRun]:
    """Ask every case, one after the other, and yield each run as it ends; `phrasings` asks every wording."""
    hidden = left_out(cases, bench.warehouse.dialect)
    for case in cases:
        wordings = (case.question, *case.phrasings) if phrasings else (case.question,)
        for place, wording in enumerate(wordings):
            asked = Asked(case_id=case.id, question=wording, exclude=hidden[case.id])
            yield run_case(case, asked, subject, bench, phrasing=place)


def run_case(case: Case, asked: Asked, subject: Subject, bench: Bench, *, phrasing: int = 0) -> CaseRun:
    """Ask one case in one wording and score it."""
    offered = bench.retrieve(asked) if bench.retrieve is not None else None
    started = bench.clock()
    given = subject.answer(asked)
    answered = bench.clock()
    scores = None
    gap = 0.0
    inside = RetrievalScore()
    if case.gold_sql:
        gold = read_side(case.gold_sql, bench.warehouse, bench.execute)
        between = bench.clock()
        candidate = _candidate(given, bench)
        gap = (bench.clock() if given.result is None else between) - (
            between if given.result is None else answered
        )
        scores = score_case(gold, candidate, bench.warehouse, offered=offered, decimals=case.decimals)
        inside = score_retrieval(gold.reading or Unread.MISSING, given.offered, bench.warehouse)
    return CaseRun(
        case_id=case.id,
        phrasing=phrasing,
        tags=case.tags,
        question_class=case.question_class,
        scores=scores,
        offered_inside=inside,
        answer=score_answer(case, given, scores, bench.data),
        not_left_out=not given.left_out,
        latency_s=answered - started,
        gap_s=gap,
        cost="" if given.cost is None else str(given.cost),
        trace_id=given.trace_id,
    )


def read_side(sql: str | None, warehouse: Warehouse, execute: Execute) -> Side:
    """Read a query and run it. What is not one SELECT never runs; a text that our parser cannot read may."""
    reading = read_components(sql, warehouse)
    if sql is None or reading in (Unread.MISSING, Unread.NOT_ONE_SELECT):
        return Side(reading, Failure(str(reading)))
    result = execute(sql)
    if isinstance(result, ResultTable) and isinstance(reading, Components):
        result = replace(result, origins=reading.origins)
    return Side(reading, result)


def _candidate(given: Given, bench: Bench) -> Side:
    """Take the table that the subject showed; without one, run the SQL that it wrote."""
    if given.result is None:
        return read_side(given.sql, bench.warehouse, bench.execute)
    reading = read_components(given.sql, bench.warehouse)
    if isinstance(given.result, ResultTable) and isinstance(reading, Components):
        return Side(reading, replace(given.result, origins=reading.origins))
    return Side(reading, given.result)
