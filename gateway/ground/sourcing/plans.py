"""By how much a row missed its plan ("came in $305k worse than planned"): the variance, not the plan."""

import re
from decimal import Decimal

from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.lexicon import CHANGE_LABEL
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import RATES
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, neighbours, position
from gateway.ground.sentence.idioms import Fits
from gateway.ground.sentence.in_order import OPENED, OPENED_REACH
from gateway.ground.table.sheet import Sheet

_PLAN = r"(?:budget(?:ed)?|plan(?:ned)?|target(?:ed)?|forecast|expected|quota)"
AGAINST = re.compile(
    r"\s(?:(?P<over>over|more\sthan)|(?P<under>under|less\sthan|short\sof)|(?P<better>better\sthan|ahead\sof)"
    r"|(?P<worse>worse\sthan|behind|adrift\sof)|(?P<above>above|higher\sthan)|(?P<below>below|lower\sthan))"
    rf"\s(?:the\s|its\s|their\s|our\s)?(?:[a-z]+\s)?{_PLAN}\b",
    re.IGNORECASE,
)
# "Against a budget of $500, i.e. $40 over", "leaving $40 of its budget", "with $40 to spare".
BARE = re.compile(
    r"\s(?:(?:is|was|are|were)\s)?(?:(?P<over>over|too\smuch)|(?P<under>under|short|left|to\sspare|unspent|unused|remaining)"
    r"|(?P<above>above|more)|(?P<below>below|less))(?=\s*(?:[.,;:)!?]|\Z)|\s(?:and|but|while|in|for)\b)",
    re.IGNORECASE,
)
LEAVING = re.compile(r"\bleaving\s(?:just\s|only\s)?[^\w\s]?\Z", re.IGNORECASE)
# What was spent or earned, right before a number.
CAME = re.compile(
    r"\b(?:spent|spends?|cost(?:s|ing)?(?:\sus)?|came\s(?:in\s)?(?:at|to)|used(?:\sup)?|paid|took(?:\sin)?|made|earned"
    r"|brought\sin|achieved|delivered|reached|ended(?:\sup)?\s(?:at|on|with)|booked)\s(?:just\s|only\s|about\s)?[^\w\s]?\Z",
    re.IGNORECASE,
)
PAIR = re.compile(r"\s(?:against|versus|vs\.?|compared\s(?:with|to))\s[^\w\s]?", re.IGNORECASE)
AT_FIRST = re.compile(r"at\s[^\w\s]?", re.IGNORECASE)
REACH = 32
CAME_TO = re.compile(r",?\s(?:at|to|with|reaching)\s[^\w\s]?", re.IGNORECASE)
BY_HOW_MUCH = re.compile(
    rf",\s\(?[^\w\s]?\d[\d.,]*\s?(?:k|m|bn|thousand|million|billion)?{AGAINST.pattern}", re.IGNORECASE
)
ACTUAL = re.compile(r"\b(?:actual|outturn|result|spent|achieved)\b", re.IGNORECASE)
PLANNED = re.compile(rf"\b{_PLAN}\b", re.IGNORECASE)
PAID_OUT = re.compile(
    r"cost|expen|spen[dt]|\bcogs\b|\bopex\b|\bcapex\b|payroll|wages|salar|tax|debt|interest|deprecia|loss|marketing|rent\b",
    re.IGNORECASE,
)
VARIANCE = re.compile(rf"varianc|\b(?:var|vs|{_PLAN})\b", re.IGNORECASE)
# Of amounts below zero "above" and "below" may be said of the sign or of the size.
OPEN_BELOW_ZERO = ("above", "below")


class Plans:
    """Reads numbers told against a plan, over one sheet and one text."""

    def __init__(self, sheet: Sheet, text: str, fitting: Fits) -> None:
        """Find the columns of what was planned, of what came and of the variance between them.

        `fitting` cuts columns down to those whose unit a number can have.
        """
        self.fitting = fitting
        self.sheet = sheet
        self.text = text
        labels = {column: sheet.label(column) for column in sorted(sheet.figured)}
        self.variances = frozenset(c for c, label in labels.items() if CHANGE_LABEL.search(label))
        plain = {c: label for c, label in labels.items() if c not in self.variances}
        self.actual = [c for c, label in plain.items() if ACTUAL.search(label)]
        levels = [c for c in plain if sheet.measured[c].carrier not in RATES]
        self.planned = [c for c in levels if PLANNED.search(plain[c])]
        spoken = PLANNED.search(text) is not None
        self.told = bool(self.planned or self.variances) and spoken

    def read(
        self, quantity: Quantity, place: Place, direction: Direction, sentence: Sentence
    ) -> tuple[Place, Direction] | None:
        """Return where a number told against the plan points and its sign; both unchanged for any other.

        None where the row of the number refutes the words.
        """
        if not self.told:
            return place, direction
        if len(self.actual) == 1 and self._is_what_came(quantity, sentence, place.rows or NOBODY):
            return place._replace(columns=frozenset(self.actual), named=True), direction
        if self._is_set_against(quantity, sentence, place.rows or NOBODY):
            return place._replace(columns=frozenset(self.planned), named=True), direction
        way = self._way(quantity, sentence)
        if not way or place.rows is None or len(place.rows) != 1:
            return place, direction
        fit = self.fitting(quantity, self.variances)
        columns = frozenset(c for c in fit if VARIANCE.search(self.sheet.label(c))) or fit
        at = place._replace(columns=columns, named=True) if columns else place
        holds = self._holds(next(iter(place.rows)), way)
        if holds is False:
            return None
        if holds:
            return at, Direction(0, either=True)
        return at, Direction(1 if way in ("over", "better", "above") else -1)

    def _is_set_against(
        self, quantity: Quantity, sentence: Sentence, rows: frozenset[int], ahead: int = 0
    ) -> bool:
        """Tell whether a number is the plan of "$40 under budget ($900 against $940)"; `ahead`, what came."""
        second = position(quantity, sentence) + ahead
        pair = sentence.quantities[second - 1 : second + 1] if second else ()
        if len(pair) < 2 or len(self.actual) != 1 or len(self.planned) != 1:
            return False
        start = pair[0].start
        if any(m.full and m.end <= start and not m.rows & rows for m in sentence.rows):
            return False  # of two rows, each has its own
        opened = OPENED.search(self.text, max(sentence.start, start - OPENED_REACH), start)
        led = opened is not None and PLANNED.search(self.text, sentence.start, start) is not None
        return led and PAIR.fullmatch(self.text, pair[0].end, pair[1].start) is not None

    def _way(self, quantity: Quantity, sentence: Sentence) -> str:
        """Return on which side of the plan a number lies by its words, "" where they say nothing of it."""
        end = self._behind_gloss(quantity, sentence)
        found = AGAINST.match(self.text, end)
        planned = found is not None or PLANNED.search(self.text, sentence.start, quantity.start) is not None
        found = found or (BARE.match(self.text, end) if planned else None)
        if found is None and planned and LEAVING.search(self.text[sentence.start : quantity.start]):
            return "under"
        return (found.lastgroup or "") if found is not None else ""

    def _behind_gloss(self, quantity: Quantity, sentence: Sentence) -> int:
        """Return where a number ends with what says it again in brackets ("$1,200 (30%) over budget")."""
        place = position(quantity, sentence) + 1
        for gloss in sentence.quantities[place : place + 1]:
            if gloss.bracketed and not self.text[quantity.end : gloss.start].strip():
                return gloss.end
        return quantity.end

    def _is_what_came(self, quantity: Quantity, sentence: Sentence, rows: frozenset[int]) -> bool:
        """Tell whether a number is what it came to ("$80 over plan, at $900", "spent $900")."""
        since, after = neighbours(quantity, sentence)
        if BY_HOW_MUCH.match(self.text, quantity.end) or self._is_set_against(quantity, sentence, rows, 1):
            return True
        fits = bool(self.planned) and bool(self.fitting(quantity, self.actual))
        if fits and CAME.search(self.text[max(since, quantity.start - REACH) : quantity.start]):
            return PLANNED.search(self.text, sentence.start, sentence.end) is not None
        if AT_FIRST.fullmatch(self.text, sentence.start, quantity.start) and after < sentence.end:
            following = sentence.quantities[position(quantity, sentence) + 1]
            return AGAINST.match(self.text, following.end) is not None
        before = AGAINST.match(self.text, since)
        return before is not None and CAME_TO.fullmatch(self.text, before.end(), quantity.start) is not None

    def _holds(self, row: int, way: str) -> bool | None:
        """Tell whether what came and what was planned bear the words out; None where they cannot."""
        if len(self.actual) != 1 or len(self.planned) != 1:
            return None
        came, planned = (self.sheet.number(row, column) for column in (self.actual[0], self.planned[0]))
        if came is None or planned is None:
            return None
        if way in ("over", "under"):
            return (abs(came) > abs(planned)) == (way == "over") and came != planned
        if way in OPEN_BELOW_ZERO:
            return min(came, planned) < 0 or _is_more(came, planned, way == "above")
        paid = min(came, planned) >= 0 and any(map(PAID_OUT.search, self.sheet.row_key(row)))
        return _is_more(came, planned, (way == "better") != paid)


def _is_more(came: Decimal, planned: Decimal, more: bool) -> bool:
    return came > planned if more else came < planned
