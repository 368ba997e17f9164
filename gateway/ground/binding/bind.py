"""Each number of a sentence bound to the row and column its words name, or the reason why it cannot be."""

import re
from collections.abc import Mapping, Sequence

from gateway.ground.binding.changes import Changes
from gateway.ground.binding.elimination import Elimination
from gateway.ground.binding.second_look import SecondLook
from gateway.ground.binding.standing import Standing
from gateway.ground.binding.together import Together
from gateway.ground.compared.majority import Majority
from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.direction import NO_DIRECTION, Direction
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity, Slot
from gateway.ground.naming.names import Names
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.bound import Binding, chance_of
from gateway.ground.pointing.places import Place, Pointer
from gateway.ground.pointing.row_pointer import Side
from gateway.ground.pointing.whole import Whole
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sentence.owned import is_anothers
from gateway.ground.shapes.figure_keys import FigureKeys
from gateway.ground.shapes.group_totals import GroupTotals
from gateway.ground.shapes.header_groups import HeaderGroups
from gateway.ground.shapes.parts_told import in_whole, whole_column
from gateway.ground.shapes.voters import of_voters
from gateway.ground.sourcing.plans import Plans
from gateway.ground.sourcing.sources import Sources
from gateway.ground.table.compounds import compounds, stands_in
from gateway.ground.table.sheet import CellAt
from gateway.ground.turns.glosses import in_same_cell, of_same_period, with_row_before
from gateway.ground.turns.peaks import PEAKS, is_no_peak
from gateway.ground.turns.scores_told import ScoresTold
from gateway.ground.turns.shifts import Shifts
from gateway.ground.turns.told_apart import told_apart

SIDES: tuple[Side, ...] = ("before", "after")
# "The four departments".
THESE = re.compile(r"\b(?:the|all|these|our)\s\Z", re.IGNORECASE)
THESE_SAID = frozenset(("the", "all", "these", "our"))
OVER_SEVERAL = re.compile(r"\s*(?:the\s)?(?:average|mean|total|sum|combined)\b", re.IGNORECASE)


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
        self.dated = names.dated
        self.whole = whole
        self._columns_told: frozenset[int] = frozenset()
        self.shifts = Shifts(names, text)
        self.scores_told = ScoresTold(self.sheet, text)
        self._peaks, self._these = spoken.says(PEAKS), spoken.says(THESE_SAID)
        self.whole_column = whole_column(self.sheet)
        self.pointer = Pointer(self.sheet, spoken, headers, names.row_windows)
        self.sources = Sources(names, spoken, derived, whole.stale, known=whole.known)
        self.changes = Changes(self.sheet, text, self.pointer, self.sources, whole)
        self.standing = Standing(self.sheet, text, self.pointer, whole, line)
        self.plans = Plans(self.sheet, text, self.pointer.fitting)
        self.compounds = compounds(spoken, self.sheet)
        self.figure_keys = FigureKeys(self.sheet, text)
        self.merged = HeaderGroups(self.sheet, spoken)
        self.second_look = SecondLook(self.sheet, text, self.sources, self.merged)
        self.group_totals = GroupTotals(self.sheet, text)
        self.majority = Majority(self.sheet, spoken, self.pointer.fitting)
        self.together = Together(self.sheet, spoken, self.sources, line)
        self.elimination = Elimination(self.sheet, text, self.sources, whole, names.dated, line)

    def bind(self, sentence: Sentence, previous: Sentence | None) -> tuple[Binding, ...]:
        """Bind all numbers of a sentence; one that only counts its rows parts no other from its names."""
        counts = [q for q in sentence.quantities if self._counts_all(q)] if self._these else []
        if not counts or len(counts) == len(sentence.quantities):
            return self._bind_all(sentence, previous)
        rest = sentence._replace(quantities=tuple(q for q in sentence.quantities if q not in counts))
        own = [b for b in self._bind_all(sentence, previous) if b.quantity in counts]
        told = self._bind_all(rest, previous)
        return tuple(sorted((*told, *own), key=lambda b: b.quantity.start))

    def _counts_all(self, quantity: Quantity) -> bool:
        """Tell whether a number says how many rows there are ("for the four departments")."""
        if quantity.measure != "plain" or quantity.readings[0].value != self.sheet.height:
            return False
        if THESE.search(self.text[max(0, quantity.start - 8) : quantity.start]) is None:
            return False
        noun = split_words(self.text[quantity.end : quantity.end + 32])[:1]
        return bool(noun) and noun[0] in self.sources.nouns.row_nouns

    def _bind_all(self, sentence: Sentence, previous: Sentence | None) -> tuple[Binding, ...]:
        """Bind all numbers of a sentence with one reading: by names before them, or by names after."""
        best: tuple[Binding, ...] = ()
        failures = len(sentence.quantities) + 1
        places: list[Place] = []
        for side in SIDES:
            pointed = [
                self.pointer.point(quantity, sentence, side, previous) for quantity in sentence.quantities
            ]
            if pointed == places:
                break  # from either side the words point to the same
            places = pointed
            bindings = self._read(sentence, places)
            failed = sum(not binding.grounded for binding in bindings)
            if failed < failures:
                best, failures = bindings, failed
            if not failed or len({mention.start for mention in sentence.rows}) < 2:
                break
        self.second_look.followers.last = best
        self._columns_told = frozenset(b.cell[1] for b in best if b.cell is not None)
        return best

    def _read(self, sentence: Sentence, places: Sequence[Place]) -> tuple[Binding, ...]:
        """Return what becomes of the numbers of a sentence whose words point to these places."""
        bound: list[Binding] = []
        for quantity, pointed in zip(sentence.quantities, places, strict=True):
            place = self.figure_keys.placed(quantity, sentence, pointed)
            place = self._told(quantity, sentence, place, bound[-1] if bound else None)
            bound.append(self._bind(quantity, sentence, in_whole(place, self.whole_column)))
        bindings = self.together.settle(bound, sentence)
        if len(bindings) > 1 or not all(binding.grounded for binding in bindings):
            bindings = self.together.in_order(self.elimination.settle(bindings, sentence))
        return self.second_look.of(self.merged.of_one(bindings), sentence)

    def _told(self, quantity: Quantity, sentence: Sentence, place: Place, last: Binding | None) -> Place:
        """Return the place of a number by what it counts, and by what the others of its sentence say."""
        place = self.second_look.denied.placed(quantity, sentence, place)
        if len(sentence.quantities) == 1:
            place = of_voters(self.text, self.sheet, quantity, place)
            return self.sources.gaps.placed(quantity, sentence, place)
        place = with_row_before(self.text, quantity, sentence, place, last)
        place = in_same_cell(self.text, self.sheet, quantity, place, last) if quantity.bracketed else place
        place = of_voters(self.text, self.sheet, quantity, place)
        place = told_apart(self.text, self.sheet, quantity, sentence, place, last)
        place = self.scores_told.placed(quantity, sentence, place)
        place = self.sources.gaps.placed(quantity, sentence, place)
        return of_same_period(self.text, quantity, place, last, self.dated, self.pointer.fitting)

    def _bind(self, quantity: Quantity, sentence: Sentence, place: Place) -> Binding:
        """Look for the cell first, then a declaration, and the small implicit set."""
        direction = self.sources.direction(quantity, sentence)
        margin = self.majority.placed(quantity, sentence, place) if self.majority.may else None
        direction = direction if margin is None else NO_DIRECTION
        place = self.majority.of_winner(quantity, sentence, place) if self.majority.may else place
        place = self.merged.narrowed(quantity, sentence, place)
        place = (
            margin
            or self.changes.earlier(quantity, direction, place, sentence)
            or self.shifts.shifted(quantity, sentence, place)
            or self.sources.endings.end_told(quantity, sentence, place)
            or self.changes.levels(quantity, direction, place, sentence)
        )
        place = self.changes.later(quantity, direction, place)
        planned = self.plans.read(quantity, place, direction, sentence)
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
            cell = min(here, key=lambda c: (c[1] in self.sheet.keys, c[0] not in whole, c))
            chance, value = self.standing.chance(quantity, place), self.sheet.number(*cell)
            bound = Binding(quantity, place, direction, cell=cell, value=value, chance=chance)
            if self.standing.may_stand(bound, cell, sentence, self._columns_told):
                return bound
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
        over = self.whole.summed_up(sentence, place)
        held = [
            c
            for c in cells
            if (place.holds(c) or (c[0] in over and place._replace(rows=None).holds(c)))
            and not self.sources.nouns.means_else(quantity, c[1], direction, place)
            and not self.sources.nouns.is_other_figure(quantity, c)
            and not self._is_anothers(quantity, c, sentence)
            and not (self._peaks and is_no_peak(self.text, self.sheet, quantity, c, place))
        ]
        here = self.whole.kept(held, quantity, sentence, place) if held else []
        strange = bool(held) and self.sources.nouns.is_strange(quantity, sentence)
        if strange or (here and self._is_over_columns(quantity, sentence, place)):
            here = []
        counts = self.standing.uncounted(quantity, place) if here else NOBODY
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

    def _is_over_columns(self, quantity: Quantity, sentence: Sentence, place: Place) -> bool:
        """Tell whether a number is an average or total over several periods ("average for 2017-2019")."""
        if not place.named or len(place.columns or ()) < 2:
            return False
        if neighbours(quantity, sentence)[0] > sentence.start:
            return False
        dated = self.sources.naming.dated
        spans = [m for m in sentence.columns if m.full and len(m.columns & dated) > 1 and m.columns <= dated]
        lead = self.text[sentence.start : quantity.start]
        return bool(spans) and OVER_SEVERAL.match(lead) is not None
