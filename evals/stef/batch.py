"""STEF over questions on record: a score each, coverage with reasons, and trends that never hide their n."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from evals.firing import week_of
from evals.stef.judge import NO_TEXTS, Judge, JudgeTexts, RuleJudge
from evals.stef.rulebook import Rulebook
from evals.stef.score import Stef, score_query
from evals.stef.wanted import wanted_of_plan
from metric_layer.layer import Layer
from metric_layer.record import Record
from traces.records import Close, Open
from traces.sealing import is_erased

JudgeOf = Callable[[Rulebook], Judge]
"""Return the judge of a question, given the rules with what its definitions add by design."""

TextsOf = Callable[[Open, Close], JudgeTexts]
"""Return what a judge may read of a question."""


class Place(NamedTuple):
    """What a trend is over: an ISO week, a class of question, who asked, and the model and prompt behind."""

    week: str
    question_class: str
    agent: str
    model: str
    prompt: str


class ScoredTrace(Record):
    """One question on record with its score and all parts of it."""

    trace_id: str
    week: str
    question_class: str
    agent: str
    model: str = ""
    prompt: str = ""
    stef: Stef


class Spread(Record):
    """Scores in figures; None over none."""

    n: int
    mean: float | None = None
    p10: float | None = None
    p90: float | None = None


class Trend(Record):
    """One week of one class, agent, model and prompt. `coverage` is the share that has a score."""

    week: str
    question_class: str
    agent: str
    model: str = ""
    prompt: str = ""
    received: int
    coverage: float
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


def score_traces(
    ended: Iterable[tuple[Open, Close]],
    layer: Layer,
    rules: Rulebook,
    judge_of: JudgeOf = RuleJudge,
    texts_of: TextsOf = lambda _opened, _closed: NO_TEXTS,
) -> StefReport:
    """Score every question that came to a query; worst first. Rules read plan and SQL and nothing else."""
    found: list[ScoredTrace] = []
    unscored: Counter[str] = Counter()
    received: Counter[Place] = Counter()
    for opened, closed in ended:
        place = place_of(opened, closed)
        received[place] += 1
        stef = _scored(opened, closed, layer, rules, judge_of, texts_of)
        if isinstance(stef, str):
            unscored[stef] += 1
            continue
        found.append(ScoredTrace(trace_id=opened.trace_id, stef=stef, **place._asdict()))
    found.sort(key=lambda each: (each.stef.score, each.trace_id))
    groups: dict[Place, list[float]] = defaultdict(list)
    for each in found:
        groups[_place_of_scored(each)].append(each.stef.score)
    return StefReport(
        judge=judge_of(rules).name,
        received=received.total(),
        scored=len(found),
        coverage=len(found) / received.total() if received else None,
        unscored=dict(unscored),
        scores=spread([each.stef.score for each in found]),
        bands=dict(Counter(each.stef.band for each in found)),
        alignment=dict(Counter(each.stef.alignment.status for each in found)),
        verdicts=dict(Counter(each.stef.judged.verdict for each in found)),
        vacuous=sum(each.stef.alignment.vacuous for each in found),
        trends=trends(received, groups),
        traces=tuple(found),
    )


def trends(received: Mapping[Place, int], scores: Mapping[Place, Sequence[float]]) -> tuple[Trend, ...]:
    """Return each place with how many questions it received and what their scores say."""
    return tuple(
        Trend(
            received=n,
            coverage=len(scores.get(place, ())) / n,
            scores=spread(scores.get(place, ())),
            **place._asdict(),
        )
        for place, n in sorted(received.items())
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


def place_of(opened: Open, closed: Close) -> Place:
    """Return the trend that a question counts in."""
    plain = "governed" if opened.origin == "plan" else "free"
    return Place(
        week=week_of(opened.at),
        question_class=closed.release.question_class if closed.release else plain,
        agent=opened.client,
        model=closed.pins.model if closed.pins else "",
        prompt=closed.pins.prompt if closed.pins else "",
    )


def _place_of_scored(each: ScoredTrace) -> Place:
    return Place(each.week, each.question_class, each.agent, each.model, each.prompt)


def _scored(
    opened: Open, closed: Close, layer: Layer, rules: Rulebook, judge_of: JudgeOf, texts_of: TextsOf
) -> Stef | str:
    if is_erased(opened) or is_erased(closed):
        return "erased"
    if opened.ask.plan is None:
        return "no plan"
    if closed.query is None:
        return "no query"
    if closed.pins is None or closed.pins.layer != layer.digest:
        return "other definitions"
    wanted, own = wanted_of_plan(opened.ask.plan, layer, rules)
    query = closed.query
    texts = texts_of(opened, closed)
    return score_query(wanted, query.sql, query.dialect, own, judge_of(own), texts)
