"""Evidence with the number: when the rows of a question's joins are counted beside it, and what they say."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TypeVar

from gateway import __version__
from gateway.engines.base import Rows
from gateway.house import House
from gateway.kept_plans import Joined
from gateway.record.recorder import Recorder
from gateway.stores.attestations import Attestation, edge_digest
from metric_layer.compile import compile_duplicates, compile_guard, counted_rows, suspects
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Reading
from policies.entitlement import Entitlement
from policies.facts import GuardedBranch, GuardFacts, SuspectKey
from traces.records import Bound, DataReference, Estimate

TRUST: tuple[Bound, ...] = ("exact", "upper", "guess", "unknown")
N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class Guard:
    """The statement to count beside a question, and the name under which it is remembered once it held.

    `skipped` says why there is nothing to count; `counted_at` when the rows were, where the data has no name.
    """

    reading: Reading | None = None
    key: str = ""
    skipped: str = ""
    counted_at: datetime | None = None


Known = Mapping[str, Attestation]
"""What is attested of the keys that a plan joins on, by relationship."""


def attested_for(house: House, recorder: Recorder, role: Entitlement, plan: ResolvedPlan) -> Known:
    """Return what is attested of the keys a plan joins on: read once, so that a question sees one state."""
    return recorder.attested(_joined(house, role, plan).relationships)


def broken_keys(house: House, role: Entitlement, known: Known) -> tuple[SuspectKey, ...]:
    """Return the keys a plan joins on that were found not to be keys, under today's definitions.

    A role that sees a part of the rows is told nothing of the others: its own rows are counted instead.
    """
    return tuple(
        _suspect(house, role, each.relationship, each.counts.repeated)
        for each in known.values()
        if each.failed and _current(house, each) and _sees_whole(house, role, each.relationship)
    )


def stale_keys(house: House, role: Entitlement, plan: ResolvedPlan, known: Known) -> tuple[str, ...]:
    """Return the relationships of a plan without an attestation of the age that the policy lets count.

    Empty where the policy does not hold for that.
    """
    rules = house.governed.policy.evidence
    if rules.stale != "hold":
        return ()
    since = house.now() - timedelta(hours=rules.attested_hours)
    return tuple(
        name
        for name in _joined(house, role, plan).relationships
        if name not in known or known[name].at < since or not _current(house, known[name])
    )


def guard_of(
    house: House,
    recorder: Recorder,
    role: Entitlement,
    plan: ResolvedPlan,
    data: DataReference,
    known: Known,
    *,
    evaluated: bool,
) -> Guard:
    """Return the guard of a plan where policy wants it now; `data` is what the data is before the run.

    What was counted holds for as long as the data is the same, and where the database cannot name its data
    for as long as the policy lets an attestation count. An evaluation always counts.
    """
    rules = house.governed.policy.evidence
    joined = _joined(house, role, plan)
    relationships = joined.relationships
    if not relationships:
        return Guard(skipped="nothing is joined")
    if rules.guard == "never":
        return Guard(skipped="the policy counts never")
    named = data.value if data.kind == "content_hash" else ""
    since = datetime.min.replace(tzinfo=UTC) if named else house.now() - timedelta(hours=rules.attested_hours)
    key = sha256("\x1f".join((*joined.rows, named)).encode()).hexdigest()
    if rules.guard == "first_use" and not evaluated:
        attested = [known[name] for name in relationships if name in known]
        if len(attested) == len(relationships) and all(_holds(house, e, named, since) for e in attested):
            oldest = min(each.at for each in attested)
            return Guard(skipped="every key it joins on is attested", counted_at=None if named else oldest)
        held = recorder.guard_held(key, since)
        if held is not None:
            return Guard(skipped="its rows were counted before", counted_at=None if named else held)
    return Guard(house.kept.statement(key, lambda: _read(house, role, plan)), key)


def counted(house: House, role: Entitlement, plan: ResolvedPlan, rows: Rows) -> GuardFacts:
    """Return what the guard counted, branch by branch, with the keys each of them joins on.

    Watermarks, whose names are a dataset's and a column's, may stand below its rows.
    """
    keys = {
        each.branch: tuple(_suspect(house, role, name) for name in each.relationships)
        for each in suspects(plan)
    }
    beside = [row for row in rows.beside if "." not in str(row[0])]
    if sorted(str(branch) for branch, *_ in beside) != sorted(keys):
        return GuardFacts(blocked="not every branch was counted")
    return GuardFacts(
        tuple(
            GuardedBranch(str(branch), _whole(joined), _whole(own), keys[str(branch)])
            for branch, joined, own, *_ in beside
        ),
        smallest=house.governed.policy.answers.min_group,
    )


def together(query: Estimate, guard: Estimate) -> Estimate:
    """Return what a query and its guard cost in one; it can be trusted as far as the weaker of the two."""
    return Estimate(
        rows=_sum(query.rows, guard.rows),
        bytes=_sum(query.bytes, guard.bytes),
        cost=_sum(query.cost, guard.cost),
        scans=(*query.scans, *guard.scans),
        joins=(*query.joins, *guard.joins),
        bound=max(query.bound, guard.bound, key=TRUST.index),
        row_secured=query.row_secured or guard.row_secured,
        notes=tuple(dict.fromkeys((*query.notes, *guard.notes))),
    )


def _sum(one: N | None, other: N | None) -> N | None:
    return None if one is None or other is None else one + other


def _read(house: House, role: Entitlement, plan: ResolvedPlan) -> Reading:
    statement = compile_guard(plan, house.layer, house.engine.dialect)
    assert statement is not None, "a plan that joins has a guard"
    return role.reader.read(statement, house.now())


def _joined(house: House, role: Entitlement, plan: ResolvedPlan) -> Joined:
    """Return what a plan joins along, and all that names its count: rows, definitions, role; not the data."""

    def make() -> Joined:
        under = (used.digest for used in plan.used if used.kind in ("dataset", "relationship"))
        by = (__version__, house.engine.dialect, role.role_name, role.digest)
        along = {name for each in suspects(plan) for name in each.relationships}
        return Joined(tuple(sorted(along)), (*counted_rows(plan), plan.zone, *under, *by))

    return house.kept.joins.of((role.role_name, plan), make)


def _holds(house: House, attestation: Attestation, data: str, since: datetime) -> bool:
    """Say whether a key was counted and found to be one, on this data or lately.

    A one-to-one relationship is walked both ways, so both of its keys have to be counted.
    """
    if attestation.failed or not _current(house, attestation):
        return False
    edge = house.layer.relationships[attestation.relationship]
    if edge.cardinality == "one_to_one" and attestation.counts.from_keys is None:
        return False
    return attestation.data == data if data else attestation.at >= since


def _current(house: House, attestation: Attestation) -> bool:
    """Say whether a relationship and its datasets are still defined as they were when its key was counted."""
    name = attestation.relationship
    return name in house.layer.relationships and edge_digest(house.layer, name) == attestation.definition


def _sees_whole(house: House, role: Entitlement, relationship: str) -> bool:
    edge = house.layer.relationships[relationship]
    whole = {view.dataset for view in role.views if view.whole}
    return {edge.from_dataset, edge.to_dataset} <= whole


def _suspect(house: House, role: Entitlement, relationship: str, repeated: int = 0) -> SuspectKey:
    """Return a key to suspect; columns that the role may not see are not named."""
    edge = house.layer.relationships[relationship]
    sides = [(edge.to_dataset, edge.to_columns)]
    if edge.cardinality == "one_to_one":
        sides.append((edge.from_dataset, edge.from_columns))
    hidden = role.visible.hidden_columns
    shown = not any(f"{dataset}.{column}" in hidden for dataset, columns in sides for column in columns)
    dialect = house.engine.dialect
    return SuspectKey(
        relationship=relationship,
        dataset=" or ".join(dataset for dataset, _ in sides),
        columns=", ".join(edge.to_columns) if shown else "",
        query=compile_duplicates(house.layer, relationship).sql(dialect=dialect) if shown else "",
        repeated=repeated,
    )


def _whole(value: object) -> int:
    assert isinstance(value, int), "a guard counts rows"
    return value
