"""Where the words around a number point: which rows and which columns of the result a clause names."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gateway.ground.clauses import Sentence
from gateway.ground.cues import (
    AGED,
    AWAY,
    BASELINE,
    CUE_AFTER,
    CUE_BEFORE,
    ITS_OWN,
    LIST_GAPS,
    OF_COLUMN,
    OLD,
    OPENS,
    OWN_NOUN,
    PART_GAPS,
    RESTATES,
)
from gateway.ground.direction import GOVERNS
from gateway.ground.lexicon import BREAKS, COMPARED, PARTS
from gateway.ground.measures import measure_after
from gateway.ground.names import Mention
from gateway.ground.sheet import Sheet
from gateway.ground.stems import SMALL_WORDS
from gateway.ground.tokens import Quantity
from gateway.ground.units import Measure, factor
from metric_layer.period_words import PLURAL

Side = Literal["before", "after"]
Fitting = Sequence[tuple[Mention, frozenset[int]]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number's words point: rows and columns, None where they name none.

    `firm` rows stand in the sentence itself; `named` columns stand beside the number, others are only what is
    left.
    """

    rows: frozenset[int] | None
    columns: frozenset[int] | None
    firm: bool = False
    named: bool = False

    def holds(self, cell: tuple[int, int]) -> bool:
        """Tell whether a cell lies where the words point."""
        row, column = cell
        return (self.rows is None or row in self.rows) and (self.columns is None or column in self.columns)


class Pointer:
    """Reads where the words around numbers point, for one text over one sheet."""

    def __init__(self, sheet: Sheet, text: str, headers: Mapping[int, frozenset[int]]) -> None:
        """Stand on a sheet and a text. `headers` gives the columns of piped table cells."""
        self.sheet = sheet
        self.text = text
        self.headers = headers
        self.ages = frozenset(i for i in sheet.numeric if sheet.label(i).lower() in ("age", "age (years)"))
        self._taking: dict[tuple[Measure, frozenset[str]], frozenset[int]] = {}
        self._names: dict[tuple[int, Measure, frozenset[str]], Fitting] = {}

    def point(self, quantity: Quantity, sentence: Sentence, side: Side, previous: Sentence | None) -> Place:
        """Return where the words around a number point; `side` is asked only where no cue settles it."""
        rows, firm = self._rows(quantity, sentence, side)
        columns, named = self._columns(quantity, sentence, previous)
        return Place(rows, columns, firm, named)

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
        if kind not in self._names:
            found = ((m, self.fitting(quantity, m.columns)) for m in sentence.columns)
            self._names[kind] = [(mention, fit) for mention, fit in found if fit]
        return self._names[kind]

    def _rows(self, quantity: Quantity, sentence: Sentence, side: Side) -> tuple[frozenset[int] | None, bool]:
        """Return the rows that the chosen names of every key column agree on, fullest and nearest first."""
        chosen: list[tuple[tuple[bool, bool, bool, int], Mention, bool]] = []
        before, after = neighbours(quantity, sentence)
        keys = sorted({mention.column for mention in sentence.rows})
        spans = Counter((m.start, m.end, m.full) for m in _one_a_key(sentence.rows)) if len(keys) > 1 else {}
        for key in keys:
            mentions = self._surest([m for m in sentence.rows if m.column == key], sentence)
            mention, sure = self._choose(quantity, sentence, mentions, side)
            own = before <= mention.start and mention.end <= after
            distance = max(mention.start - quantity.end, quantity.start - mention.end)
            shared = spans.get((mention.start, mention.end, mention.full), 1) > 1
            order = not mention.full, shared, not own, distance
            chosen.append((order, mention, mention.full and own and sure and not shared))
        rows: frozenset[int] | None = None
        for _, mention, strong in sorted(chosen, key=lambda item: item[0]):
            narrowed = mention.rows if rows is None else rows & mention.rows
            if narrowed or strong:
                rows = narrowed
        firm = rows is not None
        for mention in sentence.carried:
            rows = (mention.rows if rows is None else rows & mention.rows) or rows
        return rows, firm

    def _surest(self, mentions: list[Mention], sentence: Sentence) -> list[Mention]:
        """Leave out words that only may name a row: "total", a column's word, a word behind a full name."""
        columns = {(m.start, m.end) for m in sentence.columns}
        mentions = [m for m in mentions if m.full or (m.start, m.end) not in columns] or mentions
        spans = {(m.start, m.end) for m in mentions if m.full}
        ends = {m.end for m in mentions if m.full}
        mentions = [m for m in mentions if m.full or not ((m.start, m.end) in spans or m.start - 1 in ends)]
        sure = [m for m in mentions if m.full or self.text[m.start : m.end].lower() not in SMALL_WORDS]
        return sure or mentions

    def _choose(
        self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention], side: Side
    ) -> tuple[Mention, bool]:
        """Choose among the names of one key column: by a cue that settles it, by "respectively", by the side.

        The flag is false for a name on the other side of the number, taken for want of one on this side.
        """
        earlier = [mention for mention in mentions if mention.end <= quantity.start]
        later = [mention for mention in mentions if mention.start >= quantity.end]
        if earlier and later and self._is_baseline(quantity, later[0]):
            later = []
        while len(earlier) > 1 and self._is_compared(earlier[-2], earlier[-1], quantity, sentence):
            earlier.pop()
        if (
            len(mentions) == len(sentence.quantities)
            and "respectively" in self.text[sentence.start : sentence.end]
        ):
            return mentions[position(quantity, sentence)], True
        close = (
            bool(earlier) and CUE_BEFORE.fullmatch(self.text[earlier[-1].end : quantity.start]) is not None
        )
        if later and CUE_AFTER.fullmatch(self.text[quantity.end : later[0].start]):
            return (earlier[-1] if close else later[0]), True
        if not earlier or not later:
            return (earlier or later or mentions)[-1 if earlier else 0], bool(earlier)
        parted_before = self._is_parted(earlier[-1].end, quantity.start, sentence)
        parted_after = self._is_parted(quantity.end, later[0].start, sentence)
        if parted_before != parted_after:
            return (later[0] if parted_before else earlier[-1]), True
        return (earlier[-1] if parted_after or close or side == "before" else later[0]), True

    def _is_baseline(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a name behind a number is only what it is measured against ("up 2% from 1930")."""
        gap = self.text[quantity.end : mention.start]
        if AWAY.fullmatch(gap):
            return True
        if COMPARED.search(gap) and not PARTS.search(gap.split("than")[0]):
            return True
        return (
            BASELINE.fullmatch(gap) is not None
            and GOVERNS.search(self.text[max(0, quantity.start - 40) : quantity.start]) is not None
        )

    def _is_compared(
        self, subject: Mention, mention: Mention, quantity: Quantity, sentence: Sentence
    ) -> bool:
        """Tell whether a name is only measured against ("Benelux outsold Iberia with 500")."""
        if self._holds_number(subject.end, mention.start, sentence):
            return False
        compared = COMPARED.search(self.text[sentence.start : mention.start]) is not None
        return compared and not ITS_OWN.match(self.text[mention.end : quantity.start + 1])

    def _is_parted(self, start: int, end: int, sentence: Sentence) -> bool:
        """Tell whether a comma, a conjunction or another number stands between two places."""
        return self._holds_number(start, end, sentence) or PARTS.search(self.text[start:end]) is not None

    def _holds_number(self, start: int, end: int, sentence: Sentence) -> bool:
        first = bisect_left(sentence.quantities, start, key=lambda other: other.start)
        return first < len(sentence.quantities) and sentence.quantities[first].start < end

    def _columns(
        self, quantity: Quantity, sentence: Sentence, previous: Sentence | None
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the columns that the words next to a number name, among those whose unit can take it.

        The flag is false where no name stands beside the number and the columns are what the sentence leaves
        open.
        """
        headed = self._header(quantity) or self._sized(quantity)
        if headed:
            return headed, True
        fitting = self._fitting_names(quantity, sentence)
        before, after = neighbours(quantity, sentence)
        later = _within(fitting, quantity.end, after)
        if later and self._is_own(quantity, later[0], fitting, after):
            return self._narrowed(later[0], fitting), True
        later = [named for named in later if not self._leads(named[0], after)]
        own = [(m, fit) for m, fit in _within(fitting, before, quantity.start) if m.end <= quantity.start]
        if (
            own
            and before > sentence.start
            and self._names_own(quantity)
            and self._belongs(before, own[-1][0])
        ):
            return self._left_over(quantity, fitting), False
        if own or later:
            return self._narrowed(own[-1] if own else later[0], fitting), True
        shared = self._shared(quantity, sentence, fitting)
        if shared is not None:
            return shared or None, bool(shared)
        return self._distant_columns(quantity, sentence, fitting, previous)

    def _sized(self, quantity: Quantity) -> frozenset[int]:
        """Return the columns in the unit of size that stands behind a number."""
        if self.ages and quantity.measure == "plain" and self._is_age(quantity):
            return self.ages
        size = measure_after(self.text, quantity.end) if self.sheet.sizes else ""
        return frozenset(column for column, sizes in self.sheet.sizes.items() if size in sizes)

    def _is_age(self, quantity: Quantity) -> bool:
        """Tell whether a number is an age: "21-year-old", "aged 21", or alone behind a name (", 21,")."""
        before = self.text[max(0, quantity.start - 12) : quantity.start]
        alone = before.endswith(", ") and self.text[quantity.end : quantity.end + 1] == ","
        return alone or AGED.search(before) is not None or OLD.match(self.text, quantity.end) is not None

    def _leads(self, mention: Mention, after: int) -> bool:
        """Tell whether a column name opens the next number ("in an area of 42.1") and so belongs to it."""
        return mention.end <= after and OPENS.fullmatch(self.text[mention.end : after]) is not None

    def _is_own(
        self, quantity: Quantity, named: tuple[Mention, frozenset[int]], fitting: Fitting, after: int
    ) -> bool:
        """Tell whether a name behind a number is what it counts, and opens neither it nor the next one."""
        mention = named[0]
        beside = not self.text[quantity.end : mention.start].strip()
        if not self._belongs(quantity.end, mention) or self._is_opened(quantity, named, fitting):
            return False
        return beside or not self._leads(mention, after)

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
        near = sorted(fitting, key=lambda other: (abs(other[0].start - mention.start), -other[0].start))
        for _, others in near if len(columns) > 1 else ():
            columns = columns & others or columns
        return columns

    def _shared(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int] | None:
        """Return the column behind a list that the number opens ("200, 500 and 300 orders").

        None where the number stands in no list; an empty set where it is a part and its column is left open.
        """
        place = position(quantity, sentence)
        last, joined = quantity, False
        for other in sentence.quantities[place + 1 :]:
            gap = self.text[last.end : other.start].strip().lower()
            if gap in PART_GAPS:
                return frozenset()
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
        if earlier and before > sentence.start and self.text[before : quantity.start].strip().lower() == "to":
            return self._narrowed(earlier[-1], fitting), True
        if earlier and RESTATES.fullmatch(self.text[before : quantity.start]):
            return self._narrowed(earlier[-1], fitting), True
        if (
            earlier
            and self._names_own(quantity)
            and OPENS.fullmatch(self._gap_behind(earlier[-1][0], sentence))
        ):
            return self._left_over(quantity, fitting), False
        if earlier and not self._is_claimed(earlier[-1][0], quantity, sentence):
            return self._narrowed(earlier[-1], fitting), True
        if not sentence.columns and previous is not None and not previous.quantities and previous.columns:
            carried = self.fitting(quantity, previous.columns[-1].columns)
            return carried or None, bool(carried)
        return self._left_over(quantity, fitting), False

    def _gap_behind(self, mention: Mention, sentence: Sentence) -> str:
        """Return the text between a name and the next number of its sentence."""
        first = bisect_left(sentence.quantities, mention.end, key=lambda other: other.start)
        following = sentence.quantities[first : first + 1]
        return self.text[mention.end : following[0].start] if following else ""

    def _left_over(self, quantity: Quantity, fitting: Fitting) -> frozenset[int] | None:
        """A number beside no column means none of those that stand beside other numbers."""
        named = frozenset(column for _, fit in fitting for column in fit)
        fit = self.fitting(quantity, self.sheet.figured - named)
        return fit if named and fit else None

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
        return any((other.measure, other.currencies) != kind for other in around)


def _within(fitting: Fitting, start: int, end: int) -> Fitting:
    """Return the names that start from one place up to another."""
    first = bisect_left(fitting, start, key=lambda named: named[0].start)
    return fitting[first : bisect_left(fitting, end, lo=first, key=lambda named: named[0].start)]


def _one_a_key(rows: Sequence[Mention]) -> Iterable[Mention]:
    """Return the names of rows, each place once for each key column."""
    return {(mention.start, mention.column): mention for mention in rows}.values()


def follows(text: str, end: int, mention: Mention) -> bool:
    """Tell whether a column name directly follows the number that ends at `end` ("310 new orders")."""
    gap = text[end : mention.start]
    return OF_COLUMN.fullmatch(gap) is not None or (not BREAKS.search(gap) and len(gap.split()) <= 4)


def neighbours(quantity: Quantity, sentence: Sentence) -> tuple[int, int]:
    """Return where the number before ends and where the number after starts, within the sentence."""
    if len(sentence.quantities) == 1:
        return sentence.start, sentence.end
    place = position(quantity, sentence)
    before = sentence.quantities[place - 1].end if place else sentence.start
    after = sentence.quantities[place + 1].start if place + 1 < len(sentence.quantities) else sentence.end
    return before, after


def position(quantity: Quantity, sentence: Sentence) -> int:
    """Return which number of its sentence a quantity is."""
    return bisect_left(sentence.quantities, quantity.start, key=lambda other: other.start)
