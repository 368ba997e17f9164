"""What a resolved plan says, in the terms that its SQL is taken apart to: worked out without compiling it."""

from collections.abc import Mapping, Sequence

from metric_layer.resolved import Arithmetic, Leaf, PathColumn, ResolvedPlan
from metric_layer.sql.term import NULL, Term, either, in_order
from metric_layer.sql.terms import Terms
from policies.leaf_terms import LeafTerms, Named, compared, divided, literal, rows_key

_OPERATIONS = {"add": "Add", "sub": "Sub", "mul": "Mul"}


def terms_of_plan(plan: ResolvedPlan, named: Named) -> Terms:
    """Return what the SQL of a plan has to say; the limit is the plan's own, and None without one."""
    leaves = [LeafTerms(leaf, plan, named, _counted(leaf, plan)) for leaf in plan.leaves]
    asked = [output for output in plan.outputs if output.kind != "metric"]
    groups = tuple(_group(leaves, at, plan) for at in range(len(asked)))
    values = {leaf.id: terms.value(groups[:1]) for leaf, terms in zip(plan.leaves, leaves, strict=True)}
    metrics = {name: _formula(node, values) for name, node in plan.metrics}
    outputs = dict(zip((output.name for output in asked), groups, strict=True))
    outputs.update((output.name, metrics[output.name]) for output in plan.outputs if output.kind == "metric")
    having = [
        compared(metrics[each.metric], each.op, [literal(value) for value in each.values], keep_missing=False)
        for each in plan.having
    ]
    for floor in plan.floors:
        counts = [metrics[name] for name in floor.counts]
        having.extend(_large_or_none(counts, each, literal(floor.least)) for each in counts)
    limit = None if plan.limit is None else plan.limit + 1
    combined = (*groups, "distinct") if plan.spine and len(groups) > 1 else groups
    return Terms(tuple(outputs.items()), combined, in_order(having), tuple(plan.order), limit)


def _large_or_none(counts: Sequence[Term], one: Term, least: Term) -> Term:
    found: Term = ("Or", ("Is", one, NULL), compared(one, "le", [literal(0)], keep_missing=False))
    for each in counts:
        found = ("Or", found, compared(each, "ge", [least], keep_missing=False))
    return found


def _group(leaves: Sequence[LeafTerms], at: int, plan: ResolvedPlan) -> Term:
    """Return what a group column holds: the column of every leaf, and every period of a spine."""
    spine: tuple[Term, ...] = ("listed", *map(literal, plan.spine))
    return either([*(each.groups[at] for each in leaves), *((spine,) if plan.spine and at == 0 else ())])


def _counted(leaf: Leaf, plan: ResolvedPlan) -> tuple[PathColumn, ...]:
    """Return the columns that leaves count which read the same rows: they are joined for all of those."""
    return tuple(
        each.counted for each in plan.leaves if each.counted is not None and rows_key(each) == rows_key(leaf)
    )


def _formula(node: Arithmetic, values: Mapping[str, Term]) -> Term:
    if node.op == "leaf":
        found = values[node.leaf]
    elif node.left is None or node.right is None:
        found = node.number
    else:
        left, right = _formula(node.left, values), _formula(node.right, values)
        found = divided(left, right) if node.op == "div" else (_OPERATIONS[node.op], left, right)
    return ("Coalesce", found, "0") if node.null_as_zero else found
