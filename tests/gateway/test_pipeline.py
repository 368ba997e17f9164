"""The sentence, end to end: what is answered, what is refused, what is on disk before anything leaves."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.cancellation import Cancellation
from gateway.engines.base import EngineCancelled, EngineError, EngineTimeout, Identity, Limits, Rows
from gateway.house import House
from gateway.service import Gateway
from policies.policy import Lines
from traces.errors import TraceUnwritable
from traces.records import Caller, DataReference, Estimate, Receipt

Plan = dict[str, object]


class Watched:
    """The real engine, counting its calls; `fault` is raised instead of running."""

    def __init__(self, inner: object, *, fault: EngineError | None = None) -> None:
        self._inner = inner
        self.fault = fault
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def explain(self, sql: str, who: Identity, limits: Limits, query_id: str = "") -> Estimate:
        self.calls.append("explain")
        return self._inner.explain(sql, who, limits, query_id)  # type: ignore[attr-defined, no-any-return]

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        self.calls.append("run")
        if self.fault is not None:
            raise self.fault
        return self._inner.run(sql, who, limits, query_id, beside=beside)  # type: ignore[attr-defined, no-any-return]


def watched(gateway: Gateway, fault: EngineError | None = None) -> tuple[Gateway, Watched]:
    engine = Watched(gateway.house.engine, fault=fault)
    house = replace(gateway.house, engine=engine)  # type: ignore[arg-type]
    return Gateway(house, gateway.traces, gateway.results, gateway.state, gateway.attestations), engine


def with_budget(gateway: Gateway, **lines: Lines) -> Gateway:
    governed = gateway.house.governed
    budget = governed.policy.budget.model_copy(update={"bytes": None, "rows": None, **lines})
    policy = governed.policy.model_copy(update={"budget": budget})
    house: House = replace(gateway.house, governed=replace(governed, policy=policy))
    return Gateway(house, gateway.traces, gateway.results, gateway.state, gateway.attestations)


def test_a_governed_plan_is_answered_with_a_cell_behind_every_number(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "answered", reply.issues
    assert {c.name for c in reply.columns} == {"month", "region", "net_revenue"}
    assert len(reply.rows) == 12
    assert reply.citations
    position = {column.name: place for place, column in enumerate(reply.columns)}
    for citation in reply.citations:
        assert reply.answer[citation.start : citation.end] == citation.text
        assert citation.cell is not None
        cell = reply.rows[citation.cell.row][position[citation.cell.column]]
        assert str(cell) == citation.value


def test_every_check_is_on_the_record_when_it_allows(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    reply = gateway.ask(ana, revenue)
    trace = gateway.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None
    seen = {(decision.stage, decision.check) for decision in trace.closed.decisions}
    assert {("plan", "plan"), ("plan", "entitlement"), ("plan", "release")} <= seen
    assert {stage for stage, _ in seen} == {"plan", "sql", "cost", "rows", "answer"}
    assert {decision.verdict for decision in trace.closed.decisions} <= {"allow", "skipped"}


def test_a_dry_run_prices_and_runs_nothing(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    house, engine = watched(gateway)
    reply = house.ask(ana, revenue, options=AskOptions(dry_run=True))
    assert reply.outcome == "dry_run"
    assert reply.sql and reply.estimate is not None and not reply.rows
    assert set(engine.calls) == {"explain"}


@pytest.mark.parametrize(
    ("sql", "check"),
    [
        ("SELECT employee, salary FROM hr.salaries", "table_allowlist"),
        ("SELECT email FROM customers", "pii_column"),
        ("SELECT region FROM customers; DROP TABLE orders", "single_statement"),
    ],
)
def test_refused_sql_never_reaches_the_database(gateway: Gateway, ana: Caller, sql: str, check: str) -> None:
    house, engine = watched(gateway)
    reply = house.ask_planned(ana, lambda _: sql)
    assert reply.outcome == "denied"
    assert check in {issue.code for issue in reply.issues}
    assert engine.calls == []


def test_clean_free_sql_still_only_runs_dry(gateway: Gateway, ana: Caller) -> None:
    house, engine = watched(gateway)
    reply = house.ask_planned(ana, lambda _: "SELECT region, COUNT(*) AS n FROM customers GROUP BY region")
    assert reply.outcome == "dry_run", reply.issues
    assert set(engine.calls) == {"explain"}


def test_the_warning_line_holds_and_the_hard_line_denies(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    gateway.attest(ana)
    estimate = gateway.ask(ana, revenue, options=AskOptions(dry_run=True)).estimate
    assert estimate is not None and estimate.bytes
    held = with_budget(gateway, bytes=Lines(warn=estimate.bytes - 1, hard=estimate.bytes * 2)).ask(
        ana, revenue
    )
    assert held.outcome == "held" and held.hold_id
    denied = with_budget(gateway, bytes=Lines(warn=1, hard=estimate.bytes - 1)).ask(ana, revenue)
    assert denied.outcome == "denied"
    assert denied.estimate is not None and not denied.rows
    assert denied.estimate.model_copy(update={"notes": ()}) == estimate
    (issue,) = [issue for issue in denied.issues if issue.code == "budget"]
    assert issue.verdict == "hard" and issue.threshold and issue.seen


def test_an_accept_lets_exactly_that_question_run_once(
    gateway: Gateway, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    tight = with_budget(gateway, bytes=Lines(warn=1, hard=10**12))
    held = tight.ask(ana, revenue)
    gateway.state.holds.rule(held.hold_id, "accept", by="rita")
    other = {**revenue, "dimensions": ["segment"]}
    assert tight.ask(ana, other, options=AskOptions(approval_id=held.hold_id)).outcome == "held"
    assert tight.ask(ana, revenue, options=AskOptions(approval_id=held.hold_id)).outcome == "answered"
    assert tight.ask(ana, revenue, options=AskOptions(approval_id=held.hold_id)).outcome == "held"


def test_another_role_sees_its_own_rows_and_nothing_is_said_of_the_rest(
    gateway: Gateway, ana: Caller, emil: Caller, revenue: Plan
) -> None:
    all_rows, own = gateway.ask(ana, revenue), gateway.ask(emil, revenue)
    assert own.outcome == "answered"
    assert {row[1] for row in own.rows} == {"EMEA"}
    assert set(own.rows) < set(all_rows.rows)
    hidden = gateway.ask(emil, {"metrics": ["shipping_fees"]})
    absent = gateway.ask(emil, {"metrics": ["shipping_feez"]})
    assert hidden.outcome == absent.outcome == "invalid_plan"
    assert [i.code for i in hidden.issues] == [i.code for i in absent.issues]
    assert "shipping_fees" not in " ".join(c for i in absent.issues for c in i.candidates)


def test_a_caller_without_a_role_is_denied_on_the_record(gateway: Gateway, revenue: Plan) -> None:
    reply = gateway.ask(Caller(user="nobody", roles=("intern",), tenant="shop"), revenue)
    assert reply.outcome == "denied"
    assert "entitlement" in {issue.code for issue in reply.issues}
    assert gateway.traces.read(reply.trace_id) is not None


def test_a_plan_that_is_no_plan_says_all_that_is_wrong_at_once(gateway: Gateway, ana: Caller) -> None:
    reply = gateway.ask(ana, {"metrcs": ["net_revenue"], "time": {"from": "2026-13-01", "to": "x"}})
    assert reply.outcome == "invalid_plan"
    assert len(reply.issues) >= 3
    assert any("metrics" in issue.candidates for issue in reply.issues)


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (EngineTimeout("engine_timeout", "too long"), "partial"),
        (EngineCancelled("engine_cancelled", "stopped"), "left"),
        (EngineError("engine_unreachable", "gone"), "failed"),
    ],
)
def test_an_engine_fault_ends_the_question_by_name(
    gateway: Gateway, ana: Caller, revenue: Plan, fault: EngineError, outcome: str
) -> None:
    house, _ = watched(gateway, fault)
    reply = house.ask(ana, revenue)
    assert reply.outcome == outcome and not reply.rows and not reply.answer
    trace = gateway.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None
    assert (trace.closed.outcome, trace.closed.failed_step) == (outcome, "run")


def test_no_answer_leaves_when_its_closing_record_cannot_be_written(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(record: object, *, durable: bool) -> Receipt:
        if durable:
            raise TraceUnwritable("trace_full", "no space left")
        return Receipt(trace_id="", log="", seq=0, hash="")

    monkeypatch.setattr(gateway.traces, "append", full)
    with pytest.raises(TraceUnwritable):
        gateway.ask(ana, revenue)


def test_a_caller_who_left_before_the_run_stops_it(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    house, engine = watched(gateway)
    gone = Cancellation()
    gone.cancel()
    reply = house.ask(ana, revenue, cancellation=gone)
    assert reply.outcome == "left"
    assert engine.calls == []


def test_an_empty_window_of_data_gets_the_fixed_message(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    closed_month = {**revenue, "time": {"field": "order_date", "from": "2025-06-01", "to": "2025-06-30"}}
    reply = gateway.ask(ana, closed_month)
    assert reply.outcome == "no_rows"
    assert reply.answer.startswith("No rows matched")
    assert not reply.citations


def test_a_filter_value_that_is_not_listed_comes_to_no_rows_with_the_near_value(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    mistyped = {**revenue, "filters": [{"field": "region", "op": "in", "values": ["EMEA ", "APCA", "EMAE"]}]}
    reply = gateway.ask(ana, mistyped)
    assert reply.outcome == "no_rows"
    said = [(each.code, each.path, each.seen, each.candidates[:1]) for each in reply.issues]
    assert said == [
        ("unlisted_value", "/filters/0/values/0", "EMEA ", ("EMEA",)),
        ("unlisted_value", "/filters/0/values/1", "APCA", ("APAC",)),
        ("unlisted_value", "/filters/0/values/2", "EMAE", ("EMEA",)),
    ]
    assert reply.issues[1].next_step == "Did you mean APAC?"


def test_a_value_outside_the_rows_of_a_role_is_never_offered(
    gateway: Gateway, ana: Caller, emil: Caller, revenue: Plan
) -> None:
    mistyped = {**revenue, "filters": [{"field": "region", "op": "eq", "values": ["APCA"]}]}
    seen = gateway.ask(ana, mistyped)
    assert "APAC" in seen.issues[0].candidates
    hidden = gateway.ask(emil, mistyped)
    assert hidden.outcome == "no_rows" and [each.code for each in hidden.issues] == ["unlisted_value"]
    assert "APAC" not in hidden.issues[0].model_dump_json()


def test_a_listed_value_without_rows_is_no_mistake(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    early = {"field": "order_date", "from": "2025-06-01", "to": "2025-06-30"}
    listed = {**revenue, "filters": [{"field": "region", "op": "in", "values": ["EMEA"]}], "time": early}
    reply = gateway.ask(ana, listed)
    assert reply.outcome == "no_rows" and not reply.issues


def test_a_cut_result_says_so(gateway: Gateway, ana: Caller) -> None:
    caps = gateway.house.governed.policy.caps.model_copy(update={"rows": 5})
    entitlements = {
        role.role_name: replace(role, caps=caps)
        for role in gateway.house.entitlements
        if role.role_name == "analyst"
    }

    class Only:
        def of(self, caller: Caller) -> object:
            return entitlements["analyst"]

    house = Gateway(
        replace(gateway.house, entitlements=Only()),  # type: ignore[arg-type]
        gateway.traces,
        gateway.results,
        gateway.state,
        gateway.attestations,
    )
    reply = house.ask(ana, {"metrics": ["units_sold"], "dimensions": ["brand"]})
    assert reply.outcome == "answered", reply.issues
    assert reply.truncated and reply.limit_source == "rows" and reply.row_count == 5


def test_questions_at_once_each_get_their_own_trace_and_the_same_numbers(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    replies: list[object] = []
    threads = [threading.Thread(target=lambda: replies.append(gateway.ask(ana, revenue))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({reply.trace_id for reply in replies}) == 8  # type: ignore[attr-defined]
    assert len({reply.rows for reply in replies}) == 1  # type: ignore[attr-defined]


def test_no_row_is_kept_in_a_trace_and_no_name_of_the_asker(
    gateway: Gateway, ana: Caller, shop: Path
) -> None:
    reply = gateway.ask(ana, {"metrics": ["units_sold"], "dimensions": ["product"], "limit": 200})
    assert reply.outcome == "answered"
    cited = {word for citation in reply.citations for word in citation.row_key}
    products = {str(row[0]) for row in reply.rows} - cited
    assert len(products) > 100
    written = b"".join(
        file.read_bytes() for file in (shop / "var" / "traces").rglob("*") if file.is_file()
    ).decode()
    assert not [product for product in products if product in written]
    assert '"ana"' not in written


def test_the_same_question_gives_the_same_plan_sql_and_number(
    open_shop: Callable[[], Gateway], ana: Caller, revenue: Plan
) -> None:
    first, again = open_shop().ask(ana, revenue), open_shop().ask(ana, revenue)
    assert (first.plan, first.sql, first.rows, first.answer) == (
        again.plan,
        again.sql,
        again.rows,
        again.answer,
    )


def test_the_data_is_pinned_by_content(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    trace = gateway.traces.read(gateway.ask(ana, revenue).trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.pins is not None
    assert trace.closed.pins.data == gateway.house.engine.pin()
    assert trace.closed.pins.data != DataReference(kind="none")


def test_every_decision_says_what_it_judged_and_what_it_found(
    gateway: Gateway, ana: Caller, revenue: dict[str, object]
) -> None:
    trace = gateway.traces.read(gateway.ask(ana, revenue).trace_id)
    assert trace is not None and trace.closed is not None
    closed = trace.closed
    assert {d.stage for d in closed.decisions} == {"plan", "sql", "cost", "rows", "answer"}
    assert not [d.check for d in closed.decisions if not (d.input and d.output)]
