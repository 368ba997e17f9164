"""Our own wording: every value is the print of a cell, which binds it; nobody else's prose is in it."""

from collections.abc import Callable, Sequence
from datetime import date
from decimal import localcontext

from gateway.ground.check import PRECISION, holds_figures, no_figures_text
from gateway.ground.cite import cite_slots
from gateway.ground.derived.slots import Filled, Printed, show_cell
from gateway.ground.table.asked import Scope
from gateway.ground.table.sheet import CellAt, Sheet
from traces.grounding import Grounding
from traces.records import Table, Value

Said = str | CellAt
"""A part of a sentence: words, or the cell whose value stands there."""
_REPEATED = (str, date)


def print_own(said: Sequence[Said], table: Table, scope: Scope) -> Grounding:
    """Print a sentence that code wrote and cite each of its figures."""
    if not holds_figures(table):
        return Grounding(verdict="fixed_message", text=no_figures_text(table, scope))
    parts: list[str] = []
    filled: list[Filled] = []
    end = 0
    with localcontext() as context:
        context.prec = PRECISION
        sheet = Sheet(table)
        show = _printer(sheet, scope)
        for each in said:
            shown = each if isinstance(each, str) else show(*each)
            start, end = end, end + len(shown)
            if not isinstance(each, str) and each[1] not in sheet.keys:
                filled.append(Filled(start, end, shown, each))
            parts.append(shown)
        printed = Printed("".join(parts), tuple(filled), ())
        return Grounding(verdict="pass", text=printed.text, citations=tuple(cite_slots(printed, sheet)))


def _printer(sheet: Sheet, scope: Scope) -> Callable[[int, int], str]:
    """Return what prints a cell; a name or a day that stands in many rows of a column is printed once."""
    known: dict[tuple[int, Value], str] = {}

    def show(row: int, column: int) -> str:
        value = sheet.table.rows[row][column]
        if type(value) not in _REPEATED or column not in sheet.keys:
            return show_cell(sheet, row, column, scope.calendar)
        shown = known.get((column, value))
        if shown is None:
            shown = known[column, value] = show_cell(sheet, row, column, scope.calendar)
        return shown

    return show
