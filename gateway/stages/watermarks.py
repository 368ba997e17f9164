"""How far the data went when a question read it: asked beside it where that costs next to nothing."""

from collections.abc import Callable

from gateway.engines.base import Rows
from gateway.house import House
from gateway.stages.conservation import Guard
from metric_layer.compile import below, compile_guard, compile_watermarks, marked_days
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Reading
from policies.entitlement import Entitlement
from policies.facts import SqlFacts
from policies.register import SQL_CHECKS, judge
from traces.records import DataReference, Estimate, Watermark

SHARE = 10
"""Watermarks may cost a tenth of their question,"""
CHEAP_COST = 20_000
"""or this much in the database's own unit (PostgreSQL: a fraction of a second),"""
CHEAP_ROWS = 5_000_000
"""or this many rows to read, where the database says rows alone."""
UNREAD = Reading(text="", sql="")


def marks_beside(
    house: House,
    role: Entitlement,
    plan: ResolvedPlan,
    guard: Guard,
    data: DataReference,
    question: Estimate | None,
    price: Callable[[str], Estimate],
) -> str:
    """Return the statement to run beside a question, its guard included, or "" where there is nothing to ask.

    A database that keeps old data by its moment needs none; elsewhere one is asked for if it is cheap.
    """
    if data.kind == "timestamp" or question is None:
        return ""
    days = ("marks", role.role_name, plan.zone, house.kept.marks.of(plan, lambda: marked_days(plan)))
    alone = house.kept.statement(days, lambda: _read(house, role, plan, None))
    if not alone.sql:
        return ""
    key = ("marks", role.role_name, role.digest, alone.sql)
    if not house.kept.cheap.of(key, lambda: is_cheap(price(alone.sql), question)):
        return ""
    if guard.reading is None:
        return alone.sql
    both = house.kept.statement(
        ("guard and marks", role.role_name, plan), lambda: _read(house, role, plan, guard)
    )
    return both.sql


def watermarks_in(rows: Rows, smallest: int) -> tuple[Watermark, ...]:
    """Return the watermarks that ran beside a question; none over fewer rows than the smallest group."""
    return tuple(
        Watermark(name=str(row[0]), newest=str(row[3]), rows=row[1])
        for row in rows.beside
        if is_mark(row) and row[3] is not None and isinstance(row[1], int) and row[1] >= smallest
    )


def is_mark(row: tuple[object, ...]) -> bool:
    """Say whether a row beside a question is a watermark: its name has a dataset and a column."""
    return "." in str(row[0])


def is_cheap(marks: Estimate, question: Estimate) -> bool:
    """Say whether watermarks cost next to nothing, by themselves or beside their question."""
    if marks.cost is not None:
        return marks.cost <= max(CHEAP_COST, (question.cost or 0) / SHARE)
    read = [scan.rows for scan in marks.scans]
    known = [rows for rows in read if rows is not None]
    return len(known) == len(read) and sum(known) <= CHEAP_ROWS


def _read(house: House, role: Entitlement, plan: ResolvedPlan, guard: Guard | None) -> Reading:
    """Return the checked text; one that any check has something against is not run, and no question waits."""
    dialect = house.engine.dialect
    marks = compile_watermarks(plan, house.layer, dialect)
    if marks is None:
        return UNREAD
    tree = below(compile_guard(plan, house.layer, dialect), marks) if guard else marks
    reading = role.reader.read(tree, house.now())
    facts = SqlFacts("plan", house.governed.policy, role.catalogue, reading, None, counted=plan)
    passed = all(d.verdict in ("allow", "skipped") for d in judge(SQL_CHECKS, facts))
    return reading if passed and not reading.faults else UNREAD
