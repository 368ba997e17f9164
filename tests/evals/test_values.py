"""One equality: what is the same value has the same form, and no other."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.numbers import as_floats
from evals.values import canonical

IN_LAGOS = timezone(timedelta(hours=1))

SAME = [
    (1, 1.0),
    (1, Decimal("1.00")),
    (True, 1),
    (0.1 * 3, 0.3),
    (Decimal("0.10"), 0.1),
    (-0.0, 0),
    (float("nan"), float("nan")),
    (date(2025, 1, 1), datetime(2025, 1, 1)),
    (datetime(2025, 1, 1, 1, tzinfo=IN_LAGOS), datetime(2025, 1, 1, tzinfo=UTC)),
    ([1, 2.0], [1.0, 2]),
    ({"a": 1}, {"b": 1.0}),
    (UUID(int=1), str(UUID(int=1))),
    (b"x", bytearray(b"x")),
    (1234567890123.5, 1234567890124),
]
OTHER = [
    (2**53, 2**53 + 1),
    ("a", "A"),
    ("a", "a "),
    ("1", 1),
    ("2025-01-01", date(2025, 1, 1)),
    (None, 0),
    (None, ""),
    (date(2025, 1, 1), datetime(2025, 1, 1, 1)),
    (time(10), "10:00:00"),
    ([1, 2], [2, 1]),
    ([1], {"a": 1}),
    (1.0000000001, 1),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_value_are_equal(one: object, other: object) -> None:
    assert canonical(one) == canonical(other)
    assert hash(canonical(one)) == hash(canonical(other))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other_values_and_other_kinds_stay_apart(one: object, other: object) -> None:
    assert canonical(one) != canonical(other)


def test_a_tolerance_rounds_half_away_from_zero_and_leaves_whole_numbers_alone() -> None:
    assert canonical(2.675, 2) == Decimal("2.68")
    assert canonical(-2.5, 0) == -3
    assert canonical(12345, 1) == 12345


@given(
    values=st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e14, max_value=1e14)),
    decimals=st.sampled_from([None, 0, 2, 6]),
)
def test_whole_columns_of_floats_take_the_form_of_single_values(
    values: list[float], decimals: int | None
) -> None:
    found = as_floats(pa.array(values, pa.float64()), decimals)
    assert found is not None
    assert found.to_pylist() == [float(canonical(value, decimals)) for value in values]


@given(
    values=st.lists(st.decimals(places=4, min_value=-(10**12), max_value=10**12)),
    decimals=st.sampled_from([None, 0, 2]),
)
def test_whole_columns_of_decimals_take_the_form_of_single_values(
    values: list[Decimal], decimals: int | None
) -> None:
    found = as_floats(pa.array(values, pa.decimal128(38, 4)), decimals)
    assert found is not None
    assert found.to_pylist() == [float(canonical(value, decimals)) for value in values]


def test_a_column_that_float64_cannot_hold_is_left_to_single_values() -> None:
    assert as_floats(pa.array([2**53 + 1]), None) is None
    assert as_floats(pa.array([1e300]), None) is None
    assert as_floats(pa.array([["a"]]), None) is None
