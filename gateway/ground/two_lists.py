"""Two lists of figures that answer each other ("240 and 294 became 329 and 330 respectively"), row by row."""

import re
from collections.abc import Callable, Iterable, Sequence

from gateway.ground.binding import Binding, chance_of
from gateway.ground.clauses import Sentence, listed_run
from gateway.ground.sheet import CellAt, Sheet

RESPECTIVELY = re.compile(r"[^;:.\d]{0,60}?,?\srespectively\b", re.IGNORECASE)
Cells = Callable[[Binding], Iterable[CellAt]]


def in_two_lists(
    text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence, cells: Cells
) -> tuple[Binding, ...]:
    """Bind two lists to the two columns that hold them row by row, or refuse them where none do.

    Only where no row is named: each number then is told by the one that answers it.
    """
    found = list(bindings)
    lists = _lists(text, bindings, sentence)
    if not lists:
        return tuple(found)
    held = [
        [{cell for cell in cells(bindings[at]) if cell[1] in sheet.figured} for at in run] for run in lists
    ]
    pairs = [pair for pair in _pairs(held) if _are_told(bindings, lists, pair)]
    for run, column, rows in (
        zip(lists, pairs[0][0], (pairs[0][1],) * 2, strict=True) if len(pairs) == 1 else ()
    ):
        for at, row in zip(run, rows, strict=True):
            own, cell = bindings[at], (row, column)
            value = sheet.number(*cell)
            found[at] = Binding(own.quantity, own.place, own.direction, cell=cell, value=value)
            found[at] = found[at]._replace(chance=chance_of(own.quantity, 1))
    if len(pairs) != 1:
        for at in (*lists[0], *lists[1]):
            if bindings[at].cell is not None:
                found[at] = bindings[at]._replace(cell=None, value=None, unbound=True)
    return tuple(found)


def _lists(text: str, bindings: Sequence[Binding], sentence: Sentence) -> list[range]:
    """Return where the numbers of two lists of one length stand, the second "respectively"; else nothing."""
    if "respectively" not in text[sentence.start : sentence.end] or len(bindings) < 4:
        return []
    starts = {b.quantity.start: at for at, b in enumerate(bindings)}
    last = len(bindings) - 1
    second = [starts[q.start] for q in listed_run(text, bindings[last].quantity, sentence)]
    if len(second) < 2 or not second[0] or not RESPECTIVELY.match(text, bindings[last].quantity.end):
        return []
    first = [starts[q.start] for q in listed_run(text, bindings[second[0] - 1].quantity, sentence)]
    told = [bindings[at] for at in (*first, *second)]
    open_ = all(b.place.rows is None and b.quantity.slot is None and b.derived is None for b in told)
    plain = len({b.quantity.measure for b in told}) == 1
    if len(first) != len(second) or not open_ or not plain:
        return []
    return [range(first[0], first[-1] + 1), range(second[0], second[-1] + 1)]


def _pairs(held: Sequence[Sequence[set[CellAt]]]) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Return the pairs of columns that hold both lists row by row, each with the rows, no row twice."""
    first, second = held
    found = []
    for one in {column for _, column in first[0]}:
        for two in {column for _, column in second[0]} - {one}:
            rows = [
                {r for r, c in a if c == one} & {r for r, c in b if c == two}
                for a, b in zip(first, second, strict=True)
            ]
            if all(len(own) == 1 for own in rows) and len(set().union(*rows)) == len(rows):
                found.append(((one, two), tuple(min(own) for own in rows)))
    return found


def _are_told(
    bindings: Sequence[Binding], lists: Sequence[range], pair: tuple[tuple[int, int], tuple[int, ...]]
) -> bool:
    """Tell whether one of two columns is one that the words of its list name."""
    named = [bindings[run[0]].place for run in lists]
    return any(p.named and column in (p.columns or ()) for p, column in zip(named, pair[0], strict=True))
