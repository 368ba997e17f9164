"""Two large results as arrays of codes: every question is answered by whole columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evals.assign import shelf_cells
from evals.codes import Coded, Codes, encode_columns
from evals.exact import equal_bags
from evals.sides import NULL, Distinct, KeyFacts, Matched, Overlap, Pair
from evals.tables import ResultTable

Ints = NDArray[Any]


@dataclass(frozen=True, slots=True)
class _Bag:
    """How often each value of a kind occurs in a column; the first has code `first`."""

    first: int
    counts: Ints
    nulls: int


class ColumnarSides:
    """Both results of one case as int32 arrays."""

    def __init__(self, gold: ResultTable, candidate: ResultTable, decimals: int | None = None) -> None:
        self.gold_rows = gold.row_count
        self.candidate_rows = candidate.row_count
        coded = encode_columns((*gold.columns, *candidate.columns), decimals)
        bags = [_bag(column) for column in coded]
        self._gold, self._candidate = (
            [column.codes for column in side] for side in (coded[: gold.width], coded[gold.width :])
        )
        self._gold_bags, self._candidate_bags = bags[: gold.width], bags[gold.width :]

    def gold(self, column: int) -> Distinct:
        """Return the distinct counts of a gold column."""
        return _distinct(self._gold_bags[column])

    def candidate(self, column: int) -> Distinct:
        """Return the distinct counts of a candidate column."""
        return _distinct(self._candidate_bags[column])

    def overlap(self, pair: Pair) -> Overlap:
        """Return what two columns share."""
        gold, candidate = self._gold_bags[pair.gold], self._candidate_bags[pair.candidate]
        nulls = min(gold.nulls, candidate.nulls)
        if gold.first != candidate.first:
            return Overlap(int(nulls > 0), 0, nulls)
        shared = np.minimum(gold.counts, candidate.counts)
        present = int(np.count_nonzero(shared))
        return Overlap(present + int(nulls > 0), present, nulls + int(shared.sum()))

    @cached_property
    def _contents(self) -> tuple[list[bytes], list[bytes]]:
        sides = (
            [sha256(column.tobytes()).digest() for column in side] for side in (self._gold, self._candidate)
        )
        gold, candidate = sides
        return gold, candidate

    def alike(self, pair: Pair) -> tuple[int, int]:
        """Return the first column of each side that equals this one row by row."""
        gold, candidate = self._contents
        return gold.index(gold[pair.gold]), candidate.index(candidate[pair.candidate])

    def key(self, key: tuple[Pair, ...]) -> KeyFacts:
        """Return what a row key separates and reaches."""
        if len(key) == 1:
            return KeyFacts(self.gold(key[0].gold).values, self.overlap(key[0]).values)
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
        bags = self._gold_bags, self._candidate_bags
        if any(not any(_same(gold, candidate) for candidate in bags[1]) for gold in bags[0]):
            return False, False
        pairs = tuple(Pair(column, column) for column in range(width))
        alike = all(_same(*columns) for columns in zip(*bags, strict=True))
        same = alike and self.match_whole_rows(pairs) == self.gold_rows
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
        for shelf, rows_here in sides[0]:
            if shelf in others:
                found = shelf_cells(rows_here, others[shelf])
                cells, over = cells + found.cells, over + found.over_cap
        return Matched(cells, over)


def fold_columns(gold: Sequence[Ints], candidate: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Return one number per row, equal where the rows are equal on either side."""
    rows = len(gold[0])
    folded = gold[0].astype(np.int64), candidate[0].astype(np.int64)
    for left, right in zip(gold[1:], candidate[1:], strict=True):
        counts = _counted(*folded)
        if max(counts[0].max(initial=0), counts[1].max(initial=0)) <= 1:
            folded = folded[0], _told_apart(folded, left, right)
            continue
        column = np.concatenate((left, right)).astype(np.int64)
        whole = _dense(np.concatenate(folded) * (int(column.max(initial=0)) + 1) + column)
        folded = whole[:rows], whole[rows:]
    return folded


def _told_apart(folded: tuple[Ints, Ints], gold: Ints, candidate: Ints) -> Ints:
    """Rename candidate rows that share a number with a gold row but not the column's value.

    Every number occurs at most once on a side, so the rows that share one can be laid side by side.
    """
    size = int(max(side.max(initial=-1) for side in folded)) + 1
    place = np.full(size, -1, dtype=np.int64)
    place[folded[0]] = np.arange(len(folded[0]))
    partner = place[folded[1]]
    differs = (partner >= 0) & (gold[partner] != candidate) if len(gold) else partner >= 0
    renamed = folded[1].copy()
    renamed[differs] = size + np.arange(int(np.count_nonzero(differs)))
    return renamed


def _dense(numbers: Ints) -> Ints:
    """Return numbers renamed 0, 1, 2, ... in order of appearance."""
    indices = pa.array(numbers).dictionary_encode().indices
    dense: Ints = indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return dense


def _counted(gold: Ints, candidate: Ints) -> tuple[Ints, Ints]:
    size = int(max(gold.max(initial=-1), candidate.max(initial=-1))) + 1
    return np.bincount(gold, minlength=size), np.bincount(candidate, minlength=size)


def _bag(column: Coded) -> _Bag:
    nulls = int(np.count_nonzero(column.codes == NULL))
    present = column.codes[column.codes != NULL] if nulls else column.codes
    return _Bag(column.first, np.bincount(present - column.first, minlength=column.known), nulls)


def _same(gold: _Bag, candidate: _Bag) -> bool:
    if gold.first != candidate.first:
        return gold.nulls == candidate.nulls and not (gold.counts.any() or candidate.counts.any())
    return gold.nulls == candidate.nulls and np.array_equal(gold.counts, candidate.counts)


def _distinct(bag: _Bag) -> Distinct:
    present = int(np.count_nonzero(bag.counts))
    return Distinct(present + int(bag.nulls > 0), present)


def _occurrence(names: Ints) -> Ints:
    """Return how many earlier rows have the same name."""
    order = np.argsort(names, kind="stable")
    ordered = names[order]
    starts = _starts(ordered)
    found = np.empty(len(names), np.int64)
    found[order] = np.arange(len(names)) - np.repeat(starts, np.diff(np.append(starts, len(names))))
    return found


def _starts(ordered: Ints) -> Ints:
    """Return where each run of equal numbers begins."""
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return np.flatnonzero(new)


def _shelved(shelf: Ints, columns: list[Codes]) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Yield each shelf with its rows."""
    order = np.argsort(shelf, kind="stable")
    names = shelf[order]
    rows = list(zip(*(column[order].tolist() for column in columns), strict=True))
    starts = _starts(names)
    for start, end in zip(starts, np.append(starts[1:], len(names)), strict=False):
        yield int(names[start]), rows[start:end]
