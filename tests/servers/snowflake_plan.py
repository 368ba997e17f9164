"""DuckDB's plan of a statement -> EXPLAIN USING JSON: partitions and bytes that are left after pruning.

A partition is 4,096 rows in the order they were written. Its bytes are those of its rows in memory, and it is
pruned by the least and greatest value of a column that is compared with a constant, as the service does it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow
import pyarrow.compute
import sqlglot
from sqlglot import exp

from metric_layer.relation import relation_parts
from tests.servers.snowflake_account import Account, Name, quoted

PARTITION = 4096
NAMES = {
    "SEQ_SCAN": "TableScan",
    "HASH_GROUP_BY": "Aggregate",
    "UNGROUPED_AGGREGATE": "Aggregate",
    "PERFECT_HASH_GROUP_BY": "Aggregate",
    "FILTER": "Filter",
    "ORDER_BY": "Sort",
    "TOP_N": "SortWithLimit",
    "LIMIT": "Limit",
    "STREAMING_LIMIT": "Limit",
    "WINDOW": "WindowFunction",
    "STREAMING_WINDOW": "WindowFunction",
    "UNION": "UnionAll",
    "CROSS_PRODUCT": "CartesianJoin",
    "DUMMY_SCAN": "ValuesClause",
    "COLUMN_DATA_SCAN": "ValuesClause",
    "EMPTY_RESULT": "ValuesClause",
    "UNNEST": "Flatten",
    "REC_CTE": "RecursiveUnion",
    "RECURSIVE_CTE": "RecursiveUnion",
    "CTE": "WithClause",
    "CTE_SCAN": "WithReference",
    "REC_CTE_SCAN": "WithReference",
    "RECURSIVE_CTE_SCAN": "WithReference",
}
HIDDEN = frozenset({"PROJECTION", "RESULT_COLLECTOR", "EXPLAIN"})
COMPARED: dict[type[exp.Expr], str] = {exp.GTE: "ge", exp.GT: "gt", exp.LTE: "le", exp.LT: "lt", exp.EQ: "eq"}


@dataclass(slots=True)
class Plans:
    """The partitions of tables, kept for as long as a version of them is."""

    account: Account
    kept: dict[tuple[Name, int], list[pyarrow.Table]] = field(default_factory=dict)

    def explain(self, cursor: duckdb.DuckDBPyConnection, sql: str) -> str:
        """Return the plan of a DuckDB statement as the service's JSON text."""
        row = cursor.execute("EXPLAIN (FORMAT JSON) " + sql).fetchone()
        assert row is not None
        operations: list[dict[str, Any]] = [{"id": 0, "operation": "Result", "expressions": []}]
        for root in json.loads(row[1]):
            operations += self._operations(cursor, root, 0, len(operations))
        sums = {
            key: sum(operation.get(key, 0) for operation in operations)
            for key in ("partitionsTotal", "partitionsAssigned", "bytesAssigned")
        }
        return json.dumps({"GlobalStats": sums, "Operations": [operations]})

    def _operations(
        self, cursor: duckdb.DuckDBPyConnection, node: dict[str, Any], parent: int, number: int
    ) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        name = node["name"].strip()
        if name not in HIDDEN:
            found.append({"id": number, "parentOperators": [parent], **self._operation(cursor, name, node)})
            parent, number = number, number + 1
        for child in node.get("children", ()):
            below = self._operations(cursor, child, parent, number)
            found += below
            number += len(below)
        return found

    def _operation(
        self, cursor: duckdb.DuckDBPyConnection, name: str, node: dict[str, Any]
    ) -> dict[str, Any]:
        info = node.get("extra_info", {})
        if name == "SEQ_SCAN":
            return self._scan(cursor, info)
        if name.endswith("JOIN"):
            return {"operation": _join(info), "expressions": _texts(info.get("Conditions"))}
        return {"operation": NAMES.get(name, name.title().replace("_", "")), "expressions": []}

    def _scan(self, cursor: duckdb.DuckDBPyConnection, info: dict[str, Any]) -> dict[str, Any]:
        database, schema, table = relation_parts(info["Table"])
        place = (database, schema, table)
        partitions = self.partitions(cursor, place)
        kept = [part for part in partitions if all(_may_hold(part, *c) for c in _compared(info))]
        return {
            "operation": "TableScan",
            "objects": [self._named(place)],
            "expressions": [_plain(text) for text in _texts(info.get("Projections"))],
            "partitionsTotal": len(partitions),
            "partitionsAssigned": len(kept),
            "bytesAssigned": sum(part.nbytes for part in kept),
        }

    def _named(self, place: Name) -> str:
        """Return the table that rows belong to, also where they are old ones."""
        for name, versions in self.account.versions.items():
            if any(version.place == place for version in versions):
                return ".".join(name)
        return ".".join(place)

    def partitions(self, cursor: duckdb.DuckDBPyConnection, place: Name) -> list[pyarrow.Table]:
        """Return the rows of a table, part by part."""
        key = (place, len(self.account.versions.get(place, ())))
        if key not in self.kept:
            rows = cursor.sql(f"FROM {quoted(place)}").to_arrow_table()
            self.kept[key] = [rows.slice(at, PARTITION) for at in range(0, rows.num_rows, PARTITION)]
        return self.kept[key]


def row_count(cursor: duckdb.DuckDBPyConnection, name: Name) -> int:
    """Return how many rows a table holds."""
    found = cursor.execute(f"SELECT count(*) FROM {quoted(name)}").fetchone()
    assert found is not None
    return int(found[0])


def _join(info: dict[str, Any]) -> str:
    kinds = {
        "INNER": "InnerJoin",
        "LEFT": "LeftOuterJoin",
        "RIGHT": "RightOuterJoin",
        "FULL": "FullOuterJoin",
    }
    conditions = _texts(info.get("Conditions"))
    if not any(" = " in text or "IS NOT DISTINCT" in text for text in conditions):
        return "CartesianJoin"
    return kinds.get(str(info.get("Join Type")), "InnerJoin")


def _texts(found: Any) -> list[str]:
    if not found:
        return []
    return [found] if isinstance(found, str) else [str(each) for each in found]


def _plain(text: str) -> str:
    return text.replace('"', "")


def _compared(info: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield each comparison of a column with a constant that all rows of a scan pass.

    A filter that a join finds while it runs (`optional: Dynamic Filter`) is none of the statement's.
    """
    for text in _texts(info.get("Filters")):
        if text.startswith("optional:"):
            continue
        tree = sqlglot.parse_one(text, read="duckdb")
        for part in tree.unnest().flatten() if isinstance(tree.unnest(), exp.And) else [tree.unnest()]:
            part = part.unnest()
            literal = part.expression.find(exp.Literal) if isinstance(part, exp.Binary) else None
            if type(part) in COMPARED and isinstance(part.this, exp.Column) and literal is not None:
                yield part.this.name, COMPARED[type(part)], literal.name


def _may_hold(part: pyarrow.Table, column: str, compared: str, value: str) -> bool:
    if column not in part.column_names:
        return True
    ends = pyarrow.compute.min_max(part[column]).as_py()
    if ends["min"] is None or isinstance(ends["min"], bool | bytes | list | dict):
        return ends["min"] is not None
    least, greatest, wanted = (_comparable(each, ends["min"]) for each in (ends["min"], ends["max"], value))
    kept = {
        "ge": greatest >= wanted,
        "gt": greatest > wanted,
        "le": least <= wanted,
        "lt": least < wanted,
        "eq": least <= wanted <= greatest,
    }
    return bool(kept[compared])


def _comparable(value: Any, like: Any) -> Any:
    """Return numbers as numbers, and all else as the text that DuckDB writes it as."""
    return Decimal(str(value)) if isinstance(like, int | float | Decimal) else str(value)
