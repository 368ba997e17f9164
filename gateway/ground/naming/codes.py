"""Codes with digits, ranges and bases of rates that stand in the text cells or labels of a result."""

import re
from collections.abc import Iterator
from functools import cached_property

from gateway.ground.lexing.spoken import Spoken
from gateway.ground.naming.bases import based_on, bases_of
from gateway.ground.naming.phrases import numbered
from gateway.ground.table.sheet import Sheet

FRAGMENT = re.compile(r"(?<![\w.,])\d+(?:-[^\W_]+)*-[^\W\d_]+(?![\w-])")
# An age group of a row's name ("aged 0-6" of "Child (0-6)").
AGES = re.compile(
    r"\b(?:aged|ages?(?:\sgroup)?(?:\sof)?|years)\s(?P<ages>\d{1,2}[-\u2013]\d{1,2})(?![\w-])", re.IGNORECASE
)
# One of these is in any text that says an age group.
AGED = frozenset(("aged", "age", "ages", "years"))
IN_CELL = re.compile(r"(?<![\w-])\d{1,2}[-\u2013]\d{1,2}(?![\w-])")
LOOKED_AT = 200


class Codes:
    """The codes of one result, ready to be found in a text."""

    def __init__(self, sheet: Sheet) -> None:
        """Stand on a sheet."""
        self.sheet = sheet
        self._numbered = numbered(sheet)

    def fragments(self, spoken: Spoken) -> list[tuple[int, int]]:
        """Return codes such as "6-seat" that stand in a text cell just so."""
        text = spoken.text
        found = [piece.span() for piece in FRAGMENT.finditer(text)] if "-" in text else []
        codes = [span for span in found if text[slice(*span)].lower() in self._cells] if found else []
        ages = AGES.finditer(text) if spoken.says(AGED) and self._ranges else ()
        codes += [said.span("ages") for said in ages if said["ages"] in self._ranges]
        return [*codes, *based_on(text, self._bases)]

    @cached_property
    def _bases(self) -> frozenset[str]:
        """Return what labels of columns are counted on ("per 1,000", "out of 10")."""
        return bases_of(self.sheet.label(column) for column in sorted(self.sheet.figured))

    @cached_property
    def _cells(self) -> frozenset[str]:
        """Return every code with digits in the text cells, in lower case."""
        return frozenset(piece.lower() for cell in self._texts() for piece in FRAGMENT.findall(cell))

    @cached_property
    def _ranges(self) -> frozenset[str]:
        """Return the ranges in the text cells, as written."""
        return frozenset(said for cell in self._texts() for said in IN_CELL.findall(cell))

    def _texts(self) -> Iterator[str]:
        """Yield how each text cell begins, save those of figures."""
        keys = [key for key in self.sheet.keys if key not in self.sheet.figured]
        cells = (row[key] for row in self.sheet.table.rows for key in keys)
        yield from (cell[:LOOKED_AT] for cell in cells if isinstance(cell, str))

    def strange(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield "week 8" where the result has weeks by number and no week 8."""
        for word, values in self._numbered.items():
            for found in re.finditer(
                rf"(?<!\w){re.escape(word)}\s(\d{{1,3}})(?![\w.,]?\d)", text, re.IGNORECASE
            ):
                if found.group(1) not in values:
                    yield found.span()
