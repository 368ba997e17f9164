"""Gaps to targets, parts of totals, sums with a count, and changes told with their ends."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result
from traces.records import Derivation, Table

COVER = result(
    "District, Doses:, Coverage:percent, Target:percent",
    ("Old Town", 36915, 57.3, 60),
    ("Marsh", 24138, 80.4, 80),
)
SHORT = declare("pp_change", new=cell(0, "coverage"), old=cell(0, "target"))
OVER = declare("pp_change", "d2", new=cell(1, "coverage"), old=cell(1, "target"))
LOSSES = result("Line, Q1 2026:percent, Q2 2026:percent", ("Hull", 68.1, 68.9), ("Cargo", 55.2, 54.7))
HULL = declare("pp_change", new=cell(0, "q2_2026"), old=cell(0, "q1_2026"))
CARGO = declare("pp_change", "d2", new=cell(1, "q2_2026"), old=cell(1, "q1_2026"))


@pytest.mark.parametrize(
    ("table", "declared", "true", "false"),
    [
        (
            COVER,
            (SHORT,),
            "Coverage in Old Town was 57.3%, 2.7 points short of the 60% target.",
            "Coverage in Old Town was 57.3%, 2.7 points above the 60% target.",
        ),
        (
            COVER,
            (OVER,),
            "Marsh beat its 80% target by 0.4 points.",
            "Marsh missed its 80% target by 0.4 points.",
        ),
        (
            COVER,
            (SHORT,),
            "Old Town trailed its target by 2.7 points.",
            "Old Town coverage fell by 2.7 points.",
        ),
        (
            COVER,
            (SHORT,),
            "Old Town needs 2.7 points more to reach its target.",
            "Old Town was 2.7% short of its target.",
        ),
        (
            LOSSES,
            (HULL,),
            "The Hull loss ratio widened by 80 bps from Q1 2026 to Q2 2026.",
            "The Hull loss ratio narrowed by 80 bps from Q1 2026 to Q2 2026.",
        ),
        (
            LOSSES,
            (CARGO,),
            "The Cargo loss ratio narrowed by 50 bps in Q2 2026.",
            "The Cargo loss ratio widened by 50 bps in Q2 2026.",
        ),
    ],
)
def test_a_gap_in_points_lies_on_the_side_that_its_words_say(
    table: Table, declared: tuple[Derivation, ...], true: str, false: str
) -> None:
    assert passes(true, table, declared)
    assert not passes(false, table, declared)


def test_points_between_two_rates_of_which_none_is_the_plan_are_refused() -> None:
    table = result("Shop, Open rate:percent, Click rate:percent", ("Mill", 31.5, 8.2), ("Quay", 24.2, 7.0))
    gap = declare("pp_change", new=cell(0, "open_rate"), old=cell(0, "click_rate"))
    assert "bad_declaration" in codes(check("The open rate at Mill rose by 23.3 points.", table, [gap]))


TAXED = result(
    "Item, 2019:USD, 2018:USD",
    ("Domestic", 63400000, 58900000),
    ("Foreign", 27100000, 31600000),
    ("Income before taxes", 90500000, 90500000),
    ("Net income", 71200000, 66800000),
    ("Current:", None, None),
    ("Federal", 4120000, 3980000),
    ("Deferred:", None, None),
    ("Federal", -320000, 210000),
)
COSTS = result(
    "Item, 2020:, 2019:",
    ("Products", 312.5, 290.1),
    ("Services", 120.4, 131.8),
    ("Cost of products", 180.2, 171.0),
    ("Cost of services", 70.3, 74.9),
)
DOMESTIC = declare("difference", a=cell(0, "2019"), b=cell(0, "2018"))


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            TAXED,
            "Domestic income before taxes increased by $4.5 million from 2018 to 2019.",
            "Income before taxes increased by $4.5 million from 2018 to 2019.",
        ),
        (
            TAXED,
            "Foreign income before taxes was $27.1 million in 2019.",
            "Foreign income before taxes was $90.5 million in 2019.",
        ),
        (
            TAXED,
            "Net income was $71.2 million in 2019.",
            "Domestic net income was $71.2 million in 2019.",
        ),
        (
            TAXED,
            "The deferred federal provision was -$320,000 in 2019.",
            "The deferred federal provision was $4,120,000 in 2019.",
        ),
        (COSTS, "Product costs were 180.2 in 2020.", "Product costs were 312.5 in 2020."),
    ],
)
def test_a_part_with_the_name_of_its_total_is_the_part(table: Table, true: str, false: str) -> None:
    declared = [DOMESTIC] if table is TAXED else []
    assert passes(true, table, declared)
    assert not passes(false, table, declared)


COUNTERS = result(
    "Counter, Budget:USD, Actual:USD",
    ("Meat", 480000, 497215),
    ("Bread", 225000, 211480),
    ("Fish", 362000, 365904),
    ("Deli", 298000, 276330),
)
TAKEN = (
    declare("sum", of={"column": "actual"}),
    declare("sum", "d2", of={"column": "budget"}),
    declare("count_rows", "d3"),
)
SLOTS = result(
    "Slot, Q2 2026:USD, Q3 2026:USD",
    ("Video", 6420000, 7185000),
    ("Banner", 4918000, 4502000),
    ("Native", 2240000, 2655000),
)
MOVED = (
    declare("pct_change", new=cell(0, "q3_2026"), old=cell(0, "q2_2026")),
    declare("pct_change", "d2", new=cell(1, "q3_2026"), old=cell(1, "q2_2026")),
)


@pytest.mark.parametrize(
    ("table", "declared", "true", "false"),
    [
        (
            COUNTERS,
            TAKEN,
            "Actual sales for the four counters were $1,350,929 against a budget of $1,365,000.",
            "Actual sales for the four counters were $1,365,000 against a budget of $1,350,929.",
        ),
        (
            COUNTERS,
            TAKEN,
            "Actual sales for all four counters were $1,350,929.",
            "Budgeted sales for all four counters were $1,350,929.",
        ),
        (
            COUNTERS,
            TAKEN,
            "Actual sales for the four counters were $1,350,929.",
            "Actual sales for the three counters were $1,350,929.",
        ),
        (
            SLOTS,
            MOVED,
            "Video climbed 11.9% to $7.2 million, while Banner slid 8.5%.",
            "Video climbed 11.9% to $6.4 million, while Banner slid 8.5%.",
        ),
        (
            SLOTS,
            MOVED,
            "Video climbed 11.9% from $6.4 million to $7.2 million.",
            "Video climbed 11.9% from $7.2 million to $6.4 million.",
        ),
        (
            SLOTS,
            MOVED,
            "Banner slid 8.5% to $4.5 million.",
            "Banner slid 8.5% to $2.7 million.",
        ),
    ],
)
def test_sums_with_a_count_and_changes_with_their_ends_are_bound_together(
    table: Table, declared: tuple[Derivation, ...], true: str, false: str
) -> None:
    assert passes(true, table, declared)
    assert not passes(false, table, declared)
