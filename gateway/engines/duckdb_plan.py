"""DuckDB's EXPLAIN tree and the storage of its tables -> an Estimate. Pure: no database is asked here."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gateway.engines.duckdb_storage import Span, TableStorage, as_instant
from gateway.engines.duckdb_tree import PARQUET, Node, TableName, table_of, walk
from traces.cost_records import Bound, Estimate, JoinGrowth, Scan

FindStorage = Callable[[TableName], TableStorage]

JOINS = frozenset(
    {
        "HASH_JOIN",
        "NESTED_LOOP_JOIN",
        "BLOCKWISE_NL_JOIN",
        "PIECEWISE_MERGE_JOIN",
        "IE_JOIN",
        "ASOF_JOIN",
        "CROSS_PRODUCT",
        "POSITIONAL_JOIN",
        "LEFT_DELIM_JOIN",
        "RIGHT_DELIM_JOIN",
    }
)
PLAIN = frozenset(
    {
        "PROJECTION",
        "FILTER",
        "SEQ_SCAN",
        "HASH_GROUP_BY",
        "PERFECT_HASH_GROUP_BY",
        "PARTITIONED_AGGREGATE",
        "UNGROUPED_AGGREGATE",
        "ORDER_BY",
        "TOP_N",
        "LIMIT",
        "STREAMING_LIMIT",
        "WINDOW",
        "STREAMING_WINDOW",
        "DELIM_SCAN",
        "UNION",
        "CTE",
        "CTE_SCAN",
        "COLUMN_DATA_SCAN",
        "EXPRESSION_SCAN",
        "DUMMY_SCAN",
        "EMPTY_RESULT",
        "POSITIONAL_SCAN",
        "RESERVOIR_SAMPLE",
        "STREAMING_SAMPLE",
    }
)
LIMITS = frozenset({"LIMIT", "STREAMING_LIMIT"})
_UNKNOWN = Scan(relation="unknown", full=True)
_OPTIONAL = "optional: "
_ATOM = re.compile(r"\((.+?) (>=|<=|>|<|=) '([^']*)'::(?:DATE|TIMESTAMP[A-Z_ ]*)\)")
_ALL_OF = re.compile(rf"\(({_ATOM.pattern})( AND {_ATOM.pattern})+\)")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a scan's filters say of one column of time: inclusive ends, None where it is open."""

    low: datetime | None = None
    high: datetime | None = None

    def within(self, low: datetime | None, high: datetime | None) -> "Bounds":
        """Return the bounds that are inside these and inside `low` and `high`."""
        return Bounds(
            max((end for end in (self.low, low) if end is not None), default=None),
            min((end for end in (self.high, high) if end is not None), default=None),
        )

    def meets(self, span: Span | None) -> bool:
        """Return whether a row group with that span can hold a value inside the bounds."""
        if span is None:
            return True
        low, high = span
        return (self.low is None or high >= self.low) and (self.high is None or low <= self.high)


def estimate(roots: Iterable[Node], find: FindStorage, lake: Mapping[str, TableStorage] = {}) -> Estimate:
    """Return what the plan would read: an upper bound of rows and bytes, scan by scan, and how joins grow.

    A scan counts the row groups whose range of time meets the range its filter names, and of those the blocks
    of the columns it projects or filters by; DuckDB skips the other row groups by the same ranges. `full`
    means that no range of time narrows the scan. A node not known here makes the whole bound `unknown`.

    `lake` are the relations that are Parquet files. A plan does not say which of them a scan reads: it counts
    as the largest one that has the columns.
    """
    nodes = [node for root in roots for node in walk(root)]
    scans = tuple(
        _scan(node, find) if node["name"] == "SEQ_SCAN" else _largest(node, lake)
        for node in nodes
        if node["name"] in ("SEQ_SCAN", PARQUET)
    )
    strange = sorted({node["name"] for node in nodes} - PLAIN - JOINS - ({PARQUET} if lake else set()))
    bound: Bound = "unknown" if strange else "upper"
    return Estimate(
        rows=sum(scan.rows or 0 for scan in scans),
        bytes=sum(scan.bytes or 0 for scan in scans),
        scans=scans,
        joins=tuple(_growth(node) for node in nodes if node["name"] in JOINS),
        bound=bound,
        notes=tuple(f"{name} has no known price" for name in strange),
    )


def rows_out(node: Node) -> int:
    """Return the estimated rows a node hands up. A cross product, which DuckDB leaves open, multiplies."""
    name, info = node["name"], node["extra_info"]
    below = [rows_out(child) for child in node["children"]]
    if name in LIMITS and str(info.get("Limit", "")).isdigit():
        return min(int(info["Limit"]), max(below, default=0))
    if "Estimated Cardinality" in info and name not in LIMITS:
        return int(info["Estimated Cardinality"])
    if name == "CROSS_PRODUCT":
        return math.prod(below)
    if name == "UNION":
        return sum(below)
    return 0 if name == "EMPTY_RESULT" else max(below, default=1)


def bounds_of(filters: Iterable[str], columns: Iterable[str]) -> dict[str, Bounds]:
    """Return the ranges of time that the filters of a scan demand, by column.

    Only whole conjuncts made of comparisons with literals are understood; anything else is left out, which
    can make the estimate larger, never smaller.
    """
    known = frozenset(columns)
    bounds: dict[str, Bounds] = {}
    for text in filters:
        conjunct = text.removeprefix(_OPTIONAL)
        if not (_ATOM.fullmatch(conjunct) or _ALL_OF.fullmatch(conjunct)):
            continue
        inner = conjunct if _ATOM.fullmatch(conjunct) else conjunct[1:-1]
        for column, operator, literal in _ATOM.findall(inner):
            value = _instant(literal)
            if value is None or column not in known:
                continue
            low = value if operator in {">", ">=", "="} else None
            high = value if operator in {"<", "<=", "="} else None
            bounds[column] = bounds.get(column, Bounds()).within(low, high)
    return bounds


def _scan(node: Node, find: FindStorage) -> Scan:
    table = table_of(node)
    if table is None:
        return _UNKNOWN
    return _scan_of(node, ".".join(table[1:]), find(table))


def _largest(node: Node, lake: Mapping[str, TableStorage]) -> Scan:
    """Return the most that a scan of one of the Parquet relations can be."""
    wanted = set(_texts(node["extra_info"].get("Projections")))
    scans = [
        _scan_of(node, name, storage) for name, storage in lake.items() if wanted <= storage.columns.keys()
    ]
    return max(scans, key=lambda scan: (scan.full, scan.bytes or 0, scan.rows or 0), default=_UNKNOWN)


def _scan_of(node: Node, relation: str, storage: TableStorage) -> Scan:
    info = node["extra_info"]
    filters = _texts(info.get("Filters"))
    bounds = {
        column: bound
        for column, bound in bounds_of(filters, storage.columns).items()
        if any(storage.columns[column].spans)
    }
    groups = [
        group
        for group in range(len(storage.rows))
        if all(bound.meets(storage.columns[column].spans[group]) for column, bound in bounds.items())
    ]
    return Scan(
        relation=relation,
        rows=sum(storage.rows[group] for group in groups),
        bytes=storage.bytes_of(_columns_read(info, filters, storage), groups),
        full=not bounds,
    )


def _columns_read(info: Mapping[str, Any], filters: tuple[str, ...], storage: TableStorage) -> set[str]:
    read = storage.columns.keys() & set(_texts(info.get("Projections")))
    text = " ".join(filters)
    named = {name for name in storage.columns if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)}
    return read | named


def _growth(node: Node) -> JoinGrowth:
    rows = max(map(rows_out, node["children"]), default=0) if _stitches_groups(node) else rows_out(node)
    largest = max((rows_out(child) for child in node["children"]), default=0)
    kind = str(node["extra_info"].get("Join Type", "")).lower()
    return JoinGrowth(
        kind=" ".join(filter(None, (kind, node["name"].lower().replace("_", " ")))),
        rows=rows,
        growth=round(rows / max(largest, 1), 3),
    )


def _stitches_groups(node: Node) -> bool:
    """Say whether a join puts aggregates of the same groups side by side, so that it can multiply nothing.

    DuckDB plans a DISTINCT aggregate beside another one like this: both are grouped apart and joined on all
    of their group columns. The estimate it gives for such a join is the product of both sides.
    """
    groups = [_groups(child) for child in node["children"]]
    keys = _texts(node["extra_info"].get("Conditions"))
    same = all(re.fullmatch(r"(#\d+) IS NOT DISTINCT FROM \1", key) for key in keys)
    return bool(keys) and same and groups == [len(keys)] * 2


def _groups(node: Node) -> int:
    """Return by how many columns the aggregate under any projections groups; 0 where there is none."""
    while node["name"] == "PROJECTION" and len(node["children"]) == 1:
        node = node["children"][0]
    grouped = node["name"] in {"HASH_GROUP_BY", "PERFECT_HASH_GROUP_BY"}
    return len(_texts(node["extra_info"].get("Groups"))) if grouped else 0


def _texts(value: Any) -> tuple[str, ...]:
    """DuckDB writes one text as a string and several as a list."""
    if value is None or value == "":
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _instant(literal: str) -> datetime | None:
    try:
        return as_instant(datetime.fromisoformat(literal))
    except ValueError:
        return None
