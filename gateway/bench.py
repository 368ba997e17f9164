"""What an evaluation runs on: both queries as the asker, under the gateway's limits and on the record."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from evals.run import Bench, GroundingScore
from evals.subject import Asked
from evals.tables import Failure, ResultTable, table_from_rows
from gateway.asking import EVALUATION, Entry
from gateway.engines.base import EngineError, Identity
from gateway.house import House, limits_of
from gateway.journal import Journal
from gateway.recorder import StoreRecorder
from gateway.reply import CatalogHits, Refusal, issue_of
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

OFFERED = 10
"""How many entries of the catalogue the retriever is asked for."""

PERSONAL = frozenset({"pii_column", "pii_star", "pii_whole_row"})
"""Checks that say: this query reads columns its asker may not."""


def open_bench(gateway: Gateway, caller: Caller, *, shown_rows: int = 0) -> Bench | Refusal:
    """Return the bench of one asker, or why they have none: it takes the right to evaluate."""
    house = gateway.house
    role = house.entitlements.of(caller)
    if role is None or "evaluate" not in role.role.may:
        return _refused(role)
    room = _Room(gateway, house, caller, role)
    return Bench(
        warehouse=Warehouse(house.engine.dialect, _columns(role), role.catalogue.default_schema),
        execute=room.execute,
        retrieve=room.retrieve,
        write=room.write,
        ground=room.ground,
        data=house.engine.pin().value,
        shown_rows=shown_rows,
    )


class _Room:
    """One asker's queries of an evaluation. Every one leaves a trace, like any other."""

    def __init__(self, gateway: Gateway, house: House, caller: Caller, role: Entitlement) -> None:
        self._gateway = gateway
        self._house = house
        self._caller = caller
        self._role = role

    def execute(self, sql: str) -> ResultTable | Failure:
        """Run a query that no check refuses outright; what is merely soft is for its owner to know."""
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
            found = self._run(journal, reading.sql)
        except EngineError as fault:
            journal.faults.append(fault)
            journal.close("failed", "run")
            return Failure(f"{fault.code}: {fault}")
        journal.close("denied" if isinstance(found, Failure) else "answered")
        return found

    def _outside(self, hard: Sequence[Decision]) -> bool:
        """Say whether a query reads what the project has and this asker may not read."""
        relations = {dataset.relation.casefold() for dataset in self._house.layer.datasets.values()}
        bare = relations | {relation.rpartition(".")[2] for relation in relations}
        return any(
            d.check in PERSONAL or (d.check == "table_allowlist" and d.seen.casefold() in bare) for d in hard
        )

    def _run(self, journal: Journal, sql: str) -> ResultTable | Failure:
        house, role = self._house, self._role
        who, limits = Identity(user=self._caller.user, role=role.role_name), limits_of(role.caps)
        journal.estimate = house.engine.explain(sql, who, limits, journal.trace_id)
        facts = CostFacts(role.role, house.governed.policy, role.catalogue, journal.estimate, "free")
        journal.decisions.extend(judge(COST_CHECKS, facts))
        if hard := _hard(journal.decisions):
            return Failure(_why(hard))
        rows = house.engine.run(sql, who, limits, journal.trace_id)
        journal.actual = rows.actual
        table = table_from_rows(rows.rows, len(rows.names))
        return ResultTable(table.columns, table.row_count, truncated=rows.truncated)

    def retrieve(self, asked: Asked) -> Iterable[str] | None:
        """Return the tables behind what the catalogue offers for a question."""
        found = self._gateway.search_catalog(self._caller, asked.question, OFFERED, asked.exclude)
        if not isinstance(found, CatalogHits):
            return None
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
            allow=frozenset(house.governed.policy.definitions),
        )
        if not isinstance(found, ResolvedPlan):
            return None
        statement = compile_plan(found, house.layer, house.engine.dialect, role.caps.rows + 1)
        return role.reader.read(statement, house.now()).sql

    def ground(self, text: str, trace_ids: tuple[str, ...]) -> GroundingScore:
        """Hold a final text against the results it rests on, by the product's own check."""
        found = self._gateway.check_answer(self._caller, text, trace_ids)
        return GroundingScore(outcome=found.outcome, bound=len(found.citations), findings=len(found.findings))


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


def _refused(role: Entitlement | None) -> Refusal:
    refused = Issue(
        code="entitlement",
        message="Your role may not evaluate.",
        seen=role.role_name if role else "no role",
        next_step="Ask the policy's owner for the right evaluate.",
    )
    return Refusal(issues=(issue_of(refused, "input"),))
