"""Key attestation: each declared key is counted in the data, as a caller who sees all of it."""

from collections.abc import Callable, Iterator
from functools import partial

from gateway.engines.base import EngineError, Identity, Rows
from gateway.engines.same_data import data_read
from gateway.house import House, limits_of
from gateway.record.journal import new_id
from gateway.reply import AttestedKey, AttestedLevel, AttestReport
from gateway.stores.attestations import AttestationStore, KeyCounts, edge_digest
from metric_layer.compile import compile_attestation, compile_duplicates, compile_levels
from metric_layer.definitions import Hierarchy, Relationship
from metric_layer.sql import Reading
from policies.entitlement import Entitlement
from policies.facts import CostFacts, SqlFacts
from policies.register import COST_CHECKS, SQL_CHECKS, judge
from traces.records import Caller, DataReference, Decision, Value


class _Uncounted(Exception):
    """Something cannot be counted; the text says why. Never leaves this file."""


def attest(house: House, store: AttestationStore, caller: Caller) -> AttestReport:
    """Count every declared key and every level of a hierarchy, keep what the keys gave, and report it.

    What the caller's role sees a part of only is left out, and said: a part proves nothing of the whole.
    """
    role = house.entitlements.of(caller)
    if role is None:
        return AttestReport(ok=False, at=house.now(), refused="Your roles are none that the policy knows.")
    before = house.engine.pin()
    count = partial(
        _count, house, role, Identity(user=caller.user, role=role.role_name, tenant=caller.tenant), before
    )
    keys = []
    for edge in house.layer.relationships.values():
        try:
            _demand_whole(role, (edge.from_dataset, edge.to_dataset))
            found, data = count(role.reader.read(compile_attestation(house.layer, edge.name), house.now()))
        except (_Uncounted, EngineError) as fault:
            keys.append(_line(house, edge, None, str(fault)))
            continue
        (row,) = found.rows
        counts = _counts(row)
        store.record(edge.name, edge_digest(house.layer, edge.name), data.value, counts)
        keys.append(_line(house, edge, counts))
    levels = [line for each in house.layer.hierarchies.values() for line in _levels(house, role, each, count)]
    return AttestReport(
        ok=all(key.ok for key in keys) and all(level.straddling == 0 for level in levels),
        at=house.now(),
        data=before.value[:12],
        keys=tuple(keys),
        levels=tuple(levels),
    )


def _levels(
    house: House,
    role: Entitlement,
    hierarchy: Hierarchy,
    count: Callable[[Reading], tuple[Rows, DataReference]],
) -> Iterator[AttestedLevel]:
    try:
        _demand_whole(role, tuple(house.layer.dimensions[name].dataset for name in hierarchy.levels))
        found, _ = count(role.reader.read(compile_levels(house.layer, hierarchy), house.now()))
    except (_Uncounted, EngineError) as fault:
        yield AttestedLevel(hierarchy=hierarchy.name, level="", uncounted=str(fault))
        return
    for level, straddling in found.rows:
        yield AttestedLevel(hierarchy=hierarchy.name, level=str(level), straddling=int(str(straddling)))


def _counts(row: tuple[Value, ...]) -> KeyCounts:
    """Return one row of counts, in the order of `compile.attest.COUNTS`."""
    to_rows, to_keys, to_nulls, from_rows, from_keys, from_nulls, orphans = (
        None if value is None else int(str(value)) for value in row
    )
    return KeyCounts(to_rows or 0, to_keys or 0, to_nulls or 0, from_rows, from_keys, from_nulls, orphans)


def _demand_whole(role: Entitlement, datasets: tuple[str, ...]) -> None:
    whole = {view.dataset for view in role.views if view.whole}
    partly = sorted(set(datasets) - whole)
    if partly:
        raise _Uncounted(f"the role {role.role_name} does not see all of {', '.join(partly)}")


def _count(
    house: House, role: Entitlement, who: Identity, before: DataReference, reading: Reading
) -> tuple[Rows, DataReference]:
    """Check, price and run one counting statement like any other governed SQL, on the data of the report."""
    policy, catalogue = house.governed.policy, role.catalogue
    facts = SqlFacts(origin="plan", policy=policy, catalogue=catalogue, reading=reading, resolved=None)
    _demand_passed(judge(SQL_CHECKS, facts))
    limits = limits_of(role.caps)
    estimate = house.engine.explain(reading.sql, who, limits)
    price = CostFacts(role=role.role, policy=policy, catalogue=catalogue, estimate=estimate)
    _demand_passed(judge(COST_CHECKS, price))
    rows = house.engine.run(reading.sql, who, limits, new_id(house.now()))
    return rows, data_read(house.engine, before, rows)


def _demand_passed(decisions: tuple[Decision, ...]) -> None:
    wrong = [f"{d.check}: {d.reason}" for d in decisions if d.verdict not in ("allow", "skipped")]
    if wrong:
        raise _Uncounted("; ".join(wrong))


def _line(house: House, edge: Relationship, counts: KeyCounts | None, uncounted: str = "") -> AttestedKey:
    dialect = house.engine.dialect
    query = compile_duplicates(house.layer, edge.name).sql(dialect=dialect)
    repeated = counts is not None and counts.repeated > 0
    return AttestedKey(
        relationship=edge.name,
        key=f"{edge.to_dataset} ({', '.join(edge.to_columns)})",
        ok=counts is not None and not repeated,
        uncounted=uncounted,
        repeated=counts.repeated if counts else None,
        missing=counts.to_nulls if counts else None,
        rows=counts.from_rows if counts else None,
        orphans=counts.orphans if counts else None,
        query=query if repeated else "",
    )
