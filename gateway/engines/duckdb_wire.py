"""What the gateway and a worker tell each other: frames of bytes, and the records in them."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from gateway.engines.base import (
    EngineCancelled,
    EngineError,
    EngineTimeout,
    Limits,
    Relation,
    RoleScope,
    Rows,
)
from gateway.engines.duckdb_columns import Taken, decode_rows
from traces.cost_records import Actual
from traces.data_records import DataReference

LENGTH = 8
"""Bytes before each frame that say how long it is."""

_HEAD = 4
_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_LIMITS = tuple(each.name for each in fields(Limits))
_FAULTS: Mapping[str, type[EngineError]] = {
    kind.__name__: kind for kind in (EngineError, EngineTimeout, EngineCancelled)
}


@dataclass(frozen=True, slots=True)
class Message:
    """An order to a worker, or its answer: what it says, and bytes beside it."""

    head: Mapping[str, Any]
    data: bytes = b""


def frame(message: Message) -> bytes:
    """Return a message as it goes over a pipe."""
    head = _written(message.head).encode()
    length = _HEAD + len(head) + len(message.data)
    return b"".join((length.to_bytes(LENGTH, "big"), len(head).to_bytes(_HEAD, "big"), head, message.data))


def unframe(body: bytes) -> Message:
    """Return the message in a frame whose length was taken off. Raises ValueError or TypeError."""
    end = _HEAD + int.from_bytes(body[:_HEAD], "big")
    head = json.loads(body[_HEAD:end])
    if not isinstance(head, dict):
        raise TypeError("the head of a message is an object")
    return Message(head, body[end:])


def fault_message(error: EngineError) -> Message:
    """Return an error as a worker tells it."""
    return Message(
        {
            "fault": type(error).__name__,
            "code": error.code,
            "message": str(error),
            "retryable": error.retryable,
            "next_step": error.next_step,
        }
    )


def fault_in(head: Mapping[str, Any]) -> EngineError | None:
    """Return the error that a worker told of, or None when it did what it was asked."""
    if "fault" not in head:
        return None
    kind = _FAULTS[head["fault"]]
    return kind(
        str(head["code"]),
        str(head["message"]),
        retryable=head["retryable"] is True,
        next_step=str(head["next_step"]),
    )


def rows_message(taken: Taken, ahead: Taken | None) -> Message:
    """Return a result, and that of the statement beside it, as a worker tells them."""
    beside = ahead.parts if ahead else ()
    return Message(
        {
            "names": taken.names,
            "types": taken.types,
            "limit_source": taken.limit_source,
            "height": taken.height,
            "ms": taken.ms,
            "pid": os.getpid(),
            "parts": taken.parts,
            "size": len(taken.data),
            "beside": beside,
            "beside_width": len(ahead.names) if ahead else 0,
        },
        taken.data + (ahead.data if ahead else b""),
    )


def rows_in(message: Message, read: DataReference | None = None) -> Rows:
    """Return the result that a worker told of the data it `read`.

    Raises ValueError, KeyError, TypeError for what is none.
    """
    head, data = message.head, message.data
    names = tuple(map(str, head["names"]))
    size, height = int(head["size"]), int(head["height"])
    rows = decode_rows(head["parts"], data[:size], len(names))
    if len(rows) != height:
        raise ValueError("the rows are not as many as they were said to be")
    limit_source = str(head["limit_source"])
    return Rows(
        names=names,
        types=tuple(map(str, head["types"])),
        rows=rows,
        truncated=bool(limit_source),
        limit_source=limit_source,
        actual=Actual(rows=height, ms=float(head["ms"])),
        beside=decode_rows(head["beside"], data[size:], int(head["beside_width"])),
        data=read,
        backend=str(int(head["pid"])),
    )


def scope_head(scope: RoleScope, limits: Limits) -> dict[str, Any]:
    """Return what a role may see, and under which limits, as JSON holds it."""
    return {"scope": asdict(scope), "limits": limits_head(limits)}


def limits_head(limits: Limits) -> dict[str, float]:
    """Return limits as JSON holds them."""
    return {name: getattr(limits, name) for name in _LIMITS}


def limits_in(head: Mapping[str, Any]) -> Limits:
    """Return the limits of an order."""
    return Limits(**head["limits"])


def scope_in(head: Mapping[str, Any]) -> RoleScope:
    """Return the scope again."""
    scope = head["scope"]
    relations = tuple(
        Relation(each["name"], each["select"], tuple(each["columns"]), each["probe"], tuple(each["files"]))
        for each in scope["relations"]
    )
    return RoleScope(scope["role"], relations, scope["digest"])
