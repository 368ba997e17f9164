"""How reviewers decide: how many, how fast, and how often they let a question pass; each with its n."""

from collections.abc import Iterable
from statistics import median

from gateway.holds.records import Pace
from gateway.reviews.view import ReviewerPace


def paces(decided: Iterable[Pace]) -> tuple[ReviewerPace, ...]:
    """Return one line per reviewer, the busiest in front. Nobody's figures are folded into another's."""
    found: dict[str, list[Pace]] = {}
    for each in decided:
        found.setdefault(each.by, []).append(each)
    lines = [
        ReviewerPace(
            reviewer=by,
            n=len(mine),
            accepted=sum(each.accepted for each in mine) / len(mine),
            median_seconds=median(each.seconds for each in mine),
        )
        for by, mine in found.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.n, line.reviewer)))
