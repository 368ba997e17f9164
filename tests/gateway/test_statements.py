"""A plan asked before costs a look-up, and only the very same plan of the same role is the same."""

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest

from gateway.house import House
from gateway.kept_plans import KeptPlans
from gateway.remembered import Remembered
from gateway.service import Gateway
from gateway.stages import resolving
from metric_layer.plan import MetricPlan
from metric_layer.resolve import Resolved, resolve
from policies.register import SQL_CHECKS
from traces.records import Caller

Plan = dict[str, object]


def test_the_same_plan_is_read_once_and_judged_every_time(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    first, again = gateway.ask(ana, revenue), gateway.ask(ana, revenue)
    assert (first.sql, first.rows) == (again.sql, again.rows)
    traces = [gateway.traces.read(reply.trace_id) for reply in (first, again)]
    judged = [
        [(d.check, d.verdict) for d in t.closed.decisions if d.stage != "rows"]
        for t in traces
        if t and t.closed
    ]
    assert judged[0] == judged[1]
    steps = [t.closed.steps_us for t in traces if t and t.closed]
    assert "compile" in steps[0] and "compile" not in steps[1]


def test_the_verdicts_on_the_sql_of_a_plan_asked_before_are_on_the_record_of_each_question(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    gateway.ask(ana, revenue)
    again = gateway.traces.read(gateway.ask(ana, revenue).trace_id)
    assert again is not None and again.closed is not None and again.closed.query is not None
    judged = [d for d in again.closed.decisions if d.stage == "sql"]
    assert [d.check for d in judged] == [check.id for check in SQL_CHECKS]
    assert {d.input for d in judged} == {again.closed.query.digest}
    assert not any(d.duration_us for d in judged), "they did not run for this question"


def test_what_a_house_keeps_of_plans_is_kept_in_one_place(gateway: Gateway) -> None:
    """A house with other definitions is given another one of it, and so nothing can be forgotten."""
    found = {field.name: getattr(gateway.house, field.name) for field in fields(House)}
    assert [name for name, value in found.items() if isinstance(value, Remembered | KeptPlans)] == ["kept"]


def test_another_limit_filter_or_role_is_another_statement(
    gateway: Gateway, ana: Caller, emil: Caller, revenue: Plan
) -> None:
    asked = [revenue, {**revenue, "limit": 3}, {**revenue, "filters": []}]
    assert len({gateway.ask(ana, plan).sql for plan in asked}) == 3
    assert gateway.ask(emil, revenue).rows != gateway.ask(ana, revenue).rows


def test_a_plan_that_was_asked_before_is_resolved_once_a_day_and_role(
    gateway: Gateway, ana: Caller, emil: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolved: list[str] = []

    def counting(plan: MetricPlan, *more: Any, **named: Any) -> Resolved:
        resolved.append(str(named["today"]))
        return resolve(plan, *more, **named)

    monkeypatch.setattr(resolving, "resolve", counting)
    first, again = gateway.ask(ana, revenue), gateway.ask(ana, revenue)
    assert (first.outcome, first.rows) == (again.outcome, again.rows) and len(resolved) == 1
    assert gateway.ask(emil, revenue).rows != first.rows and len(resolved) == 2
    morrow = gateway.house.now() + timedelta(days=1)
    gateway.houses.replace(replace(gateway.house, now=lambda: morrow))
    assert gateway.ask(ana, revenue).outcome == "answered" and len(resolved) == 3
    unknown = {**revenue, "metrics": ["net_revenu"]}
    assert [gateway.ask(ana, unknown).outcome for _ in range(2)] == ["invalid_plan"] * 2
    assert len(resolved) == 5, "what could not be resolved is not kept"
