"""Each number of a sentence bound to the row and column its words name, or the reason why it cannot be."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from gateway.ground.clauses import Sentence, neighbours
from gateway.ground.cues import PART_GAPS
from gateway.ground.derive import Derived
from gateway.ground.direction import Direction
from gateway.ground.lexicon import EARLIER_SAID, HIGHS, LOWS
from gateway.ground.names import Names
from gateway.ground.places import Place, Pointer, Side
from gateway.ground.sheet import CellAt
from gateway.ground.shifts import Shifts
from gateway.ground.sources import Sources
from gateway.ground.tokens import Quantity, Slot
from gateway.ground.whole import Whole

SIDES: tuple[Side, ...] = ("before", "after")
PAUSE = re.compile(r"[,;:!?\n()]|\.(?:\s|\Z)")
RANGED_FROM = re.compile(r"rang(?:ed|es|ing)\sfrom\s\Z")
OVER_SEVERAL = re.compile(r"\s*(?:the\s)?(?:average|mean|total|sum|combined)\b", re.IGNORECASE)
SET_AGAINST = re.compile(r"\b(?:against|versus|vs\.?|compared\s(?:with|to))\s[^,;]{0,40}\Z", re.IGNORECASE)
MANY_ROWS = 50
LESS, MORE = Decimal("0.9"), Decimal("1.1")


@dataclass(frozen=True, slots=True)
class Binding:
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


class Binder:
    """Binds the numbers of sentences to the sheet of some names."""

    def __init__(
        self,
        names: Names,
        text: str,
        derived: Sequence[Derived],
        headers: Mapping[int, frozenset[int]],
        line: float,
        whole: Whole,
    ) -> None:
        """Stand on names and a text. Above the chance `line` a number must be bound by row and column."""
        self.sheet = names.sheet
        self.text = text
        self.line = line
        self.whole = whole
        self.shifts = Shifts(names, text)
        self.pointer = Pointer(self.sheet, text, headers)
        self.sources = Sources(names, text, derived, whole.stale)

    def bind(self, sentence: Sentence, previous: Sentence | None) -> tuple[Binding, ...]:
        """Bind all numbers of a sentence with one reading: by names before them, or by names after."""
        best: tuple[Binding, ...] = ()
        failures = len(sentence.quantities) + 1
        for side in SIDES:
            bound = [self._bind(q, sentence, side, previous) for q in sentence.quantities]
            bindings = self._in_order(self._of_one_row(self._with_parameters(bound)))
            bindings = self._with_gaps(bindings, sentence)
            failed = sum(not binding.grounded for binding in bindings)
            if failed < failures:
                best, failures = bindings, failed
            if not failed or len({mention.start for mention in sentence.rows}) < 2:
                break
        return best

    def _with_gaps(self, bindings: tuple[Binding, ...], sentence: Sentence) -> tuple[Binding, ...]:
        """Bind what is left in a column that the sentence named for another row ("A had 9 users, B 7")."""
        found = list(bindings)
        for at, binding in enumerate(bindings):
            if binding.grounded or not at or binding.quantity.slot is not None:
                continue
            column = self._gapped(bindings[:at], binding, sentence)
            rows = binding.place.rows or frozenset()
            if column is None or len(rows) != 1:
                continue
            cell = next(iter(rows)), column
            if cell in binding.elsewhere:
                value, chance = self.sheet.number(*cell), _chance(binding.quantity, 1)
                found[at] = replace(
                    binding, cell=cell, value=value, chance=chance, unbound=False, elsewhere=()
                )
        return tuple(found)

    def _gapped(self, before: Sequence[Binding], binding: Binding, sentence: Sentence) -> int | None:
        """Return the column of the last like number of another row, where no column is named since."""
        quantity = binding.quantity
        kind = quantity.measure, quantity.currencies
        led = [m for m in sentence.rows if m.full and m.end <= quantity.start]
        like = next(
            (b for b in reversed(before) if (b.quantity.measure, b.quantity.currencies) == kind), None
        )
        if not led or like is None or like.cell is None or not binding.place.firm:
            return None
        since = led[-1].start
        if like.quantity.end > since or like.cell[0] in led[-1].rows or quantity.hedge:
            return None
        named = any(since <= m.start < neighbours(quantity, sentence)[1] for m in sentence.columns)
        return None if named else like.cell[1]

    def _with_parameters(self, bindings: Sequence[Binding]) -> list[Binding]:
        """Bind what is left to the conditions of those derivations that the same sentence cites."""
        cited = [binding.derived for binding in bindings if binding.derived is not None]
        found = list(bindings)
        for at, binding in enumerate(bindings):
            if binding.grounded or not cited:
                continue
            parameter = self.sources.parameter(binding.quantity, binding.place, cited)
            if parameter is not None:
                chance = _chance(binding.quantity, 1)
                nothing = Binding(binding.quantity, binding.place, binding.direction)
                found[at] = replace(nothing, implicit=parameter[0], value=parameter[1], chance=chance)
        return found

    def _in_order(self, bindings: Sequence[Binding]) -> tuple[Binding, ...]:
        """Refuse a part above its whole and a range upside down ("between 500 and 200")."""
        checked = list(bindings)
        for place, (first, second) in enumerate(pairwise(bindings)):
            if first.value is None or second.value is None:
                continue
            if self._is_unlike(first, second):
                checked[place + 1] = replace(second, cell=None, derived=None, implicit="", unbound=True)
                continue
            if first.value <= second.value and (first.cell is None or first.cell != second.cell):
                continue
            gap = self.text[first.quantity.end : second.quantity.start].strip().lower()
            lead = self.text[max(0, first.quantity.start - 16) : first.quantity.start].lower()
            part = gap in PART_GAPS and first.quantity.measure == second.quantity.measure == "plain"
            between = gap == "and" and lead.endswith("between ")
            moved = (
                gap == "to"
                and lead.endswith("from ")
                and first.cell is not None
                and first.cell == second.cell
            )
            if part or between or moved or (gap == "to" and RANGED_FROM.search(lead)):
                checked[place] = replace(first, cell=None, derived=None, implicit="", unbound=True)
        return tuple(checked)

    def _of_one_row(self, bindings: list[Binding]) -> list[Binding]:
        """Refuse figures of other rows beside a total of a record, where the sentence names no row."""
        cells = [b.cell for b in bindings if b.cell is not None and b.place.rows is None]
        if len({row for row, _ in cells}) < 2 or not any(row in self.sheet.totals for row, _ in cells):
            return bindings
        return [
            replace(b, cell=None, unbound=True)
            if b.cell is not None and b.place.rows is None and b.cell[0] not in self.sheet.totals
            else b
            for b in bindings
        ]

    def _is_unlike(self, first: Binding, second: Binding) -> bool:
        """Tell whether a number is set against one of another column, though no column is named between."""
        if first.cell is None or second.cell is None or second.place.named:
            return False
        gap = self.text[first.quantity.end : second.quantity.start]
        like = first.quantity.measure == second.quantity.measure
        apart = first.cell[0] != second.cell[0] and first.cell[1] != second.cell[1]
        return like and apart and SET_AGAINST.search(gap) is not None

    def _bind(self, quantity: Quantity, sentence: Sentence, side: Side, previous: Sentence | None) -> Binding:
        """Look for the cell first, then a declaration, and the small implicit set."""
        direction = self.sources.direction(quantity, sentence)
        place = self.pointer.point(quantity, sentence, side, previous)
        place = (
            self._earlier(quantity, direction, place, sentence)
            or self.shifts.shifted(quantity, sentence, place)
            or self._levels(quantity, direction, place)
        )
        nothing = Binding(quantity, place, direction)
        if quantity.slot is not None:
            return self._printed(nothing, quantity.slot, sentence)
        cells = self.sources.cells(quantity, direction)
        held = [
            c
            for c in cells
            if place.holds(c) and not self.sources.means_else(quantity, c[1], direction, place)
        ]
        here = self.whole.kept(held, quantity, sentence, place)
        if here and self._is_over_columns(quantity, sentence, place):
            here = []
        if here:
            cell = min(here, key=lambda cell: (cell[1] in self.sheet.keys, cell))
            chance = _chance(quantity, self._room(quantity, place))
            if self._may_stand(quantity, sentence, place, cell, chance):
                return replace(nothing, cell=cell, value=self.sheet.number(*cell), chance=chance)
        found = self.sources.derivation(quantity, sentence, place, direction)
        if found is not None:
            return replace(nothing, derived=found, value=found.value, chance=_chance(quantity, 1))
        implicit = self.sources.implicit(quantity, sentence, place)
        # an extreme said beside the number was kept as its cell: one said elsewhere ("led by X") is no source
        denied = bool(held) and not here
        if implicit is not None and not (denied and implicit[0].startswith(("max(", "min("))):
            return replace(nothing, implicit=implicit[0], value=implicit[1], chance=_chance(quantity, 1))
        return replace(nothing, elsewhere=tuple(cells[:20]), unbound=bool(here))

    def _printed(self, nothing: Binding, slot: Slot, sentence: Sentence) -> Binding:
        """Bind a printed slot to what it shows, unless the words of its clause name something else."""
        quantity, place, direction = nothing.quantity, nothing.place, nothing.direction
        if slot.cell is not None:
            stands = slot.named or self.whole.kept([slot.cell], quantity, sentence, place)
            if stands and self.sources.may_print(quantity, slot.cell, sentence, place, direction):
                return replace(nothing, cell=slot.cell, value=self.sheet.number(*slot.cell))
            return replace(nothing, elsewhere=(slot.cell,))
        shown = self.sources.printed(slot.derivation, quantity, sentence, place, direction)
        return replace(nothing, derived=shown, value=shown.value) if shown else nothing

    def _earlier(
        self, quantity: Quantity, direction: Direction, place: Place, sentence: Sentence
    ) -> Place | None:
        """Return the columns of the earlier period where the words mean it ("900 the year before")."""
        pairs = self.sheet.previous
        if not pairs or self._moves(direction, quantity):
            return None
        before, after = neighbours(quantity, sentence)
        said = PAUSE.split(self.text[quantity.end : after])[0]
        if not self.text[before : quantity.start].endswith("from ") and not EARLIER_SAID.search(said):
            return None
        columns = place.columns if place.columns is not None else self.sheet.figured
        fit = self.pointer.fitting(
            quantity, (pairs.get(c, c) for c in columns if c in pairs or c in pairs.values())
        )
        return replace(place, columns=fit) if fit else None

    def _moves(self, direction: Direction, quantity: Quantity) -> bool:
        """Tell whether a number is by how much something moved."""
        led = self.text[max(0, quantity.start - 6) : quantity.start].endswith("from ")
        return bool(direction.sign) and not led and self._is_change(quantity, direction)

    def _is_over_columns(self, quantity: Quantity, sentence: Sentence, place: Place) -> bool:
        """Tell whether a number is an average or total over several periods ("average for 2017-2019")."""
        before, _ = neighbours(quantity, sentence)
        if not place.named or len(place.columns or ()) < 2 or before > sentence.start:
            return False
        dated = self.sources.naming.dated
        spans = [m for m in sentence.columns if m.full and len(m.columns & dated) > 1 and m.columns <= dated]
        lead = self.text[sentence.start : quantity.start]
        return bool(spans) and OVER_SEVERAL.match(lead) is not None

    def _levels(self, quantity: Quantity, direction: Direction, place: Place) -> Place:
        """A change also means a column of changes; a number with no direction and no column does not."""
        changes = self.sources.told_changes
        if direction.sign and changes and self._is_change(quantity, direction):
            fit = self.pointer.fitting(quantity, changes)
            if place.named and place.columns is not None:
                return replace(place, columns=place.columns | fit)
            if fit:
                return replace(place, columns=fit, named=len(fit) == 1)
        if (
            changes
            and not direction.sign
            and self.text[max(0, quantity.start - 4) : quantity.start] == " by "
        ):
            by = self.pointer.fitting(quantity, changes)
            if by:
                return replace(place, columns=by, named=len(by) == 1)
        spare = (changes if not (direction.sign or direction.either) else frozenset()) | self.sources.others
        if place.columns is not None or not spare:
            return place
        levels = self.pointer.fitting(quantity, self.sheet.numeric) - spare
        return replace(place, columns=levels | frozenset(self.sheet.keys)) if levels else place

    def _is_change(self, quantity: Quantity, direction: Direction) -> bool:
        """Tell whether a word of direction says by how much ("gained four"), not to what ("rose to 30")."""
        led = 0 <= direction.start < quantity.start
        return led and " to " not in self.text[direction.start : quantity.start]

    def _may_stand(
        self, quantity: Quantity, sentence: Sentence, place: Place, cell: CellAt, chance: float
    ) -> bool:
        """Tell whether a match is bound well enough not to be chance."""
        if self.sheet.height == 1:
            return True
        if quantity.hedge not in ("", "about") and place.rows is None:
            return self._is_extreme(cell, sentence)
        if (place.rows is not None and place.named) or self._is_alone(quantity, place):
            return True
        if place.rows is None and place.named and cell[0] in self.sheet.totals:
            return True  # of one thing's record, its totals are meant where no row is named
        named = place.rows is not None or place.named
        enough = quantity.digits >= 4 or (named and quantity.digits >= 3) or place.firm
        return (enough and chance <= self.line) or self._is_extreme(cell, sentence)

    def _is_extreme(self, cell: CellAt, sentence: Sentence) -> bool:
        """Tell whether a cell is the highest or lowest of its column and the sentence says so."""
        said = self.text[sentence.start : sentence.end]
        totals = self.sheet.totals - {cell[0]}
        figures = [value for row, value in self.sheet.column_values(cell[1]) if row not in totals]
        own = self.sheet.number(*cell)
        if not figures or self.sheet.table.truncated:
            return False
        return (own == max(figures) and bool(HIGHS.search(said))) or (
            own == min(figures) and bool(LOWS.search(said))
        )

    def _is_alone(self, quantity: Quantity, place: Place) -> bool:
        """Tell whether firm rows leave one cell that a number of its unit and size could show."""
        if not place.firm or place.rows is None:
            return False
        columns = self._columns(quantity, place)
        return len(place.rows) * len(columns) == 1 or (
            quantity.digits > 1 and self._room(quantity, place) == 1
        )

    def _columns(self, quantity: Quantity, place: Place) -> frozenset[int]:
        if place.columns is not None:
            return place.columns
        return self.pointer.fitting(quantity, self.sheet.numeric)

    def _room(self, quantity: Quantity, place: Place) -> int:
        """Return how many cells the words of a number leave open; of few rows, those of about its size."""
        columns = self._columns(quantity, place)
        if place.rows is None or len(place.rows) > MANY_ROWS:
            return max(1, len(columns) * (self.sheet.height if place.rows is None else len(place.rows)))
        least = min(Decimal(10) ** reading.value.adjusted() for reading in quantity.readings)
        most = max(Decimal(10) ** (reading.value.adjusted() + 1) for reading in quantity.readings)
        values = (self.sheet.number(row, column) for row in place.rows for column in columns)
        sized = quantity.measure in ("plain", "currency", "clock")
        return max(
            1, sum(v is not None and (not sized or least * LESS <= abs(v) <= most * MORE) for v in values)
        )


def _chance(quantity: Quantity, cells: int) -> float:
    """Return the share of random numbers of this shape that one of so many cells would ground."""
    if quantity.hedge or quantity.loose:
        return min(1.0, cells * 0.05)
    return float(min(1.0, cells / (9 * 10 ** (quantity.digits - 1))))
