"""Declared derivations: typed, computed here in decimals over named cells; the declared value is never read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

from gateway.ground.names import Names
from gateway.ground.sheet import CellAt, Sheet, as_figure, as_text
from gateway.ground.units import Measured
from metric_layer.vocabulary import near
from traces.records import Derivation, Value

RATES = ("percent", "fraction", "points", "share", "change")
TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: bool(a == b), "==": lambda a, b: bool(a == b), "eq": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b), "ne": lambda a, b: bool(a != b),
    ">": lambda a, b: bool(a > b), "gt": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b), "ge": lambda a, b: bool(a >= b),
    "<": lambda a, b: bool(a < b), "lt": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b), "le": lambda a, b: bool(a <= b),
}  # fmt: skip
ALIASES = {"equals": "=", "is": "=", "min": ">=", "max": "<=", "above": ">", "below": "<", "not": "!="}


@dataclass(frozen=True, slots=True)
class Derived:
    """A computed value: what it measures, the cells it rests on, the expression to show.

    `whole` is true when it rests on every row of a column; `change` when its sign says up or down.
    """

    id: str
    op: str
    value: Decimal
    measured: Measured
    rows: frozenset[int]
    columns: frozenset[int]
    whole: bool
    expression: str
    parameters: tuple[tuple[Decimal, Measured], ...] = ()

    @property
    def change(self) -> bool:
        """Tell whether the sign of the value is a direction."""
        return self.op in ("difference", "pct_change", "pp_change")


class BadDeclaration(ValueError):
    """A declaration that code cannot compute or must not; the message says what to mend."""


def derive(declared: Sequence[Derivation], sheet: Sheet, names: Names) -> tuple[list[Derived], list[tuple[str, str]]]:
    """Return the computed derivations and, for each one refused, (id, reason)."""
    found: list[Derived] = []
    refused: list[tuple[str, str]] = []
    for derivation in declared:
        try:
            with localcontext() as context:
                context.prec = 50
                found.append(Computer(sheet, names).compute(derivation))
        except BadDeclaration as error:
            refused.append((derivation.id, str(error)))
        except ArithmeticError:
            refused.append((derivation.id, "it divides by zero or leaves the range of numbers"))
    return found, refused


class Computer:
    """Computes one derivation over one sheet."""

    def __init__(self, sheet: Sheet, names: Names) -> None:
        """Stand on a sheet."""
        self.sheet = sheet
        self.names = names
        self.parameters: list[tuple[Decimal, Measured]] = []

    def compute(self, derivation: Derivation) -> Derived:
        """Return the value of a derivation. Raises BadDeclaration with what to mend."""
        op, args = derivation.op, derivation.args
        if op in ("difference", "pct_change", "pp_change", "ratio"):
            return self._pair(derivation, *PAIRS[op])
        if op == "share":
            return self._share(derivation)
        if op in ("sum", "mean", "min", "max"):
            return self._aggregate(derivation)
        if op == "count_rows":
            rows = self._where(args.get("where"))
            return self._counted(derivation, len(rows), frozenset(rows), frozenset(), "rows")
        if op == "count_distinct":
            column = self._column(args.get("col", args.get("column")))
            rows = self._where(args.get("where"))
            seen = {self.sheet.table.rows[row][column] for row in rows} - {None}
            return self._counted(derivation, len(seen), frozenset(rows), frozenset(), self.sheet.columns[column].name)
        return self._rank(derivation)

    def _pair(self, derivation: Derivation, first: str, second: str) -> Derived:
        op = derivation.op
        a, b = (self._cell(derivation.args.get(name), name) for name in (first, second))
        left, right = self._figure(a), self._figure(b)
        unit, other = self.sheet.measured[a[1]], self.sheet.measured[b[1]]
        if op != "ratio" and unit != other:
            raise BadDeclaration(f"{op} mixes {_named(unit)} and {_named(other)}; both cells must have one unit")
        if op in ("pct_change", "pp_change"):
            self._check_order(a, b, op)
        value, measured = PAIR_VALUES[op](left, right, unit, other)
        expression = f"{op}({self._show(a)}, {self._show(b)})"
        return self._derived(derivation, value, measured, (a, b), False, expression)

    def _check_order(self, new: CellAt, old: CellAt, op: str) -> None:
        """A change runs over time within one metric: the new cell may not be older than the old one."""
        if new[0] == old[0] and new[1] == old[1]:
            raise BadDeclaration(f"{op} compares a cell with itself")
        windows = dict(self.names.column_windows)
        if new[1] != old[1] and (new[1] not in windows or old[1] not in windows):
            raise BadDeclaration(f"{op} needs two cells of one metric")
        pairs = [(windows.get(new[1]), windows.get(old[1]))] if new[1] != old[1] else []
        pairs += [(dict(rows).get(new[0]), dict(rows).get(old[0])) for rows in self.names.row_windows.values()]
        if any(late and early and late[0] < early[0] for late, early in pairs):
            raise BadDeclaration(f"{op} has its cells the wrong way round: `new` is older than `old`")

    def _share(self, derivation: Derivation) -> Derived:
        part, whole = (self._cells(derivation.args.get(name), name) for name in ("part", "whole"))
        unit = self._one_unit((*part, *whole), "share")
        if unit.carrier in RATES:
            raise BadDeclaration("share of percentages has no meaning; use the amounts")
        top = sum((self._figure(cell) for cell in part), Decimal(0))
        value = 100 * top / sum((self._figure(cell) for cell in whole), Decimal(0))
        names = " + ".join(self._show(cell) for cell in part[:5]) or "0"
        expression = f"share({names} of {self._show_all(whole)})"
        return self._derived(derivation, value, Measured("share"), part, False, expression)

    def _aggregate(self, derivation: Derivation) -> Derived:
        op = derivation.op
        cells = self._cells(derivation.args.get("of"), "of")
        unit = self._one_unit(cells, op)
        if op == "sum" and unit.carrier in RATES:
            raise BadDeclaration("percentages cannot be added up; use the amounts they were made from")
        figures = [self._figure(cell) for cell in cells]
        total = sum(figures, Decimal(0))
        value = {"sum": total, "mean": total / len(figures), "min": min(figures), "max": max(figures)}[op]
        rows = {row for row, _ in cells}
        whole = len(rows) > 1 and len(rows) >= len(self.sheet.column_values(cells[0][1]))
        return self._derived(derivation, value, unit, cells, whole, f"{op}({self._show_all(cells)})")

    def _rank(self, derivation: Derivation) -> Derived:
        row = self._row(derivation.args.get("row"))
        column = self._column(derivation.args.get("col", derivation.args.get("column")))
        own = self._figure((row, column))
        rising = str(derivation.args.get("order", "desc")).lower().startswith("asc")
        ahead = sum(1 for _, value in self.sheet.column_values(column) if (value < own if rising else value > own))
        order = "asc" if rising else "desc"
        return self._derived(
            derivation, Decimal(ahead + 1), Measured("number", "rank"), ((row, column),), False,
            f"rank({self._show((row, column))}, {order})",
        )  # fmt: skip

    def _counted(
        self, derivation: Derivation, count: int, rows: frozenset[int], columns: frozenset[int], what: str
    ) -> Derived:
        whole = len(rows) == self.sheet.height
        return Derived(
            derivation.id, derivation.op, Decimal(count), Measured("number", "count"), rows, columns, whole,
            f"{derivation.op}({what})", tuple(self.parameters),
        )  # fmt: skip

    def _derived(
        self, derivation: Derivation, value: Decimal, measured: Measured, cells: Sequence[CellAt], whole: bool, text: str
    ) -> Derived:
        rows, columns = frozenset(row for row, _ in cells), frozenset(column for _, column in cells)
        return Derived(
            derivation.id, derivation.op, value, measured, rows, columns, whole, text, tuple(self.parameters)
        )

    def _one_unit(self, cells: Sequence[CellAt], op: str) -> Measured:
        units = {self.sheet.measured[column] for _, column in cells}
        if not cells:
            raise BadDeclaration(f"{op} has no cells with a figure")
        if len(units) > 1:
            raise BadDeclaration(f"{op} mixes units: {', '.join(sorted(_named(unit) for unit in units))}")
        return units.pop()

    def _cells(self, spec: Any, name: str) -> list[CellAt]:
        """Read a list of cells, one cell, or a whole column with an optional condition (NULLs left out)."""
        if isinstance(spec, list | tuple):
            return [self._cell(item, name) for item in spec]
        if isinstance(spec, Mapping) and "row" not in spec:
            column = self._column(spec.get("col", spec.get("column")))
            rows = self._where(spec.get("where"))
            return [(row, column) for row in rows if as_figure(self.sheet.table.rows[row][column]) is not None]
        return [self._cell(spec, name)]

    def _cell(self, spec: Any, name: str) -> CellAt:
        if not isinstance(spec, Mapping) or "row" not in spec:
            raise BadDeclaration(f"argument {name!r} must be a cell {{row, column}}")
        return self._row(spec["row"]), self._column(spec.get("col", spec.get("column")))

    def _row(self, spec: Any) -> int:
        return find_row(self.sheet, spec)

    def _column(self, spec: Any) -> int:
        return find_column(self.sheet, spec)

    def _figure(self, cell: CellAt) -> Decimal:
        value = as_figure(self.sheet.table.rows[cell[0]][cell[1]])
        if value is None:
            raise BadDeclaration(f"{self._show(cell)} holds no figure")
        return value

    def _where(self, spec: Any) -> list[int]:
        """Return the rows a condition keeps: {col, op, value}, {column name: value}, a list of them (all), or none."""
        rows = list(range(self.sheet.height))
        for column, op, wanted in self._tests(spec):
            rows = [row for row in rows if _passes(self.sheet.table.rows[row][column], op, wanted)]
            number = as_figure(wanted)
            if number is not None:
                self.parameters.append((number, self.sheet.measured[column]))
        return rows

    def _tests(self, spec: Any) -> Iterable[tuple[int, str, Value]]:
        for part in spec if isinstance(spec, list | tuple) else [spec] if spec else []:
            if not isinstance(part, Mapping):
                raise BadDeclaration("`where` must be {col, op, value}")
            for name, op, value in _spelled_tests(part):
                if op not in TESTS and op != "in":
                    raise BadDeclaration(f"`where` knows no operator {op!r}; use = != > >= < <= in")
                yield self._column(name), op, value

    def _show(self, cell: CellAt) -> str:
        key = "|".join(self.sheet.row_key(cell[0])) or str(cell[0])
        return f"{key}.{self.sheet.columns[cell[1]].name}"

    def _show_all(self, cells: Sequence[CellAt]) -> str:
        columns = {column for _, column in cells}
        if len(columns) == 1 and len(cells) > 3:
            return f"{self.sheet.columns[cells[0][1]].name}, {len(cells)} rows"
        return ", ".join(self._show(cell) for cell in cells[:6]) + (", ..." if len(cells) > 6 else "")


def _spelled_tests(part: Mapping[str, Any]) -> Iterable[tuple[Any, str, Any]]:
    """Yield (column, operator, value) of {col, op, value}, {col, ">": value} or {column name: value}."""
    named = part.get("col", part.get("column"))
    if named is None:
        yield from ((name, "=", value) for name, value in part.items())
    elif "value" in part or "op" in part:
        yield named, str(part.get("op", "=")), part.get("value")
    else:
        yield from ((named, ALIASES.get(key, key), value) for key, value in part.items() if key not in ("col", "column"))


def find_row(sheet: Sheet, spec: Any) -> int:
    """Return the row that a 0-based number or "value|value" names. Raises BadDeclaration."""
    if isinstance(spec, int) and not isinstance(spec, bool) and 0 <= spec < sheet.height:
        return spec
    text = str(spec).strip()
    if text.isdigit() and len(text) < 9 and int(text) < sheet.height:
        return int(text)
    wanted = tuple(part.strip().lower() for part in text.split("|"))
    keys = [sheet.row_key(row) for row in range(sheet.height)]
    rows = [row for row, key in enumerate(keys) if _matches_key(key, wanted)]
    if len(rows) == 1:
        return rows[0]
    close = near(text, ["|".join(key) for key in keys[:2000]])
    what = "names more than one row" if rows else "names no row of the result"
    raise BadDeclaration(f"row {text!r} {what}" + (f"; near: {', '.join(close)}" if close else ""))


def _matches_key(key: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Compare a row's dimension values with those asked for; a date may be cut to its month or year."""
    if len(key) != len(wanted):
        return False
    return all(
        text.lower() == word or (len(word) in (4, 7) and word[:4].isdigit() and text.startswith(word) and len(text) == 10)
        for text, word in zip(key, wanted, strict=True)
    )


def find_column(sheet: Sheet, spec: Any) -> int:
    """Return the column of this name, label or synonym. Raises BadDeclaration."""
    text = str(spec or "").strip()
    for i, column in enumerate(sheet.columns):
        if text == column.name:
            return i
    low = text.lower().replace("_", " ")
    found = [
        i
        for i, column in enumerate(sheet.columns)
        if low in {column.name.lower().replace("_", " "), column.label.lower(), *(name.lower() for name in column.synonyms)}
    ]
    if len(found) == 1:
        return found[0]
    close = near(text, [column.name for column in sheet.columns])
    raise BadDeclaration(f"column {text!r} is not in the result" + (f"; near: {', '.join(close)}" if close else ""))


def _passes(value: Value, op: str, wanted: Any) -> bool:
    if value is None:
        return False
    number = as_figure(value)
    if op == "in":
        items = wanted if isinstance(wanted, list | tuple) else [wanted]
        return any(_passes(value, "=", item) for item in items)
    against = as_figure(wanted)
    if number is not None and against is not None:
        return TESTS[op](number, against)
    return TESTS[op](as_text(value).lower(), as_text(wanted).lower())


def _named(unit: Measured) -> str:
    return unit.unit or unit.carrier


PAIRS = {"difference": ("a", "b"), "pct_change": ("new", "old"), "pp_change": ("new", "old"), "ratio": ("num", "den")}
PairValue = tuple[Decimal, Measured]


def _difference(a: Decimal, b: Decimal, unit: Measured, other: Measured) -> PairValue:
    return (_points(a, b, unit, other)) if unit.carrier in ("percent", "fraction") else (a - b, unit)


def _points(a: Decimal, b: Decimal, unit: Measured, other: Measured) -> PairValue:
    if unit.carrier == "currency":
        raise BadDeclaration("pp_change needs two percentages")
    return (a - b) * (100 if unit.carrier == "fraction" else 1), Measured("points")


def _percent(new: Decimal, old: Decimal, unit: Measured, other: Measured) -> PairValue:
    return (new - old) / abs(old) * 100, Measured("change")


def _ratio(num: Decimal, den: Decimal, unit: Measured, other: Measured) -> PairValue:
    mixed = unit.carrier == "currency" and other.carrier != "currency"
    return num / den, unit if mixed else Measured("ratio")


PAIR_VALUES: dict[str, Callable[[Decimal, Decimal, Measured, Measured], PairValue]] = {
    "difference": _difference,
    "pct_change": _percent,
    "pp_change": _points,
    "ratio": _ratio,
}
