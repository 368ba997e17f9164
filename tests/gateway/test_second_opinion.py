"""The database is asked what it would read; a relation that our reading does not hold ends the question."""

import pytest

from gateway.engines.base import EngineError, Identity
from gateway.house import limits_of
from gateway.service import Gateway
from traces.records import Caller, Scan

Plan = dict[str, object]


def test_a_relation_that_we_did_not_read_ends_the_question(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = gateway.house.engine
    explain = engine.explain

    def reads_more(sql: str, *rest: object) -> object:
        found = explain(sql, *rest)  # type: ignore[arg-type]
        extra = (Scan(relation="main.salaries"),) if "SUM" in sql else ()
        return found.model_copy(update={"scans": (*found.scans, *extra)})

    monkeypatch.setattr(engine, "explain", reads_more)
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "denied" and reply.issues[0].code == "second_opinion"
    assert "main.salaries" in reply.issues[0].message and not reply.rows


def answered_with(gateway: Gateway, monkeypatch: pytest.MonkeyPatch, **more: object) -> None:
    """Let the database name more of the statement itself than it does of the tables alone."""
    engine = gateway.house.engine
    explain = engine.explain

    def names_more(sql: str, *rest: object) -> object:
        found = explain(sql, *rest)  # type: ignore[arg-type]
        return found.model_copy(update=more) if "SUM" in sql else found

    monkeypatch.setattr(engine, "explain", names_more)


@pytest.mark.parametrize(
    ("more", "word"),
    [({"functions": ("sum", "read_csv")}, "read_csv"), ({"one_select": False}, "one SELECT")],
)
def test_another_function_or_statement_ends_the_question_and_is_logged_as_our_fault(
    gateway: Gateway,
    ana: Caller,
    revenue: Plan,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    more: dict[str, object],
    word: str,
) -> None:
    answered_with(gateway, monkeypatch, **more)
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "denied" and reply.issues[0].code == "second_opinion"
    assert word in reply.issues[0].message and "report this" in reply.issues[0].next_step
    (logged,) = [each for each in caplog.records if each.name == "cellbound.second_opinion"]
    assert logged.levelname == "ERROR" and reply.trace_id in logged.getMessage()


def test_an_engine_that_counts_no_select_ends_the_question_as_our_fault(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(sql: str, *rest: object) -> object:
        raise EngineError("not_one_select", "the statement is not exactly one SELECT")

    monkeypatch.setattr(gateway.house.engine, "explain", refuses)
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "denied" and "second_opinion" in {issue.code for issue in reply.issues}


def test_a_column_that_only_the_database_names_is_noted_and_refuses_nothing(
    gateway: Gateway,
    ana: Caller,
    revenue: Plan,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    answered_with(gateway, monkeypatch, columns=("main.orders.secret",))
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "answered"
    trace = gateway.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None
    (noted,) = [each for each in trace.closed.decisions if each.check == "second_opinion"]
    assert (noted.verdict, noted.seen) == ("allow", "main.orders.secret")
    assert [each.levelname for each in caplog.records if "secret" in each.getMessage()] == ["WARNING"]
    assert not hasattr(trace.closed.estimate, "columns")


def test_duckdb_names_the_functions_that_it_reads(gateway: Gateway, ana: Caller) -> None:
    house = gateway.house
    role = house.entitlements.of(ana)
    assert role is not None
    sql = "SELECT upper('read_csv(1)') AS a, count(*) AS n, 1 + 1 AS two FROM customers"
    found = house.engine.explain(sql, Identity(ana.user, role.role_name), limits_of(role.caps))
    assert found.functions == ("count_star", "upper")  # type: ignore[attr-defined]


def test_what_the_views_of_a_role_stand_on_is_no_disagreement(
    gateway: Gateway, emil: Caller, revenue: Plan
) -> None:
    assert gateway.ask(emil, revenue).outcome == "answered"
    assert gateway.ask(emil, {"metrics": ["order_count"]}).outcome == "answered"


def test_what_a_table_stands_on_is_asked_once(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = gateway.house.engine
    asked: list[str] = []
    explain = engine.explain

    def noted(sql: str, *rest: object) -> object:
        asked.append(sql)
        return explain(sql, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "explain", noted)
    gateway.ask(ana, revenue)
    before = len(asked)
    gateway.ask(ana, {**revenue, "limit": 3})
    assert before > len(asked) - before >= 1


def test_free_sql_is_held_against_the_database_too(gateway: Gateway, ana: Caller) -> None:
    reply = gateway.ask_planned(ana, lambda _: "SELECT region, COUNT(*) AS n FROM customers GROUP BY region")
    trace = gateway.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None
    assert [d.verdict for d in trace.closed.decisions if d.check == "second_opinion"] == ["allow"]


def test_the_statement_that_counts_the_joins_is_held_against_the_database_too(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, seen = gateway.house.engine, []
    explain = engine.explain

    def reads_more(sql: str, *rest: object) -> object:
        found = explain(sql, *rest)  # type: ignore[arg-type]
        if "SUM" in sql:
            return found
        seen.append(sql)
        extra = (Scan(relation="main.salaries"),) if "JOIN" in sql else ()
        return found.model_copy(update={"scans": (*found.scans, *extra)})

    monkeypatch.setattr(engine, "explain", reads_more)
    reply = gateway.ask(ana, revenue)
    assert any("JOIN" in sql for sql in seen)
    assert reply.outcome == "denied" and reply.issues[0].code == "second_opinion"
