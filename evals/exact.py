"""Whether two tables are one bag of rows under some order of columns: the test of the scorer."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

Column = TypeVar("Column")
Fold = Callable[[Sequence[Column], Sequence[Column]], tuple[Column, Column]]
"""Columns of both sides -> one column a side, equal numbers where rows are equal on either side."""


def equal_bags(gold: Sequence[Column], candidate: Sequence[Column], fold: Fold[Column]) -> bool:
    """Say whether some order of the candidate's columns makes the two bags of rows equal.

    Columns are laid one by one; a prefix whose bags differ is left at once, and of columns that are equal row
    by row only the first is tried.
    """
    if len(gold) != len(candidate):
        return False
    bags = [_bag(column) for column in gold], [_bag(column) for column in candidate]
    if sorted(bags[0]) != sorted(bags[1]):
        return False

    def laid(place: int, folded: tuple[Column, Column] | None, free: tuple[int, ...]) -> bool:
        if place == len(gold):
            return True
        tried: list[bytes] = []
        for column in free:
            content = _content(candidate[column])
            if bags[1][column] != bags[0][place] or content in tried:
                continue
            tried.append(content)
            before = ([], []) if folded is None else ([folded[0]], [folded[1]])
            joined = fold([*before[0], gold[place]], [*before[1], candidate[column]])
            rest = tuple(other for other in free if other != column)
            if _bag(joined[0]) == _bag(joined[1]) and laid(place + 1, joined, rest):
                return True
        return False

    return laid(0, None, tuple(range(len(candidate))))


def _content(column: Any) -> bytes:
    return np.asarray(column, dtype=np.int64).tobytes()


def _bag(column: Any) -> bytes:
    return np.sort(np.asarray(column, dtype=np.int64)).tobytes()
