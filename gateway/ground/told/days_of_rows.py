"""The days and years that rows stand for, those written out before 1900 too ("4 June 1804")."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from gateway.ground.naming.day_spans import DAY
from gateway.ground.naming.names import Names
from gateway.ground.table.sheet import LOOKED_AT, as_text
from metric_layer.period_bounds import Window
from metric_layer.period_words import MONTHS

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
WRITTEN = re.compile(
    rf"(?:(?P<day>\d{{1,2}})\s(?P<month>{_MONTH})\s|(?P<led>{_MONTH})\s(?P<nth>\d{{1,2}}),?\s)?"
    r"(?P<year>1\d{3}|20\d\d)",
    re.IGNORECASE,
)


def days_of_rows(names: Names) -> Mapping[int, Mapping[int, Window]]:
    """Return the window of each row by the key columns of days or years, where at least two differ."""
    found: dict[int, Mapping[int, Window]] = dict(names.row_windows)
    for key in names.sheet.keys:
        if key not in found:
            found[key] = dict(_written(names, key))
    return {key: windows for key, windows in found.items() if len(set(windows.values())) > 1}


def _written(names: Names, key: int) -> Iterator[tuple[int, Window]]:
    """Yield the days of the rows of a column whose first cells are written out as days or years."""
    rows = names.sheet.table.rows
    first = [cell for row in rows[:LOOKED_AT] if (cell := as_text(row[key]).strip(" -\u2013"))][:1]
    if not first or WRITTEN.fullmatch(first[0]) is None:
        return
    for row, cells in enumerate(rows):
        said = WRITTEN.fullmatch(as_text(cells[key]).strip())
        window = _window(said) if said else None
        if window is not None:
            yield row, window


def _window(said: re.Match[str]) -> Window | None:
    """Return the days of a written day or year; None where the calendar has no such day."""
    year, month = int(said["year"]), said["month"] or said["led"]
    if not month:
        return date(year, 1, 1), date(year + 1, 1, 1)
    try:
        day = date(year, MONTHS[month.lower()], int(said["day"] or said["nth"]))
    except ValueError:
        return None
    return day, day + DAY
