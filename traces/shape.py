"""Rows to counts, ranges and a keyed hash: what a trace may say of a result without holding any of it."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Context, Decimal
from functools import reduce
from hashlib import blake2b
from typing import Any

from metric_layer.resolved import OutputColumn
from traces.keys import KeyStore
from traces.records import ColumnShape, PeriodShape, Shape, Table, Value

MOST_PERIODS = 400
"""Periods of a result that are told apart at most; a longer one has its hash as a whole only."""
DIGITS = 200
"""Digits that a total is exact to: more than any database's decimal has."""
_RANGED = frozenset({"integer", "decimal", "float", "date", "timestamp"})


def shape_of(table: Table, keys: KeyStore, min_group: int) -> Shape:
    """Return the shape of a result; its hash ignores the order of rows and needs the key to be guessed."""
    columns = [[row[at] for row in table.rows] for at in range(len(table.columns))]
    spelled = list(map(_spelled, columns))
    rows = zip(*spelled, strict=True) if spelled else [()] * len(table.rows)
    hashes = _RowHashes.of(keys.commitment("result"), table.columns, rows)
    return Shape(
        rows=len(table.rows),
        truncated=table.truncated,
        columns=tuple(
            _column_shape(column, values, set(spellings), min_group)
            for column, values, spellings in zip(table.columns, columns, spelled, strict=True)
        ),
        keyed_hash=hashes.together(range(len(table.rows))),
        key_id=keys.key_id,
        periods=tuple(_periods(table, hashes)),
    )


def canonical(value: Value) -> bytes:
    """Return a value's one spelling: exact numbers by value, floats at 12 significant digits, UTC."""
    spell = _SPELLINGS.get(type(value))
    if spell is None:  # a kind of one of these, as a driver may have made
        spell = next(spell for kind, spell in _SPELLINGS.items() if isinstance(value, kind))
    return spell(value)


def _spelled(values: Sequence[Value]) -> list[bytes]:
    """Return the spellings of a column, whose values are mostly of one kind."""
    kinds = set(map(type, values))
    spell = _SPELLINGS.get(kinds.pop()) if len(kinds) == 1 else None
    return list(map(spell or canonical, values))


@dataclass(frozen=True, slots=True)
class _RowHashes:
    """The keyed hash of every row of a result, taken once; any rows of it have a hash together.

    `header` has taken in what stands over the rows.
    """

    header: blake2b
    rows: Sequence[bytes]

    @classmethod
    def of(
        cls, key: bytes, columns: Sequence[OutputColumn], cells: Iterable[Sequence[bytes]]
    ) -> "_RowHashes":
        keyed = blake2b(key=key, digest_size=32)
        header = keyed.copy()
        header.update(_joined([_joined([f"{column.name}\n{column.type}".encode() for column in columns])]))
        rows = []
        for row in cells:
            hashed = keyed.copy()
            hashed.update(_joined(row))
            rows.append(hashed.digest())
        return cls(header, rows)

    def together(self, numbers: Iterable[int]) -> str:
        """Return the hash of these rows under their header, in whatever order they stand."""
        whole = self.header.copy()
        whole.update(b"".join(sorted([self.rows[number] for number in numbers])))
        return whole.hexdigest()


def _periods(table: Table, hashes: _RowHashes) -> Iterator[PeriodShape]:
    """Yield the periods of a whole result over time, oldest first; rows without a period are left out."""
    at = next((at for at, column in enumerate(table.columns) if column.kind == "time"), None)
    if at is None or table.truncated:
        return
    found: dict[str, list[int]] = {}
    for number, row in enumerate(table.rows):
        start = row[at]
        if isinstance(start, date):
            found.setdefault(_moment(start), []).append(number)
    if len(found) > MOST_PERIODS:
        return
    figures = [number for number, column in enumerate(table.columns) if column.kind == "metric"]
    for start, numbers in sorted(found.items()):
        yield PeriodShape(
            start=start,
            rows=len(numbers),
            keyed_hash=hashes.together(numbers)[:32],
            empty=not any(table.rows[number][figure] for number in numbers for figure in figures),
        )


def _joined(parts: Sequence[bytes]) -> bytes:
    return b"".join([b"%d:%b" % (len(part), part) for part in parts])


def _exact(value: int | Decimal) -> str:
    """Return significant digits and exponent, so that 1.50, 1.5 and 15E-1 are one number."""
    if isinstance(value, Decimal) and not value.is_finite():
        return str(value)
    figure, _, power = str(value).partition("E")
    whole, _, fraction = figure.partition(".")
    digits = (whole + fraction).lstrip("-0")
    short = digits.rstrip("0")
    exponent = int(power or 0) - len(fraction) + len(digits) - len(short)
    sign = "-" if figure[0] == "-" else ""
    return f"{sign}{short}e{exponent}" if short else "0"


def _twelve_digits(value: float) -> str:
    return format(value, ".11e") if value else "0"


def _column_shape(
    column: OutputColumn, values: Sequence[Value], distinct: set[bytes], min_group: int
) -> ColumnShape:
    present = [value for value in values if value is not None]
    low = high = total = ""
    if len(present) >= max(min_group, 1) and (column.type in _RANGED or column.kind == "metric"):
        numbers = _finite_numbers(present)
        low, high = _range(column, present, numbers)
        total = _total(column, numbers) if len(numbers) == len(present) else ""
    return ColumnShape(
        name=column.name,
        type=column.type,
        nulls=len(values) - len(present),
        distinct=len(distinct - {b"0"}),
        low=low,
        high=high,
        total=total,
    )


def _range(
    column: OutputColumn, present: Sequence[Value], numbers: Sequence[int | float | Decimal]
) -> tuple[str, str]:
    """Return the ends of a number or time column; a numeric dimension may be an id, so it has none."""
    if column.type not in _RANGED or (
        column.kind == "dimension" and column.type not in ("date", "timestamp")
    ):
        return "", ""
    if len(numbers) == len(present):
        return str(min(numbers)), str(max(numbers))
    moments = [_moment(value) for value in present if isinstance(value, date)]
    return (min(moments), max(moments)) if len(moments) == len(present) else ("", "")


def _total(column: OutputColumn, numbers: Sequence[int | float | Decimal]) -> str:
    """Return the sum of a figure that may be added up; a sum of floats is told to 12 significant digits."""
    if column.kind != "metric" or column.additivity != "additive":
        return ""
    if any(isinstance(number, float) for number in numbers):
        return format(math.fsum(map(float, numbers)), ".12g")
    return str(reduce(Context(prec=DIGITS).add, map(Decimal, numbers), Decimal(0)))


def _finite_numbers(values: Sequence[Value]) -> list[int | float | Decimal]:
    return [
        value
        for value in values
        if (isinstance(value, Decimal) and value.is_finite())
        or (isinstance(value, int) and not isinstance(value, bool))
        or (isinstance(value, float) and math.isfinite(value))
    ]


def _moment(value: date) -> str:
    return (_in_utc(value) if isinstance(value, datetime) else value).isoformat()


def _in_utc(value: datetime) -> datetime:
    """Return a moment in UTC; one that UTC has no year for stays as it is, for no other spells it."""
    if value.tzinfo is None:
        return value
    try:
        return value.astimezone(UTC)
    except OverflowError:
        return value


_SPELLINGS: Mapping[type, Callable[[Any], bytes]] = {
    type(None): lambda _: b"0",
    str: lambda value: b"s" + value.encode("utf-8", "surrogatepass"),
    bool: lambda value: b"b1" if value else b"b0",
    int: lambda value: b"n" + _exact(value).encode(),
    Decimal: lambda value: b"n" + _exact(value).encode(),
    float: lambda value: b"f" + _twelve_digits(value).encode(),
    datetime: lambda value: b"t" + _in_utc(value).isoformat(timespec="microseconds").encode(),
    date: lambda value: b"d" + value.isoformat().encode(),
}
"""How a value of each kind is spelled; a kind stands before those that it is one of."""
