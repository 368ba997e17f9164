"""Parts told behind their whole ("Of the 159 passengers, 131 were from Hungary"): in a column or a row."""

import re
from collections.abc import Sequence
from decimal import Decimal

from gateway.ground.binding import Binding, chance_of
from gateway.ground.clauses import Sentence, neighbours
from gateway.ground.sheet import CellAt, Sheet

LED = re.compile(
    r"(?:\A|[,:(]\s|\b(?:and|but)\s)(?:out\sof\s|(?:out\s)?of\s(?:an?\stotal\sof\s|(?:the|its|all|all\sthe|these|those|his|her|their)\s))"
    r"(?:total\s)?\Z",
    re.IGNORECASE,
)


def out_of(text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence) -> list[Binding]:
    """Bind a whole and its parts, and refuse a whole that is one of its own parts."""
    found = list(bindings)
    if not found:
        return found
    whole, parts = found[0], found[1:]
    plain = all(b.quantity.measure == "plain" and b.quantity.slot is None for b in found)
    if not plain or LED.search(text[sentence.start : whole.quantity.start]) is None:
        return found
    if whole.cell is not None and any(b.cell == whole.cell for b in parts):
        found[0] = whole._replace(cell=None, value=None, elsewhere=(whole.cell,))
    elif not all(b.grounded for b in found):
        _bind(sheet, found, _of_column(sheet, found) or _of_row(sheet, found, sentence))
    return found


def _bind(sheet: Sheet, found: list[Binding], cells: Sequence[CellAt]) -> None:
    for at, cell in enumerate(cells):
        own, chance = found[at], chance_of(found[at].quantity, 1)
        found[at] = own._replace(
            cell=cell, value=sheet.number(*cell), chance=chance, unbound=False, elsewhere=()
        )


def _of_column(sheet: Sheet, found: Sequence[Binding]) -> Sequence[CellAt]:
    """Return the cells of a whole and its parts, where the parts have theirs in one column with a total."""
    cells = [b.cell for b in found[1:] if b.cell is not None]
    columns = {column for _, column in cells}
    if len(cells) + 1 != len(found) or len(columns) != 1 or {row for row, _ in cells} & sheet.totals:
        return ()
    wholes = [c for c in _shown(found[0]) if c[0] in sheet.wholes and c[1] in columns]
    return [wholes[0], *cells] if len(wholes) == 1 else ()


def _of_row(sheet: Sheet, found: Sequence[Binding], sentence: Sentence) -> Sequence[CellAt]:
    """Return the cells of the one row in which the parts, all of them, make up the whole beside them."""
    kept: list[Sequence[CellAt]] = []
    for row in {row for row, _ in _shown(found[0])} if len(found) > 2 else ():
        own = [[c for c in _shown(b) if c[0] == row] for b in found]
        if any(len(cells) != 1 for cells in own) or len({cells[0] for cells in own}) < len(own):
            continue
        cells = [each[0] for each in own]
        values = [sheet.number(*cell) or Decimal(0) for cell in cells]
        pairs = zip(found[1:], cells[1:], strict=True)
        named = all(b.place.holds(c) or not _is_named(b, sentence) for b, c in pairs)
        if values[0] == sum(values[1:]) and named:
            kept.append(cells)
    return kept[0] if len(kept) == 1 else ()


def _shown(binding: Binding) -> Sequence[CellAt]:
    """Return the cells that a number could show."""
    return (binding.cell,) if binding.cell is not None else binding.elsewhere


def _is_named(binding: Binding, sentence: Sentence) -> bool:
    """Tell whether the name of a column stands behind a number, before the next one."""
    _, after = neighbours(binding.quantity, sentence)
    return any(binding.quantity.end <= m.start < after for m in sentence.columns)
