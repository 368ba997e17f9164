"""Whether the words of a clause name what a derivation rests on: its rows, its columns, its kind."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from gateway.ground.clauses import Sentence, follows, neighbours
from gateway.ground.cues import PART_GAPS
from gateway.ground.derive import Derived
from gateway.ground.direction import Direction
from gateway.ground.lexicon import HIGHS, LOWS, MEANS, PARTS, TOTALS, one_of
from gateway.ground.names import Mention
from gateway.ground.places import Place
from gateway.ground.sheet import Sheet
from gateway.ground.tokens import Quantity
from gateway.ground.units import RATES

LEVEL = re.compile(
    r"(?:\s(?:count|number|total|volume|figure|value))?\s?(?:[:(=|\u2013\u2014]|(?:was|were|is|are|at|of|reached|totall?ed|came\s(?:to|in\sat)|amounted\sto"
    r"|stood\sat|equall?ed|numbered)(?:\s(?:only|just|about|exactly))?)\s*",
    re.IGNORECASE,
)
GAP = one_of(
    "gaps?", r"differ\w*", r"chang\w*", "margin", "lead", "leads", "led", "by", "versus", r"vs\.?", "than",
    "spread", "majority",
    "swing", "delta", "between", "against", "compared", "apart", "ahead", "behind", "variance", "movement",
    r"unterschied\w*",
)  # fmt: skip
JOINED = re.compile(r"(?:'s?|\u2019s?)?\s(?:own\s)?|\s(?:for|of|in|from)\s(?:the\s)?", re.IGNORECASE)
# "Of 5,159 tickets, 2,890 were technical": the first number is the whole.
WHOLE_LEADS = frozenset(("of", "of the", "of all", "of our", "out of", "out of the"))
AGGREGATES = frozenset(("sum", "mean", "min", "max"))
POSITIONS = frozenset(("count_rows", "count_distinct", "rank"))


class Naming:
    """Reads clauses of one text against derivations over one sheet."""

    def __init__(self, sheet: Sheet, text: str, periods: frozenset[int]) -> None:
        """Stand on a sheet and a text. `periods` are the columns that are periods."""
        self.sheet = sheet
        self.text = text
        self.periods = self.dated = periods

    def is_named(
        self, derived: Derived, quantity: Quantity, sentence: Sentence, place: Place, direction: Direction
    ) -> bool:
        """Tell whether a clause names the rows, the columns and the kind of a derivation."""
        if derived.op in POSITIONS and self._is_level(quantity, sentence):
            return False
        if derived.op.startswith("count"):
            return True
        if derived.whole:
            before, _ = neighbours(quantity, sentence)
            lead = self.text[before : quantity.start].strip()
            if lead in PART_GAPS or (before == sentence.start and lead.lower() in WHOLE_LEADS):
                return True
            if place.firm and not self._speaks_of_all(derived, sentence):
                return self.sheet.height == 1 or (place.rows or frozenset()) >= derived.rows
        elif place.firm and not self._names_rows(derived, quantity, sentence, place):
            return False
        if derived.op == "difference" and not self._tells_apart(quantity, sentence, place, direction):
            return False
        return self._names_columns(derived, quantity, sentence)

    def levels(self, quantity: Quantity, sentence: Sentence) -> list[frozenset[int]]:
        """Return the figures that full names beside a number give it, none that belong to another number."""
        before, _ = neighbours(quantity, sentence)
        return [
            m.columns
            for m in self._near(quantity, sentence)
            if m.full
            and (
                follows(self.text, quantity.end, m)
                if m.start >= quantity.end
                else before == sentence.start or not follows(self.text, before, m)
            )
        ]

    def _near(self, quantity: Quantity, sentence: Sentence) -> list[Mention]:
        before, after = neighbours(quantity, sentence)
        figures = frozenset(self.sheet.numeric)
        first = bisect_left(sentence.columns, before, key=lambda mention: mention.start)
        last = bisect_left(sentence.columns, after, lo=first, key=lambda mention: mention.start)
        return [m for m in sentence.columns[first:last] if m.end <= after and m.columns & figures]

    def _is_level(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number is said to be the figure of a column ("orders were 2", "2 orders")."""
        return any(
            LEVEL.fullmatch(self.text[m.end : quantity.start]) is not None
            if m.end <= quantity.start
            else not self.text[quantity.end : m.start].strip()
            for m in self._near(quantity, sentence)
        )

    def _named_rows(self, mentions: Sequence[Mention]) -> frozenset[int]:
        """Return the rows that all of some names mean: any name of each key column."""
        named = frozenset(range(self.sheet.height))
        for key in {mention.column for mention in mentions}:
            named &= frozenset().union(*(m.rows for m in mentions if m.column == key))
        return named

    def _names_rows(self, derived: Derived, quantity: Quantity, sentence: Sentence, place: Place) -> bool:
        """Tell whether rows named beside a number are those it rests on; an aggregate needs all of them."""
        if place.rows is not None and not derived.rows & place.rows:
            full = [mention.rows for mention in sentence.rows if mention.full]
            return not full or (derived.lead is not None and derived.rows <= frozenset().union(*full))
        if derived.op not in AGGREGATES or derived.rows <= self._named_rows(sentence.rows):
            return True
        _, after = neighbours(quantity, sentence)
        near = [mention for mention in sentence.rows if mention.end <= after < sentence.end]
        return derived.rows == place.rows or (bool(near) and derived.rows <= self._named_rows(near))

    def _speaks_of_all(self, derived: Derived, sentence: Sentence) -> bool:
        """Tell whether a sentence that names rows speaks of all rows too, not of a total of its own."""
        said = self.text[sentence.start : sentence.end]
        if not any(words.search(said) for words in (TOTALS, MEANS, HIGHS, LOWS)):
            return False
        return derived.rows <= self._named_rows(sentence.rows) or not any(
            self._is_totalled(mention, sentence) for mention in sentence.rows if mention.full
        )

    def _is_totalled(self, mention: Mention, sentence: Sentence) -> bool:
        """Tell whether a total is the total of one name ("AMER total", "total for AMER", "AMER totalled")."""
        for found in TOTALS.finditer(self.text, sentence.start, sentence.end):
            first, second = (found.end(), mention.start), (mention.end, found.start())
            gap = self.text[slice(*first)] if first[0] <= first[1] else self.text[slice(*second)]
            verb = found.start() >= mention.end and found.group().lower().endswith("ed")
            if JOINED.fullmatch(gap) or (verb and not PARTS.search(gap)):
                return True
        return False

    def _tells_apart(
        self, quantity: Quantity, sentence: Sentence, place: Place, direction: Direction
    ) -> bool:
        """Tell whether a difference is said to be one, where rows or columns are named beside it."""
        if not place.firm and not self.levels(quantity, sentence):
            return True
        worded = direction.either or (direction.sign != 0 and direction.word not in ("sign", "brackets"))
        before, after = neighbours(quantity, sentence)
        return worded or GAP.search(self.text, before, after) is not None

    def _names_columns(self, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
        before, after = neighbours(quantity, sentence)
        near = [m.columns for m in sentence.columns if before <= m.start and m.end <= after and m.full]
        if any(len(columns) == 1 and columns & self.periods - derived.columns for columns in near):
            return False
        levels = [c for c in near if not all(self.sheet.measured[i].carrier in RATES for i in c)]
        return not levels or any(columns & derived.columns for columns in near)
