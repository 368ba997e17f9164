"""Figures of few people are not told by two questions that differ by them."""

from collections.abc import Iterator

from policies.facts import DifferenceFacts, Finding


def check_differencing(facts: DifferenceFacts) -> Iterator[Finding]:
    """Hold a figure that, with an earlier one of the day, would tell of a small group."""
    if facts.within:
        yield Finding(
            "hold",
            "taken from one another, two figures of this question would tell of too small a group",
            seen="its two windows",
            threshold=f"{facts.smallest} people",
            next_step="Compare windows that are further apart, or let a reviewer decide.",
        )
    elif facts.near:
        yield Finding(
            "hold",
            "taken from an earlier figure of yours, this one would tell of too small a group",
            seen=f"{facts.near} earlier question{'s' if facts.near > 1 else ''} of the last day",
            threshold=f"{facts.smallest} people",
            next_step="Keep the filters and the window of the earlier one, or let a reviewer decide.",
        )
