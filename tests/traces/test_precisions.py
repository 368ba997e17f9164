"""A number is found at every precision somebody may write it in, and at no other."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.precisions import LEAST_DIGITS, MOST_DIGITS, keyed_number, number_in, shown_as, spelled

NUMBERS = st.decimals(min_value=-(10**12), max_value=10**12, places=4, allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("typed", ["1234567.8", "1234568", "1234570", "1234600", "1.23E+6", "1.2E+6"])
def test_a_value_is_found_by_itself_and_by_each_rounding(typed: str) -> None:
    assert spelled(Decimal(typed)) in shown_as("1234567.80", "$1,234,567.80")


@pytest.mark.parametrize("typed", ["1234567", "1234567.9", "1.24E+6", "1E+6", "123.45678", "0"])
def test_a_value_is_not_found_by_its_neighbours_or_by_one_digit(typed: str) -> None:
    assert spelled(Decimal(typed)) not in shown_as("1234567.80", "$1,234,567.80")


def test_one_digit_counts_where_no_more_were_shown() -> None:
    assert spelled(Decimal("1E+6")) in shown_as("1234567.80", "about 1 million")


def test_a_share_is_found_as_a_fraction_and_in_percent() -> None:
    found = shown_as("0.12345", "12.3%")
    assert {"0.123", "12.3", "0.12345", "12.345"} <= found


def test_a_half_is_found_rounded_either_way() -> None:
    assert {"12", "13", "12.5"} == shown_as("12.5", "12.5")


@pytest.mark.parametrize("value", ["2026-07-01", "", "NaN", "Infinity", "EMEA"])
def test_what_is_no_number_has_no_precision(value: str) -> None:
    assert number_in(value) is None and shown_as(value, value) == frozenset()


@given(NUMBERS, st.integers(LEAST_DIGITS, MOST_DIGITS))
def test_every_rounding_of_every_number_is_among_its_precisions(number: Decimal, digits: int) -> None:
    scale = max(number.adjusted() - digits + 1, -4)
    rounded = number.quantize(Decimal(1).scaleb(scale), ROUND_HALF_UP)
    found = shown_as(str(number), str(number))
    assert spelled(number) in found
    if rounded and rounded.adjusted() - scale + 1 in range(LEAST_DIGITS, MOST_DIGITS + 1):
        assert spelled(rounded) in found


@given(NUMBERS)
def test_no_precision_is_further_from_a_number_than_a_unit_of_its_last_digit(number: Decimal) -> None:
    for spelling in shown_as(str(number), "123456"):
        found = Decimal(spelling)
        assert abs(found - abs(number)) <= Decimal(1).scaleb(int(found.as_tuple().exponent))


def test_hashes_depend_on_the_key_alone() -> None:
    one, other = keyed_number(bytes(32), "1.2E+6"), keyed_number(b"k" * 32, "1.2E+6")
    assert one == keyed_number(bytes(32), "1.2E+6") != other and 0 <= one < 2**63
