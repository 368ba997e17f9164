"""Pair the rows of one shelf so that the most cells agree: the assignment problem, identical rows first."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from evals.sides import SHELF_CAP, Matched

Row = tuple[int, ...]


def shelf_cells(gold: Sequence[Row], candidate: Sequence[Row], cap: int = SHELF_CAP) -> Matched:
    """Return the cells that agree on a shelf of code rows; whole rows that agree leave first.

    Taking out a gold row and an identical candidate row never loses: any arrangement that splits the two can
    be swapped into one that does not, with at least as many equal cells.
    """
    if not gold or not candidate:
        return Matched(0, 0)
    width = len(gold[0])
    if len(gold) == 1 or len(candidate) == 1:
        return Matched(max(_equal(g, c) for g in gold for c in candidate), 0)
    shared = Counter(gold) & Counter(candidate)
    taken = width * shared.total()
    rest = _without(gold, shared), _without(candidate, shared)
    if not rest[0] or not rest[1]:
        return Matched(taken, 0)
    if len(rest[0]) * len(rest[1]) > cap:
        return Matched(taken, 1)
    return Matched(taken + _arranged(np.array(rest[0]), np.array(rest[1])), 0)


def _equal(gold: Row, candidate: Row) -> int:
    return sum(g == c for g, c in zip(gold, candidate, strict=True))


def _without(rows: Sequence[Row], shared: Counter[Row]) -> list[Row]:
    return list((Counter(rows) - shared).elements())


def _arranged(gold: NDArray[Any], candidate: NDArray[Any]) -> int:
    score = np.zeros((len(gold), len(candidate)), dtype=np.int32)
    for column in range(gold.shape[1]):
        score += gold[:, column, None] == candidate[None, :, column]
    rows, columns = linear_sum_assignment(score, maximize=True)
    return int(score[rows, columns].sum())
