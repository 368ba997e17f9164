"""Columns that are parts of a column of totals ("Total, Male, Female"): a figure of no part is the total."""

from collections.abc import Sequence
from decimal import Decimal

from gateway.ground.lexing.stems import split_words
from gateway.ground.pointing.places import Place
from gateway.ground.table.sheet import Sheet

WHOLE = frozenset(("total", "all", "overall", "both", "person", "everyone"))


def whole_column(sheet: Sheet) -> int | None:
    """Return the column of totals that all other columns of figures are parts of; None for none."""
    labelled = [c for c in sheet.figured if WHOLE & set(split_words(sheet.label(c)))]
    parts = sorted(sheet.figured.difference(labelled))
    if len(labelled) != 1 or len(parts) < 2:
        return None
    sums = (_is_sum(sheet, row, labelled[0], parts) for row in range(sheet.height))
    checked = [told for told in sums if told is not None]
    return labelled[0] if checked and sum(checked) * 2 > len(checked) else None


def _is_sum(sheet: Sheet, row: int, whole: int, parts: Sequence[int]) -> bool | None:
    """Tell whether a row's parts make its total; None where a figure is missing or all are nothing."""
    total, figures = sheet.number(row, whole), [sheet.number(row, part) for part in parts]
    held = [figure for figure in figures if figure is not None]
    if not total or len(held) < len(parts):
        return None
    return sum(held, Decimal(0)) == total


def in_whole(place: Place, whole: int | None) -> Place:
    """Return the place of a number in the column of totals where its words name no column at all."""
    if whole is None or place.columns is not None or not place.firm:
        return place
    return place._replace(columns=frozenset((whole,)))
