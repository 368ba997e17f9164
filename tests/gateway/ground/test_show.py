"""A figure is printed with the decimals that are asked for, half to even, whatever its size."""

from decimal import Decimal

import pytest

from gateway.ground.derived.show import show_number


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [
        ("751932.44", 2, "751,932.44"),
        ("-0.004", 2, "0.00"),
        ("-0.006", 2, "-0.01"),
        ("0.125", 2, "0.12"),
        ("0.135", 2, "0.14"),
        ("1E+5", 0, "100,000"),
        ("0E-9", 1, "0.0"),
        ("12345678901234567890123456789012.5", 2, "12,345,678,901,234,567,890,123,456,789,012.50"),
    ],
)
def test_a_number_has_its_commas_and_decimals(value: str, decimals: int, shown: str) -> None:
    assert show_number(Decimal(value), decimals) == shown
