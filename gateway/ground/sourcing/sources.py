"""What a number could come from: a cell, a derivation, a parameter, a count, a whole column."""

import operator
import re
from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property

from gateway.ground.compared.gaps import Gaps
from gateway.ground.compared.leads import is_led_by_other, is_unwanted, lead_sign
from gateway.ground.derived.derive import Derived
from gateway.ground.derived.fit import shows, unit_word_fits, value_fits
from gateway.ground.lexing.direction import NO_DIRECTION, Direction, Directions
from gateway.ground.lexing.hedges import bound_of
from gateway.ground.lexing.lexicon import CHANGE_LABEL, EARLIER_SAID, OTHER_LABEL
from gateway.ground.lexing.match import intervals
from gateway.ground.lexing.measures import measure_after
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import factor
from gateway.ground.naming.names import Names
from gateway.ground.pointing.nouns import Nouns
from gateway.ground.pointing.places import Place
from gateway.ground.pointing.stale import NOT_STALE, Stale
from gateway.ground.sentence.clauses import Sentence, neighbours, position
from gateway.ground.sentence.flows import NET_LABEL
from gateway.ground.sentence.rates_told import RatesTold
from gateway.ground.sourcing.endings import Endings
from gateway.ground.sourcing.implicit import Implicit
from gateway.ground.sourcing.named import POSITIONS, Naming
from gateway.ground.sourcing.targets import bears_out, missed_by
from gateway.ground.table.sheet import CellAt

OBJECT = re.compile(
    r"\b(?:than|above|below|of|behind)\s(?:in\s|that\sof\s|it\s|they\s|(?:the\s)?(?:[a-z-]+,?\s)?)?\Z"
)
OUTFLOW = re.compile(
    r"\b(?:loss(?:es)?|used|less|depreciation|amorti[sz]ation|deficit|outflows?|expenses?|costs?|repayments?"
    r"|purchases?|payments?|dividends?|impairments?|write-offs?|allowance|provision|decrease)\b",
    re.IGNORECASE,
)
# "Budget" alone is a plan beside what was spent or taken in; beside other figures it is one of them.
BUDGET = re.compile(r"\s*budget\s*(?:\([^()]*\))?\s*", re.IGNORECASE)
SPENT = re.compile(r"actual|spen[dt]|cost|expen|revenue|sales|outturn|income|result", re.IGNORECASE)
# "Lost seven and four seats".
LISTED = re.compile(r",\s|,?\sand\s", re.IGNORECASE)
OR_ELSE = re.compile(r"(?:\s[a-z]+)?,?\s(?:or|i\.e\.,?|that\sis,?)\s(?:about\s|roughly\s)?\W?", re.IGNORECASE)
EITHER = Direction(0, either=True)
JUDGING = re.compile(r"improv|worsen|deteriorat", re.IGNORECASE)
WRITTEN = ("sign", "brackets")
AT = re.compile(r"\s(?:at|in|for|from|on)\s(?:the\s)?", re.IGNORECASE)
AS_LOSS = Direction(0, either=True, word="brackets")
# "Lost by 202 votes to 240": two figures, and by no change.
VOTES_TO = re.compile(r"\svotes\sto\s\d", re.IGNORECASE)
# "Lost a net 85 members": what is left has the sign of the verb, whatever column the verb is a name of.
NETTED = re.compile(r"\bnet\s", re.IGNORECASE)
VOTES, BY = frozenset(("votes",)), frozenset(("by",))
EXTENT = re.compile(r"(?:drop|fall|rise|gain|climb|loss)\sof\s", re.IGNORECASE)
EXTENTS = ("drop", "fall", "rise", "gain", "climb", "loss")


class Sources:
    """The sources of one sheet and its declarations, asked for one number at a time."""

    def __init__(
        self,
        names: Names,
        spoken: Spoken,
        derived: Sequence[Derived],
        stale: Stale = NOT_STALE,
        *,
        known: bool = False,
    ) -> None:
        """Stand on the names of a sheet, a text and computed derivations.

        `stale` columns are of another period than the one that ran, which the text does not speak of; `known`
        says that it is known what was asked.
        """
        sheet = names.sheet
        self.sheet = sheet
        self.spoken = spoken
        self.text = spoken.text
        self.directions = Directions(spoken)
        self.gaps = Gaps(sheet, spoken)
        self.rates_told = RatesTold(sheet, spoken.text)
        self._votes, self._by = spoken.says(VOTES), spoken.says(BY)
        self._outflowing = OUTFLOW.search(self.text) is not None
        self._outflows: dict[int, bool] = {}
        self.derived = derived
        self.naming = Naming(sheet, spoken.text, names.dated, names.series, frozenset(names.row_windows))
        self.told_changes = frozenset(c for c in sheet.figured if CHANGE_LABEL.search(sheet.label(c)))
        self._extent = not self.told_changes and spoken.opens(EXTENTS)
        self.nouns = Nouns(names, spoken.text, self.is_change, known=known)
        self.endings = Endings(names, spoken.text)
        self.implicit = Implicit(sheet, spoken.text, names.subjects, self.nouns)
        self._stale = stale
        self._others = frozenset(c for c in sheet.figured if self._is_other(c))

    def others(self, sentence: Sentence) -> frozenset[int]:
        """Return the columns of a plan or of another period, which a number means only where it says so."""
        return self._others | self._stale.of(sentence)

    @cached_property
    def change_columns(self) -> frozenset[int]:
        """Return the columns that are called changes or net figures, or hold a figure below zero."""
        net = (c for c in self.sheet.figured if NET_LABEL.search(self.sheet.label(c)))
        return self.told_changes.union(self._below, net)

    @cached_property
    def _below(self) -> frozenset[int]:
        """Return the columns that hold a figure below zero."""
        return frozenset(c for c in self.sheet.numeric if min(self.sheet.figures(c), default=0) < 0)

    def is_change(self, column: int) -> bool:
        """Tell whether a column is called a change or holds a figure below zero."""
        return column in self.change_columns

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
        votes = self._votes and VOTES_TO.match(self.text, quantity.end)
        if votes or self.gaps.is_gap(quantity, sentence) or self.rates_told.of(quantity, sentence):
            return NO_DIRECTION
        missed = missed_by(self.text, quantity, sentence) if self._by else None
        if missed is not None:
            return missed
        before, after = neighbours(quantity, sentence)
        direction = self.directions.of(quantity, before, after)
        worded = direction.start >= 0
        overlaps = worded and any(m.start <= direction.start < m.end for m in sentence.columns)
        overlaps = overlaps and NETTED.search(self.text, max(0, direction.start - 4), quantity.start) is None
        if overlaps or (direction.word and not direction.firm and quantity.measure == "multiple"):
            return NO_DIRECTION
        if direction.word not in WRITTEN:
            behind = self._name_end(direction.start, sentence) if worded else None
            if behind is not None:
                direction = self.directions.of(quantity, max(before, behind), after)
            if not direction.sign and self._names_outflow(quantity, sentence):
                return Direction(0, either=True)
        if self._is_extent(quantity, direction):
            return Direction(0, either=True)
        place = position(quantity, sentence)
        direction = self._again(quantity, sentence, direction, place) if place else direction
        nothing = not (direction.sign or direction.either)
        return AS_LOSS if nothing and self._may_be_below(quantity, sentence) else direction

    def _may_be_below(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether brackets right beside the name of a row may mean less than zero, as in accounts."""
        if not quantity.bracketed or not self._below:
            return False
        return any(
            m.end + 1 == quantity.start or AT.fullmatch(self.text, quantity.end, m.start)
            for m in sentence.rows
            if m.full
        )

    def _again(self, quantity: Quantity, sentence: Sentence, direction: Direction, place: int) -> Direction:
        """Return the direction of a number behind another one: in a list, or said once more, that one's."""
        first = sentence.quantities[place - 1]
        gap = first.end, quantity.start
        if quantity.bracketed and direction.word == "brackets" and not self.text[slice(*gap)].strip():
            direction = NO_DIRECTION  # "fifteen (15)" says one number twice, "fell by 40 (4%)" one fall
        if direction.sign or direction.either:
            return direction
        listed = quantity.measure == first.measure and LISTED.fullmatch(self.text, *gap) is not None
        again = quantity.bracketed or listed or OR_ELSE.fullmatch(self.text, *gap) is not None
        return self.direction(first, sentence) if again else direction

    def _is_extent(self, quantity: Quantity, direction: Direction) -> bool:
        """Tell whether a noun of change is a size of the thing itself ("with a drop of 297 m")."""
        if not self._extent or not EXTENT.match(self.text, direction.start, quantity.start):
            return False
        return bool(measure_after(self.text, quantity.end))

    def _names_outflow(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether the row said is a loss or outflow by its name, whose figures have either sign."""
        if not self._outflowing or quantity.measure not in ("plain", "currency"):
            return False
        if sentence.start not in self._outflows:
            said = (OUTFLOW.search(self.text, m.start, m.end) for m in sentence.rows)
            self._outflows[sentence.start] = any(said)
        return self._outflows[sentence.start]

    def _name_end(self, start: int, sentence: Sentence) -> int | None:
        """Return where the full name of a row around a place ends, or None."""
        first = max(0, bisect_left(sentence.rows, start, key=lambda m: m.start) - 4)
        near = (m for m in sentence.rows[first : first + 6] if m.full)
        return next((m.end for m in near if m.start <= start < m.end), None)

    def cells(self, quantity: Quantity, direction: Direction) -> list[CellAt]:
        """Return every cell of any row and column whose value the number could show."""
        found: list[CellAt] = []
        spans = tuple(intervals(quantity))
        below = _may_be_below(direction)
        for shelf in self.sheet.shelves:
            by = factor(quantity.measure, quantity.currencies, shelf.measured)
            if by is None or not unit_word_fits(quantity, shelf.measured):
                continue
            for interval in spans:
                scaled = interval if by == 1 else interval.shrunk(by)
                found += [c for c in shelf.within(scaled) if self._sign_fits(c, direction, 1)]
                if below:
                    found += [c for c in shelf.within(scaled.negated()) if self._sign_fits(c, direction, -1)]
        return found

    def _sign_fits(self, cell: CellAt, direction: Direction, sign: int) -> bool:
        if JUDGING.match(direction.word) and self._is_unwanted_change(cell[1]):
            sign = -sign
        if direction.either or direction.sign in (0, sign):
            return True
        if direction.word in ("sign", "brackets"):
            return not self.sheet.number(*cell)
        return not direction.firm and cell[1] not in self.change_columns

    def _is_unwanted_change(self, column: int) -> bool:
        """Tell whether a column holds by how much something moved of which less is better."""
        return column in self.told_changes and is_unwanted(self.sheet, (column,))

    def derivation(
        self, quantity: Quantity, sentence: Sentence, place: Place, direction: Direction
    ) -> Derived | None:
        """Return the declared derivation that the number shows and whose cells its words name."""
        strange = self.nouns.is_strange(quantity, sentence)
        for derived in self.derived:
            planned = bears_out(self.text, self.sheet, derived, quantity, sentence)
            if planned is False:
                continue
            seen = EITHER if planned else self._turned(direction, derived, quantity, sentence)
            if (strange and derived.op not in POSITIONS) or not shows(quantity, derived, seen):
                continue
            if self._is_unsaid(derived, sentence) or self.endings.denies(derived, quantity, sentence):
                continue
            if is_led_by_other(self.text, derived, quantity, sentence):
                continue
            if self.naming.is_named(derived, quantity, sentence, place, seen):
                return derived
        return None

    def _is_unsaid(self, derived: Derived, sentence: Sentence) -> bool:
        """Tell whether a derivation is of a plan or another period only, of which a sentence says nothing."""
        if not derived.columns or not derived.columns <= self.others(sentence):
            return False
        said = self.text[sentence.start : sentence.end]
        named = any(mention.columns & derived.columns for mention in sentence.columns)
        return not (named or OTHER_LABEL.search(said) or EARLIER_SAID.search(said))

    def may_print(
        self, quantity: Quantity, cell: CellAt, sentence: Sentence, place: Place, direction: Direction
    ) -> bool:
        """Tell whether a printed cell lies where its clause points, with the sign that its words give it."""
        value = (self.sheet.number(*cell) or Decimal(0)) if quantity.readings[0].value else Decimal(0)
        signed = (
            self._sign_fits(cell, direction, 1)
            if value >= 0
            else _may_be_below(direction) and self._sign_fits(cell, direction, -1)
        )
        levels = self.naming.levels(quantity, sentence)
        here = not levels or any(cell[1] in columns for columns in levels)
        if quantity.slot is not None and quantity.slot.named:
            place = place._replace(rows=None)
        return (
            here
            and signed
            and place.holds(cell)
            and not self.nouns.means_else(quantity, cell[1], direction, place)
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
        """Turn the sign of "N less than X" where the declared difference was counted from X.

        What rose or fell between two periods did so from the older to the newer one.
        """
        written = direction.word in WRITTEN
        led = 0 if written else lead_sign(self.text, self.sheet, derived, quantity, sentence)
        if led:
            return direction._replace(sign=led, either=False)
        if JUDGING.match(direction.word) and derived.change and is_unwanted(self.sheet, derived.columns):
            return direction._replace(sign=-direction.sign)
        if derived.backward and direction.sign and direction.firm and not written:
            return direction._replace(sign=-direction.sign)
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
            return direction._replace(sign=-direction.sign) if leads and apart else direction
        return direction

    def parameter(
        self, quantity: Quantity, place: Place, cited: Sequence[Derived]
    ) -> tuple[str, Decimal] | None:
        """Return the parameter that the number repeats ("more than 10%") of a condition used beside it.

        The words must make the comparison of the condition, and rows they name must have passed it.
        """
        test = bound_of(self.text, quantity.start, quantity.end)
        bare = quantity._replace(hedge="")
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


def _may_be_below(direction: Direction) -> bool:
    """Tell whether the words around a number let it show a figure below zero."""
    return direction.sign < 0 or direction.either or JUDGING.match(direction.word) is not None
