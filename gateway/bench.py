"""What an evaluation runs on: both queries as the asker, under the gateway's limits and on the record."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from evals.bench import Bench, GroundingScore
from evals.subject import Asked
from evals.tables import Failure, Result, ResultTable, table_from_rows
from gateway.asking import EVALUATION, Entry
from gateway.engines.base import EngineError, Identity, Rows
from gateway.house import House, limits_of
from gateway.record.journal import Journal
from gateway.record.recorder import StoreRecorder
from gateway.reply import Refusal, issue_of
from gateway.search import hits_for
from gateway.service import Gateway
from metric_layer.compile import compile_plan
from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql.components import Warehouse
from policies.entitlement import Entitlement
from policies.facts import CostFacts, SqlFacts
from policies.register import COST_CHECKS, SQL_CHECKS, judge
from traces.records import Ask, Caller, Decision, Query

NAMED = ("content_hash", "snapshot")
"""Kinds of data references that are equal only where nothing was written in between; moments never are."""

OFFERED = 10
"""How many entries of the catalogue the retriever is asked for."""

PERSONAL = frozenset({"pii_column", "pii_star", "pii_whole_row"})
"""Checks that say: this query reads columns its asker may not."""


@dataclass(frozen=True, slots=True)
class AskerBenches:
    """The benches of a run: its own under the empty name, and one per asker that its cases name."""

    known: Mapping[str, Bench]

    def of(self, asker: str) -> Bench:
        """Return the bench of an asker."""
        return self.known[asker]


def open_benches(
    gateway: Gateway, evaluator: Caller, askers: Mapping[str, Caller], *, shown_rows: int = 0
) -> AskerBenches | Refusal:
    """Return the benches of a run, or every reason why there is none: its evaluator needs the right.

    An asker needs a role and no right of their own: their questions go with their access, on their record.
    """
    own = open_bench(gateway, evaluator, shown_rows=shown_rows)
    if isinstance(own, Refusal):
        return own
    found = {"": own}
    issues = []
    for name, caller in askers.items():
        role = gateway.house.entitlements.of(caller)
        if role is None:
            issues.append(_no_role(name))
        else:
            found[name] = _bench(gateway, caller, role, shown_rows)
    if issues:
        return Refusal(issues=tuple(issue_of(each, "input") for each in issues))
    return AskerBenches(found)


def open_bench(gateway: Gateway, caller: Caller, *, shown_rows: int = 0) -> Bench | Refusal:
    """Return the bench of one asker, or why they have none: it takes the right to evaluate."""
    role = gateway.house.entitlements.of(caller)
    if role is None or "evaluate" not in role.role.may:
        return _refused(role)
    return _bench(gateway, caller, role, shown_rows)


def _bench(gateway: Gateway, caller: Caller, role: Entitlement, shown_rows: int) -> Bench:
    house = gateway.house
    room = _Room(gateway, house, caller, role)
    data = house.engine.pin()
    return Bench(
        warehouse=Warehouse(house.engine.dialect, _columns(role), role.catalogue.default_schema),
        execute=room.execute,
        together=room.together,
        pin=room.pin if data.kind in NAMED else None,
        repeats="aggregate" not in role.role.personal.values(),
        retrieve=room.retrieve,
        write=room.write,
        ground=room.ground,
        data=data.value,
        shown_rows=shown_rows,
    )


class _Room:
    """One asker's queries of an evaluation. Every one leaves a trace, like any other."""

    def __init__(self, gateway: Gateway, house: House, caller: Caller, role: Entitlement) -> None:
        self._gateway = gateway
        self._house = house
        self._caller = caller
        self._role = role
        self._limits = limits_of(role.caps)
        self._who = Identity(user=caller.user, role=role.role_name, tenant=caller.tenant)

    def execute(self, sql: str) -> Result:
        """Run a query that no check refuses outright; what is merely soft is for its owner to know."""
        return self._alone(self._judged(sql))

    def together(self, gold: str, candidate: str) -> tuple[Result, Result] | None:
        """Run two queries in one snapshot; None where that failed, so that each has to run alone.

        Where a check refuses one of them, the other runs alone and stands beside the refusal.
        """
        one, other = self._judged(gold), self._judged(candidate)
        if isinstance(one, Failure) or isinstance(other, Failure):
            return self._alone(one), self._alone(other)
        sql, beside = _text(other), _text(one)
        try:
            rows = self._house.engine.run(sql, self._who, self._limits, other.trace_id, beside=beside)
        except EngineError as fault:
            for journal in (one, other):
                _failed(journal, fault)
            return None
        other.actual = rows.actual
        one.close("answered")
        other.close("answered")
        return table_from_rows(rows.beside, self._width(beside)), _table(rows)

    def _alone(self, judged: Journal | Failure) -> Result:
        if isinstance(judged, Failure):
            return judged
        try:
            rows = self._house.engine.run(_text(judged), self._who, self._limits, judged.trace_id)
        except EngineError as fault:
            return _failed(judged, fault)
        judged.actual = rows.actual
        judged.close("answered")
        return _table(rows)

    def _judged(self, sql: str) -> Journal | Failure:
        """Return the open journal of a query that may run; one that may not is closed."""
        house, role = self._house, self._role
        kept = self._gateway
        recorder = StoreRecorder(kept.traces, kept.results, kept.state, kept.attestations)
        journal = Journal(house, recorder, self._caller, Ask(), origin="free", entry=Entry(EVALUATION))
        reading = role.reader.read(sql, house.now())
        journal.submitted = sql
        digest = sha256(reading.sql.encode()).hexdigest()
        journal.query = Query(sql=reading.sql, dialect=house.engine.dialect, origin="free", digest=digest)
        facts = SqlFacts("free", house.governed.policy, role.catalogue, reading, None)
        journal.decisions.extend(judge(SQL_CHECKS, facts, digest))
        if hard := _hard(journal.decisions):
            journal.close("denied")
            return Failure(_why(hard), "other_identity" if self._outside(hard) else "")
        try:
            journal.estimate = house.engine.explain(reading.sql, self._who, self._limits, journal.trace_id)
        except EngineError as fault:
            return _failed(journal, fault)
        cost = CostFacts(role.role, house.governed.policy, role.catalogue, journal.estimate, "free")
        journal.decisions.extend(judge(COST_CHECKS, cost))
        if hard := _hard(journal.decisions):
            journal.close("denied")
            return Failure(_why(hard))
        return journal

    def _width(self, sql: str) -> int:
        """Return how many columns a query gives that gave no row to count them by."""
        return len(self._role.reader.read(sql, self._house.now()).outputs)

    def _outside(self, hard: Sequence[Decision]) -> bool:
        """Say whether a query reads what the project has and this asker may not read."""
        relations = {dataset.relation.casefold() for dataset in self._house.layer.datasets.values()}
        bare = relations | {relation.rpartition(".")[2] for relation in relations}
        return any(
            d.check in PERSONAL or (d.check == "table_allowlist" and d.seen.casefold() in bare) for d in hard
        )

    def pin(self) -> str:
        """Return the name of the data at this moment; empty where the engine cannot say."""
        try:
            return self._house.engine.pin().value
        except EngineError:
            return ""

    def retrieve(self, asked: Asked) -> Iterable[str]:
        """Return the tables behind what the catalogue offers for a question."""
        found = hits_for(self._house, self._role, asked.question, OFFERED, asked.exclude)
        return {table for hit in found.hits for table in hit.tables}

    def write(self, plan: MetricPlan) -> str | None:
        """Return the SQL that the definitions give for a gold plan; None for one that does not resolve."""
        house, role = self._house, self._role
        found = resolve(
            plan,
            house.layer,
            visible=role.visible,
            choices={},
            today=house.now().date(),
            dialect=house.engine.dialect,
            allow=house.governed.policy.askable,
        )
        if not isinstance(found, ResolvedPlan):
            return None
        statement = compile_plan(found, house.layer, house.engine.dialect, role.caps.rows + 1)
        return role.reader.read(statement, house.now()).sql

    def ground(self, text: str, trace_ids: tuple[str, ...]) -> GroundingScore:
        """Hold a final text against the results it rests on, by the product's own check."""
        found = self._gateway.check_answer(self._caller, text, trace_ids)
        return GroundingScore(outcome=found.outcome, bound=len(found.citations), findings=len(found.findings))


def _text(journal: Journal) -> str:
    return journal.query.sql if journal.query else ""


def _failed(journal: Journal, fault: EngineError) -> Failure:
    journal.faults.append(fault)
    journal.close("failed", "run")
    return Failure(f"{fault.code}: {fault}")


def _table(rows: Rows) -> ResultTable:
    table = table_from_rows(rows.rows, len(rows.names))
    return ResultTable(table.columns, table.row_count, truncated=rows.truncated)


def _columns(role: Entitlement) -> dict[str, tuple[str, ...]]:
    """Return the columns of each relation of a role by its name without a default schema, folded."""
    schema = role.catalogue.default_schema.casefold()
    return {
        table.name.casefold().removeprefix(f"{schema}."): tuple(c.name.casefold() for c in table.columns)
        for table in role.catalogue.tables
    }


def _hard(decisions: Sequence[Decision]) -> list[Decision]:
    return [decision for decision in decisions if decision.verdict == "hard"]


def _why(decisions: Sequence[Decision]) -> str:
    return "; ".join(f"{decision.check}: {decision.reason}" for decision in decisions)


def _no_role(asker: str) -> Issue:
    return Issue(
        code="entitlement",
        message="The policy gives this asker of a case no role.",
        seen=asker,
        next_step="Give the user a role that the policy knows, or name another asker in the case.",
    )


def _refused(role: Entitlement | None) -> Refusal:
    refused = Issue(
        code="right_missing",
        message="Your role may not do that: it lacks the right evaluate.",
        seen=role.role_name if role else "no role",
        next_step="Ask the policy's owner for the right evaluate.",
    )
    return Refusal(issues=(issue_of(refused, "input"),))
