"""What became of one number of a draft, and how likely a random one would have fared as well."""

from decimal import Decimal
from typing import NamedTuple

from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.places import Place
from gateway.ground.table.sheet import CellAt


class Binding(NamedTuple):
    """What became of one number: its source, or the candidates that exist elsewhere.

    `unbound` says that a fitting cell was found but the words do not single it out; `chance` is the share of
    random numbers of the same shape that would have passed.
    """

    quantity: Quantity
    place: Place
    direction: Direction
    cell: CellAt | None = None
    derived: Derived | None = None
    implicit: str = ""
    value: Decimal | None = None
    elsewhere: tuple[CellAt, ...] = ()
    unbound: bool = False
    chance: float = 0.0

    @property
    def grounded(self) -> bool:
        """Tell whether the number has a source."""
        return self.cell is not None or self.derived is not None or bool(self.implicit)


def chance_of(quantity: Quantity, cells: int) -> float:
    """Return the share of random numbers of this shape that one of so many cells would ground."""
    if quantity.hedge or quantity.loose:
        return min(1.0, cells * 0.05)
    return float(min(1.0, cells / (9 * 10 ** (quantity.digits - 1))))


def figure_told(binding: Binding) -> Decimal | None:
    """Return the figure of a number: that of its cell, or of a text cell as it is told ("133 m")."""
    if binding.value is not None or binding.cell is None:
        return binding.value
    plain = {reading.value for reading in binding.quantity.readings if not reading.scaled}
    return plain.pop() if len(plain) == 1 else None
