"""PostgreSQL's EXPLAIN tree and the sizes of its relations -> an Estimate. Pure: no database is asked."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gateway.engines.postgres_sizes import RelationName, Size
from traces.records import Bound, Estimate, JoinGrowth, Scan

Node = Mapping[str, Any]

BLOCK = 8192
ROW_OVERHEAD = 28
JOINS = frozenset({"Hash Join", "Merge Join", "Nested Loop"})
GATHERS = frozenset({"Gather", "Gather Merge"})
WHOLE = frozenset({"Seq Scan", "Sample Scan"})
PARTS = frozenset({"Index Scan", "Index Only Scan", "Bitmap Heap Scan", "Tid Scan", "Tid Range Scan"})
PASSING = frozenset({"Limit", "Subquery Scan", "Result", "Gather"})
PLAIN = frozenset(
    {
        "Aggregate",
        "Append",
        "Bitmap Index Scan",
        "BitmapAnd",
        "BitmapOr",
        "CTE Scan",
        "Group",
        "Hash",
        "Incremental Sort",
        "Limit",
        "Materialize",
        "Memoize",
        "Merge Append",
        "Result",
        "SetOp",
        "Sort",
        "Subquery Scan",
        "Unique",
        "Values Scan",
        "WindowAgg",
    }
)
SERIES = frozenset({"generate_series", "unnest"})
SECURED = "row policies of the database are in force; the figures are of all rows"
KEYS = (
    "Index Cond",
    "Recheck Cond",
    "TID Cond",
    "Hash Cond",
    "Merge Cond",
    "Join Filter",
    "Filter",
    "Cache Key",
)


@dataclass(frozen=True, slots=True)
class Place:
    """How a node runs: how often, `once` without the loop around it; by how many processes, each giving a
    `share` of the rows; and which fraction of it a LIMIT above lets run."""

    loops: float = 1.0
    once: float = 1.0
    processes: float = 1.0
    share: float = 1.0
    fraction: float = 1.0


@dataclass(frozen=True, slots=True)
class _Read:
    """One scan: what it reads of a relation, of which it is the whole or not."""

    name: RelationName
    rows: float
    bytes: float
    full: bool
    size: Size | None


def relations(root: Node) -> frozenset[RelationName]:
    """Return every stored relation that a plan reads."""
    return frozenset(_name(node) for node, _ in _walk(root, Place()) if _is_scan(node))


def writes(root: Node) -> bool:
    """Say whether a plan is of a statement that writes or locks rows."""
    return any(node["Node Type"] in {"ModifyTable", "LockRows"} for node, _ in _walk(root, Place()))


def estimate(root: Node, sizes: Mapping[RelationName, Size]) -> Estimate:
    """Return what the plan would read, scan by scan, how its joins grow, and the planner's own cost.

    A scan of a whole relation counts all its rows and bytes, as often as it is repeated; one by an index
    counts the rows the planner expects and never more bytes than the relation has. What is known of rows are
    statistics, so the bound is a `guess`. A node not known here makes it `unknown`.
    """
    nodes = tuple(_walk(root, Place()))
    reads = tuple(_read(node, place, sizes) for node, place in nodes if _is_scan(node))
    strange = sorted({_strange(node) for node, _ in nodes} - {""})
    gone = sorted({".".join(read.name) for read in reads if read.size is None})
    scans = tuple(_merged(reads))
    secured = any(read.size and read.size.secured for read in reads)
    bound: Bound = "unknown" if strange or gone else "guess"
    return Estimate(
        rows=sum(scan.rows or 0 for scan in scans),
        bytes=sum(scan.bytes or 0 for scan in scans),
        cost=float(root["Total Cost"]),
        scans=scans,
        joins=tuple(_growth(node, place) for node, place in nodes if node["Node Type"] in JOINS),
        bound=bound,
        row_secured=secured,
        notes=(
            *(f"{name} has no known price" for name in strange),
            *(f"{name} has no known size" for name in gone),
            *((SECURED,) if secured else ()),
        ),
    )


def _walk(node: Node, place: Place) -> Iterator[tuple[Node, Place]]:
    yield node, place
    children: list[Node] = node.get("Plans", [])
    for child in children:
        yield from _walk(child, _below(node, place, child))


def _below(node: Node, place: Place, child: Node) -> Place:
    """Return how a child runs under a node."""
    kind, relation = node["Node Type"], child.get("Parent Relationship")
    passing = kind in PASSING and relation == "Outer" and "Filter" not in node
    below = replace(place, fraction=place.fraction * _fraction(node, child) if passing else 1.0)
    if kind in GATHERS and not node.get("Single Copy"):
        workers = float(node.get("Workers Planned", 1))
        return replace(below, processes=workers + 1, share=workers + max(0.0, 1 - 0.3 * workers))
    if kind == "Append" and node.get("Parallel Aware"):
        # Processes take turns at its children; one that is not parallel itself is run by one of them.
        return replace(below, processes=1.0, share=below.share if _is_parallel(child) else 1.0)
    if kind == "Nested Loop" and relation == "Inner":
        outer = max(1.0, float(node["Plans"][0]["Plan Rows"]))
        return replace(below, loops=place.loops * outer, once=place.loops)
    if relation == "SubPlan" and not _hashed(node, child):
        return replace(below, loops=place.loops * max(1.0, _rows_in(node)), once=place.loops)
    if kind == "Materialize":
        return replace(below, loops=place.once)
    return replace(below, once=below.loops)


def _fraction(node: Node, child: Node) -> float:
    """Return how much of its child a LIMIT lets run, by what the planner charges for it."""
    if node["Node Type"] != "Limit":
        return 1.0
    start, whole = float(child["Startup Cost"]), float(child["Total Cost"])
    return min(1.0, max(0.0, float(node["Total Cost"]) - start) / (whole - start)) if whole > start else 1.0


def _hashed(node: Node, child: Node) -> bool:
    """Say whether a subplan runs once into a hash table instead of once per row."""
    name = f"hashed {child.get('Subplan Name', '?')}"
    return any(name in str(text) for key, text in node.items() if key != "Plans")


def _rows_in(node: Node) -> float:
    """Return how many rows a node looks at, as far as the plan says."""
    outer = [float(child["Plan Rows"]) for child in node.get("Plans", []) if _is_input(child)]
    return max((*outer, float(node["Plan Rows"])))


def _is_parallel(node: Node) -> bool:
    return bool(node.get("Parallel Aware")) or any(_is_parallel(child) for child in node.get("Plans", []))


def _is_input(node: Node) -> bool:
    return node.get("Parent Relationship") in {"Outer", "Inner", "Member", "Subquery"}


def _is_scan(node: Node) -> bool:
    return node["Node Type"] in WHOLE | PARTS


def _name(node: Node) -> RelationName:
    return str(node.get("Schema", "")), str(node["Relation Name"])


def _strange(node: Node) -> str:
    """Return the name of a node whose price nobody knows, or ""."""
    kind = str(node["Node Type"])
    if kind == "ProjectSet" or (kind == "Function Scan" and not _is_series(node)):
        return kind
    return "" if kind in WHOLE | PARTS | JOINS | GATHERS | PLAIN | {"Function Scan"} else kind


def _is_series(node: Node) -> bool:
    """Say whether a function scan is of a function whose rows the planner counts."""
    return node.get("Schema") == "pg_catalog" and node.get("Function Name") in SERIES


def _read(node: Node, place: Place, sizes: Mapping[RelationName, Size]) -> _Read:
    name = _name(node)
    size = sizes.get(name)
    if size is None:
        return _Read(name, 0.0, 0.0, full=True, size=None)
    # Processes share a parallel scan; one that is not parallel is read whole by each of them.
    times = place.loops * (1.0 if node.get("Parallel Aware") else place.processes)
    expected = float(node["Plan Rows"])
    stored = float(size.rows)
    if stored < 0:
        stored = max(expected * place.share, size.bytes / (float(node["Plan Width"]) + ROW_OVERHEAD))
    if node["Node Type"] in WHOLE or not _narrows(node):
        fraction = 1.0 if "Filter" in node else place.fraction
        rows, read = stored * times * fraction, size.bytes * times * fraction
        return _Read(name, rows, read, full=fraction == 1.0, size=size)
    pages = max(1.0, float(node["Total Cost"])) * BLOCK * times
    return _Read(name, expected * place.share * place.loops, min(size.bytes, pages), full=False, size=size)


def _narrows(node: Node) -> bool:
    """Say whether a scan by an index has a condition on it; without one it reads the whole relation."""
    return node["Node Type"] not in {"Index Scan", "Index Only Scan"} or "Index Cond" in node


def _merged(reads: Iterable[_Read]) -> Iterator[Scan]:
    """Yield scans, those of the partitions of one table as one; it is full when every partition is."""
    whole: dict[tuple[RelationName, int], list[_Read]] = {}
    for number, read in enumerate(reads):
        parts = read.size is not None and read.size.whole != read.name
        key = (read.size.whole if read.size else read.name, 0 if parts else number + 1)
        whole.setdefault(key, []).append(read)
    for (name, _), found in whole.items():
        leaves = max(read.size.leaves if read.size else 1 for read in found)
        known = all(read.size is not None for read in found)
        yield Scan(
            relation=".".join(name),
            rows=int(sum(read.rows for read in found)) if known else None,
            bytes=int(sum(read.bytes for read in found)) if known else None,
            full=len({read.name for read in found if read.full}) >= leaves,
        )


def _growth(node: Node, place: Place) -> JoinGrowth:
    """Return how many rows a join gives for each row of its larger input."""
    outer, inner = (
        child for child in node["Plans"] if child.get("Parent Relationship") in {"Outer", "Inner"}
    )
    rows = float(node["Plan Rows"])
    largest = max(float(outer["Plan Rows"]), float(inner["Plan Rows"]), 1.0)
    kind = f"{node.get('Join Type', '')} {node['Node Type']}".strip().lower()
    if node["Node Type"] == "Nested Loop" and "Join Filter" not in node and not _has_key(inner):
        kind += " without a key"
    return JoinGrowth(kind=kind, rows=int(rows * place.share * place.loops), growth=round(rows / largest, 3))


def _has_key(node: Node) -> bool:
    """Say whether the inner side of a nested loop is looked up by something."""
    if any(key in node for key in KEYS):
        return True
    return any(_has_key(child) for child in node.get("Plans", []))
