"""Rows under the caps: where a result is cut, by which cap, whatever the size of the batches it came in."""

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gateway.engines.base import Limits
from gateway.engines.capped import take, unchanged

LIMITS = Limits(rows=10, bytes=200, seconds=1, memory_mb=64, spill_mb=0)
ROWS = st.lists(st.tuples(st.integers(), st.text(max_size=12) | st.none()), max_size=40)


def size_of(row: tuple[int, str | None]) -> int:
    return 8 + (8 if row[1] is None else len(row[1].encode()))


def as_single(rows: list[tuple[int, str | None]], limits: Limits) -> tuple[list[object], str]:
    """Say what is kept by the rule itself, a row at a time."""
    kept: list[object] = []
    size = 0
    for row in rows:
        size += size_of(row)
        if len(kept) == limits.rows:
            return kept, "rows"
        if size > limits.bytes:
            return kept, "bytes"
        kept.append(row)
    return kept, ""


@given(rows=ROWS, batch=st.integers(1, 50), most=st.integers(0, 50), room=st.integers(0, 900))
def test_batches_never_change_what_is_kept(
    rows: list[tuple[int, str | None]], batch: int, most: int, room: int
) -> None:
    limits = replace(LIMITS, rows=most, bytes=room)
    batches = [rows[at : at + batch] for at in range(0, len(rows), batch)]
    assert take(batches, (unchanged, unchanged), limits) == as_single(rows, limits)


def test_values_are_converted_and_missing_ones_stay_missing() -> None:
    kept, cut_by = take([[(1, "a"), (None, "b")]], (str, unchanged), LIMITS)
    assert (kept, cut_by) == ([("1", "a"), (None, "b")], "")


def test_nothing_is_read_beyond_the_batch_that_was_cut() -> None:
    def batches() -> Iterator[list[tuple[int]]]:
        yield [(number,) for number in range(20)]
        raise AssertionError("a batch too many")

    kept, cut_by = take(batches(), (unchanged,), LIMITS)
    assert (len(kept), cut_by) == (10, "rows")
