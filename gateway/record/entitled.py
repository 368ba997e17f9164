"""Says who may see what a trace tells: its asker under the same access, others where they could ask it."""

from collections.abc import Iterator

from gateway.house import House
from metric_layer.plan import Filter, MetricPlan
from metric_layer.record import Record
from policies.checks.names import check_system_catalog, check_table_allowlist, check_unknown_column
from policies.checks.personal import check_pii_column, check_pii_star, check_pii_whole_row
from policies.entitlement import Entitlement
from policies.facts import SqlFacts
from policies.policy import Right
from traces.records import Caller, Close, Trace

CHANGED = "Your access has changed since you asked"
READABLE = (
    check_table_allowlist,
    check_system_catalog,
    check_unknown_column,
    check_pii_column,
    check_pii_star,
    check_pii_whole_row,
)
"""Checks that say of a query: it reads what a role may not read."""


def still_entitled(house: House, caller: Caller, trace: Trace) -> bool:
    """Say whether the role now in force sees exactly what the role saw that the question ran under.

    It is about rows, texts and cited values of the caller's own questions. An auditor reads by another right.
    """
    role, closed = house.entitlements.of(caller), trace.closed
    pins = closed.pins if closed else None
    return role is not None and pins is not None and pins.entitlement == role.digest


def sees_rows_of(house: House, role: Entitlement, asker_role: str) -> bool:
    """Say whether a role sees every row that an asker's role sees, by its row rules."""
    asker, rules = house.governed.policy.roles.get(asker_role), role.role.rows
    return not rules or (asker is not None and all(rule in asker.rows for rule in rules))


def as_audited(house: House, caller: Caller, masked: Trace) -> Trace:
    """Return a masked trace as an auditor reads it: ranges and totals of rows only that they see as well."""
    role, closed = house.entitlements.of(caller), masked.closed
    if closed is None or closed.shape is None:
        return masked
    if role is not None and sees_rows_of(house, role, masked.opened.role):
        return masked
    bare = tuple(
        each.model_copy(update={"low": "", "high": "", "total": ""}) for each in closed.shape.columns
    )
    shape = closed.shape.model_copy(update={"columns": bare})
    return masked.model_copy(update={"closed": closed.model_copy(update={"shape": shape})})


def may_know(house: House, role: Entitlement, trace: Trace) -> bool:
    """Say whether a role sees all that a question names: its fields, or the tables and columns it reads.

    It is about other people's questions. One with neither a plan nor a query is nobody's to know.
    """
    plan, closed = trace.opened.ask.plan, trace.closed
    if plan is None:
        return closed is not None and closed.query is not None and _may_read(house, role, closed.query.sql)
    used = closed.pins.used if closed is not None and closed.pins is not None else ()
    known, visible = house.layer.dimensions, role.visible
    fields = {*_fields(plan), *(each.name for each in used if each.kind == "dimension")}
    return all(map(visible.metric, _metrics(plan, house))) and all(
        name in known and visible.dimension(known[name]) for name in fields
    )


def _fields(plan: MetricPlan) -> Iterator[str]:
    """Yield the dimensions that a plan groups by, filters by and is timed by; an order names no other."""
    yield from plan.dimensions
    yield from (each.field for each in plan.filters if isinstance(each, Filter))
    if plan.time is not None and plan.time.field is not None:
        yield plan.time.field


def _metrics(plan: MetricPlan, house: House) -> Iterator[str]:
    """Yield the metrics that a plan shows, filters by and is ordered by."""
    yield from plan.metrics
    yield from (each.metric for each in plan.filters if not isinstance(each, Filter))
    if plan.order is not None and plan.order.by in house.layer.metrics:
        yield plan.order.by


def _may_read(house: House, role: Entitlement, sql: str) -> bool:
    reading = role.reader.read(sql, house.now())
    facts = SqlFacts("free", house.governed.policy, role.catalogue, reading, None)
    found = (each for check in READABLE for each in check(facts))
    return bool(reading.sql) and all(each.verdict != "hard" for each in found)


def as_told(trace: Trace) -> Trace:
    """Return what the asker of a trace may know of it: of one in shadow nothing that its run gave."""
    closed = trace.closed
    if closed is None or not closed.came_to:
        return trace
    before = tuple(each for each in closed.decisions if each.stage in ("plan", "sql", "cost"))
    told = Close(
        trace_id=closed.trace_id,
        at=closed.at,
        mono_us=closed.mono_us,
        outcome=closed.outcome,
        release=closed.release,
        pins=closed.pins,
        query=closed.query,
        readings=closed.readings,
        estimate=closed.estimate_alone or closed.estimate,
        decisions=before,
        sealed=closed.sealed,
    )
    return trace.model_copy(update={"closed": told})


class Standing(Record):
    """The role a caller acts in and what it may do; both empty for somebody without one."""

    role: str = ""
    rights: tuple[Right, ...] = ()


def standing_of(house: House, caller: Caller) -> Standing:
    """Return the role that is in force for a caller, with its rights."""
    role = house.entitlements.of(caller)
    return Standing(role=role.role_name, rights=role.role.may) if role else Standing()
