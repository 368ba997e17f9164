"""Figures in brackets as accounts have them, less than zero: none above zero stands in them beside those."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.text import Visible
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import Sheet
from traces.grounding import SpanFinding

# "$1,200 (30%)": it says again what stands before it.
GLOSSED = re.compile(r"\d[\w.,%]*\s\Z")


def check_accounts(visible: Visible, sheet: Sheet, bindings: Sequence[Binding]) -> Iterator[SpanFinding]:
    """Yield figures above zero in brackets where others of their kind in brackets are below it."""
    if "(" not in visible.text:
        return
    told = [b for b in bindings if b.quantity.bracketed and not b.quantity.sign and b.cell and b.value]
    told = [
        b for b in told if not GLOSSED.search(visible.text, max(0, b.quantity.start - 16), b.quantity.start)
    ]
    below = {_kind(sheet, b) for b in told if b.value and b.value < 0}
    for binding in told:
        if binding.cell and binding.value and binding.value > 0 and _kind(sheet, binding) in below:
            span, value = (binding.quantity.start, binding.quantity.end), str(binding.value)
            yield contradicted(visible, sheet, span, binding.cell, value, "Write it without brackets.")


def _kind(sheet: Sheet, binding: Binding) -> object:
    """Return what a number measures: percentages in brackets are another kind than amounts."""
    return sheet.measured[binding.cell[1]] if binding.cell else None
