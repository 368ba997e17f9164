"""The chunks of a running result -> rows up to the caps, every value one that a result can carry."""

import time
from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal
from typing import Any

import psycopg
from psycopg import pq
from psycopg.adapt import Transformer
from psycopg.pq.abc import PGresult

from gateway.engines.base import EngineError, Limits, Rows
from gateway.engines.capped import Convert, take, unchanged, value_type
from gateway.engines.postgres_errors import OF_VALUES, as_query_error
from gateway.engines.postgres_session import AS_TEXT, Session
from gateway.engines.postgres_wire import Exchange, StatementFailed
from traces.records import Actual, Value

EXACT = frozenset(
    {
        "bool",
        "int2",
        "int4",
        "int8",
        "oid",
        "float4",
        "float8",
        "text",
        "varchar",
        "bpchar",
        "name",
        '"char"',
        "date",
        "timestamp",
        *AS_TEXT,
    }
)


def read_rows(session: Session, exchange: Exchange, limits: Limits) -> Rows:
    """Stream the next statement's rows up to the row and byte caps.

    Raises StatementFailed, and EngineError for a column of a type that a result cannot carry or a value that
    is outside what it can (an infinite date, say).
    """
    started = time.monotonic()
    stream = exchange.stream()
    first = next(stream)
    if first.status not in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.TUPLES_CHUNK, pq.ExecStatus.SINGLE_TUPLE):
        raise EngineError("not_one_select", "the statement gives no rows")
    names, types, kinds = _columns(session, first)
    try:
        kept, limit_source = take(_batches(session, first, stream), kinds, limits)
    except psycopg.DataError:
        raise as_query_error(StatementFailed(OF_VALUES[0], "")) from None
    if limit_source:
        session.interrupt()
    return Rows(
        names=names,
        types=types,
        rows=tuple(kept),
        truncated=bool(limit_source),
        limit_source=limit_source,
        actual=Actual(rows=len(kept), ms=round((time.monotonic() - started) * 1000, 3)),
        backend=str(session.connection.info.backend_pid),
    )


def _columns(
    session: Session, result: PGresult
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Convert, ...]]:
    """Return names, types and converters of the columns; names all that cannot be carried at once."""
    names, types, kinds = [], [], []
    strange = []
    for at in range(result.nfields):
        name = (result.fname(at) or b"").decode()
        number = result.ftype(at)
        info = session.connection.adapters.types.get(number)
        text = session.facts.texts.get(number)
        shown = text or (info.get_type_display(number, result.fmod(at)) if info else f"type {number}")
        kind = unchanged if text else _kind(info.name if info and number == info.oid else "")
        if kind is None:
            strange.append(f"{name} ({shown})")
            continue
        names.append(name)
        types.append(shown)
        kinds.append(kind)
    if strange:
        raise value_type(strange)
    return tuple(names), tuple(types), tuple(kinds)


def _kind(type_: str) -> Convert | None:
    if type_ in EXACT:
        return unchanged
    return {"numeric": _number, "timestamptz": _in_utc}.get(type_)


def _number(value: Decimal) -> Value:
    """Return an exact number; what is none is a float, like in every other engine."""
    return value if value.is_finite() else float(value)


def _in_utc(value: Any) -> Value:
    instant: Value = value.astimezone(UTC)
    return instant


def _batches(session: Session, first: PGresult, rest: Iterator[PGresult]) -> Iterator[list[tuple[Any, ...]]]:
    loader = Transformer(session.connection)
    loader.set_pgresult(first)
    yield loader.load_rows(0, first.ntuples, tuple)
    for chunk in rest:
        loader.set_pgresult(chunk, set_loaders=False)
        yield loader.load_rows(0, chunk.ntuples, tuple)
