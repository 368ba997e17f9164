"""Figures over few people: the plan is made to count each group, and the figures of small ones are hidden."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from metric_layer.layer import Layer
from metric_layer.resolved import Arithmetic, Leaf, OutputColumn, PathColumn, ResolvedPlan
from policies.entitlement import Entitlement, personal_rule
from policies.mask import MASK
from traces.records import Table, Value

SIZE = "_size_"
"""Begins the names of the counts; no name of a layer begins with an underscore."""
CUT = "min_group"

Branch = tuple[object, ...]


class Protected(NamedTuple):
    """A result as the asker may see it, and what has to be said about what is not there."""

    table: Table
    notes: tuple[str, ...] = ()


def count_groups(plan: ResolvedPlan, layer: Layer, role: Entitlement) -> ResolvedPlan:
    """Return the plan with a count of each group that rests on data the role may only see in aggregate.

    A part of a metric rests on such data when its dataset, or one that its groups and filters reach, has a
    column whose tag is under `aggregate` for the role. A group is counted by the people in it: different
    values of those columns, or of the key that leads to their dataset; by rows where the role sees no key.
    """
    guarded = _guarded(layer, role)
    added: list[Leaf] = []
    seen: set[Branch] = set()
    people = 0
    for leaf in plan.leaves:
        reached = {leaf.dataset, *(hop.to_dataset for column in leaf.columns for hop in column.path)}
        if not reached & guarded or _branch(leaf) in seen:
            continue
        seen.add(_branch(leaf))
        for counts in _counts(leaf, guarded, layer, role):
            added.extend(replace(count, id=f"{SIZE}{people}_{at}") for at, count in enumerate(counts))
            people += 1
    if not added:
        return plan
    return replace(
        plan,
        leaves=(*plan.leaves, *added),
        metrics=(*plan.metrics, *((leaf.id, Arithmetic("leaf", leaf=leaf.id)) for leaf in added)),
        outputs=(
            *plan.outputs,
            *(OutputColumn(name=leaf.id, kind="metric", type="integer", label=leaf.id) for leaf in added),
        ),
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
    guards = _guards(plan, names)
    first = plan.order[0][0] if plan.order else ""
    ranked = bool(plan.having) or any(o.kind == "metric" and o.name == first for o in plan.outputs)
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


def _counts(leaf: Leaf, guarded: frozenset[str], layer: Layer, role: Entitlement) -> Iterator[list[Leaf]]:
    """Yield the counts of each kind of people; of rows, where there is no key that the role may name."""
    rows = replace(leaf, expression="", type="integer", aggregate="count")
    people = list(dict.fromkeys(_keys(leaf, guarded, layer, role)))
    for keys in people:
        yield [replace(rows, aggregate="count_distinct", counted=key) for key in keys]
    if not people:
        yield [rows]


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
    for path in (column.path for column in leaf.columns):
        for at, hop in takewhile(lambda step: not step[1].to_many, enumerate(path)):
            visible = not any(f"{hop.from_dataset}.{name}" in hidden for name in hop.from_columns)
            if hop.to_dataset in guarded and visible and len(hop.from_columns) == 1:
                (name,) = hop.from_columns
                kind = layer.column_types[hop.from_dataset][name]
                yield (PathColumn(hop.from_dataset, name, kind, path[:at]),)


def _branch(leaf: Leaf) -> Branch:
    """Leaves of one branch read the same rows under the same groups, so one count serves them all."""
    return (leaf.dataset, leaf.groups, leaf.time, repr(leaf.filters))


def _guards(plan: ResolvedPlan, names: Sequence[str]) -> dict[int, list[list[int]]]:
    """Return, per place of a metric column, the places of the counts of each kind of people in it."""
    counts: dict[Branch, dict[str, list[int]]] = {}
    for leaf in plan.leaves:
        if leaf.id.startswith(SIZE):
            people, _, _ = leaf.id.rpartition("_")
            counts.setdefault(_branch(leaf), {}).setdefault(people, []).append(names.index(leaf.id))
    branches = {leaf.id: _branch(leaf) for leaf in plan.leaves}
    return {
        names.index(name): [at for leaf in _leaves(formula) for at in counts.get(branches[leaf], {}).values()]
        for name, formula in plan.metrics
        if not name.startswith(SIZE)
    }


def _leaves(formula: Arithmetic | None) -> Iterator[str]:
    if formula is None:
        return
    if formula.op == "leaf":
        yield formula.leaf
    yield from _leaves(formula.left)
    yield from _leaves(formula.right)


def _is_small(counts: Iterable[Value], smallest: int) -> bool:
    """People may share a name or have no phone: the largest count says how many there are at least."""
    return 0 < max((count for count in counts if isinstance(count, int)), default=0) < smallest
