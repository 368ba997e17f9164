"""A result without its values, as traces keep it."""

from metric_layer.record import Record


class ColumnShape(Record):
    """Counts and ranges of one column; a range and a total only where they tell of no single person."""

    name: str
    type: str
    nulls: int
    distinct: int
    low: str = ""
    high: str = ""
    total: str = ""


class PeriodShape(Record):
    """The rows of one period of a result: how many, a keyed hash, whether any figure is there."""

    start: str
    rows: int
    keyed_hash: str
    empty: bool = False


class Shape(Record):
    """A result without its values: row count, column shapes, and a keyed hash of the rows as a multiset.

    `periods` are those of a result over time, oldest first, so that a later one can be held against it.
    """

    rows: int
    truncated: bool
    columns: tuple[ColumnShape, ...]
    keyed_hash: str
    key_id: str
    periods: tuple[PeriodShape, ...] = ()


class Watermark(Record):
    """How far a time column went within the days that a question read, and how many rows there were.

    `name` is its dataset and column, `newest` the time as the database writes it.
    """

    name: str
    newest: str
    rows: int
