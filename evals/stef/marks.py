"""The scores that closing records keep: what trends need without reading any text."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from evals.stef.batch import Place, Spread, Trend, place_of, spread, trends
from metric_layer.record import Record
from traces.records import Close, Open


class Marks(Record):
    """Kept scores of one judge and rulebook. `others` counts marks of other ones: they do not compare."""

    judge: str
    rules: str
    received: int
    scored: int
    coverage: float | None
    scores: Spread
    bands: Mapping[str, int]
    alignment: Mapping[str, int]
    verdicts: Mapping[str, int]
    others: int
    trends: tuple[Trend, ...]


def read_marks(ended: Iterable[tuple[Open, Close]]) -> Marks:
    """Count the scores that were kept, by the judge and rulebook of the newest; nothing is scored again."""
    asked = tuple(ended)
    newest = next((closed.stef for _, closed in reversed(asked) if closed.stef), None)
    judge, rules = (newest.judge, newest.rules) if newest else ("", "")
    received = Counter(place_of(*each) for each in asked)
    kept = [
        (place_of(opened, closed), closed.stef)
        for opened, closed in asked
        if closed.stef and (closed.stef.judge, closed.stef.rules) == (judge, rules)
    ]
    scores: dict[Place, list[float]] = defaultdict(list)
    for place, mark in kept:
        scores[place].append(mark.score)
    return Marks(
        judge=judge,
        rules=rules,
        received=len(asked),
        scored=len(kept),
        coverage=len(kept) / len(asked) if asked else None,
        scores=spread([mark.score for _, mark in kept]),
        bands=dict(Counter(mark.band for _, mark in kept)),
        alignment=dict(Counter(mark.alignment for _, mark in kept)),
        verdicts=dict(Counter(mark.verdict for _, mark in kept)),
        others=sum(closed.stef is not None for _, closed in asked) - len(kept),
        trends=trends(received, scores),
    )
