"""Map a labelled draft onto the product's own table, scope and declarations."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from gateway.ground import GroundRules, Scope, ground
from metric_layer.resolved import OutputColumn
from traces.records import Derivation, Table, Value

Case = Mapping[str, Any]
TYPES: Mapping[str, Any] = {
    "text": ("dimension", "string"),
    "year": ("dimension", "string"),
    "number": ("metric", "decimal"),
}
NOT_ARGUMENTS = frozenset(("id", "op", "unit", "value"))


def verdicts(cases: Iterable[Case]) -> Iterable[dict[str, Any]]:
    """Yield one verdict line per case; a held draft counts as let through, its flags being for the judge."""
    for case in cases:
        found = ground(case["draft"], _table(case["table"]), _scope(case), _declared(case), GroundRules())
        yield {
            "id": case["id"],
            "verdict": "pass" if found.verdict == "hold" else found.verdict,
            "flags": list(found.flags),
            "findings": [f"{f.code} {f.text!r}: {f.message} [{f.expected}]" for f in found.findings],
        }


def _table(table: Mapping[str, Any]) -> Table:
    scales = [column.get("scale") or 1 for column in table["columns"]]
    columns = tuple(_column(column) for column in table["columns"])
    rows = tuple(
        tuple(_value(value, column, scale) for value, column, scale in zip(row, columns, scales, strict=True))
        for row in table["rows"]
    )
    return Table(columns=columns, rows=rows)


def _column(column: Mapping[str, Any]) -> OutputColumn:
    kind, type_ = TYPES[column["type"]]
    return OutputColumn(
        name=column["name"], kind=kind, type=type_, label=column["name"], unit=column.get("unit") or ""
    )


def _value(value: Any, column: OutputColumn, scale: int) -> Value:
    """A figure in thousands is a figure in units; the product keeps no scale beside a column."""
    if value is None or column.kind != "metric":
        return None if value is None else str(value)
    return Decimal(str(value)) * scale


def _scope(case: Case) -> Scope:
    plan = case.get("plan") or {}
    time = plan.get("time") or {}
    return Scope(
        today=date.fromisoformat(case.get("today") or time.get("to") or "2026-11-29"),
        start=date.fromisoformat(time["from"]) if time else None,
        end=date.fromisoformat(time["to"]) + timedelta(days=1) if time else None,
        known=bool(plan),
        filters=tuple(
            (f["field"], f["op"], tuple(str(v) for v in f["values"])) for f in plan.get("filters") or ()
        ),
        metrics=tuple(name.replace("_", " ") for name in plan.get("metrics") or ()),
        locale=case.get("locale") or "en",
        subject=case["table"].get("title") or "",
    )


def _declared(case: Case) -> tuple[Derivation, ...]:
    return tuple(
        Derivation(
            id=entry["id"], op=entry["op"], args={k: v for k, v in entry.items() if k not in NOT_ARGUMENTS}
        )
        for entry in case.get("declared") or ()
    )
