"""Precision and recall as a record: None where there is no denominator, never 0 and never 1."""

from collections.abc import Set as AbstractSet

from metric_layer.record import Record


class PrecisionRecall(Record):
    """Two shares in [0, 1]; None is undefined and is left out of every mean."""

    precision: float | None = None
    recall: float | None = None

    def is_perfect(self) -> bool:
        """Say whether both halves are defined and 1."""
        return self.precision == 1.0 and self.recall == 1.0


def of_sets(found: AbstractSet[str], wanted: AbstractSet[str]) -> PrecisionRecall:
    """Return how much of what was found was wanted, and how much of what was wanted was found."""
    hit = len(found & wanted)
    return PrecisionRecall(
        precision=hit / len(found) if found else None,
        recall=hit / len(wanted) if wanted else None,
    )
