"""Visible text to tokens. Every digit ends up in a token or in `leftovers`, which block the draft."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import compress

from gateway.ground.lexing.amounts import clock_value
from gateway.ground.lexing.beside import is_dressed, slot_quantity
from gateway.ground.lexing.figures import ENDINGS, dress, has_currency_before, inherit
from gateway.ground.lexing.furniture import code_marks, ordinal_marks, structural_marks
from gateway.ground.lexing.numerals import CORE, parse_numeral
from gateway.ground.lexing.separators import decimal_comma
from gateway.ground.lexing.shares import sign_fractions, word_shares
from gateway.ground.lexing.spelled import STARTS, spelled_numbers
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Mark, Quantity, Reading, Slot, Tokens
from gateway.ground.lexing.vague import vague_amounts

NUMBER = re.compile(CORE)
NO_DIGIT = re.compile(r"\D")
NUMERALS = re.compile(r"(?:[0-9]|[^\x00-\x7f])+")
LAST_LATIN = "\u0530"
TURNED = bytes((1, 0)) + bytes(254)
DURATION = re.compile(
    r"(?:[^\S\n]|-)(?P<unit>seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|decades?)\b",
    re.IGNORECASE,
)
LATER = re.compile(
    r"\s(?:later|earlier|ago|old|after|before|prior|apart|straight|running|in\sa\srow)\b", re.IGNORECASE
)
SPAN_LEAD = re.compile(
    r"\b(?:last|past|previous|next|first|final|within|over|in|for|after|every|during|trailing|prior|rolling|these"
    r"|those|all|under|than|the|by|each|per)\s(?:the\s|a\s|about\s)?\Z",
    re.IGNORECASE,
)
# What opens a stretch of time also where the result itself measures times.
STRETCH_LEAD = re.compile(
    r"\b(?:last|past|previous|next|first|final|within|during|trailing|prior|rolling)\s(?:the\s)?\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Known:
    """What the result explains: printed slots, names, periods, the words that count it, its units of time.

    `items` are where names of rows start in a result whose columns are periods: each is a figure's name.
    `won` tells whether that word behind a number is money.
    """

    slots: tuple[Slot, ...]
    names: tuple[tuple[int, int], ...]
    periods: tuple[tuple[int, int], ...]
    heads: frozenset[str]
    nouns: frozenset[str]
    time_units: frozenset[str]
    clocks: re.Pattern[str] | None
    locale: str
    items: frozenset[int] = frozenset()
    won: bool = True


def tokenize(text: str, known: Known, spoken: Spoken | None = None) -> Tokens:
    """Cut a visible text into tokens; its words are found anew where `spoken` is left out."""
    return _Lexer(spoken or Spoken(text), known).read()


class _Lexer:
    """One pass over one visible text."""

    def __init__(self, spoken: Spoken, known: Known) -> None:
        self.text = text = spoken.text
        self.said = spoken.vocabulary
        self.known = known
        self.comma = decimal_comma(known.locale)
        self.used = bytearray(len(text))
        self.marks: list[Mark] = []
        self.quantities: list[Quantity] = []
        self.leftovers: list[tuple[int, int]] = []

    def read(self) -> Tokens:
        """Return all tokens of the text: furniture, names, periods and codes first, then what counts."""
        for slot in self.known.slots:
            self._slot(slot)
        self._clocks()
        self._keep(mark for mark in structural_marks(self.text, self._taken) if not self._is_dated(mark))
        self._keep(Mark("label", *span, self.text[slice(*span)]) for span in self.known.names)
        self._keep(Mark("temporal", *span, self.text[slice(*span)]) for span in self.known.periods)
        self._keep(code_marks(self.text, self._taken, self.known.heads))
        self._keep(ordinal_marks(self.text, self._taken))
        for share in word_shares(self.text, self.said):
            self._add(share)
        self._fractions()
        self._numbers()
        self._words()
        self._vague()
        self._residue()
        self.quantities.sort(key=lambda quantity: quantity.start)
        self.marks.sort(key=lambda mark: mark.start)
        return Tokens(tuple(self._ranged()), tuple(self.marks), tuple(self.leftovers))

    def _is_dated(self, mark: Mark) -> bool:
        """Tell whether a day or hour belongs to a period that is kept whole later."""
        spans = self.known.periods if mark.kind == "temporal" else ()
        return any(start <= mark.start and mark.end <= end for start, end in spans)

    def _taken(self, start: int, end: int) -> bool:
        return self.used.find(1, start, end) >= 0

    def _use(self, start: int, end: int) -> None:
        self.used[start:end] = b"\1" * (end - start)

    def _keep(self, marks: Iterable[Mark]) -> None:
        for mark in marks:
            if not self._taken(mark.start, mark.end):
                self._use(mark.start, mark.end)
                self.marks.append(mark)

    def _add(self, quantity: Quantity) -> None:
        if not self._taken(quantity.start, quantity.end):
            self._use(quantity.start, quantity.end)
            self.quantities.append(quantity)

    def _slot(self, slot: Slot) -> None:
        """Read a printed slot: a name, a quantity with its source, or a leftover where it is dressed."""
        if slot.names:
            self._keep((Mark("label", slot.start, slot.end, self.text[slot.start : slot.end]),))
        elif slot.end > slot.start and is_dressed(self.text, slot):
            self._use(slot.start, slot.end)
            self.leftovers.append((slot.start, slot.end))
        elif slot.end > slot.start:
            self._add(slot_quantity(self.text, slot))

    def _clocks(self) -> None:
        """Read clock times as figures where the result has such figures."""
        for found in self.known.clocks.finditer(self.text) if self.known.clocks else ():
            value, digits = clock_value(found.group()), len(re.sub(r"\D", "", found.group()))
            step = Decimal(1).scaleb(min(0, int(value.as_tuple().exponent)))
            reading = (Reading(value, step),)
            self._add(Quantity(*found.span(), found.group(), reading, measure="clock", digits=digits))

    def _fractions(self) -> None:
        for start, end, share, reading in sign_fractions(self.text):
            if self._taken(start, end):
                continue
            if share is None:
                self._measure(start, end, reading, digits=2)
            else:
                self._add(share)

    def _numbers(self) -> None:
        """Read every number in digits; one with two readings, or touched by a letter, is left over."""
        for found in NUMBER.finditer(self.text):
            start, end = found.span()
            if self._taken(start, end):
                self._rest_of(start, end)
                continue
            parsed = parse_numeral(found.group(), self.comma)
            if parsed is None or self._is_glued(start):
                self.leftovers.append((start, end))
                self._use(start, end)
                continue
            value, decimals = parsed
            digits = len(NO_DIGIT.sub("", found.group()).lstrip("0")) or 1
            self._measure(start, end, Reading(value, Decimal(1).scaleb(-decimals)), digits=digits)

    def _is_glued(self, start: int) -> bool:
        """Tell whether a letter of an alphabet stands right before a number and is no currency mark."""
        before = self.text[start - 1 : start] if start else ""
        return before.isalpha() and before < LAST_LATIN and not has_currency_before(self.text, start)

    def _rest_of(self, start: int, end: int) -> None:
        """Read the digits of a run that a name or a period took only in part."""
        for found in re.finditer(r"\d+", self.text[start:end]):
            at, until = start + found.start(), start + found.end()
            if not self._taken(at, until):
                reading = Reading(Decimal(found.group()), Decimal(1))
                self._measure(at, until, reading, digits=len(found.group()))

    def _measure(self, start: int, end: int, reading: Reading, *, digits: int) -> None:
        """Add a number with what stands around it, unless it only counts a stretch of time."""
        quantity = dress(self.text, start, end, (reading,), digits=digits, won=self.known.won)
        until = self._duration_end(quantity)
        if until:
            self._keep((Mark("temporal", quantity.start, until, self.text[quantity.start : until]),))
        else:
            self._use(quantity.start, quantity.end)
            self.quantities.append(quantity)

    def _duration_end(self, quantity: Quantity) -> int:
        """Return where a length of time ends ("within 30 days", "a 12-month low"); 0 for any other number."""
        ended = self.text[quantity.end : quantity.end + 1] in ENDINGS
        found = None if ended else DURATION.match(self.text, quantity.end)
        if found is None or quantity.measure != "plain" or quantity.sign:
            return 0
        if "age" in self.known.nouns and self.text.startswith("-old", found.end()):
            return 0
        if quantity.unit_word in self.known.time_units or "weeks" in self.known.nouns:
            return 0
        if self.known.time_units or quantity.readings[0].step != 1:
            led = STRETCH_LEAD.search(self._before(quantity))
            return found.end() if led and quantity.readings[0].step == 1 else 0
        joined = self.text[quantity.end] == "-" or LATER.match(self.text, found.end()) is not None
        led = SPAN_LEAD.search(self._before(quantity))
        return found.end() if joined or led else 0

    def _before(self, quantity: Quantity) -> str:
        """Return what stands right before a number on its line."""
        return self.text[max(0, quantity.start - 24) : quantity.start].rpartition("\n")[2]

    def _words(self) -> None:
        """Read numbers written in words."""
        if STARTS.isdisjoint(self.said):
            return
        for number in spelled_numbers(self.text, self.known.nouns, self.known.items):
            if self._taken(number.start, number.end):
                continue
            words = self.text[number.start : number.end]
            if number.pronoun:
                self._keep((Mark("pronoun", number.start, number.end, words),))
            elif number.none:
                self._add(Quantity(number.start, number.end, words, (number.reading,)))
            else:
                digits = len(number.reading.value.normalize().as_tuple().digits)
                self._measure(number.start, number.end, number.reading, digits=digits)

    def _vague(self) -> None:
        """Leave over what is an amount and no number ("dozens", "NaN")."""
        for start, end in vague_amounts(self.text, self.known.nouns):
            if not self._taken(start, end):
                self._use(start, end)
                self.leftovers.append((start, end))

    def _residue(self) -> None:
        """Collect every digit nobody consumed: Nd, Nl, No, or a numeral that is a word of its script."""
        free = "".join(compress(self.text, self.used.translate(TURNED)))
        for found in NUMERALS.finditer(self.text) if NUMERALS.search(free) else ():
            for place in range(*found.span()):
                if not self.used[place] and _is_numeral(self.text[place]):
                    self.leftovers.append((place, place + 1))

    def _ranged(self) -> Iterator[Quantity]:
        found = self.quantities[-1:]
        for first in self.quantities[-2::-1]:
            found.append(inherit(first, found[-1], self.text) if first.slot is None else first)
        yield from reversed(found)


def _is_numeral(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Nd", "Nl", "No") or (
        category == "Lo" and unicodedata.numeric(character, None) is not None
    )
