"""Which column a number stands for by order: of two lists, of a record, of two sides, of two years."""

import re
from collections.abc import Sequence
from itertools import pairwise

from gateway.ground.lexing.cues import JOINS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.headers import said_by
from gateway.ground.naming.rounds import Rounds
from gateway.ground.sentence.clauses import Sentence, listed_run, position
from gateway.ground.sentence.idioms import NEAR, YEAR, Fitting, Idioms, within

# What the columns of a record are called, in the order in which it is written.
RECORD = (
    frozenset(("w", "won", "wins", "win", "ow", "victories")),
    frozenset(("l", "lost", "losses", "loss", "ol", "defeats")),
    frozenset(("t", "d", "tied", "ties", "drawn", "draws", "draw", "ot", "otl", "sol")),
)
FROM_TO = re.compile(r"(?:\s[^\W\d_]+){0,2}\sto\s\W?", re.IGNORECASE)
SPANS = frozenset(("and", "to"))
SIDE_GAP = re.compile(r"\s?(?:to|[-\u2013\u2014])\s?", re.IGNORECASE)
NOUN_GAP = re.compile(r"\s[a-z]+,\s")
OUTSCORED = re.compile(
    r"(?P<passive>\b(?:was|were|been|being)\s)?\boutscor(?:ed|ing|e|es)\b[^\d;]*\Z", re.IGNORECASE
)
DASHED = frozenset(("-", "\u2013", "\u2014", "\u2012"))


class ColumnsInOrder:
    """Reads the order of names of columns and of numbers, for one text over one sheet."""

    def __init__(self, idioms: Idioms) -> None:
        """Stand on the turns of phrase of a text, with its sheet."""
        self.sheet = idioms.sheet
        self.text = idioms.text
        self.fitting = idioms.fitting
        self._yearly, self._every = idioms.yearly, idioms.every
        self._record = self._records()
        self._rounds = Rounds(self.sheet)

    def of(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int]:
        """Return the column that a number of a list stands for by order ("in 2019 and 2018 were 5 and 4")."""
        rounds = self._rounds.told(self.text, quantity) if self._rounds.columns else ()
        told = self.fitting(quantity, rounds)
        if told or len(sentence.quantities) == 1:
            return told
        sides = self._sides(quantity, sentence) or self._beside_margin(quantity, sentence, fitting)
        if sides:
            return sides
        record = self._in_record(quantity, sentence)
        if record:
            return record  # "(14-8, 2.97)"
        run = listed_run(self.text, quantity, sentence)
        if len(run) < 2:
            return self._between(quantity, sentence, fitting)
        near = within(fitting, run[0].start - NEAR, run[-1].end + NEAR)
        named = {m.start: (m, fit) for m, fit in near if m.full and len(fit) == 1}.values()
        last = [(m, fit) for m, fit in named if m.end <= run[0].start][-len(run) :]
        if "respectively" in self.text[run[-1].end : sentence.end]:
            last = [(m, fit) for m, fit in named if m.start >= run[-1].end][: len(run)] or last
        gaps = [self.text[a.end : b.start].strip().lower() for (a, _), (b, _) in pairwise(last)]
        columns = [fit for _, fit in last]
        if len(last) < len(run) or len(frozenset().union(*columns)) < len(run) or not JOINS.issuperset(gaps):
            return frozenset()
        return columns[run.index(quantity)]

    def _between(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int]:
        """Return the column of "from 9 to 7 between 2001 and 2011": the first number is of the first year."""
        place, numbers = position(quantity, sentence), sentence.quantities
        for first in (place, place - 1) if self._yearly and len(numbers) > 1 else ():
            ends = numbers[max(0, first) : first + 2]
            if len(ends) < 2 or not FROM_TO.fullmatch(self.text, ends[0].end, ends[1].start):
                continue
            stretches = (
                self._stretch(within(fitting, ends[1].end, ends[1].end + NEAR)),
                self._stretch(within(fitting, max(sentence.start, ends[0].start - NEAR), ends[0].start)),
            )
            years = next(filter(None, stretches), None) or self._two(quantity)
            if years is None or not self.text.endswith("from ", 0, ends[0].start):
                continue
            columns = years[place - first]
            said = frozenset().union(*(fit for m, fit in fitting if m.end <= ends[0].start))
            return columns & said or columns
        return frozenset()

    def _sides(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the column of a side of "outscored opponents 264 to 71": scored, then conceded."""
        place, numbers = position(quantity, sentence), sentence.quantities
        for first in (place, place - 1):
            pair = numbers[max(0, first) : first + 2]
            if first < 0 or len(pair) < 2 or not SIDE_GAP.fullmatch(self.text, pair[0].end, pair[1].start):
                continue
            said = OUTSCORED.search(self.text[max(sentence.start, pair[0].start - 60) : pair[0].start])
            if said:
                ours = (place == first) != bool(said["passive"])
                return said_by("scored" if ours else "conceded", self._every)
        return frozenset()

    def _beside_margin(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int]:
        """Return the column of a side of "beat Iberia by 23 points, 133 to 110": that of the margin."""
        place, numbers = position(quantity, sentence), sentence.quantities
        for first in (place, place - 1):
            three = numbers[max(0, first - 1) : first + 2]
            if first < 1 or len(three) < 3:
                continue
            margin, one, other = three
            if not SIDE_GAP.fullmatch(self.text, one.end, other.start):
                continue
            if self.text.endswith(" by ", 0, margin.start) and NOUN_GAP.fullmatch(
                self.text, margin.end, one.start
            ):
                return next((fit for m, fit in fitting if m.start == margin.end + 1), frozenset())
        return frozenset()

    def _two(self, quantity: Quantity) -> Sequence[frozenset[int]] | None:
        """Return the only two columns of years that a number may stand in, the older one first."""
        dated = sorted(
            (max(YEAR.findall(self.sheet.label(c))), c) for c in self.fitting(quantity, self._yearly)
        )
        if len(dated) != 2 or dated[0][0] == dated[1][0]:
            return None
        return [frozenset((column,)) for _, column in dated]

    def _stretch(self, fitting: Fitting) -> Sequence[frozenset[int]] | None:
        """Return the columns of the two years of a stretch ("between 2001 and 2011"), if there is one."""
        dated = ((m, fit & self._yearly) for m, fit in fitting if m.full)
        years = list({m.start: (m, fit) for m, fit in dated if fit}.values())
        for (first, one), (last, other) in pairwise(years):
            if self.text[first.end : last.start].strip() in SPANS and one != other:
                return one, other
        return None

    def _in_record(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the column of a part of a record ("12-4", "10-3-1"): won, lost and drawn."""
        if len(self._record) < 2 or quantity.measure != "plain":
            return frozenset()
        numbers, first = sentence.quantities, position(quantity, sentence)
        place = first
        while first and place - first < len(self._record) and self._is_dashed(numbers[first - 1]):
            first -= 1
        dashed = first + 1 < len(numbers) and self._is_dashed(numbers[first])
        if not dashed or place - first >= len(self._record):
            return frozenset()
        # draws stand in the middle of three where the table has them there
        three = first + 2 < len(numbers) and self._is_dashed(numbers[first + 1])
        order = (self._record[0], *sorted(self._record[1:], key=min)) if three else self._record
        return order[place - first]

    def _is_dashed(self, quantity: Quantity) -> bool:
        """Tell whether a dash and a digit follow a number, also where the dash was read with the digit."""
        after = self.text[quantity.end : quantity.end + 2]
        return after[:1] in DASHED and after[1:].isdigit()

    def _records(self) -> tuple[frozenset[int], ...]:
        """Return the columns of games won, lost and drawn, as many as there are one of, in this order."""
        found = []
        for names in RECORD:
            columns = [
                i for i in self.sheet.numeric if self.sheet.label(i).lower().removeprefix("overall ") in names
            ]
            if len(columns) != 1:
                break
            found.append(frozenset(columns))
        return tuple(found)
