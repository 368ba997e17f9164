"""Where every number of an answer came from, as records: its span, its value, its cell or its expression."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from gateway.ground.derived.slots import Filled, Printed
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.read import Draft
from gateway.ground.table.sheet import CellAt, Sheet
from traces.records import Cell, Citation


def cite(draft: Draft, sheet: Sheet, bindings: Sequence[Binding]) -> tuple[Citation, ...]:
    """Return the citations of a draft in order, with offsets in the text with its slots printed."""
    found = [*_bound(draft, sheet, bindings), *cite_slots(draft.printed, sheet)]
    return tuple(sorted(found, key=lambda citation: citation.start))


def _bound(draft: Draft, sheet: Sheet, bindings: Sequence[Binding]) -> Iterator[Citation]:
    for binding in bindings:
        if binding.grounded and binding.quantity.slot is None:
            span = draft.visible.span(binding.quantity.start, binding.quantity.end)
            source = binding.derived.expression if binding.derived else binding.implicit
            chance = round(binding.chance, 6)
            yield _citation(draft.printed, sheet, span, binding.cell, source, binding.value, chance)


def cite_slots(printed: Printed, sheet: Sheet) -> Iterator[Citation]:
    """Yield the citation of every figure that a slot printed, in order."""
    patterns: dict[int, Citation] = {}
    for slot in printed.filled:
        span = slot.start, slot.end
        if slot.derived is not None:
            yield _citation(printed, sheet, span, None, slot.derived.expression, slot.derived.value)
        elif slot.cell is not None and slot.cell[1] not in sheet.keys:
            row, column = slot.cell
            pattern = patterns.get(column)
            if pattern is None:
                pattern = patterns[column] = _citation(printed, sheet, span, slot.cell, "", None)
            yield _like(pattern, slot, sheet, row, column)


def _like(pattern: Citation, slot: Filled, sheet: Sheet, row: int, column: int) -> Citation:
    """Return the citation of a cell, given that of another one of its column: only what differs is made."""
    value = sheet.number(row, column)
    return pattern.model_copy(
        update={
            "start": slot.start,
            "end": slot.end,
            "text": slot.text,
            "value": "" if value is None else str(value),
            "cell": _cell(row, pattern.metric),
            "row_key": sheet.row_key(row),
        }
    )


def _citation(
    printed: Printed,
    sheet: Sheet,
    span: tuple[int, int],
    cell: CellAt | None,
    source: str,
    value: Decimal | None,
    chance: float | None = None,
) -> Citation:
    start, end = span
    text, shown = printed.text[start:end], "" if value is None else str(value)
    if cell is None:
        kind = _kind(source)
        return Citation(
            start=start, end=end, text=text, value=shown, kind=kind, expression=source, chance=chance
        )
    column = sheet.columns[cell[1]]
    return Citation(
        start=start,
        end=end,
        text=text,
        value=shown,
        kind="cell",
        cell=_cell(cell[0], column.name),
        row_key=sheet.row_key(cell[0]),
        metric=column.name,
        version=column.version,
        chance=chance,
    )


@lru_cache(maxsize=4096)
def _cell(row: int, column: str) -> Cell:
    """Return a place in a result: it says where, and nothing of what stands there."""
    return Cell(row=row, column=column)


def _kind(source: str) -> Literal["derivation", "row_count", "parameter"]:
    if source.startswith("parameter"):
        return "parameter"
    return "row_count" if source.startswith("count_") else "derivation"
