"""Who is said to lead by a difference of two rows: the larger figure, and of times the smaller one."""

import re

from gateway.ground.clauses import Sentence
from gateway.ground.derive import Derived
from gateway.ground.extremes import LOW_WINS
from gateway.ground.sheet import Sheet
from gateway.ground.tokens import Quantity
from gateway.ground.units import TIME_UNITS

LED_BY = re.compile(
    r"\b(?:led|leads|leading|won|wins|winning|lead(?:\sof|\swas))\s(?:by\s)?(?:just\s|only\s|about\s|some\s|a\smere\s)?\Z",
    re.IGNORECASE,
)

TIMES = frozenset(("min", "h", "s", "day"))


def lead_sign(text: str, sheet: Sheet, derived: Derived, quantity: Quantity, sentence: Sentence) -> int:
    """Return the sign that a declared difference must have where its subject leads by it; 0 where open."""
    said = LED_BY.search(text, max(sentence.start, quantity.start - 40), quantity.start)
    if said is None or derived.op != "difference" or derived.lead is None or len(derived.rows) != 2:
        return 0
    subjects = [m for m in sentence.rows if m.end <= said.start()]
    rows = subjects[-1].rows & derived.rows if subjects else frozenset()
    if len(rows) != 1 or len(derived.columns) != 1:
        return 0
    column = next(iter(derived.columns))
    measured, sizes = sheet.measured[column], sheet.sizes.get(column, frozenset())
    timed = measured.carrier == "clock" or measured.unit in TIME_UNITS.values() or bool(sizes & TIMES)
    if not timed and LOW_WINS.search(sheet.label(column)):
        return 0
    own = 1 if derived.lead[0] in rows else -1
    return -own if timed else own
