"""Which number of a sentence the name of a column belongs to, by the words between the two."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from gateway.ground.lexing.cues import (
    ANOTHER,
    FROM_COLUMN,
    LEADS_NEXT,
    LIST_GAPS,
    OPENS,
    OWN_NOUN,
    PART_GAP,
    WHOLE_GAP,
    list_gap,
)
from gateway.ground.lexing.lexicon import PARTS, words
from gateway.ground.lexing.measures import measure_after
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence, follows, neighbours, position
from gateway.ground.sentence.idioms import NOUNS_ONLY, Fits, Fitting
from metric_layer.period_words import PLURAL

# Words between a name and its number that say nothing of a column.
FILLERS = words(
    "the a an with only just had ha have at of wa were is are by and to for in on about came next"
)
# "48.2 km\u00b2 in 1985": the year of the number before it.
IN_YEAR = re.compile(r"(?:\s?[^\W\d_]+[\u00b2\u00b3]?)?\s(?:in|for|during)\s(?:the\syear\s)?", re.IGNORECASE)

# "Lost nine seats and was left with 51": by how much, then what of the same.
MOVED_BY = re.compile(
    r"\b(?:lost|lose|losing|gain(?:ed|s|ing)?|up|down|add(?:ed|s|ing)?|shed(?:ding)?)\s(?:just\s|only\s|by\s)?\Z",
    re.IGNORECASE,
)
REACHED = re.compile(
    r"\b(?:left\swith|leaving|total\sof|now\shas|reach(?:ing|ed)|(?:finish|end)(?:ed|ing)\s(?:on|with|at)|giv(?:ing|e)\sit|\Ato)\s",
    re.IGNORECASE,
)
# "90 parcels arrived late", "90 invoices are still unpaid".
IN_STATE = re.compile(
    r"(?:\s(?!not\b|never\b|no\b|than\b|and\b|but\b|of\b)[\w'&-]+){0,4}?\s(?:(?:was|were|is|are|been|got)(?:\s[a-z]+(?:ed|en)(?:\s[a-z]+)?)?"
    r"|arriv(?:ed|es|ing)|came(?:\s(?:in|back|up))?|went|remain(?:s|ed)?|stay(?:s|ed)?|end(?:s|ed)\sup"
    r"|turn(?:s|ed)\s(?:up|out)|show(?:s|ed)\sup|ran|left|works?|[a-z]+ed)\s(?:(?:still|all|already|now|marked|delivered)\s)?",
    re.IGNORECASE,
)
# "31 of the 812": what becomes of the part is said behind the whole.
WHOLE_LEAD = re.compile(
    rf"(?<!total)(?<!average)(?<!number)(?<!count)(?<!share)\s{PART_GAP.pattern}\s\Z", re.IGNORECASE
)
ARE = re.compile(r"\s(?:are|were|is|was)\s(?:still\s|now\s|all\s)?", re.IGNORECASE)
TURNED_OUT = words("late early damaged unpaid overdue unsold empty open incomplete")
THINGS = re.compile(r"\s[a-z]+s\s")
WHOLE_REACH, BRACKETED = 40, 4
STATE_ENDS = re.compile(
    r"[,.;:)!?]|\Z|\s(?:out\sof|of|in|at|on|by|during|last|this|for|from|again|and|or|but|while|against)\b",
    re.IGNORECASE,
)
# "Its 14 Airbus A220s seat 137": the number counts a name, and the verb is the next number's.
OF_NAME = re.compile(r"\s(?:[a-z]+\s)?[A-Z][\w.-]+\s")
FROM_THE = re.compile(r"\sfrom\s(?:the\s)?", re.IGNORECASE)


class Taken:
    """Reads what stands between names of columns and numbers, for one text."""

    def __init__(
        self, text: str, fitting: Fits, yearly: frozenset[int], labels: Sequence[frozenset[str]]
    ) -> None:
        """Stand on a text; `fitting` cuts columns down to those whose unit a number can have.

        `yearly` are the columns of a year of their own, `labels` the words of all columns.
        """
        self.text = text
        self.labels = labels
        self.fitting = fitting
        self.yearly = yearly

    def leads(self, mention: Mention, after: int) -> bool:
        """Tell whether a column name opens the next number ("in an area of 42.1") and so belongs to it."""
        gap = self.text[mention.end : after]
        opens = OPENS.fullmatch(gap) or (gap == " " and self.text.endswith("(", 0, mention.start))
        return mention.end <= after and bool(opens)

    def leads_next(self, quantity: Quantity, mention: Mention, after: int) -> bool:
        """Tell whether a name behind a pause or another name stands right before the next number."""
        end = quantity.end
        paused = PARTS.search(self.text, end, mention.start) or OF_NAME.match(self.text, end)
        return paused is not None and LEADS_NEXT.fullmatch(self.text, mention.end, after) is not None

    def follows_number(self, mention: Mention) -> bool:
        """Tell whether a name stands right behind a number in digits."""
        return re.search(r"\d\s\Z", self.text[max(0, mention.start - 4) : mention.start]) is not None

    def gap_behind(self, mention: Mention, sentence: Sentence) -> str:
        """Return the text between a name and the next number of its sentence."""
        first = bisect_left(sentence.quantities, mention.end, key=lambda other: other.start)
        following = sentence.quantities[first : first + 1]
        return self.text[mention.end : following[0].start] if following else ""

    def is_taken(self, mention: Mention, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a name may belong to another number: not the noun of a share ("72% of headcount")."""
        if self.text.endswith("per ", 0, mention.start):
            return False
        place = bisect_left(sentence.quantities, mention.start, key=lambda other: other.start)
        before = sentence.quantities[place - 1] if place else None
        if before is None or before == quantity or not self.belongs(before.end, mention):
            return True
        return bool(self.fitting(before, mention.columns))

    def is_spent(self, mention: Mention, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether the number before took a column and this one of the same row says something else.

        One row has one figure in a column: "a budget of $35M but grossed $29M", "24 of 38 matches".
        """
        place = position(quantity, sentence)
        glossed = quantity.bracketed and any(0 <= quantity.start - m.end <= 1 for m in sentence.rows)
        if not place or not sentence.rows or glossed:
            return False
        first = self._outside_bracket(sentence.quantities[:place], quantity)
        if MOVED_BY.search(self.text[max(0, first.start - 24) : first.start]) and REACHED.search(
            self.text[first.end : quantity.start]
        ):
            return False
        beside = not self.text[first.end : mention.start].strip()
        if not beside and OPENS.fullmatch(self.text, mention.end, quantity.start):
            return False
        took = OPENS.fullmatch(self.text, mention.end, first.start) or self.belongs(first.end, mention)
        gap = self.text[first.end : quantity.start]
        until = PARTS.search(self.text, quantity.end, neighbours(quantity, sentence)[1])
        after = until.start() if until else neighbours(quantity, sentence)[1]
        others = [m for m in (*sentence.rows, *sentence.columns) if m.start != mention.start]
        named = any(first.end <= other.start < after for other in others)
        if not took or named or list_gap(gap) in LIST_GAPS:
            return False
        return PART_GAP.fullmatch(gap.strip()) is not None or ANOTHER.search(gap) is None

    def _outside_bracket(self, before: Sequence[Quantity], quantity: Quantity) -> Quantity:
        """Return the last of some numbers that no bracket closed before a number holds, else the last."""
        for first in reversed(before[-BRACKETED:]):
            closed = self.text.find(")", first.end, quantity.start)
            opened = self.text.find("(", first.end, quantity.start)
            if closed < 0 or 0 <= opened < closed:
                return first
        return before[-1]

    def names_own(self, quantity: Quantity) -> bool:
        """Tell whether a bare number is followed by a noun of its own ("43 games"), which no unit is."""
        found = OWN_NOUN.match(self.text[quantity.end : quantity.end + 20])
        if quantity.measure != "plain" or found is None or measure_after(self.text, quantity.end):
            return False
        return PLURAL.fullmatch(found.group(1)) is not None

    def belongs(self, end: int, mention: Mention) -> bool:
        """Tell whether a name follows the number that ends at `end` ("58 from the televote")."""
        if follows(self.text, end, mention):
            return True
        if mention.columns & self.yearly:
            return IN_YEAR.fullmatch(self.text, end, mention.start) is not None
        return FROM_COLUMN.fullmatch(self.text, end, mention.start) is not None

    def ends(self, last: Quantity, mention: Mention, sentence: Sentence) -> bool:
        """Tell whether a name behind a list is what its numbers count, and opens no number behind it."""
        _, after = neighbours(last, sentence)
        beside = not self.text[last.end : mention.start].strip()
        return self.belongs(last.end, mention) and (beside or not self.leads(mention, after))

    def counts_part(self, whole: Quantity, sentence: Sentence, mention: Mention) -> bool:
        """Tell whether a column behind the whole says what the part counts ("88 of 97 students passed")."""
        place = position(whole, sentence)
        part = sentence.quantities[place - 1] if place else None
        if part is None or not PART_GAP.fullmatch(self.text[part.end : whole.start].strip()):
            return False
        beside = not self.text[whole.end : mention.start].strip()
        return not beside and self.names_own(whole) and self.belongs(whole.end, mention)

    def in_state(self, quantity: Quantity, later: Fitting) -> frozenset[int]:
        """Return the column that "90 parcels arrived late" means: the state that what it counts is in."""
        for mention, columns in later[:4]:
            said = IN_STATE.fullmatch(self.text, quantity.end, mention.start) is not None
            state = PLURAL.fullmatch(self.text[mention.start : mention.end].lower().split()[-1]) is None
            said = said or self._is_verb(quantity, mention) or self._is_predicate(quantity, mention)
            whole = mention.full or self._is_all_said(quantity, mention, columns)
            if whole and said and state and STATE_ENDS.match(self.text, mention.end):
                return columns
        return NOBODY

    def _is_all_said(self, quantity: Quantity, mention: Mention, columns: frozenset[int]) -> bool:
        """Tell whether a word and the thing counted are a header ("405 trips came late": Late trips)."""
        gap = self.text[quantity.end : mention.start]
        counted = split_words(gap)
        if ARE.fullmatch(gap):  # "of its 1,385 members, 44 are new"
            led = split_words(self.text[max(0, quantity.start - WHOLE_REACH) : quantity.start])
            counted = led
        state = split_words(self.text[mention.start : mention.end])
        if len(columns) != 1 or len(state) != 1:
            return False
        own = self.labels[min(columns)]
        return own == {*own.intersection(counted), *state}

    def _is_predicate(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a name is how things turned out ("delivered 54 of 268 orders late")."""
        said = self.text[mention.start : mention.end].lower() in TURNED_OUT
        return said and THINGS.fullmatch(self.text, quantity.end, mention.start) is not None

    def _is_verb(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a name is the verb of what a number counts ("371 Elm pupils passed")."""
        gap = self.text[quantity.end : mention.start]
        verb = self.text[mention.start : mention.end].endswith("ed")
        return verb and len(gap.split()) <= 3 and NOUNS_ONLY.fullmatch(gap) is not None

    def said_of(self, quantity: Quantity, later: Fitting) -> frozenset[int]:
        """Return the column that "61 points from the jury" means: not the one of points in all."""
        state = self.in_state(quantity, later)
        led = self.text[max(0, quantity.start - WHOLE_REACH) : quantity.start] if state else ""
        if state and WHOLE_LEAD.search(led) is None:
            return state
        if not later or self.text[quantity.end : later[0][0].start].strip():
            return NOBODY
        noun = later[0][0]
        further = [named for named in later if named[0].start >= noun.end]
        if not further or not further[0][0].full:
            return NOBODY
        mention, columns = further[0]
        return columns if FROM_THE.fullmatch(self.text, noun.end, mention.start) else NOBODY

    def is_claimed(self, mention: Mention, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a column name already belongs to a number that measures something else."""
        first = bisect_left(sentence.quantities, mention.end, key=lambda other: other.start)
        around = [sentence.quantities[first]] if first < len(sentence.quantities) else []
        if first and self.belongs(sentence.quantities[first - 1].end, mention):
            around.append(sentence.quantities[first - 1])
        kind = (quantity.measure, quantity.currencies)
        return any((o.measure, o.currencies) != kind for o in around if o.measure != "multiple")

    def has_own_predicate(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether another row has words of its own ("Line 1 carries the most riders, 310,500")."""
        before, _ = neighbours(quantity, sentence)
        names = [m.end for m in sentence.rows if before <= m.start and m.end <= quantity.start]
        said = self.text[names[-1] : quantity.start] if names else ""
        return len([word for word in split_words(said) if word not in FILLERS]) > 2

    def is_in_whole(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number is a part or the whole of "221 km of its 947 km"."""
        place = position(quantity, sentence)
        around = sentence.quantities[max(0, place - 1) : place + 2]
        gaps = (self.text[a.end : b.start] for a, b in pairwise(around))
        return any(WHOLE_GAP.fullmatch(gap) for gap in gaps)

    def behind_gloss(self, quantity: Quantity, sentence: Sentence, after: int) -> int:
        """Return where the clause of a number ends: not at a gloss in brackets ("361 (3%) were late")."""
        place = position(quantity, sentence)
        following = sentence.quantities[place + 1 : place + 3]
        if not following or self.text[quantity.end : following[0].start + 1].strip() != "(":
            return after
        return following[1].start if len(following) > 1 else sentence.end
