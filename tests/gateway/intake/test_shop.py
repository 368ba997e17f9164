"""Questions over the shop project: a plan from words is one that the layer resolves."""

from datetime import date
from pathlib import Path

import pytest

from gateway.intake import IntakePlan, prepare, take
from metric_layer.asking import AskingRules
from metric_layer.layer import Layer
from metric_layer.load import load_layer
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.visible import Visible

SHOP = Path(__file__).resolve().parents[3] / "examples" / "shop" / "metrics"
TODAY = date(2026, 11, 29)


@pytest.fixture(scope="module")
def layer() -> Layer:
    loaded = load_layer(SHOP)
    assert isinstance(loaded, Layer)
    return loaded


@pytest.mark.parametrize(
    "question",
    [
        "net revenue by region last quarter",
        "net revenue in Europe and Asia by month, year to date",
        "top 3 customer segments by net revenue in October 2026",
        "net revenue for enterprise excluding the US last month",
        "orders by customer segment last week",
        "net revenue last quarter vs the same quarter last year",
        "net revenue this month vs the previous period",
        "net revenue in October 2026 vs July 2026",
    ],
)
def test_a_plan_from_words_resolves(question: str, layer: Layer) -> None:
    found = take(question, prepare(layer, AskingRules()), visible=Visible(), today=TODAY)
    assert isinstance(found, IntakePlan), found
    resolved = resolve(found.plan, layer, visible=Visible(), choices={}, today=TODAY)
    assert isinstance(resolved, ResolvedPlan), resolved
