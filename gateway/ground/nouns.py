"""What the noun and the unit behind a number say it counts, and so which columns it cannot be of."""

import re
from collections.abc import Callable
from functools import cached_property

from gateway.ground.direction import Direction
from gateway.ground.lexicon import words
from gateway.ground.measures import is_other_size, measure_after
from gateway.ground.places import Place
from gateway.ground.sheet import Sheet, as_text
from gateway.ground.stems import split_words
from gateway.ground.tokens import Quantity
from gateway.ground.units import RATES
from metric_layer.period_words import PLURAL

PAUSE = re.compile(r"[,;:!?\n]|\.(?:\s|\Z)")
OF_THEM = re.compile(r"\A\sof\s(?:the|these|those|its|their|all)\s", re.IGNORECASE)
NEXT_WORD = re.compile(r"\s([a-z]+(?:-[a-z]+)?)\b")
MILLIMETRES = re.compile(r"\d\s?mm\W*\Z")
MONEY_WORDS = words(
    "dollars euros pounds francs rupees across thousands millions billions sales earnings revenues "
    "versus perhaps always"
)


class Nouns:
    """Reads what stands behind the numbers of one text, over one sheet."""

    def __init__(self, sheet: Sheet, text: str, is_change: Callable[[int], bool]) -> None:
        """Stand on a sheet and a text; `is_change` tells which columns hold changes."""
        self.sheet = sheet
        self.text = text
        self.is_change = is_change
        self.row_nouns = self._row_nouns()

    def means_else(self, quantity: Quantity, column: int, direction: Direction, place: Place) -> bool:
        """Tell whether a number speaks of rows, changes or things, and so is no level of a column."""
        if direction.delta and not self.is_change(column):
            return True
        if self.is_of_other_size(quantity, column):
            return True
        if quantity.measure != "plain" or column in self.sheet.keys:
            return False
        own = self.sheet.label_words[column]
        joined = self.text[quantity.end : quantity.end + 1] == "-"
        after = OF_THEM.sub(" ", PAUSE.split(self.text[quantity.end : quantity.end + 30])[0])
        nouns = split_words(after)[: 1 if joined else 2]
        one_row = place.rows is not None and len(place.rows) == 1
        if (
            nouns
            and not one_row
            and nouns[0] not in own
            and any(noun in self.row_nouns - own for noun in nouns)
        ):
            return True
        if column in self.rates and not place.named and quantity.slot is None:
            return True  # a bare number is no percentage where nothing says so
        thing = column in self.rates or self.sheet.measured[column].carrier == "currency"
        sized = len(self.sheet.label(column)) > 2 and bool(self.sheet.sizes.get(column))
        return (thing or sized) and self._counts_things(quantity, own)

    @cached_property
    def rates(self) -> frozenset[int]:
        """Return the columns of percentages; one with figures above a hundred may count things after all."""
        rated = (c for c in self.sheet.numeric if self.sheet.measured[c].carrier in RATES)
        return frozenset(c for c in rated if max(map(abs, self.sheet.figures(c)), default=0) <= 100)

    def is_of_other_size(self, quantity: Quantity, column: int) -> bool:
        """Tell whether the unit behind a number is not the one its column is in ("1,214 miles" of km)."""
        sizes = self.sheet.sizes.get(column, frozenset())
        # "mm" also stands for millions, and is then a part of the number
        said = "mm" if sizes and MILLIMETRES.search(quantity.text) else ""
        return bool(sizes) and is_other_size(said or measure_after(self.text, quantity.end), sizes)

    def _counts_things(self, quantity: Quantity, own: frozenset[str]) -> bool:
        """Tell whether a bare number counts things ("2,948,150 orders") that an amount of money cannot be."""
        found = NEXT_WORD.match(self.text[quantity.end : quantity.end + 24])
        word = found.group(1) if found and not measure_after(self.text, quantity.end) else ""
        plural = PLURAL.fullmatch(word) is not None and word not in MONEY_WORDS
        return plural and not own.intersection(split_words(word))

    def _row_nouns(self) -> frozenset[str]:
        """Return the words that key columns go by, save those whose values start with figures."""
        first = self.sheet.table.rows[0]
        named = [k for k in self.sheet.keys if not any(c.isdigit() for c in as_text(first[k])[:3])]
        labels = [split_words(self.sheet.label(key)) for key in named]
        return frozenset(label[-1] for label in labels if label)
