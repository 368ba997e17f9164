"""Where each leaf's value stands in the parts that are set side by side, so that their text grows as they do.

Three engines match the columns of a union by name: a part says its own leaves and no NULL for the others. On
PostgreSQL, which matches them by position, leaves of one type share a column, and the number of the part says
whose value a row holds.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from metric_layer.compile.branch import Branch
from metric_layer.definitions import ColumnType
from metric_layer.resolved import Leaf

PART = "_part"
BY_NAME: Mapping[str, Mapping[str, object]] = {
    "duckdb": {"by_name": True},
    "snowflake": {"by_name": True},
    "bigquery": {"by_name": True, "side": "FULL", "kind": "OUTER"},
}
"""What makes a union one by name, which fills in what a side does not have. Sharing columns is no way out on
DuckDB: its union of two decimals has the smaller scale of both, so figures would be cut."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The column of the parts that holds a leaf's value, and the number of the part that it is in."""

    name: str
    type: ColumnType
    part: int
    shared: bool = False

    def holding(self, value: exp.Expr) -> exp.Expr:
        """Return a value as the column takes it: an exact number of any digits, where leaves share it."""
        if not self.shared or self.type != "decimal":
            return value
        return exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.DECIMAL))


def slots_of(branches: Sequence[Branch], leaves: Sequence[Leaf], dialect: str) -> dict[str, Slot]:
    """Return the column of each leaf by its id, in the order of the leaves. Parts are counted from 1."""
    part_of = {name: number for number, branch in enumerate(branches, 1) for name in branch.aggregates}
    own = {leaf.id: Slot(leaf.id, leaf.type, part_of[leaf.id]) for leaf in leaves}
    if dialect in BY_NAME:
        return own
    seen: Counter[tuple[ColumnType, int]] = Counter()
    holders: dict[tuple[ColumnType, int], list[str]] = {}
    for leaf in leaves:
        part = part_of[leaf.id]
        seen[leaf.type, part] += 1
        holders.setdefault((leaf.type, seen[leaf.type, part]), []).append(leaf.id)
    for (kind, place), names in holders.items():
        if len(names) > 1:
            for name in names:
                own[name] = replace(own[name], name=f"_{kind}_{place}", shared=True)
    return own
