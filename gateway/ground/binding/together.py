"""What the numbers of one sentence say of each other: parts of wholes, lists in order, one column."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from math import prod

from gateway.ground.compared.scores import is_turned_round, sides_of
from gateway.ground.lexing.cues import PART_GAP
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.pointing.bound import Binding, chance_of
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sentence.each import OF_EACH, said_of_each
from gateway.ground.sentence.grouped import counted_in, groups_of
from gateway.ground.shapes.score_cards import on_cards
from gateway.ground.sourcing.sources import Sources
from gateway.ground.table.sheet import CellAt, Sheet
from gateway.ground.turns.out_of import out_of, with_shares

# "26 goals, 21 of which came in the league": the second is a part of the first.
OF_WHICH = re.compile(r"\s(?:[a-z]+\s)?of\s(?:which|them|these|those|whom)\b", re.IGNORECASE)
WITH_PARTS = re.compile(r"\bof\s(?:which|these|those|whom)(?:\s(?:only|just|about))?\s?\Z", re.IGNORECASE)
# "227 votes out of a total of 506": what the part is counted in.
PART_NOUN = re.compile(r"\A[a-z]+\s(?=out\sof\b)")
RANGED_FROM = re.compile(r"rang(?:ed|es|ing)\sfrom\s\Z")
RESTATED = re.compile(
    r"(?:\bor|i\.e\.,?|that\sis,?|[(=]|than|from|of|to|with|at|from\sits)\s?\W?\Z", re.IGNORECASE
)
RESPECTIVE = re.compile(r"[^;:.\d]*,?\srespectively\b", re.IGNORECASE)
SET_AGAINST = re.compile(
    r"\b(?:against|versus|vs\.?|compared\s(?:with|to)|ahead\sof|followed\s(?:closely\s)?by)\s[^,;]{0,40}(?:,\swho\s[a-z]+\s)?\Z",
    re.IGNORECASE,
)


class Together:
    """Settles the numbers of a sentence that were bound one by one, over one sheet and one text."""

    def __init__(self, sheet: Sheet, spoken: Spoken, sources: Sources, line: float) -> None:
        """Stand on a sheet, a text and its sources; above the chance `line` a number stays unbound."""
        self.sheet = sheet
        self.text = spoken.text
        self._each = spoken.says(OF_EACH)
        self.sources = sources
        self.line = line

    def settle(self, bindings: Sequence[Binding], sentence: Sentence) -> tuple[Binding, ...]:
        """Return the bindings of a sentence with what they say of each other, in order."""
        bindings = [self._of_each(b, sentence) for b in bindings] if self._each else list(bindings)
        bindings = on_cards(self.text, self.sheet, bindings, sentence)
        if len(bindings) == 1:
            return tuple(self._of_one_row(bindings))
        bindings = self._once(bindings)
        bindings = self._with_parts(self._with_parameters(bindings), sentence)
        bindings = self._in_groups(out_of(self.text, self.sheet, bindings, sentence), sentence)
        ordered = self.in_order(self._of_one_row(bindings))
        return self._in_one_column(
            tuple(with_shares(self.text, self.sheet, self._with_gaps(ordered, sentence)))
        )

    def _of_each(self, binding: Binding, sentence: Sentence) -> Binding:
        """Refuse a figure of one row that is said of several, each by itself ("both A and B won 3")."""
        cell = binding.cell
        if cell is None or binding.quantity.slot is not None:
            return binding
        rows = [m.rows for m in said_of_each(self.text, binding.quantity, sentence) if len(m.rows) == 1]
        if not rows or not any(cell[0] in own for own in rows):
            return binding
        cells = set(self.sources.cells(binding.quantity, binding.direction))
        if all((row, cell[1]) in cells for own in rows for row in own):
            return binding
        return binding._replace(cell=None, value=None, elsewhere=(cell,))

    def _once(self, bindings: Sequence[Binding]) -> Sequence[Binding]:
        """Refuse a cell to a number that names no column where another number shows it by name."""
        cells = [self._figure(b) for b in bindings]
        if len(set(cells) - {None}) == sum(cell is not None for cell in cells):
            return bindings
        named = {cell for b, cell in zip(bindings, cells, strict=True) if b.place.named}
        first = {cell: at for at, cell in reversed(list(enumerate(cells)))}
        return [
            b._replace(cell=None, unbound=True)
            if cell is not None and not self._stands(b, taken=cell in named or at != first[cell])
            else b
            for at, (b, cell) in enumerate(zip(bindings, cells, strict=True))
        ]

    def _figure(self, binding: Binding) -> tuple[CellAt, Decimal | None] | None:
        """Return the figure that a number shows: of a text cell, which may hold several, with its value."""
        if binding.cell is None:
            return None
        several = binding.cell[1] in self.sheet.keys
        return binding.cell, binding.quantity.readings[0].value if several else None

    def _in_groups(self, bindings: list[Binding], sentence: Sentence) -> list[Binding]:
        """Bind numbers told in like groups to the row that closes theirs, in the columns that one names."""
        groups = groups_of(self.text, sentence)
        if not groups or any(b.derived or b.quantity.slot for b in bindings):
            return bindings
        found = list(bindings)
        for like in zip(*(places for _, places in groups), strict=True):
            told = {at: counted_in(self.text, found[at].quantity, sentence) for at in like}
            named = {b.cell[1] for at in like if (b := found[at]).cell and b.cell[1] in told[at]}
            for (mention, _), at in zip(groups, like, strict=True) if len(named) == 1 else ():
                column = found[at].cell[1] if found[at].cell and told[at] else next(iter(named))
                row, own = next(iter(mention.rows)), found[at]
                bare = own._replace(place=own.place._replace(rows=mention.rows, firm=True))
                if (row, column) in self.sources.cells(bare.quantity, bare.direction):
                    found[at] = self._set(bare, column, chance_of(bare.quantity, 1))
                else:
                    found[at] = bare._replace(cell=None, implicit="", value=None, elsewhere=())
        return found

    def _stands(self, binding: Binding, *, taken: bool) -> bool:
        """Tell whether a number may show a cell that others of its sentence may have `taken`."""
        quantity = binding.quantity
        if quantity.slot is not None or quantity.bracketed or binding.place.named:
            return True
        lead = self.text[max(0, quantity.start - 24) : quantity.start]
        return not taken or RESTATED.search(lead) is not None

    def _with_gaps(self, bindings: tuple[Binding, ...], sentence: Sentence) -> tuple[Binding, ...]:
        """Bind what is left in a column that the sentence named for another row ("A had 9 users, B 7")."""
        found = list(bindings)
        for at, binding in enumerate(bindings):
            if binding.grounded or not at or binding.quantity.slot is not None:
                continue
            rows = binding.place.rows or frozenset()
            columns = self._gapped(found[:at], binding, sentence) if len(rows) == 1 else ()
            dated = (binding.place.columns or frozenset()) & self.sources.naming.dated
            own = [c for c in columns if binding.place.named and c in dated]
            column = next((c for c in own or columns if (next(iter(rows)), c) in binding.elsewhere), None)
            if column is not None:
                found[at] = self._set(binding, column, chance_of(binding.quantity, 1))
        return tuple(found)

    def _in_one_column(self, bindings: tuple[Binding, ...]) -> tuple[Binding, ...]:
        """Bind numbers of different rows that name no column, where one column alone holds all of them.

        Each alone may be chance; that all stand in the same column, each in its own row, hardly is.
        """
        if not any(b.unbound and b.cell is None for b in bindings):
            return bindings
        alike = [
            b
            for b in bindings
            if b.place.firm
            and len(b.place.rows or ()) == 1
            and (b.unbound or (b.cell is not None and not b.place.named))
        ]
        rows = {row for b in alike for row in b.place.rows or ()}
        if len(rows) < 2 or len(rows) < len(alike) or len({b.quantity.measure for b in alike}) > 1:
            return bindings
        columns = set.intersection(*map(self._held, alike))
        chance = len(self.sheet.figured) * prod(chance_of(b.quantity, 1) for b in alike)
        if len(columns) != 1 or chance > self.line or any(b.quantity.hedge for b in alike):
            return bindings
        column = columns.pop()
        return tuple(self._set(b, column, chance) if b in alike and b.unbound else b for b in bindings)

    def _held(self, binding: Binding) -> set[int]:
        """Return the columns in which a number stands in its row: where it is bound, or all it may be."""
        if binding.cell is not None:
            return {binding.cell[1]}
        return {c for r, c in binding.elsewhere if binding.place.holds((r, c)) and c in self.sheet.figured}

    def _set(self, binding: Binding, column: int, chance: float) -> Binding:
        """Bind a number of one row in a column."""
        cell = next(iter(binding.place.rows or ())), column
        value = self.sheet.number(*cell)
        return binding._replace(cell=cell, value=value, chance=chance, unbound=False, elsewhere=())

    def _gapped(self, before: Sequence[Binding], binding: Binding, sentence: Sentence) -> Sequence[int]:
        """Return the columns of the like numbers of the last other row, where no column is named since."""
        quantity = binding.quantity
        kind = quantity.measure, quantity.currencies
        led = [m for m in sentence.rows if m.full and m.end <= quantity.start]
        like = [b for b in reversed(before) if (b.quantity.measure, b.quantity.currencies) == kind]
        since = led[-1].start if led else 0
        like = [b for b in like if b.quantity.end <= since]
        if not like or like[0].cell is None or not binding.place.firm:
            return ()
        row = like[0].cell[0]
        if row in led[-1].rows or quantity.hedge:
            return ()
        named = any(since <= m.start < neighbours(quantity, sentence)[1] for m in sentence.columns)
        columns = [] if named else [b.cell[1] for b in like if b.cell is not None and b.cell[0] == row]
        if "respectively" in self.text[quantity.end : sentence.end]:
            place = sum(b.quantity.start >= since for b in before)
            return columns[::-1][place : place + 1]
        return columns

    def _with_parameters(self, bindings: Sequence[Binding]) -> list[Binding]:
        """Bind what is left to the conditions of those derivations that the same sentence cites."""
        cited = [binding.derived for binding in bindings if binding.derived is not None]
        found = list(bindings)
        for at, binding in enumerate(bindings):
            if binding.grounded or not cited:
                continue
            parameter = self.sources.parameter(binding.quantity, binding.place, cited)
            if parameter is not None:
                chance = chance_of(binding.quantity, 1)
                nothing = Binding(binding.quantity, binding.place, binding.direction)
                found[at] = nothing._replace(implicit=parameter[0], value=parameter[1], chance=chance)
        return found

    def _with_parts(self, bindings: list[Binding], sentence: Sentence) -> list[Binding]:
        """Bind the part of a declared sum or a total to that column of its row ("13 of the company's 21").

        Another column may hold the part only where the sentence speaks of it.
        """
        for at, (part, whole) in enumerate(pairwise(bindings)):
            rows = part.place.rows or frozenset()
            gap = PART_NOUN.sub("", self.text[part.quantity.end : whole.quantity.start].strip())
            if len(rows) != 1 or part.quantity.slot or not PART_GAP.fullmatch(gap):
                continue
            bindings[at + 1] = whole = self._as_whole(part, whole)
            cell = next(iter(rows)), self._column_of_whole(whole)
            if part.cell is not None and whole.derived is not None and cell[1] not in (-1, part.cell[1]):
                said = any(part.cell[1] in mention.columns for mention in sentence.columns)
                bindings[at] = part if said else part._replace(cell=None, value=None, elsewhere=(part.cell,))
            if part.grounded:
                continue
            if cell in part.elsewhere and not (whole.derived and cell[0] not in whole.derived.rows):
                bindings[at] = self._set(part, cell[1], chance_of(part.quantity, 1))
        return bindings

    def _as_whole(self, part: Binding, whole: Binding) -> Binding:
        """Bind what a part of one row is of to the total of its column ("61 of the 117 seats")."""
        rows, place = part.place.rows or frozenset(), whole.place
        if whole.grounded or whole.quantity.slot or whole.quantity.hedge or rows & self.sheet.totals:
            return whole
        if place.rows != rows or part.quantity.measure != whole.quantity.measure:
            return whole
        own = {part.cell} if part.cell else {cell for cell in part.elsewhere if cell[0] in rows}
        columns = {column for _, column in own if not place.named or column in (place.columns or ())}
        cells = [c for c in whole.elsewhere if c[0] in self.sheet.wholes and c[1] in columns]
        if len({column for _, column in cells}) != 1:
            return whole
        cell, chance = cells[0], chance_of(whole.quantity, len(cells))
        value = self.sheet.number(*cell)
        return whole._replace(cell=cell, value=value, chance=chance, unbound=False, elsewhere=())

    def _column_of_whole(self, whole: Binding) -> int:
        """Return the column that a number is the sum or the total of; -1 for none."""
        if whole.derived is not None and whole.derived.op == "sum" and len(whole.derived.columns) == 1:
            return next(iter(whole.derived.columns))
        return whole.cell[1] if whole.cell is not None and whole.cell[0] in self.sheet.totals else -1

    def in_order(self, bindings: Sequence[Binding]) -> tuple[Binding, ...]:
        """Refuse a part above its whole and a range upside down ("between 500 and 200")."""
        checked = self._in_row_order(self._as_scored(bindings))
        for place, (first, second) in enumerate(pairwise(bindings)):
            if first.value is None or second.value is None:
                continue
            if self._is_unlike(first, second):
                checked[place + 1] = second._replace(cell=None, derived=None, implicit="", unbound=True)
                continue
            if second.value > first.value and self._is_part(first, second):
                checked[place + 1] = second._replace(cell=None, derived=None, implicit="", unbound=True)
                continue
            if first.value <= second.value and (first.cell is None or first.cell != second.cell):
                continue
            gap = self.text[first.quantity.end : second.quantity.start].strip().lower()
            lead = self.text[max(0, first.quantity.start - 16) : first.quantity.start].lower()
            bare = first.quantity.measure == second.quantity.measure == "plain"
            part = bare and PART_GAP.fullmatch(PART_NOUN.sub("", gap)) is not None
            between = gap == "and" and lead.endswith("between ")
            moved = (
                gap == "to"
                and lead.endswith(("from ", "by "))
                and first.cell is not None
                and first.cell == second.cell
            )
            if part or between or moved or (gap == "to" and RANGED_FROM.search(lead)):
                checked[place] = first._replace(cell=None, derived=None, implicit="", unbound=True)
        return tuple(checked)

    def _as_scored(self, bindings: Sequence[Binding]) -> Sequence[Binding]:
        """Bind the sides of a score or a vote, and refuse those that are told the other way round."""
        found, since = list(bindings), 0
        for at in range(len(found) - 1):
            sides = sides_of(self.text, self.sheet, *found[at : at + 2])
            for place, (_, column) in enumerate(sides or (), at):
                side = found[place]
                found[place] = side if side.grounded else self._set(side, column, chance_of(side.quantity, 1))
            first, second = found[at : at + 2]
            if is_turned_round(self.text, self.sheet, since, first, second):
                found[at : at + 2] = (b._replace(cell=None, unbound=True) for b in (first, second))
            since = first.quantity.end
        return found

    def _is_part(self, first: Binding, second: Binding) -> bool:
        """Tell whether a number is said to be a part of the one before ("26 goals, 21 of which")."""
        if not first.quantity.measure == second.quantity.measure == "plain":
            return False
        gap = self.text[first.quantity.end : second.quantity.start]
        behind = "," in gap and OF_WHICH.match(self.text, second.quantity.end) is not None
        return behind or WITH_PARTS.search(gap) is not None

    def _in_row_order(self, bindings: Sequence[Binding]) -> list[Binding]:
        """Refuse figures of one column "respectively" where no row is named and they are not in row order."""
        cells = [b.cell for b in bindings if b.cell is not None and b.place.rows is None]
        like = len({column for _, column in cells}) == 1 < len(cells) == len(bindings)
        if (
            not like
            or not RESPECTIVE.match(self.text, bindings[-1].quantity.end)
            or cells == sorted(set(cells))
        ):
            return list(bindings)
        return [b._replace(cell=None, unbound=True) for b in bindings]

    def _of_one_row(self, bindings: list[Binding]) -> list[Binding]:
        """Refuse figures of other rows beside a total of a record, where the sentence names no row.

        Of several totals the last is meant, that of all rows, or one that two numbers tell of.
        """
        if not self.sheet.totals:
            return bindings
        rows = [b.cell[0] for b in bindings if b.cell is not None and b.place.rows is None]
        totals = set(rows) & self.sheet.totals
        kept = {r for r in totals if r in self.sheet.records or (len(totals) == 1 and rows.count(r) > 1)}
        if not totals or kept.issuperset(rows):
            return bindings
        return [
            b._replace(cell=None, unbound=True)
            if b.cell is not None and b.place.rows is None and b.cell[0] not in kept
            else b
            for b in bindings
        ]

    def _is_unlike(self, first: Binding, second: Binding) -> bool:
        """Tell whether a number is set against one of another column, though no column is named between."""
        if first.cell is None or second.cell is None:
            return False
        if second.place.named and len(second.place.columns or ()) == 1:
            return False
        gap = self.text[first.quantity.end : second.quantity.start]
        like = first.quantity.measure == second.quantity.measure
        apart = first.cell[0] != second.cell[0] and first.cell[1] != second.cell[1]
        return like and apart and SET_AGAINST.search(gap) is not None
