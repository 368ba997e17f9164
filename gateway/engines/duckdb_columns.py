"""Rows of values <-> bytes, column by column, as a worker sends them; reading them runs no code."""

import json
from array import array
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from traces.records import Value

Row = tuple[Value, ...]
ColumnHead = tuple[str, Sequence[int], int]
"""The kind of a column, the places of its NULLs, and its length in bytes."""

_to_json = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
_SEPARATOR = "\n"


def encode_rows(rows: Sequence[Row]) -> tuple[Sequence[ColumnHead], bytes]:
    """Return what describes the columns, and their values without the NULLs."""
    encoded = [_encode(column) for column in zip(*rows, strict=True)]
    heads = [(kind, nulls, len(data)) for kind, nulls, data in encoded]
    return heads, b"".join(data for _, _, data in encoded)


def decode_rows(heads: Sequence[ColumnHead], data: bytes, height: int, width: int) -> tuple[Row, ...]:
    """Return the rows again. Raises ValueError, KeyError, TypeError or ArithmeticError."""
    if height == 0:
        return ()
    columns, at = [], 0
    for kind, nulls, size in heads:
        columns.append(_with_nulls(_READ[kind](data[at : at + size]), nulls))
        at += size
    if len(columns) != width or any(len(column) != height for column in columns):
        raise ValueError("the columns are not as many or as long as they were said to be")
    return tuple(zip(*columns, strict=True))


def _encode(column: tuple[Value, ...]) -> tuple[str, list[int], bytes]:
    kinds = set(map(type, column))
    nulls: list[int] = []
    values: Sequence[Any] = column
    if type(None) in kinds:
        kinds.discard(type(None))
        nulls = [at for at, value in enumerate(column) if value is None]
        values = [value for value in column if value is not None]
    kind = kinds.pop() if len(kinds) == 1 else object
    name, write = _WRITE.get(kind, ("mixed", _write_mixed))
    try:
        return name, nulls, write(values)
    except OverflowError:
        return "mixed", nulls, _write_mixed(values)


def _with_nulls(values: list[Any], nulls: Sequence[int]) -> list[Any]:
    if not nulls:
        return values
    missing, rest = frozenset(nulls), iter(values)
    places = range(len(values) + len(missing))
    if not all(at in places for at in missing):
        raise ValueError("a NULL lies outside its column")
    return [None if at in missing else next(rest) for at in places]


def _write_array(code: str) -> Callable[[Sequence[Any]], bytes]:
    return lambda values: array(code, values).tobytes()


def _read_array(code: str) -> Callable[[bytes], list[Any]]:
    def read(data: bytes) -> list[Any]:
        found: array[Any] = array(code)
        found.frombytes(data)
        return found.tolist()

    return read


def _write_json(values: Sequence[Any]) -> bytes:
    return _to_json(values).encode()


def _write_mixed(values: Sequence[Any]) -> bytes:
    """Write a column whose values are of several kinds, or too large for eight bytes: each with its kind."""
    return _write_json([(type(value).__name__, str(value)) for value in values])


def _read_mixed(data: bytes) -> list[Any]:
    return [_ALONE[kind](text) for kind, text in json.loads(data)]


def _read_list(data: bytes) -> list[Any]:
    found = json.loads(data)
    if not isinstance(found, list):
        raise TypeError("a column is a list")
    return found


_WRITE: Mapping[type, tuple[str, Callable[[Sequence[Any]], bytes]]] = {
    bool: ("bool", bytes),
    int: ("int", _write_array("q")),
    float: ("float", _write_array("d")),
    str: ("str", _write_json),
    Decimal: ("decimal", lambda values: _SEPARATOR.join(map(str, values)).encode()),
    date: ("date", lambda values: array("i", map(date.toordinal, values)).tobytes()),
    datetime: ("datetime", lambda values: _SEPARATOR.join(map(str, values)).encode()),
}
_READ: Mapping[str, Callable[[bytes], list[Any]]] = {
    "bool": lambda data: list(map(bool, data)),
    "int": _read_array("q"),
    "float": _read_array("d"),
    "str": _read_list,
    "decimal": lambda data: list(map(Decimal, data.decode().split(_SEPARATOR))),
    "date": lambda data: list(map(date.fromordinal, _read_array("i")(data))),
    "datetime": lambda data: list(map(datetime.fromisoformat, data.decode().split(_SEPARATOR))),
    "mixed": _read_mixed,
}
_ALONE: Mapping[str, Callable[[str], Value]] = {
    "bool": lambda text: text == "True",
    "int": int,
    "float": float,
    "str": str,
    "Decimal": Decimal,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
}
