"""Where the words around a number point: which rows and which columns of the result a clause names."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.pointing.columns import ColumnPointer
from gateway.ground.pointing.row_pointer import RowPointer, Side
from gateway.ground.sentence.clauses import Sentence, position
from gateway.ground.table.sheet import Sheet
from metric_layer.period_bounds import Window

DASHED = re.compile(r"[-\u2012-\u2014]\d")


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

    def __init__(
        self,
        sheet: Sheet,
        spoken: Spoken,
        headers: Mapping[int, frozenset[int]],
        windows: Mapping[int, Mapping[int, Window]],
    ) -> None:
        """Stand on a sheet and a text.

        `headers` gives the columns of piped table cells, `windows` the periods of rows by their key columns.
        """
        self.sheet = sheet
        self.text = spoken.text
        self._rows = RowPointer(sheet, spoken, windows)
        self._columns = ColumnPointer(sheet, spoken, headers)

    def point(self, quantity: Quantity, sentence: Sentence, side: Side, previous: Sentence | None) -> Place:
        """Return where the words around a number point; `side` is asked only where no cue settles it."""
        rows, firm = self._rows.rows(self._score_end(quantity, sentence), sentence, side)
        columns, named = self._columns.columns(quantity, sentence, previous)
        return Place(rows, columns, firm, named)

    def _score_end(self, quantity: Quantity, sentence: Sentence) -> Quantity:
        """Return the last number of a score or record that a number opens: one row has all of "7-4"."""
        if len(sentence.quantities) == 1:
            return quantity
        place = position(quantity, sentence) + 1
        while place < len(sentence.quantities) and DASHED.match(self.text, quantity.end):
            quantity, place = sentence.quantities[place], place + 1
        return quantity

    @property
    def totals(self) -> frozenset[int]:
        """Return the columns that are called a total of the others."""
        return self._columns.names.idioms.totals

    def fitting(self, quantity: Quantity, columns: Iterable[int]) -> frozenset[int]:
        """Return those columns whose unit can take a number of this measure."""
        return self._columns.names.fitting(quantity, columns)
