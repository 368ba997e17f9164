"""Who beat whom, told of two rows of one vote or race, or of the two sides of a score: as the cells say."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

from gateway.ground.compared.ranks import RANK_LABEL
from gateway.ground.lexing.contests import ALONE, OPENERS, UNREAL, Told, told_between
from gateway.ground.lexing.lexicon import CHANGE_LABEL
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention, is_name
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.sentence.titles import Thing, are_listed, things_of
from gateway.ground.table.score_columns import SCORE, score_columns
from gateway.ground.table.sheet import CellAt, as_text
from gateway.ground.told.leads_told import Lead, leads_told
from traces.grounding import SpanFinding

# Columns whose larger figure wins, and those of a league, whose rows have met many others.
MORE_WINS = re.compile(
    r"(?:(?:total|popular|final|first[\s-]preference)\s)?(?:votes?|%|percent(?:age)?|share|points?|pts|polled|ballots)"
    r"(?:\s?(?:\(%\)|%|of\s(?:the\s)?votes?|share|cast|won|polled|received))?\.?",
    re.IGNORECASE,
)
LEAGUE = re.compile(
    r"w|l|d|won|lost|wins|loss(?:es)?|draws?|drawn|pld|played|gp|mp|matches|games", re.IGNORECASE
)
TIME = re.compile(r"(?:(?:final|finish|race|total)\s)?time", re.IGNORECASE)
PENALTIES = re.compile(r"\bp(?:ens?|en\.|enalt\w+|so)?\b|shoot", re.IGNORECASE)
NTH = re.compile(r"\s*(?P<place>\d{1,3})(?:st|nd|rd|th)?\.?\s*")
WITH = re.compile(r",?\swith\s(?:[a-z]+\s)?\Z")
LEFT = re.compile(r"(?:\s(?:just|close|right|well|far))?\sbehind\s?(?:[.,;)]|him\b|her\b|\Z)")
FAR = 140


class WhoWon:
    """Looks for winners and losers told the other way round, over one sheet and one text."""

    def __init__(self, visible: Visible, spoken: Spoken, names: Names) -> None:
        """Stand on a text and the names of a sheet."""
        self.visible = visible
        self.text = visible.text
        self.names = names
        self.sheet = names.sheet
        self._words = [spoken.words[at][0] for at in spoken.places(lambda word: word.startswith(OPENERS))]

    def check(self, sentences: Sequence[Sentence], bindings: Sequence[Binding]) -> Iterator[SpanFinding]:
        """Yield the winners that lost, and the losers that won, by the cells of their rows."""
        if not self._words or self.sheet.table.truncated:
            return
        place = 0
        for sentence in sentences:
            own = bindings[place : place + len(sentence.quantities)]
            place += len(own)
            decided = bool(self._deciding) or len(own) > 1
            if sentence.rows and (decided or self._scores) and self._says(sentence.start, sentence.end):
                yield from self._of_rows(sentence, own) if decided else ()
                yield from self._of_sides(sentence) if self._scores else ()

    def _says(self, start: int, end: int) -> bool:
        """Tell whether a stretch of the text holds a word of a contest."""
        return bisect_left(self._words, start) < bisect_left(self._words, end)

    @cached_property
    def _deciding(self) -> Sequence[tuple[int, bool]]:
        """Return the columns that say who won, and whether the larger figure does."""
        found: list[tuple[int, bool]] = []
        for column in range(len(self.sheet.columns)):
            label = self.sheet.label(column).strip()
            if RANK_LABEL.fullmatch(label):
                found.append((column, False))
            elif column in self.sheet.figured and not CHANGE_LABEL.search(label):
                if self.sheet.measured[column].carrier == "clock" and TIME.fullmatch(label):
                    found.append((column, False))
                elif MORE_WINS.fullmatch(label):
                    found.append((column, True))
        return found

    @cached_property
    def _league(self) -> bool:
        return any(LEAGUE.fullmatch(self.sheet.label(c).strip()) for c in range(len(self.sheet.columns)))

    @cached_property
    def _scores(self) -> Sequence[int]:
        """Return the columns of scores."""
        return score_columns(self.sheet)

    def _of_rows(self, sentence: Sentence, own: Sequence[Binding]) -> Iterator[SpanFinding]:
        """Yield what is told of two rows and denied by the figures beside them, else by those that decide."""
        things = list({id(t): t for t in things_of(self.text, sentence).values()}.values())
        things = [t for t in things if len(t.rows) == 1 and any(self._is_side(m) for m in t.names)]
        for first, second, told in self._pairs(things):
            beside = leads_told(self.sheet, min(first.rows), min(second.rows), own)
            if beside or (not told.figures and (told.order or not self._league)):
                yield from self._denied(first, second, told, beside)
        for thing in things:
            yield from self._alone(thing)

    def _is_side(self, mention: Mention) -> bool:
        """Tell whether a name may be of who took part: no reading of a clock that stands in a text cell."""
        clocks = self.sheet.clocks
        timed = clocks is not None and clocks.match(self.text, mention.start) is not None
        return is_name(self.text, mention) and not timed

    def _pairs(self, things: Sequence[Thing]) -> Iterator[tuple[Thing, Thing, Told]]:
        """Yield two rows told as sides of a contest, all of a list that follows too."""
        for at, first in enumerate(things[:-1]):
            start, end = first.names[-1].end, things[at + 1].names[0].start
            if (
                not 0 < end - start <= FAR
                or not self._says(start, end)
                or (at and self._is_far_subject(start))
            ):
                continue
            told = told_between(self.text, start, end, figures=True)
            if told is None and self._is_left_behind(start, end, things[at + 1]):
                told = Told(1, order=True)
            if told is None:
                continue
            last = first
            for other in things[at + 1 :]:
                if last is not first and not are_listed(self.text, last.names[-1], other.names[0]):
                    break
                last = other
                if other.rows != first.rows:
                    yield first, other, told

    def _is_left_behind(self, start: int, end: int, second: Thing) -> bool:
        """Tell whether the first left the second behind ("Marsh won in 1:12:33, with Lund behind")."""
        led = WITH.search(self.text, start, end) is not None and UNREAL.search(self.text, start, end) is None
        return led and LEFT.match(self.text, second.names[-1].end) is not None

    def _is_far_subject(self, start: int) -> bool:
        """Tell whether a comma closes what stands before it: who does what follows was named earlier."""
        return self.text.startswith(", ", start) and not self.text.startswith((" who", " which"), start + 1)

    def _denied(
        self, first: Thing, second: Thing, told: Told, beside: Sequence[Lead]
    ) -> Iterator[SpanFinding]:
        """Yield who is said to have won, where each column that tells says that the other one did."""
        (one,), (other,) = first.rows, second.rows
        if self.sheet.totals & {one, other} or not (beside or self._met(one, other)):
            return
        leads: list[Lead] = list(beside)
        for column, more in self._deciding:
            if beside and not RANK_LABEL.fullmatch(self.sheet.label(column).strip()):
                continue
            values = self._figure(one, column), self._figure(other, column)
            if values[0] is not None and values[1] is not None and values[0] != values[1]:
                leads.append((1 if (values[0] > values[1]) == more else -1, (one, column)))
        placed = [lead for lead in leads if RANK_LABEL.fullmatch(self.sheet.label(lead[1][1]).strip())]
        leads = placed or leads  # places settle whether few points or many win
        if leads and told.won and all(lead == -told.won for lead, _ in leads):
            span = first.names[0].start, second.names[-1].end
            value = as_text(self.sheet.table.rows[one][leads[0][1][1]])
            yield contradicted(self.visible, self.sheet, span, leads[0][1], value, "Say who won.")

    def _alone(self, thing: Thing) -> Iterator[SpanFinding]:
        """Yield who is said to have won or lost, alone, where each column that tells denies it."""
        said = ALONE.match(self.text, thing.names[-1].end)
        (row,) = thing.rows
        if said is None or self._league or row in self.sheet.totals:
            return
        others = [r for r in range(self.sheet.height) if r != row and r not in self.sheet.totals]
        if not all(self._met(row, r) for r in others):
            return
        told = ((self._is_first(row, others, c, more=more), c) for c, more in self._deciding)
        firsts = [(first, c) for first, c in told if first is not None]
        won = said["first"] is not None
        if firsts and all(first != won for first, _ in firsts):
            column = firsts[0][1]
            value = as_text(self.sheet.table.rows[row][column])
            yield contradicted(self.visible, self.sheet, said.span(), (row, column), value, "Say who won.")

    def _is_first(self, row: int, others: Sequence[int], column: int, *, more: bool) -> bool | None:
        """Tell whether a row is ahead of all others in a column; None where it has no figure of its own."""
        own = self._figure(row, column)
        figures = [figure for r in others if (figure := self._figure(r, column)) is not None]
        if own is None or not figures or own in figures:
            return None
        return own > max(figures) if more else own < min(figures)

    def _figure(self, row: int, column: int) -> Decimal | None:
        """Return the figure of a cell, or the place that it tells in text ("2nd")."""
        figure = self.sheet.figure(row, column)
        place = NTH.fullmatch(as_text(self.sheet.table.rows[row][column])) if figure is None else None
        return Decimal(place["place"]) if place is not None else figure

    def _met(self, one: int, other: int) -> bool:
        """Tell whether two rows are of the same period, where rows have periods."""
        return all(windows.get(one) == windows.get(other) for windows in self.names.row_windows.values())

    def _of_sides(self, sentence: Sentence) -> Iterator[SpanFinding]:
        """Yield the sides of a match that are told the other way round."""
        names = [m for m in sentence.rows if is_name(self.text, m) and m.column not in self._scores]
        spans: dict[tuple[int, int], list[Mention]] = {}
        for mention in names:
            spans.setdefault((mention.start, mention.end), []).append(mention)
        order = sorted(spans)
        for first, second in pairwise(order):
            if not 0 < second[0] - first[1] <= FAR or not self._says(first[1], second[0]):
                continue
            told = told_between(self.text, first[1], second[0], matches=True)
            found = list(self._matches(spans[first], spans[second], sentence)) if told else []
            if told and found and all(self._is_denied(won, told) for won, _ in found):
                row, column = found[0][1]
                value = as_text(self.sheet.table.rows[row][column])
                span = first[0], second[1]
                yield contradicted(self.visible, self.sheet, span, (row, column), value, "Say who won.")

    def _is_denied(self, won: int | None, told: Told) -> bool:
        return won is not None and won != told.won and (told.won != 0 or not told.order)

    def _matches(
        self, led: Sequence[Mention], told: Sequence[Mention], sentence: Sentence
    ) -> Iterator[tuple[int | None, CellAt]]:
        """Yield the outcome of each match of two sides for the one told first: 1, -1, 0 or unknown."""
        for ours in led:
            for theirs in told:
                if ours.column == theirs.column:
                    continue
                for row in sorted(ours.rows & theirs.rows):
                    for column in self._scores:
                        won = _winner(as_text(self.sheet.table.rows[row][column]))
                        if won is not None and ours.column > theirs.column:
                            won = -won
                        yield won, (row, column)


def _winner(cell: str) -> int | None:
    """Return which side a score is for: 1 for the one told first, -1, 0 for a draw; sets are counted."""
    scores = [(int(a), int(b)) for a, b in SCORE.findall(cell)]
    ahead = [(a > b) - (a < b) for a, b in scores]
    if len(ahead) < 2 or (ahead[0] and "(" in cell):
        return ahead[0] if ahead else None
    if not ahead[0]:  # what follows a draw decides it only where it says so
        return ahead[1] if PENALTIES.search(cell) else None
    won = sum(ahead)
    return (won > 0) - (won < 0) if won else None
