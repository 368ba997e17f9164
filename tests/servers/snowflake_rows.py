"""A DuckDB result -> rows as Snowflake's JSON result format writes them."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

EPOCH = date(1970, 1, 1)
MOMENT = datetime(1970, 1, 1)
WHOLE = frozenset(
    {
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "HUGEINT",
        "UTINYINT",
        "USMALLINT",
        "UINTEGER",
        "UBIGINT",
        "UHUGEINT",
    }
)
Write = Callable[[Any], str]


def row_type(name: str, type_: str) -> dict[str, Any]:
    """Return how the service describes a column of a DuckDB type."""
    described: dict[str, Any] = {"name": name, "nullable": True, "length": None, "byteLength": None}
    described |= {"precision": None, "scale": None, "database": "", "schema": "", "table": ""}
    base = type_.partition("(")[0]
    if base in WHOLE:
        return described | {"type": "fixed", "precision": 38, "scale": 0}
    if base == "DECIMAL":
        precision, scale = type_[8:-1].split(",")
        return described | {"type": "fixed", "precision": int(precision), "scale": int(scale)}
    if base == "BLOB":
        return described | {"type": "binary", "length": 8_388_608, "byteLength": 8_388_608}
    if base in {"VARCHAR", "ENUM", "UUID", "NULL", '"NULL"'}:
        return described | {"type": "text", "length": 16_777_216, "byteLength": 16_777_216}
    kinds = {
        "DOUBLE": "real",
        "FLOAT": "real",
        "BOOLEAN": "boolean",
        "DATE": "date",
        "JSON": "variant",
        "TIME": "time",
    }
    if base in kinds:
        return described | {"type": kinds[base], "scale": 9 if base == "TIME" else None}
    if base.startswith("TIMESTAMP"):
        return described | {"type": "timestamp_tz" if "ZONE" in base else "timestamp_ntz", "scale": 9}
    return described | {"type": "array" if type_.endswith("]") else "object"}


def writers(types: Sequence[dict[str, Any]]) -> list[Write]:
    """Return what writes the values of each column."""
    kinds: dict[str, Write] = {
        "boolean": lambda value: str(value).lower(),
        "date": lambda value: str((value - EPOCH).days),
        "time": _time,
        "timestamp_ntz": lambda value: _seconds(value - MOMENT),
        "timestamp_tz": lambda value: _seconds(value.astimezone(UTC).replace(tzinfo=None) - MOMENT) + " 1440",
        "binary": lambda value: bytes(value).hex(),
        "real": repr,
    }
    return [kinds.get(type_["type"], str) for type_ in types]


def write_row(row: Sequence[Any], how: Sequence[Write]) -> list[str | None]:
    """Return one row as the service sends it."""
    return [None if value is None else write(value) for value, write in zip(row, how, strict=True)]


def _seconds(past: timedelta) -> str:
    seconds, micro = past.days * 86_400 + past.seconds, past.microseconds
    if seconds < 0 and micro:
        return f"-{-(seconds + 1)}.{1_000_000 - micro:06d}000"
    return f"{seconds}.{micro:06d}000"


def _time(value: time) -> str:
    return f"{value.hour * 3600 + value.minute * 60 + value.second}.{value.microsecond:06d}000"
