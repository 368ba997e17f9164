"""A second look at the numbers of a sentence that found a cell: which of them its words deny after all."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, listed_run
from gateway.ground.shapes.headed_texts import HeadedTexts
from gateway.ground.shapes.header_groups import HeaderGroups
from gateway.ground.sourcing.sources import OUTFLOW, Sources
from gateway.ground.table.sheet import CellAt, Sheet
from gateway.ground.turns.gapped import out_of_gap
from gateway.ground.turns.in_brackets import unfit_in_brackets
from gateway.ground.turns.in_turn import told_in_turn
from gateway.ground.turns.mixed import of_mixed_columns
from gateway.ground.turns.other_nouns import OtherNouns
from gateway.ground.turns.two_lists import in_two_lists

# "Won with 44% of the vote": a share, and not by how much it moved.
BY = re.compile(r"\bby\s\W?\Z", re.IGNORECASE)
LOSES = re.compile(r"los(?:t|es?|ing)|shed(?:s|ding)?", re.IGNORECASE)
RIGHT_BEHIND = re.compile(
    r"\s(?:(?:all|the|an?|net|another|only|just|about|some|nearly|almost|over|more|than|its|their|his|her|other|of)\s)*"
    r"[$\u20ac\u00a3]?",
    re.IGNORECASE,
)
LOSS = re.compile(
    r"los[ts]|left|leav|churn|cancel|defeat|against|conced|drop|depart|exit|quit|shed|fail|expir|attrition|\bl\b",
    re.IGNORECASE,
)
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
        self.headed = HeadedTexts(sheet, text)
        self._bracketed = "(" in text

    def of(self, bindings: Sequence[Binding], sentence: Sentence) -> tuple[Binding, ...]:
        """Return the bindings of a sentence, without the cells that its words deny."""
        bindings = self._told_together(bindings, sentence)
        refused = set(self._refused(bindings, sentence))
        return tuple(_without(b) if at in refused else b for at, b in enumerate(bindings))

    def _told_together(self, bindings: Sequence[Binding], sentence: Sentence) -> Sequence[Binding]:
        """Bind numbers of one sentence by what is told of another: in turn, or in two lists."""
        if len(bindings) < 2:
            return bindings
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
        if len(bindings) > 1 or self._bracketed:
            yield from unfit_in_brackets(self.text, self.sheet, bindings, sentence)
        yield from self.headed.refused(bindings, sentence)
        yield from (at for at, binding in enumerate(bindings) if self._is_denied(binding, sentence))

    def _is_denied(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether the words right around a number deny the column of its cell."""
        if binding.cell is None or binding.quantity.slot is not None or binding.cell[1] in self.sheet.texts:
            return False
        return (
            self._is_move(binding)
            or self._is_level_lost(binding)
            or self._ends_years(binding)
            or self.sources.gaps.deny(binding, sentence)
            or self.merged.is_of_another(binding, sentence)
            or self.nouns.deny(binding, sentence)
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

    def _is_move(self, binding: Binding) -> bool:
        """Tell whether a share that no word of direction leads shows by how much a share moved."""
        changes, direction = self.sources.told_changes, binding.direction
        if binding.cell is None or binding.cell[1] not in changes or binding.place.named:
            return False
        if binding.quantity.measure != "percent" or direction.sign or direction.either:
            return False
        led = BY.search(self.text, max(0, binding.quantity.start - 6), binding.quantity.start)
        return led is None and bool(self.sheet.figured - changes)

    def _is_level_lost(self, binding: Binding) -> bool:
        """Tell whether a number that was lost shows what there is ("lost 254 seats" of Seats)."""
        direction, cell = binding.direction, binding.cell
        if cell is None or not direction.word or direction.start > binding.quantity.start:
            return False
        if not LOSES.fullmatch(direction.word):
            return False
        end = direction.start + len(direction.word)
        if not RIGHT_BEHIND.fullmatch(self.text, end, binding.quantity.start):
            return False
        label = self.sheet.label(cell[1])
        names = LOSS.search(label) or OUTFLOW.search(f"{label} {' '.join(self.sheet.row_key(cell[0]))}")
        return names is None and cell[1] not in self.sources.change_columns

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
    return binding._replace(cell=None, derived=None, value=None, elsewhere=cells, unbound=not cells)
