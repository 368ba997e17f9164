"""What the cells themselves say of a claim: who is highest, who is above whom, what rose and what fell."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gateway.ground.bind import Binding
from gateway.ground.clauses import Sentence
from gateway.ground.lexicon import COMPARED, one_of
from gateway.ground.sheet import Sheet

LOW = one_of(
    "lowest",
    "smallest",
    "least",
    "fewest",
    "weakest",
    "shortest",
    "worst",
    "bottom",
    "minimum",
    "slowest",
    "narrowest",
)
HIGH = one_of(
    "highest", "largest", "biggest", "greatest", "strongest", "longest", "tallest", "busiest", "best",
    "maximum",
    "widest", "most",
)  # fmt: skip
EITHER = frozenset(("best", "worst", "strongest", "weakest"))
NOT_ALL = one_of(
    "second", "third", "fourth", "2nd", "3rd", "4th", "among", "one of", "next", "ever", "record", "so far",
    "since",
    "except", "after", "joint",
)  # fmt: skip
RISE = one_of(
    "rose", "grew", "grown", "risen", "increased", "climbed", "jumped", "improved", "up", "gained", "surged",
    "soared",
    "widened",
)  # fmt: skip
FALL = one_of(
    "fell", "fallen", "declined", "dropped", "decreased", "down", "slipped", "shrank", "shrunk", "plunged",
    "narrowed",
    "dipped", "slid",
)  # fmt: skip
ABOVE = re.compile(
    r"above|outs(?:old|ell\w*)|surpass\w*|exceed\w*|up\son|(?:more|higher|greater|larger|bigger)\sthan",
    re.IGNORECASE,
)
BELOW = re.compile(r"below|down\son|(?:less|lower|fewer|smaller)\sthan", re.IGNORECASE)
AHEAD = re.compile(
    r"ahead\sof|beat\w*|outperform\w*|outpac\w+|outstripp\w*|overt(?:ook|ak\w+)|topp\w*", re.IGNORECASE
)
BEHIND = re.compile(r"behind|trail\w*|lag\w*", re.IGNORECASE)
FROM = re.compile(r"\bfrom\s(?:about\s|around\s)?\Z", re.IGNORECASE)
TO = re.compile(r"\bto\s(?:about\s|around\s)?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Settled:
    """What code found: whether the cells bear a claim out, and the figures that say so."""

    holds: bool
    how: str


def settle_comparison(
    text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]
) -> Settled | None:
    """Return what the cells say of a superlative or of one row above another; None where they cannot tell."""
    return _extreme(text, sheet, sentence, bindings) or _versus(text, sheet, sentence, bindings)


def settle_trend(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Settled | None:
    """Return what declared changes, signed cells or two cells in time say of a rise or fall."""
    said = text[sentence.start : sentence.end]
    rise, fall = bool(RISE.search(said)), bool(FALL.search(said))
    if rise == fall:
        return None
    changes = [b.derived for b in bindings if b.derived is not None and b.derived.change]
    if changes and all((change.value > 0) == rise for change in changes):
        return Settled(True, "; ".join(change.expression for change in changes))
    signed = [b for b in bindings if b.cell is not None and b.direction.sign and b.direction.firm]
    if signed and all(b.direction.sign == (1 if rise else -1) for b in signed):
        return Settled(True, "the signs of the cells")
    return _from_to(text, sentence, bindings, rise=rise) or _versus(text, sheet, sentence, bindings)


def _extreme(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Settled | None:
    said = text[sentence.start : sentence.end]
    high, low = HIGH.search(said), LOW.search(said)
    cells = [b.cell for b in bindings if b.cell is not None]
    word = high or low
    if word is None or (high and low) or NOT_ALL.search(said) or len(cells) != 1 or sheet.table.truncated:
        return None
    row, column = cells[0]
    figures, own = sheet.figures(column), sheet.number(row, column)
    if own is None or len(figures) < 2:
        return None
    top, bottom, name = max(figures), min(figures), sheet.label(column)
    either = word.group().lower() in EITHER
    if own == (top if high else bottom) or (either and own in (top, bottom)):
        return Settled(True, f"{name} {own} is the {'maximum' if own == top else 'minimum'}")
    if len(sentence.rows) > 1 or either or sentence.carried:
        return None
    return Settled(False, f"{name} goes {'up' if high else 'down'} to {top if high else bottom}")


def _versus(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Settled | None:
    """Compare the one bound cell with the same column of the row it is said to be above or below.

    Being ahead may also mean the smaller figure (a race), so only a word of size refutes.
    """
    cells = {b.cell for b in bindings if b.cell is not None}
    objects = [m for m in sentence.rows if COMPARED.search(text[sentence.start : m.start])]
    if len(cells) != 1 or len(objects) != 1 or len(objects[0].rows) != 1:
        return None
    row, column = next(iter(cells))
    other = next(iter(objects[0].rows))
    own, theirs = sheet.number(row, column), sheet.number(other, column)
    lead = text[max(sentence.start, objects[0].start - 30) : objects[0].start]
    up = bool(ABOVE.search(lead) or AHEAD.search(lead))
    down = bool(BELOW.search(lead) or BEHIND.search(lead))
    if own is None or theirs is None or row == other or up == down:
        return None
    holds = own != theirs and (own > theirs) == up
    if not holds and not (ABOVE.search(lead) or BELOW.search(lead)):
        return None
    keys = ("|".join(sheet.row_key(r)) for r in (row, other))
    return Settled(holds, f"{sheet.label(column)}: {next(keys)} {own}, {next(keys)} {theirs}")


def _from_to(text: str, sentence: Sentence, bindings: Sequence[Binding], *, rise: bool) -> Settled | None:
    """Compare "from X ... to Y" when both are cells."""
    for first, second in pairwise(bindings):
        led = FROM.search(text[sentence.start : first.quantity.start])
        joined = TO.search(text[first.quantity.end : second.quantity.start])
        if not (led and joined and first.cell and second.cell) or first.value is None or second.value is None:
            continue
        if first.value != second.value:
            return Settled((second.value > first.value) == rise, f"from {first.value} to {second.value}")
    return None
