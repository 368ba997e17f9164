"""Whether a clause speaks of several rows at once, so that no single row's figure is meant."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

from gateway.ground.lexing.cues import LIST_GAPS, list_gap
from gateway.ground.lexing.lexicon import EVERYWHERE, HIGHS, LOWS, PARTS, TO_DATE, TOTALS, one_of, opener
from gateway.ground.lexing.spoken import Span, Spoken, inside
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.headers import counter_of
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.places import Place
from gateway.ground.pointing.stale import NOT_STALE, Stale
from gateway.ground.sentence.asides import is_aside
from gateway.ground.sentence.clauses import Sentence, neighbours, position
from gateway.ground.table.sheet import CellAt

ENTIRE = one_of("whole", "entire", "entirety", r"gesamt\w*", "alle[rn]?")
# Words that mean all rows, each with a cheap test of what its phrases open with.
EVERYTHING = tuple((pattern, opener(pattern)) for pattern in (TOTALS, EVERYWHERE, ENTIRE))
JOINT = one_of("together", "combined", "jointly", "in total", "in all", "altogether", "both", "totall?ed")
TURNS = re.compile(r"\b(?:but|while|whereas|although)\b", re.IGNORECASE)
PAUSE = re.compile(r"[,;:!?\n()]|\.(?:\s|\Z)|\s[\u2013\u2014-]\s")
REFERS = re.compile(r"\b(?:it|its|they|their|he|his|she|her|this|that|these|those)\b", re.IGNORECASE)
DATED = re.compile(r"\b(?:[QH]\d|FY\s?\d+|(?:19|20)\d\d)\b")
PLACES = {"second": 1, "2nd": 1, "runner-up": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
PLACED = one_of(*PLACES)
SHARE_OF = re.compile(r"\bof\s(?:the\s|our\s)?\Z", re.IGNORECASE)
AT_EDGE = re.compile(
    r"\b(?:as\sof|as\sat|(?:end|start|close|beginning)(?:ed|ing)?(?:\s(?:of|on))?|opened|began|closed)"
    r"\s(?:the\s)?\Z",
    re.IGNORECASE,
)
# "Grew 12% from April to July, reaching 207": the figure of the last period.
REACHED = re.compile(
    r"\b(?:reaching|hitting|(?:ending|closing|finishing|standing)(?:\s(?:up|the\s[a-z]+))?\sat|to\s(?:reach|hit|end\sat|close\sat))\s[^\w\s]?\Z",
    re.IGNORECASE,
)
# "We now have 8,610 members": of the last period.
AT_LAST = one_of(
    "now", "currently", "today", "at present", "latest", "most recent", "most recently", "to date", "so far",
    "end(?:ed|s)?", "ending", "clos(?:ed|ing) (?:at|with|on|the)", "finish(?:ed|ing)", "final",
)  # fmt: skip
# "We started the year with 812 members": of the first one.
AT_FIRST = one_of(
    "start(?:ed|ing)? (?:at|with|on|out|the|from)", "began (?:at|with|on|the)",
    "open(?:ed|ing) (?:at|with|on)",
    "at the (?:start|beginning|outset)", "initially", "originally",
)  # fmt: skip
SPREAD = re.compile(r"\b(?:from|between)\s(?:about\s|around\s)?\Z", re.IGNORECASE)


class Whole:
    """Reads clauses of one text for words that mean all rows, several periods, or a dimension left open."""

    def __init__(
        self,
        names: Names,
        spoken: Spoken,
        ran: Sequence[tuple[int, int]],
        *,
        known: bool,
        stale: Stale = NOT_STALE,
    ) -> None:
        """Stand on the names of a sheet and a text. `ran` are the places that name the window that ran.

        Only where the question is `known` are the key columns what it was split by, every one of them.
        `stale` columns are of a period that neither ran nor is spoken of.
        """
        self.stale = stale
        self.sheet = names.sheet
        self.windows = names.row_windows
        self.text = spoken.text
        self._said = sorted(span for pattern, opens in EVERYTHING for span in spoken.spans(pattern, opens))
        self.ran = ran
        self.known = known
        self.every = frozenset(range(self.sheet.height))
        self._sorted: dict[tuple[int, frozenset[int]], tuple[tuple[Decimal, ...], Decimal]] = {}

    def kept(self, cells: list[CellAt], quantity: Quantity, sentence: Sentence, place: Place) -> list[CellAt]:
        """Return the cells that may be what a number says: of several rows meant, none that is only one's."""
        rows = self._meant(quantity, sentence, place) if cells and self.sheet.height > 1 else NOBODY
        if len(rows) < 2 or self._is_listed(quantity, sentence, len(rows)):
            return cells
        said = self.text[slice(*self._beside(quantity, sentence))]
        standing = {column: self._standing(column, rows, said) for column in {column for _, column in cells}}
        reached = REACHED.search(self.text[max(0, quantity.start - 32) : quantity.start]) is not None
        first, last = self._ends(rows) if self.windows else (-1, -1)
        if reached and last >= 0:
            return [cell for cell in cells if cell[0] == last]
        ends = {last} if AT_LAST.search(said) else {first} if AT_FIRST.search(said) else set()
        return [
            c
            for c in cells
            if c[0] in ends or self.sheet.number(*c) in standing[c[1]] or self._is_total(c[0])
        ]

    def summed_up(self, sentence: Sentence, place: Place) -> frozenset[int]:
        """Return the row of totals that a stretch of time named for a number means ("from 1 to 3 June")."""
        if not self.windows or len(self.sheet.wholes) != 1 or place.rows is None:
            return NOBODY
        spans = any(m.full and m.column in self.windows and m.rows == place.rows for m in sentence.rows)
        return self.sheet.wholes if spans and place.rows == self.every - self.sheet.totals else NOBODY

    def _meant(self, quantity: Quantity, sentence: Sentence, place: Place) -> frozenset[int]:
        """Return the rows that a clause speaks of at once; none where it says nothing of the kind."""
        left = self.every if place.rows is None else place.rows
        if any(self._totals(quantity, sentence)):
            return self._added(quantity, sentence, place)
        if len(left) > 1 and (self._spans_window(sentence, left) or self._leaves_open(sentence, place, left)):
            return left
        if place.rows is None and self.known and (quantity.slot is None or self._names_ran(sentence)):
            return left  # a slot says itself which row it is of, unless its words are of all
        return NOBODY

    def _totals(self, quantity: Quantity, sentence: Sentence) -> Iterator[Span]:
        """Yield the words beside a number that mean everything and belong to no name."""
        if not self._said:
            return
        start, end = self._beside(quantity, sentence)
        for first, last in inside(self._said, start, end):
            named = any(
                m.start < last and first < m.end and (m.full or not m.names_rows)
                for m in (*sentence.columns, *sentence.rows)
            )
            within = quantity.start <= first < quantity.end
            if not (named or within or last > end or self._is_base(first, quantity)):
                yield first, last

    def _is_base(self, start: int, quantity: Quantity) -> bool:
        """Tell whether a word behind a percentage only says what it is a share of ("38% of all votes")."""
        lead = self.text[max(0, start - 12) : start]
        return quantity.measure == "percent" and start >= quantity.end and SHARE_OF.search(lead) is not None

    def _beside(self, quantity: Quantity, sentence: Sentence) -> tuple[int, int]:
        """Return the stretch of a number: back to the number before, on to a pause or the sentence's end."""
        before, after = neighbours(quantity, sentence)
        turns = list(TURNS.finditer(self.text, before, quantity.start))
        pause = PAUSE.search(self.text, quantity.end, after)
        end = pause.start() if pause else after if after == sentence.end else quantity.end
        return (turns[-1].end() if turns else before), end

    def _added(self, quantity: Quantity, sentence: Sentence, place: Place) -> frozenset[int]:
        """Return the rows that a total is over: those named for it, or all."""
        start, end = self._beside(quantity, sentence)
        if place.rows is None:
            return self.every
        if not place.firm:
            kept = REFERS.search(self.text, start, end) or self._is_headed(sentence)
            return place.rows if kept else self.every
        full = [m for m in sentence.rows if m.full]
        behind = bool(full) and all(m.start >= quantity.end for m in full)
        if behind and self._is_told_apart(quantity, full[0], sentence):
            return self.every
        named = [m for m in full if start <= m.start and m.end <= quantity.start]
        joint = JOINT.search(self.text, named[-1].end, end) if len(named) > 1 else None
        if joint and len({m.column for m in named}) == 1:
            return frozenset().union(*(m.rows for m in named))
        return place.rows

    def _is_told_apart(self, quantity: Quantity, first: Mention, sentence: Sentence) -> bool:
        """Tell whether the first row named behind a number is an aside, or stands by a number of its own."""
        last = sentence.quantities[-1].start > quantity.start
        own = last and PARTS.search(self.text, quantity.end, first.start) is not None
        return own or is_aside(self.text, quantity, first)

    def _is_headed(self, sentence: Sentence) -> bool:
        """Tell whether the rows carried over stand in a heading: on a line of their own, without a figure."""
        for mention in sentence.carried:
            line = self.text[mention.end : sentence.start].partition("\n")
            if line[1] and not any(c.isdigit() for c in DATED.sub("", line[0])):
                return True
        return False

    def _spans_window(self, sentence: Sentence, left: frozenset[int]) -> bool:
        """Tell whether a sentence names a period that several periods of the rows fill together."""
        if not self.windows:
            return False
        ran = self._names_ran(sentence)
        for key, windows in self.windows.items():
            spans = [m for m in (*sentence.rows, *sentence.carried) if m.column == key and len(m.rows) > 1]
            spans = [m for m in spans if m.full and m.rows >= left and not self._is_edge(m.start)]
            if (ran or spans) and len({windows.get(row) for row in left}) > 1:
                return True
        return False

    def _names_ran(self, sentence: Sentence) -> bool:
        """Tell whether a sentence names the window that ran, and all of it."""
        return any(sentence.start <= s and e <= sentence.end and not self._is_edge(s) for s, e in self.ran)

    def _is_edge(self, start: int) -> bool:
        """Tell whether a period is named for its first or last day only ("at the end of Q3")."""
        return AT_EDGE.search(self.text[max(0, start - 24) : start]) is not None

    def _leaves_open(self, sentence: Sentence, place: Place, left: frozenset[int]) -> bool:
        """Tell whether names of a sentence leave several rows that differ in what the result is split by."""
        if not (self.known and place.firm and any(m.full for m in sentence.rows)):
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

    def _ends(self, rows: frozenset[int]) -> tuple[int, int]:
        """Return the rows of the first and the last period among rows that differ in nothing else, or -1."""
        for windows in self.windows.values():
            dated = sorted((windows[row][1], row) for row in rows if row in windows)
            if len(dated) == len(rows) and len({day for day, _ in dated}) == len(rows):
                return dated[0][1], dated[-1][1]
        return -1, -1

    def _is_total(self, row: int) -> bool:
        """Tell whether a row is itself a total by its name."""
        return any(TOTALS.search(name) or ENTIRE.search(name) for name in self.sheet.row_key(row))

    def _standing(self, column: int, rows: frozenset[int], said: str) -> frozenset[Decimal | None]:
        """Return the figures of a column that may stand for rows: the only one, the total, the extreme."""
        figures, total = self._figures(column, rows)
        if figures and self._runs(column):
            total = figures[-1]  # what it came to in the end
        if column not in self.sheet.figured or not figures or figures[0] == figures[-1]:
            return frozenset(self.sheet.number(row, column) for row in self.every)
        standing: set[Decimal | None] = {total}
        placed = PLACED.search(said)
        place = PLACES[placed.group().lower()] if placed else 0
        for words, down in ((HIGHS, True), (LOWS, False)):
            if words.search(said):
                standing.update((figures[::-1] if down else figures)[place : place + 1])
        return frozenset(standing)

    def _runs(self, column: int) -> bool:
        """Tell whether a column is a running total down the rows, which are periods."""
        if not TO_DATE.search(self.sheet.label(column)):
            return False
        figures = self.sheet.figures(column)
        dated = bool(self.windows) or any(counter_of(self.sheet.label(key)) for key in self.sheet.keys)
        return dated and all(a <= b for a, b in pairwise(figures))

    def _figures(self, column: int, rows: frozenset[int]) -> tuple[tuple[Decimal, ...], Decimal]:
        """Return the figures of rows in rising order and their sum, worked out once."""
        if (column, rows) not in self._sorted:
            found = (self.sheet.number(row, column) for row in rows)
            figures = tuple(sorted(value for value in found if value is not None))
            self._sorted[column, rows] = figures, sum(figures, Decimal(0))
        return self._sorted[column, rows]

    def _is_listed(self, quantity: Quantity, sentence: Sentence, rows: int) -> bool:
        """Tell whether a number stands in a list of all rows, of the first few, or in a range."""
        numbers = sentence.quantities
        first = last = position(quantity, sentence)
        while first and last - first <= rows and self._is_joined(*numbers[first - 1 : first + 1]):
            first -= 1
        while last + 1 < len(numbers) and last - first <= rows and self._is_joined(*numbers[last : last + 2]):
            last += 1
        count = last - first + 1
        opened = numbers[first].start
        spread = SPREAD.search(self.text[max(sentence.start, opened - 16) : opened]) is not None
        ranked = any(words.search(self.text, sentence.start, sentence.end) for words in (HIGHS, LOWS))
        return count == rows or (count == 2 and spread) or (count > 1 and ranked)

    def _is_joined(self, first: Quantity, second: Quantity) -> bool:
        """Tell whether two numbers of one kind stand in a list."""
        gap = list_gap(self.text[first.end : second.start])
        return gap in LIST_GAPS and first.measure == second.measure
