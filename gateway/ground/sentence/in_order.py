"""Which name of a row a number stands for by order: of two lists, of a score, of the ends of a stretch."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise

from gateway.ground.lexing import contests
from gateway.ground.lexing.cues import JOINS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence, listed_run, position
from gateway.ground.sentence.opponents import two_sides
from gateway.ground.sentence.titles import are_listed

# "412 votes (51%) to 378".
TO_OTHER = re.compile(r"(?:(?:\sof\s(?:the|all))?\s[^\W\d_]+)?(?:\s\([^()]*\))?\sto\s\W?", re.IGNORECASE)
# "Received 412 votes to Vane-Holt's 378".
TO_OWNER = re.compile(
    r"(?:\s[a-z]+)?\s(?:to|against)\s(?:[A-Z][\w.-]*\s){0,3}(?P<owner>[A-Z][\w-]*)['\u2019]s?\s\W?"
)
ALIKE = 5
BEAT = re.compile(
    rf"\b(?:{contests.BEAT}|{contests.OUTDO}|out-?[a-z]+(?:ed|ing)|ahead\sof|over|led)\b", re.IGNORECASE
)
# "Benelux beat Iberia by 23 points, 133 to 110".
BY_MARGIN = re.compile(r"\sby\s\W?[\d.,]+(?:\s?%|\s[a-z]+){0,2},\s\W?", re.IGNORECASE)
# "Iberia was beaten by Benelux by 133 votes to 110": the first figure is of the name said last.
BEATEN_BY = re.compile(
    rf"\b(?:was|were|is|are|been|being)\s(?:[a-z]+ly\s)?(?:{contests.BEATEN_IT})(?:\sout)?\sby\b",
    re.IGNORECASE,
)
# "Benelux beat Iberia 133 to 110", "by 133 votes to 110", "by a count of 133 to 110", "with 54% to 46%".
BY_VOTES = re.compile(
    r"(?:\s(?:in|on|at|for)\s[^,;:()]{1,30}(?=,|\s(?:by|with)\s))?(?:,?\s(?:by|with)\s(?:an?\s(?:[a-z]+\s)?(?:total|count|tally|score|vote)\sof\s)?|\W{1,3})\W?",
    re.IGNORECASE,
)
# "412 votes; 55% to 339; 45%": a count and its share.
AND_SHARE = re.compile(r"(?:\s[a-z]+)?\s?[,;/]\s?\W?", re.IGNORECASE)
# "(€164 versus €149)", ": 188 joined against 132".
SET_AGAINST = re.compile(
    r"(?:\s[a-z]+){0,2}?,?\s(?:versus|vs\.?|(?:as\s)?against|compared\s(?:with|to))\s(?:just\s|only\s|about\s)?\W?",
    re.IGNORECASE,
)
OPENED = re.compile(r"(?:[(:]|,(?:\s(?:with|at|on|by))?|\s[-\u2013\u2014])\s?[^\w\s]?\Z")
OPENED_REACH = 8
CLAUSE = re.compile(r";|\b(?:but|while|whereas|although|though|yet)\s", re.IGNORECASE)
BASE = re.compile(r"\b(?:compared\s(?:with|to)|against|unlike|than|versus|from)\s(?:the\s)?\Z", re.IGNORECASE)
IN_NAMES = re.compile(r"(?:\s[a-z]+){0,3}?\s(?:in|for|at|on|from|by)\s(?:the\s)?", re.IGNORECASE)
STRETCH_LEADS, STRETCH_GAPS = ("between ", "from "), frozenset(("and", "to"))
NEAR = 60
QUOTES = " \"'\u2018\u2019\u201c\u201d"
LISTED = JOINS | {"and the", ", and the", ", the", "&"}


class NamesInOrder:
    """Reads the order of names and numbers in one text."""

    def __init__(self, text: str) -> None:
        """Stand on a text."""
        self.text = text

    def of(self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention]) -> Mention | None:
        """Return the name that a number stands for by the order of two lists, if there are two."""
        listed = self._respective(quantity, sentence, mentions)
        if listed or len(mentions) < 2:
            return listed
        return (
            self._set_against(quantity, sentence, mentions)
            or self._listed(quantity, sentence, mentions)
            or self._spanned(quantity, sentence, mentions)
        )

    def _set_against(
        self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention]
    ) -> Mention | None:
        """Return whose a number is of two in brackets ("A beat B by 14 points (54% against 40%)").

        The first is of the one that the last clause is about, the second of the other one named before.
        """
        place, numbers = position(quantity, sentence), sentence.quantities
        for first in (place, place - 1):
            pair = numbers[max(0, first) : first + 2]
            if len(pair) < 2 or first < 0 or pair[0].measure != pair[1].measure:
                continue
            if not SET_AGAINST.fullmatch(self.text, pair[0].end, pair[1].start):
                continue
            start = pair[0].start + pair[0].bracketed
            opened = OPENED.search(self.text, max(sentence.start, start - OPENED_REACH), start)
            sides = self._sides(sentence, mentions, start) if opened else ()
            if sides and not any(m.start > start for m in mentions):
                return sides[place - first]
        return None

    def _sides(self, sentence: Sentence, mentions: Sequence[Mention], end: int) -> Sequence[Mention]:
        """Return the two names before a place, the one that its clause is about first."""
        led = _once(m for m in mentions if m.full and m.end <= end)
        turns = [turn.end() for turn in CLAUSE.finditer(self.text, sentence.start, end)]
        own = next((own for turn in turns[::-1] if (own := [m for m in led if m.start >= turn])), led)
        if len(led) != 2 or led[0].rows & led[1].rows or not own:
            return ()
        turned = len(own) == 1 or BASE.search(self.text, sentence.start, led[0].start) is not None
        return led[::-1] if turned else led

    def _spanned(self, quantity: Quantity, sentence: Sentence, mentions: Sequence[Mention]) -> Mention | None:
        """Return the end of a stretch that "from 9 to 7" stands for ("Between 1931 and 1988 it rose ...")."""
        if " to " not in self.text[max(0, quantity.start - NEAR) : quantity.end + NEAR]:
            return None
        numbers = [q for q in sentence.quantities if not q.bracketed or q == quantity]
        place = numbers.index(quantity)
        doubled = self._doubled(numbers, place, mentions)
        if doubled:
            return doubled
        for first in (place, place - 1):
            pair = numbers[max(0, first) : first + 2]
            owned = self._owned(mentions, *pair) if first >= 0 and len(pair) == 2 else ()
            if owned:
                return owned[place - first]
            if len(pair) < 2 or not TO_OTHER.fullmatch(self.text, pair[0].end, pair[1].start):
                continue
            beaten = self._beaten(mentions, pair[0])
            if beaten:
                return beaten[place - first]
            again = self._again(mentions, numbers[max(0, first - 2) : first + 1])
            if again:
                return again[place - first]
            ends = [(a, b) for a, b in pairwise(mentions) if a.full and b.full and self._is_stretch(a, b)]
            if self.text.endswith(" by ", 0, pair[0].start):
                continue  # "rose by 4% to 31": a change, and what it came to
            led = self.text.endswith("from ", 0, pair[0].start)
            if len(ends) == 1 and (led or ends[0][1].end < pair[0].start):
                return ends[0][place - first]
        return None

    def _owned(self, mentions: Sequence[Mention], first: Quantity, second: Quantity) -> Sequence[Mention]:
        """Return the two sides of "A received 412 votes to B's 378", also where B is spelt another way."""
        told = TO_OWNER.fullmatch(self.text, first.end, second.start)
        if told is None:
            return ()
        led = [m for m in mentions if m.end <= first.start and len(m.rows) == 1]
        own = [m for m in mentions if first.end <= m.start < second.start]
        ending = told["owner"][-ALIKE:].lower()
        near = [m for m in led if m.full and self.text[: m.end].lower().endswith(ending)]
        sides = {m.rows: m for m in own or near}
        others = [m for rows, m in sides.items() if led and rows != led[-1].rows]
        return (led[-1], others[0]) if len(others) == 1 else ()

    def _doubled(
        self, numbers: Sequence[Quantity], place: int, mentions: Sequence[Mention]
    ) -> Mention | None:
        """Return whose a number is of "A defeated B (412; 55% to 339; 45%)": the first two are A's."""
        for first in range(max(0, place - 3), place + 1):
            four = numbers[first : first + 4]
            kinds = [q.measure for q in four]
            if len(four) < 4 or kinds[:2] != kinds[2:] or kinds[0] == kinds[1]:
                continue
            gaps = [self.text[a.end : b.start] for a, b in pairwise(four)]
            if all(AND_SHARE.fullmatch(gap) for gap in gaps[::2]) and TO_OTHER.fullmatch(gaps[1]):
                sides = self._beaten(mentions, four[0])
                return sides[(place - first) // 2] if sides else None
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
        led = two_sides(self.text, mentions, first.start)
        close = len(led) == 2 and (
            BY_VOTES.fullmatch(self.text, led[-1].end, first.start) is not None
            or BY_MARGIN.fullmatch(self.text, led[-1].end, first.start) is not None
        )
        if close and BEATEN_BY.search(self.text, led[0].end, led[1].start):
            return led[::-1]
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
        if any(m.full for m in mentions):  # "revenue from Benelux": no row that is called Total revenue
            mentions = [m for m in mentions if m.full or not self.text[m.start].islower()]
        if said and len(mentions) == len(sentence.quantities):
            return mentions[position(quantity, sentence)]
        run = listed_run(self.text, quantity, sentence) if said or len(mentions) > 1 else ()
        if len(run) < 2:
            return None
        named = [m for m in mentions if m.full or not said]
        names = self._led(run, sentence, named, said) or self._behind(run, sentence, named)
        return names[run.index(quantity)] if names else None

    def _led(
        self, run: Sequence[Quantity], sentence: Sentence, mentions: Sequence[Mention], said: bool
    ) -> Sequence[Mention]:
        """Return the list of as many names as numbers that leads a list of these, maybe over another list."""
        place = position(run[0], sentence)
        while place and self.text.endswith("(", 0, sentence.quantities[place - 1].start):
            place -= 1  # "A (9 km) and B (7 km) carry 400 and 300 people"
        before = sentence.quantities[place - 1] if place else None
        since = before.end if before is not None and not said else sentence.start
        every = _once(m for m in mentions if since <= m.start and m.end <= run[0].start)
        if not every and before is not None:  # "A and B won 9 and 7 games, or 45% and 35%"
            former = listed_run(self.text, before, sentence)
            return self._led(former, sentence, mentions, said) if len(former) == len(run) else ()
        names = every[-len(run) :]
        joined = all(self._is_joined(first, second) for first, second in pairwise(names))
        longer = not said and len(every) > len(run) and self._is_joined(every[-len(run) - 1], names[0])
        return names if len(names) == len(run) > 1 and joined and not longer else ()

    def _behind(
        self, run: Sequence[Quantity], sentence: Sentence, mentions: Sequence[Mention]
    ) -> Sequence[Mention]:
        """Return the list of names right behind as many numbers ("9, 7 and 5 in A, B and C")."""
        end = run[-1].end
        names = _once(m for m in mentions if m.full and m.start >= end)
        if len(names) != len(run) or IN_NAMES.fullmatch(self.text, end, names[0].start) is None:
            return ()
        alone = not any(end <= q.start < names[-1].end for q in sentence.quantities)
        return names if alone and all(self._is_joined(a, b) for a, b in pairwise(names)) else ()

    def _is_joined(self, first: Mention, second: Mention) -> bool:
        """Tell whether two names follow each other in a list."""
        gap = self.text[first.end : second.start].strip(QUOTES).lower()
        return gap in LISTED or are_listed(self.text, first, second)

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
            or any(full[0].end <= q.start < colon for q in sentence.quantities)  # each has its own
        ):
            return None
        return full[numbers.index(quantity)]


def _once(mentions: Iterable[Mention]) -> list[Mention]:
    """Return names in order, each place once, and of the words of one name ("Vane-Holt") the first."""
    found: list[Mention] = []
    for mention in mentions:
        same = found and (mention.start, mention.end) <= (found[-1].start, found[-1].end)
        parts = found and mention.rows == found[-1].rows and mention.start - found[-1].end <= 1
        if parts:
            found[-1] = found[-1]._replace(end=max(found[-1].end, mention.end))
        elif not same:
            found.append(mention)
    return found
