"""STEF over questions on record: a score each, coverage with reasons, and trends that never hide their n."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from evals.stef.judge import RuleJudge
from evals.stef.rulebook import Rulebook
from evals.stef.score import Stef, score_query
from evals.stef.wanted import wanted_of_plan
from metric_layer.layer import Layer
from metric_layer.record import Record
from traces.records import Close, Open


class ScoredTrace(Record):
    """One question on record with its score and all parts of it."""

    trace_id: str
    week: str
    question_class: str
    agent: str
    stef: Stef


class Spread(Record):
    """Scores in figures; None over none."""

    n: int
    mean: float | None = None
    p10: float | None = None
    p90: float | None = None


class Trend(Record):
    """One week of one class and agent."""

    week: str
    question_class: str
    agent: str
    received: int
    scores: Spread


class StefReport(Record):
    """What the scores say. `unscored` counts why questions have none; `judge` is who judged all of them."""

    judge: str
    received: int
    scored: int
    coverage: float | None
    unscored: Mapping[str, int]
    scores: Spread
    bands: Mapping[str, int]
    alignment: Mapping[str, int]
    verdicts: Mapping[str, int]
    vacuous: int
    trends: tuple[Trend, ...]
    traces: tuple[ScoredTrace, ...]


def score_traces(ended: Iterable[tuple[Open, Close]], layer: Layer, rules: Rulebook) -> StefReport:
    """Score every question that came to a query; worst first. Nothing but plan and SQL is read."""
    found: list[ScoredTrace] = []
    unscored: Counter[str] = Counter()
    received: Counter[tuple[str, str, str]] = Counter()
    for opened, closed in ended:
        place = _place(opened)
        received[place] += 1
        stef = _scored(opened, closed, layer, rules)
        if isinstance(stef, str):
            unscored[stef] += 1
            continue
        week, question_class, agent = place
        found.append(
            ScoredTrace(
                trace_id=opened.trace_id, week=week, question_class=question_class, agent=agent, stef=stef
            )
        )
    found.sort(key=lambda each: (each.stef.score, each.trace_id))
    groups: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for each in found:
        groups[each.week, each.question_class, each.agent].append(each.stef.score)
    return StefReport(
        judge=RuleJudge.name,
        received=received.total(),
        scored=len(found),
        coverage=len(found) / received.total() if received else None,
        unscored=dict(unscored),
        scores=spread([each.stef.score for each in found]),
        bands=dict(Counter(each.stef.band for each in found)),
        alignment=dict(Counter(each.stef.alignment.status for each in found)),
        verdicts=dict(Counter(each.stef.judged.verdict for each in found)),
        vacuous=sum(each.stef.alignment.vacuous for each in found),
        trends=tuple(
            Trend(
                week=place[0],
                question_class=place[1],
                agent=place[2],
                received=n,
                scores=spread(groups[place]),
            )
            for place, n in sorted(received.items())
        ),
        traces=tuple(found),
    )


def spread(scores: Sequence[float]) -> Spread:
    """Return mean and the 10th and 90th percentile (nearest rank)."""
    if not scores:
        return Spread(n=0)
    ranked = sorted(scores)
    return Spread(
        n=len(ranked), mean=fsum(ranked) / len(ranked), p10=_rank(ranked, 10), p90=_rank(ranked, 90)
    )


def _rank(ranked: Sequence[float], percent: int) -> float:
    return ranked[max(-(-len(ranked) * percent // 100), 1) - 1]


def _place(opened: Open) -> tuple[str, str, str]:
    year, week, _ = opened.at.isocalendar()
    question_class = "governed" if opened.origin == "plan" else "free"
    return f"{year}-W{week:02d}", question_class, opened.client


def _scored(opened: Open, closed: Close, layer: Layer, rules: Rulebook) -> Stef | str:
    if opened.ask.plan is None:
        return "no plan"
    if closed.query is None:
        return "no query"
    if closed.pins is None or closed.pins.layer != layer.digest:
        return "other definitions"
    wanted, own = wanted_of_plan(opened.ask.plan, layer, rules)
    return score_query(wanted, closed.query.sql, closed.query.dialect, own, RuleJudge(own))
