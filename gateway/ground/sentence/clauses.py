"""A text cut into sentences, each with its numbers and the names that stand in it or are carried over."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from gateway.ground.lexing.cues import JOINS, LEADS_NEXT, OF_COLUMN, list_gap
from gateway.ground.lexing.lexicon import BREAKS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention

ENDS = re.compile(r"\n+|;|(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[^\Wa-z_])")
UNIT_BETWEEN = re.compile(r"(\s?[^\W\d_]{1,12})(,|,?\sand)\s")
LONGEST_LIST = 12
START = attrgetter("start")
UNIT_OF = re.compile(r"\s[^\W\d_]{1,12}\sof\s(?:the\s|its\s)?")
# "3% of loans are non-performing".
SHARE_IN_STATE = re.compile(
    r"\sof\s(?:[a-z]+\s){1,3}?(?:is|are|was|were)\s(?:now\s|still\s|currently\s)?", re.IGNORECASE
)
# "Two of them were gold", "95 km of which lie in Slovenia".
OF_THOSE = re.compile(
    r"(?:\s[^\W\d_]+)?\sof\s(?:them|it|which|these|those|whom)\b[^,;:.()\d]{0,30}", re.IGNORECASE
)
# Who does what a verb right behind says: a clause of its own.
SUBJECT = re.compile(r"\b(?:we|they|he|she|it|you)\s(?:have\s|has\s|had\s|also\s)?\Z", re.IGNORECASE)
PRONOUNS = ("It ", "They ", "She ", "He ", "This ", "That ")
SUBJECT_FIRST = re.compile(r"(?P<it>It|They|She|He|This|That)\s(?!(?:is|was)\s)")
SET_APART = re.compile(
    r"\b(?:ahead\sof|behind|against|than|compared\s(?:with|to)|versus|vs\.?|above|below|followed\s(?:closely\s)?by)\s"
    r"(?:\W?\d[\d.,]*%?\s(?:[a-z]+\s)?(?:in|on|at|for|from)\s)?(?:the\s|in\s|on\s|at\s|that\sof\s)?\Z",
    re.IGNORECASE,
)
SHORT = re.compile(
    r"(?:\b(?:[Nn]o|[Nn]r|vs|approx|ca|c|Mio|Mrd|Mr|Mrs|Dr|St|Inc|Ltd|Co|Corp|e\.g|i\.e|U\.S|Fig|Rs|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|est|incl|excl|[A-Z])\.)\Z"
)


# "67.08% of the vote".
SHARE_OF = re.compile(r"(?:%|\bper\s?cent)\)?\sof\s(?:the\s|all\s)?(?:[a-z]+\s)?\Z")
SHARE_REACH = 32


JUNIORS = ("Jr.", "Sr.")
MARKER = re.compile(r"\s*\d{1,3}\.")
JUNIOR = re.compile(r"\b(?:Jr|Sr)\.\Z")


class Sentence(NamedTuple):
    """A sentence, list item or table line. `carried` are earlier names for keys this one leaves out."""

    start: int
    end: int
    quantities: tuple[Quantity, ...]
    rows: tuple[Mention, ...]
    columns: tuple[Mention, ...]
    carried: tuple[Mention, ...]


def cut(text: str, quantities: Sequence[Quantity], mentions: Sequence[Mention]) -> tuple[Sentence, ...]:
    """Cut a text into sentences. Quantities and mentions come in order of their starts."""
    sentences: list[Sentence] = []
    last: dict[int, Mention] = {}
    places, numbers = [m.start for m in mentions], [q.start for q in quantities]
    for start, end in _bounds(text):
        named = mentions[bisect_left(places, start) : bisect_left(places, end)]
        own = quantities[bisect_left(numbers, start) : bisect_left(numbers, end)]
        glosses = [q for q in own if q.bracketed]  # the unit in "(58 percent)" is no name
        columns = [m for m in named if m.column < 0]
        if glosses:
            columns = [m for m in columns if not any(q.start < m.start < q.end for q in glosses)]
        both = {(m.start, m.end) for m in columns}
        rows = [m for m in named if m.column >= 0 and not ((m.start, m.end) in both and _is_base(text, m))]
        if rows and sentences and text.startswith(PRONOUNS, start):
            rows = [*_referred(text, start, rows, sentences[-1]), *rows]
        keys = {mention.column for mention in rows}
        carried = tuple([mention for key, mention in last.items() if key not in keys])
        sentences.append(Sentence(start, end, tuple(own), tuple(rows), tuple(columns), carried))
        last.update((mention.column, mention) for mention in rows)
    return tuple(sentences)


def _is_base(text: str, mention: Mention) -> bool:
    """Tell whether a word of a column only says what a share is of ("67% of the vote")."""
    return SHARE_OF.search(text, max(0, mention.start - SHARE_REACH), mention.start) is not None


def _referred(text: str, start: int, rows: Sequence[Mention], before: Sentence) -> Iterator[Mention]:
    """Yield what "it" at the start of a sentence stands for, where others are named only to compare.

    That is the one row that the sentence before named: "It had 900, well ahead of Reed with 700".
    """
    said = SUBJECT_FIRST.match(text, start)
    if said is None or not SET_APART.search(text, said.end(), rows[0].start):
        return
    first = [m for m in rows if m.full][:1]
    named = {m.rows for m in before.rows if m.full and first and m.column == first[0].column}
    if len(named) == 1 and first[0].start == rows[0].start:
        yield Mention(said.start("it"), said.end("it"), first[0].column, named.pop(), frozenset(), full=True)


def between(items: Sequence[Mention], start: int, end: int) -> Sequence[Mention]:
    """Return the items that start inside a stretch of text."""
    first = bisect_left(items, start, key=START)
    return items[first : bisect_left(items, end, key=START)]


def header_columns(text: str, columns: Sequence[Mention]) -> dict[int, frozenset[int]]:
    """Return the columns that the header of a piped table names, by where each cell starts."""
    found: dict[int, frozenset[int]] = {}
    header: list[frozenset[int]] = []
    place = 0
    for line in text.split("\n"):
        if line.lstrip().startswith("|"):
            cells = list(re.finditer(r"[^|]+", line))
            spans = [(place + cell.start(), place + cell.end()) for cell in cells]
            if not header:
                header = [frozenset().union(*(m.columns for m in between(columns, *span))) for span in spans]
            else:
                found.update((span[0], named) for span, named in zip(spans, header, strict=False) if named)
        else:
            header = []
        place += len(line) + 1
    return found


def _bounds(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in ENDS.finditer(text):
        if found.group() == ";" and text.rfind("(", start, found.start()) > text.rfind(
            ")", start, found.start()
        ):
            continue
        if SHORT.search(text[max(0, found.start() - 8) : found.start()]) and "\n" not in found.group():
            continue
        if MARKER.fullmatch(text, start, found.start()) and "\n" not in found.group():
            continue  # "1. R. Vale: 22"
        junior = text.endswith(JUNIORS, start, found.start()) and JUNIOR.search(text, start, found.start())
        if junior and not text[found.end()].isupper():
            continue  # "beat Tom Reed Jr. 61% to 39%"
        if text[start : found.start()].strip():
            yield start, found.start()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


def follows(text: str, end: int, mention: Mention) -> bool:
    """Tell whether a column name directly follows the number that ends at `end` ("310 new orders")."""
    gap = text[end : mention.start]
    if " per " in gap:
        return False
    of_whole = UNIT_OF.fullmatch(gap) or SHARE_IN_STATE.fullmatch(gap) if mention.full else None
    if of_whole or OF_THOSE.fullmatch(gap):
        return True
    return OF_COLUMN.fullmatch(gap) is not None or (not BREAKS.search(gap) and len(gap.split()) <= 4)


def is_own_verb(text: str, end: int, mention: Mention, start: int) -> bool:
    """Tell whether a name is the verb of the number behind it ("across three queues we closed 40")."""
    subject = SUBJECT.search(text[end : mention.start])
    return subject is not None and LEADS_NEXT.fullmatch(text, mention.end, start) is not None


def neighbours(quantity: Quantity, sentence: Sentence) -> tuple[int, int]:
    """Return where the number before ends and where the number after starts, within the sentence."""
    if len(sentence.quantities) == 1:
        return sentence.start, sentence.end
    place = position(quantity, sentence)
    before = sentence.quantities[place - 1].end if place else sentence.start
    after = sentence.quantities[place + 1].start if place + 1 < len(sentence.quantities) else sentence.end
    return before, after


def listed_run(text: str, quantity: Quantity, sentence: Sentence) -> Sequence[Quantity]:
    """Return the numbers of one kind that stand in a list with a number, itself among them."""
    numbers = sentence.quantities
    if len(numbers) == 1:
        return numbers
    first = last = position(quantity, sentence)
    while first and last - first <= LONGEST_LIST and _is_listed(text, *numbers[first - 1 : first + 1]):
        first -= 1
    while (
        last + 1 < len(numbers)
        and last - first <= LONGEST_LIST
        and _is_listed(text, *numbers[last : last + 2])
    ):
        last += 1
    return numbers[first : last + 1]


def _is_listed(text: str, first: Quantity, second: Quantity) -> bool:
    if (first.measure, first.currencies) != (second.measure, second.currencies):
        return False
    gap = text[first.end : second.start]
    united = UNIT_BETWEEN.fullmatch(gap)
    if united is not None and text.startswith(united[1], second.end):
        gap = united[2]  # "640 MW and 910 MW"
    return list_gap(gap) in JOINS


def position(quantity: Quantity, sentence: Sentence) -> int:
    """Return which number of its sentence a quantity is."""
    if len(sentence.quantities) == 1:
        return 0
    return bisect_left(sentence.quantities, quantity.start, key=START)
