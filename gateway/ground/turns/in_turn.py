"""Names told alike in turn ("A hit number 32 and B hit number 31 on the Rock chart"): one column."""

import re
from collections.abc import Callable, Iterable, Sequence

from gateway.ground.pointing.bound import Binding, chance_of
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import CellAt, Sheet

SAID = re.compile(r"\W{0,2}\s(?P<words>[a-z]+(?:\s[a-z#]+){0,3})\s#?\Z", re.IGNORECASE)
REACH = 40
Cells = Callable[[Binding], Iterable[CellAt]]


def told_in_turn(
    text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence, cells: Cells
) -> tuple[Binding, ...]:
    """Give numbers the column of the last one that is told in the same words, where it alone names one."""
    found = list(bindings)
    last = bindings[-1] if bindings else None
    said = _said(text, last, sentence) if last is not None and len(bindings) > 1 else ""
    if last is None or not said or last.cell is None or not last.place.named or last.quantity.slot:
        return tuple(found)
    column = last.cell[1]
    behind = any(m.start >= last.quantity.end and column in m.columns for m in sentence.columns)
    before = any(m.end <= last.quantity.start for m in sentence.columns)
    if not behind or before or column not in sheet.figured:
        return tuple(found)
    for at, binding in enumerate(bindings[:-1]):
        rows = _led_by(binding, sentence)
        if len(rows) != 1 or binding.place.named or _said(text, binding, sentence) != said:
            continue
        cell = min(rows), column
        if cell in set(cells(binding)):
            bare = Binding(binding.quantity, binding.place, binding.direction)
            found[at] = bare._replace(
                cell=cell, value=sheet.number(*cell), chance=chance_of(bare.quantity, 1)
            )
        else:
            found[at] = binding._replace(cell=None, derived=None, implicit="", value=None, unbound=True)
    return tuple(found)


def _led_by(binding: Binding, sentence: Sentence) -> frozenset[int]:
    """Return the rows of the full name before a number; of several such names those of the closest one."""
    start = binding.quantity.start
    led = [m for m in sentence.rows if m.full and start - REACH <= m.end <= start]
    return min((m.rows for m in led if m.end == led[-1].end), key=len) if led else frozenset()


def _said(text: str, binding: Binding, sentence: Sentence) -> str:
    """Return the words between a full name and the number behind it; empty for none."""
    start = binding.quantity.start
    led = [m for m in sentence.rows if m.full and start - REACH <= m.end <= start]
    said = SAID.fullmatch(text, led[-1].end, start) if led else None
    return said["words"].lower() if said else ""
