"""Rows that are told apart by a figure alone ("at 20 \u00b0C" of a column of temperatures)."""

import re
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.label_units import BRACKETED
from gateway.ground.table.sheet import Sheet

# "At a 20% discount", "at a price of 20", "the 20% discount".
LED = re.compile(
    r"\b(?:(?:at|with|under|(?P<lasting>for))\s(?:(?:a|the|an)\s(?:(?P<noun>(?:[a-z]+\s){1,3})of\s)?)?"
    r"|(?P<alone>the|an?|our)\s)[^\w\s]?\Z",
    re.IGNORECASE,
)
# "At 20% of orders", "at 20% growth,": the figure is of something else unless the label says so.
OF = re.compile(r"\s?of\b", re.IGNORECASE)
COMPOUND = re.compile(r"\s([a-z]+)\s([a-z]+)(?=[,.;:)]|\Z)", re.IGNORECASE)
NOUN = re.compile(r"\s([a-z]+)(?=[,.;:)]|\Z)", re.IGNORECASE)
TIMES = re.compile(
    r"(?:seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?|yrs?|[smhd])\Z",
    re.IGNORECASE,
)
LEAST = 3
MONEY = "currency"
CARRIED = {"percent": "%", MONEY: MONEY}


class FigureKeys:
    """Reads which figure names the row that the other numbers of a sentence stand in, for one text."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = text

    @cached_property
    def _unit(self) -> str | None:
        """Return the unit of the first column, where its figures in order are all that names the rows."""
        figures = [value for _, value in self._figures]
        whole = len(figures) == self.sheet.height or 0 in self.sheet.texts  # "None" beside "5%" is no figure
        if not set(self.sheet.keys) <= self.sheet.figured or not whole:
            return None
        ordered = all(a < b for a, b in pairwise(figures)) or all(a > b for a, b in pairwise(figures))
        units = BRACKETED.findall(self.sheet.label(0)) or [CARRIED.get(self.sheet.measured[0].carrier, "")]
        return (units[-1] or None) if len(figures) >= LEAST and ordered else None

    @cached_property
    def _figures(self) -> list[tuple[int, Decimal]]:
        """Return (row, figure) of the first column, of numbers or of amounts in text."""
        rows = range(self.sheet.height if 0 in self.sheet.figured else 0)
        return [(row, value) for row in rows if (value := self.sheet.figure(row, 0)) is not None]

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number: in the row that a figure of its sentence names, or that figure's."""
        if self._unit is None or quantity.slot is not None or place.rows is not None:
            return place
        keys = [other for other in sentence.quantities if self._is_key(other)]
        if quantity not in keys and self._led(quantity) is not None:
            place = self._without_key(place)
        if not keys:
            rows = self._rows_beside(quantity, sentence)
            return place._replace(rows=rows, firm=True) if rows else place
        if quantity in keys:
            return Place(self._rows(quantity), frozenset((0,)), firm=True, named=True)
        rows = self._rows(self._nearest(quantity, sentence, keys))
        return self._without_key(place)._replace(rows=rows, firm=True)

    def _without_key(self, place: Place) -> Place:
        """Return a place without the first column; where it alone was named, it was so for the key."""
        columns = (place.columns if place.columns is not None else self.sheet.figured) - {0}
        return place._replace(
            columns=columns or self.sheet.figured - {0}, named=place.named and bool(columns)
        )

    def _rows_beside(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the rows that a figure of another column leads in ("at a margin of 12%, 40 orders")."""
        for other in sentence.quantities if len(sentence.quantities) > 1 else ():
            said = self._nouns_said(other) if other != quantity else frozenset()
            columns = [c for c in self.sheet.numeric if said and said <= self.sheet.label_words[c]]
            values = {reading.value for reading in other.readings}
            for column in columns if len(columns) == 1 else ():
                return frozenset(row for row, value in self.sheet.column_values(column) if value in values)
        return frozenset()

    def _nearest(self, quantity: Quantity, sentence: Sentence, keys: list[Quantity]) -> Quantity:
        """Return the figure that names the row of a number: one that opens the sentence, else one behind."""
        if keys[0].start == sentence.quantities[0].start:
            return [key for key in keys if key.start < quantity.start][-1]
        return next((key for key in keys if key.start > quantity.start), keys[-1])

    def _rows(self, key: Quantity) -> frozenset[int]:
        values = {reading.value * (key.sign or 1) for reading in key.readings}
        return frozenset(row for row, value in self._figures if value in values)

    def _is_key(self, quantity: Quantity) -> bool:
        """Tell whether a number in the unit of the first column names a row: by its noun, if it has one."""
        led = self._led(quantity)
        if led is None:
            return False
        said = self._nouns_said(quantity)
        behind = self._behind(quantity)
        if OF.match(behind) or not self._nouns.issuperset(said) or self._is_compound(behind):
            return False
        unit = self._unit or ""
        return bool(said) or not (led["lasting"] and (unit in CARRIED.values() or TIMES.match(unit)))

    def _is_compound(self, behind: str) -> bool:
        """Tell whether the noun behind a number has another one before it ("a 4% default rate")."""
        said = COMPOUND.match(behind)
        first, last = (split_words(said[part]) for part in (1, 2)) if said else ((), ())
        return bool(last) and self._nouns.issuperset(last) and not self._nouns.issuperset(first)

    def _behind(self, quantity: Quantity) -> str:
        """Return what stands behind a number and its unit."""
        behind, unit = self.text[quantity.end : quantity.end + 40], self._unit or ""
        within = unit == MONEY or quantity.text.rstrip().endswith(unit)
        return behind if within else behind.lstrip()[len(unit) :]

    def _nouns_said(self, quantity: Quantity) -> frozenset[str]:
        """Return the stems of the noun that a number led by "at" is said to be of."""
        led = self._led(quantity)
        noun = NOUN.match(self._behind(quantity)) if led is not None else None
        said = (led["noun"] if led is not None else "") or ""
        return frozenset((*split_words(said), *split_words(noun.group(1) if noun else "")))

    @cached_property
    def _nouns(self) -> frozenset[str]:
        """Return the stems of what the first column is called, its unit left out."""
        return frozenset(split_words(BRACKETED.sub(" ", self.sheet.label(0))))

    def _led(self, quantity: Quantity) -> re.Match[str] | None:
        """Return the "at" or "for" that leads a number in the unit of the first column."""
        unit = self._unit or ""
        behind = self.text[quantity.end : quantity.end + len(unit) + 2].lstrip()
        within = quantity.text.rstrip().endswith(unit) or behind.startswith(unit)
        within = quantity.measure == unit if unit == MONEY else within
        lead = self.text[max(0, quantity.start - 40) : quantity.start]
        led = LED.search(lead) if within else None
        alone = (
            led is not None
            and led["alone"]
            and self._nouns.isdisjoint(split_words(self._behind(quantity))[:1])
        )
        return None if alone else led
