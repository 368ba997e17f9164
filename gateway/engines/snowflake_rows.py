"""A result on its way -> rows up to the caps, every value one that a result can carry, numbers exact."""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC
from typing import Any

from gateway.engines.base import EngineCancelled, EngineError, Limits, Rows
from gateway.engines.capped import Convert, take, unchanged, value_type
from gateway.engines.snowflake_names import literal
from gateway.engines.snowflake_session import Answer
from traces.records import Actual, Value

BATCH = 512
SCANNED = (
    "SELECT BYTES_SCANNED FROM TABLE(INFORMATION_SCHEMA.QUERY_HISTORY_BY_SESSION(RESULT_LIMIT => 100))"
    " WHERE QUERY_ID = {}"
)
NAMES = (
    "NUMBER",
    "FLOAT",
    "VARCHAR",
    "DATE",
    "TIMESTAMP",
    "VARIANT",
    "TIMESTAMP_LTZ",
    "TIMESTAMP_TZ",
    "TIMESTAMP_NTZ",
    "OBJECT",
    "ARRAY",
    "BINARY",
    "TIME",
    "BOOLEAN",
    "GEOGRAPHY",
    "GEOMETRY",
    "VECTOR",
    "MAP",
    "FILE",
    "INTERVAL YEAR TO MONTH",
    "INTERVAL DAY TO SECOND",
)
EXACT = frozenset({"NUMBER", "FLOAT", "VARCHAR", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "VARIANT", "BOOLEAN"})


def read_rows(answer: Answer, limits: Limits, started: float) -> Rows:
    """Fetch the answer up to the row and byte caps; its names are written small, as quoting does not count.

    Raises EngineError for a column of a type that a result cannot carry or a value that is outside what it
    can.
    """
    names, types, kinds = _columns(answer)
    kept, limit_source = take(_batches(answer), kinds, limits)
    return Rows(
        names=names,
        types=types,
        rows=tuple(kept),
        truncated=bool(limit_source),
        limit_source=limit_source,
        actual=Actual(rows=len(kept), ms=round((time.monotonic() - started) * 1000, 3)),
    )


def scanned(ask: Callable[[str], Answer], query_ids: Iterable[str]) -> int | None:
    """Return the bytes that statements of this session have read, by its own history.

    None where the history does not tell: what a query read is no reason to lose its answer.
    """
    sizes = []
    for query_id in query_ids:
        try:
            told = ask(SCANNED.format(literal(query_id))).all()
        except EngineCancelled:
            raise
        except EngineError:
            return None
        if not told or told[0][0] is None:
            return None
        sizes.append(int(told[0][0]))
    return sum(sizes)


def _columns(answer: Answer) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Convert, ...]]:
    """Return names, types and converters of the columns; names all that cannot be carried at once."""
    names, types, kinds, strange = [], [], [], []
    for column in answer.columns:
        kind = NAMES[column.type_code] if column.type_code < len(NAMES) else f"type {column.type_code}"
        shown = f"NUMBER({column.precision},{column.scale})" if kind == "NUMBER" else kind
        convert = _convert(kind)
        if convert is None:
            strange.append(f"{column.name.lower()} ({shown})")
            continue
        names.append(column.name.lower())
        types.append(shown)
        kinds.append(convert)
    if strange:
        raise value_type(strange)
    return tuple(names), tuple(types), tuple(kinds)


def _convert(kind: str) -> Convert | None:
    if kind in EXACT:
        return unchanged
    if kind in ("TIMESTAMP_TZ", "TIMESTAMP_LTZ"):
        return _in_utc
    return str if kind == "TIME" else None


def _in_utc(value: Any) -> Value:
    instant: Value = value.astimezone(UTC)
    return instant


def _batches(answer: Answer) -> Iterator[list[tuple[Any, ...]]]:
    while batch := answer.fetch(BATCH):
        yield batch
