"""Where the words around a number point: which rows and which columns of the result a clause names."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from gateway.ground.asides import is_owner, subjects
from gateway.ground.clauses import Sentence, listed_run, neighbours, position
from gateway.ground.columns import ColumnPointer
from gateway.ground.cues import (
    AWAY,
    BASELINE,
    CUE_AFTER,
    CUE_BEFORE,
    ITS_OWN,
    JOINS,
    MULTIPLE_OF,
    OF_WHICH,
    RESUMES,
    SPANNED,
    TO_THEIRS,
    TURNS,
)
from gateway.ground.direction import GOVERNS
from gateway.ground.lexicon import COMPARED, PARTS
from gateway.ground.mentions import Mention
from gateway.ground.referred import is_generic, noun_start, owner, reach_of
from gateway.ground.sheet import Sheet, as_text
from gateway.ground.stems import SMALL_WORDS
from gateway.ground.tokens import Quantity

TO_OTHER = re.compile(r"(?:\s[^\W\d_]+)?\sto\s\W?", re.IGNORECASE)
BEAT = re.compile(
    r"\b(?:beat|ahead\sof|beating|defeat\w*|edg\w+|over|outpoll\w*|topp\w+|led)\b", re.IGNORECASE
)
OF_SUBJECT = re.compile(
    r",?\s(?:and|but|yet|while|though|although|whereas|with)\s(?:its|his|her)\s", re.IGNORECASE
)
# "Benelux beat Iberia by 23 points, 133 to 110".
BY_MARGIN = re.compile(r"\sby\s\W?[\d.,]+(?:\s?%|\s[a-z]+){0,2},\s\W?", re.IGNORECASE)
# "Benelux beat Iberia 133 to 110", "by 133 votes to 110", "with 54% to 46%".
BY_VOTES = re.compile(r"(?:,?\s(?:by|with)\s|\W{1,3})\W?", re.IGNORECASE)
DASHED = re.compile(r"[-\u2012-\u2014]\d")
OF_GROUP = re.compile(r"\s\(?(?:in|of|on|from)\s(?:the\s)?", re.IGNORECASE)
STRETCH_LEADS, STRETCH_GAPS = ("between ", "from "), frozenset(("and", "to"))
LISTED = JOINS | {"and the", ", and the", ", the", "&"}
Side = Literal["before", "after"]


class Place(NamedTuple):
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
        self._pointed = ColumnPointer(sheet, text, headers)

    def point(self, quantity: Quantity, sentence: Sentence, side: Side, previous: Sentence | None) -> Place:
        """Return where the words around a number point; `side` is asked only where no cue settles it."""
        rows, firm = self._rows(self._score_end(quantity, sentence), sentence, side)
        columns, named = self._pointed.columns(quantity, sentence, previous)
        return Place(rows, columns, firm, named)

    def _score_end(self, quantity: Quantity, sentence: Sentence) -> Quantity:
        """Return the last number of a score or record that a number opens: one row has all of "7-4"."""
        place = position(quantity, sentence) + 1
        while place < len(sentence.quantities) and DASHED.match(self.text, quantity.end):
            quantity, place = sentence.quantities[place], place + 1
        return quantity

    @property
    def totals(self) -> frozenset[int]:
        """Return the columns that are called a total of the others."""
        return self._pointed.idioms.totals

    def fitting(self, quantity: Quantity, columns: Iterable[int]) -> frozenset[int]:
        """Return those columns whose unit can take a number of this measure."""
        return self._pointed.fitting(quantity, columns)

    def _rows(self, quantity: Quantity, sentence: Sentence, side: Side) -> tuple[frozenset[int] | None, bool]:
        """Return the rows that the chosen names of every key column agree on, fullest and nearest first."""
        chosen: list[tuple[tuple[bool, bool, bool, bool, int], Mention, bool]] = []
        owned = owner(self.text, quantity, sentence)
        if owned:
            return owned.rows, True
        before, after = neighbours(quantity, sentence)
        keys = sorted({mention.column for mention in sentence.rows})
        # a party may head a column of shares and be named in a cell of winners: its own column is meant
        headed = {(m.start, m.end) for m in sentence.columns if m.full} if len(keys) > 1 else frozenset()
        whole = {(m.start, m.end) for m in sentence.rows if m.full} if len(keys) > 1 else frozenset()
        spans = Counter((m.start, m.end, m.full) for m in _one_a_key(sentence.rows)) if len(keys) > 1 else {}
        for key in keys:
            mentions = self._surest([m for m in sentence.rows if m.column == key], sentence)
            if len(keys) > 1 and key != self.sheet.keys[0]:
                mentions = [m for m in mentions if (m.start, m.end) not in headed]
            mentions = [m for m in mentions if m.full or (m.start, m.end) not in whole]
            mentions = self._own(quantity, sentence, self._outside(quantity, mentions))
            if not mentions:
                continue
            listed = self._in_order(quantity, sentence, mentions)
            mention, sure = (listed, True) if listed else self._choose(quantity, sentence, mentions, side)
            own = listed is not None or (before <= mention.start and mention.end <= after)
            distance = max(mention.start - quantity.end, quantity.start - mention.end)
            shared = spans.get((mention.start, mention.end, mention.full), 1) > 1
            alone = not any(m.full and m.end <= quantity.start for m in mentions)
            full = mention.full or (alone and self._is_surname(mention))
            order = not full, shared, not sure, not own, distance
            chosen.append((order, mention, mention.full and own and sure and not shared))
        rows: frozenset[int] | None = None
        for _, mention, strong in sorted(chosen, key=lambda item: item[0]):
            narrowed = mention.rows if rows is None else rows & mention.rows
            if narrowed or (strong and not (rows and self._is_span_end(mention))):
                rows = narrowed
        firm = rows is not None
        for mention in sentence.carried:
            rows = (mention.rows if rows is None else rows & mention.rows) or rows
        return rows, firm

    def _is_surname(self, mention: Mention) -> bool:
        """Tell whether a word is the last of the one row's name that holds it ("Larue" of Gus Larue)."""
        said = self.text[mention.start : mention.end]
        if len(mention.rows) != 1 or not said[:1].isupper():
            return False
        (row,) = mention.rows
        return as_text(self.sheet.table.rows[row][mention.column]).endswith(f" {said}")

    def _is_span_end(self, mention: Mention) -> bool:
        """Tell whether a name is the first or last of a stretch ("between 2001 and 2011")."""
        return SPANNED.search(self.text[max(0, mention.start - 60) : mention.start]) is not None

    def _outside(self, quantity: Quantity, mentions: list[Mention]) -> list[Mention]:
        """Leave out names inside brackets that a number stands outside of, where others are left."""
        if "(" not in self.text:
            return mentions
        inside = self._bracket(quantity.start + 1)
        open_ = [m for m in mentions if self._bracket(m.start) in (-1, inside)]
        return open_ if any(m.end <= quantity.start for m in open_) else mentions

    def _bracket(self, at: int) -> int:
        """Return where the bracket around a place opens; -1 for none."""
        opened = self.text.rfind("(", max(0, at - 200), at)
        return opened if opened > self.text.rfind(")", max(0, at - 200), at) else -1

    def _own(self, quantity: Quantity, sentence: Sentence, mentions: list[Mention]) -> list[Mention]:
        """Leave out names in an aside behind a number that have one of their own ("of which A took 3%")."""
        if not mentions or mentions[0].end <= quantity.start:
            return mentions
        _, after = neighbours(quantity, sentence)
        if after == sentence.end:
            return mentions
        return [m for m in mentions if m.end > after or not self._is_next(quantity, m)]

    def _is_next(self, quantity: Quantity, mention: Mention) -> bool:
        """Tell whether a name behind a number opens what is said of another ("while B took 3%")."""
        gap = self.text[quantity.end : mention.start]
        return mention.start >= quantity.end and (OF_WHICH.search(gap) or TURNS.search(gap)) is not None

    def _surest(self, mentions: list[Mention], sentence: Sentence) -> list[Mention]:
        """Leave out words that only may name a row: "total", a column's word, a word behind a full name."""
        if len(mentions) == 1:
            return mentions
        columns = {(m.start, m.end) for m in sentence.columns}
        mentions = [m for m in mentions if m.full or (m.start, m.end) not in columns] or mentions
        spans = {(m.start, m.end) for m in mentions if m.full}
        nouns = {noun_start(self.text, m.end) for m in mentions if m.full}
        mentions = [m for m in mentions if m.full or not self._is_noun(m, spans, nouns)]
        sure = [m for m in mentions if m.full or self.text[m.start : m.end].lower() not in SMALL_WORDS]
        return sure or mentions

    def _is_noun(self, part: Mention, spans: set[tuple[int, int]], nouns: set[int]) -> bool:
        """Tell whether a word of a name is none here: a full name's, its noun, or any such thing."""
        return (part.start, part.end) in spans or part.start in nouns or is_generic(self.text, part)

    def _choose(
        self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention], side: Side
    ) -> tuple[Mention, bool]:
        """Choose among the names of one key column: by a cue that settles it, else by the side.

        The flag is false for a name on the other side of the number, taken for want of one on this side.
        """
        earlier = [mention for mention in mentions if mention.end <= quantity.start]
        later = [mention for mention in mentions if mention.start >= quantity.end]
        if earlier and later:
            later = [m for m in later if not is_owner(self.text, m, sentence)]
        if earlier and later and self._is_baseline(quantity, later[0]):
            later = []
        earlier = self._without_baselines(subjects(self.text, quantity, sentence, earlier), sentence)
        if len(earlier) > 1 and TO_THEIRS.search(
            self.text[max(sentence.start, quantity.start - 48) : quantity.start]
        ):
            return earlier[-1], True
        if len(earlier) > 1 and OF_SUBJECT.search(self.text, earlier[-1].end, quantity.start):
            return earlier[0], True
        while len(earlier) > 1 and self._is_compared(earlier[-2], earlier[-1], quantity, sentence):
            earlier.pop()
        lead = self.text[earlier[-1].end : quantity.start] if earlier else ""
        close = bool(earlier) and (
            CUE_BEFORE.fullmatch(lead) is not None or (quantity.bracketed and not lead.strip())
        )
        if later and CUE_AFTER.fullmatch(self.text, quantity.end, reach_of(later[0], quantity, sentence)):
            return (earlier[-1] if close else later[0]), True
        if not earlier or not later:
            return (earlier or later or mentions)[-1 if earlier else 0], bool(earlier)
        parted_before = self._is_parted(earlier[-1].end, quantity.start, sentence)
        parted_after = self._is_parted(quantity.end, later[0].start, sentence)
        if parted_before != parted_after:
            return (later[0] if parted_before else earlier[-1]), True
        return (earlier[-1] if parted_after or close or side == "before" else later[0]), True

    def _in_order(
        self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention]
    ) -> Mention | None:
        """Return the name that a number stands for by the order of two lists, if there are two."""
        listed = self._respective(quantity, sentence, mentions)
        if listed or len(mentions) < 2:
            return listed
        return self._listed(quantity, sentence, mentions) or self._spanned(quantity, sentence, mentions)

    def _spanned(self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention]) -> Mention | None:
        """Return the end of a stretch that "from 9 to 7" stands for ("Between 1931 and 1988 it rose ...")."""
        place, numbers = position(quantity, sentence), sentence.quantities
        for first in (place, place - 1):
            pair = numbers[max(0, first) : first + 2]
            if len(pair) < 2 or not TO_OTHER.fullmatch(self.text, pair[0].end, pair[1].start):
                continue
            beaten = self._beaten(mentions, pair[0])
            if beaten:
                return beaten[place - first]
            again = self._again(mentions, numbers[max(0, first - 2) : first + 1])
            if again:
                return again[place - first]
            ends = [(a, b) for a, b in pairwise(mentions) if a.full and b.full and self._is_stretch(a, b)]
            led = self.text.endswith("from ", 0, pair[0].start)
            if len(ends) == 1 and (led or ends[0][1].end < pair[0].start):
                return ends[0][place - first]
        return None

    def _again(self, mentions: Sequence[Mention], numbers: Sequence[Quantity]) -> Sequence[Mention]:
        """Return the ends of the move told before ("from 9 in May to 7 in June, visits from 40 to 36")."""
        if len(numbers) < 3 or not all(self.text.endswith("from ", 0, numbers[at].start) for at in (0, 2)):
            return ()
        old, new, own = numbers
        between = [m for m in mentions if m.full and old.end <= m.start < own.start]
        ends = list({m.start: m for m in between}.values())
        led = self.text.endswith("to ", 0, new.start)
        return ends if led and len(ends) == 2 and ends[0].end <= new.start <= ends[1].start else ()

    def _beaten(self, mentions: Sequence[Mention], first: Quantity) -> Sequence[Mention]:
        """Return the two names of "A defeated B, 412 votes to 378", if they are all that stand before."""
        led = [m for m in mentions if m.full and m.end <= first.start]
        close = len(led) == 2 and (
            BY_VOTES.fullmatch(self.text, led[-1].end, first.start) is not None
            or BY_MARGIN.fullmatch(self.text, led[-1].end, first.start) is not None
        )
        return led if close and BEAT.search(self.text, led[0].end, led[1].start) else ()

    def _is_stretch(self, first: Mention, last: Mention) -> bool:
        """Tell whether two names are the ends of a stretch ("between 2001 and 2011")."""
        lead = self.text[max(0, first.start - 8) : first.start].lower()
        gap = self.text[first.end : last.start].strip()
        return gap == "to" or (lead.endswith(STRETCH_LEADS) and gap in STRETCH_GAPS)

    def _respective(
        self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention]
    ) -> Mention | None:
        """Return the name that a number stands for by order: as many names in a list as numbers in one."""
        said = "respectively" in self.text[sentence.start : sentence.end]
        if said and len(mentions) == len(sentence.quantities):
            return mentions[position(quantity, sentence)]
        run = listed_run(self.text, quantity, sentence) if said or len(mentions) > 1 else ()
        if len(run) < 2:
            return None
        led = (m for m in mentions if (m.full or not said) and m.end <= run[0].start)
        every = list({m.start: m for m in led}.values())
        names = every[-len(run) :]
        if not said:
            first = position(run[0], sentence)
            since = sentence.quantities[first - 1].end if first else sentence.start
            every = names = [m for m in every if m.start >= since]
            if len(every) != len(run):
                return None
        joined = all(self.text[a.end : b.start].strip().lower() in LISTED for a, b in pairwise(names))
        return names[run.index(quantity)] if len(names) == len(run) > 1 and joined else None

    def _listed(self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention]) -> Mention | None:
        """Return the name that a number of a closing list stands for ("A is above B: 3.41 against 2.97")."""
        colon = max(self.text.rfind(mark, sentence.start, quantity.start + 1) for mark in (": ", " ("))
        first = bisect_left(sentence.quantities, colon, key=lambda other: other.start)
        closed = (
            self.text.find(")", colon, sentence.end) if self.text.startswith(" (", colon) else sentence.end
        )
        full = [m for m in mentions if m.full and m.start < closed]
        numbers = [q for q in sentence.quantities[first:] if q.start < closed]
        if (
            colon < 0
            or len(full) < 2
            or len(numbers) != len(full)
            or full[-1].end > colon
            or quantity not in numbers
        ):
            return None
        return full[numbers.index(quantity)]

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

    def _without_baselines(self, earlier: list[Mention], sentence: Sentence) -> list[Mention]:
        """Leave out names that a number before was only measured against ("up 9% on Q2, with 40")."""
        while len(earlier) > 1:
            place = bisect_left(sentence.quantities, earlier[-1].start, key=lambda other: other.start)
            first = sentence.quantities[place - 1] if place else None
            gap = self.text[first.end : earlier[-1].start] if first is not None else ""
            if self._is_multiplied(first, gap, earlier[-1]):
                earlier = earlier[:-1]
                continue
            if first is None or first.measure == "plain" or not BASELINE.fullmatch(gap):
                break
            if ITS_OWN.match(self.text, earlier[-1].end) or not GOVERNS.search(
                self.text[: first.start][-40:]
            ):
                break
            earlier = earlier[:-1]
        return earlier

    def _is_multiplied(self, number: Quantity | None, gap: str, mention: Mention) -> bool:
        """Tell whether a name is only what a multiple is of ("2.4x that of B, and stays there average 3")."""
        if number is None or number.measure != "multiple" or not MULTIPLE_OF.fullmatch(gap):
            return False
        return RESUMES.match(self.text, mention.end) is not None

    def _is_compared(
        self, subject: Mention, mention: Mention, quantity: Quantity, sentence: Sentence
    ) -> bool:
        """Tell whether a name is only measured against ("Benelux outsold Iberia with 500")."""
        if self._holds_number(subject.end, mention.start, sentence):
            return False
        if self._is_answered(subject, mention, quantity, sentence):
            return False
        compared = COMPARED.search(self.text[sentence.start : mention.start]) is not None
        return compared and not ITS_OWN.match(self.text[mention.end : quantity.start + 1])

    def _is_answered(
        self, subject: Mention, mention: Mention, quantity: Quantity, sentence: Sentence
    ) -> bool:
        """Tell whether the subject has its number already ("With 38 m, A is taller than B with 31 m")."""
        place = position(quantity, sentence)
        first = sentence.quantities[place - 1] if place else None
        own = first is not None and first.end <= subject.start and first.measure == quantity.measure
        end = mention.end
        for other in sentence.rows:  # "ahead of Vihren in Pirin at 2,914 m"
            if other.full and mention.rows <= other.rows and OF_GROUP.fullmatch(self.text, end, other.start):
                end = other.end
        return own and CUE_BEFORE.fullmatch(self.text[end : quantity.start]) is not None

    def _is_parted(self, start: int, end: int, sentence: Sentence) -> bool:
        """Tell whether a comma, a conjunction or another number stands between two places."""
        return self._holds_number(start, end, sentence) or PARTS.search(self.text[start:end]) is not None

    def _holds_number(self, start: int, end: int, sentence: Sentence) -> bool:
        first = bisect_left(sentence.quantities, start, key=lambda other: other.start)
        return first < len(sentence.quantities) and sentence.quantities[first].start < end


def _one_a_key(rows: Sequence[Mention]) -> Iterable[Mention]:
    """Return the names of rows, each place once for each key column, the full name before a part of one."""
    fullest = sorted(rows, key=lambda mention: mention.full)
    return {(mention.start, mention.column): mention for mention in fullest}.values()
