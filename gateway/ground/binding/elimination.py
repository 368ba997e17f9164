"""What is left for a number that its nearest words deny: its cell by elimination, among those of its row.

A name beside a number may belong to another number of the sentence. Where that number has taken it, and one
cell of the row (or of the row of totals, where the words say so) shows the number, that cell is meant.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from gateway.ground.lexing.cues import LIST_GAPS, OPENS, list_gap
from gateway.ground.lexing.measures import measure_after, size_said
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import factor
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.bound import Binding, chance_of
from gateway.ground.pointing.whole import Whole
from gateway.ground.sentence.clauses import Sentence, follows, neighbours
from gateway.ground.sentence.columns_in_order import FROM_TO
from gateway.ground.sourcing.sources import Sources
from gateway.ground.table.sheet import CellAt, Sheet
from metric_layer.period_bounds import Window

# "140 of 28,330 parcels", "12 of his 58 matches": a part and its whole, of one row.
PART_OF = re.compile(r"\s(?:out\s)?of\s(?:the\s|his\s|her\s|its\s|their\s|all\s)?(?:total\s)?", re.IGNORECASE)
OF_TOTAL = re.compile(
    r"\b(?:(?:of|from|out\sof)\s(?:an?|the|its|their)\s(?:[a-z]+\s)?total(?:\sof)?|(?:a|the)\s(?:grand\s|overall\s)?total\s(?:was|is|of)"
    r"|everything(?:\s[a-z]+)?)\s\W{0,2}(?:[A-Z]{3}\s)?\Z",
    re.IGNORECASE,
)
IN_TOTAL = re.compile(r"(?:\s[^\W\d_]+){1,2}\s(?:in\s(?:all|total)|overall|altogether)\b", re.IGNORECASE)
OF_WHOM = re.compile(r"[^\d;:]{0,24}?,\sof\s(?:whom|which|them|these)\b", re.IGNORECASE)
THEN_OF_THEM = re.compile(r"\sof\s(?:whom|which|them|these)\b", re.IGNORECASE)
SHARE_BASE = re.compile(r"\s?%?\)?\sof\s(?:the|all|our|its|their)\s(?:total\s)?\Z", re.IGNORECASE)
UP_TO = re.compile(
    r"\s(?:on|from|over|against|versus|vs\.?|compared\s(?:with|to))\s[^,;:()]{1,24}\sto\s\W?", re.IGNORECASE
)
MOVED_IN = re.compile(r"[^;:()]{0,40},?\sfrom\s\W?", re.IGNORECASE)
NEXT_WORD = re.compile(r"\s?[^\W\d_]+")
LEAST_DIGITS = 3


class Elimination:
    """Takes a second look at the numbers of sentences that found no cell, over one sheet and one text."""

    def __init__(
        self,
        sheet: Sheet,
        text: str,
        sources: Sources,
        whole: Whole,
        dated: Mapping[int, Window],
        line: float,
    ) -> None:
        """Stand on a sheet, a text and its sources; `dated` are the periods of columns.

        Above the chance `line` a number stays unbound.
        """
        self.sheet = sheet
        self.text = text
        self.sources = sources
        self.whole = whole
        self.dated = dated
        self.line = line

    def settle(self, bindings: tuple[Binding, ...], sentence: Sentence) -> tuple[Binding, ...]:
        """Return the bindings of a sentence, with what is left bound to the one cell that it can mean."""
        found = [self._without_base(bindings, at) for at in range(len(bindings))]
        for _ in range(2):
            for at, binding in enumerate(found):
                if self._is_open(binding, sentence):
                    cell = self._cell(found, at, sentence)
                    if cell is not None:
                        found[at] = self._set(binding, cell)
        return tuple(found)

    def _without_base(self, bindings: Sequence[Binding], at: int) -> Binding:
        """Refuse what a change is measured from as what it came to ("up 15% on 2025 to 1.92M")."""
        binding = bindings[at]
        before = bindings[at - 1] if at else None
        if before is None or binding.cell is None or before.quantity.measure != "percent":
            return binding
        gap = self.text[before.quantity.end : binding.quantity.start]
        named = binding.place.columns if binding.place.named else None
        if not UP_TO.fullmatch(gap) or not named or not named <= self.dated.keys():
            return binding
        return binding._replace(cell=None, value=None, elsewhere=(binding.cell,))

    def _is_open(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number is a plain one without a source that cells of other words could show."""
        quantity = binding.quantity
        if binding.grounded or binding.unbound or quantity.slot is not None:
            return False
        if quantity.hedge not in ("", "about"):
            return False
        return bool(binding.elsewhere) and not self.sources.nouns.is_strange(quantity, sentence)

    def _cell(self, found: Sequence[Binding], at: int, sentence: Sentence) -> CellAt | None:
        """Return the one cell that a number means after all, or None."""
        binding = found[at]
        for cells in (
            self._total(found, at, sentence),
            self._moved(found, at),
            self._opening(binding, sentence),
            self._by_unit(binding, sentence),
            self._glossing(found, at, sentence),
            self._of_pair(found, at, sentence),
            self._left(found, at, sentence),
        ):
            fit = [c for c in cells if self._may_be(c, binding, sentence)]
            if len(fit) == 1:
                return fit[0]
        return None

    def _may_be(self, cell: CellAt, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a cell may be what a number shows, for its noun, its unit and its sign."""
        quantity, nouns = binding.quantity, self.sources.nouns
        size = measure_after(self.text, quantity.end) if self.sheet.sizes else ""
        if size and cell[1] in self.sheet.figured and size not in self.sheet.sizes.get(cell[1], ()):
            return False
        place = binding.place._replace(rows=frozenset((cell[0],)), columns=frozenset((cell[1],)))
        if nouns.means_else(quantity, cell[1], binding.direction, place):
            return False
        if nouns.is_other_figure(quantity, cell):
            return False
        return cell[0] in self.sheet.totals or bool(self.whole.kept([cell], quantity, sentence, place))

    def _set(self, binding: Binding, cell: CellAt) -> Binding:
        value, chance = self.sheet.number(*cell), chance_of(binding.quantity, 1)
        return binding._replace(cell=cell, value=value, chance=chance, unbound=False, elsewhere=())

    def _total(self, found: Sequence[Binding], at: int, sentence: Sentence) -> Iterator[CellAt]:
        """Yield the cells of rows of totals that a number is said to be in words."""
        binding = found[at]
        if not self.sheet.totals or not self._is_total(found, at, sentence):
            return
        columns = binding.place.columns
        own = (binding.place.rows or NOBODY) & self.sheet.totals  # the total of a name that is said
        # "a total of 258 houses": of a row of its own
        said = [m.rows for m in sentence.rows if m.start == binding.quantity.end + 1]
        for cell in binding.elsewhere:
            if said and not any(cell[0] in rows for rows in said):
                continue
            if cell[0] in (own or self.sheet.totals) and (columns is None or cell[1] in columns):
                yield cell

    def _is_total(self, found: Sequence[Binding], at: int, sentence: Sentence) -> bool:
        """Tell whether words call a number a total ("of a total of 8.67M", "26 in total")."""
        quantity = found[at].quantity
        before, after = neighbours(quantity, sentence)
        rows = [m for m in sentence.rows if m.full and not m.rows & self.sheet.totals]
        if any(before <= m.start < quantity.start for m in rows):
            return False
        lead = self.text[before : quantity.start]
        if OF_TOTAL.search(self.text[max(before, quantity.start - 48) : quantity.start]):
            return True
        if found[at - 1].quantity.measure == "percent" and at and SHARE_BASE.fullmatch(lead):
            return True
        if before > sentence.start or any(m.start < quantity.start for m in rows):
            return False
        parted = OF_WHOM.match(self.text, quantity.end) or (
            after < sentence.end and THEN_OF_THEM.match(self.text, found[at + 1].quantity.end)
        )
        return bool(parted) or IN_TOTAL.match(self.text, quantity.end) is not None

    def _moved(self, found: Sequence[Binding], at: int) -> Iterator[CellAt]:
        """Yield the cell of the other period that "up 15% on 2025 to 2.21M" or "in 2019, from 640" means."""
        binding = found[at]
        named = binding.place.columns or frozenset()
        rows = binding.place.rows or frozenset()
        if len(rows) != 1 or not at or not named or not named <= self.dated.keys():
            return
        gap = self.text[found[at - 1].quantity.end : binding.quantity.start]
        cells = [c for c in binding.elsewhere if c[0] in rows and c[1] in self.dated]
        if UP_TO.fullmatch(gap):
            newest = max(self.dated[c][0] for c in named)
            yield from (c for c in cells if self.dated[c[1]][0] > newest)
        following = found[at + 1] if at + 1 < len(found) else None
        if following is None or following.cell is None or not MOVED_IN.fullmatch(gap):
            return
        to = FROM_TO.fullmatch(self.text, binding.quantity.end, following.quantity.start)
        row, column = following.cell
        if to and row in rows and column in self.dated:
            yield from (c for c in cells if self.dated[c[1]][0] < self.dated[column][0])

    def _opening(self, binding: Binding, sentence: Sentence) -> Iterator[CellAt]:
        """Yield the text cell of a row that opens with a number and the word behind it ("1.3 L I4")."""
        rows = binding.place.rows or frozenset()
        word = NEXT_WORD.match(self.text, binding.quantity.end) if len(rows) == 1 else None
        said = f"{binding.quantity.text}{word.group()}".lower() if word else ""
        for row, column in binding.elsewhere if said else ():
            cell = str(self.sheet.table.rows[row][column]).lower()
            opens = cell.startswith(said) and not cell[len(said) : len(said) + 1].isalnum()
            other = column in self.sheet.figured and self._is_elsewhere(binding, (row, column), sentence)
            if row in rows and column in self.sheet.keys and opens and not other:
                yield row, column

    def _is_elsewhere(self, binding: Binding, cell: CellAt, sentence: Sentence) -> bool:
        """Tell whether words of a sentence name another column for a number than that of a cell."""
        return not binding.place.holds(cell) and bool(self._named(binding, sentence))

    def _glossing(self, found: Sequence[Binding], at: int, sentence: Sentence) -> Iterator[CellAt]:
        """Yield the text cell of the figure before one in brackets, which holds both ("147 ft (45 m)")."""
        binding = found[at]
        cell = found[at - 1].cell if at and binding.quantity.bracketed else None
        if cell is None or cell not in binding.elsewhere or cell[1] not in self.sheet.texts:
            return
        beside = NEXT_WORD.fullmatch(self.text, found[at - 1].quantity.end, binding.quantity.start - 1)
        if beside and not self._is_elsewhere(binding, cell, sentence):
            yield cell

    def _by_unit(self, binding: Binding, sentence: Sentence) -> Iterator[CellAt]:
        """Yield the cell of the one column that has the unit of size behind a number ("a 79\u00b0 drop")."""
        quantity, rows = binding.quantity, binding.place.rows or frozenset()
        size = size_said(self.text, quantity.text, quantity.end) if self.sheet.sizes else ""
        columns = [c for c, sizes in self.sheet.sizes.items() if size in sizes] if size else []
        named = self._named(binding, sentence)
        if len(rows) == 1 and len(columns) == 1 and all(m.start >= quantity.end for m in named):
            yield from (cell for cell in binding.elsewhere if cell[0] in rows and cell[1] == columns[0])

    def _of_pair(self, found: Sequence[Binding], at: int, sentence: Sentence) -> Iterator[CellAt]:
        """Yield the cell of a part or a whole ("140 of 28,330 parcels") whose other end is in its row."""
        for first in (at, at - 1):
            pair = found[max(first, 0) : first + 2]
            if first < 0 or len(pair) < 2 or any(b.quantity.measure != "plain" for b in pair):
                continue
            if not PART_OF.fullmatch(self.text, pair[0].quantity.end, pair[1].quantity.start):
                continue
            binding, other = found[at], pair[1] if first == at else pair[0]
            rows = binding.place.rows or frozenset()
            others = [other.cell] if other.cell else [c for c in other.elsewhere if c[0] in rows]
            if len(rows) != 1 or len(others) != 1 or others[0][0] not in rows:
                continue
            taken = frozenset((others[0][1],))
            part = self.sheet.number(*others[0]) if first != at else None
            whole = self.sheet.number(*others[0]) if first == at else None
            behind = [m for m in self._named(binding, sentence) if m.start == binding.quantity.end + 1]
            free = self._is_free(binding, taken) and (part is not None or not behind)
            for cell in self._others(binding, rows, taken) if free else ():
                value = self.sheet.number(*cell) or Decimal(0)
                if (part is None or part <= value) and (whole is None or value <= whole):
                    yield cell

    def _left(self, found: Sequence[Binding], at: int, sentence: Sentence) -> Iterator[CellAt]:
        """Yield the cells left in a row once every column that the words name has gone to another number."""
        binding = found[at]
        rows = binding.place.rows or frozenset()
        if len(rows) != 1 or not binding.place.firm or not binding.place.columns:
            return
        taken = frozenset(
            b.cell[1] for b in found if b.cell is not None and b.cell[0] in rows and b.place.named
        )
        if not self._is_free(binding, taken):
            return
        beside = [m for m in self._named(binding, sentence) if self._is_beside(binding.quantity, m)]
        cells = list(self._others(binding, rows, taken))
        if beside:  # "29 assists in 48 games": what else the word may mean, once G is taken
            spans = {(m.start, m.end) for m in beside}
            also = frozenset().union(*(m.columns for m in sentence.columns if (m.start, m.end) in spans))
            yield from (c for c in cells if c[1] in also)
            return
        left = self.sheet.figured - taken
        sure = chance_of(binding.quantity, len(left)) <= self.line
        if not sure or binding.quantity.digits < LEAST_DIGITS or self._is_side(found, at):
            return
        said = frozenset().union(*(m.columns for m in sentence.columns))
        alone = len(self._fitting(binding.quantity, left)) == 1
        other = binding.place.columns <= taken - self.dated.keys()  # each name is that of another number
        yield from (c for c in cells if alone or other or c[1] in said)

    def _is_side(self, found: Sequence[Binding], at: int) -> bool:
        """Tell whether a number is one side of "39.4% to 39.1%", where order alone says which."""
        near = [b.quantity for b in found[max(0, at - 1) : at + 2]]
        return any(
            a.measure == b.measure and list_gap(self.text[a.end : b.start]) in LIST_GAPS
            for a, b in pairwise(near)
        )

    def _others(self, binding: Binding, rows: frozenset[int], taken: frozenset[int]) -> Iterator[CellAt]:
        """Yield the cells of a row that show a number, in columns that its words leave."""
        named = binding.place.columns or NOBODY if binding.place.named else NOBODY
        counts = self.sources.nouns.rates if _is_whole(binding.quantity) else NOBODY
        free = self.sheet.figured - taken - named - counts
        yield from (cell for cell in binding.elsewhere if cell[0] in rows and cell[1] in free)

    def _is_free(self, binding: Binding, taken: frozenset[int]) -> bool:
        """Tell whether the columns named for a number are another's: taken, or of a unit it cannot have."""
        named = binding.place.columns or NOBODY if binding.place.named else NOBODY
        counts = self.sources.nouns.rates if _is_whole(binding.quantity) else NOBODY
        return named <= taken | counts

    def _named(self, binding: Binding, sentence: Sentence) -> list[Mention]:
        """Return the names in a sentence of the columns that were named for a number."""
        named = binding.place.columns or NOBODY if binding.place.named else NOBODY
        return [m for m in sentence.columns if m.columns & named]

    def _fitting(self, quantity: Quantity, columns: frozenset[int]) -> list[int]:
        """Return those columns whose unit can take a number."""
        kind = quantity.measure, quantity.currencies
        return [c for c in columns if factor(*kind, self.sheet.measured[c]) is not None]

    def _is_beside(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a name follows a number or opens it."""
        if mention.start >= quantity.end:
            gap = self.text[quantity.end : mention.start]
            return len(gap.split()) < 2 or (mention.full and follows(self.text, quantity.end, mention))
        return mention.full and OPENS.fullmatch(self.text, mention.end, quantity.start) is not None


def _is_whole(quantity: Quantity) -> bool:
    """Tell whether a number is a bare whole one, no percentage and no decimal."""
    return quantity.measure == "plain" and all(reading.step >= 1 for reading in quantity.readings)
