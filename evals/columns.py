"""Pair each gold column with the candidate column that means it, and score the columns."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from math import fsum
from typing import NamedTuple

from evals.precision import PrecisionRecall
from evals.sides import Pair, Sides
from evals.tables import ResultTable

THRESHOLD = 0.2
"""The least min(precision, recall) of an inferred pair; the edge counts."""

TIES_CAP = 720
"""How many equally good pairings are looked at."""

BY_ORIGIN, BY_VALUES, BY_CONSTANT = range(3)


class Edge(NamedTuple):
    """Two columns that may mean the same. Edges are taken by `step`, then the better overlap first."""

    step: int
    pair: Pair
    precision: float
    recall: float
    bag: int

    def rank(self) -> tuple[int, float, float, int]:
        """Return what the order of taking goes by; edges of one rank are equally good."""
        return (
            self.step,
            -min(self.precision, self.recall),
            -max(self.precision, self.recall),
            -self.bag,
        )


@dataclass(frozen=True, slots=True)
class Pairings:
    """The equally good pairings with the highest sum of overlaps; `over_cap`: more ties were not tried."""

    best: tuple[tuple[Edge, ...], ...]
    over_cap: bool


def pair_columns(
    sides: Sides, gold: ResultTable, candidate: ResultTable, threshold: float = THRESHOLD
) -> Pairings:
    """Pair by origin (proof, no threshold), then by distinct values, constants last and only when equal.

    No column's name and no column's place is read.
    """
    edges = sorted(_edges(sides, gold, candidate, threshold), key=Edge.rank)
    levels = [tuple(level) for _, level in groupby(edges, key=Edge.rank)]
    found = list(islice(_completed(levels, 0, frozenset(), frozenset()), TIES_CAP + 1))
    kept = found[:TIES_CAP]
    top = max(map(_overlap_sum, kept))
    distinct = {_outcome(sides, pairing): pairing for pairing in kept if _overlap_sum(pairing) == top}
    return Pairings(tuple(distinct.values()), len(found) > TIES_CAP)


def score_columns(pairing: Sequence[Edge], gold: ResultTable, candidate: ResultTable) -> PrecisionRecall:
    """Sum the pairs' overlaps over all columns of a side; a side without rows leaves its half undefined."""
    precision = fsum(edge.precision for edge in pairing) / candidate.width if candidate.row_count else None
    recall = fsum(edge.recall for edge in pairing) / gold.width if gold.row_count else None
    return PrecisionRecall(precision=precision, recall=recall)


def _edges(sides: Sides, gold: ResultTable, candidate: ResultTable, threshold: float) -> Iterator[Edge]:
    for pair in (Pair(g, c) for g in range(gold.width) for c in range(candidate.width)):
        shared = sides.overlap(pair)
        values = sides.gold(pair.gold), sides.candidate(pair.candidate)
        precision = shared.values / values[1].values if values[1].values else 0.0
        recall = shared.values / values[0].values if values[0].values else 0.0
        origin = gold.origin(pair.gold)
        if origin is not None and origin == candidate.origin(pair.candidate):
            yield Edge(BY_ORIGIN, pair, precision, recall, shared.bag)
        if values[0].present >= 2:
            if shared.present and min(precision, recall) >= threshold:
                yield Edge(BY_VALUES, pair, precision, recall, shared.bag)
        elif values[0].values == values[1].values == shared.values:
            yield Edge(BY_CONSTANT, pair, precision, recall, shared.bag)


def _completed(
    levels: Sequence[tuple[Edge, ...]], at: int, golds: frozenset[int], candidates: frozenset[int]
) -> Iterator[tuple[Edge, ...]]:
    """Yield every pairing that taking the edges in order can end in, equal ranks in any order."""
    if at == len(levels):
        yield ()
        return
    free = [e for e in levels[at] if e.pair.gold not in golds and e.pair.candidate not in candidates]
    for taken in _matchings(free):
        now = golds | {e.pair.gold for e in taken}, candidates | {e.pair.candidate for e in taken}
        for rest in _completed(levels, at + 1, *now):
            yield (*taken, *rest)


def _matchings(edges: list[Edge]) -> Iterator[tuple[Edge, ...]]:
    """Yield every way to take edges of one rank until none is free any more."""
    golds, candidates = Counter(e.pair.gold for e in edges), Counter(e.pair.candidate for e in edges)
    forced = tuple(e for e in edges if golds[e.pair.gold] == candidates[e.pair.candidate] == 1)
    by_gold: dict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        if edge not in forced:
            by_gold[edge.pair.gold].append(edge)
    for chosen in _taken(tuple(by_gold.values()), frozenset(), frozenset()):
        yield (*forced, *chosen)


def _taken(
    groups: tuple[list[Edge], ...], used: frozenset[int], owed: frozenset[int]
) -> Iterator[tuple[Edge, ...]]:
    """Yield the ways to give each gold column one of its candidates, or none once all of them are taken.

    `owed` are candidates of gold columns that went without: they have to be taken by a later one.
    """
    if len(owed) > len(groups):
        return
    if not groups:
        yield ()
        return
    free = [edge for edge in groups[0] if edge.pair.candidate not in used]
    for edge in free:
        place = edge.pair.candidate
        for rest in _taken(groups[1:], used | {place}, owed - {place}):
            yield (edge, *rest)
    yield from _taken(groups[1:], used, owed | {edge.pair.candidate for edge in free})


def _overlap_sum(pairing: Sequence[Edge]) -> float:
    return fsum(value for edge in pairing for value in (edge.precision, edge.recall))


def _outcome(sides: Sides, pairing: Sequence[Edge]) -> tuple[tuple[int, int], ...]:
    """Return what tells two pairings apart: columns that are equal row by row are as good as each other."""
    return tuple(sorted(sides.alike(edge.pair) for edge in pairing))
