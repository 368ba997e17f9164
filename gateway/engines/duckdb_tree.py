"""DuckDB's EXPLAIN output as trees: what a statement really reads, in the database's own words."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gateway.engines.duckdb_storage import unquote

Node = Mapping[str, Any]
TableName = tuple[str, str, str]

PARQUET = "READ_PARQUET"
HARMLESS_LEAVES = frozenset(
    {
        "DUMMY_SCAN",
        "EMPTY_RESULT",
        "EXPRESSION_GET",
        "CHUNK_GET",
        "COLUMN_DATA_SCAN",
        "CTE_SCAN",
        "CTE_REF",
        "REC_CTE_SCAN",
        "DELIM_GET",
        "DELIM_SCAN",
        "RANGE",
        "GENERATE_SERIES",
        "UNNEST",
    }
)


@dataclass(frozen=True, slots=True)
class Plans:
    """A statement as bound, before any optimiser could hide a table, and as it would run."""

    bound: tuple[Node, ...]
    physical: tuple[Node, ...]


def read_plans(rows: Iterable[tuple[str, str]]) -> Plans:
    """Return the plans in the rows of `EXPLAIN (FORMAT JSON)` under `explain_output=all`."""
    texts = dict(rows)
    return Plans(
        bound=tuple(json.loads(texts["logical_plan"])), physical=tuple(json.loads(texts["physical_plan"]))
    )


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all below it, top down."""
    yield node
    for child in node["children"]:
        yield from walk(child)


def table_of(node: Node) -> TableName | None:
    """Return the base table a node reads as (catalog, schema, table), or None."""
    parts = unquote(node["extra_info"].get("Table", ""))
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else None


def scanned(plans: Plans) -> frozenset[TableName]:
    """Return every base table that the bound statement names."""
    found = (table_of(node) for root in plans.bound for node in walk(root))
    return frozenset(name for name in found if name is not None)


def stays_inside(plans: Plans, readable: Collection[TableName], *, lake: bool = False) -> bool:
    """Return whether all data of a statement comes from `readable` tables, constants and number series.

    Everything else that brings data (files, catalogues, settings, other databases) is a leaf of another name.
    With a `lake` Parquet files are read too: which ones, DuckDB itself decides by the session's paths.
    """
    harmless = HARMLESS_LEAVES | {PARQUET} if lake else HARMLESS_LEAVES
    for root in plans.bound:
        for node in walk(root):
            table = table_of(node)
            if table is not None and table not in readable:
                return False
            if table is None and not node["children"] and node["name"] not in harmless:
                return False
    return True
