"""By how much a row missed its plan ("came in $305k worse than planned"): the variance, not the plan."""

import re
from decimal import Decimal

from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.lexicon import CHANGE_LABEL
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sentence.idioms import Fits
from gateway.ground.table.sheet import Sheet

_PLAN = r"(?:budget(?:ed)?|plan(?:ned)?|target(?:ed)?|forecast|expected)"
AGAINST = re.compile(
    r"\s(?:(?P<over>over|more\sthan)|(?P<under>under|less\sthan|short\sof)|(?P<better>better\sthan|ahead\sof)"
    r"|(?P<worse>worse\sthan|behind|adrift\sof)|(?P<above>above|higher\sthan)|(?P<below>below|lower\sthan))"
    rf"\s(?:the\s|its\s|their\s|our\s)?(?:[a-z]+\s)?{_PLAN}\b",
    re.IGNORECASE,
)
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
        self.planned = [c for c, label in plain.items() if PLANNED.search(label)]
        self.told = bool(self.planned or self.variances) and AGAINST.search(text) is not None

    def read(
        self, quantity: Quantity, place: Place, direction: Direction, sentence: Sentence
    ) -> tuple[Place, Direction] | None:
        """Return where a number told against the plan points and its sign; both unchanged for any other.

        None where the row of the number refutes the words.
        """
        if not self.told:
            return place, direction
        since, _ = neighbours(quantity, sentence)
        if len(self.actual) == 1 and self._is_what_came(quantity, since):
            return place._replace(columns=frozenset(self.actual), named=True), direction
        found = AGAINST.match(self.text, quantity.end)
        if found is None or place.rows is None or len(place.rows) != 1:
            return place, direction
        way = found.lastgroup or ""
        fit = self.fitting(quantity, self.variances)
        columns = frozenset(c for c in fit if VARIANCE.search(self.sheet.label(c))) or fit
        at = place._replace(columns=columns, named=True) if columns else place
        holds = self._holds(next(iter(place.rows)), way)
        if holds is False:
            return None
        if holds:
            return at, Direction(0, either=True)
        return at, Direction(1 if way in ("over", "better", "above") else -1)

    def _is_what_came(self, quantity: Quantity, since: int) -> bool:
        """Tell whether a number is what it came to ("$80 over plan, at $900", "$900, $80 over plan")."""
        if BY_HOW_MUCH.match(self.text, quantity.end):
            return True
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
