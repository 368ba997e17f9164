"""Map a labelled SQL case onto the reader and the SQL checks: the schema file is the whole policy."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import yaml

from metric_layer.plan import Dialect
from metric_layer.sql import Catalogue, CatalogueColumn, CatalogueJoin, CatalogueTable, Reader, ReadLimits
from metric_layer.sql.catalogue import PersonalUse
from policies.facts import SqlFacts
from policies.policy import Policy, Role, TextLimits
from policies.register import SQL_CHECKS, judge, worst

Case = Mapping[str, Any]
VERDICTS = {"skipped": "ok", "allow": "ok", "soft": "soft", "hold": "soft", "hard": "hard"}


@dataclass(frozen=True, slots=True)
class _Room:
    """A role's reader over the schema, and the facts that never change between its cases."""

    reader: Reader
    catalogue: Catalogue
    policy: Policy


def verdicts(cases: Iterable[Case], schema_path: Path) -> Iterable[dict[str, Any]]:
    """Yield one verdict line per case."""
    schema = yaml.safe_load(schema_path.read_text(encoding="utf-8"))
    rooms: dict[tuple[str, str], _Room] = {}
    for case in cases:
        key = (case["dialect"], case.get("role", "analyst"))
        if key not in rooms:
            rooms[key] = _room(schema, *key)
        yield _verdict(case, rooms[key])


def _verdict(case: Case, room: _Room) -> dict[str, Any]:
    reading = room.reader.read(case["sql"])
    facts = SqlFacts("free", room.policy, room.catalogue, reading, None)
    decisions = judge(SQL_CHECKS, facts)
    checks = sorted({d.check for d in decisions if d.verdict in ("soft", "hold", "hard")})
    return {"id": case["id"], "verdict": VERDICTS[worst(decisions)], "checks": checks}


def _room(schema: Mapping[str, Any], dialect: Dialect, role_name: str) -> _Room:
    rules = schema["policy"]
    limits = TextLimits(
        generated_rows=rules["generated_rows_max"],
        recursion_steps=TextLimits().recursion_steps,
    )
    role = Role(datasets=tuple(schema["roles"][role_name]["tables"]))
    policy = Policy(name="corpus", roles={role_name: role}, text=limits)
    catalogue = _catalogue(schema, dialect, role_name)
    reader = Reader(
        catalogue,
        ReadLimits(
            generated_rows=limits.generated_rows,
            recursion_steps=limits.recursion_steps,
            max_rows=rules["row_limit"]["max"],
        ),
    )
    return _Room(reader, catalogue, policy)


def _catalogue(schema: Mapping[str, Any], dialect: Dialect, role_name: str) -> Catalogue:
    place = schema["dialects"][dialect]
    role = schema["roles"][role_name]
    fold = str.upper if place.get("identifier_folding") == "upper" else str
    tables = tuple(_table(name, schema["tables"][name], role["pii"], fold) for name in role["tables"])
    now = schema["now"]
    return Catalogue(
        dialect=dialect,
        default_catalog=place.get("default_database") or place.get("default_project") or "",
        default_schema=place.get("default_schema") or place.get("default_dataset") or "",
        tables=tables,
        joins=tuple(_join(join, fold) for join in schema["joins"]),
        now=now if now.tzinfo else now.replace(tzinfo=UTC),
        digest="corpus",
    )


def _table(name: str, table: Mapping[str, Any], pii: PersonalUse, fold: Any) -> CatalogueTable:
    required = table.get("required_filter", {})
    return CatalogueTable(
        name=fold(name),
        columns=tuple(
            CatalogueColumn(fold(column), spec["type"], pii if spec.get("pii") else "")
            for column, spec in table["columns"].items()
        ),
        grain=tuple(fold(column) for column in table["grain"]),
        time_column=fold(required.get("column", "")),
        max_window_days=required.get("max_window_days", 0),
        dataset=name,
    )


def _join(join: Mapping[str, Any], fold: Any) -> CatalogueJoin:
    (left, left_column), (right, right_column) = (
        fold(join[side]).rsplit(".", 1) for side in ("left", "right")
    )
    return CatalogueJoin(left, (left_column,), right, (right_column,), join["cardinality"])
