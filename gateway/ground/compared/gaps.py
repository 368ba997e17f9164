"""A difference to the leader told of two rows ("Vale was 14 points ahead of Reed"): the follower's cell."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from gateway.ground.compared.verdict import Verdict
from gateway.ground.lexing.contests import OUTDO, TRAIL
from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.opponents import BEATEN
from gateway.ground.table.sheet import Sheet

COLUMN = frozenset(("differential", "diff", "gap", "behind", "deficit"))
# Columns of what a row is ahead by, of whomever: the two rows told must lie so far apart.
LEADS = frozenset(("lead", "margin", "advantage", "cushion"))
IS_APART = re.compile(
    r"\b(?:is|was|are|were|stands?|stood|remains?|remained|ended|finished|by)\s"
    r"(?:now\s|still\s|just\s|only\s|about\s|some\s|an?\s)*\W?\Z",
    re.IGNORECASE,
)
# "By 412 votes to 378", "by 91-88": two levels.
TO_LEVEL = re.compile(r"(?:\s[a-z]+){0,4}?\sto\s\W?\d|\s?[-\u2013]\s?\d", re.IGNORECASE)
# "14 points ahead of Reed", "two points behind him".
APART = re.compile(
    r"(?:[\s-][a-z]+)?\s(?:(?P<ahead>ahead\sof|in\sfront\sof|clear\sof)|behind|adrift\sof)\s(?:the\s)?",
    re.IGNORECASE,
)
LEADER = re.compile(r"(?:him|her|it|them|leader|winner)\b", re.IGNORECASE)
# "A 14-point lead over Reed", "Vale beat Reed, which gave him a 14 points advantage".
LEAD = re.compile(
    r"(?:[\s-][a-z]+)?\s(?:advantage|lead|cushion)\b(?P<over>\sover\s(?:the\s)?)?", re.IGNORECASE
)
GIVEN = re.compile(r"[^;:.()\d]{0,40}\b(?:gave|giving|gives|with)\s[^;:.()\d]{0,24}", re.IGNORECASE)
# "Vale beat Reed by 14 points", "Reed trailed Vale by 14".
BY = re.compile(
    r"\s(?<!watched\s)(?<!attended\s)(?<!seen\s)(?<!witnessed\s)"
    r"by\s(?:(?:just|only|about|some|exactly)\s)?(?:an?\s(?:(?:margin|lead)\sof\s)?)?\W?\Z",
    re.IGNORECASE,
)
TRAILED = re.compile(
    rf"\s(?:[a-z]+\s)?(?:{TRAIL}|lost\sto|finished\sbehind|was\sbehind)\s(?:behind\s)?",
    re.IGNORECASE,
)
LED = re.compile(rf"\s(?:leads?|led|headed|heads|{OUTDO}|(?:was|finished)\sahead\sof)\s", re.IGNORECASE)
OVER = re.compile(r"(?:[\s-][a-z]+)?\s(?:over|from|against)\s", re.IGNORECASE)
NEAR = 24
# One of these is in any text that says how far apart two rows are.
OPENERS = words("ahead front clear behind adrift advantage lead cushion by")


class Told(NamedTuple):
    """Two rows of which one is said to be so far ahead of the other."""

    leader: int
    follower: int


class Gaps:
    """Reads differences of two rows in one text, over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = spoken.text
        self._may = spoken.says(OPENERS)
        self._labelled = _labelled(sheet)
        self._column = _gap_column(sheet) if self._may else None
        self._leads = frozenset(c for c in sheet.numeric if sheet.label_words[c] & LEADS)

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a difference of two rows: the follower's cell, if the other row leads all.

        Between two others no cell of the column is meant: their difference is another figure.
        """
        told = self._told(quantity, sentence)
        if told is None:
            return place
        lead = self._lead_cell(told)
        if lead is not None and lead[1] in (place.columns or self.sheet.figured):
            return Place(frozenset((lead[0],)), frozenset((lead[1],)), firm=True, named=True)
        column, figured = self._column, self.sheet.figured
        kept = place.columns if place.columns is not None else figured
        if column is None:
            others = frozenset(kept) - self._labelled
            return place._replace(columns=others) if others != kept else place
        if not self.sheet.number(told.leader, column) and told.leader != told.follower:
            columns = frozenset((column,))
            return Place(frozenset((told.follower,)), columns, firm=True, named=True)
        return place._replace(columns=kept - {column} or figured - {column})

    def is_gap(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number is a difference to the leader, whose column says "behind" by itself."""
        column = self._column
        told = self._told(quantity, sentence) if column is not None else None
        return column is not None and told is not None and not self.sheet.number(told.leader, column)

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number shows a difference to the leader where its words set two others apart."""
        cell = binding.cell
        if cell is None or not self._may:
            return False
        told = self._told(binding.quantity, sentence)
        if cell[1] not in self._labelled:
            return told is not None and self._is_level(binding, told, cell)
        if told is None or cell[1] != self._column:
            return told is not None
        return cell[0] != told.follower or bool(self.sheet.number(told.leader, cell[1]))

    def _lead_cell(self, told: Told) -> tuple[int, int] | None:
        """Return the cell of a column of leads that says how far two rows lie apart."""
        cells = ((row, column) for column in sorted(self._leads) for row in told)
        return next((c for c in cells if self._lie_apart(told, self.sheet.number(*c), c[1])), None)

    def _lie_apart(self, told: Told, by: Decimal | None, column: int) -> bool:
        """Tell whether two rows lie so far apart in a column of the same kind."""
        for other in self.sheet.numeric if by and told.leader != told.follower else ():
            own, theirs = (self.sheet.number(row, other) for row in told)
            like = other != column and self.sheet.measured[other] == self.sheet.measured[column]
            if like and own is not None and theirs is not None and abs(own - theirs) == abs(by or 0):
                return True
        return False

    def _is_level(self, binding: Binding, told: Told, cell: tuple[int, int]) -> bool:
        """Tell whether two rows are set apart by the figure that one of them has itself."""
        quantity = binding.quantity
        if cell[0] not in told or told.leader == told.follower:
            return False
        led = IS_APART.search(self.text, max(0, quantity.start - NEAR), quantity.start)
        said = cell[1] in self._leads or (led is not None and TO_LEVEL.match(self.text, quantity.end) is None)
        return said and not self._lie_apart(told, binding.value, cell[1])

    def _told(self, quantity: Quantity, sentence: Sentence) -> Told | None:
        return _told(self.text, quantity, sentence) if self._may else None


def gaps(text: str, sheet: Sheet, sentence: Sentence, bindings: Sequence[Binding]) -> Iterator[Verdict]:
    """Yield that a row is ahead by what the cell of the follower says."""
    for binding in bindings:
        told = _told(text, binding.quantity, sentence) if binding.cell is not None else None
        if told is not None and binding.cell == (told.follower, _gap_column(sheet)):
            behind, ahead = (" ".join(sheet.row_key(row)) for row in (told.follower, told.leader))
            yield Verdict(True, f"{behind} is {binding.value} behind {ahead}", "ahead")


def _labelled(sheet: Sheet) -> frozenset[int]:
    """Return the columns of numbers that are called a difference to something."""
    return frozenset(c for c in sheet.numeric if sheet.label_words[c] & COLUMN)


def _gap_column(sheet: Sheet) -> int | None:
    """Return the one column of differences to the leader, who stands first with nothing or 0 in it.

    Another column must bear it out: a gap to a plan looks the same.
    """
    named = sorted(_labelled(sheet))
    if len(named) != 1 or sheet.table.truncated:
        return None
    values = [sheet.number(row, named[0]) for row in range(sheet.height)]
    while len(values) > 2 and values[-1] is None:
        values.pop()  # who did not finish has none
    grown = [value for value in values if value]
    rising = len(grown) > 1 and grown[0] > 0 and all(a <= b for a, b in pairwise(grown))
    if not rising or values[0] or len(grown) != len(values) - 1:
        return None
    others = sorted(sheet.figured - {named[0]})
    told = ([sheet.figure(row, c) for row in range(len(values))] for c in others)
    whole = ([f for f in figures if f is not None] for figures in told)
    borne = any(
        len(figures) == len(values) and [abs(f - figures[0]) for f in figures[1:]] == grown
        for figures in whole
    )
    return named[0] if borne else None


def _told(text: str, quantity: Quantity, sentence: Sentence) -> Told | None:
    """Return the two rows that a number is said to lie between; None where one is left open."""
    led = [m for m in sentence.rows if m.end <= quantity.start and _is_name(text, m)]
    apart = APART.match(text, quantity.end) if led else None
    if apart is not None:
        other = _named_at(text, sentence, apart.end())
        if other is None and not apart["ahead"] and LEADER.match(text, apart.end()):
            earlier = [m for m in led if m.rows != led[-1].rows]
            other = earlier[-1] if earlier else None
        return _pair(led[-1], other, ahead=bool(apart["ahead"]))
    if led and BY.search(text, max(sentence.start, quantity.start - 28), quantity.start):
        return _told_by(text, quantity, sentence, led)
    lead = LEAD.match(text, quantity.end) if led else None
    if lead is not None and lead["over"]:
        return _pair(led[-1], _named_at(text, sentence, lead.end()), ahead=True)
    if lead is not None and len(led) > 1:
        first, second = led[-2:]
        beaten = BEATEN.fullmatch(text, first.end, second.start) and not second.rows & first.rows
        given = GIVEN.fullmatch(text, second.end, quantity.start)
        return _pair(first, second, ahead=True) if beaten and given else None
    return None


def _told_by(text: str, quantity: Quantity, sentence: Sentence, led: Sequence[Mention]) -> Told | None:
    """Return the two rows of "A beat B by 14", "B trailed A by 14" and "A won by 14 over B"."""
    over = OVER.match(text, quantity.end)
    other = _named_at(text, sentence, over.end()) if over is not None else None
    if other is not None:
        return _pair(led[-1], other, ahead=True)
    behind = led[-1].end
    if len(led) < 2 or len(text[behind : quantity.start]) > NEAR:
        return None
    first, second = led[-2:]
    if TRAILED.fullmatch(text, first.end, second.start):
        return _pair(first, second, ahead=False)
    won = LED.fullmatch(text, first.end, second.start) or BEATEN.fullmatch(text, first.end, second.start)
    return _pair(first, second, ahead=True) if won else None


def _pair(subject: Mention, other: Mention | None, *, ahead: bool) -> Told | None:
    if other is None:
        return None
    own, theirs = next(iter(subject.rows)), next(iter(other.rows))
    return Told(own, theirs) if ahead else Told(theirs, own)


def _named_at(text: str, sentence: Sentence, start: int) -> Mention | None:
    """Return the row that is named right at a place."""
    return next((m for m in sentence.rows if m.start == start and _is_name(text, m)), None)


def _is_name(text: str, mention: Mention) -> bool:
    """Tell whether a name stands for one row: in full, or by a capital word that only this row has."""
    return len(mention.rows) == 1 and (mention.full or text[mention.start].isupper())
