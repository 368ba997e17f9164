"""A DuckDB result -> schema and rows as BigQuery's JSON writes them."""

import base64
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
NUMERIC_SCALE, NUMERIC_WHOLE = 9, 29
TYPES = {
    "TINYINT": "INTEGER",
    "SMALLINT": "INTEGER",
    "INTEGER": "INTEGER",
    "BIGINT": "INTEGER",
    "HUGEINT": "INTEGER",
    "UTINYINT": "INTEGER",
    "USMALLINT": "INTEGER",
    "UINTEGER": "INTEGER",
    "UBIGINT": "INTEGER",
    "UHUGEINT": "INTEGER",
    "BIGNUM": "BIGNUMERIC",
    "DOUBLE": "FLOAT",
    "FLOAT": "FLOAT",
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIME": "TIME",
    "TIMESTAMP": "DATETIME",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP",
    "BLOB": "BYTES",
    "INTERVAL": "INTERVAL",
    "JSON": "JSON",
}
Field = dict[str, Any]


def field_of(name: str, type_: str) -> Field:
    """Return how the service describes a column of a DuckDB type."""
    if type_.endswith("]"):
        return {**field_of(name, type_.rpartition("[")[0]), "mode": "REPEATED"}
    if type_.startswith("STRUCT"):
        return {"name": name, "type": "RECORD", "mode": "NULLABLE", "fields": []}
    return {"name": name, "type": _type(type_), "mode": "NULLABLE"}


def write_rows(fields: Sequence[Field], rows: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """Return rows as the service sends them; TIMESTAMP in whole microseconds."""
    how = [_writer(each) for each in fields]
    return [
        {"f": [{"v": None if value is None else write(value)} for value, write in zip(row, how, strict=True)]}
        for row in rows
    ]


def _type(type_: str) -> str:
    if type_.startswith("DECIMAL"):
        precision, scale = (int(part) for part in type_[8:-1].split(","))
        return "NUMERIC" if scale <= NUMERIC_SCALE and precision - scale <= NUMERIC_WHOLE else "BIGNUMERIC"
    return TYPES.get(type_, "STRING")


def _writer(field: Field) -> Callable[[Any], Any]:
    kinds: dict[str, Callable[[Any], Any]] = {
        "BOOLEAN": lambda value: str(value).lower(),
        "FLOAT": _float,
        "DATETIME": lambda value: value.isoformat(),
        "TIMESTAMP": lambda value: str((value.astimezone(UTC) - EPOCH) // MICROSECOND),
        "BYTES": lambda value: base64.b64encode(value).decode(),
        "NUMERIC": _decimal,
        "BIGNUMERIC": _decimal,
        "RECORD": lambda value: {"f": []},
    }
    write = kinds.get(field["type"], str)
    if field["mode"] == "REPEATED":
        return lambda value: [{"v": write(each)} for each in value]
    return write


def _float(value: float) -> str:
    return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(str(value), repr(value))


def _decimal(value: Decimal | int) -> str:
    text = format(Decimal(value), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
