"""A result laid out for look-ups: numeric cells sorted per unit, key columns, what each column measures."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from operator import itemgetter

from gateway.ground.match import Interval
from gateway.ground.numerals import CORE, parse_numeral
from gateway.ground.units import CURRENCY_MARKS, Measured, measured
from metric_layer.resolved import OutputColumn
from traces.records import Table, Value

BRACKETED = re.compile(r"[(\[]\s*([^()\[\]]{1,12}?)\s*[)\]]")
IN_TEXT = re.compile(rf"(?P<money>[$€£¥₹])?\s?(?P<number>[-−]?{CORE})(?P<percent>\s?%)?")
IN_SCALE = re.compile(
    r"(?:\bin|\(|\[|,|[$€£])\s?(thousands?|millions?|billions?|mn|bn|'?000s?|m|k)\b", re.IGNORECASE
)
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
        self.measured = tuple(measured(column_unit(column)) for column in self.columns)
        self.numeric = tuple(i for i in range(len(self.columns)) if i not in self.keys)
        self._values: dict[int, tuple[tuple[int, Decimal], ...]] = {}
        self._figures: dict[int, tuple[Decimal, ...]] = {}

    @property
    def height(self) -> int:
        """Return the number of rows."""
        return len(self.table.rows)

    def number(self, row: int, column: int) -> Decimal | None:
        """Return a cell's value as a decimal, or None for NULL and for text."""
        return as_decimal(self.table.rows[row][column])

    def column_values(self, column: int) -> tuple[tuple[int, Decimal], ...]:
        """Return (row, value) of every number of a column, read once."""
        if column not in self._values:
            found = ((row, self.number(row, column)) for row in range(self.height))
            self._values[column] = tuple((row, value) for row, value in found if value is not None)
        return self._values[column]

    def label(self, column: int) -> str:
        """Return what a column is called."""
        return self.columns[column].label or self.columns[column].name

    def figures(self, column: int) -> tuple[Decimal, ...]:
        """Return every number of a column, NULLs left out, in row order."""
        if column not in self._figures:
            self._figures[column] = tuple(value for _, value in self.column_values(column))
        return self._figures[column]

    def distinct(self, column: int) -> int:
        """Return how many different values a column has, NULL left out."""
        return len({row[column] for row in self.table.rows} - {None})

    @cached_property
    def rows_by_key(self) -> dict[tuple[str, ...], list[int]]:
        """Return the rows of every key, its values in lower case."""
        found: dict[tuple[str, ...], list[int]] = {}
        for row in range(self.height):
            found.setdefault(tuple(value.lower() for value in self.row_key(row)), []).append(row)
        return found

    def row_key(self, row: int) -> tuple[str, ...]:
        """Return the dimension values of a row as text."""
        return tuple(as_text(self.table.rows[row][column]) for column in self.keys)

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


def column_unit(column: OutputColumn) -> str:
    """Return a column's declared unit, or else one its label has in brackets ("Rate (%)")."""
    if column.unit:
        return column.unit
    for inside in BRACKETED.findall(column.label or column.name):
        mark = CURRENCY_MARKS.get(inside.lower())
        unit = next(iter(sorted(mark, key=lambda code: code != "USD"))) if mark else inside
        if measured(unit).carrier != "number":
            return unit
    return ""


def label_power(column: OutputColumn) -> tuple[int, ...]:
    """Return the power of ten that a label says its figures are in ("Revenue in millions")."""
    found = IN_SCALE.search(column.label or column.name)
    if found is None:
        return ()
    return ({"t": 3, "k": 3, "0": 3, "'": 3, "b": 9}.get(found.group(1).lower()[0], 6),)


def as_decimal(value: Value) -> Decimal | None:
    """Return a cell's number exactly as it prints; None for NULL, text, dates and infinities."""
    if value is None or isinstance(value, bool | str | date | datetime):
        return None
    number = value if isinstance(value, Decimal) else Decimal(str(value))
    return number if number.is_finite() else None


def as_figure(value: Value) -> Decimal | None:
    """Return a cell's number, also where a text column holds nothing but digits ("2018", "12.5")."""
    if isinstance(value, str):
        text = value.strip().replace("\u2212", "-")
        return Decimal(text) if re.fullmatch(r"-?\d{1,15}(?:\.\d{1,12})?", text) else None
    return as_decimal(value)


def as_text(value: Value) -> str:
    """Return a cell as text."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def numbers_in(value: Value) -> Iterator[tuple[Measured, Decimal]]:
    """Yield the numbers written inside a text cell ("10 (20%)"), with what their marks say they measure."""
    if (
        not isinstance(value, str)
        or len(value) > 80
        or re.fullmatch(r"\s*(?:1[5-9]|20)\d\d(?:-\d\d)*\s*", value)
    ):
        return
    for found in IN_TEXT.finditer(value):
        parsed = parse_numeral(found["number"].lstrip("-−"), comma=False)
        if parsed is None:
            continue
        unit = Measured("percent") if found["percent"] else Measured("number", "text")
        if found["money"]:
            unit = Measured(
                "currency",
                sorted(CURRENCY_MARKS[found["money"]], key=lambda code: code not in ("USD", "JPY"))[0],
            )
        yield unit, parsed[0]
