"""How much of a result an MCP client is sent: at most so many characters, and what is left out is said.

Clients cut a long result where they please, or keep it from the model. What is cut here is cut by value, the
longest first, so that the outcome, the issues and every name still arrive.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Body = dict[str, Any]
MOST_CHARACTERS = 25_000
LONG = 300
"""Values of fewer characters stay whole while a longer one can give way."""
HEAD = 120
SAID = 120
"""Room for what is said of a cut."""
KEPT = frozenset(("outcome", "trace_id", "receipt", "issues", "hold_id", "name", "answer", "text"))
"""What is never cut: half of an answer or of a checked text would be another one."""
LEFT_OFF = "left_off"


class _Spot(NamedTuple):
    """A value and where it stands; `size` is its length as JSON."""

    size: int
    holder: Any
    key: str | int
    path: str


def within(body: Body, room: int = MOST_CHARACTERS) -> Body:
    """Return a result of at most `room` characters as compact JSON; its issues are never cut.

    `cut` lists what was: its JSON pointer, and how much of it is shown. A `left_off` counts what its list
    lost. A body that fits is returned as it is.
    """
    over = length(body) - room
    if over <= 0:
        return body
    cut: list[Body] = []
    shorter = json.loads(json.dumps(body))
    shorter["cut"] = cut
    for spots in (_values, _lists):
        for spot in sorted(spots(shorter), key=lambda found: -found.size):
            over = length(shorter) - room
            if over > 0:
                cut.extend(_shorten(spot, over))
    return _counted(shorter, body)


def length(body: object) -> int:
    """Return how many characters a value takes as compact JSON."""
    return len(text_of(body))


def text_of(body: object) -> str:
    """Return a value as compact JSON."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _values(body: Body) -> Iterator[_Spot]:
    """Yield the long values: of the body's objects and of the objects in its lists."""
    for name, value in body.items():
        if name in KEPT or name == "cut":
            continue
        if isinstance(value, list):
            for at, item in enumerate(value):
                yield from _long(item, f"/{name}/{at}")
        elif isinstance(value, dict):
            yield from _long(value, f"/{name}")
        elif isinstance(value, str) and len(value) > LONG:
            yield _Spot(len(value), body, name, f"/{name}")


def _long(holder: object, path: str) -> Iterator[_Spot]:
    if isinstance(holder, Mapping):
        for key, value in holder.items():
            size = length(value)
            if size > LONG and key not in KEPT:
                yield _Spot(size, holder, key, f"{path}/{key}")


def _lists(body: Body) -> Iterator[_Spot]:
    """Yield the body's own lists, whose tails go last."""
    for name, value in body.items():
        if isinstance(value, list) and name not in KEPT and name != "cut":
            yield _Spot(length(value), body, name, f"/{name}")


def _shorten(spot: _Spot, over: int) -> tuple[Body, ...]:
    """Cut a value in place, by no more than is needed where it is a list; say what is left of it."""
    value = spot.holder[spot.key]
    if isinstance(value, str):
        spot.holder[spot.key] = value[:HEAD] + "…"
        return ({"path": spot.path, "shown": HEAD, "of": len(value)},)
    if isinstance(value, list):
        kept = list(value)
        gone = -SAID
        while kept and gone < over:
            gone += length(kept.pop()) + 1
        spot.holder[spot.key] = kept
        if spot.key == "rows" and "truncated" in spot.holder:
            spot.holder["truncated"] = True
        return ({"path": spot.path, "shown": len(kept), "of": len(value)},)
    if isinstance(value, dict):
        spot.holder[spot.key] = {}
        return ({"path": spot.path, "shown": 0, "of": len(value)},)
    return ()


def _counted(shorter: Body, body: Body) -> Body:
    """Count what a list lost where the result has a count of it."""
    if LEFT_OFF not in shorter:
        return shorter
    name = next(iter(body))
    lost = len(body[name]) - len(shorter[name])
    return {**shorter, LEFT_OFF: shorter[LEFT_OFF] + lost}
