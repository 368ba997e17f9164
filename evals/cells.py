"""Find a row key among the paired columns, put rows on shelves and count the cells that agree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple

from evals.precision import PrecisionRecall
from evals.sides import KeyFacts, Matched, Pair, Sides

KEYS_CAP = 16
"""How many equally good keys are tried."""

RowMethod = Literal["key", "multiset", "none"]


@dataclass(frozen=True, slots=True)
class CellScore:
    """Cells that agree inside the pairs. `rows_without_key` counts gold rows that were compared whole."""

    score: PrecisionRecall
    matched: int = 0
    method: RowMethod = "none"
    key: tuple[Pair, ...] = ()
    rows_without_key: int = 0
    shelves_over_cap: int = 0


class _Rank(NamedTuple):
    """How good a key is: what it reaches, what it separates, columns that are not computed, few columns."""

    reached: int
    distinct: int
    plain: int
    narrow: int


def score_cells(sides: Sides, pairs: Sequence[Pair], computed: frozenset[int]) -> CellScore:
    """Count the cells that agree over the paired columns; `computed` are the gold columns without an origin.

    Undefined without a pair; a side without rows makes its half undefined. Row order is never read.
    """
    pairs = tuple(pairs)
    if not pairs or not sides.gold_rows or not sides.candidate_rows:
        return CellScore(_score(sides, 0, len(pairs)))
    keys = _best_keys(sides, pairs, computed)
    if not keys:
        cells = sides.match_whole_rows(pairs) * len(pairs)
        return CellScore(
            _score(sides, cells, len(pairs)), cells, "multiset", rows_without_key=sides.gold_rows
        )
    found, key = _most_matched(sides, pairs, keys)
    return CellScore(
        _score(sides, found.cells, len(pairs)),
        found.cells,
        "key",
        key,
        shelves_over_cap=found.over_cap,
    )


def _score(sides: Sides, matched: int, width: int) -> PrecisionRecall:
    def share(rows: int) -> float | None:
        return matched / (rows * width) if rows and width else None

    return PrecisionRecall(precision=share(sides.candidate_rows), recall=share(sides.gold_rows))


def _most_matched(
    sides: Sides, pairs: tuple[Pair, ...], keys: Sequence[tuple[Pair, ...]]
) -> tuple[Matched, tuple[Pair, ...]]:
    bound = len(pairs) * min(sides.gold_rows, sides.candidate_rows)
    best, chosen = Matched(-1, 0), keys[0]
    for key in keys[:KEYS_CAP]:
        found = sides.match_by_key(pairs, key)
        if found.cells > best.cells:
            best, chosen = found, key
        if best.cells == bound:
            break
    return best, chosen


def _best_keys(sides: Sides, pairs: tuple[Pair, ...], computed: frozenset[int]) -> list[tuple[Pair, ...]]:
    """Return the usable keys of the best rank; a usable one tells at least half of the gold rows apart."""
    best: _Rank | None = None
    keys: list[tuple[Pair, ...]] = []
    for key, bound in _candidates(sides, pairs, computed):
        if best is not None and bound < best:
            continue
        facts = sides.key(key)
        if 2 * facts.distinct < sides.gold_rows:
            continue
        rank = _rank(key, facts, computed)
        if best is None or rank > best:
            best, keys = rank, []
        if rank == best:
            keys.append(key)
    return keys


def _candidates(
    sides: Sides, pairs: tuple[Pair, ...], computed: frozenset[int]
) -> Iterator[tuple[tuple[Pair, ...], _Rank]]:
    """Yield keys of one and two columns, each with a rank that it cannot beat."""
    rows = sides.gold_rows, min(sides.gold_rows, sides.candidate_rows)
    single = {pair: sides.key((pair,)) for pair in pairs}
    for pair in pairs:
        yield (pair,), _rank((pair,), single[pair], computed)
    for left, right in combinations(pairs, 2):
        distinct = min(rows[0], single[left].distinct * single[right].distinct)
        reached = min(rows[1], single[left].reached * single[right].reached)
        yield (left, right), _rank((left, right), KeyFacts(distinct, reached), computed)


def _rank(key: tuple[Pair, ...], facts: KeyFacts, computed: frozenset[int]) -> _Rank:
    return _Rank(facts.reached, facts.distinct, -sum(pair.gold in computed for pair in key), -len(key))
