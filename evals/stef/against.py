"""STEF held against the families on cases with gold: are answers ranked alike, are verdicts right?"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt

from evals.cases import Case
from evals.results import RunLine
from evals.stef.judge import RuleJudge
from evals.stef.rulebook import Rulebook
from evals.stef.score import Stef, score_query
from evals.stef.wanted import wanted_of_plan
from metric_layer.layer import Layer
from metric_layer.plan import Dialect
from metric_layer.record import Record


class AgainstFamilies(Record):
    """`rank_correlation` (Spearman) is with cell recall over `n` answers; None where one never varies.

    Cells are those of paired columns: a figure that is wrong everywhere pairs with nothing and leaves them
    perfect. `column_correlation`, with column recall, says what became of those.
    `verdicts` counts `verdict exact|unequal`; `left_out` why answers have no score.
    """

    judge: str
    n: int
    rank_correlation: float | None
    column_correlation: float | None
    verdicts: Mapping[str, int]
    left_out: Mapping[str, int]


def against_families(
    lines: Iterable[RunLine], cases: Iterable[Case], layer: Layer, dialect: Dialect, rules: Rulebook
) -> AgainstFamilies:
    """Score each answer of a run by the gold plan of its case, and compare with what the families say.

    An answer of which no column pairs has no cells: it counts as recalling none.
    """
    known = {case.id: case for case in cases}
    left_out: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    pairs: list[tuple[float, float]] = []
    columns: list[tuple[float, float]] = []
    for line in lines:
        stef = _stef(line, known.get(line.run.case_id), layer, dialect, rules)
        scores = line.run.scores
        if isinstance(stef, str):
            left_out[stef] += 1
        elif scores is None or scores.output.exact is None:
            left_out["no gold result"] += 1
        else:
            verdicts[f"{stef.judged.verdict} {'exact' if scores.output.exact else 'unequal'}"] += 1
            pairs.append((stef.score, scores.output.cells.recall or 0.0))
            columns.append((stef.score, scores.output.columns.recall or 0.0))
    return AgainstFamilies(
        judge=RuleJudge.name,
        n=len(pairs),
        rank_correlation=rank_correlation(pairs),
        column_correlation=rank_correlation(columns),
        verdicts=dict(verdicts),
        left_out=dict(left_out),
    )


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Spearman's coefficient, ties at their middle rank; None where a side never varies."""
    if not pairs:
        return None
    sides = [_ranks([pair[at] for pair in pairs]) for at in (0, 1)]
    means = [fsum(side) / len(side) for side in sides]
    apart = [[rank - mean for rank in side] for side, mean in zip(sides, means, strict=True)]
    spread = sqrt(fsum(a * a for a in apart[0]) * fsum(b * b for b in apart[1]))
    return fsum(a * b for a, b in zip(*apart, strict=True)) / spread if spread else None


def _ranks(values: Sequence[float]) -> list[float]:
    counts = Counter(values)
    first: dict[float, int] = {}
    for at, value in enumerate(sorted(values)):
        first.setdefault(value, at)
    return [first[value] + (counts[value] - 1) / 2 for value in values]


def _stef(line: RunLine, case: Case | None, layer: Layer, dialect: Dialect, rules: Rulebook) -> Stef | str:
    if case is None or case.gold_plan is None:
        return "no gold plan"
    if not line.run.sql:
        return "no query"
    wanted, own = wanted_of_plan(case.gold_plan, layer, rules)
    return score_query(wanted, line.run.sql, dialect, own, RuleJudge(own))
