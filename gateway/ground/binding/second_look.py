"""A second look at the numbers of a sentence that found a cell: which of them its words deny after all."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gateway.ground.binding.denied import Denied
from gateway.ground.lexing.units import factor
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence import flows
from gateway.ground.sentence.clauses import Sentence, listed_run, neighbours
from gateway.ground.sentence.headings import headed_by
from gateway.ground.shapes.headed_texts import HeadedTexts
from gateway.ground.shapes.header_groups import HeaderGroups
from gateway.ground.sourcing.sources import OUTFLOW, Sources
from gateway.ground.table.score_columns import is_score
from gateway.ground.table.sheet import CellAt, Sheet
from gateway.ground.turns.came_to import COME_TO, told_ends
from gateway.ground.turns.followers import Followers
from gateway.ground.turns.gapped import out_of_gap
from gateway.ground.turns.in_brackets import unfit_in_brackets
from gateway.ground.turns.in_turn import told_in_turn
from gateway.ground.turns.in_words import is_of_other_unit
from gateway.ground.turns.mixed import of_mixed_columns
from gateway.ground.turns.other_nouns import OtherNouns
from gateway.ground.turns.two_lists import in_two_lists

# "Won with 44% of the vote": a share, and not by how much it moved.
BY = re.compile(r"\bby\s\W?\Z", re.IGNORECASE)
# "Lost 31 hours to downtime": by what they were lost.
LOST_TO = re.compile(r"(?:\s[a-z]+)?\sto\s", re.IGNORECASE)
LOSES = re.compile(flows.LOSES, re.IGNORECASE)
RIGHT_BEHIND = re.compile(
    r"\s(?:(?:all|the|an?|net|another|only|just|about|some|nearly|almost|over|more|than|its|their|his|her|other|of)\s)*"
    r"[$\u20ac\u00a3]?",
    re.IGNORECASE,
)
VERB = re.compile(
    r"\b(?P<verb>[a-z]+(?:\s(?:back|up|in|on|out|off))?)\s(?:(?:just|only|about|some)\s)?[^\w\s]?\Z"
)
VERB_REACH = 48
ENDS = re.compile(r"\s*(?:[.,;:)!?]|\Z)")
LOSS = re.compile(rf"{flows.GOING.pattern}|defeat|against|conced|shed|fail|expir|\bl\b", re.IGNORECASE)
# "Fell 3% month on month, to 40"; "compared to 40" says what it was before.
TO_NEXT = re.compile(r"(?:\s(?:in|during)\s[^,;:()\d]{1,20}(?:\d{4})?)?\sto\s[^\w\s]?", re.IGNORECASE)
IN = re.compile(r"\s(?:in|for|during)\s(?:the\s)?", re.IGNORECASE)
DASHES = ("-", "\u2013", "\u2014")
YEAR_AND_DASH = re.compile(r"\b(?:1[5-9]|20)\d\d\s?[-\u2013\u2014]\Z")


class SecondLook:
    """Refuses cells that numbers of one text found by chance, over one sheet."""

    def __init__(self, sheet: Sheet, text: str, sources: Sources, merged: HeaderGroups) -> None:
        """Stand on a sheet, a text, its sources and the merged headers that it names."""
        self.sheet = sheet
        self.text = text
        self.sources = sources
        self.merged = merged
        self.nouns = OtherNouns(sheet, text)
        self.followers = Followers(sheet, text, self._cells_of)
        self.headed = HeadedTexts(sheet, text)
        self._bracketed = "(" in text
        self.denied = Denied(sources.nouns.names, sources.spoken)

    def of(self, bindings: Sequence[Binding], sentence: Sentence) -> tuple[Binding, ...]:
        """Return the bindings of a sentence, without the cells that its words deny."""
        bindings = self.followers.told(self._told_together(bindings, sentence), sentence)
        refused = set(self._refused(bindings, sentence))
        return tuple(_without(b) if at in refused else b for at, b in enumerate(bindings))

    def _told_together(self, bindings: Sequence[Binding], sentence: Sentence) -> Sequence[Binding]:
        """Bind numbers of one sentence by what is told of another: in turn, or in two lists."""
        if len(bindings) < 2:
            return bindings
        bindings = told_ends(self.text, self.sheet, bindings, self._cells_of)
        bindings = told_in_turn(self.text, self.sheet, bindings, sentence, self._cells_of)
        return in_two_lists(self.text, self.sheet, bindings, sentence, self._cells_of)

    def _cells_of(self, binding: Binding) -> Sequence[CellAt]:
        return self.sources.cells(binding.quantity, binding.direction)

    def _refused(self, bindings: Sequence[Binding], sentence: Sentence) -> Iterator[int]:
        """Yield which numbers of a sentence show a cell that is not meant."""
        if self.sheet.height < 2:
            return
        if len(bindings) > 1:
            yield from out_of_gap(self.text, bindings, sentence)
            yield from of_mixed_columns(self.text, self.sheet, bindings, sentence, self._cells_of)
            yield from self._repeated(bindings, sentence)
            yield from self._of_other_periods(bindings)
            yield from self._of_other_ends(bindings)
            yield from self._of_two_metrics(bindings)
        if len(bindings) > 1 or self._bracketed:
            yield from unfit_in_brackets(self.text, self.sheet, bindings, sentence)
        yield from self.headed.refused(bindings, sentence)
        yield from self._beside_heading(bindings, sentence)
        yield from (at for at, binding in enumerate(bindings) if self._is_denied(binding, sentence))

    def _is_denied(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether the words right around a number deny the column of its cell."""
        if is_of_other_unit(self.text, self.sheet, binding):
            return True
        if binding.cell is None:
            return self.denied.deny(binding, sentence)
        if binding.quantity.slot is not None or binding.cell[1] in self.sheet.texts:
            return False
        return (
            self._is_move(binding)
            or self._is_level_lost(binding, sentence)
            or self._is_of_other_measure(binding, sentence)
            or self._ends_years(binding)
            or self._is_of_other_period(binding, sentence)
            or self.sources.gaps.deny(binding, sentence)
            or self.merged.is_of_another(binding, sentence)
            or self.nouns.deny(binding, sentence)
            or self.denied.deny(binding, sentence)
        )

    def _of_other_periods(self, bindings: Sequence[Binding]) -> Iterator[int]:
        """Yield numbers of different rows that name no period and show those of different ones."""
        dated = self.sources.naming.dated
        bare = {
            at: b.cell
            for at, b in enumerate(bindings)
            if b.cell and b.cell[1] in dated and b.place.columns is None and not b.place.named
        }
        rows = {row for row, _ in bare.values()}
        if len(rows) == len(bare) and len({column for _, column in bare.values()}) > 1:
            yield from bare

    def _of_two_metrics(self, bindings: Sequence[Binding]) -> Iterator[int]:
        """Yield the end of a move that is of another metric than its start ("from 40 in May to 7")."""
        series = self.sources.naming.series
        for at, (first, second) in enumerate(pairwise(bindings), 1):
            start, gap = first.quantity.start, (first.quantity.end, second.quantity.start)
            if first.cell is None or second.cell is None or not self.text.endswith("from ", 0, start):
                continue
            told = first.cell[1] in series and TO_NEXT.fullmatch(self.text, *gap) is not None
            if told and second.cell[1] not in series[first.cell[1]]:
                yield at

    def _beside_heading(self, bindings: Sequence[Binding], sentence: Sentence) -> Iterator[int]:
        """Yield numbers of another column than the one that heads their sentence and could hold them."""
        headed = headed_by(self.text, sentence)
        measured = [self.sheet.measured[column] for column in headed]
        for at, binding in enumerate(bindings if headed else ()):
            cell, said = binding.cell, binding.quantity
            other = cell is not None and cell[1] not in headed.union(self.sheet.texts)
            if other and any(factor(said.measure, said.currencies, kind) is not None for kind in measured):
                yield at

    def _of_other_ends(self, bindings: Sequence[Binding]) -> Iterator[int]:
        """Yield what something is said to have come to by a change, and is where it came from."""
        for at, (first, second) in enumerate(pairwise(bindings), 1):
            change, cell = first.derived, second.cell
            if change is None or change.lead is None or not change.change or cell is None:
                continue
            here = cell[0] in change.rows and cell[1] in change.columns
            oldest = (cell == change.lead) == change.backward
            if here and oldest and COME_TO.fullmatch(self.text, first.quantity.end, second.quantity.start):
                yield at

    def _is_move(self, binding: Binding) -> bool:
        """Tell whether a share that no word of direction leads shows by how much a share moved."""
        changes, direction = self.sources.told_changes, binding.direction
        if binding.cell is None or binding.cell[1] not in changes or binding.place.named:
            return False
        if binding.quantity.measure != "percent" or direction.sign or direction.either:
            return False
        led = BY.search(self.text, max(0, binding.quantity.start - 6), binding.quantity.start)
        return led is None and bool(self.sheet.figured - changes)

    def _is_level_lost(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number that was lost shows what there is ("lost 254 seats" of Seats)."""
        direction, cell = binding.direction, binding.cell
        if cell is None or not direction.word or direction.start > binding.quantity.start:
            return False
        if not LOSES.fullmatch(direction.word) or is_score(self.sheet, cell):
            return False
        end = direction.start + len(direction.word)
        if not RIGHT_BEHIND.fullmatch(self.text, end, binding.quantity.start):
            return False
        to = LOST_TO.match(self.text, binding.quantity.end)
        if to and any(m.start == to.end() and cell[1] in m.columns for m in sentence.columns):
            return False
        if self._carried(binding, sentence) == cell[1]:
            return False
        label = self.sheet.label(cell[1])
        names = LOSS.search(label) or OUTFLOW.search(f"{label} {' '.join(self.sheet.row_key(cell[0]))}")
        return names is None and cell[1] not in self.sources.change_columns

    def _carried(self, binding: Binding, sentence: Sentence) -> int | None:
        """Return the column that goes on with its verb ("A lost 9 hours to faults; B lost 4")."""
        last, start = self.followers.last, binding.quantity.start
        if len(sentence.quantities) > 1 or len(last) != 1 or last[0].cell is None:
            return None
        between = self.text[last[0].quantity.end : start]
        verb = VERB.search(self.text, max(sentence.start, start - VERB_REACH), start)
        if verb is None or between.count(";") != 1:
            return None
        told = VERB.search(self.text, max(0, last[0].quantity.start - VERB_REACH), last[0].quantity.start)
        same = told is not None and verb["verb"] == told["verb"]
        return last[0].cell[1] if same else None

    def _is_of_other_measure(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number shows another column than the one that goes on with its verb."""
        last, said = self.followers.last[:1], binding.quantity
        if binding.cell is None or binding.place.named or sentence.columns or not last:
            return False
        like = last[0].place.named and last[0].quantity.measure == said.measure
        if not like or ENDS.match(self.text, said.end) is None:
            return False
        carried = self._carried(binding, sentence)
        return carried is not None and carried != binding.cell[1]

    def _is_of_other_period(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether the period right behind a number is that of another column ("40 in August")."""
        end, cell = binding.quantity.end, binding.cell
        if cell is None or cell[1] not in self.sources.naming.dated:
            return False
        _, after = neighbours(binding.quantity, sentence)
        behind = [m for m in sentence.columns if m.full and end < m.start < after]
        said = [m for m in behind if self.sources.naming.is_period(m)]
        if len({m.start for m in said}) != 1 or IN.fullmatch(self.text, end, said[0].start) is None:
            return False  # "40, 50 in 2019, 2018, respectively"
        return not any(cell[1] in m.columns for m in said)

    def _ends_years(self, binding: Binding) -> bool:
        """Tell whether a number is what a year and a dash lead in: the end of a season, and no figure."""
        start = binding.quantity.start
        if not self.text.endswith(DASHES, 0, start):
            return False
        return YEAR_AND_DASH.search(self.text[max(0, start - 8) : start]) is not None

    def _repeated(self, bindings: Sequence[Binding], sentence: Sentence) -> Iterator[int]:
        """Yield numbers of a list that show a row a second time ("325, 525 and 325 yards")."""
        starts = {b.quantity.start: at for at, b in enumerate(bindings)}
        for at, binding in enumerate(bindings):
            if binding.cell is None or binding.cell[1] not in self.sheet.figured:
                continue
            run = [starts[q.start] for q in listed_run(self.text, binding.quantity, sentence)]
            if any(other < at and bindings[other].cell == binding.cell for other in run):
                yield at


def _without(binding: Binding) -> Binding:
    """Return a number without its source."""
    cells = (binding.cell,) if binding.cell is not None else ()
    bare = binding._replace(cell=None, derived=None, implicit="", value=None)
    return bare._replace(elsewhere=cells, unbound=not cells)
