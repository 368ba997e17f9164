"""Numbers that say how something moved: of an earlier period, by how much, or between two periods."""

import re
from itertools import pairwise

from gateway.ground.lexing.cues import PAUSE
from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.lexicon import EARLIER_SAID
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.places import Place, Pointer
from gateway.ground.pointing.whole import Whole
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sourcing.sources import Sources
from gateway.ground.table.sheet import Sheet

# "By 412 votes to 378": two figures, and by no change.
VOTES_TO = re.compile(r"\s[a-z]+\sto\s\d")
# Words that no level follows; "gained 23 points" may be 23 points won.
BY_HOW_MUCH = re.compile(r"up|down|fell|fall|dropp|declin|decreas|rose|rise|increas|lost|los", re.IGNORECASE)


class Changes:
    """Reads which columns and rows the words of change around numbers mean, for one text over one sheet."""

    def __init__(self, sheet: Sheet, text: str, pointer: Pointer, sources: Sources, whole: Whole) -> None:
        """Stand on a sheet, a text and what reads its clauses."""
        self.sheet = sheet
        self.text = text
        self.pointer = pointer
        self.sources = sources
        self.whole = whole

    def earlier(
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

    def levels(self, quantity: Quantity, direction: Direction, place: Place, sentence: Sentence) -> Place:
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

    def later(self, quantity: Quantity, direction: Direction, place: Place) -> Place:
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

    def _moves(self, direction: Direction, quantity: Quantity) -> bool:
        """Tell whether a number is by how much something moved."""
        led = self.text[max(0, quantity.start - 6) : quantity.start].endswith("from ")
        return bool(direction.sign) and not led and self._is_change(quantity, direction)

    def _is_by(self, direction: Direction) -> bool:
        """Tell whether a word says nothing but by how much: "down two seats" is no number of seats."""
        return BY_HOW_MUCH.match(direction.word) is not None

    def _is_change(self, quantity: Quantity, direction: Direction) -> bool:
        """Tell whether a word of direction says by how much ("gained four"), not to what ("rose to 30")."""
        if direction.delta and direction.start >= quantity.end:
            return True
        led = 0 <= direction.start < quantity.start
        return led and " to " not in self.text[direction.start : quantity.start]
