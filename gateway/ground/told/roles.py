"""Who beat whom where a row names both ("Winner", "Runner-up"): told the other way round it is refused."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from gateway.ground.lexing.contests import told_between
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.names import Names
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import Sheet, as_text
from traces.grounding import SpanFinding

WINNER = re.compile(r"(?:winners?|champions?|gold|(?:first|1st)(?:\splace)?)\b.*", re.IGNORECASE)
LOSER = re.compile(
    r"(?:runners?[\s\u2013-]up|(?:other\s)?finalists?|losers?|silver|(?:second|2nd)(?:\splace)?)\b.*",
    re.IGNORECASE,
)
FAR = 80
Rows = frozenset[int]


def roles_of(sheet: Sheet) -> tuple[int, int] | None:
    """Return the one column of winners and the one of those who came second; None without both."""
    found = []
    for role in (WINNER, LOSER):
        columns = [key for key in sheet.keys if role.fullmatch(sheet.label(key).strip())]
        if len(columns) != 1:
            return None
        found += columns
    return found[0], found[1]


def check_roles(
    visible: Visible, names: Names, sentence: Sentence, roles: tuple[int, int]
) -> Iterator[SpanFinding]:
    """Yield a winner and a loser of one row that are told the other way round."""
    text, winners = visible.text, roles[0]
    spans: dict[tuple[int, int], dict[int, Rows]] = {}
    left: Rows = frozenset(range(names.sheet.height))
    for m in (m for m in sentence.rows if m.full):
        if m.column in roles:
            spans.setdefault((m.start, m.end), {})[m.column] = m.rows
        elif m.rows & left:
            left &= m.rows
    for (span, first), (other, second) in pairwise(sorted(spans.items())):
        told = told_between(text, span[1], other[0]) if other[0] - span[1] <= FAR else None
        if told is None or not told.won:
            continue
        lost = told.won < 0
        won, beaten = (second, first) if lost else (first, second)
        turned = _both(beaten, won, roles) & left
        if turned and not _both(won, beaten, roles) & left:
            row = min(turned)
            value = as_text(names.sheet.table.rows[row][winners])
            said = other if lost else span
            yield contradicted(visible, names.sheet, said, (row, winners), value, f"Say that {value} won.")


def _both(won: Mapping[int, Rows], beaten: Mapping[int, Rows], roles: tuple[int, int]) -> Rows:
    """Return the rows of which one name is the winner and the other came second."""
    return won.get(roles[0], NOBODY) & beaten.get(roles[1], NOBODY)
