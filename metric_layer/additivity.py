"""Whether the values of a metric's rows may be added up, and over which dimensions they may not."""

from collections.abc import Mapping
from dataclasses import dataclass

from metric_layer.arithmetic import names_in
from metric_layer.definitions import ADDED
from metric_layer.expand import LeafSpec
from metric_layer.resolved import Additivity, Arithmetic, Leaf


@dataclass(frozen=True, slots=True)
class Adding:
    """Whether values may be added up; `over` names the dimensions over which they may not."""

    kind: Additivity
    over: tuple[str, ...] = ()


NEVER = Adding("none")


def adding_of(node: Arithmetic, leaves: Mapping[str, tuple[LeafSpec, Leaf]]) -> Adding:
    """Return how the values of a finished metric add up."""
    if node.op == "leaf":
        return _of_leaf(*leaves[node.leaf])
    if node.left is None or node.right is None:
        return NEVER
    if node.op in ("mul", "div"):
        if node.right.op == "number":
            return adding_of(node.left, leaves)
        return adding_of(node.right, leaves) if (node.op, node.left.op) == ("mul", "number") else NEVER
    left, right = adding_of(node.left, leaves), adding_of(node.right, leaves)
    if "none" in (left.kind, right.kind):
        return NEVER
    over = tuple(dict.fromkeys((*left.over, *right.over)))
    if _same_rows(node.left, node.right, leaves) and "where_known" not in (left.kind, right.kind):
        return _limited(over)
    return NEVER if over else Adding("where_known")


def _of_leaf(spec: LeafSpec, leaf: Leaf) -> Adding:
    if leaf.aggregate not in ADDED or spec.reading.cumulative or spec.reading.offset is not None:
        return NEVER
    moments = (spec.metric.snapshot.over,) if spec.metric.snapshot else ()
    return _limited((*moments, *(name for name in spec.metric.non_additive if name not in moments)))


def _limited(over: tuple[str, ...]) -> Adding:
    return Adding("semi", over) if over else Adding("additive")


def _same_rows(left: Arithmetic, right: Arithmetic, leaves: Mapping[str, tuple[LeafSpec, Leaf]]) -> bool:
    """Say whether a row has both sides or neither; a side that is zero for nothing has a value in any row.

    Where one side may be missing alone, a row without a value still holds a part of the total.
    """
    if left.null_as_zero and right.null_as_zero:
        return True
    rows = {_rows(leaves[name][1]) for side in (left, right) for name in names_in(side)}
    return len(rows) == 1


def _rows(leaf: Leaf) -> tuple[object, ...]:
    return (leaf.dataset, repr(leaf.filters), leaf.time, leaf.frame, leaf.pick, leaf.followed)
