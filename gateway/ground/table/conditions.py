"""The `where` of a declaration: which rows it keeps, and the figures it names as parameters."""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from gateway.ground.lexing.units import Measured
from gateway.ground.table.address import Unresolved, find_column
from gateway.ground.table.sheet import Sheet, as_figure, as_text
from traces.records import Value

TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "eq": operator.eq,
    "!=": operator.ne,
    "ne": operator.ne,
    ">": operator.gt,
    "gt": operator.gt,
    ">=": operator.ge,
    "ge": operator.ge,
    "<": operator.lt,
    "lt": operator.lt,
    "<=": operator.le,
    "le": operator.le,
}
ALIASES = {"equals": "=", "is": "=", "min": ">=", "max": "<=", "above": ">", "below": "<", "not": "!="}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A figure that a condition compares a column with; `test` is the comparison itself."""

    value: Decimal
    measured: Measured
    column: int
    test: Callable[[Any, Any], bool]


def kept_rows(sheet: Sheet, where: Any, parameters: list[Parameter]) -> list[int]:
    """Return the rows a condition keeps and add its figures to `parameters`. No condition keeps all.

    `where` is {column, op, value}, {column, ">": value}, {column name: value}, or a list of them that must
    all hold. Raises Unresolved.
    """
    rows = list(range(sheet.height))
    for column, op, wanted in _tests(sheet, where):
        rows = [row for row in rows if _passes(sheet.table.rows[row][column], op, wanted)]
        figure = as_figure(wanted) if not isinstance(wanted, list | tuple) else None
        if figure is not None:
            parameters.append(
                Parameter(figure, sheet.measured[column], column, TESTS[op if op in TESTS else "="])
            )
    return rows


def _tests(sheet: Sheet, where: Any) -> Iterator[tuple[int, str, Any]]:
    for part in where if isinstance(where, list | tuple) else [where] if where else []:
        if not isinstance(part, Mapping):
            raise Unresolved("`where` must be {column, op, value}")
        for name, op, value in _spelled(part):
            if op not in TESTS and op != "in":
                raise Unresolved(f"`where` knows no operator {op!r}; use = != > >= < <= in")
            yield find_column(sheet, name), op, value


def _spelled(part: Mapping[str, Any]) -> Iterator[tuple[Any, str, Any]]:
    """Yield (column, operator, value) of one part, however it is spelled."""
    named = part.get("col", part.get("column"))
    if named is None:
        yield from ((name, "=", value) for name, value in part.items())
    elif "value" in part or "op" in part:
        yield named, str(part.get("op", "=")), part.get("value")
    else:
        yield from (
            (named, ALIASES.get(k, k), value) for k, value in part.items() if k not in ("col", "column")
        )


def _passes(value: Value, op: str, wanted: Any) -> bool:
    """Compare as numbers where both are, else as text without regard to case; NULL passes nothing."""
    if value is None:
        return False
    if op == "in":
        items = wanted if isinstance(wanted, list | tuple) else [wanted]
        return any(_passes(value, "=", item) for item in items)
    if isinstance(wanted, list | tuple | Mapping):
        raise Unresolved("`where` compares with one value; use `in` for a list")
    left, right = as_figure(value), as_figure(wanted)
    if left is not None and right is not None:
        return TESTS[op](left, right)
    return TESTS[op](as_text(value).lower(), as_text(wanted).lower())
