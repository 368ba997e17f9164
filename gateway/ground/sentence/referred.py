"""What a sentence refers to without its name: "the former", "whose 12 issues", an aside that is closed."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.cues import TURNS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.idioms import Fitting

LATTER = re.compile(r"\bthe\slatter(?:'s|\u2019s)?\b(?!\s(?:half|part|stages?|year|period)\b)", re.IGNORECASE)
FORMER = re.compile(r"\bthe\sformer(?:'s|\u2019s)?\b", re.IGNORECASE)
# Between the two that "the former" and "the latter" mean.
PAIRED = re.compile(r"[^.;:]{0,60}")
OF_OWNER = frozenset(("whose",))
WHOSE = re.compile(r",\swhose\s(?:[a-z]+\s){0,2}\W?", re.IGNORECASE)
ASIDE = re.compile(r",\s(?:who|which|whose)\b[^,;:()]{1,80},\s", re.IGNORECASE)
BRACKET = re.compile(r"\([^()\d]*\d[^()]*\)")
# "EMEA net sales": sales of EMEA, whatever row is called "Total net sales".
WORTH = re.compile(r"\s(?:net|gross|total)\s")
# "A 27-story tower" is no name of Baltic Tower.
ANY_SUCH = re.compile(r"\ban?\s(?:[\w-]+\s){0,2}\Z")
# "A population of 900" is one.
COUNT_OF = re.compile(r"\sof\s(?:[a-z]+\s)?\W?\d")
HELD = 8
REACH, FAR = 80, 240


def pair_mentions(text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Yield the rows that "the former" and "the latter" stand for: the last two that were named in full."""
    said = [(found, -1) for found in LATTER.finditer(text)]
    said += [(found, -2) for found in FORMER.finditer(text)] if said else []
    named = [m for m in mentions if m.names_rows and m.full and len(m.rows) == 1] if said else []
    starts = [m.start for m in named]
    for found, which in said:
        opened = min(other.start() for other, _ in said)
        led = named[max(0, bisect_right(starts, opened) - HELD) : bisect_right(starts, opened)]
        last = [m for m in led if m.column == led[-1].column][-2:]
        apart = len(last) == 2 and last[0].rows != last[1].rows
        if apart and PAIRED.fullmatch(text, last[0].end, last[1].start):
            yield last[which]._replace(start=found.start(), end=found.end())


def owner(text: str, quantity: Quantity, sentence: Sentence) -> Mention | None:
    """Return the one row whose number it is by "whose" ("drew The Long Tide, whose 12 issues")."""
    since = max(sentence.start, quantity.start - REACH)
    if text.find(", whose ", since, quantity.start) < 0:
        return None
    led = _near(sentence.rows, since - REACH, quantity.start)
    named = [m for m in led if m.full and len(m.rows) == 1]
    return next((m for m in named if WHOSE.fullmatch(text, m.end, quantity.start)), None)


def outside_asides(text: str, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> Fitting:
    """Leave out names in a closed aside before a number ("Gliga, who won only once, ended on 4.5").

    A bracket with a figure of its own is one ("Gliga (rated 2410) ended on 4.5").
    """
    since = max(sentence.start, quantity.start - FAR)
    closed: list[tuple[int, int]] = []
    if text.find(", wh", since, quantity.start) >= 0:
        closed += [said.span() for said in ASIDE.finditer(text, since, quantity.start)]
    if text.find("(", since, quantity.start) >= 0:
        closed += [said.span() for said in BRACKET.finditer(text, since, quantity.start)]
    if not closed:
        return fitting
    closed = [(start, end) for start, end in closed if end < quantity.start]
    return [(m, fit) for m, fit in fitting if not any(a <= m.start < b for a, b in closed)]


def outside_clause(
    text: str, quantity: Quantity, sentence: Sentence, mentions: list[Mention]
) -> list[Mention]:
    """Leave out names before "while" of other rows than those behind it ("A went free, while B cost 900")."""
    turned = max((said.end() for said in TURNS.finditer(text, sentence.start, quantity.start)), default=-1)
    behind = [m.rows for m in sentence.rows if m.full and turned <= m.start and m.end <= quantity.start]
    rows = frozenset.intersection(*behind) if turned >= 0 and behind else frozenset()
    return [m for m in mentions if m.start >= turned or m.rows & rows] if rows else mentions


def outside_brackets(text: str, sentence: Sentence) -> Sentence:
    """Return a sentence without the numbers and columns of those brackets that hold a figure."""
    if text.find("(", sentence.start, sentence.end) < 0:
        return sentence
    spans = [said.span() for said in BRACKET.finditer(text, sentence.start, sentence.end)]
    numbers = (q for q in sentence.quantities if not any(a <= q.start < b for a, b in spans))
    columns = (m for m in sentence.columns if not any(a <= m.start < b for a, b in spans))
    return sentence._replace(quantities=tuple(numbers), columns=tuple(columns))


def reach_of(mention: Mention, quantity: Quantity, sentence: Sentence) -> int:
    """Return where a name behind a number opens, with the name right before it ("Ferri's MV Agusta")."""
    near = _near(sentence.rows, max(quantity.end, mention.start - REACH), mention.start)
    return next((m.start for m in near if m.full and m.end + 1 == mention.start), mention.start)


def _near(mentions: Sequence[Mention], start: int, end: int) -> Sequence[Mention]:
    """Return the names that start in a stretch of text."""
    first = bisect_left(mentions, start, key=lambda m: m.start)
    return mentions[first : bisect_left(mentions, end, lo=first, key=lambda m: m.start)]


def noun_start(text: str, end: int) -> int:
    """Return where the noun right behind a name starts ("EMEA net sales", "Benelux orders")."""
    worth = WORTH.match(text, end)
    return worth.end() if worth else end + 1


def is_generic(text: str, mention: Mention) -> bool:
    """Tell whether a word in small letters only says what kind of thing something is ("a round tower")."""
    small = text[mention.start : mention.end].islower() and not COUNT_OF.match(text, mention.end)
    return small and ANY_SUCH.search(text[max(0, mention.start - 40) : mention.start]) is not None
