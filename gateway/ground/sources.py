"""What a number could come from: a cell, a derivation, a parameter, a count, a whole column."""

import operator
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from gateway.ground.asides import is_aside
from gateway.ground.clauses import Sentence, neighbours, position
from gateway.ground.derive import Derived
from gateway.ground.direction import Direction, direction_of
from gateway.ground.fit import shows, unit_word_fits, value_fits
from gateway.ground.hedges import bound_of
from gateway.ground.lexicon import CHANGE_LABEL, HIGHS, LOWS, MEANS, OTHER_LABEL, TOTALS, words
from gateway.ground.match import intervals
from gateway.ground.measures import is_other_size, measure_after
from gateway.ground.named import Naming
from gateway.ground.names import Names
from gateway.ground.places import Place
from gateway.ground.sheet import CellAt, as_text
from gateway.ground.stems import split_words
from gateway.ground.tokens import Quantity
from gateway.ground.units import factor
from metric_layer.period_words import PLURAL

OBJECT = re.compile(r"\b(?:than|above|below|of|behind)\s(?:in\s|the\s|that\sof\s)?\Z")
PAUSE = re.compile(r"[,;:!?\n]|\.(?:\s|\Z)")
OF_THEM = re.compile(r"\A\sof\s(?:the|these|those|its|their|all)\s", re.IGNORECASE)
OUTFLOW = re.compile(
    r"\b(?:loss(?:es)?|used|less|depreciation|amorti[sz]ation|deficit|outflows?|expenses?|costs?|repayments?"
    r"|purchases?|payments?|dividends?|impairments?|write-offs?|allowance|provision|decrease)\b",
    re.IGNORECASE,
)
NEXT_WORD = re.compile(r"\s([a-z]+)\b")
# "Budget" alone is a plan beside what was spent or taken in; beside other figures it is one of them.
BUDGET = re.compile(r"\s*budget\s*(?:\([^()]*\))?\s*", re.IGNORECASE)
SPENT = re.compile(r"actual|spen[dt]|cost|expen|revenue|sales|outturn|income|result", re.IGNORECASE)
OF_ALL = re.compile(r"\b(?:of\s(?:all\s|the\s)?|all\s)\Z", re.IGNORECASE)
NO_NOUN = re.compile(r"\s?(?:[,;)]|\.(?:\s|\Z)|\Z|\s(?:and|but|while|with|at|is|are|was|were|has|had)\b)")
MILLIMETRES = re.compile(r"\d\s?mm\W*\Z")
TOTAL_LED = re.compile(r"\b(?:totals?|totall?ed|in\sall|overall|altogether)\b[^,;.]*\Z", re.IGNORECASE)
LISTED = re.compile(r"(?:\s[^\W\d_]+){0,2}\s?(?::|\(|\s[\u2013\u2014-]\s)")
ROW_NOUNS = words("row rows result results entry entries record records line lines item items")
MONEY_WORDS = words(
    "dollars euros pounds francs rupees across thousands millions billions sales earnings revenues "
    "versus perhaps always"
)


class Sources:
    """The sources of one sheet and its declarations, asked for one number at a time."""

    def __init__(
        self, names: Names, text: str, derived: Sequence[Derived], stale: frozenset[int] = frozenset()
    ) -> None:
        """Stand on the names of a sheet, a text and computed derivations.

        `stale` columns are of another period than the one that ran, which the text never names.
        """
        sheet = names.sheet
        self.sheet = sheet
        self.text = text
        self._outflows: dict[int, bool] = {}
        self.derived = derived
        self.naming = Naming(sheet, text, frozenset(names.column_windows))
        self.row_nouns = self._row_nouns()
        self.counted = names.subjects
        self.told_changes = frozenset(c for c in sheet.figured if CHANGE_LABEL.search(sheet.label(c)))
        self.others = stale | frozenset(c for c in sheet.figured if self._is_other(c))
        self.change_columns = self.told_changes | {
            c for c in sheet.numeric if min(sheet.figures(c), default=0) < 0
        }

    def _is_other(self, column: int) -> bool:
        """Tell whether a column is of another period or of a plan, beside one that is not."""
        label = self.sheet.label(column)
        if self.sheet.columns[column].compared:
            return True
        if BUDGET.fullmatch(label):
            return any(SPENT.search(self.sheet.label(other)) for other in self.sheet.figured - {column})
        return OTHER_LABEL.search(label) is not None

    def direction(self, quantity: Quantity, sentence: Sentence) -> Direction:
        """Return the sign that the words around a number give it."""
        before, after = neighbours(quantity, sentence)
        direction = direction_of(quantity, self.text, before, after)
        worded = direction.start >= 0
        overlaps = worded and any(m.start <= direction.start < m.end for m in sentence.columns)
        if overlaps or (direction.word and not direction.firm and quantity.measure == "multiple"):
            return Direction(0)
        if direction.word not in ("sign", "brackets"):
            behind = self._name_end(direction.start, sentence)
            if behind is not None:
                direction = direction_of(quantity, self.text, max(before, behind), after)
            if not direction.sign and self._names_outflow(quantity, sentence):
                return Direction(0, either=True)
        place = position(quantity, sentence)
        if (
            quantity.bracketed
            and place
            and direction.word == "brackets"
            and not self.text[before : quantity.start].strip()
        ):
            return Direction(0)  # "fifteen (15)" says one number twice
        if quantity.bracketed and place and not direction.sign and not direction.either:
            return self.direction(sentence.quantities[place - 1], sentence)
        return direction

    def _names_outflow(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether the row said is a loss or outflow by its name, whose figures have either sign."""
        if quantity.measure not in ("plain", "currency"):
            return False
        if sentence.start not in self._outflows:
            said = (OUTFLOW.search(self.text, m.start, m.end) for m in sentence.rows)
            self._outflows[sentence.start] = any(said)
        return self._outflows[sentence.start]

    def _name_end(self, start: int, sentence: Sentence) -> int | None:
        """Return where the full name of a row around a place ends, or None."""
        if start < 0:
            return None
        first = max(0, bisect_left(sentence.rows, start, key=lambda m: m.start) - 4)
        near = (m for m in sentence.rows[first : first + 6] if m.full)
        return next((m.end for m in near if m.start <= start < m.end), None)

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
        if self._is_other_size(quantity, column):
            return True
        if quantity.measure != "plain" or column in self.sheet.keys:
            return False
        own = set(split_words(self.sheet.label(column)))
        joined = self.text[quantity.end : quantity.end + 1] == "-"
        after = OF_THEM.sub(" ", PAUSE.split(self.text[quantity.end : quantity.end + 30])[0])
        nouns = split_words(after)[: 1 if joined else 2]
        one_row = place.rows is not None and len(place.rows) == 1
        if (
            nouns
            and not one_row
            and nouns[0] not in own
            and any(noun in self.row_nouns - own for noun in nouns)
        ):
            return True
        return self.sheet.measured[column].carrier == "currency" and self._counts_things(quantity, own)

    def _is_other_size(self, quantity: Quantity, column: int) -> bool:
        """Tell whether the unit behind a number is not the one its column is in ("1,214 miles" of km)."""
        sizes = self.sheet.sizes.get(column, frozenset())
        # "mm" also stands for millions, and is then a part of the number
        said = "mm" if sizes and MILLIMETRES.search(quantity.text) else ""
        return bool(sizes) and is_other_size(said or measure_after(self.text, quantity.end), sizes)

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
        if test is None and place.named and not quantity.hedge:
            test = operator.eq  # "two of the drivers had no wins"
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
        if counted is not None or self.sheet.height < 2:
            return counted
        if place.firm and not self._is_of_all(quantity, sentence, place):
            return None
        columns = place.columns if place.columns is not None else self._taking(quantity)
        if len(columns) != 1 and not place.firm:
            return None
        for column in sorted(columns):
            if self._is_other_size(quantity, column):
                continue
            for name, value in self._aggregates(column, self.text[sentence.start : sentence.end]):
                if value_fits(quantity, value, self.sheet.measured[column], Direction(0)):
                    return name, value
        return None

    def _is_of_all(self, quantity: Quantity, sentence: Sentence, place: Place) -> bool:
        """Tell whether rows named beside a number are all there are, or its parts listed behind a total."""
        if place.rows is not None and len(place.rows) == self.sheet.height:
            return True
        led = TOTAL_LED.search(self.text[sentence.start : quantity.start])
        full = [mention for mention in sentence.rows if mention.full]
        if led is None or not full or any(mention.start < quantity.end for mention in full):
            return False
        return LISTED.match(self.text, quantity.end) is not None or is_aside(self.text, quantity, full[0])

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
        alone = OF_ALL.search(self.text[max(0, quantity.start - 10) : quantity.start]) is not None
        if value == self.sheet.height and alone and NO_NOUN.match(self.text, quantity.end):
            return "count_rows(all)", value
        if value == self.sheet.height and (ROW_NOUNS | self.counted).intersection(nouns):
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
