"""Two questions whose difference would tell of few people: what is kept of one, when two are near."""

from collections.abc import Mapping
from itertools import combinations, product
from typing import Literal

from metric_layer.record import Record

Kind = Literal["in", "not", "below", "above", "between", "null", "not_null"]
KINDS: Mapping[str, Kind] = {
    "eq": "in",
    "in": "in",
    "ne": "not",
    "not_in": "not",
    "lt": "below",
    "le": "below",
    "gt": "above",
    "ge": "above",
    "between": "between",
    "is_null": "null",
    "not_null": "not_null",
}
LISTS = ("in", "not")
RANGES = ("below", "above", "between")


class Mark(Record):
    """One filter: its kind, and a keyed digest of each of its values."""

    kind: Kind
    values: frozenset[str] = frozenset()


class Asked(Record):
    """A question as it is remembered for a day: keyed digests of names and values, and counts of people.

    It is about one metric over one window; the other ones that it asked for stand `beside` it. `fields` are
    the filters by field, `window` its bounds, `grouped` what it is grouped by. `groups` are the counts of
    each group and `figures` a digest of what was told of it, by a digest of metric and group.
    """

    metrics: frozenset[str]
    grouped: frozenset[str]
    fields: Mapping[str, frozenset[Mark]] = {}
    window: tuple[str, str] = ("", "")
    groups: Mapping[str, tuple[int, ...]] = {}
    figures: Mapping[str, str] = {}
    beside: tuple["Asked", ...] = ()


def is_near(now: Asked, earlier: Asked, smallest: int) -> bool:
    """Say whether a figure of one question, taken from one of another, would tell of a small group."""
    pairs = product((now, *now.beside), (earlier, *earlier.beside))
    return any(_are_near(one, other, smallest) for one, other in pairs)


def tells_by_itself(asked: Asked, smallest: int) -> bool:
    """Say whether two figures of one question are near, as where it compares two windows."""
    return any(_are_near(*pair, smallest) for pair in combinations((asked, *asked.beside), 2))


def _are_near(now: Asked, earlier: Asked, smallest: int) -> bool:
    """Say whether two figures are near.

    They share a metric, are grouped alike, differ in one filter's value or one bound of the window, and in
    some group the people of one are fewer than `smallest` more than those of the other. As many people with
    another figure are near as well: what differs is of a few of them.
    """
    if now.grouped != earlier.grouped or not now.metrics & earlier.metrics:
        return False
    fields = now.fields.keys() | earlier.fields.keys()
    none: frozenset[Mark] = frozenset()
    moved = [f for f in fields if now.fields.get(f, none) != earlier.fields.get(f, none)]
    shifted = sum(a != b for a, b in zip(now.window, earlier.window, strict=True))
    if len(moved) + shifted != 1:
        return False
    if moved and moved[0] in now.grouped:
        return False
    step = _step(now.fields.get(moved[0], none), earlier.fields.get(moved[0], none)) if moved else "nested"
    return step != "" and any(
        _few(
            counts,
            earlier.groups[group],
            smallest,
            alike=step == "nested" and now.figures.get(group) == earlier.figures.get(group),
        )
        for group, counts in now.groups.items()
        if group in earlier.groups
    )


def _step(now: frozenset[Mark], earlier: frozenset[Mark]) -> Literal["", "nested", "swapped"]:
    """Return whether one filter keeps a part of what the other keeps, or all of it but one value each."""
    mine, theirs = now - earlier, earlier - now
    if not mine or not theirs:
        return "nested"
    if len(mine) > 1 or len(theirs) > 1:
        return ""
    (one,), (other,) = mine, theirs
    if one.kind != other.kind:
        return ""
    if one.kind in RANGES:
        return "nested"
    apart = one.values ^ other.values
    if one.values <= other.values or other.values <= one.values:
        return "nested" if len(apart) == 1 else ""
    return "swapped" if len(apart) == 2 and one.values & other.values else ""


def _few(now: tuple[int, ...], earlier: tuple[int, ...], smallest: int, *, alike: bool) -> bool:
    """Say whether two counts of a group are apart by less than the line; equal ones if not all is alike."""
    for one, other in zip(now, earlier, strict=False):
        shown = one >= smallest and other >= smallest
        if shown and abs(one - other) < smallest and (one != other or not alike):
            return True
    return False
