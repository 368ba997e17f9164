"""A stream of rows -> the rows under the caps, and which cap cut it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gateway.engines.base import EngineError, Limits
from traces.data_records import Value

FIXED = 8

Row = tuple[Value, ...]
Convert = Callable[[Any], Value]


def take(
    batches: Iterable[list[tuple[Any, ...]]], kinds: Sequence[Convert], limits: Limits
) -> tuple[list[Row], str]:
    """Return rows up to the row and byte caps, values converted, and the name of the cap that cut or "".

    One row more than the cap is read to know whether it was cut. The byte cap counts text as UTF-8 and 8 for
    every other value, before conversion.
    """
    convert = _converter(kinds)
    kept: list[Row] = []
    size = 0
    for batch in batches:
        size_of_batch = sum(map(_size, batch))
        if len(kept) + len(batch) > limits.rows or size + size_of_batch > limits.bytes:
            fits, cut_by = _fitting(batch, limits.rows - len(kept), limits.bytes - size)
            return [*kept, *map(convert, batch[:fits])], cut_by
        size += size_of_batch
        kept.extend(map(convert, batch))
    return kept, ""


def _fitting(batch: list[tuple[Any, ...]], rows: int, size: int) -> tuple[int, str]:
    """Return how many rows of a batch that does not fit do, and which cap the next one meets."""
    fits = 0
    while fits < rows and (needed := _size(batch[fits])) <= size:
        size -= needed
        fits += 1
    return fits, "rows" if fits == rows else "bytes"


def unchanged(value: Any) -> Value:
    """Return the value as the driver gave it."""
    same: Value = value
    return same


def value_type(columns: Sequence[str]) -> EngineError:
    """Return the error for columns, each with its type, that a result cannot carry."""
    return EngineError(
        "value_type",
        f"a result cannot carry these columns: {', '.join(columns)}",
        next_step="Select single values, or cast to a number, a date or text.",
    )


def _converter(kinds: Sequence[Convert]) -> Callable[[tuple[Any, ...]], Row]:
    """Return what turns a driver's row into values of ours; rows that need nothing are left as they are."""
    changes = tuple((place, kind) for place, kind in enumerate(kinds) if kind is not unchanged)
    if not changes:
        return tuple

    def convert(row: tuple[Any, ...]) -> Row:
        values = list(row)
        for place, kind in changes:
            values[place] = None if values[place] is None else kind(values[place])
        return tuple(values)

    return convert


def _size(row: Sequence[Any]) -> int:
    size = FIXED * len(row)
    for value in row:
        if isinstance(value, str):
            size += (len(value) if value.isascii() else len(value.encode())) - FIXED
    return size
