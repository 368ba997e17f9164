"""What a number could come from: a cell, a derivation, a parameter, a count, a whole column."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from gateway.ground.clauses import Sentence
from gateway.ground.derive import Derived
from gateway.ground.direction import Direction, direction_of
from gateway.ground.fit import shows, unit_word_fits, value_fits
from gateway.ground.hedges import bound_of
from gateway.ground.lexicon import CHANGE_LABEL, HIGHS, LOWS, MEANS, OTHER_LABEL, TOTALS, words
from gateway.ground.match import intervals
from gateway.ground.named import Naming
from gateway.ground.places import Place, neighbours, position
from gateway.ground.sheet import CellAt, Sheet, as_text
from gateway.ground.stems import split_words
from gateway.ground.tokens import Quantity
from gateway.ground.units import factor
from metric_layer.period_words import PLURAL

OBJECT = re.compile(r"\b(?:than|above|below|of|behind)\s(?:in\s|the\s|that\sof\s)?\Z")
PAUSE = re.compile(r"[,;:!?\n]|\.(?:\s|\Z)")
NEXT_WORD = re.compile(r"\s([a-z]+)\b")
ROW_NOUNS = words("row rows result results entry entries record records line lines item items")
MONEY_WORDS = words(
    "dollars euros pounds francs rupees across thousands millions billions sales earnings revenues "
    "versus perhaps always"
)


class Sources:
    """The sources of one sheet and its declarations, asked for one number at a time."""

    def __init__(self, sheet: Sheet, text: str, derived: Sequence[Derived], periods: frozenset[int]) -> None:
        """Stand on a sheet, a text and computed derivations. `periods` are the columns that are periods."""
        self.sheet = sheet
        self.text = text
        self.derived = derived
        self.naming = Naming(sheet, text, periods)
        self.row_nouns = self._row_nouns()
        self.told_changes = frozenset(c for c in sheet.figured if CHANGE_LABEL.search(sheet.label(c)))
        self.others = frozenset(
            c for c in sheet.figured if sheet.columns[c].compared or OTHER_LABEL.search(sheet.label(c))
        )
        self.change_columns = self.told_changes | {
            c for c in sheet.numeric if min(sheet.figures(c), default=0) < 0
        }

    def direction(self, quantity: Quantity, sentence: Sentence) -> Direction:
        """Return the sign that the words around a number give it."""
        before, after = neighbours(quantity, sentence)
        direction = direction_of(quantity, self.text, before, after)
        worded = direction.start >= 0
        overlaps = worded and any(m.start <= direction.start < m.end for m in sentence.columns)
        if overlaps or (direction.word and not direction.firm and quantity.measure == "multiple"):
            return Direction(0)
        place = position(quantity, sentence)
        if quantity.bracketed and place and not direction.sign and not direction.either:
            return self.direction(sentence.quantities[place - 1], sentence)
        return direction

    def cells(self, quantity: Quantity, direction: Direction) -> list[CellAt]:
        """Return every cell of any row and column whose value the number could show."""
        found: list[CellAt] = []
        spans = tuple(intervals(quantity))
        for shelf in self.sheet.shelves:
            by = factor(quantity.measure, quantity.currencies, shelf.measured)
            if by is None or not unit_word_fits(quantity, shelf.measured):
                continue
            for interval in spans:
                scaled = interval if by == 1 else interval.shrunk(by)
                found += [c for c in shelf.within(scaled) if self._sign_fits(c, direction, 1)]
                if direction.sign < 0 or direction.either:
                    found += [c for c in shelf.within(scaled.negated()) if self._sign_fits(c, direction, -1)]
        return found

    def _sign_fits(self, cell: CellAt, direction: Direction, sign: int) -> bool:
        if direction.either or direction.sign in (0, sign):
            return True
        if direction.word in ("sign", "brackets"):
            return not self.sheet.number(*cell)
        return not direction.firm and cell[1] not in self.change_columns

    def means_else(self, quantity: Quantity, column: int, direction: Direction, place: Place) -> bool:
        """Tell whether a number speaks of rows, changes or things, and so is no level of a column."""
        if direction.delta and column not in self.change_columns:
            return True
        if quantity.measure != "plain" or column in self.sheet.keys:
            return False
        own = set(split_words(self.sheet.label(column)))
        joined = self.text[quantity.end : quantity.end + 1] == "-"
        nouns = split_words(PAUSE.split(self.text[quantity.end : quantity.end + 30])[0])[: 1 if joined else 2]
        one_row = place.rows is not None and len(place.rows) == 1
        if (
            nouns
            and not one_row
            and nouns[0] not in own
            and any(noun in self.row_nouns - own for noun in nouns)
        ):
            return True
        return self.sheet.measured[column].carrier == "currency" and self._counts_things(quantity, own)

    def _counts_things(self, quantity: Quantity, own: set[str]) -> bool:
        """Tell whether a bare number counts things ("2,948,150 orders") that an amount of money cannot be."""
        found = NEXT_WORD.match(self.text[quantity.end : quantity.end + 24])
        word = found.group(1) if found else ""
        plural = PLURAL.fullmatch(word) is not None and word not in MONEY_WORDS
        return plural and not own.intersection(split_words(word))

    def derivation(
        self, quantity: Quantity, sentence: Sentence, place: Place, direction: Direction
    ) -> Derived | None:
        """Return the declared derivation that the number shows and whose cells its words name."""
        for derived in self.derived:
            seen = self._turned(direction, derived, quantity, sentence)
            if not shows(quantity, derived, seen):
                continue
            if self.naming.is_named(derived, quantity, sentence, place, seen):
                return derived
        return None

    def may_print(
        self, quantity: Quantity, cell: CellAt, sentence: Sentence, place: Place, direction: Direction
    ) -> bool:
        """Tell whether a printed cell lies where its clause points, with the sign that its words give it."""
        value = (self.sheet.number(*cell) or Decimal(0)) if quantity.readings[0].value else Decimal(0)
        signed = (
            self._sign_fits(cell, direction, 1)
            if value >= 0
            else (direction.sign < 0 or direction.either) and self._sign_fits(cell, direction, -1)
        )
        levels = self.naming.levels(quantity, sentence)
        here = not levels or any(cell[1] in columns for columns in levels)
        if quantity.slot is not None and quantity.slot.named:
            place = replace(place, rows=None)
        return (
            here and signed and place.holds(cell) and not self.means_else(quantity, cell[1], direction, place)
        )

    def printed(
        self, id_: str, quantity: Quantity, sentence: Sentence, place: Place, direction: Direction
    ) -> Derived | None:
        """Return the derivation that a slot prints, if the words of its clause name its cells."""
        derived = next(derived for derived in self.derived if derived.id == id_)
        seen = self._turned(direction, derived, quantity, sentence)
        turned = derived.change and not seen.either and bool(quantity.readings[0].value)
        if turned and (seen.sign < 0) != (derived.value < 0):
            return None
        named = self.naming.is_named(derived, quantity, sentence, place, seen)
        return derived if named else None

    def _turned(
        self, direction: Direction, derived: Derived, quantity: Quantity, sentence: Sentence
    ) -> Direction:
        """Turn the sign of "N less than X" where the declared difference was counted from X."""
        if derived.lead is None or not direction.sign or direction.start < quantity.end:
            return direction
        for mention in (*sentence.rows, *sentence.columns):
            gap = self.text[quantity.end : mention.start]
            if mention.start < quantity.end or len(gap) > 40 or not OBJECT.search(gap):
                continue
            row, column = derived.lead
            leads = row in mention.rows or column in mention.columns
            apart = (
                not derived.rows <= mention.rows
                if mention.names_rows
                else not derived.columns <= mention.columns
            )
            return replace(direction, sign=-direction.sign) if leads and apart else direction
        return direction

    def parameter(
        self, quantity: Quantity, place: Place, cited: Sequence[Derived]
    ) -> tuple[str, Decimal] | None:
        """Return the parameter that the number repeats ("more than 10%") of a condition used beside it.

        The words must make the comparison of the condition, and rows they name must have passed it.
        """
        test = bound_of(self.text, quantity.start, quantity.end)
        bare = replace(quantity, hedge="")
        for derived in cited if test is not None else ():
            if place.firm and place.rows is not None and not place.rows <= derived.rows:
                continue
            for parameter in derived.parameters:
                here = not place.named or place.columns is None or parameter.column in place.columns
                fits = value_fits(bare, parameter.value, parameter.measured, Direction(0))
                if here and parameter.test is test and fits:
                    return f"parameter of {derived.id}", parameter.value
        return None

    def implicit(self, quantity: Quantity, sentence: Sentence, place: Place) -> tuple[str, Decimal] | None:
        """Return the row count or a whole-column figure, where the clause names what is counted or added."""
        if self.sheet.table.truncated:
            return None
        counted = self._counted(quantity)
        if counted is not None or place.firm or self.sheet.height < 2:
            return counted
        columns = place.columns if place.columns is not None else self._taking(quantity)
        if len(columns) != 1:
            return None
        column = next(iter(columns))
        for name, value in self._aggregates(column, self.text[sentence.start : sentence.end]):
            if value_fits(quantity, value, self.sheet.measured[column], Direction(0)):
                return name, value
        return None

    def _taking(self, quantity: Quantity) -> frozenset[int]:
        measured = self.sheet.measured
        return frozenset(
            c
            for c in self.sheet.numeric
            if factor(quantity.measure, quantity.currencies, measured[c]) is not None
        )

    def _counted(self, quantity: Quantity) -> tuple[str, Decimal] | None:
        if quantity.measure != "plain" or quantity.readings[0].step != 1:
            return None
        nouns = split_words(self.text[quantity.end : quantity.end + 40])[:3]
        value = quantity.readings[0].value
        for key in self.sheet.keys:
            label = split_words(self.sheet.label(key))
            if label and label[-1] in nouns and value == self.sheet.distinct(key):
                return f"count_distinct({self.sheet.columns[key].name})", value
        if ROW_NOUNS.intersection(nouns) and value == self.sheet.height:
            return "count_rows(all)", value
        return None

    def _aggregates(self, column: int, said: str) -> Iterator[tuple[str, Decimal]]:
        figures = self.sheet.figures(column)
        name = self.sheet.columns[column].name
        if not figures:
            return
        if TOTALS.search(said) and self.sheet.adds_up(column):
            yield f"sum({name})", sum(figures, Decimal(0))
        if MEANS.search(said):
            yield f"mean({name})", sum(figures, Decimal(0)) / len(figures)
        if HIGHS.search(said):
            yield f"max({name})", max(figures)
        if LOWS.search(said):
            yield f"min({name})", min(figures)

    def _row_nouns(self) -> frozenset[str]:
        """Return the words that key columns go by, save those whose values start with figures."""
        first = self.sheet.table.rows[0]
        named = [k for k in self.sheet.keys if not any(c.isdigit() for c in as_text(first[k])[:3])]
        labels = [split_words(self.sheet.label(key)) for key in named]
        return frozenset(label[-1] for label in labels if label)
