"""Scores told of a meeting ("drew 4-4", "lost 5-1 at Bodo"): both figures are of its one cell of a score."""

import re
from functools import cached_property
from itertools import pairwise

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, position
from gateway.ground.table.score_columns import SCORE, score_columns
from gateway.ground.table.sheet import Sheet, as_text

GAP = re.compile(r"\s?[-\u2013\u2014:]\s?|\sto\s")
MOST = 200


class ScoresTold:
    """Reads pairs of numbers that are the two sides of a score, for one text over one sheet."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = text

    @cached_property
    def column(self) -> int:
        """Return the only column of scores; -1 for none."""
        found = score_columns(self.sheet)
        return found[0] if len(found) == 1 and found[0] not in self.sheet.figured else -1

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number that is one side of a score: the score of a row named for it."""
        sides = self._sides(quantity, sentence)
        if not sides or self.column < 0 or not place.rows:
            return place
        rows = frozenset(row for row in place.rows if self._holds(row, sides))
        if not rows:
            return place
        return place._replace(rows=rows, columns=frozenset((self.column,)), named=True)

    def _sides(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the two numbers of the score that a number is a side of, in any order."""
        numbers, at = sentence.quantities, position(quantity, sentence)
        for first, second in pairwise(numbers[max(0, at - 1) : at + 2]):
            signed = second.start == first.end and second.text.startswith("-")
            if (signed or GAP.fullmatch(self.text, first.end, second.start)) and all(
                map(_may_be, (first, second))
            ):
                return frozenset(abs(int(side.readings[0].value)) for side in (first, second))
        return frozenset()

    def _holds(self, row: int, sides: frozenset[int]) -> bool:
        """Tell whether the score of a row is of these two numbers."""
        told = SCORE.search(as_text(self.sheet.table.rows[row][self.column]))
        return told is not None and {int(told[1]), int(told[2])} == sides


def _may_be(side: Quantity) -> bool:
    """Tell whether a number may be one side of a score: a bare whole one."""
    return side.measure == "plain" and side.readings[0].step == 1 and abs(side.readings[0].value) < MOST
