"""Two large results as arrays of codes: every question is answered by whole columns."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evals.assign import shelf_cells
from evals.codes import Codes, encode_columns
from evals.exact import equal_bags
from evals.sides import NULL, Distinct, KeyFacts, Matched, Overlap, Pair
from evals.tables import ResultTable

Ints = NDArray[Any]


class ColumnarSides:
    """Both results of one case as int32 arrays."""

    def __init__(self, gold: ResultTable, candidate: ResultTable, decimals: int | None = None) -> None:
        self.gold_rows = gold.row_count
        self.candidate_rows = candidate.row_count
        codes, self._size = encode_columns((*gold.columns, *candidate.columns), decimals)
        self._gold, self._candidate = codes[: gold.width], codes[gold.width :]

    @cached_property
    def _bags(self) -> tuple[list[Ints], list[Ints]]:
        gold = [np.bincount(column, minlength=self._size) for column in self._gold]
        return gold, [np.bincount(column, minlength=self._size) for column in self._candidate]

    def gold(self, column: int) -> Distinct:
        """Return the distinct counts of a gold column."""
        return _distinct(self._bags[0][column])

    def candidate(self, column: int) -> Distinct:
        """Return the distinct counts of a candidate column."""
        return _distinct(self._bags[1][column])

    def overlap(self, pair: Pair) -> Overlap:
        """Return what two columns share."""
        shared = np.minimum(self._bags[0][pair.gold], self._bags[1][pair.candidate])
        values = int(np.count_nonzero(shared))
        return Overlap(values, values - int(shared[NULL] > 0), int(shared.sum()))

    @cached_property
    def _contents(self) -> tuple[list[bytes], list[bytes]]:
        sides = ([sha256(column.tobytes()).digest() for column in side] for side in (self._gold, self._candidate))
        gold, candidate = sides
        return gold, candidate

    def alike(self, pair: Pair) -> tuple[int, int]:
        """Return the first column of each side that equals this one row by row."""
        gold, candidate = self._contents
        return gold.index(gold[pair.gold]), candidate.index(candidate[pair.candidate])

    def key(self, key: tuple[Pair, ...]) -> KeyFacts:
        """Return what a row key separates and reaches."""
        if len(key) == 1:
            gold, candidate = self._bags[0][key[0].gold], self._bags[1][key[0].candidate]
        else:
            gold, candidate = _counted(*self._folded(key))
        return KeyFacts(int(np.count_nonzero(gold)), int(np.count_nonzero((gold > 0) & (candidate > 0))))

    def match_by_key(self, pairs: tuple[Pair, ...], key: tuple[Pair, ...]) -> Matched:
        """Return the matched cells with every row held to its shelf."""
        shelves = self._folded(key)
        counts = _counted(*shelves)
        alone = (counts[0] == 1) & (counts[1] == 1)
        places = [np.empty(len(alone), np.int64) for _ in shelves]
        for place, shelf in zip(places, shelves, strict=True):
            place[shelf] = np.arange(len(shelf))
        rows = [place[alone] for place in places]
        cells = sum(
            int(np.count_nonzero(self._gold[pair.gold][rows[0]] == self._candidate[pair.candidate][rows[1]]))
            for pair in pairs
        )
        crowded = (counts[0] > 0) & (counts[1] > 0) & ~alone
        rest = self._match_crowded(pairs, shelves, crowded)
        return Matched(cells + rest.cells, rest.over_cap)

    def match_whole_rows(self, pairs: tuple[Pair, ...]) -> int:
        """Return how many projected rows the two sides share as bags."""
        gold, candidate = _counted(*self._folded(pairs))
        return int(np.minimum(gold, candidate).sum())

    def exact(self, width: int) -> tuple[bool, bool]:
        """Return whether the sides are equal bags under some order of columns, and under the given order."""
        pairs = tuple(Pair(column, column) for column in range(width))
        same = self.match_whole_rows(pairs) == self.gold_rows
        return same or equal_bags(self._gold, self._candidate, fold_columns), same

    def _folded(self, pairs: tuple[Pair, ...]) -> tuple[Ints, Ints]:
        gold = [self._gold[pair.gold] for pair in pairs]
        return fold_columns(gold, [self._candidate[pair.candidate] for pair in pairs])

    def _match_crowded(self, pairs: tuple[Pair, ...], shelves: tuple[Ints, Ints], crowded: Ints) -> Matched:
        """Match shelves with several rows: whole rows that agree by counting, the rest shelf by shelf."""
        chosen = [np.flatnonzero(crowded[shelf]) for shelf in shelves]
        if not len(chosen[0]):
            return Matched(0, 0)
        gold = [self._gold[pair.gold][chosen[0]] for pair in pairs]
        candidate = [self._candidate[pair.candidate][chosen[1]] for pair in pairs]
        whole = fold_columns(gold, candidate)
        shared = np.minimum(*_counted(*whole))
        cells, over = int(shared.sum()) * len(pairs), 0
        left = [np.flatnonzero(_occurrence(side) >= shared[side]) for side in whole]
        sides = [
            _shelved(shelf[rows][kept], [column[kept] for column in columns])
            for shelf, rows, kept, columns in zip(shelves, chosen, left, (gold, candidate), strict=True)
        ]
        others = dict(sides[1])
        for shelf, rows in sides[0]:
            if shelf in others:
                found = shelf_cells(rows, others[shelf])
                cells, over = cells + found.cells, over + found.over_cap
        return Matched(cells, over)


def fold_columns(gold: Sequence[Ints], candidate: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Return one number per row, equal where the rows are equal on either side."""
    rows = len(gold[0])
    folded = np.concatenate((gold[0], candidate[0])).astype(np.int64)
    for left, right in zip(gold[1:], candidate[1:], strict=True):
        column = np.concatenate((left, right)).astype(np.int64)
        folded = _dense(folded * (int(column.max(initial=0)) + 1) + column)
    return folded[:rows], folded[rows:]


def _dense(numbers: Ints) -> Ints:
    """Return numbers renamed 0, 1, 2, ... in order of appearance."""
    indices = pa.array(numbers).dictionary_encode().indices
    return indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _counted(gold: Ints, candidate: Ints) -> tuple[Ints, Ints]:
    size = int(max(gold.max(initial=-1), candidate.max(initial=-1))) + 1
    return np.bincount(gold, minlength=size), np.bincount(candidate, minlength=size)


def _distinct(bag: Ints) -> Distinct:
    values = int(np.count_nonzero(bag))
    return Distinct(values, values - int(bag[NULL] > 0))


def _occurrence(names: Ints) -> Ints:
    """Return how many earlier rows have the same name."""
    order = np.argsort(names, kind="stable")
    ordered = names[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    found = np.empty(len(names), np.int64)
    found[order] = np.arange(len(names)) - np.repeat(starts, np.diff(np.append(starts, len(names))))
    return found


def _shelved(shelf: Ints, columns: list[Codes]) -> list[tuple[int, list[tuple[int, ...]]]]:
    return list(_shelves(shelf, columns))


def _shelves(shelf: Ints, columns: list[Codes]) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    order = np.argsort(shelf, kind="stable")
    names = shelf[order]
    rows = list(zip(*(column[order].tolist() for column in columns), strict=True))
    starts = np.flatnonzero(np.concatenate(([True], names[1:] != names[:-1]))) if len(names) else names
    for start, end in zip(starts, np.append(starts[1:], len(names)), strict=True):
        yield int(names[start]), rows[start:end]
