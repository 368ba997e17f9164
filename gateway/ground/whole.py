"""Whether a clause speaks of several rows at once, so that the figure of one row alone cannot be what it says."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property

from gateway.ground.clauses import Sentence
from gateway.ground.cues import LIST_GAPS
from gateway.ground.lexicon import EVERYWHERE, HIGHS, LOWS, PARTS, TOTALS, one_of
from gateway.ground.names import Mention, Names
from gateway.ground.places import Place, neighbours, position
from gateway.ground.sheet import CellAt
from gateway.ground.tokens import Quantity

ENTIRE = one_of("whole", "entire", "entirety", r"gesamt\w*", "alle[rn]?")
JOINT = one_of("together", "combined", "jointly", "in total", "in all", "altogether", "both", "totall?ed")
TURNS = re.compile(r"\b(?:but|while|whereas|although)\b", re.IGNORECASE)
PAUSE = re.compile(r"[,;:!?\n()]|\.(?:\s|\Z)|\s[\u2013\u2014-]\s")
REFERS = re.compile(r"\b(?:it|its|they|their|he|his|she|her|this|that|these|those)\b", re.IGNORECASE)
SHARE_OF = re.compile(r"\bof\s(?:the\s|our\s)?\Z", re.IGNORECASE)
AT_EDGE = re.compile(
    r"\b(?:as\sof|as\sat|by|since|until|through|(?:end|start|close|beginning)(?:ed|ing)?(?:\s(?:of|on))?|opened|began|closed)"
    r"\s(?:the\s)?\Z",
    re.IGNORECASE,
)
SPREAD = re.compile(r"\b(?:from|between)\s(?:about\s|around\s)?\Z", re.IGNORECASE)


class Whole:
    """Reads clauses of one text for words that mean all rows, several periods, or a dimension left open."""

    def __init__(self, names: Names, text: str, ran: Sequence[tuple[int, int]]) -> None:
        """Stand on the names of a sheet and a text. `ran` are the places that name the window that ran."""
        self.sheet = names.sheet
        self.windows = names.row_windows
        self.text = text
        self.ran = ran

    def denies(self, quantity: Quantity, cell: CellAt, sentence: Sentence, place: Place) -> bool:
        """Tell whether a clause means several rows, and this cell is neither their total nor singled out."""
        row, column = cell
        if self.sheet.height < 2 or column not in self.sheet.figured or self._is_total(row):
            return False
        rows = self._meant(quantity, sentence, place)
        return len(rows) > 1 and not self._is_singled(quantity, cell, rows, sentence)

    def _meant(self, quantity: Quantity, sentence: Sentence, place: Place) -> frozenset[int]:
        """Return the rows that a clause speaks of at once; none where it says nothing of the kind."""
        every = frozenset(range(self.sheet.height))
        left = every if place.rows is None else place.rows
        if any(self._totals(quantity, sentence)):
            return self._added(quantity, sentence, place, every)
        if self._spans_window(sentence, place, left) or self._leaves_open(sentence, place, left):
            return left
        return frozenset()

    def _totals(self, quantity: Quantity, sentence: Sentence) -> Iterator[re.Match[str]]:
        """Yield the words beside a number that mean everything and belong to no name."""
        start, end = self._beside(quantity, sentence)
        for pattern in (TOTALS, EVERYWHERE, ENTIRE):
            for found in pattern.finditer(self.text, start, end):
                named = any(
                    m.start < found.end() and found.start() < m.end and (m.full or not m.names_rows)
                    for m in (*sentence.columns, *sentence.rows)
                )
                inside = quantity.start <= found.start() < quantity.end
                base = found.start() >= quantity.end and SHARE_OF.search(self.text[: found.start()][-12:])
                if not (named or inside or (base and quantity.measure == "percent")):
                    yield found

    def _beside(self, quantity: Quantity, sentence: Sentence) -> tuple[int, int]:
        """Return the stretch of a number: back to the number before, on to a pause or the sentence's end."""
        before, after = neighbours(quantity, sentence)
        turns = list(TURNS.finditer(self.text, before, quantity.start))
        pause = PAUSE.search(self.text, quantity.end, after)
        end = pause.start() if pause else after if after == sentence.end else quantity.end
        return (turns[-1].end() if turns else before), end

    def _added(
        self, quantity: Quantity, sentence: Sentence, place: Place, every: frozenset[int]
    ) -> frozenset[int]:
        """Return the rows that a total is over: those named for it, or all."""
        start, end = self._beside(quantity, sentence)
        if place.rows is None:
            return every
        if not place.firm:
            return place.rows if REFERS.search(self.text, sentence.start, quantity.start) else every
        full = [m for m in sentence.rows if m.full]
        if full and all(m.start >= quantity.end for m in full) and self._is_aside(quantity, full[0]):
            return every
        named = [m for m in full if start <= m.start and m.end <= quantity.start]
        joint = JOINT.search(self.text, named[-1].end, end) if len(named) > 1 else None
        if joint and len({m.column for m in named}) == 1:
            return frozenset().union(*(m.rows for m in named))
        return place.rows

    def _is_aside(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a name stands behind a pause after the number ("was 900, led by Iberia")."""
        return PARTS.search(self.text, quantity.end, mention.start) is not None

    def _spans_window(self, sentence: Sentence, place: Place, left: frozenset[int]) -> bool:
        """Tell whether a sentence names a period that several periods of the rows fill together."""
        for key, windows in self.windows.items():
            if len({windows.get(row) for row in left}) < 2:
                continue
            spans = [m for m in (*sentence.rows, *sentence.carried) if m.column == key]
            spans = [m for m in spans if len({windows.get(row) for row in m.rows}) > 1]
            if any(not self._is_edge(m.start) for m in spans if m.full and m.rows >= left):
                return True
            if any(sentence.start <= s and e <= sentence.end and not self._is_edge(s) for s, e in self.ran):
                return True
        return False

    def _is_edge(self, start: int) -> bool:
        """Tell whether a period is named for its first or last day only ("at the end of Q3")."""
        return AT_EDGE.search(self.text[max(0, start - 24) : start]) is not None

    def _leaves_open(self, sentence: Sentence, place: Place, left: frozenset[int]) -> bool:
        """Tell whether names of a sentence leave several rows that differ in what the result is split by."""
        if not place.firm or len(left) < 2 or not any(m.full for m in sentence.rows):
            return False
        rows = self.sheet.table.rows
        return any(len({rows[row][key] for row in left}) > 1 for key in self._splitting)

    @cached_property
    def _splitting(self) -> tuple[int, ...]:
        """Return the key columns without which two rows would read the same."""
        keys = self.sheet.keys
        every = self.sheet.table.rows
        if len({tuple(row[key] for key in keys) for row in every}) < len(every):
            return ()
        return tuple(
            left
            for left in keys
            if len(keys) > 1 and len({tuple(row[k] for k in keys if k != left) for row in every}) < len(every)
        )

    def _is_total(self, row: int) -> bool:
        """Tell whether a row is itself a total by its name."""
        return any(TOTALS.search(name) or ENTIRE.search(name) for name in self.sheet.row_key(row))

    def _is_singled(
        self, quantity: Quantity, cell: CellAt, rows: frozenset[int], sentence: Sentence
    ) -> bool:
        """Tell whether a cell is the one figure of its rows, their total, the extreme said, or one of a list."""
        own = self.sheet.number(*cell)
        figures = [v for row in rows if (v := self.sheet.number(row, cell[1])) is not None]
        if own is None or len(set(figures)) < 2 or own == sum(figures, Decimal(0)):
            return True
        near = slice(*self._beside(quantity, sentence))
        said = self.text[near]
        if (own == max(figures) and HIGHS.search(said)) or (own == min(figures) and LOWS.search(said)):
            return True
        return self._is_listed(quantity, sentence, len(rows))

    def _is_listed(self, quantity: Quantity, sentence: Sentence, rows: int) -> bool:
        """Tell whether a number stands in a list of all rows, of the first few, or in a range."""
        first = last = position(quantity, sentence)
        while first and self._is_joined(sentence.quantities[first - 1], sentence.quantities[first]):
            first -= 1
        while last + 1 < len(sentence.quantities) and self._is_joined(*sentence.quantities[last : last + 2]):
            last += 1
        count = last - first + 1
        lead = self.text[max(sentence.start, sentence.quantities[first].start - 16) : sentence.quantities[first].start]
        ranked = any(words.search(self.text, sentence.start, sentence.end) for words in (HIGHS, LOWS))
        return count == rows or (count == 2 and SPREAD.search(lead) is not None) or (count > 1 and ranked)

    def _is_joined(self, first: Quantity, second: Quantity) -> bool:
        """Tell whether two numbers of one kind stand in a list."""
        gap = self.text[first.end : second.start].strip().lower()
        return gap in LIST_GAPS and first.measure == second.measure
