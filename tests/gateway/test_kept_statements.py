"""What is kept of a plan's statements answers it again and holds no parsed tree."""

import gc
from dataclasses import replace

from sqlglot import exp

from gateway.kept_plans import KeptPlans
from gateway.service import Gateway
from metric_layer.sql import Reading
from metric_layer.sql.reading import NodeKind
from policies.policy import Lines
from tests.gateway.conftest import ANA

PLAN: dict[str, object] = {"metrics": ["net_revenue", "order_count"], "dimensions": ["region"]}


def kept(gateway: Gateway) -> list[Reading]:
    return list(gateway.house.kept.statements._known.values())


def reached(start: object) -> set[type]:
    """Return the kinds of all that an object holds on to; classes and modules are not followed."""
    seen, kinds, waiting = set[int](), set[type](), [start]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type):
            continue
        seen.add(id(each))
        kinds.add(type(each))
        if not callable(each) or hasattr(each, "func"):
            waiting.extend(gc.get_referents(each))
    return kinds


def test_a_kept_statement_holds_no_parsed_tree_and_answers_alike(gateway: Gateway) -> None:
    first = gateway.ask(ANA, PLAN)
    assert kept(gateway)
    assert not [kind for reading in kept(gateway) for kind in reached(reading) if issubclass(kind, exp.Expr)]
    again = gateway.ask(ANA, PLAN)
    assert (again.rows, again.sql, again.outcome) == (first.rows, first.sql, "answered")


def test_verdicts_on_an_estimate_that_comes_again_are_on_the_record_and_took_no_time(
    gateway: Gateway,
) -> None:
    told = []
    for _ in range(4):
        trace = gateway.traces.read(gateway.ask(ANA, PLAN).trace_id)
        assert trace is not None and trace.closed is not None
        told.append([each for each in trace.closed.decisions if each.stage == "cost"])
    said = [[(each.check, each.verdict, each.seen, each.input) for each in found] for found in told]
    assert said[1] == said[2] == said[3] and {check for check, *_ in said[3]} >= {"budget", "full_scan"}
    assert {each.duration_us for each in told[3]} == {0}


def test_an_estimate_is_judged_anew_under_another_policy(gateway: Gateway) -> None:
    assert [gateway.ask(ANA, PLAN).outcome for _ in range(3)] == ["answered"] * 3
    governed = gateway.house.governed
    one = Lines(warn=1, hard=1)
    budget = governed.policy.budget.model_copy(update={"bytes": one, "rows": one})
    policy = governed.policy.model_copy(update={"budget": budget})
    stricter = replace(gateway.house, governed=replace(governed, policy=policy))
    stores = gateway.traces, gateway.results, gateway.state, gateway.attestations
    assert Gateway(stricter, *stores).ask(ANA, PLAN).outcome == "denied"
    assert gateway.ask(ANA, PLAN).outcome == "answered"


def test_who_reads_a_statement_first_has_its_tree_and_who_finds_it_kept_has_its_places() -> None:
    plans = KeptPlans()
    first = Reading("SELECT 1", kinds=(NodeKind("Select", place=lambda: (0, 6)),), tree=exp.select("1"))
    assert plans.statement("plan", lambda: first) is first
    again = plans.statement("plan", lambda: Reading("never read"))
    assert again == first and again.tree is None and again.kinds[0].span == (0, 6)
