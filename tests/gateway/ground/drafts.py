"""Small results and the answer check over them, so that a test reads as a draft and its verdict."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from gateway.ground import GroundRules, Scope, ground
from metric_layer.resolved import OutputColumn
from traces.grounding import Grounding
from traces.records import Derivation, Table, Value

TODAY = date(2026, 11, 29)
ANYTHING = Scope(today=TODAY, known=False)
Q3 = Scope(today=TODAY, start=date(2026, 7, 1), end=date(2026, 10, 1), metrics=("Orders",))


def result(columns: str, *rows: Sequence[Any], truncated: bool = False) -> Table:
    """Build a table from "Region, Net revenue:USD, Orders:"; a colon marks a figure."""
    built = tuple(_column(spec.strip()) for spec in columns.split(","))
    return Table(columns=built, rows=tuple(tuple(map(_value, row)) for row in rows), truncated=truncated)


def _column(spec: str) -> OutputColumn:
    label, colon, unit = spec.partition(":")
    name = label.lower().replace(" ", "_")
    if not colon:
        return OutputColumn(name=name, kind="dimension", type="string", label=label)
    return OutputColumn(name=name, kind="metric", type="decimal", label=label, unit=unit)


def _value(value: Any) -> Value:
    return Decimal(str(value)) if isinstance(value, int | float) else value


def regions(unit: str, name: str, *values: Any) -> Table:
    """Build a result of three regions and one figure each."""
    return result(f"Region, {name}:{unit}", *zip(("Benelux", "Iberia", "Nordics"), values, strict=False))


def declare(op: str, id_: str = "d1", **args: Any) -> Derivation:
    """Declare a derivation."""
    return Derivation.model_validate({"id": id_, "op": op, "args": args})


def cell(row: Any, column: str) -> Mapping[str, Any]:
    """Name a cell."""
    return {"row": row, "column": column}


def check(
    draft: str,
    table: Table,
    declared: Sequence[Derivation] = (),
    scope: Scope = ANYTHING,
    rules: GroundRules | None = None,
) -> Grounding:
    """Check a draft."""
    return ground(draft, table, scope, declared, rules or GroundRules())


def passes(draft: str, table: Table, declared: Sequence[Derivation] = (), scope: Scope = ANYTHING) -> bool:
    """Tell whether nothing but an open claim stands against a draft."""
    return check(draft, table, declared, scope).verdict in ("pass", "hold")


def codes(grounding: Grounding) -> set[str]:
    """Return the codes of what stands against a draft, open claims left out."""
    return {f.code for f in grounding.findings if f.code != "claim" or f.expected}
