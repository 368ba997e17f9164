"""A result laid out for look-ups: numeric cells sorted per unit, key columns, what each column measures."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from operator import itemgetter

from gateway.ground.lexing.amounts import CHANGED, CLOCKS, LAPS, are_counts, is_amount, is_change, numbers_in
from gateway.ground.lexing.cues import RANKS
from gateway.ground.lexing.lexicon import CHANGE_LABEL, CURRENT, EARLIER
from gateway.ground.lexing.match import Interval
from gateway.ground.lexing.measures import measures_of, ordered_measures
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.units import RATES, Measured, measured
from gateway.ground.table.label_units import PERCENT_LABEL, column_unit, label_power
from gateway.ground.table.summary_rows import is_of_all, is_whole, runs_up, sums_up
from gateway.ground.table.turnouts import is_count, is_turnout
from metric_layer.resolved import OutputColumn
from traces.records import Table, Value

# Points by which a share moved, though the header shows a percent sign ("\u00b1%").
SWING = re.compile(r"[\u00b1]|\+\s?/\s?[-\u2212\u2013]|\bswing\b", re.IGNORECASE)
# The bare sign as a header, right behind a column of shares.
SWUNG = frozenset(("\u00b1", "\u00b1%", "swing"))
COUNTED = re.compile(r"\d[\d,.]*\s([^\W\d_]{3,20})")
EVENTS = frozenset(("event", "discipline"))
YEARS = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
TYPE = re.compile(r"\d+(?:\.\d+)?\s[a-z]{3,}")
# Columns of years; any other one of numbers below the first year counts something.
YEAR_WORDS = frozenset(
    (
        "year", "date", "built", "founded", "opened", "established", "completed", "since", "born", "died",
        "from", "until", "to", "start", "end", "began", "reign", "term", "elected", "closed",
        "abolished", "created",
    )
)  # fmt: skip
FIRST_YEAR = 1700
LOOKED_AT = 50
CellAt = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shelf:
    """The numeric cells that measure the same thing, sorted by value."""

    measured: Measured
    values: tuple[Decimal, ...]
    cells: tuple[CellAt, ...]

    def within(self, interval: Interval) -> Sequence[CellAt]:
        """Return the cells whose value lies in an interval."""
        first = bisect_right if interval.open_low else bisect_left
        last = bisect_left if interval.open_high else bisect_right
        return self.cells[first(self.values, interval.low) : last(self.values, interval.high)]


class Sheet:
    """A table with its units read; its numbers are sorted when somebody asks. Built once per answer check."""

    def __init__(self, table: Table) -> None:
        """Index a table."""
        self.table = table
        self.columns = table.columns
        self.keys = tuple(i for i, column in enumerate(self.columns) if is_key(column))
        self.numeric = tuple(i for i in range(len(self.columns)) if i not in self.keys)
        self._keys: dict[int, tuple[str, ...]] = {}
        self._numbers: dict[int, list[Decimal | None]] = {}
        self._values: dict[int, tuple[tuple[int, Decimal], ...]] = {}
        self._figures: dict[int, tuple[Decimal, ...]] = {}
        self._rankings: dict[tuple[int, frozenset[int], bool], tuple[Decimal, ...]] = {}

    @cached_property
    def column_places(self) -> Mapping[str, Sequence[int]]:
        """Return the columns of each name."""
        found: dict[str, list[int]] = {}
        for at, column in enumerate(self.columns):
            found.setdefault(column.name, []).append(at)
        return found

    @cached_property
    def texts(self) -> tuple[int, ...]:
        """Return the text columns that hold amounts."""
        return tuple(i for i in self.keys if self._is_figures(i))

    @cached_property
    def figured(self) -> frozenset[int]:
        """Return the columns whose cells are figures, written as numbers or as text."""
        return frozenset((*self.numeric, *self.texts))

    @cached_property
    def sizes(self) -> Mapping[int, frozenset[str]]:
        """Return the units of size that a column of figures shows, where it shows any."""
        return {i: found for i in sorted(self.figured) if (found := self._sizes(i))}

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        """Return what each column measures."""
        return tuple(map(self._measured, range(len(self.columns))))

    def _is_figures(self, column: int) -> bool:
        """Tell whether a text column holds amounts ("49.12 m", "10 (20%)", "19:32") and names nothing."""
        if not EVENTS.isdisjoint(self.label_words[column]):
            return False  # "200 m" is what was run
        cells = [row[column] for row in self.table.rows[:LOOKED_AT]]
        said = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip(" -\u2013\u2014")]
        if CHANGE_LABEL.search(self.label(column)) and any(map(CHANGED.fullmatch, said)):
            return all(map(is_change, said))
        if column == 0 and all(TYPE.fullmatch(cell) and not measures_of(cell) for cell in said):
            return False  # "2.0 diesel" is what a row is called
        if RANKS.isdisjoint(self.label_words[column]) and are_counts(said):
            return True
        return bool(said) and sum(map(is_amount, said)) * 2 > len(said)

    def _sizes(self, column: int) -> frozenset[str]:
        """Return the units of size that a column's label or its first amounts show."""
        shown = [str(row[column]) for row in self.table.rows[:3]] if column in self.texts else []
        return frozenset().union(*map(measures_of, (self.label(column), self.columns[column].unit, *shown)))

    def _measured(self, column: int) -> Measured:
        """Return what a column measures; a text column of amounts, what its first amount does."""
        if column in self.texts and not self.columns[column].unit:
            read = (next(numbers_in(row[column]), None) for row in self.table.rows[:LOOKED_AT])
            return next((first[0] for first in read if first), Measured("number"))
        found = measured(column_unit(self.columns[column]))
        if self.label(column).strip() in SWUNG and found == Measured("number") and self._is_share(column - 1):
            return Measured("swing")
        return Measured("swing") if found.carrier == "percent" and SWING.search(self.label(column)) else found

    def _is_share(self, column: int) -> bool:
        """Tell whether a column is headed by nothing but a percent sign: beside seats, seats have changed."""
        return column >= 0 and PERCENT_LABEL.fullmatch(self.label(column).strip()) is not None

    @property
    def height(self) -> int:
        """Return the number of rows."""
        return len(self.table.rows)

    def number(self, row: int, column: int) -> Decimal | None:
        """Return a cell's value as a decimal, or None for NULL and for text."""
        numbers = self._numbers.get(column)
        return (self._column(column) if numbers is None else numbers)[row]

    def figure(self, row: int, column: int) -> Decimal | None:
        """Return the figure of a cell; of a text column of amounts, its first."""
        if column not in self.texts:
            return self.number(row, column)
        return next((value for _, value in numbers_in(self.table.rows[row][column])), None)

    def _column(self, column: int) -> list[Decimal | None]:
        if column not in self._numbers:
            cells = (values[column] for values in self.table.rows)
            self._numbers[column] = list(map(as_decimal, cells))
        return self._numbers[column]

    def column_values(self, column: int) -> tuple[tuple[int, Decimal], ...]:
        """Return (row, value) of every number of a column, read once."""
        if column not in self._values:
            found = enumerate(self._column(column))
            self._values[column] = tuple((row, value) for row, value in found if value is not None)
        return self._values[column]

    def label(self, column: int) -> str:
        """Return what a column is called."""
        return self.columns[column].label or self.columns[column].name

    @cached_property
    def label_words(self) -> tuple[frozenset[str], ...]:
        """Return the stems of what each column is called."""
        return tuple(frozenset(split_words(self.label(column))) for column in range(len(self.columns)))

    def figures(self, column: int) -> tuple[Decimal, ...]:
        """Return every number of a column, NULLs left out, in row order."""
        if column not in self._figures:
            self._figures[column] = tuple(value for value in self._column(column) if value is not None)
        return self._figures[column]

    def ranking(self, column: int, without: frozenset[int], *, high: bool) -> tuple[Decimal, ...]:
        """Return the figures of a column, the highest or the lowest first, without some rows; sorted once."""
        key = column, without, high
        if key not in self._rankings:
            found = (self.figure(row, column) for row in range(self.height) if row not in without)
            self._rankings[key] = tuple(sorted((f for f in found if f is not None), reverse=high))
        return self._rankings[key]

    @cached_property
    def counts(self) -> frozenset[int]:
        """Return the columns that hold nothing but whole numbers."""
        return frozenset(c for c in self.numeric if all(v == v.to_integral_value() for v in self.figures(c)))

    def distinct(self, column: int) -> int:
        """Return how many different values a column has, NULL left out."""
        return len({row[column] for row in self.table.rows} - {None})

    def kept_apart(self, column: int, rows: Sequence[int]) -> str | None:
        """Return why values of these rows may not be added up ("" for always, " over region"), or None."""
        said = self.columns[column]
        if len(rows) < 2 or said.additivity == "additive":
            return None
        if said.additivity == "none":
            return ""
        if said.additivity == "where_known" and len(self.figures(column)) < self.height:
            return " while some are missing"
        varying = (
            f" over {other.name}"
            for at, other in enumerate(self.columns)
            if other.name in said.non_additive and len({self.table.rows[row][at] for row in rows}) > 1
        )
        return next(varying, None)

    def adds_up(self, column: int) -> bool:
        """Tell whether the figures of all rows of a column make a total."""
        rows = [row for row, _ in self.column_values(column)]
        return self.measured[column].carrier not in RATES and self.kept_apart(column, rows) is None

    @cached_property
    def previous(self) -> dict[int, int]:
        """Return, for a column, the one with its figures of an earlier period ("sales last month")."""
        names = {column.name: at for at, column in enumerate(self.columns)}
        labels = {split_words(CURRENT.sub(" ", self.label(at))): at for at in reversed(self.numeric)}
        found: dict[int, int] = {}
        for at in self.numeric:
            column, label = self.columns[at], self.label(at)
            if column.compared:
                own = names.get(column.compared) if column.name.endswith("__previous") else None
            else:
                rest = EARLIER.sub(" ", label)
                own = labels.get(split_words(rest)) if rest != label else None
            if own is not None and own != at:
                found[own] = at
        return found

    @cached_property
    def totals(self) -> frozenset[int]:
        """Return the rows that are called a total of the others."""
        return frozenset(row for row in range(self.height) if sums_up(self.row_key(row)))

    @cached_property
    def wholes(self) -> frozenset[int]:
        """Return the rows of totals that the other rows are parts of ("Total votes"), else the turnout."""
        whole = frozenset(row for row in self.totals if is_whole(self.row_key(row)))
        return whole or self.turnouts

    @cached_property
    def turnouts(self) -> frozenset[int]:
        """Return the rows of those who voted, by number."""
        named = [row for row in self.totals if any(map(is_turnout, self.row_key(row)))]
        if not named:
            return frozenset()
        whole = {c: c in self.counts and self.measured[c].carrier not in RATES for c in self.numeric}
        told = [r for r in named if any(is_count(self.number(r, c), whole=w) for c, w in whole.items())]
        many = [r for r in told if any(is_count(self.number(r, c), whole=False) for c in whole)]
        return frozenset(many if len(told) > 1 else told)  # beside "Total polled" a turnout of 75 is a share

    @cached_property
    def records(self) -> frozenset[int]:
        """Return the rows of totals that are of all rows: the only one, or those that name nothing else."""
        whole = frozenset(row for row in self.totals if is_of_all(self.row_key(row)))
        return self.totals if len(self.totals) == 1 else whole

    @cached_property
    def run_ends(self) -> frozenset[CellAt]:
        """Return the last cells of columns that run up from nothing: what they come to in all."""
        columns = (column for column in self.numeric if column not in self.running)
        return frozenset((self.column_values(c)[-1][0], c) for c in columns if runs_up(self.figures(c)))

    @cached_property
    def years(self) -> dict[str, frozenset[int]]:
        """Return the rows in whose text cells each year stands."""
        found: dict[str, set[int]] = {}
        keys = [key for key in self.keys if key not in self.figured]
        dated = [c for c in self.numeric if self._is_years(c)]
        for row, cells in enumerate(self.table.rows):
            said = " ".join(as_text(cells[key])[:120] for key in (*keys, *dated))
            for year in YEARS.findall(said):
                found.setdefault(year, set()).add(row)
        return {year: frozenset(rows) for year, rows in found.items()}

    def _is_years(self, column: int) -> bool:
        """Tell whether a column of numbers holds years."""
        figures = self.figures(column)
        if self.measured[column] != Measured("number") or not figures:
            return False
        called = not YEAR_WORDS.isdisjoint(self.label_words[column])
        return all(map(YEARS.fullmatch, map(str, figures))) and (called or min(figures) >= FIRST_YEAR)

    @cached_property
    def running(self) -> frozenset[int]:
        """Return the columns that only number or date the rows: 1 to n, or years."""
        counted = set(map(Decimal, range(1, self.height + 1)))
        return frozenset(
            c
            for c in self.numeric
            if self._is_years(c) or (len(counted) > 1 and set(self.figures(c)) == counted)
        )

    @cached_property
    def clocks(self) -> re.Pattern[str] | None:
        """Return what a clock reading looks like that is a figure of this table; None where none is."""
        if any(self.measured[column].carrier == "clock" for column in self.texts):
            return CLOCKS
        cells = (row[key] for row in self.table.rows[:LOOKED_AT] for key in self.keys)
        return LAPS if any(isinstance(cell, str) and LAPS.search(cell[:80]) for cell in cells) else None

    def in_unit(self, row: int, column: int, size: str) -> Decimal | None:
        """Return the one figure of a text cell of two that is in a unit of size ("188 (617)" of "m (ft)")."""
        cell = self.table.rows[row][column]
        if column not in self.texts or not isinstance(cell, str):
            return None
        units = ordered_measures(cell) or ordered_measures(self.label(column))
        figures = [value for _, value in numbers_in(cell)]
        return figures[units.index(size)] if len(units) == len(figures) == 2 and size in units else None

    @cached_property
    def text_units(self) -> dict[str, frozenset[int]]:
        """Return the nouns that amounts in text columns are counted in ("3 strokes"), with their columns."""
        found: dict[str, set[int]] = {}
        for column in self.texts:
            for row in self.table.rows[:LOOKED_AT]:
                cell = row[column]
                said = COUNTED.fullmatch(cell.strip()) if isinstance(cell, str) else None
                if said is not None:
                    found.setdefault(split_words(said.group(1))[0], set()).add(column)
        return {noun: frozenset(columns) for noun, columns in found.items()}

    @cached_property
    def rows_by_key(self) -> dict[tuple[str, ...], list[int]]:
        """Return the rows of every key, its values in lower case."""
        found: dict[tuple[str, ...], list[int]] = {}
        for row in range(self.height):
            found.setdefault(tuple(value.lower() for value in self.row_key(row)), []).append(row)
        return found

    def row_key(self, row: int) -> tuple[str, ...]:
        """Return the dimension values of a row as text."""
        if row not in self._keys:
            self._keys[row] = tuple(as_text(self.table.rows[row][column]) for column in self.keys)
        return self._keys[row]

    @cached_property
    def shelves(self) -> tuple[Shelf, ...]:
        """Return every number of the table on the shelf of what it measures."""
        return tuple(self._shelves())

    def _shelves(self) -> Iterator[Shelf]:
        entries: dict[Measured, list[tuple[Decimal, CellAt]]] = {}
        for column in self.numeric:
            shelf = entries.setdefault(self.measured[column], [])
            found = [(value, (row, column)) for row, value in self.column_values(column)]
            shelf.extend(found)
            for power in label_power(self.columns[column]):
                shelf.extend((value.scaleb(power), cell) for value, cell in found)
        for column in self.keys:
            for row, values in enumerate(self.table.rows):
                for unit, value in numbers_in(values[column]):
                    entries.setdefault(unit, []).append((value, (row, column)))
        for unit, found in entries.items():
            found.sort(key=itemgetter(0))
            yield Shelf(unit, tuple(value for value, _ in found), tuple(cell for _, cell in found))


def is_key(column: OutputColumn) -> bool:
    """Tell whether a column names rows rather than measuring something."""
    return column.kind != "metric" or column.type in ("string", "boolean", "date", "timestamp")


def as_decimal(value: Value) -> Decimal | None:
    """Return a cell's number exactly as it prints; None for NULL, text, dates and infinities."""
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if value is None or isinstance(value, bool | str | date | datetime):
        return None
    number = Decimal(str(value))
    return number if number.is_finite() else None


def as_figure(value: Value) -> Decimal | None:
    """Return a cell's number, also where a text column holds nothing but digits ("2018", "12.5")."""
    if isinstance(value, str):
        text = value.strip().replace("\u2212", "-")
        return Decimal(text) if re.fullmatch(r"-?\d{1,15}(?:\.\d{1,12})?", text) else None
    return as_decimal(value)


def as_text(value: Value) -> str:
    """Return a cell as text."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
