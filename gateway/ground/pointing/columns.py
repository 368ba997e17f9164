"""Which columns of the result the words around a number point to, among those whose unit can take it."""

import re
from collections.abc import Mapping

from gateway.ground.lexing.cues import OF_THE, OPENS, TURNS
from gateway.ground.lexing.lexicon import PARTS
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.pointing.averages import Averages
from gateway.ground.pointing.column_marks import ColumnMarks
from gateway.ground.pointing.column_names import ColumnNames
from gateway.ground.pointing.far_columns import FarColumns
from gateway.ground.pointing.said import SaidFigures
from gateway.ground.pointing.taken import Taken
from gateway.ground.sentence.clauses import Sentence, is_own_verb, neighbours
from gateway.ground.sentence.columns_in_order import ColumnsInOrder
from gateway.ground.sentence.flows import Flows
from gateway.ground.sentence.idioms import Fitting, within
from gateway.ground.sentence.rates_told import RatesTold
from gateway.ground.sentence.referred import outside_asides
from gateway.ground.table.sheet import Sheet

LOST = re.compile(r"\b(?:lost|los(?:es?|ing))\b[^;:.]*\Z", re.IGNORECASE)
LOST_TO = re.compile(r"(?:\s[a-z]+)?\sto\s(?:the\s)?", re.IGNORECASE)
LOST_REACH = 64


class ColumnPointer:
    """Reads which columns the words around numbers name, for one text over one sheet."""

    def __init__(self, sheet: Sheet, spoken: Spoken, headers: Mapping[int, frozenset[int]]) -> None:
        """Stand on a sheet and a text. `headers` gives the columns of piped table cells."""
        self.text = text = spoken.text
        self.names = ColumnNames(sheet, spoken)
        self.idioms = self.names.idioms
        self.in_order = ColumnsInOrder(self.idioms)
        self.marks = ColumnMarks(sheet, text, headers)
        self.figures = SaidFigures(sheet, text, self.names.fitting)
        self.taken = Taken(text, self.names.fitting, self.idioms.yearly, sheet.label_words)
        self.averages = Averages(sheet, text)
        self.far = FarColumns(self.names, self.taken)
        self.flows = Flows(sheet, spoken, self.names.fitting)
        self.rates_told = RatesTold(sheet, text)

    def columns(
        self, quantity: Quantity, sentence: Sentence, previous: Sentence | None
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the columns that the words next to a number name, among those whose unit can take it.

        The flag is false where no name stands beside the number and the columns are what the sentence leaves
        open.
        """
        headed = self.marks.told(quantity, sentence)
        if headed:
            return headed, True
        sized = self.marks.sized(quantity)
        unfit = self.figures.unfit_behind(quantity, sentence) or self.figures.opening(
            quantity, sentence, sized
        )
        if unfit:
            return unfit, True
        names = self.names.of(quantity, sentence)
        fitting = outside_asides(self.text, quantity, sentence, names)
        ordered = self.in_order.of(quantity, sentence, fitting)
        if ordered:
            return ordered, True
        if not sized:
            return self._told(quantity, sentence, fitting, previous)
        fitting = [(mention, fit & sized) for mention, fit in fitting if fit & sized]
        if len(sized) == 1 or not fitting or self.taken.is_in_whole(quantity, sentence):
            return sized, True
        columns, _ = self._told(quantity, sentence, fitting, previous)
        return (columns or sized) & sized or sized, True

    def _told(
        self, quantity: Quantity, sentence: Sentence, fitting: Fitting, previous: Sentence | None
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the columns that the names of a sentence give a number, and whether one stands beside it."""
        led = self._bracketed(quantity, fitting)
        if led:
            return led, True
        after = self._clause_end(quantity, sentence)
        near = within(fitting, quantity.end, after)
        gloss = self.taken.behind_gloss(quantity, sentence, after) if self.idioms.glossed else after
        later = near if gloss == after else within(fitting, quantity.end, gloss)
        later = self.names.countable(quantity, later) if later else later
        if later and gloss > after and not near:
            return self.names.narrowed(later[0], fitting), True
        if near and PARTS.search(self.text, quantity.end, after):
            fitting = [named for named in fitting if named[0].start < after]
        told = (
            self.averages.of_each(quantity, sentence)
            or self._lost_to(quantity, near)
            or (self.flows.told and self.flows.of(quantity, sentence))
            or self.rates_told.of(quantity, sentence)
            or self._part_of(quantity, near)
            or self.idioms.said(quantity, sentence, fitting, later, previous)
            or self.averages.told(quantity, sentence, fitting)
        )
        if told:
            return told, True
        behind = self._behind(quantity, sentence, fitting, later, after) if later else None
        if behind is not None:
            return behind
        unclaimed = self._unclaimed(quantity, sentence, later, after) if later else later
        return self._beside(quantity, sentence, fitting, unclaimed, previous)

    def _bracketed(self, quantity: Quantity, fitting: Fitting) -> frozenset[int]:
        """Return the column whose full name stands right before a number in brackets ("joiners (8)")."""
        if not quantity.bracketed or self.text[quantity.end - 1] != ")":
            return NOBODY
        return NOBODY.union(*(fit for m, fit in fitting if m.full and m.end + 1 == quantity.start))

    def _behind(
        self, quantity: Quantity, sentence: Sentence, fitting: Fitting, later: Fitting, after: int
    ) -> tuple[frozenset[int] | None, bool] | None:
        """Return the columns of the names behind a number, where the words between the two say so."""
        if self.taken.counts_part(quantity, sentence, later[0][0]):
            return self.far.left_over(quantity, sentence, fitting), False
        told = self.figures.opening(quantity, sentence, later[0][1]) or self.taken.said_of(quantity, later)
        if told:
            return told, True
        if self._is_own(quantity, later[0], fitting, after):
            return self.names.narrowed(later[0], fitting), True
        return None

    def _beside(
        self,
        quantity: Quantity,
        sentence: Sentence,
        fitting: Fitting,
        later: Fitting,
        previous: Sentence | None,
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the columns of the names before a number, else behind it, else further away."""
        before, _ = neighbours(quantity, sentence)
        own = [(m, fit) for m, fit in within(fitting, before, quantity.start) if m.end <= quantity.start]
        if own and before > sentence.start and self._is_of_number_before(own[-1][0], quantity, sentence):
            dated = next((named for named in later if named[1] <= self.idioms.yearly), None)
            if dated is not None:  # "3 platforms and had 415,330 passengers in 2018"
                return self.names.narrowed(dated, fitting), True
            return self.far.left_over(quantity, sentence, fitting), False
        if own or later:
            return self.names.narrowed(self._joint(own) if own else later[0], fitting), True
        shared = self.far.shared(quantity, sentence, fitting)
        if shared is not None:
            return shared or None, bool(shared)
        return self.far.earlier(quantity, sentence, fitting, previous)

    def _clause_end(self, quantity: Quantity, sentence: Sentence) -> int:
        """Return how far names behind a number may stand: to the next number, or the bracket's end."""
        before, after = neighbours(quantity, sentence)
        if quantity.bracketed or not self.idioms.glossed:
            return after
        opened = self.text.rfind("(", before, quantity.start)
        if opened > self.text.rfind(")", before, quantity.start):
            closed = self.text.find(")", quantity.end, after)
            after = closed if closed >= 0 else after
        return after

    def _unclaimed(self, quantity: Quantity, sentence: Sentence, later: Fitting, after: int) -> Fitting:
        """Leave out names behind a number that belong to the next one."""
        turned = after < sentence.end and TURNS.search(self.text, quantity.end, after)
        return [
            (mention, fit)
            for mention, fit in later
            if not (
                self.taken.leads(mention, after)
                or self.taken.leads_next(quantity, mention, after)
                or (turned and turned.start() < mention.start)
            )
        ]

    def _is_of_number_before(self, mention: Mention, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a name between two numbers is the first's, and the second says something else."""
        before, _ = neighbours(quantity, sentence)
        verb = is_own_verb(self.text, before, mention, quantity.start)
        if verb or not self.taken.belongs(before, mention):
            return False
        own = self.taken.names_own(quantity) or self.taken.has_own_predicate(quantity, sentence)
        return own or self.taken.is_spent(mention, quantity, sentence)

    def _lost_to(self, quantity: Quantity, later: Fitting) -> frozenset[int]:
        """Return the column by which things were lost ("lost 121 slots to no-shows and 12 to illness")."""
        if not self.idioms.losing or not later:
            return NOBODY
        led = self.text[max(0, quantity.start - LOST_REACH) : quantity.start]
        to = (fit for m, fit in later[:3] if LOST_TO.fullmatch(self.text, quantity.end, m.start))
        return next(to, NOBODY) if LOST.search(led) else NOBODY

    def _part_of(self, quantity: Quantity, later: Fitting) -> frozenset[int]:
        """Return the columns that "27 of the seats" may be of: every one of this noun, however it goes on."""
        if not later or later[0][0].full or quantity.measure != "plain":
            return NOBODY
        gap = self.text[quantity.end : later[0][0].start]
        return later[0][1] if OF_THE.fullmatch(gap) else NOBODY

    def _is_own(
        self, quantity: Quantity, named: tuple[Mention, frozenset[int]], fitting: Fitting, after: int
    ) -> bool:
        """Tell whether a name behind a number is what it counts, and opens neither it nor the next one."""
        mention = named[0]
        beside = not self.text[quantity.end : mention.start].strip()
        if not self.taken.belongs(quantity.end, mention) or self._is_opened(quantity, named, fitting):
            return False
        return beside or not (
            self.taken.leads(mention, after) or self.taken.leads_next(quantity, mention, after)
        )

    def _is_opened(self, quantity: Quantity, later: tuple[Mention, frozenset[int]], fitting: Fitting) -> bool:
        """Tell whether a name right before a number beats half a name behind it ("a density of 9 people")."""
        per = self.text.startswith(" per ", later[0].end)  # "a yield of 7.3 tonnes per hectare"
        if later[0].full and not per:
            return False
        for mention, _ in fitting:
            gap = self.text[mention.end : quantity.start]
            opens = (mention.full or per) and OPENS.fullmatch(gap)
            if mention.end <= quantity.start and (gap == " " or opens):
                return True
        return False

    def _joint(self, own: Fitting) -> tuple[Mention, frozenset[int]]:
        """Return the last name before a number, with a half name right before it ("densely populated")."""
        mention, fit = own[-1]
        first = own[-2] if len(own) > 1 else own[-1]
        if mention.full or self.text[first[0].end : mention.start] != " ":
            return mention, fit
        if self.taken.follows_number(first[0]):
            return mention, fit  # "11 tornadoes killed 21 people"
        whole = next((other for other in own if other[0].full and other[0].end == first[0].end), None)
        if whole is not None:
            return mention, whole[1]  # "gold medals" are no medals in total
        return mention, fit | first[1]
