"""The periods that rows and columns of a result stand for, and which of them a period of a text means."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import pairwise

from gateway.ground.naming.headers import without_span
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.table.sheet import LOOKED_AT, YEARS, Sheet, as_text
from metric_layer.period_bounds import Window
from metric_layer.period_words import MONTHS
from metric_layer.periods import Period, PeriodParser
from metric_layer.plan import Grain
from traces.records import Value

YEAR_ALONE = re.compile(r"(?<![\w.,])(?:19|20)\d\d(?![\w,]|\.\d)")
SEASON = re.compile(
    r"(?<![\w-])(?P<first>(?:1[5-9]|20)\d\d)[-\u2013](?P<last>(?:(?:1[5-9]|20)\d\d|\d\d))(?![\w-])"
)

# What a period without a year may be told by: a month, a quarter, a half.
UNDATED = re.compile(rf"\b(?:{'|'.join(MONTHS)}|Q[1-4]|H[12]|quarter|half)\b", re.IGNORECASE)
DIGITS = re.compile(r"\d\d|Q\d|H\d")
PART_REACH = 90
DAY = re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])")


class Dated:
    """The windows of one result: of columns that are periods, of rows, and of labels that name one."""

    def __init__(self, sheet: Sheet, parser: PeriodParser, until: date | None = None) -> None:
        """Read every label and every dated cell once.

        `columns` are columns that are periods, `labelled` those and the ones whose label names a period, and
        `bases` the columns of each label without its period. `until` is the day after the window that ran.
        """
        self.sheet = sheet
        self.parser = parser
        self._until = until or parser.today + timedelta(days=1)
        self.columns = self._column_windows()
        self.rows = self._row_windows()
        self.labelled, self.bases = self._dated_columns()

    @cached_property
    def series(self) -> Mapping[int, frozenset[int]]:
        """Return, for every dated column, those that differ from it by their period alone."""
        families = [frozenset(columns) for columns in self.bases.values()]
        return {column: family for family in (self._bare, *families) for column in family}

    @cached_property
    def _bare(self) -> frozenset[int]:
        """Return the columns that are called nothing but a period."""
        return frozenset(self.labelled).difference(*self.bases.values())

    def are_of_one_metric(self, one: int, other: int) -> bool:
        """Tell whether two dated columns may be of one metric: "2023" and "2024 (restated)" may."""
        return other in self.series.get(one, NOBODY) or not self._bare.isdisjoint((one, other))

    def find(self, periods: Sequence[Period]) -> Iterator[Mention]:
        """Yield the rows and columns that periods of a text mean."""
        columns_of = _grouped(self.labelled)
        rows_of = [(key, _grouped(windows)) for key, windows in self.rows.items()]
        for period in periods:
            columns = _matching(period, columns_of) or _closing(period, columns_of)
            columns = columns or self._of_part(period, periods)
            if columns:
                yield Mention(period.start, period.end, -1, NOBODY, columns, True)
            for key, grouped in rows_of:
                rows = (
                    self._of_season(period, key) or _matching(period, grouped) or self._of_year(period, key)
                )
                if rows:
                    yield Mention(period.start, period.end, key, rows, NOBODY, True)

    def _of_part(self, period: Period, periods: Sequence[Period]) -> frozenset[int]:
        """Return the column of a year whose quarter or month was said before ("Q1 sales: 9 in 2025")."""
        if len(period.readings) != 1 or period.bare or not self.labelled:
            return NOBODY
        first, after = period.readings[0]
        if (first, after) != year_window(first.year):
            return NOBODY
        parts = [p for p in periods if p.bare and 0 < period.start - p.end < PART_REACH]
        found = frozenset(
            column
            for column, window in self.labelled.items()
            if parts and first <= window[0] and window[1] <= after and names_window(parts[-1], window)
        )
        return found if len(found) == 1 else NOBODY

    def _of_season(self, period: Period, key: int) -> frozenset[int]:
        """Return the rows of a season whose two years are said in full ("2002-2003" of 2002\u201303)."""
        if period.kind != "range" or len(period.readings) != 1 or period.bare:
            return NOBODY
        first, after = period.readings[0]
        if (first.month, first.day, after) != (1, 1, date(first.year + 2, 1, 1)):
            return NOBODY
        return self._seasons.get((key, first.year), NOBODY)

    @cached_property
    def _seasons(self) -> Mapping[tuple[int, int], frozenset[int]]:
        """Return the rows of every season, by key column and first year."""
        found: dict[tuple[int, int], set[int]] = {}
        for key in self.rows:
            for row, cells in enumerate(self.sheet.table.rows):
                said = SEASON.fullmatch(as_text(cells[key]).strip())
                if said and (int(said["first"]) + 1) % 100 == int(said["last"][-2:]):
                    found.setdefault((key, int(said["first"])), set()).add(row)
        return {season: frozenset(rows) for season, rows in found.items()}

    def _of_year(self, period: Period, key: int) -> frozenset[int]:
        """Return the one row of a day in a year that is said alone, where no two rows are of one year."""
        if len(period.readings) != 1 or period.bare:
            return NOBODY
        first, after = period.readings[0]
        row = self._yearly(key).get(str(first.year)) if (first, after) == year_window(first.year) else None
        window = self.rows[key].get(row) if row is not None else None
        single = window is not None and window[1] - window[0] == timedelta(days=1)
        return NOBODY if row is None or not single else frozenset((row,))

    def _yearly(self, key: int) -> Mapping[str, int]:
        """Return the row of each year of a key column; empty where a cell has another number of years."""
        years = [YEARS.findall(as_text(row[key])) for row in self.sheet.table.rows]
        found = {said[0]: row for row, said in enumerate(years) if len(said) == 1}
        return found if 1 < len(found) == len(years) else {}

    def _column_windows(self) -> dict[int, Window]:
        found = (
            (i, self._window(self.sheet.label(i), self.sheet.columns[i].grain)) for i in self.sheet.numeric
        )
        return {i: window for i, window in found if window}

    def _dated_columns(self) -> tuple[dict[int, Window], dict[str, set[int]]]:
        """Return the period of every column that is one or names one, and the columns of each label left."""
        windows = dict(self.columns)
        bases: dict[str, set[int]] = {}
        for column in self.sheet.numeric:
            label = self.sheet.label(column)
            span = self._period_in(label) if column not in windows else None
            window = self._window(label[slice(*span)], None) if span else None
            if span and window:
                windows[column] = window
                bases.setdefault(without_span(label, *span), set()).add(column)
        undated = self._undated_columns(windows)
        for column, (base, window) in undated.items():
            windows[column] = window
            if base:
                bases.setdefault(base, set()).add(column)
        return windows, bases

    def _undated_columns(self, windows: Mapping[int, Window]) -> dict[int, tuple[str, Window]]:
        """Return label and latest days of columns of periods without a year ("Stays May", "Stays June").

        A word that only one column of a label has may be no period.
        """
        found: dict[int, tuple[str, Window]] = {}
        for column in self.sheet.numeric if len(self.sheet.numeric) > 1 else ():
            label = self.sheet.label(column)
            periods = self.parser.find(label) if column not in windows and UNDATED.search(label) else ()
            days = [days for period in periods for days in period.readings if days[0] < self._until]
            if days and len(periods) == 1 and periods[0].bare and not periods[0].relative:
                found[column] = without_span(label, periods[0].start, periods[0].end), days[0]
        series = Counter(base for base, _ in set(found.values()))
        return found if any(count > 1 for count in series.values()) else {}

    def _period_in(self, label: str) -> tuple[int, int] | None:
        """Return where a label names one period beside other words."""
        if not any(character.isdigit() for character in label):
            return None
        periods = self.parser.find(label)
        spans = [(p.start, p.end) for p in periods] or [y.span() for y in YEAR_ALONE.finditer(label)]
        return spans[0] if len(spans) == 1 else None

    def _row_windows(self) -> dict[int, dict[int, Window]]:
        windows: dict[int, dict[int, Window]] = {}
        for key in self.sheet.keys:
            grain = self.sheet.columns[key].grain or self._said_grain(key)
            cells = [row[key] for row in self.sheet.table.rows]
            cache = (
                {cell: self._window(cell, grain) for cell in dict.fromkeys(cells)} if _is_dated(cells) else {}
            )
            found = {row: window for row, cell in enumerate(cells) if (window := cache.get(cell))}
            if found:
                windows[key] = found
        return windows

    def _said_grain(self, key: int) -> Grain | None:
        """Return the grain that a header gives to days in text ("Week starting", "Month")."""
        said: Sequence[Grain] = ("week", "month", "quarter")
        return next((grain for grain in said if grain in self.sheet.label_words[key]), None)

    def _window(self, cell: Value, grain: Grain | None) -> Window | None:
        """Return the days a cell or a column label stands for."""
        if isinstance(cell, date):
            day = cell.date() if isinstance(cell, datetime) else cell
            return self.parser.calendar.bounds(day, grain) if grain else (day, day + timedelta(days=1))
        text = str(cell).strip()
        if grain and DAY.fullmatch(text):
            day = date.fromisoformat(text)
            if grain == "week":
                return day, day + timedelta(days=7)
            return self.parser.calendar.bounds(day, grain)
        if re.fullmatch(r"(?:19|20)\d\d", text):
            return date(int(text), 1, 1), date(int(text) + 1, 1, 1)
        found = self.parser.find(text) if 3 < len(text) < 30 and re.search(r"\d", text) else ()
        whole = len(found) == 1 and found[0].end - found[0].start == len(text) and not found[0].bare
        return found[0].readings[0] if whole and found[0].readings else None


def year_window(year: int) -> Window:
    """Return the days of a calendar year."""
    return date(year, 1, 1), date(year + 1, 1, 1)


def names_window(period: Period, window: Window) -> bool:
    """Tell whether a period is exactly these days; one without a year, in whatever year."""
    if not period.bare:
        return window in period.readings
    days = [(day.month, day.day) for day in window]
    return any([(day.month, day.day) for day in reading] == days for reading in period.readings)


def _grouped(windows: Mapping[int, Window]) -> dict[Window, frozenset[int]]:
    """Return the rows or columns of every window."""
    found: dict[Window, set[int]] = {}
    for place, window in windows.items():
        found.setdefault(window, set()).add(place)
    return {window: frozenset(places) for window, places in sorted(found.items())}


def _matching(period: Period, grouped: Mapping[Window, frozenset[int]]) -> frozenset[int]:
    """Return the rows or columns whose days are those of a period, or which fill it together."""
    equal = NOBODY.union(*(places for window, places in grouped.items() if names_window(period, window)))
    if equal or (period.bare and period.kind != "range"):
        return equal
    found: list[frozenset[int]] = []
    for first, after in period.readings:
        inside = [window for window in grouped if first <= window[0] and window[1] <= after]
        filled = inside and inside[0][0] == first and inside[-1][1] == after
        if filled and all(a[1] >= b[0] for a, b in pairwise(inside)):
            found.append(NOBODY.union(*(grouped[window] for window in inside)))
    return NOBODY.union(*(found if period.bare else found[:1]))


def _closing(period: Period, grouped: Mapping[Window, frozenset[int]]) -> frozenset[int]:
    """Return the columns of days inside a period, one for each year ("in 2019" of "December 31, 2019")."""
    for first, after in period.readings if not period.bare else ():
        inside = [window for window in grouped if first <= window[0] and window[1] <= after]
        years = round((after - first).days / 365)
        if len(inside) == years > 0 and all((end - start).days == 1 for start, end in inside):
            return NOBODY.union(*(grouped[window] for window in inside))
    return NOBODY


def _is_dated(cells: Sequence[Value]) -> bool:
    """Tell whether a key column holds dates or names of periods, most of it ("Europe" over days is none)."""
    first = next((cell for cell in cells if cell is not None), None)
    if isinstance(first, date):
        return True
    said = [cell for cell in cells[:LOOKED_AT] if isinstance(cell, str) and cell.strip(" -")]
    if DIGITS.search("\n".join(said)) is None:
        return False
    dated = sum(len(cell) < 30 and DIGITS.search(cell) is not None for cell in said)
    return isinstance(first, str) and dated * 2 > len(said)
