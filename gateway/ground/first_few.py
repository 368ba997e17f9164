"""Lists of the first few ("The three largest groups are Ames, Bell and Cole"): how many, and who they are."""

import re
from collections.abc import Sequence
from itertools import pairwise

from gateway.ground.clauses import Sentence
from gateway.ground.lexicon import HIGHS, LOWS
from gateway.ground.mentions import Mention
from gateway.ground.tokens import Quantity

LED = re.compile(r"\b(?:the|its|his|her|their|whose)\s\Z", re.IGNORECASE)
# Between the superlative and the first name: what they are.
LISTED = re.compile(
    r"(?:\s(?!and\b|but\b)[^\W\d_][\w-]*){0,6}?"
    r"(?:\s(?:are|were|is|was|being|include[ds]?)\s|:\s|,\s|\s\()(?:the\s)?",
    re.IGNORECASE,
)
JOINED = re.compile(
    r"(?:\s\([^()]{1,60}\)|,?\s(?:with|at|on|by)\s(?:[^,;()]|(?<=\d),(?=\d)){1,40}?)?(?:,|,?\s(?:and|then|&))\s(?:the\s)?",
    re.IGNORECASE,
)
REACH = 40
Span = tuple[int, int]


def top_list(text: str, quantity: Quantity, sentence: Sentence) -> tuple[Sequence[Mention], bool]:
    """Return the names of a list that a number and a superlative lead, and whether the most are meant."""
    said, high = _ranking(text, quantity, sentence)
    until = max(said[1], quantity.end)
    names = (
        list({m.start: m for m in sentence.rows if m.full and m.start >= until}.values()) if said[1] else []
    )
    if not names or LISTED.fullmatch(text, until, names[0].start) is None:
        return (), high
    count = 1
    for first, second in pairwise(names):
        if first.column != second.column or JOINED.fullmatch(text, first.end, second.start) is None:
            break
        count += 1
    return names[:count], high


def _ranking(text: str, quantity: Quantity, sentence: Sentence) -> tuple[Span, bool]:
    """Return the superlative beside a number ("the three largest", "the top three"), (0, 0) for none."""
    lead = text[max(sentence.start, quantity.start - REACH) : quantity.start]
    if quantity.measure == "plain" and not quantity.hedge:
        for words in (HIGHS, LOWS):
            said = words.match(text, quantity.end + 1) if LED.search(lead) else None
            led = next((w for w in words.finditer(lead) if w.end() == len(lead) - 1), None)
            if said:
                return said.span(), words is HIGHS
            if led and LED.search(lead, 0, led.start()):
                start = quantity.start - len(lead)
                return (start + led.start(), start + led.end()), words is HIGHS
    return (0, 0), True


def counts_names(text: str, quantity: Quantity, sentence: Sentence) -> bool:
    """Tell whether a number says how many names the list of the first few has, one row each."""
    names, _ = top_list(text, quantity, sentence)
    rows = {m.rows for m in names}
    return len(rows) == len(names) > 1 and quantity.readings[0].value == len(names)


def leads_list(text: str, start: int, sentence: Sentence) -> bool:
    """Tell whether a superlative that starts at a place ranks a list of the first few."""
    return any(
        len(top_list(text, q, sentence)[0]) > 1
        for q in sentence.quantities
        if _ranking(text, q, sentence)[0][0] == start
    )
