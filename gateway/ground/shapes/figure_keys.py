"""Rows that are told apart by a figure alone ("at 20 \u00b0C" of a column of temperatures)."""

import re
from functools import cached_property
from itertools import pairwise

from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.label_units import BRACKETED
from gateway.ground.table.sheet import Sheet

LED = re.compile(
    r"\b(?:at|(?P<lasting>for))\s(?:(?:a|the|an)\s(?P<noun>(?:[a-z]+\s){1,3})of\s)?[^\w\s]?\Z", re.IGNORECASE
)
# "At 20% of orders", "at 20% growth,": the figure is of something else unless the label says so.
OF = re.compile(r"\s?of\b", re.IGNORECASE)
NOUN = re.compile(r"\s([a-z]+)(?=[,.;:)]|\Z)", re.IGNORECASE)
TIMES = re.compile(
    r"(?:seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?|yrs?|[smhd])\Z",
    re.IGNORECASE,
)
LEAST = 3


class FigureKeys:
    """Reads which figure names the row that the other numbers of a sentence stand in, for one text."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = text

    @cached_property
    def _unit(self) -> str | None:
        """Return the unit of the first column, where its figures in order are all that names the rows."""
        figures = self.sheet.figures(0) if 0 in self.sheet.numeric else ()
        if not set(self.sheet.keys) <= self.sheet.figured or len(figures) != self.sheet.height:
            return None
        ordered = all(a < b for a, b in pairwise(figures)) or all(a > b for a, b in pairwise(figures))
        units = BRACKETED.findall(self.sheet.label(0))
        return units[-1] if len(figures) >= LEAST and ordered and units else None

    def placed(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place:
        """Return the place of a number: in the row that a figure of its sentence names, or that figure's."""
        if self._unit is None or quantity.slot is not None or place.rows is not None:
            return place
        keys = [other for other in sentence.quantities if self._is_key(other)]
        if quantity not in keys and self._led(quantity) is not None:
            columns = place.columns if place.columns is not None else self.sheet.figured
            return place._replace(columns=columns - {0})
        if not keys:
            return place
        if quantity in keys:
            return Place(self._rows(quantity), frozenset((0,)), firm=True, named=True)
        columns = (place.columns if place.columns is not None else self.sheet.figured) - {0}
        return Place(self._rows(self._nearest(quantity, sentence, keys)), columns, True, place.named)

    def _nearest(self, quantity: Quantity, sentence: Sentence, keys: list[Quantity]) -> Quantity:
        """Return the figure that names the row of a number: one that opens the sentence, else one behind."""
        if keys[0].start == sentence.quantities[0].start:
            return [key for key in keys if key.start < quantity.start][-1]
        return next((key for key in keys if key.start > quantity.start), keys[-1])

    def _rows(self, key: Quantity) -> frozenset[int]:
        values = {reading.value * (key.sign or 1) for reading in key.readings}
        return frozenset(row for row, value in self.sheet.column_values(0) if value in values)

    def _is_key(self, quantity: Quantity) -> bool:
        """Tell whether a number in the unit of the first column names a row: by its noun, if it has one."""
        led = self._led(quantity)
        if led is None:
            return False
        behind = self.text[quantity.end : quantity.end + 40]
        unit = self._unit or ""
        after = behind if quantity.text.rstrip().endswith(unit) else behind.lstrip()[len(unit) :]
        noun = NOUN.match(after)
        said = [*split_words(led["noun"] or ""), *split_words(noun.group(1) if noun else "")]
        if OF.match(after) or not self._nouns.issuperset(said):
            return False
        return bool(said) or not (led["lasting"] and TIMES.match(unit))

    @cached_property
    def _nouns(self) -> frozenset[str]:
        """Return the stems of what the first column is called, its unit left out."""
        return frozenset(split_words(BRACKETED.sub(" ", self.sheet.label(0))))

    def _led(self, quantity: Quantity) -> re.Match[str] | None:
        """Return the "at" or "for" that leads a number in the unit of the first column."""
        unit = self._unit or ""
        behind = self.text[quantity.end : quantity.end + len(unit) + 2].lstrip()
        within = quantity.text.rstrip().endswith(unit) or behind.startswith(unit)
        lead = self.text[max(0, quantity.start - 40) : quantity.start]
        return LED.search(lead) if within else None
