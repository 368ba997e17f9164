"""Clauses that tell figures of another row after the one before ("B trails with 6.1 and 58%", "C had 90")."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from gateway.ground.lexing.cues import JOINS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.bound import Binding, chance_of
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import CellAt, Sheet

# Words around a lone number that say nothing of a column ("on Social we saw 90").
LIGHT = re.compile(
    r"(?:[\W_]|\b(?:we|it|they|there|saw|had|has|have|was|were|is|are|got|with|in|at|on|for|of|the|and|but|only|just"
    r"|about|recorded|counted|managed|came|to|reached|posted|logged|shows?|showed|stood|follow(?:s|ed)|next|then|by"
    r"|contrast|still|also|meanwhile)\b)*",
    re.IGNORECASE,
)
ALONE = re.compile(r"\s*(?:[.,;:!?)]|\Z)")
LONGEST, REACH = 4, 80
Cells = Callable[[Binding], Iterable[CellAt]]


class Followers:
    """Reads numbers that name no column after a clause that named theirs, over one sheet and one text."""

    def __init__(self, sheet: Sheet, text: str, cells: Cells) -> None:
        """Stand on a sheet and a text; `cells` gives every cell that a number could show."""
        self.sheet = sheet
        self.text = text
        self.cells = cells
        self.last: Sequence[Binding] = ()  # what became of the numbers of the sentence before

    def told(self, bindings: Sequence[Binding], sentence: Sentence) -> tuple[Binding, ...]:
        """Return the bindings of a sentence, a list or a lone number of another row in the columns before."""
        if len(bindings) == 1:
            first = bindings[0]
            return (first if first.place.named or not self.last else self._alone(first, sentence),)
        count = self._listed(bindings)
        row = self._row(bindings[-count:], sentence) if count > 1 else -1
        before = bindings[-2 * count : -count] or self.last
        columns = [b.cell[1] for b in before if b.cell is not None]
        rows = {b.cell[0] for b in before if b.cell is not None}
        alike = count == len(before) == len(set(columns))
        if row < 0 or len(rows) != 1 or row in rows or not alike:
            return tuple(bindings)
        run = zip(bindings[-count:], before, columns, strict=True)
        return (*bindings[:-count], *(self._in_column(b, first, (row, column)) for b, first, column in run))

    def _in_column(self, binding: Binding, first: Binding, cell: CellAt) -> Binding:
        """Return a number bound to a cell, or refused where it shows another of the same kind.

        A number beside a percentage in a list may be none itself ("6.1 and 58%").
        """
        quantity, measure = binding.quantity, first.quantity.measure
        if quantity.measure == "percent" and measure == "plain" and not _is_marked(quantity):
            quantity = quantity._replace(measure="plain")
        if quantity.measure != measure or binding.cell == cell or binding.derived is not None:
            return binding
        seen = Binding(quantity, binding.place, binding.direction)
        if cell in set(self.cells(seen)):
            return seen._replace(cell=cell, value=self.sheet.number(*cell), chance=chance_of(quantity, 1))
        return _refused(binding)

    def _alone(self, binding: Binding, sentence: Sentence) -> Binding:
        """Return a lone number that names no column; refused if the sentence before told other columns."""
        cell, quantity = binding.cell, binding.quantity
        if cell is None or binding.place.named or quantity.measure != "plain" or quantity.slot is not None:
            return binding
        like = [b.cell for b in self.last if b.cell is not None and b.quantity.measure == "plain"]
        if not like or cell[1] in {column for _, column in like} or sentence.columns:
            return binding
        bare = ALONE.match(self.text, quantity.end) is not None and self._is_light(quantity, sentence)
        return _refused(binding) if bare and cell[0] not in {row for row, _ in like} else binding

    def _is_light(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a sentence says nothing before a number but its row."""
        place = sentence.start
        for mention in (*(m for m in sentence.rows if m.end <= quantity.start), None):
            end = mention.start if mention is not None else quantity.start
            if end > place and LIGHT.fullmatch(self.text, place, end) is None:
                return False
            place = max(place, mention.end if mention is not None else place)
        return True

    def _listed(self, bindings: Sequence[Binding]) -> int:
        """Return how many of the last numbers stand in one list ("with 620 and 4.1%")."""
        count = 1
        while count < min(len(bindings), LONGEST):
            first, second = bindings[-count - 1].quantity, bindings[-count].quantity
            if self.text[first.end : second.start].strip().lower() not in JOINS:
                break
            count += 1
        return count

    def _row(self, run: Sequence[Binding], sentence: Sentence) -> int:
        """Return the one row right before a list that names no column; -1 for none."""
        first, last = run[0].quantity, run[-1].quantity
        led = [m for m in sentence.rows if m.full and first.start - REACH <= m.end <= first.start]
        rows = led[-1].rows if led else frozenset()
        following = bisect_left(sentence.quantities, last.end, key=lambda q: q.start)
        named = any(m.start >= led[-1].start for m in sentence.columns) if led else True
        own = all(b.place.rows == rows for b in run)
        alone = len(rows) == 1 and own and not named and following == len(sentence.quantities)
        return next(iter(rows)) if alone else -1


def _is_marked(quantity: Quantity) -> bool:
    """Tell whether a percentage says itself that it is one."""
    return "%" in quantity.text or "per" in quantity.text.lower()


def _refused(binding: Binding) -> Binding:
    cells = (binding.cell,) if binding.cell is not None else binding.elsewhere
    return binding._replace(cell=None, implicit="", value=None, elsewhere=cells, unbound=True)
