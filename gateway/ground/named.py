"""Whether the words of a clause name what a derivation rests on: its rows, its columns, its kind."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from gateway.ground.clauses import Sentence, follows, neighbours
from gateway.ground.cues import PART_GAPS
from gateway.ground.derive import Derived
from gateway.ground.direction import Direction
from gateway.ground.lexicon import HIGHS, LOWS, MEANS, PARTS, TOTALS, one_of
from gateway.ground.mentions import Mention
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
IN_PERIOD = re.compile(r"(?<!than\s)\b(?:in|during|for)\s(?:the\s(?:year\s)?)?\Z", re.IGNORECASE)
FROM_PERIOD = re.compile(
    r"\b(?:from|since|versus|vs\.?|against|compared\s(?:with|to)|than\sin)\s\Z", re.IGNORECASE
)
# What is measured against, right behind a difference ("112 more than May").
AGAINST = re.compile(
    r"[^,;:()\d]{0,30}\b(?:than|over|above|below|behind|ahead\sof|on|versus|vs\.?|against|compared\s(?:with|to))\s(?:in\s|the\s|that\sof\s|those\sof\s)*",
    re.IGNORECASE,
)
# "Of 5,159 tickets, 2,890 were technical": the first number is the whole.
WHOLE_LEADS = frozenset(("of", "of the", "of all", "of our", "out of", "out of the"))
AGGREGATES = frozenset(("sum", "mean", "min", "max"))
POSITIONS = frozenset(("count_rows", "count_distinct", "rank"))


class Naming:
    """Reads clauses of one text against derivations over one sheet."""

    def __init__(
        self, sheet: Sheet, text: str, periods: frozenset[int], dated_keys: frozenset[int] = frozenset()
    ) -> None:
        """Stand on a sheet and a text. `periods` are columns that are periods, `dated_keys` keys that are."""
        self.sheet = sheet
        self.text = text
        self.periods = self.dated = periods
        self.dated_keys = dated_keys

    def is_named(
        self, derived: Derived, quantity: Quantity, sentence: Sentence, place: Place, direction: Direction
    ) -> bool:
        """Tell whether a clause names the rows, the columns and the kind of a derivation."""
        if derived.op in POSITIONS and self._is_level(quantity, sentence):
            return False
        if derived.op.startswith("count"):
            return True
        if self._is_of_others(derived, quantity, sentence) or self._is_of_other_span(derived, sentence):
            return False
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

    def _is_of_others(self, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a clause names other rows than those of a share's part or of a pair."""
        full = [m for m in sentence.rows if m.full and len(m.rows) < self.sheet.height]
        if derived.parts:
            before, _ = neighbours(quantity, sentence)
            led = [m for m in full if before <= m.start and m.end <= quantity.start]
            if led and not any(m.rows & derived.parts for m in led):
                return True
        if derived.lead is None:
            return False
        if self._is_of_other_periods(derived, sentence):
            return True
        return any(
            m.start >= quantity.end
            and not m.rows & derived.rows
            and AGAINST.fullmatch(self.text, quantity.end, m.start) is not None
            for m in full
        )

    def _is_of_other_span(self, derived: Derived, sentence: Sentence) -> bool:
        """Tell whether a sentence of one number names other periods than its pair or its aggregate spans."""
        ends = derived.columns & self.periods
        if len(sentence.quantities) != 1 or len(ends) < 2 or ends != derived.columns:
            return False
        named = [m.columns for m in sentence.columns if m.full and m.columns <= self.periods]
        said = frozenset().union(*named)
        if derived.lead is None or any(len(columns) > 1 for columns in named):
            return bool(said) and ends != said
        return len(said) > 1 and not ends <= said

    def _is_of_other_periods(self, derived: Derived, sentence: Sentence) -> bool:
        """Tell whether a sentence names a stretch no pair spans, or its older end as the newer one."""
        dated = [m for m in sentence.rows if m.full and m.column in self.dated_keys]
        named = [m for m in sentence.columns if m.full and m.columns <= self.periods]
        ends = derived.columns & self.periods
        apart = self._named_rows([m for m in sentence.rows if m.full and m.column not in self.dated_keys])
        for mentions, own in ((dated, derived.rows), (named, ends)):
            places = {m.start: (m.rows & apart if m.names_rows else m.columns) for m in mentions}
            if any(len(said) > 1 and said & own and not own <= said for said in places.values()):
                return len(own) > 1
            alone = next(iter(places.values())) if len(places) == 1 else frozenset()
            if len(alone) == 1 and alone < own:
                return self._is_other_end(mentions[0], derived)
        return False

    def _is_other_end(self, mention: Mention, derived: Derived) -> bool:
        """Tell whether the one period said is the older, said as the newer one ("rose 6% in 2019")."""
        row, column = derived.lead or (-1, -1)
        newer = (row in mention.rows if mention.names_rows else column in mention.columns) != derived.backward
        lead = self.text[max(0, mention.start - 24) : mention.start]
        return (FROM_PERIOD.search(lead) if newer else IN_PERIOD.search(lead)) is not None

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
            full = [mention for mention in sentence.rows if mention.full]
            return not full or (derived.lead is not None and derived.rows <= self._named_rows(full))
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
