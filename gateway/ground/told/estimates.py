"""Figures that the database estimates: a text must say so ("about 1,200 visitors")."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.text import Visible
from gateway.ground.pointing.bound import Binding
from gateway.ground.table.sheet import Sheet
from traces.grounding import SpanFinding

ESTIMATED = re.compile(r"\b(?:about|approx\w*|around|roughly|estimat\w+|circa)\b|~", re.IGNORECASE)


def check_estimates(visible: Visible, sheet: Sheet, bindings: Sequence[Binding]) -> Iterator[SpanFinding]:
    """Yield the numbers typed as exact whose columns hold estimates."""
    estimates = frozenset(at for at, column in enumerate(sheet.columns) if column.approximate)
    for binding in bindings if estimates else ():
        columns = binding.derived.columns if binding.derived else frozenset()
        own = estimates & (columns | ({binding.cell[1]} if binding.cell else frozenset()))
        quantity = binding.quantity
        line = visible.text.rfind("\n", 0, quantity.start) + 1
        said = ESTIMATED.search(visible.text, max(line, quantity.start - 60), quantity.start)
        if not own or quantity.slot is not None or quantity.hedge or said:
            continue
        start, end = visible.span(quantity.start, quantity.end)
        text = visible.raw[start:end]
        yield SpanFinding(
            code="precision",
            start=start,
            end=end,
            text=text,
            message=f"{text}: {sheet.label(min(own))} is an estimate",
            expected=f"about {text}",
            next_step=f"Write about {text}.",
        )
