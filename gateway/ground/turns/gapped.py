"""Clauses without a verb ("A stood still for 96 minutes, B for 512"): of the column of the clause before."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gateway.ground.lexing.lexicon import PARTS
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, between

# What opens such a clause, and what may stand between its name and its number.
OPENS = re.compile(r"(?:,|;|,?\s(?:and|while|but))\s(?:the\s)?\Z", re.IGNORECASE)
LEADS = re.compile(
    r",?\s(?:(?:for|with|at|by|on|in)\s)?(?:about\s|only\s|just\s)?[$\u20ac\u00a3]?", re.IGNORECASE
)
REACH, NUMBERS = 160, 6


def out_of_gap(text: str, bindings: Sequence[Binding], sentence: Sentence) -> Iterator[int]:
    """Yield the numbers of clauses without a verb that show another column than the clause before."""
    for at, (first, second) in enumerate(pairwise(bindings)):
        if first.cell is None or second.cell is None or first.quantity.measure != second.quantity.measure:
            continue
        if first.cell[0] == second.cell[0] or second.quantity.slot is not None:
            continue
        name = _name(text, first, second, sentence)
        if name is None or _names_column(text, name, second, sentence):
            continue
        before = _of_clause_before(bindings[max(0, at + 1 - NUMBERS) : at + 1], name, sentence)
        allowed = {b.cell[1] for b in before if b.cell}
        if second.cell[1] not in allowed:
            yield at + 1


def _name(text: str, first: Binding, second: Binding, sentence: Sentence) -> Mention | None:
    """Return the name right before the second number that opens its clause."""
    start, end = first.quantity.end, second.quantity.start
    near = between(sentence.rows, start, end) if end - start < REACH else ()
    led = (m for m in near if m.end <= end and OPENS.search(text, start, m.start))
    return next((m for m in led if LEADS.fullmatch(text, m.end, end)), None)


def _names_column(text: str, name: Mention, binding: Binding, sentence: Sentence) -> bool:
    """Tell whether a word of the clause names a column of its own ("B 7 losses")."""
    following = bisect_left(sentence.quantities, binding.quantity.end, key=lambda q: q.start)
    until = sentence.quantities[following].start if following < len(sentence.quantities) else sentence.end
    part = PARTS.search(text, binding.quantity.end, until)
    end = part.start() if part else until
    return bool(between(sentence.columns, name.end, end))


def _of_clause_before(bindings: Sequence[Binding], name: Mention, sentence: Sentence) -> Sequence[Binding]:
    """Return the numbers between the name of the clause before and the name of this one."""
    last = bindings[-1].quantity.start
    near = between(sentence.rows, last - REACH, last)
    since = max((m.end for m in near if not m.rows & name.rows), default=last)
    return [b for b in bindings[-NUMBERS:] if since <= b.quantity.start < name.start] or bindings[-1:]
