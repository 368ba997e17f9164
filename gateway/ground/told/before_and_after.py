"""Which of two figures came first ("peaked at 455 in July before easing to 390 in August"), by period."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import as_text
from traces.grounding import SpanFinding

WORDS = frozenset(("before", "after"))
# "... before easing to 390": what was done earlier, or later, than the figure told first.
TURN = re.compile(
    r"\b(?:(?P<before>before)|after)\s(?!being\b)[a-z]+ing\s(?:[a-z]+\s){0,3}?(?:to|at)\s(?:[a-z]+\s){0,2}[^\w\s]?\Z",
    re.IGNORECASE,
)


class BeforeAndAfter:
    """Reads which of two figures of one text is said to have come first, over the periods of the rows."""

    def __init__(self, visible: Visible, spoken: Spoken, names: Names) -> None:
        """Stand on a text and the names of a sheet."""
        self.visible = visible
        self.names = names
        self._windows = list(names.row_windows.items()) if spoken.says(WORDS) else []

    def check(self, sentences: Sequence[Sentence], bindings: Sequence[Binding]) -> Iterator[SpanFinding]:
        """Yield the figures that are said to come before or after another, and come the other way round."""
        if len(self._windows) != 1:
            return
        place = 0
        for sentence in sentences:
            own = bindings[place : place + len(sentence.quantities)]
            place += len(own)
            for first, second in pairwise(own):
                yield from self._denied(first, second)

    def _denied(self, first: Binding, second: Binding) -> Iterator[SpanFinding]:
        """Yield the second of two figures of one column that is told on the wrong side of the first."""
        if first.cell is None or second.cell is None or first.cell[1] != second.cell[1]:
            return
        key, windows = self._windows[0]
        one, other = windows.get(first.cell[0]), windows.get(second.cell[0])
        said = TURN.search(self.visible.text, first.quantity.end, second.quantity.start)
        if said is None or one is None or other is None or one == other:
            return
        if (other > one) != (said["before"] is not None):
            cell = (second.cell[0], key)
            value = as_text(self.names.sheet.table.rows[cell[0]][key])
            span = said.start(), second.quantity.end
            step = "Say which came first."
            yield contradicted(self.visible, self.names.sheet, span, cell, value, step)
