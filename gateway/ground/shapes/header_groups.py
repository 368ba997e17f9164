"""Columns under one merged header ("League Apps", "League Goals"), and which of them a clause means."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter

from gateway.ground.lexing.cues import IN_NEXT
from gateway.ground.lexing.lexicon import PARTS
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.bound import Binding
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, neighbours, position
from gateway.ground.table.sheet import Sheet

WHOLE = frozenset(("total", "overall", "combined", "career"))
# Of all of them: the columns of totals, where there are such.
IN_ALL = re.compile(
    r"\b(?:(?:in|across)\sall\s(?:competitions|tournaments|events|games|matches|rounds)|(?:in|a)\stotal|overall"
    r"|altogether|in\sall|(?<=\d\s)total(?=\s[a-z]))\b",
    re.IGNORECASE,
)
# "Eleven in the league", "two League Cup games": what the number is of, right behind it.
DIRECT = re.compile(r"\s(?:(?:in|from)\s(?:the\s|his\s|her\s|their\s)?)?", re.IGNORECASE)
REACH = 24
Words = tuple[str, ...]
Columns = frozenset[int]
# Where a header is named in a text: its start, its end and its columns.
Named = tuple[int, int, Columns]


class HeaderGroups:
    """The merged headers of one sheet and where one text names them; none where no header repeats."""

    def __init__(self, sheet: Sheet, spoken: Spoken) -> None:
        """Read the headers and look for them once."""
        self.spoken = spoken
        self.text = spoken.text
        groups = _groups({c: split_words(sheet.label(c)) for c in sorted(sheet.figured)})
        self.totals = next((found for words, found in groups.items() if set(words) <= WHOLE), Columns())
        self.sheet = sheet
        self._groups = list(groups.values())
        self._named = sorted(self._find(groups)) if groups else []
        self._last: tuple[int, Columns] = -1, Columns()
        openings = (
            {} if groups else _openings({c: split_words(sheet.label(c)) for c in sorted(sheet.figured)})
        )
        self._opened = sorted(self._find(openings)) if openings else []
        self._siblings = frozenset().union(*openings.values())
        sums = [columns for words, columns in openings.items() if set(words) <= WHOLE]
        self._plain = sums[0] | {min(self._siblings)} if len(sums) == 1 and len(openings) > 2 else Columns()

    def of_one(self, bindings: Sequence[Binding]) -> tuple[Binding, ...]:
        """Refuse two figures of a row that name no header and share none ("3 goals in 29 games")."""
        found = list(bindings)
        for at, (first, second) in enumerate(pairwise(bindings)) if self._groups else ():
            if (
                first.cell
                and second.cell
                and first.cell[0] == second.cell[0]
                and self._are_apart(first, second)
            ):
                found[at : at + 2] = (b._replace(cell=None, unbound=True) for b in found[at : at + 2])
        return tuple(found)

    def _are_apart(self, first: Binding, second: Binding) -> bool:
        """Tell whether no header holds both of two figures, each of which several headers may hold."""
        own = [self._columns_of(binding) for binding in (first, second)]
        if any(
            sum(not group.isdisjoint(b.place.columns or ()) for group in self._groups) < 2
            for b in (first, second)
        ):
            return False
        return not any(not (group.isdisjoint(own[0]) or group.isdisjoint(own[1])) for group in self._groups)

    def _columns_of(self, binding: Binding) -> Columns:
        """Return the columns in which the row of a number holds the same figure."""
        row, column = binding.cell or (0, 0)
        figure = self.sheet.number(row, column)
        return frozenset(c for c in binding.place.columns or () if self.sheet.number(row, c) == figure)

    def narrowed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number, its columns cut down to the header that its clause names."""
        direct = self._direct(quantity, sentence) if self._named or self._opened else Columns()
        if direct and (self._named or place.columns is None or self._siblings & place.columns):
            return place._replace(columns=direct, named=True)
        if self._plain and place.columns and place.columns <= self._siblings and len(place.columns) > 2:
            said = any(sentence.start <= start < sentence.end for start, _, _ in self._opened)
            return place if said else place._replace(columns=place.columns & self._plain)
        if not self._named or place.columns is None or len(place.columns) < 2:
            return place
        kept = place.columns & self._meant(quantity, sentence)
        return place._replace(columns=kept, named=place.named or len(kept) == 1) if kept else place

    def is_of_another(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number shows a column of another header than the one its sentence names."""
        if binding.cell is None or binding.place.named or not self._named:
            return False
        if self._last[0] != sentence.start:
            said = {g[2] for g in self._named if sentence.start <= g[0] < sentence.end}
            self._last = sentence.start, next(iter(said)) if len(said) == 1 else Columns()
        others = Columns().union(*self._groups)
        own = self._last[1] or others
        row, column = binding.cell
        alike = any(self.sheet.number(row, c) == binding.value for c in own)
        return column in others - own and not alike

    def _direct(self, quantity: Quantity, sentence: Sentence) -> Columns:
        """Return the column of the header right behind a number and the noun that is counted with it."""
        if quantity.measure != "plain":
            return Columns()
        named = self._named or self._opened
        first = bisect_right(named, quantity.end, key=itemgetter(0))
        last = bisect_right(named, quantity.end + REACH, lo=first, key=itemgetter(0))
        for start, end, columns in named[first:last]:
            if DIRECT.fullmatch(self.text, quantity.end, start):
                parts = [m for m in sentence.columns if m.columns & columns and m.columns - columns]
                nouns = [m for m in parts if m.start == end + 1] or [
                    m for m in parts if m.end <= quantity.start
                ]
                kept = nouns[-1].columns & columns if nouns else columns
                return kept if len(kept) == 1 else Columns()
        return Columns()

    def _meant(self, quantity: Quantity, sentence: Sentence) -> Columns:
        """Return the columns of the header named behind a number in its part, else last before it."""
        rows = [m for m in sentence.rows if m.full]
        own = [
            g
            for g in self._named
            if sentence.start <= g[0] < sentence.end
            and not any(m.start <= g[0] and g[1] <= m.end for m in rows)
        ]
        behind = self._behind(quantity, sentence, own)
        led = [columns for _, end, columns in own if end <= quantity.start]
        return (behind or led[::-1] or [Columns()])[0]

    def _behind(self, quantity: Quantity, sentence: Sentence, own: Sequence[Named]) -> Sequence[Columns]:
        """Return what is named behind a number, or behind the next ("3 goals in 9 games in all")."""
        _, after = neighbours(quantity, sentence)
        ends = PARTS.search(self.text, quantity.end, after)
        until = ends.start() if ends else after
        behind = [columns for start, _, columns in own if quantity.end <= start < until]
        following = sentence.quantities[position(quantity, sentence) + 1 :]
        if behind or not following or not IN_NEXT.fullmatch(self.text, quantity.end, after):
            return behind
        return self._behind(following[0], sentence, own)

    def _find(self, groups: dict[Words, Columns]) -> Sequence[Named]:
        """Return where headers are named, none inside a longer one or inside another name."""
        words, stems = self.spoken.tokens, self.spoken.stems
        found: list[Named] = []
        firsts = {header[0] for header in groups if header}
        opened = [place for place, cut in enumerate(stems) if cut in firsts]
        for header, columns in groups.items():
            for place in (place for place in opened if stems[place : place + 1] == [*header[:1]]):
                if place + len(header) > len(words):
                    continue
                span = words[place].start(), words[place + len(header) - 1].end()
                if tuple(stems[place : place + len(header)]) == header and not self._is_longer(*span):
                    found.append((*span, columns))
        if self.totals:
            found = [named for named in found if named[2] != self.totals]
            found += [(*said.span(), self.totals) for said in IN_ALL.finditer(self.text)]
        kept: list[Named] = []
        for named in sorted(found, key=lambda named: (named[0], -named[1])):
            if not kept or named[1] > kept[-1][1]:
                kept.append(named)
        return kept

    def _is_longer(self, start: int, end: int) -> bool:
        """Tell whether capitals around a header in capitals make it a part of another name ("League Two")."""
        if not self.text[start].isupper():
            return False
        before, tail = self.text[max(0, start - 2 * REACH) : start], self.text[end : end + 2]
        lead = before.rpartition(" ")[0][-24:]
        led = before.endswith(" ") and lead.rpartition(" ")[2][:1].isupper() and lead != ""
        return (tail[:1] == " " and tail[1:].isupper()) or (led and not lead.endswith((".", ",")))


def _groups(labels: dict[int, Words]) -> dict[Words, Columns]:
    """Return the columns under each opening of a header that several share, where their ends repeat too."""
    found: dict[Words, dict[Words, int]] = {}
    for column, words in labels.items():
        for size in range(1, len(words)):
            found.setdefault(words[:size], {}).setdefault(words[size:], column)
        found.setdefault(words, {}).setdefault((), column)
    longer = {o: set(ends.values()) for o, ends in found.items() if len(ends) > 1}
    found = {opening: _without(ends, opening, longer) for opening, ends in found.items()}
    several = {opening: ends for opening, ends in found.items() if len(ends) > 1}
    kept = {
        opening: frozenset(ends.values())
        for opening, ends in several.items()
        if any(len(ends.keys() & other.keys()) > 1 for o, other in several.items() if o != opening)
    }
    return kept if len(kept) > 1 and not any(a == b for a, b in pairwise(kept)) else {}


def _openings(labels: dict[int, Words]) -> dict[Words, Columns]:
    """Return the one column of each opening, of those that differ by it alone ("League Apps", "Cup Apps")."""
    found: dict[Words, set[int]] = {}
    ends = [words[-1] for words in labels.values() if words]
    for column, words in labels.items():
        if len(words) > 1 and ends.count(words[-1]) > 1:
            found.setdefault(words[:-1], set()).add(column)
    return {words: frozenset(columns) for words, columns in found.items() if len(columns) == 1}


def _without(ends: dict[Words, int], opening: Words, longer: dict[Words, set[int]]) -> dict[Words, int]:
    """Leave out the columns of a header that opens with another one ("League Cup Apps" of "League")."""
    own = (columns for o, columns in longer.items() if o != opening and o[: len(opening)] == opening)
    taken = set().union(*own)
    return {words: column for words, column in ends.items() if column not in taken}
