"""Columns of text whose cells are scores of two sides ("2-0", "4:4", "6-3, 6-4")."""

import re
from collections.abc import Sequence

from gateway.ground.table.sheet import LOOKED_AT, CellAt, Sheet, as_text

SCORE = re.compile(r"(?<![\d.,])(\d{1,3})\s?[-\u2013\u2014:]\s?(\d{1,3})(?![\d.,]|\s?[-\u2013\u2014:]\s?\d)")
IN_ALL = re.compile(r"\bagg(?:regate|\.)?|\bscore\b|\bresult\b", re.IGNORECASE)

# What adds up over matches ("14-13").
TALLY = re.compile(r"\b(?:records?|overall|conference|w\s?[-\u2013]\s?l)\b", re.IGNORECASE)


def score_columns(sheet: Sheet) -> Sequence[int]:
    """Return the columns of scores: the one of the whole where there is one."""
    found = []
    for key in (key for key in sheet.keys if not TALLY.search(sheet.label(key))):
        cells = [as_text(row[key]) for row in sheet.table.rows[:LOOKED_AT]]
        said = [cell for cell in cells if cell.strip(" -\u2013")]
        if said and sum(SCORE.match(cell.strip()) is not None for cell in said) * 2 > len(said):
            found.append(key)
    whole = [key for key in found if IN_ALL.search(sheet.label(key))]
    return whole if len(whole) == 1 else found


def is_score(sheet: Sheet, cell: CellAt) -> bool:
    """Tell whether a cell of text is a score."""
    row, column = cell
    return column not in sheet.figured and SCORE.match(as_text(sheet.table.rows[row][column])) is not None
