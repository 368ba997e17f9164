"""Figures of several rows told alike ("Vale (51 people), Mell (47 people)"): of one column, not of two."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import CellAt, Sheet

WORD = re.compile(r"\s?([^\W\d_]+)")
Cells = Callable[[Binding], Iterable[CellAt]]


def of_mixed_columns(
    text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence, cells: Cells
) -> Iterator[int]:
    """Yield numbers of one noun and several rows that no one column holds, though all may be of the same."""
    groups: dict[tuple[frozenset[int], str], list[int]] = {}
    respectively = "respectively" in text[sentence.start : sentence.end]
    for at, binding in enumerate(bindings):
        columns = binding.place.columns or frozenset()
        if binding.cell is None or len(columns) < 2 or not binding.place.named or binding.quantity.slot:
            continue
        word = WORD.match(text, binding.quantity.end)
        noun = "" if respectively or word is None else word[1].lower()
        if binding.cell[1] in columns & sheet.figured and (noun or respectively):
            groups.setdefault((columns, noun), []).append(at)
    for group in groups.values():
        rows = [cell[0] for at in group if (cell := bindings[at].cell) is not None]
        if len(rows) < 2 or len(set(rows)) < len(rows):
            continue
        held = [_columns(bindings[at], cells) for at in group]
        if not frozenset.intersection(*held):
            yield from group


def _columns(binding: Binding, cells: Cells) -> frozenset[int]:
    """Return the columns that hold a number in the row that it was found in."""
    row = binding.cell[0] if binding.cell is not None else -1
    return frozenset(c for r, c in cells(binding) if r == row and c in (binding.place.columns or ()))
