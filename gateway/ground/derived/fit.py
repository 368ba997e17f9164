"""Whether a number as written is a way to show a value: unit, sign and display precision together."""

from collections.abc import Sequence
from decimal import Decimal

from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.match import Interval, intervals
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import TIME_UNITS, Measured, factor

NOT_POINTS = frozenset(("percent", "fraction", "change", "share", "currency"))


def value_fits(quantity: Quantity, value: Decimal, measured: Measured, direction: Direction) -> bool:
    """Tell whether a number of this shape shows a value."""
    by = scale_of(quantity, measured)
    return by is not None and any_holds(tuple(intervals(quantity)), value * by, direction)


def scale_of(quantity: Quantity, measured: Measured) -> Decimal | None:
    """Return the factor that shows a value of this unit as the number does; None where none can."""
    by = factor(quantity.measure, quantity.currencies, measured)
    return by if by is not None and unit_word_fits(quantity, measured) else None


def any_holds(spans: Sequence[Interval], shown: Decimal, direction: Direction) -> bool:
    """Tell whether a value, scaled as the number is, lies in one of its intervals with its sign."""
    for interval in spans:
        if direction.either and (interval.holds(shown) or interval.holds(-shown)):
            return True
        if interval.holds(-shown if direction.sign < 0 else shown):
            return True
    return False


def shows(quantity: Quantity, derived: Derived, direction: Direction) -> bool:
    """Tell whether a number shows a derived value; only a change takes its sign from words."""
    if quantity.measure == "multiple":
        if direction.sign < 0 and quantity.readings[0].value > 1:
            return False
        if derived.measured.carrier == "change":
            grown = 1 + derived.value / 100
            return any(interval.holds(grown) for interval in intervals(quantity))
    if not derived.change:
        written = direction.sign if direction.word in ("sign", "brackets") else 0
        direction = Direction(written, either=direction.either)
    return value_fits(quantity, derived.value, derived.measured, direction)


def unit_word_fits(quantity: Quantity, measured: Measured) -> bool:
    """Tell whether the word after a number suits a unit: hours are no days, points are no percentage."""
    if quantity.unit_word == "points":
        return measured.carrier not in NOT_POINTS
    if not quantity.unit_word or quantity.unit_word == measured.unit:
        return True
    return measured.unit not in TIME_UNITS.values()
