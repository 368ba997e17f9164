"""Finished branches set side by side: UNION ALL, then one row per group; periods without rows filled in."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import partial

from sqlglot import exp

from metric_layer.compile.branch import Branch
from metric_layer.compile.listing import listed
from metric_layer.compile.literals import literal
from metric_layer.compile.tables import aliased, derived, identifier, union_all
from metric_layer.definitions import ColumnType
from metric_layer.expression import column_of
from metric_layer.resolved import Leaf, ResolvedPlan

PARTS, FOUND, SPINE, GROUPS = "parts", "found", "spine", "groups"
UNTYPED_NULL = frozenset({"duckdb"})
ZERO_WITHOUT_ROWS = frozenset({"sum", "count", "count_distinct", "approx_count_distinct"})
_TYPE_TEXTS: Mapping[ColumnType, str] = {
    "string": "TEXT",
    "integer": "BIGINT",
    "decimal": "DECIMAL(38, 10)",
    "float": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamptz": "TIMESTAMPTZ",
}
# Parsed once: every branch has a column for each leaf of the others.
_NULL_TYPES: Mapping[ColumnType, exp.DataType] = {
    kind: exp.DataType.build(text) for kind, text in _TYPE_TEXTS.items()
}


def stitched(branches: Sequence[Branch], resolved: ResolvedPlan, dialect: str) -> Branch:
    """Set finished branches side by side: one row per group and branch, so MAX only picks the value.

    With a spine every period has a row, for each combination of dimensions that has any.
    """
    names = [name for name, _ in branches[0].groups]
    parts = union_all([_padded(branch, resolved, dialect) for branch in branches])
    source = _filled(parts, names, resolved, dialect) if resolved.spine else derived(parts, PARTS)
    groups = tuple((name, partial(column_of, name, PARTS)) for name in names)
    return Branch(groups, {leaf.id: partial(_value, leaf, resolved) for leaf in resolved.leaves}, source)


def _padded(branch: Branch, resolved: ResolvedPlan, dialect: str) -> exp.Select:
    """Return a branch that has a column for every leaf; those of other branches are NULL."""
    columns: list[tuple[str, exp.Expr]] = []
    for leaf in resolved.leaves:
        build = branch.aggregates.get(leaf.id)
        columns.append((leaf.id, build() if build else _null(leaf.type, dialect)))
        if _marked(leaf, resolved):
            mark = exp.Literal.number(1) if build else _null("integer", dialect)
            columns.append((_mark(leaf, resolved), mark))
    return branch.select(columns)


def _value(leaf: Leaf, resolved: ResolvedPlan) -> exp.Expr:
    """Return a leaf's value in a group; with zeroes asked for, 0 where its branch had no row there."""
    value = exp.Max(this=column_of(leaf.id, PARTS))
    if not _marked(leaf, resolved):
        return value
    none: exp.Expr = exp.Is(this=exp.Max(this=column_of(_mark(leaf, resolved), PARTS)), expression=exp.Null())
    unread = _unread(leaf, resolved)
    if unread:
        bucket = column_of(str(resolved.grain), PARTS)
        missing = exp.In(this=bucket, expressions=[literal(each) for each in unread])
        none = exp.And(this=none, expression=exp.Not(this=missing))
    return exp.Case(ifs=[exp.If(this=none, true=exp.Literal.number(0))], default=value)


def _unread(leaf: Leaf, resolved: ResolvedPlan) -> list[date]:
    """Return the periods of the spine that a leaf reads no day for: 31 March has none in February."""
    frame, spine = leaf.frame, resolved.spine
    if frame is None or frame.start is None or resolved.grain == "hour":
        return []
    if frame.buckets:
        read = {bucket.label for bucket in frame.buckets}
        return [each for each in spine if each not in read]
    if frame.shift_months:
        return []
    moved = timedelta(days=frame.shift_days)
    first, end = frame.start + moved, frame.end + moved
    ends = (*spine[1:], date.max)
    return [each for each, after in zip(spine, ends, strict=True) if each >= end or after <= first]


def _marked(leaf: Leaf, resolved: ResolvedPlan) -> bool:
    """Say whether a leaf's branch marks the groups in which it has rows; a balance is never made up."""
    time = resolved.plan.time
    zeroes = bool(resolved.spine) and time is not None and time.fill == "zero"
    return zeroes and leaf.pick is None and leaf.aggregate in ZERO_WITHOUT_ROWS


def _mark(leaf: Leaf, resolved: ResolvedPlan) -> str:
    """Return the name of a leaf's mark: short, as PostgreSQL cuts a name that another may begin with."""
    return f"_rows_{[each.id for each in resolved.leaves].index(leaf.id)}"


def _filled(parts: exp.Query, names: Sequence[str], resolved: ResolvedPlan, dialect: str) -> exp.Subquery:
    """Return the parts and a row for every period, for each combination of dimensions among the parts."""
    bucket, *dimensions = names
    spine = listed([bucket], [[each] for each in resolved.spine], SPINE, dialect)
    empty: list[tuple[str, exp.Expr]] = [(bucket, column_of(bucket, SPINE))]
    empty.extend((name, column_of(name, GROUPS)) for name in dimensions)
    empty.extend(_nothing(resolved, dialect))
    every = exp.Select(expressions=[aliased(node, name) for name, node in empty], from_=exp.From(this=spine))
    if not dimensions:
        return derived(union_all([parts, every]), PARTS)
    groups = _read(dimensions)
    groups.set("distinct", exp.Distinct())
    every.set("joins", [exp.Join(this=derived(groups, GROUPS), kind="CROSS")])
    both = union_all([_read([name for name, _ in empty]), every])
    found = exp.CTE(this=parts, alias=exp.TableAlias(this=identifier(FOUND)))
    both.set("with_", exp.With(expressions=[found]))
    return derived(both, PARTS)


def _nothing(resolved: ResolvedPlan, dialect: str) -> list[tuple[str, exp.Expr]]:
    """Return the columns of a part without rows."""
    found: list[tuple[str, exp.Expr]] = []
    for leaf in resolved.leaves:
        found.append((leaf.id, _null(leaf.type, dialect)))
        if _marked(leaf, resolved):
            found.append((_mark(leaf, resolved), _null("integer", dialect)))
    return found


def _read(names: Sequence[str]) -> exp.Select:
    table = exp.Table(this=identifier(FOUND))
    return exp.Select(
        expressions=[aliased(column_of(name, FOUND), name) for name in names], from_=exp.From(this=table)
    )


def _null(kind: ColumnType, dialect: str) -> exp.Expr:
    """Some engines type a union by its first branches and need a type; DuckDB would widen a decimal by it."""
    if dialect in UNTYPED_NULL:
        return exp.Null()
    return exp.Cast(this=exp.Null(), to=_NULL_TYPES[kind].copy())
