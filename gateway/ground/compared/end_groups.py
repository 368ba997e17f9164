"""Who is said to be among the first or the last few ("A and B ended in the bottom 3"): by their ranks."""

import re
from collections.abc import Iterator

from gateway.ground.compared.first_few import END
from gateway.ground.compared.ranks import RANK_LABEL, rank_of
from gateway.ground.compared.verdict import Verdict
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import rows_by_span
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

# "The bottom 3 by sales": of another order than the ranks.
BY_ELSE = re.compile(
    r"(?:\s[a-z]+){0,3}?\s(?:by|for|of|on|per|in\sterms|according|when|at|after|before|until|throughout|most|seed\w*|scor\w+|pick\w*|earn\w+|sell\w+|goal\w*)\b|%",
    re.IGNORECASE,
)
PARTS = re.compile(r";|:(?=\s)|\b(?:while|whereas|but|ahead|above|below|behind|over|than)\b", re.IGNORECASE)
NOT = re.compile(
    r"\b(?:not|never|none|no|neither|nor|nobody|without|outside|just|missed|almost|nearly)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
LED = ("top ", "bottom ")
REACH, FEWEST, FURTHER = 28, 4, 60


def end_groups(text: str, sheet: Sheet, sentence: Sentence) -> Iterator[Verdict]:
    """Yield whether those named before a "top 3" or a "bottom 3" are among so many by their ranks."""
    for quantity in sentence.quantities:
        verdict = is_at_end(text, sheet, quantity, sentence)
        if verdict is not None:
            yield verdict


def is_at_end(text: str, sheet: Sheet, quantity: Quantity, sentence: Sentence) -> Verdict | None:
    """Return whether the rows named before a number are among so many at one end; None where it is open."""
    said = end_said(text, quantity, sentence)
    if said is None or sheet.table.truncated:
        return None
    many = int(quantity.readings[0].value)
    columns = [c for c in range(len(sheet.columns)) if RANK_LABEL.fullmatch(sheet.label(c))]
    rows = _named(text, quantity, sentence) if len(columns) == 1 and 0 < many < sheet.height else frozenset()
    if not rows or BY_ELSE.match(text, quantity.end, min(sentence.end, quantity.end + FURTHER)):
        return None
    ranks = {row: rank_of(sheet, row, columns[0]) for row in range(sheet.height) if row not in sheet.totals}
    own = [ranks.get(row, 0) for row in rows]
    if len(ranks) < FEWEST or 0 in own or not _is_whole(list(ranks.values())):
        return None
    high = said["end"].lower() == "top"
    edge = sorted(ranks.values(), reverse=not high)[many - 1]
    holds = len(rows) <= many and all(rank <= edge if high else rank >= edge for rank in own)
    told = ", ".join(map(str, sorted(own)))
    return Verdict(holds, f"{sheet.label(columns[0])}: {told} of {len(ranks)}", said["end"].lower())


def end_said(text: str, quantity: Quantity, sentence: Sentence) -> re.Match[str] | None:
    """Return the words before a number that make it one end of an order ("in the bottom 3")."""
    if not text.endswith(LED, 0, quantity.start):
        return None
    whole = quantity.measure == "plain" and not quantity.hedge and quantity.readings[0].step == 1
    said = END.search(text, max(sentence.start, quantity.start - REACH), quantity.start) if whole else None
    return None if said is None or NOT.search(text, sentence.start, said.start()) else said


def _is_whole(ranks: list[int]) -> bool:
    """Tell whether ranks number all rows, so that the last of them are the last of all."""
    return 0 not in ranks and len(set(ranks)) * 2 > len(ranks) and min(ranks) == 1


def _named(text: str, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
    """Return the rows named in the clause before a number, one for each name."""
    since = max(
        (p.end() for p in PARTS.finditer(text, sentence.start, quantity.start)), default=sentence.start
    )
    named = rows_by_span(
        m for m in sentence.rows if m.full and since <= m.start and m.end <= quantity.start
    ).values()
    alone = all(len(rows) == 1 for rows in named)
    return frozenset[int]().union(*named) if alone else frozenset()
