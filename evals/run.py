"""Run one case at a time: ask the subject, run the gold SQL live beside it, score every family."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Protocol

from evals.answers import AnswerScore, score_answer
from evals.cases import Case
from evals.gold import check_cut
from evals.retrieval import RetrievalScore, score_retrieval
from evals.scores import CaseScores, Side, score_sides
from evals.shown import Shown, show
from evals.subject import Asked, Given, Subject
from evals.tables import Execute, Failure, Result, ResultTable, Together
from metric_layer.plan import MetricPlan
from metric_layer.record import Record
from metric_layer.sql.components import Components, Unread, Warehouse, read_components

Retrieve = Callable[[Asked], Iterable[str] | None]
"""Call the retriever directly, with the same question and the same cases left out."""


class GroundingScore(Record):
    """What the product's own check says of the final text: numbers with a cell, and findings without one."""

    outcome: str
    bound: int = 0
    findings: int = 0


@dataclass(frozen=True, slots=True)
class Bench:
    """What the questions of one asker stand on. `data` names the data; `clock` counts seconds.

    `together` runs both queries in one snapshot, where the engine has one. `write` turns a gold plan into
    SQL, `ground` checks a final text against its traces. Tables of at most `shown_rows` rows are kept for the
    report.
    """

    warehouse: Warehouse
    execute: Execute
    together: Together | None = None
    retrieve: Retrieve | None = None
    write: Callable[[MetricPlan], str | None] | None = None
    ground: Callable[[str, tuple[str, ...]], GroundingScore] | None = None
    data: str = ""
    shown_rows: int = 0
    clock: Callable[[], float] = monotonic

    def of(self, asker: str) -> "Bench":
        """Return the bench of an asker: this one, whoever it is."""
        return self


class Benches(Protocol):
    """The benches of a run, one per asker; the empty name is the run's own."""

    def of(self, asker: str) -> Bench:
        """Return the bench of an asker."""
        ...


class CaseRun(Record):
    """One case asked once. `offered_inside` is the retrieval family of the subject's own call.

    `one_snapshot` says that both queries saw the same data for sure; else `gap_s` lies between the gold
    result and the candidate's. `latency_s` is the subject's time. A subject that cannot leave cases out is
    counted in `not_left_out`, a gold query that reads what the asker may not in `other_identity`;
    `gold_issues` are codes of what leaves the gold answer to chance.
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
    one_snapshot: bool = False
    asker: str = ""
    cost: str = ""
    trace_id: str = ""
    question: str = ""
    grounding: GroundingScore | None = None
    other_identity: bool = False
    gold_issues: tuple[str, ...] = ()
    gold_sql: str = ""
    sql: str = ""
    shown: Shown | None = None


@dataclass(frozen=True, slots=True)
class _Beside:
    """Both queries of a case, run and scored."""

    scores: CaseScores
    inside: RetrievalScore
    gap_s: float
    one_snapshot: bool
    issues: tuple[str, ...]
    other_identity: bool
    shown: Shown | None


def run_case(case: Case, asked: Asked, subject: Subject, bench: Bench) -> CaseRun:
    """Ask one case in one wording and score it."""
    offered = bench.retrieve(asked) if bench.retrieve is not None else None
    started = bench.clock()
    given = subject.answer(asked)
    answered = bench.clock()
    sql = _gold_sql(case, bench)
    beside = _beside(case, sql, given, bench, offered, answered) if sql else None
    scores = beside.scores if beside else None
    grounded = bench.ground(given.text, given.trace_ids) if bench.ground and given.text else None
    return CaseRun(
        case_id=case.id,
        phrasing=asked.phrasing,
        question=asked.question,
        tags=case.tags,
        question_class=case.question_class,
        scores=scores,
        offered_inside=beside.inside if beside else RetrievalScore(),
        answer=score_answer(case, given, scores, bench.data),
        grounding=grounded,
        not_left_out=not given.left_out,
        other_identity=beside.other_identity if beside else False,
        gold_issues=beside.issues if beside else (),
        gold_sql=sql,
        sql=given.sql or "",
        shown=beside.shown if beside else None,
        latency_s=answered - started,
        gap_s=beside.gap_s if beside else 0.0,
        one_snapshot=beside.one_snapshot if beside else False,
        asker=asked.asker,
        cost="" if given.cost is None else str(given.cost),
        trace_id=given.trace_id,
    )


def read_side(sql: str | None, warehouse: Warehouse, execute: Execute) -> Side:
    """Read a query and run it. What is not one SELECT never runs; a text that our parser cannot read may."""
    reading = read_components(sql, warehouse)
    if sql is None or not _may_run(reading):
        return Side(reading, Failure(str(reading)))
    return _side(reading, execute(sql))


def _gold_sql(case: Case, bench: Bench) -> str:
    """Return the gold query; for a case that has a gold plan only, what the gateway writes for it."""
    if case.gold_sql or case.gold_plan is None or bench.write is None:
        return case.gold_sql
    return bench.write(case.gold_plan) or ""


def _beside(
    case: Case, sql: str, given: Given, bench: Bench, offered: Iterable[str] | None, answered: float
) -> _Beside:
    both = _at_once(sql, given, bench)
    if both is not None:
        (gold, candidate), gap = both, 0.0
    else:
        gold = read_side(sql, bench.warehouse, bench.execute)
        between = bench.clock()
        candidate = _candidate(given, bench)
        gap = bench.clock() - between if given.result is None else between - answered
    scores, output = score_sides(gold, candidate, bench.warehouse, offered=offered, decimals=case.decimals)
    issues = (
        check_cut(sql, bench.warehouse.dialect, gold.result, bench.execute)
        if isinstance(gold.result, ResultTable)
        else ()
    )
    return _Beside(
        scores=scores,
        inside=score_retrieval(gold.reading or Unread.MISSING, given.offered, bench.warehouse),
        gap_s=gap,
        one_snapshot=both is not None,
        issues=tuple(issue.code for issue in issues),
        other_identity=isinstance(gold.result, Failure) and gold.result.code == "other_identity",
        shown=show(gold.result, candidate.result, output, case.decimals, bench.shown_rows),
    )


def _candidate(given: Given, bench: Bench) -> Side:
    """Take the table that the subject showed; without one, run the SQL that it wrote."""
    if given.result is None:
        return read_side(given.sql, bench.warehouse, bench.execute)
    return _side(read_components(given.sql, bench.warehouse), given.result)


def _at_once(sql: str, given: Given, bench: Bench) -> tuple[Side, Side] | None:
    """Run the gold query and the one that the subject wrote in one snapshot; None where that cannot be."""
    if bench.together is None or given.result is not None or not given.sql:
        return None
    readings = read_components(sql, bench.warehouse), read_components(given.sql, bench.warehouse)
    if not all(map(_may_run, readings)):
        return None
    results = bench.together(sql, given.sql)
    if results is None:
        return None
    return _side(readings[0], results[0]), _side(readings[1], results[1])


def _may_run(reading: Components | Unread) -> bool:
    """Say whether a text is one SELECT as far as can be told; one that our parser cannot read may be."""
    return reading not in (Unread.MISSING, Unread.NOT_ONE_SELECT)


def _side(reading: Components | Unread, result: Result) -> Side:
    if isinstance(result, ResultTable) and isinstance(reading, Components):
        result = replace(result, origins=reading.origins)
    return Side(reading, result)
