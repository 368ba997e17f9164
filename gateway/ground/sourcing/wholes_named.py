"""Wholes and parts told together ("9 of the 12 calls offered were answered"): which sum each of them is."""

import re
from collections.abc import Iterator

from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.cues import OPENS, PART_GAP
from gateway.ground.lexing.lexicon import PARTS
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence, neighbours, position
from gateway.ground.table.sheet import Sheet

# "87% of staff costs, which came to": what a share is of, and how much that is.
OF_WHOLE = re.compile(r"\sof\s[^\d,;:.()]{1,40},\s(?:which|that)\s[a-z]+\s(?:to\s|at\s)?\W?", re.IGNORECASE)
# "... in room revenue, and Quay supplied 47% of it".
OF_IT = re.compile(r"\sof\s(?:it|that|this|them|those|the\s(?:total|whole|lot|sum))\b", re.IGNORECASE)
TURNS_TO = re.compile(
    r"(?:[,;]|\sand|\swith|\swhile|\sof\swhich)\s(?:and\s|with\s|while\s|of\swhich\s|the\s)*\Z", re.IGNORECASE
)
PARTED = re.compile(rf"\s(?:(?P<noun>(?!out\b)[a-z]+)\s)?{PART_GAP.pattern}\s", re.IGNORECASE)
PAUSE = re.compile(r"[,;:()]|\s(?:and|but|while)\s")
NEGATED = re.compile(r"\b(?:not|never|no|nor|without|fail(?:ed|s)?|yet)\b|n['\u2019]t\b", re.IGNORECASE)
NOUN = re.compile(r"\s(?P<noun>[a-z]+)\b", re.IGNORECASE)
KIN = 5


def opens_whole(text: str, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
    """Tell whether a sum is told first, and rows only of a share behind it ("231, 91% of them in A")."""
    place = position(quantity, sentence)
    if derived.op == "sum" and place and sentence.quantities[place - 1].measure == "percent":
        return OF_WHOLE.fullmatch(text, neighbours(quantity, sentence)[0], quantity.start) is not None
    first = min(m.start for m in sentence.rows)
    rest = sentence.quantities[place + 1 :]
    if derived.op != "sum" or not rest:
        return False
    following = [other for other in rest if other.end < first]
    if following:
        return PARTS.search(text, quantity.end, following[-1].start) is not None
    turned = quantity.end <= first and TURNS_TO.search(text, quantity.end, first) is not None
    return turned and rest[0].measure == "percent" and OF_IT.match(text, rest[0].end) is not None


def names_part(
    text: str, sheet: Sheet, derived: Derived, quantity: Quantity, sentence: Sentence
) -> bool | None:
    """Tell whether a sum is the part that words around a whole name, or the whole by its noun.

    None where nothing of the kind is said.
    """
    place = position(quantity, sentence)
    pair = sentence.quantities[place : place + 2]
    if len(pair) == 2 and PARTED.fullmatch(text, pair[0].end, pair[1].start):
        if _is_negated(text, pair[0], pair[1], sentence):
            return False
        said = _said_of_part(text, pair[0], pair[1], sentence)
        counted = [_figures(sheet, mention) for mention in said]
        return any(columns and columns <= derived.columns for columns in counted) or None
    pair = sentence.quantities[max(0, place - 1) : place + 1]
    parted = PARTED.fullmatch(text, pair[0].end, quantity.start) if len(pair) == 2 else None
    said_of = parted if parted is None or parted["noun"] else NOUN.match(text, quantity.end)
    if said_of is None or _names_other(derived, said_of.start("noun"), sentence):
        return None
    own = {word[:KIN] for column in derived.columns for word in sheet.label_words[column]}
    return any(len(word) >= KIN and word[:KIN] in own for word in split_words(said_of["noun"])) or None


def opens_next(text: str, mention: Mention, quantity: Quantity, after: int) -> bool:
    """Tell whether a name behind a number opens the next one ("against a budget of 8.74")."""
    return mention.start > quantity.end and OPENS.fullmatch(text, mention.end, after) is not None


def _said_of_part(text: str, part: Quantity, whole: Quantity, sentence: Sentence) -> Iterator[Mention]:
    """Yield the names that say what became of a part: right before it, or behind the noun of its whole."""
    before, _ = neighbours(part, sentence)
    until = _end_of_whole(text, whole, sentence)
    noun = max((m.end for m in sentence.columns if m.start == whole.end + 1), default=whole.end)
    for mention in sentence.columns:
        led = before <= mention.start and mention.end + 1 == part.start
        if led or (mention.start > noun and mention.end <= until):
            yield mention


def _names_other(derived: Derived, start: int, sentence: Sentence) -> bool:
    """Tell whether a noun is the full name of another column ("visits" of Visits, beside Visitors)."""
    return any(m.full and m.start == start and not m.columns & derived.columns for m in sentence.columns)


def _is_negated(text: str, part: Quantity, whole: Quantity, sentence: Sentence) -> bool:
    """Tell whether a part is said not to have become something, outside of a name ("No label")."""
    before, _ = neighbours(part, sentence)
    spans = ((before, part.start), (whole.end, _end_of_whole(text, whole, sentence)))
    return any(
        not any(m.start <= found.start() < m.end for m in sentence.columns)
        for span in spans
        for found in NEGATED.finditer(text, *span)
    )


def _end_of_whole(text: str, whole: Quantity, sentence: Sentence) -> int:
    """Return where what is said behind a whole ends."""
    _, after = neighbours(whole, sentence)
    pause = PAUSE.search(text, whole.end, after)
    return pause.start() if pause else after


def _figures(sheet: Sheet, mention: Mention) -> frozenset[int]:
    """Return the columns of a name that a count may be of: no rates."""
    return frozenset(c for c in mention.columns if sheet.measured[c].carrier in ("number", "currency"))
