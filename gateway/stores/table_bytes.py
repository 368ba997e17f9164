"""A table <-> bytes: every value comes back exactly as it was, a Decimal with its zeros, an int as an int."""

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from metric_layer.resolved import OutputColumn
from traces.plain_json import plain_json
from traces.records import Table, Value

FORMAT = 1
SMALL = 16_384
"""Bytes up to which a table is kept as it is: to set zlib up takes longer than to write them."""
_AS_THEY_ARE = frozenset((str, int, float, bool, type(None)))
_TAGGED: Mapping[type, Callable[[Any], list[Any]]] = {
    Decimal: lambda value: ["n", str(value)],
    date: lambda value: ["d", value.isoformat()],
    datetime: lambda value: ["t", value.isoformat(), value.fold],
}


def pack(table: Table) -> bytes:
    """Return the table as bytes, compressed where it is large."""
    document = {
        "format": FORMAT,
        "rows": _columnwise(table.rows),
        "truncated": table.truncated,
        "limit_source": table.limit_source,
    }
    plain = b'{"columns":%b,%b' % (_columns(table.columns), plain_json(document)[1:])
    return plain if len(plain) <= SMALL else zlib.compress(plain)


@lru_cache(maxsize=256)
def _columns(columns: tuple[OutputColumn, ...]) -> bytes:
    """Return the columns as JSON: the same ones stand over every result of a plan."""
    return plain_json([column.model_dump(mode="json") for column in columns])


def unpack(packed: bytes) -> Table:
    """Return what `pack` was given. Times with a zone come back at the same instant with a fixed offset."""
    document = json.loads(packed if packed.startswith(b"{") else zlib.decompress(packed))
    return Table.model_construct(
        columns=tuple(OutputColumn.model_validate(column) for column in document["columns"]),
        rows=tuple(tuple(_read(value) for value in row) for row in document["rows"]),
        truncated=document["truncated"],
        limit_source=document["limit_source"],
    )


def _columnwise(rows: Sequence[Sequence[Value]]) -> list[Sequence[object]]:
    """Return rows as JSON holds them, written column by column: a column is mostly of one kind."""
    if not rows or not rows[0]:
        return list(rows)
    return list(zip(*map(_column, zip(*rows, strict=True)), strict=True))


def _column(values: Sequence[Value]) -> Iterable[object]:
    kinds = set(map(type, values))
    if kinds <= _AS_THEY_ARE:
        return values
    tagged = _TAGGED.get(kinds.pop()) if len(kinds) == 1 else None
    return map(tagged or _written, values)


def _written(value: Value) -> object:
    """JSON keeps null, booleans, text, ints of any size and floats apart; the rest gets a tag."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    tagged = _TAGGED.get(kind) or next((_TAGGED[base] for base in kind.__mro__ if base in _TAGGED), None)
    return tagged(value) if tagged else value


def _read(written: Any) -> Value:
    match written:
        case ["t", text, fold]:
            return datetime.fromisoformat(text).replace(fold=fold)
        case ["d", text]:
            return date.fromisoformat(text)
        case ["n", text]:
            return Decimal(text)
        case _:
            plain: Value = written
            return plain
