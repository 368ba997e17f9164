"""Things told in a list with a figure before and a place behind each ("a 300 MW plant in Vale and ...")."""

import re
from collections.abc import Sequence

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence

LEAD = re.compile(r"\b(?:an?|the|its|one)\s\W?\Z", re.IGNORECASE)
# What it is, and where: no word that tells of another thing.
THING = re.compile(
    r"(?:[\s-](?!(?:in|at|near|on|and|or|with|of|to|from|than|for)\s)[a-z0-9/\u00b2\u00b3][\w/-]*){1,6}\s(?:in|at|near|on)\s(?:the\s)?",
    re.IGNORECASE,
)


def site_of(text: str, quantity: Quantity, sentence: Sentence) -> frozenset[int] | None:
    """Return the row of the place behind a thing that a number measures, one of several told alike."""
    if len(sentence.quantities) < 2 or quantity.slot is not None:
        return None
    own = _site(text, quantity, sentence.rows)
    if own is None:
        return None
    every = [_site(text, other, sentence.rows) for other in sentence.quantities]
    return own if sum(site is not None for site in every) > 1 else None


def _site(text: str, quantity: Quantity, names: Sequence[Mention]) -> frozenset[int] | None:
    """Return the one row of the name that "a 300 MW plant in" leads to; None for none."""
    if LEAD.search(text, max(0, quantity.start - 8), quantity.start) is None:
        return None
    thing = THING.match(text, quantity.end)
    behind = [m for m in names if thing is not None and m.start == thing.end() and text[m.start].isupper()]
    for mention in sorted(behind, key=lambda m: not m.full):
        if len(mention.rows) == 1:
            return mention.rows
    return None
