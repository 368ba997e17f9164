"""Each number of a sentence bound to the row and column its words name, or the reason why it cannot be."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from gateway.ground.binding import Binding, chance_of
from gateway.ground.clauses import Sentence, neighbours
from gateway.ground.compounds import compounds, stands_in
from gateway.ground.derive import Derived
from gateway.ground.direction import Direction
from gateway.ground.elimination import Elimination
from gateway.ground.figure_keys import FigureKeys
from gateway.ground.gaps import with_gap
from gateway.ground.glosses import of_same_period, with_row_before
from gateway.ground.group_totals import GroupTotals
from gateway.ground.header_groups import HeaderGroups
from gateway.ground.lexicon import EARLIER_SAID, HIGHS, LOWS
from gateway.ground.majority import Majority
from gateway.ground.names import Names
from gateway.ground.owned import is_anothers
from gateway.ground.parts_told import in_whole, whole_column
from gateway.ground.peaks import is_no_peak
from gateway.ground.phrases import NOBODY
from gateway.ground.places import Place, Pointer
from gateway.ground.plans import Plans
from gateway.ground.row_pointer import Side
from gateway.ground.second_look import SecondLook
from gateway.ground.sheet import CellAt
from gateway.ground.shifts import Shifts
from gateway.ground.sources import Sources
from gateway.ground.spoken import Spoken
from gateway.ground.together import Together
from gateway.ground.tokens import Quantity, Slot
from gateway.ground.told_apart import told_apart
from gateway.ground.voters import of_voters
from gateway.ground.whole import Whole

SIDES: tuple[Side, ...] = ("before", "after")
PAUSE = re.compile(r"[,;:!?\n()]|\.(?:\s|\Z)")
OVER_SEVERAL = re.compile(r"\s*(?:the\s)?(?:average|mean|total|sum|combined)\b", re.IGNORECASE)
# "By 412 votes to 378": two figures, and by no change.
VOTES_TO = re.compile(r"\s[a-z]+\sto\s\d")
FEW_ROWS, MANY_ROWS = 2, 50
# Words that no level follows; "gained 23 points" may be 23 points won.
BY_HOW_MUCH = re.compile(r"up|down|fell|fall|dropp|declin|decreas|rose|rise|increas|lost|los", re.IGNORECASE)
LESS, MORE = Decimal("0.9"), Decimal("1.1")


class Binder:
    """Binds the numbers of sentences to the sheet of some names."""

    def __init__(
        self,
        names: Names,
        spoken: Spoken,
        derived: Sequence[Derived],
        headers: Mapping[int, frozenset[int]],
        line: float,
        whole: Whole,
    ) -> None:
        """Stand on names and a text. Above the chance `line` a number must be bound by row and column."""
        self.sheet = names.sheet
        self.text = text = spoken.text
        self.line = line
        self.dated = names.dated
        self.whole = whole
        self._told: frozenset[int] = frozenset()
        self.shifts = Shifts(names, text)
        self.whole_column = whole_column(self.sheet)
        self.pointer = Pointer(self.sheet, text, headers)
        self.sources = Sources(names, spoken, derived, whole.stale, known=whole.known)
        self.plans = Plans(self.sheet, text)
        self.compounds = compounds(text, self.sheet)
        self.figure_keys = FigureKeys(self.sheet, text)
        self.merged = HeaderGroups(self.sheet, text)
        self.second_look = SecondLook(self.sheet, text, self.sources, self.merged)
        self.group_totals = GroupTotals(self.sheet, text)
        self.majority = Majority(self.sheet, text, self.pointer.fitting)
        self.together = Together(self.sheet, text, self.sources, line)
        self.elimination = Elimination(self.sheet, text, self.sources, whole, names.dated, line)

    def bind(self, sentence: Sentence, previous: Sentence | None) -> tuple[Binding, ...]:
        """Bind all numbers of a sentence with one reading: by names before them, or by names after."""
        best: tuple[Binding, ...] = ()
        failures = len(sentence.quantities) + 1
        for side in SIDES:
            bound: list[Binding] = []
            for quantity in sentence.quantities:
                place = self.pointer.point(quantity, sentence, side, previous)
                place = self.figure_keys.placed(quantity, sentence, place)
                last = bound[-1] if bound else None
                place = with_row_before(self.text, quantity, sentence, place, last)
                place = of_voters(self.text, self.sheet, quantity, place)
                place = told_apart(self.text, self.sheet, quantity, sentence, place, last)
                place = with_gap(self.text, self.sheet, quantity, sentence, place)
                place = of_same_period(self.text, quantity, place, last, self.dated, self.pointer.fitting)
                bound.append(self._bind(quantity, sentence, in_whole(place, self.whole_column)))
            bindings = self.together.settle(bound, sentence)
            if len(bindings) > 1 or not all(binding.grounded for binding in bindings):
                bindings = self.together.in_order(self.elimination.settle(bindings, sentence))
            bindings = self.second_look.of(self.merged.of_one(bindings), sentence)
            failed = sum(not binding.grounded for binding in bindings)
            if failed < failures:
                best, failures = bindings, failed
            if not failed or len({mention.start for mention in sentence.rows}) < 2:
                break
        self._told = frozenset(b.cell[1] for b in best if b.cell is not None)
        return best

    def _bind(self, quantity: Quantity, sentence: Sentence, place: Place) -> Binding:
        """Look for the cell first, then a declaration, and the small implicit set."""
        direction = self.sources.direction(quantity, sentence)
        margin = self.majority.placed(quantity, sentence, place)
        direction = direction if margin is None else Direction(0)
        place = self.merged.narrowed(quantity, sentence, self.majority.of_winner(quantity, sentence, place))
        place = (
            margin
            or self._earlier(quantity, direction, place, sentence)
            or self.shifts.shifted(quantity, sentence, place)
            or self.sources.endings.end_told(quantity, sentence, place)
            or self._levels(quantity, direction, place, sentence)
        )
        place = self._later(quantity, direction, place)
        fit = self.pointer.fitting(quantity, self.plans.variances) if self.plans.told else frozenset()
        planned = self.plans.read(quantity, place, direction, fit, neighbours(quantity, sentence)[0])
        place, direction = planned or (place, direction)
        stale = self.whole.stale.of(sentence)
        if stale and place.columns is not None and place.columns - stale:
            place = place._replace(columns=place.columns - stale)
        left, place = place, self.group_totals.summed(quantity, sentence, place)
        nothing = Binding(quantity, place, direction)
        if quantity.slot is not None:
            return self._printed(nothing, quantity.slot, sentence)
        if planned is None:
            return nothing._replace(elsewhere=tuple(self.sources.cells(quantity, direction)[:20]))
        cells = self.sources.cells(quantity, direction)
        if quantity.start in self.compounds:
            said = self.compounds[quantity.start]
            cells = [c for c in cells if stands_in(said, self.sheet.table.rows[c[0]][c[1]])]
        held, here = self._here(cells, quantity, sentence, place, direction)
        if here:
            whole = self.sheet.totals if place.rows is None and place.named else NOBODY
            cell = min((c[1] in self.sheet.keys, c[0] not in whole, c) for c in here)[-1]
            chance = chance_of(quantity, self._room(quantity, place))
            if self._may_stand(quantity, sentence, place, cell, chance):
                value = self.sheet.number(*cell)
                return Binding(quantity, place, direction, cell=cell, value=value, chance=chance)
        found = self.sources.derivation(quantity, sentence, left, direction)
        if found is not None and not self.majority.denies(found, quantity, sentence):
            return nothing._replace(derived=found, value=found.value, chance=chance_of(quantity, 1))
        implicit = self.sources.implicit(quantity, sentence, left)
        # an extreme said beside the number was kept as its cell: one said elsewhere ("led by X") is no source
        denied = bool(held) and not here
        if implicit is not None and not (denied and implicit[0].startswith(("max(", "min("))):
            return nothing._replace(implicit=implicit[0], value=implicit[1], chance=chance_of(quantity, 1))
        return nothing._replace(elsewhere=tuple(cells[:20]), unbound=bool(here))

    def _here(
        self,
        cells: Sequence[CellAt],
        quantity: Quantity,
        sentence: Sentence,
        place: Place,
        direction: Direction,
    ) -> tuple[list[CellAt], list[CellAt]]:
        """Return the cells where the words of a number point, and those of them that it may be."""
        held = [
            c
            for c in cells
            if place.holds(c)
            and not self.sources.nouns.means_else(quantity, c[1], direction, place)
            and not self.sources.nouns.is_other_figure(quantity, c)
            and not self._is_anothers(quantity, c, sentence)
            and not is_no_peak(self.text, self.sheet, quantity, c, place)
        ]
        here = self.whole.kept(held, quantity, sentence, place) if held else []
        strange = bool(held) and self.sources.nouns.is_strange(quantity, sentence)
        if strange or (here and self._is_over_columns(quantity, sentence, place)):
            here = []
        counts = self._uncounted(quantity, place) if here else NOBODY
        here = [c for c in here if c[1] not in counts or self.sheet.measured[c[1]].carrier != "number"]
        return held, here

    def _is_anothers(self, quantity: Quantity, cell: CellAt, sentence: Sentence) -> bool:
        """Tell whether a text cell holds a number as the figure of a name that a sentence leaves out."""
        if cell[1] in self.sheet.figured:
            return False
        held = self.sheet.table.rows[cell[0]][cell[1]]
        others = any(m.column == cell[1] and cell[0] not in m.rows for m in sentence.rows)
        return is_anothers(quantity, held, self.text[sentence.start : sentence.end], alone=others)

    def _printed(self, nothing: Binding, slot: Slot, sentence: Sentence) -> Binding:
        """Bind a printed slot to what it shows, unless the words of its clause name something else."""
        quantity, place, direction = nothing.quantity, nothing.place, nothing.direction
        if slot.cell is not None:
            stands = slot.named or self.whole.kept([slot.cell], quantity, sentence, place)
            if stands and self.sources.may_print(quantity, slot.cell, sentence, place, direction):
                return nothing._replace(cell=slot.cell, value=self.sheet.number(*slot.cell))
            return nothing._replace(elsewhere=(slot.cell,))
        shown = self.sources.printed(slot.derivation, quantity, sentence, place, direction)
        return nothing._replace(derived=shown, value=shown.value) if shown else nothing

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
        return place._replace(columns=fit) if fit else None

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

    def _levels(self, quantity: Quantity, direction: Direction, place: Place, sentence: Sentence) -> Place:
        """A change also means a column of changes; a number with no direction and no column does not."""
        changes = self.sources.told_changes
        if direction.sign and changes and self._is_change(quantity, direction):
            fit = self.pointer.fitting(quantity, changes)
            if place.named and place.columns is not None:
                return place._replace(columns=fit if self._is_by(direction) and fit else place.columns | fit)
            if fit:
                return place._replace(columns=fit, named=len(fit) == 1)
        if (
            changes
            and not direction.sign
            and self.text[max(0, quantity.start - 4) : quantity.start] == " by "
            and not VOTES_TO.match(self.text, quantity.end)
        ):
            by = self.pointer.fitting(quantity, changes)
            if by:
                return place._replace(columns=by, named=len(by) == 1)
        if place.columns is not None:
            return place
        spare = self.sources.others(sentence)
        if not (direction.sign or direction.either):
            spare |= changes
        if not spare:
            return place
        levels = self.pointer.fitting(quantity, self.sheet.numeric) - spare
        return place._replace(columns=levels | frozenset(self.sheet.keys)) if levels else place

    def _later(self, quantity: Quantity, direction: Direction, place: Place) -> Place:
        """Of two neighbouring periods a change between them stands in the row of the later one."""
        changes = self.sources.told_changes
        if not direction.sign or not changes or len(place.rows or ()) != 2:
            return place
        named = place.columns if place.named and place.columns is not None else self.sheet.figured
        columns = self.pointer.fitting(quantity, named) & changes
        for windows in self.whole.windows.values() if columns else ():
            ordered = sorted(windows, key=lambda row: windows[row])
            for first, last in pairwise(ordered):
                if frozenset((first, last)) == place.rows and windows[first] != windows[last]:
                    return Place(frozenset((last,)), columns, firm=True, named=len(columns) == 1)
        return place

    def _is_by(self, direction: Direction) -> bool:
        """Tell whether a word says nothing but by how much: "down two seats" is no number of seats."""
        return BY_HOW_MUCH.match(direction.word) is not None

    def _is_change(self, quantity: Quantity, direction: Direction) -> bool:
        """Tell whether a word of direction says by how much ("gained four"), not to what ("rose to 30")."""
        if direction.delta and direction.start >= quantity.end:
            return True
        led = 0 <= direction.start < quantity.start
        return led and " to " not in self.text[direction.start : quantity.start]

    def _may_stand(
        self, quantity: Quantity, sentence: Sentence, place: Place, cell: CellAt, chance: float
    ) -> bool:
        """Tell whether a match is bound well enough not to be chance."""
        if self.sheet.height == 1:
            return True
        undated = not self.whole.known
        if (
            undated
            and len(place.rows or ()) > FEW_ROWS
            and not self._is_end(place.rows or NOBODY, cell, sentence)
        ):
            return False  # one of many, and no word says which
        if self._is_only_a_part(place, cell) and not self._is_extreme(cell, sentence):
            return False  # nobody is named, and the total of all is another figure
        if quantity.hedge not in ("", "about") and place.rows is None:
            return self._is_extreme(cell, sentence) or self._is_reach(quantity, place, cell)
        if (place.rows is not None and place.named) or self._is_alone(quantity, place):
            return True
        if self._is_elided(sentence, place, cell):
            return True
        if place.firm and place.columns is None and {cell[1]} == self.pointer.totals:
            return True  # of one row, its total is meant where no column is named
        if place.rows is None and place.named and cell[0] in self.sheet.totals:
            return True  # of one thing's record, its totals are meant where no row is named
        if place.rows is None and place.named and cell in self.sheet.run_ends:
            return True  # of a line told stop by stop, its whole length
        named = place.rows is not None or place.named
        enough = quantity.digits >= 4 or (named and quantity.digits >= 3) or place.firm
        return (enough and chance <= self.line) or self._is_extreme(cell, sentence)

    def _is_only_a_part(self, place: Place, cell: CellAt) -> bool:
        """Tell whether no row is named for a cell whose column has a total of all rows."""
        if place.rows is not None or not place.named or cell[0] in self.sheet.totals or self.whole.known:
            return False
        return any(self.sheet.number(row, cell[1]) is not None for row in self.sheet.wholes)

    def _is_end(self, rows: frozenset[int], cell: CellAt, sentence: Sentence) -> bool:
        """Tell whether a cell is what stands for many rows: the highest, a total, the lowest if so said."""
        values = {v for row, v in self.sheet.column_values(cell[1]) if row in rows - self.sheet.totals}
        own = self.sheet.number(*cell)
        if cell[0] in self.sheet.totals or own is None or not values or own == max(values):
            return True
        low = LOWS.search(self.text, sentence.start, sentence.end) is not None
        return own == min(values) and low

    def _is_elided(self, sentence: Sentence, place: Place, cell: CellAt) -> bool:
        """Tell whether a sentence gives one row one figure of what the sentence before told of another."""
        alone = len(sentence.quantities) == 1 and not any(m.full for m in sentence.columns)
        rows = place.rows if place.firm and not place.named else None
        return alone and rows is not None and len(rows) == 1 and cell[1] in self._told

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

    def _is_reach(self, quantity: Quantity, place: Place, cell: CellAt) -> bool:
        """Tell whether a number is how far the one column named for it goes ("depths of up to 7 m")."""
        figures = [value for row, value in self.sheet.column_values(cell[1]) if row not in self.sheet.totals]
        if not place.named or len(place.columns or ()) != 1 or not figures or self.sheet.table.truncated:
            return False
        own = self.sheet.number(*cell)
        ends = {"at_most": max(figures), "at_least": min(figures)}
        return own == ends.get(quantity.hedge) and any(reading.value == own for reading in quantity.readings)

    def _is_alone(self, quantity: Quantity, place: Place) -> bool:
        """Tell whether firm rows leave one cell that a number of its unit and size could show."""
        if not place.firm or place.rows is None:
            return False
        columns = self._columns(quantity, place)
        return len(place.rows) * len(columns) == 1 or (
            quantity.digits > 1 and self._room(quantity, place) == 1
        )

    def _uncounted(self, quantity: Quantity, place: Place) -> frozenset[int]:
        """Return the columns of whole numbers, which no number with decimals is of where none is named."""
        if place.named:
            return frozenset()
        broken = all(reading.step < 1 and not reading.scaled for reading in quantity.readings)
        return self.sheet.counts if broken else frozenset()

    def _columns(self, quantity: Quantity, place: Place) -> frozenset[int]:
        uncounted = self._uncounted(quantity, place)
        if place.columns is not None:
            return place.columns - uncounted
        return self.pointer.fitting(quantity, self.sheet.numeric) - uncounted

    def _room(self, quantity: Quantity, place: Place) -> int:
        """Return how many cells the words of a number leave open; of few rows, those of about its size."""
        columns = self._columns(quantity, place)
        if place.rows is None or len(place.rows) > MANY_ROWS:
            return max(1, len(columns) * (self.sheet.height if place.rows is None else len(place.rows)))
        if len(place.rows) == len(columns) == 1:
            return 1
        least = min(Decimal(10) ** reading.value.adjusted() for reading in quantity.readings)
        most = max(Decimal(10) ** (reading.value.adjusted() + 1) for reading in quantity.readings)
        values = (self.sheet.number(row, column) for row in place.rows for column in columns)
        sized = quantity.measure in ("plain", "currency", "clock", "multiple")
        return max(
            1, sum(v is not None and (not sized or least * LESS <= abs(v) <= most * MORE) for v in values)
        )
