"""Places in the order of a figure that is named behind them ("ranked 1st for silver medals")."""

import re

from gateway.ground.compared.extremes import LOW_WINS
from gateway.ground.lexing.cues import RANKS
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

IN_ORDER_OF = re.compile(
    r"\s(?:for|in|by|on)\s(?:the\s|its\s|his\s|her\s|their\s|most\s|total\s|overall\s|number\sof\s|terms\sof\s)*",
    re.IGNORECASE,
)
# Behind the figure: a smaller field than all rows.
IN_FIELD = re.compile(r"(?:\s[a-z]+)?\s(?:among|amongst|within|in|of|for)\s(?!\d)", re.IGNORECASE)
# Of these the smallest may be what comes first.
LOW_FIRST = re.compile(
    r"rate|error|defect|complaint|crime|cost|churn|age\b|distance|days|hours|minutes|penalt|foul|late|overdue|price"
    r"|loss|debt|fault|delay|death|emission|unemploy|handicap|time",
    re.IGNORECASE,
)


def ordered_by(text: str, sheet: Sheet, sentence: Sentence, end: int) -> int | None:
    """Return the column of figures by which a place that ends at `end` is said to be one; None for none."""
    for mention in sentence.columns:
        column = next(iter(mention.columns)) if mention.full and len(mention.columns) == 1 else None
        if column is None or not _is_figure(sheet, column) or sheet.table.truncated:
            continue
        if IN_ORDER_OF.fullmatch(text, end, mention.start) and not IN_FIELD.match(text, mention.end):
            return column
    return None


def places_in(sheet: Sheet, row: int, column: int) -> frozenset[int]:
    """Return the places a row has in the order of a column: from the top, and where less may win."""
    own = sheet.figure(row, column)
    totals = sheet.totals - {row}
    figures = [sheet.figure(other, column) for other in range(sheet.height) if other not in totals]
    if own is None:
        return frozenset()
    above = [figure for figure in figures if figure is not None and figure > own]
    places = {len(above) + 1, len(set(above)) + 1}
    label = sheet.label(column)
    if LOW_FIRST.search(label) or LOW_WINS.search(label):
        below = [figure for figure in figures if figure is not None and figure < own]
        places |= {len(below) + 1, len(set(below)) + 1}
    return frozenset(places)


def _is_figure(sheet: Sheet, column: int) -> bool:
    """Tell whether a column holds figures that rows are ordered by, and is no place and no period itself."""
    dated = any(character.isdigit() for character in sheet.label(column))
    return column in sheet.figured and not dated and not RANKS & sheet.label_words[column]
