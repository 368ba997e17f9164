"""What is said of a whole career: a row that adds up the rows named, a club played for from then on."""

import re
from collections.abc import Sequence
from itertools import pairwise

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.in_order import LISTED
from gateway.ground.table.sheet import Sheet

# "Came in 2012 and went on to score 30 goals": from here on no season is told.
WENT_ON = re.compile(
    r"\b(?:w[eo]nt|gone|goes|going)\son\sto\b|\b(?:end(?:ed|ing)\sup|finish(?:ed|ing))\swith\b|\bin\s(?:all|total),?\s",
    re.IGNORECASE,
)
Rows = frozenset[int]
Groups = Sequence[tuple[int, Rows]]
# Of fewer figures a sum may be chance.
LEAST = 2


def adding_up(text: str, sheet: Sheet, groups: Groups, sentence: Sentence, place: Place) -> Place:
    """Return the place of a number in the one row of totals, of no group, that adds up the rows named."""
    rows = _named(text, sentence) - sheet.totals
    if len(rows) < 2 or len(rows) == sheet.height - len(sheet.totals):
        return place
    if any(rows <= own for _, own in groups):
        return place  # they have a total of their own
    unnamed = sheet.totals - {total for total, _ in groups}
    sums = {total: _sums(sheet, total, rows) for total in unnamed}
    found = [(total, columns) for total, columns in sums.items() if len(columns) >= LEAST]
    if len(found) != 1:
        return place
    ((total, columns),) = found
    kept = columns if place.columns is None else place.columns & columns
    return place._replace(rows=frozenset((total,)), columns=kept)


def _named(text: str, sentence: Sentence) -> Rows:
    """Return the rows that the full names of a sentence agree on: those of one column are a list, or one."""
    found: Rows | None = None
    for column in {m.column for m in sentence.rows if m.full}:
        names = list({m.start: m for m in sentence.rows if m.full and m.column == column}.values())
        gaps = {text[a.end : b.start].strip().lower() for a, b in pairwise(names)}
        if not LISTED.issuperset(gaps):
            return NOBODY
        rows = NOBODY.union(*(m.rows for m in names))
        found = rows if found is None else found & rows
    return found or NOBODY


def _sums(sheet: Sheet, total: int, rows: Rows) -> frozenset[int]:
    """Return the columns in which a row shows the sum of other rows, and not nothing."""
    found = set()
    for column in sheet.figured:
        own = sheet.number(total, column)
        figures = (value for row in rows if (value := sheet.number(row, column)) is not None)
        if own and own == sum(figures):
            found.add(column)
    return frozenset(found)


def went_on(text: str, quantity: Quantity, sentence: Sentence) -> int:
    """Return from where a sentence tells of all that followed, a number in it; -1 for nowhere."""
    found = list(WENT_ON.finditer(text, sentence.start, quantity.start))
    return found[-1].start() if found else -1


def of_club(groups: Groups, sentence: Sentence, start: int) -> Rows:
    """Return the row of totals of the one name told from a place on, else of the one told at all."""
    behind = [m for m in sentence.rows if m.full and m.start >= start]
    found = {total for total, rows in groups if any(_is_of(m, total, rows) for m in behind or sentence.rows)}
    seasons = any(not any(_is_of(m, total, rows) for total, rows in groups) for m in behind)
    return frozenset(found) if len(found) == 1 and not seasons else NOBODY


def _is_of(mention: Mention, total: int, rows: Rows) -> bool:
    return mention.full and mention.rows - {total} == rows
