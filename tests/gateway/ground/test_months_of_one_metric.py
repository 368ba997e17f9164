"""Columns whose labels differ by a month or a quarter alone: changes between them, and their twins."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import ANYTHING, TODAY, cell, check, codes, declare, passes, result

PARK = result(
    "Garage, Stays May:, Stays June:, Occupancy May:percent, Occupancy June:percent, Faults June:",
    ("Harbour", 5120, 5632, 61.2, 66.9, 12),
    ("Station", 8840, 8310, 88.4, 83.1, 40),
    ("Old Town", 2310, 2310, 44.0, 40.5, 7),
)
BRANDS = result(
    "Brand, Q2:EUR, Q3:EUR, Margin Q2:percent, Margin Q3:percent",
    ("Alto", 412000, 455300, 31.2, 29.8),
    ("Brisa", 298500, 271000, 22.4, 25.1),
)
ROUTES = result(
    "Route, Riders Aug 2026:, Riders Sep 2026:, Late Aug 2026:, Late Sep 2026:",
    ("R1", 9100, 9900, 210, 180),
    ("R2", 4400, 4200, 95, 130),
)
RANGES = result(
    "Range, Sales this year:GBP, Sales last year:GBP", ("Tents", 84200, 79100), ("Stoves", 23150, 26400)
)
TEAMS = result("Team, Target:EUR, Actual:EUR", ("North", 200000, 215000), ("South", 180000, 171000))


def _change(id_: str, op: str, row: str, metric: str, new: str, old: str):  # type: ignore[no-untyped-def]
    return declare(op, id_, new=cell(row, f"{metric}{new}"), old=cell(row, f"{metric}{old}"))


STAYS = (
    _change("h", "pct_change", "Harbour", "stays_", "june", "may"),
    _change("s", "pct_change", "Station", "stays_", "june", "may"),
    _change("p", "pp_change", "Harbour", "occupancy_", "june", "may"),
    _change("q", "pp_change", "Station", "occupancy_", "june", "may"),
)
MOVED = (
    _change("a", "pct_change", "Alto", "", "q3", "q2"),
    _change("b", "pct_change", "Brisa", "", "q3", "q2"),
    _change("c", "pp_change", "Alto", "margin_", "q3", "q2"),
    declare("difference", "e", a=cell("Brisa", "q3"), b=cell("Brisa", "q2")),
)
RODE = (
    _change("t", "pct_change", "R1", "riders_", "sep_2026", "aug_2026"),
    _change("u", "pct_change", "R1", "late_", "sep_2026", "aug_2026"),
    declare("difference", "v", a=cell("R2", "late_sep_2026"), b=cell("R2", "late_aug_2026")),
)
SOLD = (
    _change("l", "pct_change", "Tents", "sales_", "this_year", "last_year"),
    _change("m", "pct_change", "Stoves", "sales_", "this_year", "last_year"),
)
MISSED = (
    _change("n", "pct_change", "North", "", "actual", "target"),
    _change("o", "pct_change", "South", "", "actual", "target"),
)
MAY_TO_JUNE = Scope(today=TODAY, start=date(2026, 5, 1), end=date(2026, 7, 1), metrics=("stays", "occupancy"))


@pytest.mark.parametrize("scope", [ANYTHING, MAY_TO_JUNE])
@pytest.mark.parametrize(
    "draft",
    [
        "Stays at Harbour were up 10.0% from May to June; Station lost 6.0%.",
        "Occupancy at Harbour rose 5.7 percentage points from May to June, to 66.9%.",
        "Station gave back 5.3 pp between May and June.",
        "Station gave up 5.3 points of occupancy between May and June.",
        "Harbour put on 5.7 percentage points between May and June.",
        "In June, Harbour had 10% more stays than in May.",
        "In June, Harbour had 12 faults and 5,632 stays.",
        "Harbour had 5,120 stays in May and 5,632 in June.",
        "Stays at Harbour climbed from 5,120 in May to 5,632 in June (+10%).",
    ],
)
def test_a_change_between_months_named_in_labels_passes(draft: str, scope: Scope) -> None:
    assert passes(draft, PARK, STAYS, scope)


@pytest.mark.parametrize(
    "draft",
    [
        "Stays at Harbour were down 10.0% from May to June.",
        "Stays at Station were up 10.0% from May to June.",
        "Stays at Harbour were up 10.0% from June to May.",
        "Harbour stays were up 10% on June.",
        "Occupancy at Harbour rose 5.7% from May to June, to 66.9%.",
        "Harbour gave back 5.7 pp between May and June.",
        "Station put on 5.3 pp between May and June.",
        "Station shed 5.3 points of occupancy in May.",
        "In May, Harbour had 10% more stays than in June.",
        "Faults at Harbour rose 10% from May to June.",
        "Harbour had 5,632 stays in May and 5,120 in June.",
        "In June, Harbour had 40 faults.",
        "Occupancy at Harbour rose 5.7 percentage points from May to June, to 61.2%.",
        "Occupancy at Harbour rose 5.7 percentage points month on month, to 61.2%.",
        "Stays at Harbour climbed from 5,120 in May to 8,310 in June (+10%).",
    ],
)
def test_a_change_told_of_other_months_or_rows_blocks(draft: str) -> None:
    assert not passes(draft, PARK, STAYS)


@pytest.mark.parametrize(
    "draft",
    [
        "Alto grew 10.5% quarter on quarter while Brisa shrank by 9.2%.",
        "From Q2 to Q3 Alto's revenue increased by 10.5% to €455,300.",
        "Brisa lost €27,500 (9.2%) between Q2 and Q3.",
        "Alto's margin narrowed by 1.4 pp in Q3.",
        "Q3 revenue at Brisa was €27,500 below Q2.",
    ],
)
def test_bare_quarters_are_columns_of_one_metric(draft: str) -> None:
    assert passes(draft, BRANDS, MOVED)


@pytest.mark.parametrize(
    "draft",
    [
        "Alto grew 9.2% quarter on quarter.",
        "Alto's margin narrowed by 1.4 pp in Q2.",
        "Alto's margin widened by 1.4 pp in Q3.",
        "Alto's margin narrowed by 10.5% in Q3.",
        "Brisa lost €27,500 (10.5%) between Q2 and Q3.",
        "Q2 revenue at Brisa was €27,500 below Q3.",
    ],
)
def test_quarters_turned_round_or_of_another_metric_block(draft: str) -> None:
    assert not passes(draft, BRANDS, MOVED)


def test_a_change_of_one_metric_is_none_of_another_in_the_same_month() -> None:
    assert passes("R1 riders grew 8.8% in September while late runs fell 14.3%.", ROUTES, RODE)
    assert passes("R2 had 35 more late runs in September than in August.", ROUTES, RODE)
    assert not passes("R1 riders fell 14.3% in September.", ROUTES, RODE)
    assert not passes("R2 had 35 more riders in September than in August.", ROUTES, RODE)


def test_this_year_and_last_year_are_columns_of_one_metric() -> None:
    assert passes("Tents were up 6.4% on last year, Stoves down 12.3%.", RANGES, SOLD)
    assert not passes("Tents were down 6.4% on last year.", RANGES, SOLD)


def test_what_came_may_be_set_against_its_plan_in_percent() -> None:
    assert passes("North came in 7.5% above target, South 5.0% below it.", TEAMS, MISSED)
    assert not passes("North came in 7.5% below target.", TEAMS, MISSED)
    assert not passes("South beat its target by 5.0%.", TEAMS, MISSED)


@pytest.mark.parametrize(("new", "old"), [("may", "june"), ("june", "may")])
def test_a_change_across_metrics_or_back_in_time_is_refused(new: str, old: str) -> None:
    metrics = ("stays_", "stays_") if new == "may" else ("faults_", "stays_")
    row = "Harbour"
    change = declare("pct_change", new=cell(row, metrics[0] + new), old=cell(row, metrics[1] + old))
    assert "bad_declaration" in codes(check("Harbour moved by 9.1%.", PARK, (change,)))


YEARS = result("Line, 2024:EUR, 2023:EUR", ("Intake", 38900, 41200), ("Backlog", 20100, 18750))
SHRANK = (
    declare("pct_change", "a", new=cell("Intake", "2024"), old=cell("Intake", "2023")),
    declare("pct_change", "b", new=cell("Backlog", "2024"), old=cell("Backlog", "2023")),
    declare("difference", "c", a=cell("Intake", "2024"), b=cell("Intake", "2023")),
)


@pytest.mark.parametrize(
    ("fell", "rose"),
    [
        ("contracted", "expanded"),
        ("receded", "advanced"),
        ("retreated", "climbed"),
        ("fell back", "picked up"),
    ],
)
def test_a_fall_and_a_rise_in_one_sentence_keep_their_signs(fell: str, rose: str) -> None:
    said = "Intake {} by 5.6% from 2023 to 2024, yet Backlog {} by 7.2%."
    assert passes(said.format(fell, rose), YEARS, SHRANK)
    assert not passes(said.format(rose, fell), YEARS, SHRANK)


def test_what_fell_by_an_amount_fell_by_the_percentage_in_its_brackets() -> None:
    assert passes("Intake slipped by €2,300 (5.6%) between 2023 and 2024.", YEARS, SHRANK)
    assert not passes("Intake rose by €2,300 (5.6%) between 2023 and 2024.", YEARS, SHRANK)
    assert not passes("Intake slipped by €2,300 (7.2%) between 2023 and 2024.", YEARS, SHRANK)
