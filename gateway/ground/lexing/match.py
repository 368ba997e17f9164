"""Whether a value grounds a number as shown: precision, hedges, scale words. No tolerance."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from gateway.ground.lexing.tokens import Quantity, Reading

SCALED_SLACK = Decimal("0.05")
HEDGE_SLACK = Decimal("0.1")


class Interval(NamedTuple):
    """The values that a shown number stands for. An open end excludes its bound."""

    low: Decimal
    high: Decimal
    open_low: bool = False
    open_high: bool = False

    def holds(self, value: Decimal) -> bool:
        """Tell whether a value lies inside."""
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        return above and below

    def shrunk(self, by: Decimal) -> "Interval":
        """Return the interval of the values that many times smaller."""
        return Interval(self.low / by, self.high / by, self.open_low, self.open_high)

    def negated(self) -> "Interval":
        """Return the interval of the values with the sign turned."""
        return Interval(-self.high, -self.low, self.open_high, self.open_low)


def intervals(quantity: Quantity) -> Iterator[Interval]:
    """Yield the values, sign left out, that a quantity may stand for: one interval per reading."""
    for reading in quantity.readings:
        yield _interval(quantity, reading)


def _interval(quantity: Quantity, reading: Reading) -> Interval:
    value, slack = reading.value, abs(reading.value) * HEDGE_SLACK
    if quantity.hedge == "over":
        return Interval(value, value + slack, open_low=True)
    if quantity.hedge == "at_least":
        return Interval(value, value + slack)
    if quantity.hedge == "under":
        return Interval(value - slack, value, open_high=True)
    if quantity.hedge == "at_most":
        return Interval(value - slack, value)
    if quantity.loose:
        return Interval(value * Decimal("0.98"), value * Decimal("1.02"))
    if quantity.hedge == "about":
        return _about(reading)
    return _rounded(reading, reading.scaled or (quantity.measure == "multiple" and reading.step == 1))


def _about(reading: Reading) -> Interval:
    """Half the worth of the last digit that is not zero, at most five percent."""
    value = reading.value
    last = Decimal(1).scaleb(int(value.normalize().as_tuple().exponent)) if value else reading.step
    half = min(max(last, reading.step) / 2, abs(value) * SCALED_SLACK) if value else reading.step / 2
    exact = _rounded(reading, reading.scaled)
    return Interval(
        min(value - half, exact.low),
        max(value + half, exact.high),
        open_high=half * 2 < last and half < abs(value) * SCALED_SLACK,
    )


def _rounded(reading: Reading, coarse: bool) -> Interval:
    """The values that round to what is shown, half up or to even; coarse ones also lie close."""
    value, half = reading.value, reading.step / 2
    even = value / reading.step % 2 == 0
    low, high = value - half, value + half
    if coarse and value:
        slack = abs(value) / (1 - SCALED_SLACK) * SCALED_SLACK
        tight = slack < half
        low, high = max(low, value - abs(value) * SCALED_SLACK), min(high, value + slack)
        return Interval(low, high, open_high=not even and not tight)
    if reading.scaled and not value:
        return Interval(value, value)  # "0.0 million" is no way to show 30,000
    return Interval(low, high, open_high=not even)
