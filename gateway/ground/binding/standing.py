"""Whether a cell that a number shows is bound to it well enough by words, and no chance match."""

from decimal import Decimal

from gateway.ground.lexing.lexicon import HIGHS, LOWS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.bound import Binding, chance_of
from gateway.ground.pointing.places import Place, Pointer
from gateway.ground.pointing.whole import Whole
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.referred import outside_brackets
from gateway.ground.table.sheet import CellAt, Sheet

FEW_ROWS, MANY_ROWS = 2, 50
LESS, MORE = Decimal("0.9"), Decimal("1.1")


class Standing:
    """Tells whether matches may stand, for one text over one sheet."""

    def __init__(self, sheet: Sheet, text: str, pointer: Pointer, whole: Whole, line: float) -> None:
        """Stand on a sheet and a text. Above the chance `line` a number must be bound by row and column."""
        self.sheet = sheet
        self.text = text
        self.pointer = pointer
        self.whole = whole
        self.line = line

    def chance(self, quantity: Quantity, place: Place) -> float:
        """Return the share of numbers of a shape that a cell would ground where the words point."""
        return chance_of(quantity, self._room(quantity, place))

    def may_stand(self, binding: Binding, cell: CellAt, sentence: Sentence, told: frozenset[int]) -> bool:
        """Tell whether a cell is bound well enough; `told` are the columns of the sentence before."""
        quantity, place = binding.quantity, binding.place
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
        if _is_elided(outside_brackets(self.text, sentence), place, cell, told):
            return True
        if place.firm and place.columns is None and {cell[1]} == self.pointer.totals:
            return True  # of one row, its total is meant where no column is named
        if place.rows is None and place.named and cell[0] in self.sheet.totals:
            return True  # of one thing's record, its totals are meant where no row is named
        if place.rows is None and place.named and cell in self.sheet.run_ends:
            return True  # of a line told stop by stop, its whole length
        named = place.rows is not None or place.named
        enough = quantity.digits >= 4 or (named and quantity.digits >= 3) or place.firm
        return (enough and binding.chance <= self.line) or self._is_extreme(cell, sentence)

    def uncounted(self, quantity: Quantity, place: Place) -> frozenset[int]:
        """Return the columns of whole numbers, which no number with decimals is of where none is named."""
        if place.named:
            return frozenset()
        broken = all(reading.step < 1 and not reading.scaled for reading in quantity.readings)
        return self.sheet.counts if broken else frozenset()

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

    def _columns(self, quantity: Quantity, place: Place) -> frozenset[int]:
        uncounted = self.uncounted(quantity, place)
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


def _is_elided(sentence: Sentence, place: Place, cell: CellAt, told: frozenset[int]) -> bool:
    """Tell whether a sentence gives one row one figure of what the sentence before told of another."""
    alone = len(sentence.quantities) == 1 and not any(m.full for m in sentence.columns)
    rows = place.rows if place.firm and not place.named else None
    return alone and rows is not None and len(rows) == 1 and cell[1] in told
