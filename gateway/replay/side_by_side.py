"""Two traces side by side: pins, plan, SQL as trees, estimate, shape of the result, each cited number."""

from collections.abc import Iterator, Mapping

from metric_layer.record import Record
from metric_layer.sql.tree_diff import tree_diff
from traces.diff import Change, diff
from traces.records import Close, Shape, Trace


class Changed(Record):
    """Something named, as it is in the first trace and in the second; empty where it does not stand."""

    name: str
    old: str = ""
    new: str = ""


class SqlDifference(Record):
    """Pieces of SQL that only one of two queries has; `read` is false where a text cannot be taken apart."""

    only_old: tuple[str, ...] = ()
    only_new: tuple[str, ...] = ()
    read: bool = True


class TraceDifference(Record):
    """What parts two traces; `first_step` is the first step of the pipeline that came to something else.

    `rows_comparable` is false where the hashes of their rows were made under different keys.
    """

    old: str
    new: str
    first_step: str = ""
    parted: tuple[str, ...] = ()
    outcome: Changed | None = None
    pins: tuple[Changed, ...] = ()
    plan: tuple[Changed, ...] = ()
    sql: SqlDifference = SqlDifference()
    estimate: tuple[Changed, ...] = ()
    shape: tuple[Changed, ...] = ()
    numbers: tuple[Changed, ...] = ()
    rows_comparable: bool = True


def side_by_side(old: Trace, new: Trace) -> TraceDifference:
    """Compare two traces, whole or masked."""
    found = diff(old, new)
    return TraceDifference(
        old=old.trace_id,
        new=new.trace_id,
        first_step=found.first_step or "",
        parted=found.parted,
        outcome=_changed(found.outcome) if found.outcome else None,
        pins=tuple(map(_changed, found.changed_pins)),
        plan=tuple(_between(_plan(old), _plan(new))),
        sql=_sql(old.closed, new.closed),
        estimate=tuple(_between(_estimate(old.closed), _estimate(new.closed))),
        shape=tuple(_between(_shape(old.closed), _shape(new.closed))),
        numbers=tuple(map(_changed, found.numbers)),
        rows_comparable=found.rows_comparable,
    )


def _changed(change: Change) -> Changed:
    return Changed(name=change.name, old=change.old, new=change.new)


def _between(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Changed]:
    for name in dict.fromkeys((*old, *new)):
        if old.get(name, "") != new.get(name, ""):
            yield Changed(name=name, old=old.get(name, ""), new=new.get(name, ""))


def _plan(trace: Trace) -> Mapping[str, str]:
    """Return each part of a plan as text, and the readings of open terms it ran with."""
    plan = trace.opened.ask.plan
    if plan is None:
        return {}
    parts = plan.model_dump(mode="json", by_alias=True, exclude_none=True)
    chosen = {f"choices.{term}": option for term, option in trace.choices.items()}
    return {**{name: _text(value) for name, value in parts.items() if value not in ([], ())}, **chosen}


def _text(value: object) -> str:
    match value:
        case list():
            return ", ".join(map(_text, value))
        case dict():
            return " ".join(f"{name}={_text(inner)}" for name, inner in value.items())
    return str(value)


def _sql(old: Close | None, new: Close | None) -> SqlDifference:
    before, after = (close.query if close else None for close in (old, new))
    if before is None or after is None or before.sql == after.sql:
        texts = [(query.sql,) if query and query.sql else () for query in (before, after)]
        return (
            SqlDifference() if texts[0] == texts[1] else SqlDifference(only_old=texts[0], only_new=texts[1])
        )
    found = tree_diff(before.sql, after.sql, after.dialect) if before.dialect == after.dialect else None
    if found is None or not found.read:
        return SqlDifference(only_old=(before.sql,), only_new=(after.sql,), read=False)
    return SqlDifference(only_old=found.only_gold, only_new=found.only_candidate)


def _estimate(close: Close | None) -> Mapping[str, str]:
    found = close.estimate if close else None
    if found is None:
        return {}
    plain = {"rows": found.rows, "bytes": found.bytes, "cost": found.cost, "bound": found.bound}
    scans = {
        f"scan of {scan.relation}": f"{scan.rows} rows{', full' if scan.full else ''}" for scan in found.scans
    }
    return {**{name: str(value) for name, value in plain.items() if value is not None}, **scans}


def _shape(close: Close | None) -> Mapping[str, str]:
    shape: Shape | None = close.shape if close else None
    if shape is None:
        return {}
    found = {"rows": str(shape.rows), "cut": "yes" if shape.truncated else "no"}
    for column in shape.columns:
        told = {
            "type": column.type,
            "nulls": str(column.nulls),
            "distinct": str(column.distinct),
            "low": column.low,
            "high": column.high,
            "total": column.total,
        }
        found.update({f"{column.name}.{name}": value for name, value in told.items() if value})
    return found
