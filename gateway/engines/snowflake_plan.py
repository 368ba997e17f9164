"""EXPLAIN USING JSON and the sizes of tables -> an Estimate. Pure: no database is asked."""

import json
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from gateway.engines.refusals import not_one_select
from gateway.engines.snowflake_names import KEYS
from metric_layer.relation import relation_parts
from traces.records import Bound, Estimate, JoinGrowth, Scan

Operation = Mapping[str, Any]

SCAN = "TableScan"
CROSS = "CartesianJoin"
WRITES = frozenset(
    {
        "Insert",
        "Update",
        "Delete",
        "Merge",
        "MultiTableInsert",
        "CreateTableAsSelect",
        "Copy",
        "Unload",
        "DDL",
    }
)
PRICED = frozenset(
    {
        SCAN,
        CROSS,
        "Result",
        "Filter",
        "Projection",
        "Join",
        "InnerJoin",
        "LeftOuterJoin",
        "RightOuterJoin",
        "FullOuterJoin",
        "SemiJoin",
        "AntiJoin",
        "JoinFilter",
        "Aggregate",
        "GroupingSets",
        "Sort",
        "SortWithLimit",
        "Limit",
        "WindowFunction",
        "UnionAll",
        "WithClause",
        "WithReference",
        "ValuesClause",
        "InternalObject",
    }
)
SHARED = "rows of a table that is read in part are shared out evenly over its partitions"
SECURED = "the database does not say whether it hides rows from the asker; the figures are of all rows"
UNSEEN = "how rows grow in joins on keys is not known before the run"


def operations_of(text: str) -> tuple[Operation, ...]:
    """Return the operations of a plan, every step's. Raises EngineError for one of a write."""
    steps = json.loads(text).get("Operations", [])
    found = tuple(operation for step in steps for operation in step)
    if not found or any(operation.get("operation") in WRITES for operation in found):
        raise not_one_select()
    return found


def relations(operations: tuple[Operation, ...]) -> tuple[str, ...]:
    """Return every stored relation that a plan reads, once, as the service names it.

    Keys of hashes are looked up by masking policies and no rows of anybody's.
    """
    named = (name for each in operations for name in each.get("objects") or ())
    return tuple(dict.fromkeys(name for name in named if relation_parts(name)[-2:-1] != (KEYS,)))


def estimate(operations: tuple[Operation, ...], rows: Mapping[str, int]) -> Estimate:
    """Return what the plan reads, scan by scan, and how its joins without a key grow.

    Names are written small, as quoting does not count. Bytes and partitions are those left after pruning at
    compile time: an upper bound. `rows` are the counts of the tables whose count is known. An operation not
    known here makes the bound `unknown`.
    """
    scans = tuple(_scan(each, rows) for each in operations if each["operation"] == SCAN)
    strange = sorted({str(each["operation"]) for each in operations} - PRICED)
    joins = tuple(_joins(operations, rows))
    keyed = any("Join" in str(each["operation"]) and each["operation"] != CROSS for each in operations)
    bound: Bound = "unknown" if strange or any(scan.bytes is None for scan in scans) else "upper"
    return Estimate(
        rows=sum(scan.rows or 0 for scan in scans) if all(scan.rows is not None for scan in scans) else None,
        bytes=sum(scan.bytes or 0 for scan in scans),
        scans=scans,
        joins=joins,
        bound=bound,
        row_secured=bool(scans),
        notes=(
            *(f"{name} has no known price" for name in strange),
            *((SHARED,) if not all(scan.full for scan in scans) else ()),
            *((UNSEEN,) if keyed else ()),
            *((SECURED,) if scans else ()),
        ),
    )


def _scan(operation: Operation, rows: Mapping[str, int]) -> Scan:
    name = str((operation.get("objects") or ["?"])[0])
    total, left = operation.get("partitionsTotal"), operation.get("partitionsAssigned")
    read = operation.get("bytesAssigned")
    return Scan(
        relation=name.lower(),
        rows=_rows_of(operation, rows),
        bytes=int(read) if read is not None else None,
        full=total is None or left == total,
    )


def _rows_of(operation: Operation, rows: Mapping[str, int]) -> int | None:
    """Return how many rows a scan reads: a table's, times the share of its partitions that is left."""
    stored = rows.get(str((operation.get("objects") or ["?"])[0]))
    total, left = operation.get("partitionsTotal"), operation.get("partitionsAssigned")
    if stored is None or not total or left is None:
        return stored
    return -(-stored * int(left) // int(total))


def _joins(operations: tuple[Operation, ...], rows: Mapping[str, int]) -> Iterator[JoinGrowth]:
    """Yield how the joins without a key grow, where both sides' rows are known: each row meets each."""
    for operation in operations:
        if operation["operation"] != CROSS:
            continue
        below = (_rows_below(each, operations, rows) for each in _children(operation, operations))
        sides = [count for count in below if count is not None]
        if len(sides) == 2:
            product = prod(sides)
            growth = round(product / max(*sides, 1), 3)
            yield JoinGrowth(kind="join without a key", rows=product, growth=growth)


def _rows_below(
    operation: Operation, operations: tuple[Operation, ...], rows: Mapping[str, int]
) -> int | None:
    """Return the most rows that can come out of an operation, None where nobody knows."""
    if operation["operation"] == SCAN:
        return _rows_of(operation, rows)
    if operation["operation"] == "ValuesClause":
        return 1
    below = [_rows_below(each, operations, rows) for each in _children(operation, operations)]
    known = [count for count in below if count is not None]
    if not below or len(known) < len(below):
        return None
    if operation["operation"] == CROSS:
        return prod(known)
    return sum(known) if operation["operation"] == "UnionAll" else max(known)


def _children(operation: Operation, operations: tuple[Operation, ...]) -> list[Operation]:
    return [each for each in operations if operation["id"] in _parents(each)]


def _parents(operation: Operation) -> list[Any]:
    found: list[Any] = operation.get("parentOperators") or []
    return [*found, operation["parent"]] if "parent" in operation else found
