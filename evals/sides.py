"""Two results as codes, and what the families ask of them: one protocol, answered plainly or by columns."""

from typing import NamedTuple, Protocol

SHELF_CAP = 4_000_000
"""Residual row pairs of one shelf above which only identical rows are matched."""

NULL = 0
"""The code of NULL."""


class Pair(NamedTuple):
    """A gold column and the candidate column that means it, by position."""

    gold: int
    candidate: int


class Distinct(NamedTuple):
    """How many distinct values a column holds: NULL counted as one, and without NULL."""

    values: int
    present: int


class Overlap(NamedTuple):
    """What two columns share: distinct values, distinct values without NULL, values as a bag."""

    values: int
    present: int
    bag: int


class KeyFacts(NamedTuple):
    """Distinct keys of the gold rows, and how many of them the candidate also holds."""

    distinct: int
    reached: int


class Matched(NamedTuple):
    """Cells that agree under the best arrangement of rows, and shelves too large to arrange."""

    cells: int
    over_cap: int


class Sides(Protocol):
    """Both results of one case, encoded alike: equal values have equal codes on either side."""

    gold_rows: int
    candidate_rows: int

    def gold(self, column: int) -> Distinct:
        """Return the distinct counts of a gold column."""

    def candidate(self, column: int) -> Distinct:
        """Return the distinct counts of a candidate column."""

    def overlap(self, pair: Pair) -> Overlap:
        """Return what two columns share."""

    def alike(self, pair: Pair) -> tuple[int, int]:
        """Return one number per column that columns of the same side share when they are equal row by row."""

    def key(self, key: tuple[Pair, ...]) -> KeyFacts:
        """Return what a row key separates and reaches."""

    def match_by_key(self, pairs: tuple[Pair, ...], key: tuple[Pair, ...]) -> Matched:
        """Return the matched cells with every row held to its shelf."""

    def match_whole_rows(self, pairs: tuple[Pair, ...]) -> int:
        """Return how many projected rows the two sides share as bags."""

    def exact(self, width: int) -> tuple[bool, bool]:
        """Return whether the sides are equal bags under some order of columns, and under the given order."""
