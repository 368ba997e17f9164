"""Scores a question as it closes, by rules alone: an answer waits for no model, and no text is kept."""

from hashlib import sha256

from evals.stef.judge import RuleJudge
from evals.stef.rulebook import Rulebook, load_rulebook
from evals.stef.score import Stef, score_query
from evals.stef.wanted import wanted_of_plan
from gateway.errors import HouseError
from gateway.settings.file import Settings
from metric_layer.layer import Layer
from metric_layer.plan import MetricPlan
from traces.records import Query
from traces.score_records import StefMark


class ClosingScorer:
    """Holds the query of a question against its plan, by the definitions in force."""

    def __init__(self, layer: Layer, rules: Rulebook) -> None:
        self._layer = layer
        self._rules = rules
        self._digest = sha256(rules.model_dump_json().encode()).hexdigest()

    def __call__(self, plan: MetricPlan, query: Query) -> StefMark | None:
        """Return the score with its parts; None for a query that cannot be read."""
        wanted, own = wanted_of_plan(plan, self._layer, self._rules)
        found = score_query(wanted, query.sql, query.dialect, own, RuleJudge(own))
        return mark_of(found, self._digest) if isinstance(found, Stef) else None


def scorer_of(settings: Settings, layer: Layer) -> ClosingScorer | None:
    """Return what scores every question, where the settings want it. Raises HouseError for a bad rulebook."""
    wanted = settings.evals
    if not wanted.stef:
        return None
    rules = load_rulebook(settings.at(wanted.rulebook)) if wanted.rulebook else Rulebook()
    if isinstance(rules, list):
        raise HouseError(rules)
    return ClosingScorer(layer, rules)


def mark_of(found: Stef, rules: str) -> StefMark:
    """Return a score as figures, codes and hashes; `rules` is the hash of the rulebook."""
    filters, judged = found.alignment, found.judged
    return StefMark(
        score=found.score,
        band=found.band,
        base=found.base,
        boost=found.boost,
        multiplier=found.multiplier,
        alignment=filters.status,
        vacuous=filters.vacuous,
        missing=len(filters.missing),
        contradicted=len(filters.contradicted),
        extras=len(filters.extras),
        benign=len(filters.benign),
        verdict=judged.verdict,
        confidence=judged.confidence,
        waived=len(judged.waived),
        judge=found.judge,
        rules=rules,
    )
