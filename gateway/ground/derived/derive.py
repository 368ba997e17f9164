"""Declared derivations: typed, computed here in decimals; the declared value is never read."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Any

from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.units import RATES, Measured
from gateway.ground.naming.names import Names
from gateway.ground.table.address import Unresolved, find_column, find_row
from gateway.ground.table.conditions import Parameter, kept_rows
from gateway.ground.table.sheet import CellAt, Sheet, as_figure
from policies.mask import MASK
from traces.grounding import SpanCode
from traces.records import Derivation

PAIRS = {
    "difference": ("a", "b"),
    "pct_change": ("new", "old"),
    "pp_change": ("new", "old"),
    "ratio": ("num", "den"),
}
PRECISION = 50
PLAN = re.compile(r"\b(?:budget(?:ed)?|targets?|goal|plan(?:ned)?|forecast|quota)\b", re.IGNORECASE)
ACTUAL = re.compile(r"\b(?:actuals?|outturn|achieved|results?)\b", re.IGNORECASE)
Figured = tuple[Decimal, Measured]


@dataclass(frozen=True, slots=True)
class Derived:
    """A computed value: what it measures, the cells it rests on, the expression to show.

    `whole` is true when it rests on every row of a column; `lead` is the cell that a pair is counted from (a,
    new, num); `parameters` are figures of its condition; `parts` are the rows of a share's part;
    `backward` says that a difference is counted from the older of two dated cells.
    """

    id: str
    op: str
    value: Decimal
    measured: Measured
    rows: frozenset[int]
    columns: frozenset[int]
    whole: bool
    expression: str
    parameters: tuple[Parameter, ...] = ()
    lead: CellAt | None = None
    parts: frozenset[int] = frozenset()
    backward: bool = False

    @property
    def change(self) -> bool:
        """Tell whether the sign of the value is a direction."""
        return self.op in ("difference", "pct_change", "pp_change")


@dataclass(frozen=True, slots=True)
class Refused:
    """A declaration that was not computed, and why."""

    id: str
    code: SpanCode
    reason: str


class CutResult(ValueError):
    """A figure over all rows of a result whose other rows were never read."""


def derive(declared: Sequence[Derivation], sheet: Sheet, names: Names) -> tuple[list[Derived], list[Refused]]:
    """Return the computed derivations, and the refused ones with what to mend."""
    found: list[Derived] = []
    refused: list[Refused] = []
    ids = [derivation.id for derivation in declared]
    for derivation in declared:
        if ids.count(derivation.id) > 1:
            refused.append(Refused(derivation.id, "bad_declaration", "more than one declaration has this id"))
            continue
        try:
            with localcontext() as context:
                context.prec = PRECISION
                found.append(_Computer(sheet, names, derivation).compute())
        except Unresolved as error:
            refused.append(Refused(derivation.id, "bad_declaration", str(error)))
        except CutResult:
            refused.append(Refused(derivation.id, "cut_result", "it counts or adds up a result that was cut"))
        except ArithmeticError:
            refused.append(
                Refused(derivation.id, "bad_declaration", "it divides by zero or leaves the range of numbers")
            )
    return found, refused


class _Computer:
    """Computes one derivation over one sheet."""

    def __init__(self, sheet: Sheet, names: Names, derivation: Derivation) -> None:
        self.sheet = sheet
        self.names = names
        self.derivation = derivation
        self.args: Mapping[str, Any] = derivation.args
        self.parameters: list[Parameter] = []

    def compute(self) -> Derived:
        """Return the value. Raises Unresolved, CutResult or ArithmeticError."""
        op = self.derivation.op
        if op in PAIRS:
            return self._pair(op)
        if op == "share":
            return self._share()
        if op == "rank":
            return self._rank()
        if op in ("count_rows", "count_distinct"):
            return self._count(op)
        return self._aggregate(op)

    def _pair(self, op: str) -> Derived:
        a, b = (self._cell(self.args.get(name), name) for name in PAIRS[op])
        unit, other = self.sheet.measured[a[1]], self.sheet.measured[b[1]]
        if op != "ratio" and unit != other:
            raise Unresolved(f"{op} mixes {_named(unit)} and {_named(other)}; both cells must have one unit")
        if op in ("pct_change", "pp_change"):
            self._check_order(a, b, op)
        value, measured = PAIR_VALUES[op](self._figure(a), self._figure(b), unit, other)
        found = self._derived(value, measured, (a, b), f"{op}({self._show(a)}, {self._show(b)})")
        return replace(found, backward=op == "difference" and self._is_older(a, b))

    def _is_older(self, a: CellAt, b: CellAt) -> bool:
        """Tell whether one cell is of an earlier period than another, by its column or by its row."""
        dated = self.names.dated
        pairs = [(dated.get(a[1]), dated.get(b[1]))] if a[1] != b[1] else []
        if self._is_one_series(a[0], b[0]):
            pairs += [(rows.get(a[0]), rows.get(b[0])) for rows in self.names.row_windows.values()]
        return any(first and second and first[0] < second[0] for first, second in pairs)

    def _is_one_series(self, one: int, other: int) -> bool:
        """Tell whether two rows differ in nothing but their periods: two people who joined in turn do not."""
        rows = self.sheet.table.rows
        others = (key for key in self.sheet.keys if key not in self.names.row_windows)
        return all(rows[one][key] == rows[other][key] for key in others)

    def _check_order(self, new: CellAt, old: CellAt, op: str) -> None:
        """A change runs over time within one metric: the new cell may not be older than the old one."""
        if new == old:
            raise Unresolved(f"{op} compares a cell with itself")
        windows = self.names.dated
        known = self.sheet.previous.get(new[1]) == old[1] or self._is_of_plan(new[1], old[1])
        if new[1] != old[1] and known:
            return
        dated = new[1] in windows and old[1] in windows
        if self.sheet.previous.get(old[1]) == new[1] or (
            new[1] != old[1] and not (dated and self.names.are_of_one_metric(new[1], old[1]))
        ):
            raise Unresolved(f"{op} needs two cells of one metric")
        if self._is_older(new, old):
            raise Unresolved(f"{op} has its cells the wrong way round: `new` is older than `old`")

    def _is_of_plan(self, actual: int, plan: int) -> bool:
        """Tell whether a column holds what was planned for another one ("Cost budget", "Cost actual")."""
        told, planned = self.sheet.label(actual), self.sheet.label(plan)
        if PLAN.search(told) or not PLAN.search(planned):
            return False
        rest = split_words(PLAN.sub(" ", planned))
        return not rest or split_words(ACTUAL.sub(" ", told)) == rest

    def _share(self) -> Derived:
        part, whole = (self._cells(self.args.get(name), name) for name in ("part", "whole"))
        one = len(whole) == 1 and whole[0] not in part and self._may_hold(whole[0], part)
        if not (one or set(part) <= set(whole)):
            raise Unresolved("share needs a part that lies inside its whole, or one cell that can hold it")
        if self._one_unit((*part, *whole)).carrier in RATES:
            raise Unresolved("share of percentages has no meaning; use the amounts")
        self._refuse_cut(whole)
        self._refuse_unsafe(whole)
        top = sum((self._figure(cell) for cell in part), Decimal(0))
        value = 100 * top / sum((self._figure(cell) for cell in whole), Decimal(0))
        shown = f"share({self._list(part)} of {self._list(whole)})"
        share = self._derived(value, Measured("share"), [*part, *whole] if one else part, shown)
        return replace(share, parts=frozenset(row for row, _ in part))

    def _may_hold(self, whole: CellAt, part: Sequence[CellAt]) -> bool:
        """Tell whether a cell is large enough to be the total that a part lies in."""
        return abs(sum(map(self._figure, part), Decimal(0))) <= abs(self._figure(whole))

    def _aggregate(self, op: str) -> Derived:
        cells = self._cells(self.args.get("of"), "of")
        unit = self._one_unit(cells)
        if op == "sum" and unit.carrier in RATES:
            raise Unresolved("percentages cannot be added up; use the amounts they were made from")
        self._refuse_cut(cells)
        if op == "sum":
            self._refuse_unsafe(cells)
        figures = [self._figure(cell) for cell in cells]
        total = sum(figures, Decimal(0))
        values = {"sum": total, "mean": total / len(figures), "min": min(figures), "max": max(figures)}
        return self._derived(
            values[op], unit, cells, f"{op}({self._list(cells)})", whole=self._is_whole(cells)
        )

    def _rank(self) -> Derived:
        cell = find_row(self.sheet, self.args.get("row")), self._column(self.args)
        self._refuse_cut_table()
        own = self._figure(cell)
        rising = str(self.args.get("order", "desc")).lower().startswith("asc")
        ahead = sum(value < own if rising else value > own for value in self.sheet.figures(cell[1]))
        text = f"rank({self._show(cell)}, {'asc' if rising else 'desc'})"
        return self._derived(Decimal(ahead + 1), Measured("number", "rank"), (cell,), text)

    def _count(self, op: str) -> Derived:
        self._refuse_cut_table()
        rows = kept_rows(self.sheet, self.args.get("where"), self.parameters)
        count, what = len(rows), "rows"
        if op == "count_distinct":
            column = self._column(self.args)
            count = len({self.sheet.table.rows[row][column] for row in rows} - {None})
            what = self.sheet.columns[column].name
        cells = [(row, -1) for row in rows]
        return self._derived(Decimal(count), Measured("number", "count"), cells, f"{op}({what})")

    def _derived(
        self, value: Decimal, measured: Measured, cells: Sequence[CellAt], text: str, *, whole: bool = False
    ) -> Derived:
        return Derived(
            self.derivation.id,
            self.derivation.op,
            value,
            measured,
            frozenset(row for row, _ in cells),
            frozenset(column for _, column in cells if column >= 0),
            whole,
            text,
            tuple(self.parameters),
            cells[0] if self.derivation.op in PAIRS else None,
        )

    def _is_whole(self, cells: Sequence[CellAt]) -> bool:
        rows = {row for row, _ in cells}
        return len(rows) > 1 and len(rows) >= len(self.sheet.figures(cells[0][1]))

    def _refuse_cut(self, cells: Sequence[CellAt]) -> None:
        if self._is_whole(cells):
            self._refuse_cut_table()

    def _refuse_unsafe(self, cells: Sequence[CellAt]) -> None:
        """Values of several rows are added up only where the metric's definition lets them be."""
        for at in {column for _, column in cells}:
            why = self.sheet.kept_apart(at, [row for row, column in cells if column == at])
            if why is not None:
                name = self.sheet.columns[at].name
                raise Unresolved(
                    f"values of {name} cannot be added up{why}; ask the metric without that breakdown"
                )

    def _refuse_cut_table(self) -> None:
        if self.sheet.table.truncated:
            raise CutResult

    def _one_unit(self, cells: Sequence[CellAt]) -> Measured:
        units = {self.sheet.measured[column] for _, column in cells}
        if not cells:
            raise Unresolved(f"{self.derivation.op} has no cells with a figure")
        if len(units) > 1:
            raise Unresolved(f"{self.derivation.op} mixes units: {', '.join(sorted(map(_named, units)))}")
        return units.pop()

    def _cells(self, spec: Any, name: str) -> list[CellAt]:
        """Read a list of cells, one cell, or a whole column with an optional condition (NULLs left out)."""
        if isinstance(spec, list | tuple):
            cells = [self._cell(item, name) for item in spec]
            if len(set(cells)) < len(cells):
                raise Unresolved(f"argument {name!r} names a cell more than once")
            return cells
        if isinstance(spec, Mapping) and "row" not in spec:
            column = self._column(spec)
            rows = kept_rows(self.sheet, spec.get("where"), self.parameters)
            return [
                (row, column) for row in rows if as_figure(self.sheet.table.rows[row][column]) is not None
            ]
        return [self._cell(spec, name)]

    def _cell(self, spec: Any, name: str) -> CellAt:
        if not isinstance(spec, Mapping) or "row" not in spec:
            raise Unresolved(f"argument {name!r} must be a cell {{row, column}}")
        return find_row(self.sheet, spec["row"]), self._column(spec)

    def _column(self, spec: Mapping[str, Any]) -> int:
        return find_column(self.sheet, spec.get("col", spec.get("column")))

    def _figure(self, cell: CellAt) -> Decimal:
        held = self.sheet.table.rows[cell[0]][cell[1]]
        value = as_figure(held)
        if value is None:
            reason = "is hidden" if held == MASK else "holds no data"
            raise Unresolved(f"{self._show(cell)} {reason}")
        return value

    def _show(self, cell: CellAt) -> str:
        key = "|".join(self.sheet.row_key(cell[0])) or str(cell[0])
        return f"{key}.{self.sheet.columns[cell[1]].name}"

    def _list(self, cells: Sequence[CellAt]) -> str:
        columns = {column for _, column in cells}
        if len(columns) == 1 and len(cells) > 3:
            return f"{self.sheet.columns[cells[0][1]].name}, {len(cells)} rows"
        return ", ".join(self._show(cell) for cell in cells[:6]) + (", ..." if len(cells) > 6 else "")


def _named(unit: Measured) -> str:
    return unit.unit or unit.carrier


def _difference(a: Decimal, b: Decimal, unit: Measured, other: Measured) -> Figured:
    return _points(a, b, unit, other) if unit.carrier in ("percent", "fraction") else (a - b, unit)


def _points(new: Decimal, old: Decimal, unit: Measured, other: Measured) -> Figured:
    if unit.carrier == "currency":
        raise Unresolved("pp_change needs two percentages")
    return (new - old) * (100 if unit.carrier == "fraction" else 1), Measured("points")


def _percent(new: Decimal, old: Decimal, unit: Measured, other: Measured) -> Figured:
    return (new - old) / abs(old) * 100, Measured("change")


def _ratio(num: Decimal, den: Decimal, unit: Measured, other: Measured) -> Figured:
    mixed = unit.carrier == "currency" and other.carrier != "currency"
    return num / den, unit if mixed else Measured("ratio")


PAIR_VALUES: dict[str, Callable[[Decimal, Decimal, Measured, Measured], Figured]] = {
    "difference": _difference,
    "pct_change": _percent,
    "pp_change": _points,
    "ratio": _ratio,
}
