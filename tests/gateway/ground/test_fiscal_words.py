"""Bare quarters and halves of a draft go by the calendar that the layer's owner chose."""

from dataclasses import replace
from datetime import date

import pytest

from gateway.ground import GroundRules, Scope, ground
from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules
from metric_layer.resolved import OutputColumn
from traces.records import Table

CALENDAR = Calendar(CalendarRules(fiscal_start_month=2, fiscal_named_by="end"))
TODAY = date(2026, 11, 15)
TABLE = Table(
    columns=(OutputColumn(name="orders", kind="metric", type="integer", label="Orders"),), rows=((61,),)
)
FISCAL = Scope(
    today=TODAY,
    start=date(2026, 5, 1),
    end=date(2026, 8, 1),
    metrics=("Orders",),
    calendar=CALENDAR,
    counts_by="fiscal",
)
PLAIN = replace(FISCAL, start=date(2026, 4, 1), end=date(2026, 7, 1))


def verdict(draft: str, scope: Scope) -> str:
    return ground(draft, TABLE, scope, (), GroundRules()).verdict


@pytest.mark.parametrize(
    "said", ["Orders in Q2: 61.", "There were 61 orders in the second quarter.", "Orders in fiscal Q2: 61."]
)
def test_a_bare_quarter_is_the_fiscal_one_where_the_owner_says_so(said: str) -> None:
    assert verdict(said, FISCAL) == "pass"


def test_a_bare_quarter_is_not_the_calendars_where_the_owner_says_fiscal() -> None:
    assert verdict("Orders in Q2: 61.", PLAIN) == "block"
    assert verdict("Orders in calendar Q2: 61.", PLAIN) == "pass"


def test_without_such_a_rule_a_bare_quarter_is_the_calendars() -> None:
    assert verdict("Orders in Q2: 61.", replace(PLAIN, counts_by="")) == "pass"
    assert verdict("Orders in Q2: 61.", replace(FISCAL, counts_by="")) == "block"


@pytest.mark.parametrize("scope", [FISCAL, replace(FISCAL, counts_by="")])
def test_days_and_months_are_the_same_in_either_calendar(scope: Scope) -> None:
    assert verdict("From May to July 2026 there were 61 orders.", scope) == "pass"
