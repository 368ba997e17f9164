"""Which columns of the result the words around a number point to, among those whose unit can take it."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from gateway.ground.charting import place_told
from gateway.ground.clauses import Sentence, is_own_verb, neighbours, position
from gateway.ground.cues import (
    AGED,
    LIST_GAPS,
    MOVED_FROM,
    MOVED_TO,
    MOVES_ON,
    NTH,
    NUMBER_LED,
    OF_THE,
    OLD,
    OPENS,
    PART_GAP,
    RANKS,
    RESTATES,
    TURNS,
)
from gateway.ground.idioms import Fitting, Idioms, within
from gateway.ground.lexicon import PARTS
from gateway.ground.measures import mile_said, size_said
from gateway.ground.mentions import Mention
from gateway.ground.phrases import NOBODY
from gateway.ground.referred import outside_asides
from gateway.ground.said import SaidFigures
from gateway.ground.sheet import Sheet
from gateway.ground.stems import split_words
from gateway.ground.taken import Taken
from gateway.ground.tokens import Quantity
from gateway.ground.units import Measure, factor


class ColumnPointer:
    """Reads which columns the words around numbers name, for one text over one sheet."""

    def __init__(self, sheet: Sheet, text: str, headers: Mapping[int, frozenset[int]]) -> None:
        """Stand on a sheet and a text. `headers` gives the columns of piped table cells."""
        self.sheet = sheet
        self.text = text
        self.headers = headers
        self.ages = frozenset(i for i in sheet.numeric if sheet.label(i).lower() in ("age", "age (years)"))
        ranked = {i: RANKS & sheet.label_words[i] for i in sheet.numeric}
        self.ranks = frozenset(i for i, said in ranked.items() if said - {"chart"}) or frozenset(
            i for i, said in ranked.items() if said
        )
        self.placed = any(said for said in ranked.values())
        self.idioms = Idioms(sheet, text, self.fitting)
        self.figures = SaidFigures(sheet, text, self.fitting)
        self.taken = Taken(text, self.fitting, self.idioms.yearly)
        self._taking: dict[tuple[Measure, frozenset[str]], frozenset[int]] = {}
        self._names: dict[tuple[int, Measure, frozenset[str]], Fitting] = {}

    def columns(
        self, quantity: Quantity, sentence: Sentence, previous: Sentence | None
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the columns that the words next to a number name, among those whose unit can take it.

        The flag is false where no name stands beside the number and the columns are what the sentence leaves
        open.
        """
        headed = self._header(quantity) or self._ranked(quantity, sentence)
        if headed:
            return headed, True
        sized = self._sized(quantity)
        unfit = self.figures.unfit_behind(quantity, sentence) or self.figures.opening(
            quantity, sentence, sized
        )
        if unfit:
            return unfit, True
        names = self._fitting_names(quantity, sentence)
        fitting = outside_asides(self.text, quantity, sentence, names)
        ordered = self.idioms.ordered(quantity, sentence, fitting)
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
        _, after = self._clause(quantity, sentence)
        near = within(fitting, quantity.end, after)
        gloss = self.taken.behind_gloss(quantity, sentence, after) if self.idioms.glossed else after
        later = self._countable(quantity, within(fitting, quantity.end, gloss))
        if later and gloss > after and not near:
            return self._narrowed(later[0], fitting), True
        if near and PARTS.search(self.text, quantity.end, after):
            fitting = [named for named in fitting if named[0].start < after]
        told = (
            self._part_of(quantity, near)
            or self.idioms.total_of(quantity, later)
            or self.idioms.split(quantity, later)
            or self.idioms.lost(quantity, sentence, fitting)
            or self.idioms.year_after(quantity, sentence)
            or self.idioms.in_all(quantity)
            or self.idioms.more(quantity, sentence, fitting)
            or self.idioms.rate(quantity)
            or self.idioms.of_them(quantity, previous)
        )
        if told:
            return told, True
        if later and self.taken.counts_part(quantity, sentence, later[0][0]):
            return self._left_over(quantity, sentence, fitting), False
        opening = self.figures.opening(quantity, sentence, later[0][1]) if later else NOBODY
        if opening:
            return opening, True
        told = self.taken.said_of(quantity, later)
        if told:
            return told, True
        if later and self._is_own(quantity, later[0], fitting, after):
            return self._narrowed(later[0], fitting), True
        return self._beside(
            quantity, sentence, fitting, self._unclaimed(quantity, sentence, later, after), previous
        )

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
                return self._narrowed(dated, fitting), True
            return self._left_over(quantity, sentence, fitting), False
        if own or later:
            return self._narrowed(self._joint(own) if own else later[0], fitting), True
        shared = self._shared(quantity, sentence, fitting)
        if shared is not None:
            return shared or None, bool(shared)
        return self._distant_columns(quantity, sentence, fitting, previous)

    def _clause(self, quantity: Quantity, sentence: Sentence) -> tuple[int, int]:
        """Return how far names beside a number may stand: to the next number, or the bracket's end."""
        before, after = neighbours(quantity, sentence)
        opened = self.text.rfind("(", before, quantity.start)
        if not quantity.bracketed and opened > self.text.rfind(")", before, quantity.start):
            closed = self.text.find(")", quantity.end, after)
            after = closed if closed >= 0 else after
        return before, after

    def _countable(self, quantity: Quantity, later: Fitting) -> Fitting:
        """Leave out half names of money behind a bare number ("1,520 units")."""
        if quantity.measure != "plain":
            return later
        return [(mention, fit) for mention, fit in later if mention.full or not self._is_money(fit)]

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

    def _part_of(self, quantity: Quantity, later: Fitting) -> frozenset[int]:
        """Return the columns that "27 of the seats" may be of: every one of this noun, however it goes on."""
        if not later or later[0][0].full or quantity.measure != "plain":
            return NOBODY
        gap = self.text[quantity.end : later[0][0].start]
        return later[0][1] if OF_THE.fullmatch(gap) else NOBODY

    def fitting(self, quantity: Quantity, columns: Iterable[int]) -> frozenset[int]:
        """Return those columns whose unit can take a number of this measure."""
        kind = quantity.measure, quantity.currencies
        if kind not in self._taking:
            every = enumerate(self.sheet.measured)
            self._taking[kind] = frozenset(i for i, measured in every if factor(*kind, measured) is not None)
        return self._taking[kind].intersection(columns)

    def _fitting_names(self, quantity: Quantity, sentence: Sentence) -> Fitting:
        """Return the names of columns in a sentence that can take a number of this measure, in order."""
        kind = sentence.start, quantity.measure, quantity.currencies
        if kind not in self._names or (
            self.idioms.rated and " per " in self.text[quantity.end : quantity.end + 40]
        ):
            whole: dict[int, frozenset[int]] = {}
            for m in sentence.columns:
                if m.full:
                    whole[m.start] = whole.get(m.start, frozenset()) | m.columns
            found = (
                (m, self.fitting(quantity, self.idioms.meant(m, whole, sentence)))
                for m in sentence.columns
                if not (self.idioms.is_rate(quantity, m) or (self.placed and self._is_place(m)))
            )
            rates = self.idioms.rates if quantity.measure == "plain" else NOBODY
            self._names[kind] = [(mention, fit - rates or fit) for mention, fit in found if fit]
        return self._names[kind]

    def _is_place(self, mention: Mention) -> bool:
        """Tell whether the word of a column of ranks only ends a place in an order ("in third place")."""
        ranks = all(RANKS & self.sheet.label_words[column] for column in mention.columns)
        return ranks and NTH.search(self.text[max(0, mention.start - 12) : mention.start]) is not None

    def _sized(self, quantity: Quantity) -> frozenset[int]:
        """Return the columns in the unit of size that stands behind a number."""
        if self.ages and quantity.measure == "plain" and self._is_age(quantity):
            return self.ages
        counted = self.sheet.text_units
        if counted and quantity.measure == "plain":
            noun = split_words(self.text[quantity.end : quantity.end + 24])[:1]
            if noun and noun[0] in counted:
                return counted[noun[0]]
        size = size_said(self.text, quantity.text, quantity.end) if self.sheet.sizes else ""
        if self.sheet.sizes and not size:
            size = mile_said(self.text, quantity.start)
        return frozenset(column for column, sizes in self.sheet.sizes.items() if size in sizes)

    def _ranked(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the one column of ranks that a number led by "number", "No." or "#" stands in."""
        led = (
            self.ranks
            and quantity.measure == "plain"
            and NUMBER_LED.search(self.text[max(0, quantity.start - 10) : quantity.start])
        )
        if not led or len(self.ranks) == 1:
            return self.ranks if led else NOBODY
        return place_told(self.text, sentence.start, quantity.start, self.sheet, self.ranks)

    def _is_age(self, quantity: Quantity) -> bool:
        """Tell whether a number is an age: "21-year-old", "aged 21", or alone behind a name (", 21,")."""
        before = self.text[max(0, quantity.start - 12) : quantity.start]
        alone = before.endswith(", ") and self.text[quantity.end : quantity.end + 1] == ","
        return alone or AGED.search(before) is not None or OLD.match(self.text, quantity.end) is not None

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

    def _is_money(self, columns: frozenset[int]) -> bool:
        """Tell whether columns hold money, which half a name counts nothing of ("1,520 units")."""
        return all(self.sheet.measured[column].carrier == "currency" for column in columns)

    def _is_opened(self, quantity: Quantity, later: tuple[Mention, frozenset[int]], fitting: Fitting) -> bool:
        """Tell whether a name right before a number beats half a name behind it ("a density of 9 people")."""
        if later[0].full:
            return False
        for mention, _ in fitting:
            gap = self.text[mention.end : quantity.start]
            if mention.end <= quantity.start and (gap == " " or (mention.full and OPENS.fullmatch(gap))):
                return True
        return False

    def _narrowed(self, named: tuple[Mention, frozenset[int]], fitting: Fitting) -> frozenset[int]:
        """Return the columns of a name, cut down by other names nearest to it ("passengers in 2013")."""
        mention, columns = named
        beyond = PARTS.search(self.text, mention.end, mention.end + 120) if len(columns) > 1 else None
        if beyond is not None:
            fitting = [n for n in fitting if n[0].start < beyond.start() or not self._is_verb_of_next(n[0])]
        near = sorted(fitting, key=lambda other: (abs(other[0].start - mention.start), -other[0].start))
        for _, others in near if len(columns) > 1 else ():
            columns = columns & others or columns
        return columns

    def _is_verb_of_next(self, mention: Mention) -> bool:
        """Tell whether half a name stands right before a number of its own ("and allowed 35")."""
        return not mention.full and self.text[mention.end : mention.end + 2].lstrip()[:1].isdigit()

    def _shared(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int] | None:
        """Return the column behind a list that the number opens ("200, 500 and 300 orders").

        None where the number stands in no list; an empty set where it is a part and its column is left open.
        """
        place = position(quantity, sentence)
        last, joined = quantity, False
        for other in sentence.quantities[place + 1 :]:
            gap = self.text[last.end : other.start].strip().lower()
            if PART_GAP.fullmatch(gap):
                later = [named for named in fitting if named[0].start >= other.end]
                part = bool(later) and self.taken.counts_part(other, sentence, later[0][0])
                return later[0][1] if part else self.taken.in_state(other, later)
            if gap not in LIST_GAPS or (other.measure, other.currencies) != (
                quantity.measure,
                quantity.currencies,
            ):
                break
            last, joined = other, gap != ","
        named = [fit for m, fit in fitting if last.end <= m.start and self.taken.ends(last, m, sentence)]
        return named[0] if joined and named else None

    def _distant_columns(
        self, quantity: Quantity, sentence: Sentence, fitting: Fitting, previous: Sentence | None
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the column named before an earlier number or in a heading, else what is left open."""
        earlier = [(m, fit) for m, fit in fitting if m.end <= quantity.start]
        before, _ = neighbours(quantity, sentence)
        gap = self.text[before : quantity.start]
        moved = MOVED_TO.fullmatch(gap) or MOVES_ON.fullmatch(gap)
        if earlier and before > sentence.start and moved:
            return self._narrowed(earlier[-1], fitting), True
        if earlier and (
            RESTATES.fullmatch(self.text[before : quantity.start])
            or MOVED_FROM.fullmatch(self.text[before : quantity.start])
        ):
            return self._narrowed(earlier[-1], fitting), True
        if (
            earlier
            and self.taken.names_own(quantity)
            and OPENS.fullmatch(self.taken.gap_behind(earlier[-1][0], sentence))
        ):
            return self._left_over(quantity, sentence, fitting), False
        if earlier and self.taken.is_spent(earlier[-1][0], quantity, sentence):
            left = self._left_over(quantity, sentence, fitting)
            if left:
                return left, False
        if earlier and self.taken.has_own_predicate(quantity, sentence):
            return self._left_over(quantity, sentence, fitting), False
        if earlier and not self.taken.is_claimed(earlier[-1][0], quantity, sentence):
            return self._narrowed(earlier[-1], fitting), True
        if not sentence.columns and previous is not None and not previous.quantities and previous.columns:
            carried = self.fitting(quantity, previous.columns[-1].columns)
            return carried or None, bool(carried)
        return self._left_over(quantity, sentence, fitting), False

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

    def _is_taken(self, mention: Mention, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> bool:
        """Tell whether a name stands for another number: none that has a name of its own behind it."""
        if not self.taken.is_taken(mention, quantity, sentence):
            return False
        place = bisect_left(sentence.quantities, mention.end, key=lambda other: other.start)
        following = sentence.quantities[place] if place < len(sentence.quantities) else None
        if place or following is None or following == quantity:
            return True
        _, after = neighbours(following, sentence)
        behind = within(fitting, following.end, after)
        return not (behind and self.taken.belongs(following.end, behind[0][0]))

    def _left_over(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int] | None:
        """A number beside no column means none of those that stand beside other numbers."""
        year = self.idioms.one_year(quantity, sentence, fitting)
        if year:
            return year
        totals = self.idioms.totals
        named = frozenset(
            c
            for m, fit in fitting
            for c in fit
            if (m.full or c not in totals) and self._is_taken(m, quantity, sentence, fitting)
        )
        fit = self.fitting(quantity, self.sheet.figured - named)
        return fit if named and fit else None

    def _header(self, quantity: Quantity) -> frozenset[int]:
        if not self.headers:
            return NOBODY
        return self.headers.get(self.text.rfind("|", 0, quantity.start) + 1, NOBODY)
