"""Who is said to lead by a difference of two rows: the larger figure, and of times the smaller one."""

import re
from collections.abc import Iterable, Iterator, Sequence

from gateway.ground.compared.extremes import LOW_WINS, is_praised
from gateway.ground.compared.verdict import Verdict
from gateway.ground.compared.wanted import PRAISED, UNWANTED
from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.contests import OUTDO, TRAIL
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import TIME_UNITS
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

_ABOUT = r"(?:just\s|only\s|about\s|some\s|a\smere\s|a\sfull\s|as\smuch\sas\s)?"
LED_BY = re.compile(
    rf"\b(?P<ahead>led|leads|leading|won|wins|winning|lead(?:\sof|\swas))\s(?:by\s)?{_ABOUT}\Z", re.IGNORECASE
)
# "Rowing beat Chess by 12 points", "Chess lagged behind Rowing by 12".
PAIRED = re.compile(
    rf"\b(?:(?P<ahead>{OUTDO}|led|leads|(?:ahead|clear|in\sfront)\sof)|(?P<behind>{TRAIL}|behind|adrift\sof|short\sof))\s"
    rf"(?P<object>[^,;:.()\d]{{1,60}}?)\sby\s{_ABOUT}\W?\Z",
    re.IGNORECASE,
)
# "80 basis points worse than Baseline": what is better depends on the figure.
_THAN = r"\s(?:[a-z]+\s){0,2}?than\s(?P<object>[^,;:.()\d]{1,40})"
JUDGED = re.compile(
    rf"\s(?:[a-z]+\s){{0,2}}?(?:(?P<ahead>better|stronger)|(?P<behind>worse|weaker)){_THAN}", re.IGNORECASE
)
# "8 minutes longer than in Zug": who has more, whatever is better.
SIZED = re.compile(
    r"\s(?:[a-z]+\s){0,2}?(?:(?P<ahead>longer|taller|larger|bigger|heavier|older|wider|deeper|dearer|pricier|costlier)"
    rf"|(?P<behind>shorter|smaller|lighter|younger|narrower|shallower|cheaper|quicker|faster)){_THAN}",
    re.IGNORECASE,
)
# Of what one has rather less.
CHANGES = frozenset(("difference", "pp_change", "pct_change"))
TIMES = frozenset(("min", "h", "s", "day"))
REACH = 100


def lead_sign(text: str, sheet: Sheet, derived: Derived, quantity: Quantity, sentence: Sentence) -> int:
    """Return the sign that a declared difference must have where its subject leads by it; 0 where open."""
    said = _said(text, quantity, sentence) if _is_gap(derived) else None
    if said is None or derived.lead is None:
        return 0
    rows = _subject(derived, said, sentence)
    if len(rows) != 1 or (said.re is not LED_BY and _object(derived, said, sentence) != derived.rows - rows):
        return 0
    own = 1 if (derived.lead[0] in rows) == (said["ahead"] is not None) else -1
    return own if said.re is SIZED else own * _wanted(sheet, next(iter(derived.columns)), said)


def is_led_by_other(text: str, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
    """Tell whether a number sets another row than those of a declared difference ahead or behind."""
    said = _said(text, quantity, sentence) if _is_gap(derived) else None
    if said is None or said.re is LED_BY:
        return False
    named = _object(derived, said, sentence)
    return named is not None and not named


def is_unwanted(sheet: Sheet, columns: Iterable[int]) -> bool:
    """Tell whether less is better of what columns hold: what improved is below what it was."""
    return all(UNWANTED.search(sheet.label(c)) and not PRAISED.search(sheet.label(c)) for c in columns)


def led_by(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield that one row is ahead of another by a declared difference, which its sign has borne out."""
    for binding in bindings:
        derived = binding.derived
        if derived is not None and lead_sign(text, sheet, derived, binding.quantity, sentence):
            yield Verdict(True, derived.expression, "ahead")


def _is_gap(derived: Derived) -> bool:
    """Tell whether a derivation sets one row apart from another, in one column."""
    return derived.op in CHANGES and len(derived.rows) == 2 and len(derived.columns) == 1


def _said(text: str, quantity: Quantity, sentence: Sentence) -> re.Match[str] | None:
    """Return the words around a number that set one row ahead of another by it."""
    since = max(sentence.start, quantity.start - REACH)
    led = LED_BY.search(text, max(since, quantity.start - 40), quantity.start)
    if led is not None:
        return led
    by = " by " in text[max(since, quantity.start - 20) : quantity.start]
    paired = PAIRED.search(text, since, quantity.start) if by else None
    if paired is not None or " than " not in text[quantity.end : quantity.end + REACH]:
        return paired
    return JUDGED.match(text, quantity.end, sentence.end) or SIZED.match(text, quantity.end, sentence.end)


def _subject(derived: Derived, said: re.Match[str], sentence: Sentence) -> frozenset[int]:
    """Return the row of a pair that is said to be ahead or behind: the last one named before."""
    led = [m.rows & derived.rows for m in sentence.rows if m.end <= said.start()]
    return led[-1] if led else frozenset()


def _object(derived: Derived, said: re.Match[str], sentence: Sentence) -> frozenset[int] | None:
    """Return the row of a pair that the other one is set against; None where no row is named."""
    first, last = said.span("object")
    against = [m.rows & derived.rows for m in sentence.rows if m.full and first <= m.start < last]
    return against[0] if against else None


def _wanted(sheet: Sheet, column: int, said: re.Match[str]) -> int:
    """Return 1 where the larger figure of a column is ahead, -1 where the smaller one is, 0 where open."""
    measured, sizes = sheet.measured[column], sheet.sizes.get(column, frozenset())
    if measured.carrier == "clock" or measured.unit in TIME_UNITS.values() or sizes & TIMES:
        return -1
    if is_praised(sheet, column):
        return 1
    label = sheet.label(column)
    if UNWANTED.search(label):
        return -1 if said.re is JUDGED else 0
    return 0 if LOW_WINS.search(label) else 1
