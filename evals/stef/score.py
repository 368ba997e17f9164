"""The composite, always with its parts: alignment and verdict, a boost for benign extras, confidence."""

from collections.abc import Mapping
from typing import Literal

from evals.stef.align import Alignment, AlignmentClass, align
from evals.stef.judge import NO_TEXTS, Judge, Judged, JudgeTexts, Verdict, Wanted
from evals.stef.rulebook import Rulebook
from metric_layer.plan import Dialect
from metric_layer.record import Record
from metric_layer.sql.features import read_features

FILTER_SCORES: Mapping[AlignmentClass, int] = {
    "fully_applied": 5,
    "fully_applied_with_extras": 4,
    "partially_applied": 2,
    "not_applied": 0,
}
VERDICT_SCORES: Mapping[Verdict, int] = {
    "correct": 5,
    "likely_correct": 4,
    "potentially_incorrect": 2,
    "incorrect": 0,
}
Band = Literal["excellent", "good", "marginal", "poor"]


class Stef(Record):
    """A score from 0 to 100 and everything it is made of. Scores of two judges do not mix."""

    score: float
    band: Band
    base: int
    boost: int
    multiplier: float
    alignment: Alignment
    judged: Judged
    judge: str


def score_query(
    wanted: Wanted,
    sql: str,
    dialect: Dialect,
    rules: Rulebook,
    judge: Judge,
    texts: JudgeTexts = NO_TEXTS,
) -> Stef | Literal["unread", "unjudged"]:
    """Score one query without a reference, or say why it has no score."""
    found = read_features(sql, dialect)
    if found is None:
        return "unread"
    filters = align(wanted.filters, found.filters, rules)
    judged = judge.judge(wanted, found, filters, texts)
    return "unjudged" if judged is None else composite(filters, judged, judge.name)


def composite(filters: Alignment, judged: Judged, judge: str) -> Stef:
    """Add both scores, boost by one where every extra filter is benign, and let doubt pull down."""
    base = FILTER_SCORES[filters.status] + VERDICT_SCORES[judged.verdict]
    boost = 1 if filters.status == "fully_applied_with_extras" and filters.all_benign else 0
    multiplier = confidence_multiplier(judged.confidence)
    score = min(base + boost, 10) / 10 * 100 * multiplier
    return Stef(
        score=score,
        band=band_of(score),
        base=base,
        boost=boost,
        multiplier=multiplier,
        alignment=filters,
        judged=judged,
        judge=judge,
    )


def confidence_multiplier(confidence: float) -> float:
    """Return 1.0 from 0.85 on, 0.8 from 0.65 on, 0.5 below."""
    if confidence >= 0.85:
        return 1.0
    return 0.8 if confidence >= 0.65 else 0.5


def band_of(score: float) -> Band:
    """Name the band of a score: from 90, above 75, from 50, below."""
    if score >= 90:
        return "excellent"
    if score > 75:
        return "good"
    return "marginal" if score >= 50 else "poor"
