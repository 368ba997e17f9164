"""The definitions and the plan on the page about metrics are a layer, and do what the page says."""

import json
import re
from datetime import date
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import BaseModel

from metric_layer.asking import AskingRules, NamedPeriod
from metric_layer.definitions import CalendarRules, Column, Metric, Snapshot
from metric_layer.layer import Layer
from metric_layer.load import load_text
from metric_layer.plan import Compare, Window
from tests.metric_layer.ledger import answered, output, refused

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
JULY = {"from": "2026-07-01", "to": "2026-07-31"}


def snippets(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "model",
    [
        *get_args(get_args(Metric)[0]),
        Snapshot,
        Column,
        CalendarRules,
        AskingRules,
        NamedPeriod,
        Window,
        Compare,
    ],
)
def test_every_key_of_a_definition_and_a_plan_is_on_the_page(model: type[BaseModel]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    keys = [field.alias or name for name, field in model.model_fields.items()]
    assert not [key for key in keys if not re.search(rf"\b{key}\b", page)]


def page_layer(*, calendar: int) -> Layer:
    """Load all definitions of the page together, with one of its calendars."""
    parts = [yaml.safe_load(text) for text in snippets("yaml")]
    whole: dict[str, object] = {}
    for section in {name for part in parts for name in part} - {"calendar", "asking"}:
        whole[section] = [item for part in parts for item in part.get(section, [])]
    whole["calendar"] = [part["calendar"] for part in parts if "calendar" in part][calendar]
    whole["asking"] = next(part["asking"] for part in parts if "asking" in part)
    return load_text(yaml.safe_dump(whole, sort_keys=False))


@pytest.fixture(scope="module")
def layer() -> Layer:
    return page_layer(calendar=0)


def test_the_plan_of_the_page_compares_fees_and_balances_with_the_year_before(layer: Layer) -> None:
    plan = next(plan for text in snippets("json") if "compare" in (plan := json.loads(text)))
    found = answered(layer, **plan)
    assert [column.name for column in found.outputs][:5] == [
        "month",
        "branch",
        "fees",
        "fees__previous",
        "fees__change",
    ]
    assert "Compared with 2025-07-01 to 2025-07-31." in found.notes
    assert found.spine == (date(2026, 7, 1),)


def test_every_metric_of_the_page_answers(layer: Layer) -> None:
    for name, metric in layer.metrics.items():
        asked = {"dimensions": ["currency"]} if name == "paid" else {}
        grain = "day" if metric.non_additive else "month"
        answered(layer, metrics=[name], time={**JULY, "grain": grain}, **asked)


def test_what_the_page_says_is_refused_is_refused(layer: Layer) -> None:
    assert refused(layer, metrics=["paid"]) == [("mixed_units", "/metrics/0")]
    assert refused(layer, metrics=["balances_booked"], time=JULY) == [("unsafe_aggregation", "/metrics/0")]
    assert refused(layer, metrics=["fees"], dimensions=["paid_at"]) == [("ambiguous_grain", "/dimensions/0")]
    assert (
        output(answered(layer, metrics=["paid"], dimensions=["currency"]), "paid").unit_column == "currency"
    )


def test_the_weeks_of_the_page_make_its_fiscal_periods() -> None:
    layer = page_layer(calendar=1)
    assert layer.calendar.period("FY2026-P12") == (date(2026, 11, 22), date(2027, 1, 3))
    time = {"from": "2026-11-22", "to": "2027-01-03", "grain": "fiscal_month"}
    assert refused(layer, metrics=["fees"], time=time) == [("outside_calendar", "/time")]
