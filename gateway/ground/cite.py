"""Where every number of an answer came from, as records: its span, its value, its cell or its expression."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal

from gateway.ground.bind import Binding
from gateway.ground.read import Draft
from gateway.ground.sheet import CellAt, Sheet
from gateway.ground.slots import Printed
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
    for slot in printed.filled:
        span = slot.start, slot.end
        if slot.derived is not None:
            yield _citation(printed, sheet, span, None, slot.derived.expression, slot.derived.value)
        elif slot.cell is not None and slot.cell[1] not in sheet.keys:
            yield _citation(printed, sheet, span, slot.cell, "", sheet.number(*slot.cell))


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
        cell=Cell(row=cell[0], column=column.name),
        row_key=sheet.row_key(cell[0]),
        metric=column.name,
        version=column.version,
        chance=chance,
    )


def _kind(source: str) -> Literal["derivation", "row_count", "parameter"]:
    if source.startswith("parameter"):
        return "parameter"
    return "row_count" if source.startswith("count_") else "derivation"
