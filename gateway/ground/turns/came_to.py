"""Where a declared change began and what it came to: "climbed 12% to $7.2m", "fell 4% from 41 to 39"."""

import re
from collections.abc import Callable, Iterable, Sequence

from gateway.ground.derived.derive import Derived
from gateway.ground.pointing.bound import Binding, chance_of
from gateway.ground.sourcing.endings import CAME_TO
from gateway.ground.table.sheet import CellAt, Sheet

COME_TO = re.compile(
    rf"(?:\s(?:(?!compared\b|relative\b|against\b|close\b|from\b)[^;:.()\d]){{1,60}}?)?(?:{CAME_TO.pattern})",
    re.IGNORECASE,
)
FROM = re.compile(r",?\sfrom\s(?:about\s|just\s|around\s)?[^\w\s]?", re.IGNORECASE)
TO = re.compile(r"\sto\s(?:about\s|just\s|around\s)?[^\w\s]?", re.IGNORECASE)
Cells = Callable[[Binding], Iterable[CellAt]]


def ends_of(change: Derived) -> tuple[CellAt, CellAt] | None:
    """Return the older and the newer cell of a declared change; None for anything else."""
    if change.lead is None or not change.change:
        return None
    row, column = change.lead
    other = next(iter(change.rows - {row}), row), next(iter(change.columns - {column}), column)
    return (change.lead, other) if change.backward else (other, change.lead)


def told_ends(text: str, sheet: Sheet, bindings: Sequence[Binding], cells: Cells) -> tuple[Binding, ...]:
    """Give numbers right behind a declared change the cells that it was counted from, in their order."""
    found = list(bindings)
    for at, binding in enumerate(bindings):
        ends = ends_of(binding.derived) if binding.derived is not None else None
        behind = bindings[at + 1 : at + 3]
        if ends is None or not behind:
            continue
        start = binding.quantity.end, behind[0].quantity.start
        if FROM.fullmatch(text, *start):
            found[at + 1] = _at(behind[0], ends[0], sheet, cells)
            if len(behind) > 1 and TO.fullmatch(text, behind[0].quantity.end, behind[1].quantity.start):
                found[at + 2] = _at(behind[1], ends[1], sheet, cells)
        elif COME_TO.fullmatch(text, *start):
            found[at + 1] = _at(behind[0], ends[1], sheet, cells)
    return tuple(found)


def _at(binding: Binding, cell: CellAt, sheet: Sheet, cells: Cells) -> Binding:
    """Return a number without a source bound to a cell that it shows, and any other number as it was."""
    rows = binding.place.rows
    if binding.grounded or (rows is not None and cell[0] not in rows) or cell not in set(cells(binding)):
        return binding
    bare = Binding(binding.quantity, binding.place, binding.direction)
    return bare._replace(cell=cell, value=sheet.number(*cell), chance=chance_of(bare.quantity, 1))
