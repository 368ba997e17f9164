"""The database is asked what it would read; a relation that our reading does not hold ends the question."""

import pytest

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
