"""Statements over many facts grow as their plans do, whatever the figures are, and stay right."""

from decimal import Decimal

import pytest

from metric_layer.compile import compile_plan
from metric_layer.layer import Layer
from tests.metric_layer.both_engines import BothEngines
from tests.metric_layer.compile.test_dialects import DIALECTS
from tests.metric_layer.many_facts import FIGURES, asked, many_facts, tables
from tests.metric_layer.trap_shop import resolved_of

MOST = 48
KINDS = (*FIGURES, "mixed", "wide")


@pytest.fixture(scope="module")
def layer() -> Layer:
    return many_facts(MOST)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_statement_grows_as_its_plan_does_whatever_its_figures_are(
    kind: str, dialect: str, layer: Layer
) -> None:
    def length(facts: int) -> int:
        plan = resolved_of(asked(kind, facts), layer)
        return len(compile_plan(plan, layer, dialect, 100).sql(dialect))

    assert length(24) < 2.1 * length(12)
    assert length(48) < 2.1 * length(24)


@pytest.mark.engine("postgres")
@pytest.mark.parametrize("kind", KINDS)
def test_figures_of_many_facts_are_those_of_each_alone(kind: str, layer: Layer, many: BothEngines) -> None:
    plan = asked(kind, MOST)
    together = many.rows(plan, layer)
    assert together
    for at, name in enumerate(plan["metrics"][::6]):
        alone = {row[0]: row[1] for row in many.rows({**plan, "metrics": [name]}, layer)}
        found = {row[0]: row[1 + 6 * at] for row in together}
        assert {region: value for region, value in found.items() if region in alone} == alone
        assert {found[region] for region in found.keys() - alone.keys()} <= {None, 0}


@pytest.mark.engine("postgres")
def test_a_wide_part_beside_many_narrow_ones_keeps_each_value(layer: Layer, many: BothEngines) -> None:
    rows = {row[0]: row[1:] for row in many.rows(asked("wide", 12), layer)}
    # f0 has no rows, so its six figures are empty everywhere; f1 to f6 have 1, 2, 3, 0, 1, 2 of their number
    assert rows["n"] == (*[None] * 6, 1, 2, 3, None, 5, 6)
    assert rows[None] == (*[None] * 6, None, 2, Decimal(6), None, None, 6)


@pytest.fixture(scope="module")
def many(both: BothEngines) -> BothEngines:
    both.execute(tables(MOST))
    return both
