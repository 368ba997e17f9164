"""Run one case at a time: ask the subject, run the gold SQL live beside it, score every family."""

from collections.abc import Iterable
from dataclasses import dataclass

from evals.answers import AnswerScore, score_answer
from evals.bench import Bench, GroundingScore
from evals.both import run_both
from evals.cases import Case
from evals.gold import check_cut
from evals.retrieval import RetrievalScore, offered_tables, score_retrieval
from evals.scores import CaseScores, score_sides
from evals.shown import Shown, show
from evals.subject import Asked, Given, Subject
from evals.tables import Failure, ResultTable
from metric_layer.record import Record
from metric_layer.sql.components import Unread


class CaseRun(Record):
    """One case asked once. `offered_inside` is the retrieval family of the subject's own call.

    `one_snapshot` says that both queries saw the same data for sure; else `gap_s` lies between the gold
    result and the candidate's. `moved`: the data changed meanwhile, and the answer's query was run again
    beside the gold. `latency_s` is the subject's time. A subject that cannot leave cases out is
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
    moved: bool = False
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
    moved: bool
    issues: tuple[str, ...]
    other_identity: bool
    shown: Shown | None


def run_case(case: Case, asked: Asked, subject: Subject, bench: Bench) -> CaseRun:
    """Ask one case in one wording and score it."""
    offered = bench.retrieve(asked) if bench.retrieve is not None else None
    sql = _gold_sql(case, bench)
    data = bench.pin() if bench.pin is not None and sql else ""
    started = bench.clock()
    given = subject.answer(asked)
    answered = bench.clock()
    beside = _beside(case, sql, given, bench, offered, answered=answered, data=data) if sql else None
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
        moved=beside.moved if beside else False,
        asker=asked.asker,
        cost="" if given.cost is None else str(given.cost),
        trace_id=given.trace_id,
    )


def _offered(given: Given, bench: Bench) -> Iterable[str] | None:
    """Return the tables whose DDL the subject's own retriever gave it; None where it does not say."""
    if given.offered is not None or given.retrieved is None:
        return given.offered
    return offered_tables(given.retrieved, bench.warehouse)


def _gold_sql(case: Case, bench: Bench) -> str:
    """Return the gold query; for a case that has a gold plan only, what the gateway writes for it."""
    if case.gold_sql or case.gold_plan is None or bench.write is None:
        return case.gold_sql
    return bench.write(case.gold_plan) or ""


def _beside(
    case: Case,
    sql: str,
    given: Given,
    bench: Bench,
    offered: Iterable[str] | None,
    *,
    answered: float,
    data: str,
) -> _Beside:
    both = run_both(sql, given, bench, answered, data)
    gold, candidate = both.gold, both.candidate
    scores, output = score_sides(gold, candidate, bench.warehouse, offered=offered, decimals=case.decimals)
    issues = (
        check_cut(sql, bench.warehouse.dialect, gold.result, bench.execute)
        if isinstance(gold.result, ResultTable)
        else ()
    )
    return _Beside(
        scores=scores,
        inside=score_retrieval(gold.reading or Unread.MISSING, _offered(given, bench), bench.warehouse),
        gap_s=both.gap_s,
        one_snapshot=both.one_snapshot,
        moved=both.moved,
        issues=tuple(issue.code for issue in issues),
        other_identity=isinstance(gold.result, Failure) and gold.result.code == "other_identity",
        shown=show(gold.result, candidate.result, output, case.decimals, bench.shown_rows),
    )
