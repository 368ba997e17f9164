"""Our own wording: every value is the print of a cell, which binds it; nobody else's prose is in it."""

from collections.abc import Sequence
from decimal import localcontext

from gateway.ground.asked import Scope
from gateway.ground.check import PRECISION, holds_figures, no_figures_text
from gateway.ground.cite import cite_slots
from gateway.ground.sheet import CellAt, Sheet
from gateway.ground.slots import Filled, Printed, show_cell
from traces.grounding import Grounding
from traces.records import Table

Said = str | CellAt
"""A part of a sentence: words, or the cell whose value stands there."""


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
        for each in said:
            shown = each if isinstance(each, str) else show_cell(sheet, *each, scope.calendar)
            start, end = end, end + len(shown)
            if not isinstance(each, str):
                filled.append(Filled(start, end, shown, each))
            parts.append(shown)
        printed = Printed("".join(parts), tuple(filled), ())
        return Grounding(verdict="pass", text=printed.text, citations=tuple(cite_slots(printed, sheet)))
