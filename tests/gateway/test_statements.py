"""A plan asked before costs a look-up, and only the very same plan of the same role is the same."""

from collections.abc import Callable

from gateway.service import Gateway
from gateway.statements import Statements
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Reading
from metric_layer.visible import Visible
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


def test_another_limit_filter_or_role_is_another_statement(
    gateway: Gateway, ana: Caller, emil: Caller, revenue: Plan
) -> None:
    asked = [revenue, {**revenue, "limit": 3}, {**revenue, "filters": []}]
    assert len({gateway.ask(ana, plan).sql for plan in asked}) == 3
    assert gateway.ask(emil, revenue).rows != gateway.ask(ana, revenue).rows


def test_the_oldest_statement_gives_way(gateway: Gateway, revenue: Plan) -> None:
    made: list[str] = []
    kept: Statements[Reading] = Statements(most=2)

    def reading(name: str) -> Callable[[], Reading]:
        def make() -> Reading:
            made.append(name)
            return Reading(text=name)

        return make

    plan = _resolved(gateway, revenue)
    for name in ("one", "two", "three", "one", "three"):
        assert kept.of((name, plan), reading(name)).text == name
    assert made == ["one", "two", "three", "one"]


def _resolved(gateway: Gateway, revenue: Plan) -> ResolvedPlan:
    asked = parse_plan(revenue)
    assert isinstance(asked, MetricPlan)
    found = resolve(
        asked,
        gateway.house.layer,
        visible=Visible(),
        choices={},
        today=gateway.house.now().date(),
    )
    assert isinstance(found, ResolvedPlan)
    return found
