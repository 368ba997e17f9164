"""The newest time there is where a plan looks for its days, and the plan over the rows up to then alone."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from sqlglot import exp

from metric_layer.compile.predicate import condition_on
from metric_layer.compile.rows import days_of
from metric_layer.compile.tables import Joins, aliased, all_of, union_all
from metric_layer.compile.zone import Clock
from metric_layer.expression import column_of
from metric_layer.layer import Layer
from metric_layer.resolved import Frame, Leaf, PathColumn, ResolvedFilter, ResolvedPlan

NEWEST = "newest"
MarkedDays = tuple[PathColumn, date | None, date | None]
"""A time column with its first day and the day after its last; None where there is no such end."""


def compile_watermarks(
    resolved: ResolvedPlan, layer: Layer, dialect: str, marks: Mapping[str, str] | None = None
) -> exp.Expr | None:
    """Return the query of the newest value of each time column of a plan, within the days that it reads.

    Its rows are `branch` (dataset and column), `joined` (how many rows there are), `own` (0) and `newest`
    (the time as text; NULL where there is no row): they stand below those of a guard. With `marks` nothing
    newer than they say is looked at. None for a plan that reads nothing by time.
    """
    selects = [_newest(leaf, resolved, layer, dialect, marks or {}) for leaf in _marked(resolved).values()]
    return union_all(selects) if selects else None


def below(guard: exp.Expr | None, marks: exp.Expr) -> exp.Expr:
    """Return the rows of a guard, if there is one, and those of watermarks in one query."""
    if guard is None:
        return marks
    for select in guard.find_all(exp.Select):
        if [each.alias for each in select.expressions] == ["branch", "joined", "own"]:
            nothing = exp.Cast(this=exp.Null(), to=exp.DataType.build("text"))
            select.set("expressions", [*select.expressions, aliased(nothing, NEWEST)])
    return union_all([part for part in (guard, marks) if isinstance(part, exp.Query)])


def until(resolved: ResolvedPlan, marks: Mapping[str, str]) -> ResolvedPlan | None:
    """Return the plan over rows no newer than a mark per time column; None where one is missing."""
    leaves: list[Leaf] = []
    for leaf in resolved.leaves:
        cut = _cut(leaf, marks, resolved.zone)
        if cut is None:
            return None
        leaves.append(cut)
    return replace(resolved, leaves=tuple(leaves))


def marked_days(resolved: ResolvedPlan) -> tuple[MarkedDays, ...]:
    """Return what the watermarks of a zone depend on: each time column alone, with the days read by it."""
    return tuple(
        (replace(leaf.time, path=()), *days_of(leaf, resolved))
        for leaf in _marked(resolved).values()
        if leaf.time is not None
    )


def last_day(resolved: ResolvedPlan, marks: Mapping[str, str]) -> date | None:
    """Return the last day on which every marked time column of a plan has data; None without a mark."""
    times = {mark_of(leaf.time): leaf.time for leaf in resolved.leaves if leaf.time is not None}
    found = [_time(marks.get(name, ""), time, resolved.zone) for name, time in times.items()]
    days = [each.date() if isinstance(each, datetime) else each for each in found if each is not None]
    return min(days, default=None)


def mark_of(column: PathColumn) -> str:
    """Return the name that a time column has among the watermarks."""
    return f"{column.dataset}.{column.column}"


def _marked(resolved: ResolvedPlan) -> dict[str, Leaf]:
    """Return one leaf per time column, over the days of all leaves that read by it."""
    found: dict[str, Leaf] = {}
    for leaf in resolved.leaves:
        if leaf.time is None:
            continue
        name = mark_of(leaf.time)
        known = found.get(name)
        found[name] = leaf if known is None else _wider(known, leaf, resolved)
    return found


def _wider(one: Leaf, other: Leaf, resolved: ResolvedPlan) -> Leaf:
    """Return a leaf over the days up to the later of two ends; where one has no end, over all of them."""
    ends = [days_of(leaf, resolved)[1] for leaf in (one, other)]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        return one if ends[0] is None else other
    starts = [days_of(leaf, resolved)[0] for leaf in (one, other)]
    first = None if None in starts else min(start for start in starts if start is not None)
    return replace(one, frame=Frame(first, max(known)))


def _newest(
    leaf: Leaf, resolved: ResolvedPlan, layer: Layer, dialect: str, marks: Mapping[str, str]
) -> exp.Select:
    time = leaf.time
    assert time is not None, "only leaves with a time are marked"
    joins = Joins(layer.datasets, time.dataset)

    def column() -> exp.Expr:
        return column_of(time.column, joins.root)

    where = Clock(column, time, resolved.zone, dialect).within(*days_of(leaf, resolved))
    newest = _time(marks.get(mark_of(time), ""), time, resolved.zone)
    if newest is not None:
        test = ResolvedFilter(time.column, time, "le", (newest,))
        where.append(condition_on(column(), test, resolved.zone))
    text = exp.Cast(this=exp.Max(this=column()), to=exp.DataType.build("text"))
    columns: dict[str, exp.Expr] = {
        "branch": exp.Literal.string(mark_of(time)),
        "joined": exp.Count(this=exp.Star(), big_int=True),
        "own": exp.Literal.number(0),
        NEWEST: text,
    }
    select = exp.Select(
        expressions=[aliased(node, name) for name, node in columns.items()],
        from_=exp.From(this=joins.source),
    )
    if where:
        select.set("where", exp.Where(this=all_of(where)))
    return select


def _cut(leaf: Leaf, marks: Mapping[str, str], zone: str) -> Leaf | None:
    """Return a leaf that reads nothing newer than its fact's mark, before moments are picked."""
    if leaf.time is None:
        return None
    newest = _time(marks.get(mark_of(leaf.time), ""), leaf.time, zone)
    if newest is None:
        return None
    test = ResolvedFilter(leaf.time.column, leaf.time, "le", (newest,))
    pick = replace(leaf.pick, filters=(*leaf.pick.filters, test)) if leaf.pick else None
    return replace(leaf, filters=(*leaf.filters, test), pick=pick)


def _time(text: str, column: PathColumn, zone: str) -> date | None:
    """Return a mark as filters take a time: a day, or what a clock in the plan's zone shows."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    if column.type == "date":
        return found.date()
    written = ZoneInfo(column.time_zone or zone) if column.type == "timestamp" else UTC
    moment = found if found.tzinfo else found.replace(tzinfo=written)
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
