"""The columns of a number that no name stands beside: one behind its list, one named earlier, those left."""

from bisect import bisect_left

from gateway.ground.lexing.cues import (
    LIST_GAPS,
    MOVED_FROM,
    MOVED_TO,
    MOVES_ON,
    OPENS,
    PART_GAP,
    RESTATES,
    list_gap,
)
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.column_names import ColumnNames
from gateway.ground.pointing.taken import Taken
from gateway.ground.sentence.clauses import Sentence, neighbours, position
from gateway.ground.sentence.idioms import Fitting, within


class FarColumns:
    """Reads names further away from the numbers of one text."""

    def __init__(self, names: ColumnNames, taken: Taken) -> None:
        """Stand on the names of columns in a text, and on which number each belongs to."""
        self.names = names
        self.sheet = names.sheet
        self.text = names.text
        self.taken = taken

    def shared(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int] | None:
        """Return the column behind a list that the number opens ("200, 500 and 300 orders").

        None where the number stands in no list; an empty set where it is a part and its column is left open.
        """
        place = position(quantity, sentence)
        last, joined = quantity, False
        for other in sentence.quantities[place + 1 :]:
            gap = list_gap(self.text[last.end : other.start])
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

    def earlier(
        self, quantity: Quantity, sentence: Sentence, fitting: Fitting, previous: Sentence | None
    ) -> tuple[frozenset[int] | None, bool]:
        """Return the column named before an earlier number or in a heading, else what is left open."""
        earlier = self._without_noun([(m, fit) for m, fit in fitting if m.end <= quantity.start])
        before, _ = neighbours(quantity, sentence)
        gap = self.text[before : quantity.start]
        moved = MOVED_TO.fullmatch(gap) or MOVES_ON.fullmatch(gap)
        if earlier and before > sentence.start and moved:
            return self.names.narrowed(earlier[-1], fitting), True
        if earlier and (
            RESTATES.fullmatch(self.text[before : quantity.start])
            or MOVED_FROM.fullmatch(self.text[before : quantity.start])
        ):
            return self.names.narrowed(earlier[-1], fitting), True
        if (
            earlier
            and self.taken.names_own(quantity)
            and OPENS.fullmatch(self.taken.gap_behind(earlier[-1][0], sentence))
        ):
            return self.left_over(quantity, sentence, fitting), False
        if earlier and self.taken.is_spent(earlier[-1][0], quantity, sentence):
            left = self.left_over(quantity, sentence, fitting)
            if left:
                return left, False
        if earlier and self.taken.has_own_predicate(quantity, sentence):
            return self.left_over(quantity, sentence, fitting), False
        if earlier and not self.taken.is_claimed(earlier[-1][0], quantity, sentence):
            return self.names.narrowed(earlier[-1], fitting), True
        if not sentence.columns and previous is not None and not previous.quantities and previous.columns:
            headed = list({m.start: m for m in previous.columns if m.full}.values()) or previous.columns
            each = len(headed) == len(sentence.quantities) > 1  # "Visits and wins:" above "Bauer: 97 and 22"
            named = headed[position(quantity, sentence) if each else -1]
            carried = self.names.fitting(quantity, named.columns)
            return carried or None, bool(carried)
        return self.left_over(quantity, sentence, fitting), False

    def _without_noun(self, earlier: Fitting) -> Fitting:
        """Leave out the noun of a state that is counted ("9 abandoned calls" are no calls)."""
        last = earlier[-1][0] if earlier else None
        state = [m for m, _ in earlier if last is not None and m.full and m.end == last.start - 1]
        said = self.text[state[0].start : state[0].end] if state else ""
        if last is None or not said.endswith("ed") or not self.taken.follows_number(state[0]):
            return earlier
        return [(m, fit) for m, fit in earlier if m.start < last.start]

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

    def left_over(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int] | None:
        """A number beside no column means none of those that stand beside other numbers."""
        year = self.names.idioms.one_year(quantity, sentence, fitting)
        if year:
            return year
        totals = self.names.idioms.totals
        named = frozenset(
            c
            for m, fit in fitting
            for c in fit
            if (m.full or c not in totals) and self._is_taken(m, quantity, sentence, fitting)
        )
        fit = self.names.fitting(quantity, self.sheet.figured - named)
        return fit if named and fit else None
