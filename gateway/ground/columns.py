"""Which columns of the result the words around a number point to, among those whose unit can take it."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from gateway.ground.clauses import Sentence, follows, neighbours, position
from gateway.ground.cues import (
    AGED,
    ANOTHER,
    LIST_GAPS,
    MOVED_TO,
    NUMBER_LED,
    OLD,
    OPENS,
    OWN_NOUN,
    PART_GAPS,
    RANKS,
    RESTATES,
    TURNS,
)
from gateway.ground.idioms import Fitting, Idioms, within
from gateway.ground.lexicon import PARTS
from gateway.ground.measures import size_said
from gateway.ground.mentions import Mention
from gateway.ground.phrases import NOBODY
from gateway.ground.said import SaidFigures
from gateway.ground.sheet import Sheet
from gateway.ground.stems import split_words
from gateway.ground.tokens import Quantity
from gateway.ground.units import Measure, factor
from metric_layer.period_words import PLURAL


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
        self.idioms = Idioms(sheet, text, self.fitting)
        self.figures = SaidFigures(text, self.fitting)
        self._taking: dict[tuple[Measure, frozenset[str]], frozenset[int]] = {}
        self._names: dict[tuple[int, Measure, frozenset[str]], Fitting] = {}

    def columns(
        self, quantity: Quantity, sentence: Sentence, previous: Sentence | None
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the columns that the words next to a number name, among those whose unit can take it.

        The flag is false where no name stands beside the number and the columns are what the sentence leaves
        open.
        """
        headed = self._header(quantity) or self._ranked(quantity)
        if headed:
            return headed, True
        sized = self._sized(quantity)
        unfit = self.figures.unfit_behind(quantity, sentence) or self.figures.opening(
            quantity, sentence, sized
        )
        if unfit:
            return unfit, True
        fitting = self._fitting_names(quantity, sentence)
        ordered = self.idioms.ordered(quantity, sentence, fitting)
        if ordered:
            return ordered, True
        if not sized:
            return self._told(quantity, sentence, fitting, previous)
        fitting = [(mention, fit & sized) for mention, fit in fitting if fit & sized]
        if len(sized) == 1 or not fitting:
            return sized, True
        columns, _ = self._told(quantity, sentence, fitting, previous)
        return (columns or sized) & sized or sized, True

    def _told(
        self, quantity: Quantity, sentence: Sentence, fitting: Fitting, previous: Sentence | None
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the columns that the names of a sentence give a number, and whether one stands beside it."""
        before, after = neighbours(quantity, sentence)
        gloss = self._behind_gloss(quantity, sentence, after) if self.idioms.glossed else after
        plain = quantity.measure == "plain"
        later = [
            (mention, fit)
            for mention, fit in within(fitting, quantity.end, gloss)
            if mention.full or not plain or not self._is_money(fit)
        ]
        if gloss > after and later and not within(fitting, quantity.end, after):
            return self._narrowed(later[0], fitting), True
        told = (
            self.idioms.total_of(quantity, later)
            or self.idioms.split(quantity, later)
            or self.idioms.lost(quantity, sentence, fitting)
            or self.idioms.year_after(quantity, sentence)
            or self.idioms.in_all(quantity)
        )
        if told:
            return told, True
        if later and self._counts_part(quantity, sentence, later[0][0]):
            return self._left_over(quantity, fitting), False
        opening = self.figures.opening(quantity, sentence, later[0][1]) if later else NOBODY
        if opening:
            return opening, True
        if later and self._is_own(quantity, later[0], fitting, after):
            return self._narrowed(later[0], fitting), True
        turned = after < sentence.end and TURNS.search(self.text, quantity.end, after)
        later = [
            (mention, fit)
            for mention, fit in later
            if not (self._leads(mention, after) or (turned and turned.start() < mention.start))
        ]
        own = [(m, fit) for m, fit in within(fitting, before, quantity.start) if m.end <= quantity.start]
        if (
            own
            and before > sentence.start
            and self._belongs(before, own[-1][0])
            and (self._names_own(quantity) or self._is_spent(own[-1][0], quantity, sentence))
        ):
            dated = next((named for named in later if named[1] <= self.idioms.yearly), None)
            if dated is not None:  # "3 platforms and had 415,330 passengers in 2018"
                return self._narrowed(dated, fitting), True
            return self._left_over(quantity, fitting), False
        if own or later:
            return self._narrowed(self._joint(own) if own else later[0], fitting), True
        shared = self._shared(quantity, sentence, fitting)
        if shared is not None:
            return shared or None, bool(shared)
        return self._distant_columns(quantity, sentence, fitting, previous)

    def _behind_gloss(self, quantity: Quantity, sentence: Sentence, after: int) -> int:
        """Return where the clause of a number ends: not at a gloss in brackets ("361 (3%) were late")."""
        place = position(quantity, sentence)
        following = sentence.quantities[place + 1 : place + 3]
        if not following or self.text[quantity.end : following[0].start + 1].strip() != "(":
            return after
        return following[1].start if len(following) > 1 else sentence.end

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
                if not self.idioms.is_rate(quantity, m)
            )
            self._names[kind] = [(mention, fit) for mention, fit in found if fit]
        return self._names[kind]

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
        return frozenset(column for column, sizes in self.sheet.sizes.items() if size in sizes)

    def _ranked(self, quantity: Quantity) -> frozenset[int]:
        """Return the one column of ranks that a number led by "number", "No." or "#" stands in."""
        led = (
            self.ranks
            and quantity.measure == "plain"
            and NUMBER_LED.search(self.text[max(0, quantity.start - 10) : quantity.start])
        )
        return self.ranks if led and len(self.ranks) == 1 else frozenset()

    def _is_age(self, quantity: Quantity) -> bool:
        """Tell whether a number is an age: "21-year-old", "aged 21", or alone behind a name (", 21,")."""
        before = self.text[max(0, quantity.start - 12) : quantity.start]
        alone = before.endswith(", ") and self.text[quantity.end : quantity.end + 1] == ","
        return alone or AGED.search(before) is not None or OLD.match(self.text, quantity.end) is not None

    def _leads(self, mention: Mention, after: int) -> bool:
        """Tell whether a column name opens the next number ("in an area of 42.1") and so belongs to it."""
        gap = self.text[mention.end : after]
        opens = OPENS.fullmatch(gap) or (gap == " " and self.text.endswith("(", 0, mention.start))
        return mention.end <= after and bool(opens)

    def _is_own(
        self, quantity: Quantity, named: tuple[Mention, frozenset[int]], fitting: Fitting, after: int
    ) -> bool:
        """Tell whether a name behind a number is what it counts, and opens neither it nor the next one."""
        mention = named[0]
        beside = not self.text[quantity.end : mention.start].strip()
        if not self._belongs(quantity.end, mention) or self._is_opened(quantity, named, fitting):
            return False
        return beside or not self._leads(mention, after)

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
            if gap in PART_GAPS:
                told = next((named for named in fitting if named[0].start >= other.end), None)
                part = told is not None and self._counts_part(other, sentence, told[0])
                return told[1] if told and part else frozenset()
            if gap not in LIST_GAPS or (other.measure, other.currencies) != (
                quantity.measure,
                quantity.currencies,
            ):
                break
            last, joined = other, gap != ","
        named = [fit for m, fit in fitting if last.end <= m.start and self._belongs(last.end, m)]
        return named[0] if joined and named else None

    def _distant_columns(
        self, quantity: Quantity, sentence: Sentence, fitting: Fitting, previous: Sentence | None
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the column named before an earlier number or in a heading, else what is left open."""
        earlier = [(m, fit) for m, fit in fitting if m.end <= quantity.start]
        before, _ = neighbours(quantity, sentence)
        if earlier and before > sentence.start and MOVED_TO.fullmatch(self.text[before : quantity.start]):
            return self._narrowed(earlier[-1], fitting), True
        if earlier and RESTATES.fullmatch(self.text[before : quantity.start]):
            return self._narrowed(earlier[-1], fitting), True
        if (
            earlier
            and self._names_own(quantity)
            and OPENS.fullmatch(self._gap_behind(earlier[-1][0], sentence))
        ):
            return self._left_over(quantity, fitting), False
        if earlier and self._is_spent(earlier[-1][0], quantity, sentence):
            left = self._left_over(quantity, fitting)
            if left:
                return left, False
        if earlier and not self._is_claimed(earlier[-1][0], quantity, sentence):
            return self._narrowed(earlier[-1], fitting), True
        if not sentence.columns and previous is not None and not previous.quantities and previous.columns:
            carried = self.fitting(quantity, previous.columns[-1].columns)
            return carried or None, bool(carried)
        return self._left_over(quantity, fitting), False

    def _counts_part(self, whole: Quantity, sentence: Sentence, mention: Mention) -> bool:
        """Tell whether a column behind the whole says what the part counts ("88 of 97 students passed")."""
        place = position(whole, sentence)
        part = sentence.quantities[place - 1] if place else None
        if part is None or self.text[part.end : whole.start].strip().lower() not in PART_GAPS:
            return False
        beside = not self.text[whole.end : mention.start].strip()
        return not beside and self._names_own(whole) and self._belongs(whole.end, mention)

    def _joint(self, own: Fitting) -> tuple[Mention, frozenset[int]]:
        """Return the last name before a number, with a half name right before it ("densely populated")."""
        mention, fit = own[-1]
        first = own[-2] if len(own) > 1 else own[-1]
        if mention.full or self.text[first[0].end : mention.start] != " ":
            return mention, fit
        whole = next((other for other in own if other[0].full and other[0].end == first[0].end), None)
        if whole is not None:
            return mention, whole[1]  # "gold medals" are no medals in total
        return mention, fit | first[1]

    def _gap_behind(self, mention: Mention, sentence: Sentence) -> str:
        """Return the text between a name and the next number of its sentence."""
        first = bisect_left(sentence.quantities, mention.end, key=lambda other: other.start)
        following = sentence.quantities[first : first + 1]
        return self.text[mention.end : following[0].start] if following else ""

    def _left_over(self, quantity: Quantity, fitting: Fitting) -> frozenset[int] | None:
        """A number beside no column means none of those that stand beside other numbers."""
        totals = self.idioms.totals
        named = frozenset(c for m, fit in fitting for c in fit if m.full or c not in totals)
        fit = self.fitting(quantity, self.sheet.figured - named)
        return fit if named and fit else None

    def _is_spent(self, mention: Mention, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether the number before took a column and this one of the same row says something else.

        One row has one figure in a column: "a budget of $35M but grossed $29M", "24 of 38 matches".
        """
        place = position(quantity, sentence)
        if not place or not sentence.rows or quantity.bracketed:
            return False
        first = sentence.quantities[place - 1]
        beside = not self.text[first.end : mention.start].strip()
        if not beside and OPENS.fullmatch(self.text, mention.end, quantity.start):
            return False
        took = OPENS.fullmatch(self.text, mention.end, first.start) or self._belongs(first.end, mention)
        gap = self.text[first.end : quantity.start]
        until = PARTS.search(self.text, quantity.end, neighbours(quantity, sentence)[1])
        after = until.start() if until else neighbours(quantity, sentence)[1]
        others = [m for m in (*sentence.rows, *sentence.columns) if m.start != mention.start]
        named = any(first.end <= other.start < after for other in others)
        if not took or named or gap.strip().lower() in LIST_GAPS:
            return False
        return gap.strip().lower() in PART_GAPS or ANOTHER.search(gap) is None

    def _names_own(self, quantity: Quantity) -> bool:
        """Tell whether a bare number is followed by a noun of its own ("43 games")."""
        found = OWN_NOUN.match(self.text[quantity.end : quantity.end + 20])
        return (
            quantity.measure == "plain" and found is not None and PLURAL.fullmatch(found.group(1)) is not None
        )

    def _header(self, quantity: Quantity) -> frozenset[int]:
        start = self.text.rfind("|", 0, quantity.start) + 1
        return self.headers.get(start, frozenset()) if self.headers else frozenset()

    def _belongs(self, end: int, mention: Mention) -> bool:
        return follows(self.text, end, mention)

    def _is_claimed(self, mention: Mention, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a column name already belongs to a number that measures something else."""
        first = bisect_left(sentence.quantities, mention.end, key=lambda other: other.start)
        around = [sentence.quantities[first]] if first < len(sentence.quantities) else []
        if first and self._belongs(sentence.quantities[first - 1].end, mention):
            around.append(sentence.quantities[first - 1])
        kind = (quantity.measure, quantity.currencies)
        return any((o.measure, o.currencies) != kind for o in around if o.measure != "multiple")
