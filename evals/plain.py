"""Two small results as lists of codes: plain Python, the fastest up to about a thousand rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from evals.assign import shelf_cells
from evals.exact import equal_bags
from evals.sides import NULL, Distinct, KeyFacts, Matched, Overlap, Pair
from evals.tables import ResultTable
from evals.values import canonical

Codes = tuple[int, ...]


def encode(
    columns: Iterable[Sequence[Any]], codes: dict[Any, int], decimals: int | None
) -> tuple[Codes, ...]:
    """Return columns as codes; `codes` grows by the values it has not seen and is shared by both sides."""
    return tuple(
        tuple(codes.setdefault(canonical(value, decimals), len(codes)) for value in column)
        for column in columns
    )


class PlainSides:
    """Both results of one case as tuples of codes."""

    def __init__(self, gold: ResultTable, candidate: ResultTable, decimals: int | None = None) -> None:
        codes: dict[Any, int] = {None: NULL}
        self.gold_rows = gold.row_count
        self.candidate_rows = candidate.row_count
        self._gold = encode(map(_python, gold.columns), codes, decimals)
        self._candidate = encode(map(_python, candidate.columns), codes, decimals)

    @cached_property
    def _bags(self) -> tuple[list[Counter[int]], list[Counter[int]]]:
        return [Counter(column) for column in self._gold], [Counter(column) for column in self._candidate]

    def gold(self, column: int) -> Distinct:
        """Return the distinct counts of a gold column."""
        return _distinct(self._bags[0][column])

    def candidate(self, column: int) -> Distinct:
        """Return the distinct counts of a candidate column."""
        return _distinct(self._bags[1][column])

    def overlap(self, pair: Pair) -> Overlap:
        """Return what two columns share."""
        shared = self._bags[0][pair.gold] & self._bags[1][pair.candidate]
        return Overlap(len(shared), len(shared) - (NULL in shared), shared.total())

    def alike(self, pair: Pair) -> tuple[int, int]:
        """Return the first column of each side that equals this one row by row."""
        return self._gold.index(self._gold[pair.gold]), self._candidate.index(self._candidate[pair.candidate])

    def key(self, key: tuple[Pair, ...]) -> KeyFacts:
        """Return what a row key separates and reaches."""
        gold, candidate = (set(rows) for rows in self.rows(key))
        return KeyFacts(len(gold), len(gold & candidate))

    def match_by_key(self, pairs: tuple[Pair, ...], key: tuple[Pair, ...]) -> Matched:
        """Return the matched cells with every row held to its shelf."""
        keys, rows = self.rows(key), self.rows(pairs)
        shelves = [_shelves(*side) for side in zip(keys, rows, strict=True)]
        found = [
            shelf_cells(gold, shelves[1][name]) for name, gold in shelves[0].items() if name in shelves[1]
        ]
        return Matched(sum(shelf.cells for shelf in found), sum(shelf.over_cap for shelf in found))

    def match_whole_rows(self, pairs: tuple[Pair, ...]) -> int:
        """Return how many projected rows the two sides share as bags."""
        gold, candidate = self.rows(pairs)
        return (Counter(gold) & Counter(candidate)).total()

    def exact(self, width: int) -> tuple[bool, bool]:
        """Return whether the sides are equal bags under some order of columns, and under the given order."""
        pairs = tuple(Pair(column, column) for column in range(width))
        same = self.match_whole_rows(pairs) == self.gold_rows
        return same or equal_bags(self._gold, self._candidate, _folded), same

    def rows(self, pairs: tuple[Pair, ...]) -> tuple[list[Codes], list[Codes]]:
        """Return the rows of both sides over the paired columns."""
        gold = zip(*(self._gold[pair.gold] for pair in pairs), strict=True)
        return list(gold), list(zip(*(self._candidate[pair.candidate] for pair in pairs), strict=True))


def _folded(gold: Sequence[Codes], candidate: Sequence[Codes]) -> tuple[Codes, Codes]:
    names: dict[Codes, int] = {}
    sides = (zip(*gold, strict=True), zip(*candidate, strict=True))
    folded = [tuple(names.setdefault(row, len(names)) for row in side) for side in sides]
    return folded[0], folded[1]


def _python(column: Any) -> Sequence[Any]:
    """Return a column as Python values; an Arrow column knows how to become them."""
    values: Sequence[Any] = column.to_pylist() if hasattr(column, "to_pylist") else column
    return values


def _distinct(bag: Counter[int]) -> Distinct:
    return Distinct(len(bag), len(bag) - (NULL in bag))


def _shelves(keys: list[Codes], rows: list[Codes]) -> dict[Codes, list[Codes]]:
    shelves: dict[Codes, list[Codes]] = defaultdict(list)
    for key, row in zip(keys, rows, strict=True):
        shelves[key].append(row)
    return shelves
