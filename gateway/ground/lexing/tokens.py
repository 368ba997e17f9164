"""The tokens a draft is cut into: what must have a source, and what is a date, a name or furniture."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NamedTuple

from gateway.ground.lexing.units import Measure

Kind = Literal["temporal", "label", "unknown_label", "structural", "pronoun", "ordinal"]
Hedge = Literal["", "over", "at_least", "under", "at_most", "about", "vague"]


class Reading(NamedTuple):
    """One way to read a number: its value, and the worth of one unit in its last shown place."""

    value: Decimal
    step: Decimal
    scaled: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot as printed in the visible text, and the cell or the derivation that it shows.

    `names` marks a dimension value, which is a name and no number; `multiple` a ratio, which may be "times".
    `named` says that slots on the same line print every dimension value of its row, and nothing else does.
    """

    start: int
    end: int
    cell: tuple[int, int] | None = None
    derivation: str = ""
    names: bool = False
    multiple: bool = False
    named: bool = False


class Quantity(NamedTuple):
    """A number a reader would take as a fact. `sign` is 0 where none was written.

    `loose` marks word fractions and multiples ("half", "doubled"), read within two percent. `bracketed`
    numbers stand alone in brackets. `rank` marks "top 3". `digits` counts significant digits. `slot` is what
    printed it, where code did.
    """

    start: int
    end: int
    text: str
    readings: tuple[Reading, ...]
    measure: Measure = "plain"
    currencies: frozenset[str] = frozenset()
    sign: int = 0
    hedge: Hedge = ""
    loose: bool = False
    bracketed: bool = False
    digits: int = 1
    unit_word: str = ""
    slot: Slot | None = None


class Mark(NamedTuple):
    """A stretch of text with digits or number words that is not a quantity."""

    kind: Kind
    start: int
    end: int
    text: str
    value: int = 0


@dataclass(frozen=True, slots=True)
class Tokens:
    """All tokens of a draft in order; `leftovers` are digits that nothing could read."""

    quantities: tuple[Quantity, ...]
    marks: tuple[Mark, ...]
    leftovers: tuple[tuple[int, int], ...]
