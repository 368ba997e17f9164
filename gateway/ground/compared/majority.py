"""By how much somebody won or lost ("beat Reed by 410 votes"): the row of the majority, not a figure."""

import re
from functools import cached_property
from typing import NamedTuple

from gateway.ground.compared.extremes import LOW_WINS
from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.lexicon import CHANGE_LABEL, PARTS
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import without_brackets
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import RATES
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, position
from gateway.ground.sentence.idioms import Fits
from gateway.ground.table.sheet import Sheet

ROW = re.compile(
    r"(?:(?:electoral|winning|victory)\s)?(?:majority|plurality|margin)(?:\s(?:of\s(?:victory|votes)|votes?))?",
    re.IGNORECASE,
)
SLIGHT = r"(?:(?:just|only|about|some|over|nearly|almost|an?|the|mere|slim|narrow|comfortable|huge|large)\s)*"
# No "gross margin of 41%": that is a ratio.
CALLED = re.compile(
    rf"\b(?:majority|plurality|winning\smargin|margin\sof\svictory|(?:an?|the|his|her|their|whose)\s{SLIGHT}margin)"
    rf"\s(?:of|was|is|stood\sat|by)\s{SLIGHT}\W?\Z",
    re.IGNORECASE,
)
CALLED_AFTER = re.compile(
    r"[\s-](?:(?:votes?|points?|percent)[\s-])?(?:majority|plurality|margin(?!s))\b", re.IGNORECASE
)
OF_VOTES = re.compile(r"[\s-](?:votes?|ballots?)\b", re.IGNORECASE)
# "By 912 votes (41%) to 700": two sides of a vote, and no margin.
SIDES = re.compile(
    r"(?:(?:\sof\s(?:the|all))?\s[a-z]+)?(?:\s\([^()]*\))?(?:\s[a-z]+)?(?:\sto\s[^,;:.()\d]{0,40}|\s?[-\u2013\u2014]\W?)\d",
    re.IGNORECASE,
)
WON = (
    r"w[io]n|wins|winning|victory|emerg(?:es|ed|ing)\s(?:as\s)?(?:the\s)?(?:winner|victor|victorious)|beat|beats|beating|defeat(?:s|ed|ing)|edg(?:ed|es|ing)|held|(?:re-)?elected"
    r"|ousted|unseated"
)
LOST = (
    r"lost|los(?:e|es|ing)|beaten|(?:was|were|been|being)\s(?:[a-z]+ly\s)?(?:defeated|ousted|unseated|edged)"
    r"|defeat(?!\sof\b)"
)
FOUGHT = re.compile(
    rf"\b(?:{LOST}|{WON})\b(?P<gap>(?:[^\d;:()]|\b(?:1[5-9]|20)\d\d\b)*?)\bby\s{SLIGHT}\W?\Z", re.IGNORECASE
)
# How a word starts that `FOUGHT` needs.
FIGHTS = (
    "won", "win", "victory", "beat", "defeat", "edg", "held", "elected", "oust", "unseat", "los", "emerg",
)  # fmt: skip
BY = frozenset(("by",))
MARGINS = frozenset(("plain", "percent", "points"))
DEFEATED = re.compile(rf"\b(?:{LOST})\b", re.IGNORECASE)
SIDED = frozenset(("margin", "majority", "plurality", "lead", "gap", "won", "lost", "score", "result"))
# "Deb of Congress": who somebody is, by a word of a name only.
OF_SIDE = re.compile(r"(?:,?\s(?:of|from|for)\s(?:the\s)?|\s?\()\Z", re.IGNORECASE)
# "A majority of 153 and 50.9% of the vote": a figure of the winner's own.
OWN = re.compile(
    r"(?:\s?%|\sper\s?cent)?\s(?:of\s)?(?:the\s|all\s)?(?:(?:valid|popular|total|national)\s)?(?:votes?|ballots|poll)\b",
    re.IGNORECASE,
)
AND = re.compile(r"(?:\svotes?)?,?\s(?:and|with)\s(?:with\s|by\s)?", re.IGNORECASE)
REACH, BY_REACH = 120, 40


class Said(NamedTuple):
    """Whose margin it is said to be: the one row told first, whether it won, and the rows told beside it."""

    subject: int | None
    won: bool
    others: frozenset[int]


class Majority:
    """Reads margins of one text over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken, fitting: Fits) -> None:
        """Stand on a sheet and a text; `fitting` cuts columns down to those whose unit a number can have."""
        self.sheet = sheet
        self.text = text = spoken.text
        self.fitting = fitting
        low = text.lower()
        self._called = any(word in low for word in ("majority", "margin", "plurality"))
        self.may = self._called or (spoken.says(BY) and spoken.opens(FIGHTS))

    @cached_property
    def row(self) -> int:
        """Return the one row that is called the majority; -1 for none or several."""
        every = range(self.sheet.height)
        found = [row for row in every if any(ROW.fullmatch(name.strip()) for name in self.sheet.row_key(row))]
        return found[0] if len(found) == 1 else -1

    @cached_property
    def _margins(self) -> frozenset[int]:
        """Return the columns that are called a majority or a margin, no rates of profit."""
        called = (c for c in self.sheet.numeric if ROW.fullmatch(without_brackets(self.sheet.label(c))))
        return frozenset(called)

    @cached_property
    def _told(self) -> bool:
        """Tell whether a column holds margins or changes itself."""
        words = self.sheet.label_words
        return any(
            not SIDED.isdisjoint(words[c]) or CHANGE_LABEL.search(self.sheet.label(c))
            for c in range(len(words))
        )

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place | None:
        """Return where a margin stands: in the row of the majority, or in no figure of anybody's."""
        said = self._said(quantity, sentence)
        if said is None:
            return None
        if self.row < 0:
            own = self.fitting(quantity, self._margins)
            kept = own or frozenset(self.sheet.keys) - self.sheet.figured
            return None if self._told and not own else place._replace(columns=kept, named=True)
        columns = self._columns(quantity, place)
        ends = self._ends(columns)
        meant = ends if said.won else ends[::-1]
        if said.subject not in (None, meant[0]) or not said.others <= {meant[1]}:
            columns = NOBODY
        return Place(frozenset((self.row,)), columns, firm=True, named=True)

    def of_winner(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number behind a margin ("of 153 and 50.9% of the vote"): the winner's row."""
        number = position(quantity, sentence) if self._called else 0
        behind = bool(number) and place.rows == frozenset((self.row,))
        if not behind or not OWN.match(self.text, quantity.end):
            return place
        margin = sentence.quantities[number - 1]
        said = self._said(margin, sentence) if AND.fullmatch(self.text, margin.end, quantity.start) else None
        if said is None or said.subject is None or self._said(quantity, sentence) is not None:
            return place
        return place._replace(rows=frozenset((said.subject,)))

    def denies(self, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a declared difference is not by how much the one told first won or lost."""
        if derived.op != "difference" or derived.lead is None or len(derived.rows) != 2 or not derived.value:
            return False
        low = (LOW_WINS.search(self.sheet.label(c)) or self.sheet.sizes.get(c) for c in derived.columns)
        if len(derived.columns) != 1 or any(low):
            return False
        said = self._said(quantity, sentence)
        if said is None or said.subject is None:
            return False
        own = derived.lead[0]
        (other,) = derived.rows - {own}
        ends = (own, other) if (derived.value > 0) == said.won else (other, own)
        return said.subject != ends[0] or not said.others <= {ends[1]}

    def _columns(self, quantity: Quantity, place: Place) -> frozenset[int]:
        """Return the columns in which the row of the majority may show a number: no rates for a bare one."""
        held = (c for c in self.sheet.numeric if self.sheet.number(self.row, c) is not None)
        fit = frozenset(c for c in self.fitting(quantity, held) if not self._is_other(c, quantity))
        return fit & (place.columns or NOBODY) or fit

    def _is_other(self, column: int, quantity: Quantity) -> bool:
        """Tell whether a column holds changes, or rates where a number is a bare one."""
        rate = self.sheet.measured[column].carrier in RATES
        return CHANGE_LABEL.search(self.sheet.label(column)) is not None or (
            rate and quantity.measure == "plain"
        )

    def _ends(self, columns: frozenset[int]) -> tuple[int, int]:
        """Return the rows of the most and the second most in the first of some columns."""
        values = self.sheet.column_values(min(columns)) if columns else ()
        ranked = sorted((-value, row) for row, value in values if row not in self.sheet.totals | {self.row})
        rows = [row for _, row in ranked] + [-1, -1]
        return rows[0], rows[1]

    def _side_of(self, mention: Mention, sentence: Sentence) -> int:
        """Return where the name ends that a word says more about ("Deb of Congress"); -1 for none."""
        led = OF_SIDE.search(self.text, max(sentence.start, mention.start - BY_REACH), mention.start)
        return led.start() if led else -1

    def _has_figure(self, mention: Mention) -> bool:
        """Tell whether a name is of a row with a figure, which "Unity hold" below the table is not."""
        return any(self.sheet.number(row, c) is not None for row in mention.rows for c in self.sheet.numeric)

    def _said(self, quantity: Quantity, sentence: Sentence) -> Said | None:
        """Return whose margin a number is said to be, or None where it is none."""
        if not self.may or quantity.measure not in MARGINS or SIDES.match(self.text, quantity.end):
            return None
        lead = self.text[max(sentence.start, quantity.start - REACH) : quantity.start]
        fought = FOUGHT.search(lead) if "by " in lead[-BY_REACH:] else None
        called = self._called and (CALLED.search(lead) or CALLED_AFTER.match(self.text, quantity.end))
        of_votes = OF_VOTES.match(self.text, quantity.end) is not None
        sure = of_votes or (PARTS.search(fought["gap"]) is None if fought else self.row >= 0)
        if not (called or fought) or not sure:
            return None  # "a majority of 148 seats" may be what was won
        ends = PARTS.search(self.text, quantity.end, sentence.end)
        until = ends.start() if ends else sentence.end
        names = [m for m in sentence.rows if m.start < until and len(m.rows) == 1]
        names = [m for m in names if not m.rows & (self.sheet.totals | {self.row}) and self._has_figure(m)]
        sides = {m.end for m in names if m.full}
        names = [m for m in names if m.full or {m.end, self._side_of(m, sentence)}.isdisjoint(sides)]
        led = names[0] if names and names[0].end <= quantity.start else None
        won = DEFEATED.search(self.text, led.end if led else sentence.start, quantity.start) is None
        rows = frozenset().union(*(m.rows for m in names))
        own = next(iter(led.rows)) if led else None
        return Said(own, won, rows - {own})
