"""Governed SQL says what its plan says: tables, filters, window, grouping, measures and outputs."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time

from metric_layer.resolved import ResolvedPlan
from metric_layer.sql.reading import ScopeGrain
from policies.facts import Finding, SqlFacts

AGGREGATES = {
    "sum": {"Sum"},
    "count": {"Count"},
    "count_distinct": {"Count"},
    "min": {"Min"},
    "max": {"Max"},
    "avg": {"Avg", "Sum", "Count"},
}
COMBINED = frozenset({"Max"})
Columns = set[tuple[str, str]]


def check_conformity(facts: SqlFacts) -> Iterator[Finding]:
    """The SQL of a plan reads what the plan names, restricts, groups and measures, and nothing else."""
    plan = facts.resolved
    if facts.origin != "plan" or plan is None:
        yield Finding("skipped", "free SQL has no plan to conform to")
        return
    if not facts.reading.sql:
        return
    names = {table.dataset: table.name for table in facts.catalogue.tables}
    reading = [scope for scope in facts.reading.scopes if scope.tables]
    yield from _differ("tables", _tables(plan, names), {ref.name for ref in facts.reading.tables})
    yield from _differ("outputs", {o.name for o in plan.outputs}, {o.name for o in facts.reading.outputs})
    yield from _filters(plan, names, reading)
    yield from _windows(plan, names, reading)
    yield from _measures(plan, names, facts.reading.scopes)


def _tables(plan: ResolvedPlan, names: dict[str, str]) -> set[str]:
    datasets = {leaf.dataset for leaf in plan.leaves}
    for leaf in plan.leaves:
        datasets |= {hop.to_dataset for column in leaf.columns for hop in column.path}
    return {names.get(dataset, dataset) for dataset in datasets}


def _filters(plan: ResolvedPlan, names: dict[str, str], scopes: Iterable[ScopeGrain]) -> Iterator[Finding]:
    """Every filter of the plan is there, and no column is restricted that the plan does not restrict."""
    asked: Columns = set()
    joined: Columns = set()
    for leaf in plan.leaves:
        asked |= {(names.get(f.column.dataset, ""), f.column.column) for f in leaf.filters}
        if leaf.time is not None and plan.start is not None:
            asked.add((names.get(leaf.time.dataset, ""), leaf.time.column))
        for hop in (hop for column in leaf.columns for hop in column.path):
            joined |= {(names.get(hop.from_dataset, ""), c) for c in hop.from_columns}
            joined |= {(names.get(hop.to_dataset, ""), c) for c in hop.to_columns}
    found = {column for scope in scopes for each in scope.filters for column in each.columns}
    for column in sorted(asked - found):
        yield _finding("filter", f"the plan restricts {'.'.join(column)} and the SQL does not")
    for column in sorted(found - asked - joined):
        yield _finding("filter", f"the SQL restricts {'.'.join(column)} and the plan does not")


def _windows(plan: ResolvedPlan, names: dict[str, str], scopes: Iterable[ScopeGrain]) -> Iterator[Finding]:
    if plan.start is None or plan.end is None:
        return
    bounds = {
        (column, each.lower, each.upper) for s in scopes for each in s.filters for column in each.columns
    }
    for column in {(names.get(leaf.time.dataset, ""), leaf.time.column) for leaf in plan.leaves if leaf.time}:
        low, high = _midnight(plan.start), _midnight(plan.end)
        if (column, low, None) not in bounds or (column, None, high) not in bounds:
            yield _finding(
                "window", f"{'.'.join(column)} does not run from {plan.start} to before {plan.end}"
            )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _measures(plan: ResolvedPlan, names: dict[str, str], scopes: Iterable[ScopeGrain]) -> Iterator[Finding]:
    """Every fact is measured at the plan's grouping, with the plan's aggregates and no others."""
    grouped = sum(output.kind != "metric" for output in plan.outputs)
    wanted: dict[str, set[str]] = {}
    for leaf in plan.leaves:
        wanted.setdefault(names.get(leaf.dataset, ""), set()).update(AGGREGATES[leaf.aggregate])
    measured: set[str] = set()
    for scope in (scope for scope in scopes if scope.aggregates):
        fact = scope.tables[0] if scope.tables else ""
        measured.add(fact)
        strange = set(scope.aggregates) - (wanted.get(fact, set()) if fact else COMBINED)
        if strange:
            yield _finding(
                "measure", f"{', '.join(sorted(strange))} over {fact or 'the parts'} is not of the plan"
            )
        if len(scope.grouped_by) != grouped:
            yield _finding("grouping", f"{len(scope.grouped_by)} group columns instead of {grouped}")
    for fact in sorted(wanted.keys() - measured):
        yield _finding("measure", f"{fact} is not measured")


def _differ(what: str, asked: set[str], found: set[str]) -> Iterator[Finding]:
    if asked != found:
        odd = ", ".join(sorted(asked ^ found))
        yield _finding(what, f"the {what} of the SQL are not those of the plan: {odd}")


def _finding(place: str, reason: str) -> Finding:
    return Finding("hard", reason, place=place, next_step="report this: the compiler and the plan disagree")
