"""Numbers said of several rows at once ("both A and B won 3", "A and B won 3 each"): of each of them."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from gateway.ground.lexing.cues import JOINS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence, listed_run, position

BOTH = re.compile(r"\bboth\s(?:the\s)?\W?\Z", re.IGNORECASE)
EACH = re.compile(r"\beach\b(?!\s(?:other|of)\b)", re.IGNORECASE)
TOGETHER = re.compile(
    r"\b(?:together|combined|jointly|in\s(?:all|total)|altogether|between\sthem)\b", re.IGNORECASE
)
PAUSE = re.compile(r"[,;:.!?()]|\b(?:and|but|while|whereas)\b", re.IGNORECASE)
LISTED = JOINS | {"and the", ", and the", ", the"}
# One of these is in any text that says so.
OF_EACH = frozenset(("both", "each"))
REACH = 30


def said_of_each(text: str, quantity: Quantity, sentence: Sentence) -> Sequence[Mention]:
    """Return the names of all rows that a number is said to be the figure of, each by itself."""
    place = position(quantity, sentence)
    since = sentence.quantities[place - 1].end if place else sentence.start
    if text.find("oth ", since, quantity.start) < 0 and text.find("each", since, quantity.end + REACH) < 0:
        return ()
    names = _led(text, since, quantity, sentence)
    if len(names) < 2 or len(listed_run(text, quantity, sentence)) > 1:
        return ()
    lead = text[names[-1].end : quantity.start]
    behind = PAUSE.split(text[quantity.end : quantity.end + REACH])[0]
    if TOGETHER.search(lead) or TOGETHER.search(behind):
        return ()
    both = len(names) == 2 and BOTH.search(text[max(0, names[0].start - 12) : names[0].start])
    return names if both or EACH.search(lead) or EACH.search(behind) else ()


def _led(text: str, since: int, quantity: Quantity, sentence: Sentence) -> Sequence[Mention]:
    """Return the last list of names of rows of one kind before a number, from a place on."""
    begin = bisect_left(sentence.rows, since, key=lambda m: m.start)
    end = bisect_left(sentence.rows, quantity.start, lo=begin, key=lambda m: m.start)
    full = {m.start: m for m in sentence.rows[begin:end] if m.full and m.end <= quantity.start}
    run: list[Mention] = []
    for first, second in pairwise(full.values()):
        joined = text[first.end : second.start].strip().lower() in LISTED and first.column == second.column
        run = [*(run or [first]), second] if joined else []
    return run
