"""Figures over few people: the plan is made to count each group, and the figures of small ones are hidden."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import takewhile
from typing import NamedTuple

from metric_layer.compile import RowsRead, rows_read
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.resolved import Arithmetic, Floor, Leaf, OutputColumn, PathColumn, ResolvedPlan
from policies.entitlement import Entitlement
from policies.mask import MASK
from policies.visible import personal_rule
from traces.records import Actual, Table, Value

SIZE = "_size_"
"""Begins the names of the counts; no name of a layer begins with an underscore."""
CUT = "min_group"


class Protected(NamedTuple):
    """A result as the asker may see it, and what has to be said about what is not there."""

    table: Table
    notes: tuple[str, ...] = ()


Counted = ResolvedPlan | tuple[Issue, ...]


def count_groups(plan: ResolvedPlan, layer: Layer, role: Entitlement, smallest: int) -> Counted:
    """Return the plan with a count of each group that rests on data the role may only see in aggregate.

    A part of a metric rests on such data when its dataset, or one that its groups and filters reach, has a
    column whose tag is under `aggregate` for the role. A group is counted by the people in it: different
    values of those columns, or of the key that leads to their dataset; by rows where the role sees no key.

    A plan that filters or orders by a figure leaves small groups out in the database. One whose figures run
    over periods that overlap is refused: each step of them would tell of the people of that step alone.
    """
    guarded = _guarded(layer, role)
    added: list[Leaf] = []
    branches: dict[RowsRead, list[Leaf]] = {}
    for leaf in plan.leaves:
        branches.setdefault(rows_read(leaf), []).append(leaf)
    people = 0
    floors: list[Floor] = []
    ranked = is_ranked(plan)
    for leaves in branches.values():
        if not any(_reached(leaf) & guarded for leaf in leaves):
            continue
        if any(leaf.frame is not None and leaf.frame.overlapping for leaf in leaves):
            return (_running(plan),)
        for counts in _counts(leaves, guarded, layer, role):
            added.extend(replace(count, id=f"{SIZE}{people}_{at}") for at, count in enumerate(counts))
            if ranked:
                floors.append(Floor(tuple(f"{SIZE}{people}_{at}" for at in range(len(counts))), smallest))
            people += 1
    if not added:
        return plan
    return replace(
        plan,
        leaves=(*plan.leaves, *added),
        metrics=(*plan.metrics, *((leaf.id, Arithmetic("leaf", leaf=leaf.id)) for leaf in added)),
        outputs=(
            *plan.outputs,
            *(OutputColumn(name=leaf.id, kind="metric", type=leaf.type, label=leaf.id) for leaf in added),
        ),
        floors=tuple(floors),
    )


def is_ranked(plan: ResolvedPlan) -> bool:
    """Say whether a figure decides which rows a plan returns, or in which order."""
    first = plan.order[0][0] if plan.order else ""
    return bool(plan.having) or any(o.kind == "metric" and o.name == first for o in plan.outputs)


def told_of(actual: Actual, table: Table, plan: ResolvedPlan | None) -> Actual:
    """Return what a run took as its asker may read it: rows left out of a guarded result are not counted."""
    guarded = plan is not None and any(leaf.id.startswith(SIZE) for leaf in plan.leaves)
    return actual.model_copy(update={"rows": len(table.rows)}) if guarded else actual


def _running(plan: ResolvedPlan) -> Issue:
    return Issue(
        code="running_figure",
        message="A running figure told period by period would tell of the few people of one period.",
        path="/time/grain",
        seen=plan.grain or "",
        next_step="Leave time.grain out, or ask the figure of each period alone.",
    )


def hide_small_groups(table: Table, plan: ResolvedPlan, smallest: int) -> Protected:
    """Take the counts off the table and hide every figure of a group of 1 to `smallest` - 1.

    A result with hidden figures counts as cut: no total, extreme or rank may be told from it. Where the plan
    filters or orders by a figure, such a row is left out whole: its mere place would tell the figure.
    """
    names = [column.name for column in table.columns]
    sizes = {at for at, name in enumerate(names) if name.startswith(SIZE)}
    if not sizes:
        return Protected(table)
    guards = guards_of(plan, names)
    ranked = is_ranked(plan)
    rows: list[tuple[Value, ...]] = []
    hidden = 0
    for row in table.rows:
        small = {
            at
            for at, people in guards.items()
            if any(_is_small((row[count] for count in counts), smallest) for counts in people)
        }
        if not (small and ranked):
            rows.append(
                tuple(MASK if at in small else value for at, value in enumerate(row) if at not in sizes)
            )
            hidden += len(small)
    columns = tuple(column for at, column in enumerate(table.columns) if at not in sizes)
    kept = table.model_copy(update={"columns": columns, "rows": tuple(rows)})
    if not (hidden or ranked):
        return Protected(kept)
    note = (
        f"Groups of fewer than {smallest} are left out, where there were any."
        if ranked
        else f"{hidden} figure{'s' if hidden > 1 else ''} of groups of fewer than {smallest} hidden."
    )
    source = table.limit_source or CUT
    return Protected(kept.model_copy(update={"truncated": True, "limit_source": source}), (note,))


def _guarded(layer: Layer, role: Entitlement) -> frozenset[str]:
    return frozenset(
        dataset.name
        for dataset in layer.datasets.values()
        if any(personal_rule(role.role, column) == "aggregate" for column in dataset.columns)
    )


def _reached(leaf: Leaf) -> frozenset[str]:
    """Return the datasets a leaf reads: its own, those its columns lead to, and its later event's."""
    columns = list(leaf.columns)
    reached = {leaf.dataset}
    if leaf.followed is not None:
        reached.add(leaf.followed.dataset)
        columns.extend(each.column for each in leaf.followed.filters)
    return frozenset(reached.union(hop.to_dataset for column in columns for hop in column.path))


def _counts(
    leaves: Sequence[Leaf], guarded: frozenset[str], layer: Layer, role: Entitlement
) -> Iterator[list[Leaf]]:
    """Yield the counts of each kind of people in a branch; of rows, where the role may name no key.

    An average over moments counts its people over all of them, and rows as many as a moment has.
    """
    rows = replace(leaves[0], expression="", type="integer", aggregate="count", counted=None, fraction=None)
    people = list(dict.fromkeys(keys for leaf in leaves for keys in _keys(leaf, guarded, layer, role)))
    for keys in people:
        yield [replace(rows, aggregate="count_distinct", counted=key) for key in keys]
    if not people:
        averaged = rows.pick is not None and rows.pick.pick == "average"
        yield [replace(rows, type="decimal") if averaged else rows]


def _keys(
    leaf: Leaf, guarded: frozenset[str], layer: Layer, role: Entitlement
) -> Iterator[tuple[PathColumn, ...]]:
    """Yield, per kind of people, the columns that tell one from another: tagged ones, or a key to theirs."""
    hidden = role.visible.hidden_columns
    tagged = tuple(
        PathColumn(leaf.dataset, column.name, column.type, ())
        for column in layer.datasets[leaf.dataset].columns
        if personal_rule(role.role, column) == "aggregate" and f"{leaf.dataset}.{column.name}" not in hidden
    )
    if tagged:
        yield tagged
    event = leaf.followed if leaf.followed is not None and leaf.followed.dataset in guarded else None
    if event is not None and len(event.pairs) == 1 and f"{leaf.dataset}.{event.pairs[0][0]}" not in hidden:
        ((name, _),) = event.pairs
        yield (PathColumn(leaf.dataset, name, layer.column_types[leaf.dataset][name], ()),)
    for path in (column.path for column in leaf.columns):
        for at, hop in takewhile(lambda step: not step[1].to_many, enumerate(path)):
            visible = not any(f"{hop.from_dataset}.{name}" in hidden for name in hop.from_columns)
            if hop.to_dataset in guarded and visible and len(hop.from_columns) == 1:
                (name,) = hop.from_columns
                kind = layer.column_types[hop.from_dataset][name]
                yield (PathColumn(hop.from_dataset, name, kind, path[:at]),)


def guards_of(plan: ResolvedPlan, names: Sequence[str]) -> dict[int, list[list[int]]]:
    """Return, per place of a metric column, the places of the counts of each kind of people in it."""
    counts: dict[RowsRead, dict[str, list[int]]] = {}
    for leaf in plan.leaves:
        if leaf.id.startswith(SIZE):
            people, _, _ = leaf.id.rpartition("_")
            counts.setdefault(rows_read(leaf), {}).setdefault(people, []).append(names.index(leaf.id))
    branches = {leaf.id: rows_read(leaf) for leaf in plan.leaves}
    return {
        names.index(name): [
            at for leaf in leaves_of(formula) for at in counts.get(branches[leaf], {}).values()
        ]
        for name, formula in plan.metrics
        if not name.startswith(SIZE)
    }


def leaves_of(formula: Arithmetic | None) -> Iterator[str]:
    """Yield the ids of the leaves that a metric is made of."""
    if formula is None:
        return
    if formula.op == "leaf":
        yield formula.leaf
    yield from leaves_of(formula.left)
    yield from leaves_of(formula.right)


def _is_small(counts: Iterable[Value], smallest: int) -> bool:
    """People may share a name or have no phone: the largest count says how many there are at least."""
    return (
        0 < max((count for count in counts if isinstance(count, int | float | Decimal)), default=0) < smallest
    )
