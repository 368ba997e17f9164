"""Our own wording: every value is a slot, so printing it binds it; nobody else's prose is in it."""

from decimal import localcontext

from gateway.ground.asked import Scope
from gateway.ground.check import PRECISION, holds_figures, no_figures_text
from gateway.ground.cite import cite_slots
from gateway.ground.sheet import Sheet
from gateway.ground.slots import fill
from traces.grounding import Grounding
from traces.records import Table


def print_own(text: str, table: Table, scope: Scope) -> Grounding:
    """Print a text that code wrote and cite each of its cells. A slot that names nothing blocks it."""
    if not holds_figures(table):
        return Grounding(verdict="fixed_message", text=no_figures_text(table, scope))
    with localcontext() as context:
        context.prec = PRECISION
        sheet = Sheet(table)
        printed = fill(text, sheet, {}, scope.calendar)
        return Grounding(
            verdict="block" if printed.findings else "pass",
            text=printed.text,
            citations=tuple(cite_slots(printed, sheet)),
            findings=printed.findings,
        )
