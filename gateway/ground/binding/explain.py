"""Why a number has no source, for the next draft: a code, the cell it should have been, a step."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property

from gateway.ground.derived.fit import any_holds, scale_of, unit_word_fits, value_fits
from gateway.ground.derived.show import HIDDEN, show_missing, show_value
from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.match import Interval, intervals
from gateway.ground.lexing.text import Visible
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.lexing.units import Measured
from gateway.ground.pointing.bound import Binding
from gateway.ground.table.sheet import CellAt, Sheet
from policies.mask import MASK
from traces.grounding import SpanCode, SpanFinding
from traces.records import Cell

ANY = Direction(0, either=True)
# How many numbers of one draft are looked up in what could be declared: enough for the next attempt.
HINTED = 40
Reach = tuple[float, float]
Sized = tuple[float, Decimal, Measured]
# Two columns, their figures, and the sizes of their difference, their quotient and their change in percent.
Pair = tuple[int, int, Decimal, Decimal, float, float, float]


class Explainer:
    """Turns failed bindings into findings."""

    def __init__(self, sheet: Sheet, visible: Visible) -> None:
        """Stand on a sheet and the text shown to the reader."""
        self.sheet = sheet
        self.visible = visible
        self._sought = 0
        self._paired: dict[int, Sequence[Pair]] = {}
        self._rows: dict[int, list[Sized]] = {}

    @cached_property
    def _totals(self) -> tuple[tuple[int, Decimal, int], ...]:
        """The sum and the number of figures of the first columns that hold more than one."""
        every = ((column, self.sheet.figures(column)) for column in self.sheet.numeric[:20])
        return tuple(
            (column, sum(found, Decimal(0)), len(found)) for column, found in every if len(found) > 1
        )

    def _is_written(self, cell: CellAt) -> bool:
        """Tell whether a text cell holds a figure."""
        held = self.sheet.table.rows[cell[0]][cell[1]]
        return isinstance(held, str) and held != MASK and any(map(str.isdigit, held))

    def explain(self, binding: Binding) -> SpanFinding:
        """Return the finding for a number without a source."""
        quantity = binding.quantity
        own = self._own_cell(binding)
        expected = show_value(self.sheet.columns[own[1]], self.sheet.number(*own)) if own else ""
        if own and self.sheet.number(*own) is None and not self._is_written(own):
            word = show_missing(self.sheet.table.rows[own[0]][own[1]])
            state = "is hidden" if word == HIDDEN else "holds no data"
            step = "Say that the figure is hidden." if word == HIDDEN else "Say that there is no data."
            message = f"{self._name(own)} {state}; it is not {quantity.text}"
            return self._finding(quantity, "null_as_value", message, own, word, step)
        if quantity.slot is not None and quantity.slot.derivation:
            message = f"{quantity.text} is derivation {quantity.slot.derivation}, not what this clause names"
            step = "Name the rows, the column and the kind of figure that it was declared over."
            return self._finding(quantity, "wrong_cell", message, own, expected, step)
        if binding.elsewhere and not binding.unbound:
            real = binding.elsewhere[0]
            message = f"{quantity.text} belongs to {self._name(real)}, not to what this clause names"
            return self._finding(
                quantity,
                "wrong_cell",
                message,
                real,
                expected,
                "Name the row and column the number stands in.",
            )
        if binding.unbound:
            message = (
                f"{quantity.text} is not bound to one row and column; as many other numbers would have passed"
            )
            return self._finding(
                quantity,
                "no_source",
                message,
                own,
                expected,
                "Name the row and the column beside the number.",
            )
        if self.sheet.table.truncated and self._is_whole_column(binding):
            message = f"{quantity.text} counts or adds up a result that was cut; the rest was never read"
            return self._finding(
                quantity, "cut_result", message, None, "", "Ask for the total with its own question."
            )
        return self._nearest(binding, own, expected)

    def _nearest(self, binding: Binding, own: CellAt | None, expected: str) -> SpanFinding:
        """Tell a wrong sign, unit, rounding or an undeclared derivation from a number that is nowhere."""
        quantity = binding.quantity
        spans = tuple(intervals(quantity))
        reach = _reach(spans)
        code, why = self._relaxed(binding, own, spans, reach)
        if code:
            step = f"Write {expected}." if expected else "Say it as the result has it."
            return self._finding(quantity, code, f"{quantity.text}: {why}", own, expected, step)
        self._sought += 1
        hint = next(self._hints(binding, spans, reach), "") if self._sought <= HINTED else ""
        if hint:
            message = f"{quantity.text} can be computed but was not declared"
            return self._finding(quantity, "undeclared_derivation", message, None, "", f"Declare {hint}.")
        message = f"{quantity.text} has no source in the result"
        if own:
            message += f"; {self._name(own)} is {expected}"
        return self._finding(
            quantity,
            "no_source",
            message,
            own,
            expected,
            f"Write {expected}." if expected else "Leave it out, or declare the derivation it comes from.",
        )

    def _relaxed(
        self, binding: Binding, own: CellAt | None, spans: Sequence[Interval], reach: Reach
    ) -> tuple[SpanCode | None, str]:
        """Find the one rule whose absence would have let the number pass."""
        quantity = binding.quantity
        low, high = reach
        sized = self._values(binding, own)
        near = [of for of in sized if low <= of[0] <= high or low <= of[0] * 100 <= high]
        for _, value, measured in near:
            by = scale_of(quantity, measured)
            if by is not None and any_holds(spans, value * by, ANY):
                return "sign", "the sign is the other way round"
            plain = quantity._replace(measure="plain", currencies=frozenset())
            fits = unit_word_fits(plain, measured)
            if fits and any(any_holds(spans, value * by, ANY) for by in (Decimal(1), Decimal(100))):
                return "unit", f"the unit is {measured.unit or measured.carrier}"
            if any(_is_close(quantity, value * by) for by in (Decimal(1), Decimal(100))):
                return "precision", "the value rounds to something else"
        return None, ""

    def _values(self, binding: Binding, own: CellAt | None) -> list[Sized]:
        """Return the figure of the cell that a clause names, then those of its only row, with their sizes."""
        rows = binding.place.rows or ()
        found = self._row(*rows) if len(rows) == 1 else []
        value = self.sheet.number(*own) if own else None
        if own is None or value is None:
            return found
        return [(abs(float(value)), value, self.sheet.measured[own[1]]), *found]

    def _row(self, row: int) -> list[Sized]:
        """Return the figures of a row with their sizes, read once."""
        if row not in self._rows:
            figures = ((self.sheet.number(row, c), self.sheet.measured[c]) for c in self.sheet.numeric)
            self._rows[row] = [(abs(float(v)), v, measured) for v, measured in figures if v is not None]
        return self._rows[row]

    def _own_cell(self, binding: Binding) -> CellAt | None:
        """Return the one cell that the clause names, if it names one."""
        place = binding.place
        rows = (
            place.rows
            if place.rows is not None
            else frozenset((0,))
            if self.sheet.height == 1
            else frozenset()
        )
        columns = place.columns if place.columns is not None else self._only_column(binding.quantity)
        if len(rows) == 1 and len(columns) == 1:
            return next(iter(rows)), next(iter(columns))
        return None

    def _only_column(self, quantity: Quantity) -> frozenset[int]:
        taking = [
            c
            for c in self.sheet.numeric
            if quantity.measure in ("plain", "currency")
            and (quantity.measure == "plain" or self.sheet.measured[c].unit in quantity.currencies)
        ]
        return frozenset(taking) if len(taking) == 1 else frozenset()

    def _is_whole_column(self, binding: Binding) -> bool:
        quantity = binding.quantity
        if any(interval.holds(Decimal(self.sheet.height)) for interval in intervals(quantity)):
            return True
        for column in self.sheet.numeric:
            values = [value for _, value in self.sheet.column_values(column)]
            if values and value_fits(
                quantity, sum(values, Decimal(0)), self.sheet.measured[column], Direction(0)
            ):
                return True
        return False

    def _hints(self, binding: Binding, spans: Sequence[Interval], reach: Reach) -> Iterator[str]:
        """Yield declarations over the named cells that would give the number. Never a source, only advice."""
        quantity, place = binding.quantity, binding.place
        low, high = reach
        for column, total, count in self._totals:
            size = abs(float(total))
            sizes = size, size / count
            if not any(low <= part <= high or low <= part * 100 <= high for part in sizes):
                continue
            name = self.sheet.columns[column].name
            for op, value in (("sum", total), ("mean", total / count)):
                if op == "sum" and not self.sheet.adds_up(column):
                    continue
                if value_fits(quantity, value, self.sheet.measured[column], Direction(0)):
                    yield f'{{"op": "{op}", "args": {{"of": {{"column": "{name}"}}}}}}'
        for row in sorted(place.rows or ())[:3]:
            yield from self._row_hints(quantity, row, spans, reach)

    def _row_hints(
        self, quantity: Quantity, row: int, spans: Sequence[Interval], reach: Reach
    ) -> Iterator[str]:
        low, high = reach
        change, ratio = (scale_of(quantity, Measured(kind)) for kind in ("change", "ratio"))

        def fits(value: Decimal, by: Decimal | None) -> bool:
            return by is not None and any_holds(spans, value * by, ANY)

        levels = {c: scale_of(quantity, self.sheet.measured[c]) for c in self.sheet.numeric[:8]}
        sizes = {c: float(level or 0) for c, level in levels.items()}
        times = float(ratio or 0)
        for a, b, x, y, difference, quotient, moved in self._pairs(row):
            near = low <= difference * sizes[a] <= high or low <= quotient * times <= high
            if not (near or low <= moved <= high):
                continue
            level = levels[a]
            cells = self._cell(row, a), self._cell(row, b)
            if self.sheet.measured[a] == self.sheet.measured[b]:
                if fits((x - y) / abs(y) * 100, change):
                    yield f'{{"op": "pct_change", "args": {{"new": {cells[0]}, "old": {cells[1]}}}}}'
                if fits(x - y, level):
                    yield f'{{"op": "difference", "args": {{"a": {cells[0]}, "b": {cells[1]}}}}}'
            if fits(x / y, ratio):
                yield f'{{"op": "ratio", "args": {{"num": {cells[0]}, "den": {cells[1]}}}}}'

    def _pairs(self, row: int) -> Sequence[Pair]:
        """Return every two figures of a row with the sizes of what they make, worked out once a row."""
        if row not in self._paired:
            figures = [
                (c, value) for c in self.sheet.numeric[:8] if (value := self.sheet.number(row, c)) is not None
            ]
            floats = [(c, value, float(value)) for c, value in figures]
            self._paired[row] = [
                (a, b, x, y, abs(p - q), abs(p / q), abs((p - q) / q) * 100)
                for a, x, p in floats
                for b, y, q in floats
                if a != b and q
            ]
        return self._paired[row]

    def _cell(self, row: int, column: int) -> str:
        return f'{{"row": {row}, "column": "{self.sheet.columns[column].name}"}}'

    def _name(self, cell: CellAt) -> str:
        key = " ".join(part for part in self.sheet.row_key(cell[0]) if part)
        column = self.sheet.columns[cell[1]]
        return f"{key or 'the row'}, {column.label or column.name}"

    def _finding(
        self, quantity: Quantity, code: SpanCode, message: str, cell: CellAt | None, expected: str, step: str
    ) -> SpanFinding:
        start, end = self.visible.span(quantity.start, quantity.end)
        return SpanFinding(
            code=code,
            start=start,
            end=end,
            text=self.visible.raw[start:end],
            message=message,
            belongs_to=Cell(row=cell[0], column=self.sheet.columns[cell[1]].name) if cell else None,
            expected=expected,
            next_step=step,
        )


def _reach(spans: Sequence[Interval]) -> Reach:
    """Return sizes that a value near a number can have, one percent and a little wide."""
    return (
        min((float(span.low) for span in spans), default=0.0) * 0.98 - 1e-9,
        max((float(span.high) for span in spans), default=0.0) * 1.02 + 1e-9,
    )


def _is_close(quantity: Quantity, value: Decimal) -> bool:
    """Tell whether a value is within one percent, or one unit of the last place, of what is shown."""
    return any(
        abs(abs(value) - reading.value) <= max(abs(reading.value) / 100, reading.step)
        for reading in quantity.readings
    )
