"""Sixty cases over the shop, a scripted agent that makes known mistakes, and who names each of them."""

import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from evals.bench import Bench
from evals.cases import Case
from evals.figures import figures_of
from evals.reading import read_shape
from evals.report import summarise_lines
from evals.results import RunLine
from evals.run import CaseRun
from evals.runner import RunPlan, run_plan
from evals.stef.against import against_families
from evals.stef.rulebook import Rulebook
from evals.subject import Asked, Given
from gateway.bench import open_bench
from gateway.doors.evaluating.remote import OverHttp, OverMcp
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.wiring import open_gateway
from metric_layer.plan import MetricPlan
from traces.records import Caller

pytestmark = pytest.mark.slow
TOKEN = "a token for rita"
MEASURES = {"order_count": "COUNT(*)", "shipping_fees": "SUM(o.shipping_fee)"}
QUARTERS = (
    ("2025-07-01", "2025-09-30"),
    ("2025-10-01", "2025-12-31"),
    ("2026-01-01", "2026-03-31"),
    ("2026-04-01", "2026-06-30"),
)
HOW_MANY = {
    "right": 12,
    "dropped_filter": 8,
    "wrong_grain": 8,
    "wrong_column": 8,
    "wrong_period": 8,
    "fan_out": 4,
    "undeclared_join": 4,
    "fan_out_guarded": 4,
    "undeclared_join_guarded": 4,
}
GUARDED = {"fan_out_guarded": "fan_out", "undeclared_join_guarded": "join_key"}
FROM = "FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id"


@dataclass(frozen=True)
class Scripted:
    """A case, the mistake its agent makes, and what the agent does: a plan, or SQL of its own."""

    case: Case
    mistake: str
    plan: Mapping[str, Any] | None = None
    sql: str = ""


def scripted() -> list[Scripted]:
    return [_case(mistake, at) for mistake, count in HOW_MANY.items() for at in range(count)]


def _case(mistake: str, at: int) -> Scripted:
    metric = tuple(MEASURES)[at % 2] if "fan_out" not in mistake else "shipping_fees"
    first, last = QUARTERS[at // 2 % 4]
    window = {"field": "order_date", "from": first, "to": last}
    plan: dict[str, Any] = {
        "metrics": [metric],
        "dimensions": ["region"],
        "filters": [{"field": "order_status", "op": "in", "values": ["completed"]}],
        "time": window,
    }
    gold_plan = dict(plan)
    where = f"WHERE o.order_status = 'completed' AND o.order_date >= '{first}' AND o.order_date <= '{last}'"
    gold = f"SELECT c.region, {MEASURES[metric]} {FROM} {where} GROUP BY c.region"
    if mistake == "wrong_grain":
        month = "date_trunc('month', o.order_date)"
        gold = f"SELECT CAST({month} AS DATE), c.region, {MEASURES[metric]} {FROM} {where} GROUP BY 1, 2"
        gold_plan["time"] = {**window, "grain": "month"}
        plan["time"] = {**window, "grain": "week"}
    elif mistake == "dropped_filter":
        del plan["filters"]
    elif mistake == "wrong_column":
        plan["dimensions"] = ["segment"]
    elif mistake == "wrong_period":
        plan["time"] = {**window, "from": last[:8] + "01"}
    case = Case(
        id=f"{mistake} {at}",
        question=f"{metric} {at}",
        gold_sql=gold,
        gold_plan=MetricPlan.model_validate(gold_plan),
        metric=metric,
    )
    if "fan_out" in mistake:
        wide = FROM + " JOIN order_lines l ON l.order_id = o.order_id"
        return Scripted(case, mistake, sql=gold.replace(FROM, wide))
    if "undeclared" in mistake:
        return Scripted(case, mistake, sql=gold.replace("o.customer_id = c", "o.order_id = c"))
    return Scripted(case, mistake, plan=plan)


@dataclass(frozen=True)
class Agent:
    """Makes its mistakes: plans go through the served gateway, guarded SQL through the pipeline."""

    script: Mapping[str, Scripted]
    over: OverHttp | OverMcp
    gateway: Gateway
    caller: Caller

    def answer(self, asked: Asked) -> Given:
        does = self.script[asked.case_id]
        if does.plan is not None:
            return self.over.plan(does.plan)
        if does.mistake in GUARDED:
            reply = self.gateway.ask_planned(self.caller, lambda _: does.sql)
            checks = tuple(issue.code for issue in reply.issues)
            return Given("answer" if reply.outcome == "answered" else "refuse", sql=does.sql, checks=checks)
        return Given("answer", sql=does.sql)


@pytest.fixture
def served(shop: Path, rita: Caller) -> Iterator[tuple[Gateway, str]]:
    """The shop behind a real port, where rita may evaluate."""
    policy, toml = shop / "policies" / "policy.yml", shop / "cellbound.toml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(
        text.replace("may: [ask, check_sql, audit, evaluate]", "may: [ask, audit, evaluate]"), "utf-8"
    )
    head, _, tail = toml.read_text(encoding="utf-8").rpartition('user = "rita"\n')
    token = f'user = "rita"\nsha256 = "{sha256(TOKEN.encode()).hexdigest()}"\n'
    toml.write_text(head + token + tail.partition("\n")[2], encoding="utf-8")
    settings = load_settings(shop)
    gateway = open_gateway(shop)
    listening = socket.create_server(("127.0.0.1", 0))
    application = build_http(gateway, Callers(settings.identity), settings.server)
    server = uvicorn.Server(uvicorn.Config(application, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield gateway, f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listening.close()
    gateway.close()


def benched(gateway: Gateway, caller: Caller) -> Bench:
    bench = open_bench(gateway, caller, shown_rows=20)
    assert not isinstance(bench, Refusal)
    return bench


def figures(run: CaseRun) -> dict[str, float | None]:
    return {f"{family} {name}": value for family, name, value in figures_of(run)}


def test_each_mistake_is_named_by_the_family_or_the_check_that_should_see_it(
    served: tuple[Gateway, str], rita: Caller
) -> None:
    gateway, address = served
    script = {each.case.id: each for each in scripted()}
    assert len(script) == 60
    agent = Agent(script, OverHttp(address, TOKEN, 60), gateway, rita)
    plan = RunPlan(known=tuple(each.case for each in script.values()), subject_name="scripted")
    lines = tuple(run_plan(plan, agent, benched(gateway, rita)))
    assert len(lines) == 60
    for line in lines:
        _named(script[line.run.case_id], line)
    report = summarise_lines(lines)
    assert report.faults == {"wrong_answer_released": 40, "blocked_wrongly": 8}
    assert report.ceilings["perfect_but_not_exact"] == 0 and report.ceilings["gold_failed"] == 0
    _stef_agrees(lines, script, gateway)


def _stef_agrees(lines: Sequence[RunLine], script: Mapping[str, Scripted], gateway: Gateway) -> None:
    """Hold the reference-free score against the families: of these mistakes it misses those of joins."""
    cases = [each.case for each in script.values()]
    joined = [line for line in lines if "join" in script[line.run.case_id].mistake]
    joined += [line for line in lines if "fan_out" in script[line.run.case_id].mistake]
    seen = [line for line in lines if line not in joined]
    by_joins, by_rest = (
        against_families(some, cases, gateway.house.layer, "duckdb", Rulebook()) for some in (joined, seen)
    )
    assert by_joins.verdicts == {"correct unequal": 16}
    wrong = dict(by_rest.verdicts)
    assert wrong.pop("correct exact") == HOW_MANY["right"] and sum(wrong.values()) == 32
    assert not {name for name in wrong if name.startswith(("correct", "likely"))}, by_rest
    assert by_rest.column_correlation is not None and by_rest.column_correlation > 0.3, by_rest


def _named(does: Scripted, line: RunLine) -> None:
    run = line.run
    assert run.scores is not None and run.scores.output.exact is not None, does.case.id
    of = figures(run)
    low = {name for name, value in of.items() if value is not None and value < 1}
    match does.mistake:
        case "right":
            assert run.scores.output.exact and run.answer.right_action, (does.case.id, run.sql, low)
            assert run.answer.right_definition is True
        case "dropped_filter":
            assert {"component filters recall", "columns recall"} <= low
            assert of["component tables precision"] == of["component group_by recall"] == 1
        case "wrong_grain":
            assert {"component group_by recall", "cells precision"} <= low
            assert "cells precision below recall: too many rows" in read_shape(run.scores)
        case "wrong_column":
            assert {"component columns recall", "component group_by recall", "columns recall"} <= low
            assert of["component aggregations recall"] == 1
        case "wrong_period":
            assert of["component filters recall"] != 1 and not run.scores.output.exact
            assert of["component joins recall"] == of["component group_by recall"] == 1
        case "fan_out":
            assert {"component tables precision", "component joins precision", "columns recall"} <= low
            assert of["component joins recall"] == 1
        case "undeclared_join":
            assert of["component joins recall"] == 0 and of["component tables recall"] == 1
        case guarded:
            assert run.answer.given == "refuse" and GUARDED[guarded] in run.answer.checks, run.answer


def test_a_gateway_over_mcp_is_asked_the_same_and_one_that_is_gone_is_a_failure(
    served: tuple[Gateway, str],
) -> None:
    _, address = served
    plan = scripted()[0].plan
    assert plan is not None
    over_http, over_mcp = OverHttp(address, TOKEN, 60), OverMcp(f"{address}/mcp", TOKEN, 60)
    one, other = over_http.plan(plan), over_mcp.plan(plan)
    assert one.action == other.action == "answer" and one.result == other.result
    assert over_http.words("net revenue by region in July 2026").action == "answer"
    assert over_mcp.words("net revenue by region in July 2026").action == "answer"
    for gone in (
        OverHttp("http://127.0.0.1:9", TOKEN, 5),
        OverMcp("http://127.0.0.1:9/mcp", TOKEN, 5),
        OverHttp(address, "no token", 5),
    ):
        assert gone.plan(plan).action == "fail"
