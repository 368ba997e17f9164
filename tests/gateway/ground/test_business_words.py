"""Business phrases and their twins that the cells refute: parts, multiples, plans, margins, ranks, counts."""

from dataclasses import replace

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import Q3, cell, check, codes, declare, passes, result
from traces.records import Derivation, Table

FAIRS = result(
    "Year, Stands:, Visitors:",
    ("2015", 210, 50210),
    ("2016", 215, 61877),
    ("2017", 198, 58003),
    ("2018", 240, 66120),
)
DEPOTS = result(
    "Depot, Vans:, Open claims:", ("Leeds", 21, 13), ("Hull", 14, 6), ("York", 9, 2), ("Goole", 5, 0)
)
CLINICS = result(
    "Clinic, Beds:, Readmission:percent, Average stay:days",
    ("North", 210, 6.4, 4.1),
    ("South", 120, 15.4, 3.2),
    ("East", 90, 9.6, 5.5),
)
MONTHS = result(
    "Month, ARR:USD, GRR:fraction, NRR:fraction, CAC:USD",
    ("2026-07", 5210400, 0.911, 1.061, 4110),
    ("2026-09", 5388100, 0.893, 1.052, 4560),
)
CAMPAIGNS = result(
    "Campaign, Clicks:, CTR:fraction, Leads:, CPL:USD",
    ("Spring", 4100, 0.021, 127, 39.37),
    ("Summer", 6100, 0.014, 134, 67.16),
    ("Autumn", 9100, 0.033, 373, 18.77),
)
BUDGET = result(
    "Line, Actual:USD, Budget:USD, Variance:USD",
    ("Revenue", 51200, 50000, 1200),
    ("Marketing", -8300, -7500, -800),
    ("Payroll", -20100, -20500, 400),
    ("Net income", 9100, 9600, -500),
)
LINES = result(
    "Line, Actual:USD, Budget:USD",
    ("Revenue", 9120, 9000),
    ("Gross profit", 5110, 5000),
    ("EBITDA", 1822, 1700),
)
STORES = result(
    "Store, Region, Growth:percent, Staff:",
    ("Aalst", "West", 3.1, 9),
    ("Brugge", "West", -1.2, 11),
    ("Gent", "East", 6.0, 20),
    ("Leuven", "South", 2.2, 12),
    ("Kortrijk", "West", -4.4, 8),
)
CLAIMS = (declare("sum", of={"column": "open_claims"}),)
GREW = (declare("count_rows", where={"column": "growth", "op": ">", "value": 0}),)
SHRANK = (declare("count_rows", where={"column": "growth", "op": "<", "value": 0}),)
IN_WEST = (declare("count_rows", where={"column": "region", "op": "=", "value": "West"}),)
SAAS = replace(Q3, metrics=("ARR", "GRR", "NRR", "CAC"))
ADS = replace(Q3, metrics=("Clicks", "CTR", "Leads", "CPL"))
PROFIT = replace(Q3, metrics=("Actual", "Budget"))


def ratio(a: int, b: int, column: str) -> tuple[Derivation, ...]:
    """Declare how many times one row's figure is another's."""
    return (declare("ratio", num=cell(a, column), den=cell(b, column)),)


def share(row: int, column: str = "actual") -> tuple[Derivation, ...]:
    """Declare a line's share of revenue."""
    return (declare("share", part=[cell(row, column)], whole=[cell(0, column)]),)


NRR = (declare("pp_change", new=cell(1, "nrr"), old=cell(0, "nrr")),)


@pytest.mark.parametrize(
    ("right", "wrong", "table", "declared"),
    [
        (
            "At 58,003, attendance in 2017 was the third highest on record.",
            "At 58,003, attendance in 2017 was the second highest on record.",
            FAIRS,
            (declare("rank", row=2, column="visitors"),),
        ),
        (
            "2017 drew 58,003 visitors, the third highest figure.",
            "2017 drew 58,003 visitors, the fourth highest figure.",
            FAIRS,
            (declare("rank", row=2, column="visitors"),),
        ),
        (
            "2016 drew 61,877 visitors, second only to 2018.",
            "2017 drew 58,003 visitors, second only to 2018.",
            FAIRS,
            (),
        ),
        (
            "Leeds holds 13 of the company's 21 open claims.",
            "Leeds holds 6 of the company's 21 open claims.",
            DEPOTS,
            CLAIMS,
        ),
        (
            "York is handling 2 of our 21 open claims.",
            "York is handling 9 of our 21 open claims.",
            DEPOTS,
            CLAIMS,
        ),
        ("Goole has none of the 21 open claims.", "York has none of the 21 open claims.", DEPOTS, CLAIMS),
        ("Leeds has 13 open claims. Goole has none.", "Leeds has 13 open claims. Hull has none.", DEPOTS, ()),
        (
            "Readmission in South is 2.4x that of North.",
            "Readmission in North is 2.4x that of South.",
            CLINICS,
            ratio(1, 0, "readmission"),
        ),
        (
            "Readmission in South is 2.4x that of North.",
            "Readmission in South is 2.4x that of East.",
            CLINICS,
            ratio(1, 0, "readmission"),
        ),
        (
            "Readmission in South is 2.4x that of North, and stays there average 3.2 days.",
            "Readmission in South is 2.4x that of North, and stays there average 4.1 days.",
            CLINICS,
            ratio(1, 0, "readmission"),
        ),
        ("Revenue beat budget by $1,200.", "Revenue missed budget by $1,200.", BUDGET, ()),
        (
            "Marketing came in $800 worse than planned.",
            "Marketing came in $800 better than planned.",
            BUDGET,
            (),
        ),
        ("Payroll came in $400 better than planned.", "Payroll came in $400 worse than planned.", BUDGET, ()),
        ("Marketing was $800 over budget.", "Marketing was $800 under budget.", BUDGET, ()),
        (
            "Net income was $500 below budget, at $9,100.",
            "Net income was $500 above budget, at $9,100.",
            BUDGET,
            (),
        ),
        ("Three of the five stores grew.", "Three of the five stores shrank.", STORES, GREW),
        ("Two stores saw sales fall.", "Two stores saw sales rise.", STORES, SHRANK),
        (
            "Three of the five stores are in the West.",
            "Three of the five stores are in the East.",
            STORES,
            IN_WEST,
        ),
    ],
)
def test_a_phrase_passes_and_its_twin_blocks(
    right: str, wrong: str, table: Table, declared: tuple[Derivation, ...]
) -> None:
    assert passes(right, table, declared)
    assert check(wrong, table, declared).verdict == "block"


@pytest.mark.parametrize(
    ("right", "wrong", "table", "declared", "scope"),
    [
        (
            "Net revenue retention slipped to 105.2% in September 2026, 90 bps below July.",
            "Net revenue retention slipped to 105.2% in September 2026, 90 bps above July.",
            MONTHS,
            NRR,
            SAAS,
        ),
        (
            "Annual recurring revenue came to $5,388,100 in September 2026.",
            "Monthly recurring revenue came to $5,388,100 in September 2026.",
            MONTHS,
            (),
            SAAS,
        ),
        (
            "Gross revenue retention was 89.3% in September 2026.",
            "Net revenue retention was 89.3% in September 2026.",
            MONTHS,
            (),
            SAAS,
        ),
        (
            "Cost per lead was lowest in Autumn at $18.77.",
            "Cost per order was lowest in Autumn at $18.77.",
            CAMPAIGNS,
            (),
            ADS,
        ),
        (
            "Autumn had the best click-through rate at 3.3% and the cheapest leads ($18.77).",
            "Spring had the best click-through rate at 2.1% and the cheapest leads ($39.37).",
            CAMPAIGNS,
            (),
            ADS,
        ),
        (
            "Summer had the most expensive leads at $67.16.",
            "Spring had the most expensive leads at $39.37.",
            CAMPAIGNS,
            (),
            ADS,
        ),
        ("The EBITDA margin was 20.0%.", "The operating margin was 20.0%.", LINES, share(2), PROFIT),
        ("Gross margin came to 56.0%.", "Gross margin came to 20.0%.", LINES, (*share(1),), PROFIT),
        (
            "The budgeted EBITDA margin was 18.9%.",
            "The EBITDA margin was 18.9%.",
            LINES,
            share(2, "budget"),
            PROFIT,
        ),
    ],
)
def test_a_name_of_the_question_passes_and_another_blocks(
    right: str, wrong: str, table: Table, declared: tuple[Derivation, ...], scope: Scope
) -> None:
    assert passes(right, table, declared, scope)
    assert check(wrong, table, declared, scope).verdict == "block"


def test_highest_ever_is_refuted_by_the_rows_and_never_borne_out() -> None:
    assert check("At 66,120, attendance in 2018 was the highest ever.", FAIRS).verdict == "hold"
    assert check("At 58,003, attendance in 2017 was the highest ever.", FAIRS).verdict == "block"


def test_an_undeclared_count_of_what_grew_blocks() -> None:
    assert codes(check("Three of the five stores grew.", STORES))
