"""A shelf is arranged so that the most cells agree."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from evals.assign import shelf_cells

ROWS = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=5)


def brute_force(gold: list[tuple[int, ...]], candidate: list[tuple[int, ...]]) -> int:
    short, long = sorted((gold, candidate), key=len)
    return max(
        sum(a == b for one, other in zip(short, order, strict=True) for a, b in zip(one, other, strict=True))
        for order in permutations(long, len(short))
    )


@settings(max_examples=200)
@given(gold=ROWS, candidate=ROWS)
def test_no_arrangement_matches_more_cells(
    gold: list[tuple[int, ...]], candidate: list[tuple[int, ...]]
) -> None:
    assert shelf_cells(gold, candidate).cells == brute_force(gold, candidate)


def test_a_shelf_empties_so_a_duplicate_collects_nothing() -> None:
    assert shelf_cells([(1, 2)], [(1, 2), (1, 2)]).cells == 2


def test_a_shelf_over_the_cap_counts_identical_rows_only_and_is_counted() -> None:
    gold, candidate = [(1, 1), (2, 2), (3, 3)], [(1, 1), (2, 9), (3, 9)]
    assert shelf_cells(gold, candidate) == (4, 0)
    assert shelf_cells(gold, candidate, cap=3) == (2, 1)
