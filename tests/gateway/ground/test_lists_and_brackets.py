"""Lists of figures and figures in brackets: each is of the column that its noun or its neighbour names."""

import pytest

from tests.gateway.ground.drafts import check, codes, passes, result

CHANNELS = result(
    "Channel, Visits:, Orders:, Conv %:percent, Revenue:EUR",
    ("Web", 12400, 620, 5, 31000),
    ("App", 8200, 574, 7, 28700),
    ("Store", 3100, 930, 30, 46500),
    ("Partners", 900, 90, 10, 9000),
    ("Total", 24600, 2214, 9, 115200),
)
QUARTERS = result(
    "Store, Q1 Plan:, Q1 Actual:, Q2 Plan:, Q2 Actual:",
    ("Alba", 500, 490, 515, 520),
    ("Brio", 400, 430, 405, 410),
    ("Cala", 300, 310, 325, 330),
)
REGIONS = result(
    "Region, Plan:EUR, Actual:EUR, Gap:EUR, Share %:percent",
    ("Benelux", 500, 540, 40, 27),
    ("Iberia", 400, 380, -20, 19),
    ("Nordics", 300, 330, 30, 16.5),
    ("Rest of world", 700, 650, -50, 32.5),
    ("Other", 100, 100, 0, 5),
    ("Total", 2000, 2000, 0, 100),
)
SITES = result(
    "Site, Capacity:, Output:, Staff:",
    ("Vale", 300, 210, 45),
    ("Mell", 120, 98, 30),
    ("Other", 60, 20, 9),
    ("Total", 480, 328, 84),
)
MARGINS = result("Depot, Sales:EUR, Costs:EUR, Rate %:percent", ("Hart", 70, 50, 40), ("Lund", 90, 80, 12))
FUNDS = result("Fund, Votes:", ("Alba Fund", 540), ("Brio Trust", 310), ("Other", 150), ("Total", 1000))
LINES = result(
    "Line, 2024:EUR, 2025:EUR", ("Sales", 900, 1000), ("Margin", 300, 360), ("Overheads", 200, 215)
)
POLL = result(
    "Candidate, Votes:", ("Ada Holm", 912), ("Bert Reed", 700), ("Margin", 212), ("Total votes", 1612)
)


@pytest.mark.parametrize(
    "draft",
    [
        "12,400 and 8,200 visits became 620 and 574 orders respectively.",
        "12,400 and 3,100 visits turned into 620 and 930 orders, respectively.",
        "12,400 and 8,200 visits became 620 and 574 respectively.",
        "Visits of 12,400 and 8,200 became 620 and 574 orders respectively.",
    ],
)
def test_two_lists_are_of_the_columns_that_their_nouns_name(draft: str) -> None:
    assert passes(draft, CHANNELS)


@pytest.mark.parametrize(
    "draft",
    [
        "12,400 and 8,200 orders became 620 and 574 visits respectively.",
        "12,400 and 8,200 visits became 31,000 and 28,700 orders respectively.",
        "12,400 and 3,100 visits became 620 and 930 returns respectively.",
        "12,400 and 3,100 returns became 620 and 930 orders respectively.",
        "12,400 and 8,200 visits became 574 and 620 orders respectively.",
        "12,400 and 8,200 new visits became 620 and 574 orders respectively.",
        "12,400 and 8,200 visits became 620 and 574 repeat orders respectively.",
        "Orders of 12,400 and 8,200 became 620 and 574 respectively.",
        "Orders of 12,400 and 8,200 visits became 620 and 574 respectively.",
        "12,400 and 8,200 visits became revenue of 620 and 574 respectively.",
        "12,400 and 8,200 web visits became 620 and 574 orders respectively.",
    ],
)
def test_two_lists_under_a_noun_of_another_column_are_refused(draft: str) -> None:
    assert codes(check(draft, CHANNELS))


def test_two_lists_under_names_that_several_periods_share_are_refused() -> None:
    assert codes(check("500 and 400 of plan became 520 and 410 of actual respectively.", QUARTERS))
    assert codes(check("500 and 400 of Q1 plan became 520 and 410 of Q1 actual respectively.", QUARTERS))


@pytest.mark.parametrize(
    "draft",
    [
        "Actuals were \u20ac540 (27%) for Benelux and \u20ac380 (19%) for Iberia.",
        "Benelux reached \u20ac540 (27%).",
    ],
)
def test_a_share_in_brackets_stands_behind_the_figure_that_it_is_of(draft: str) -> None:
    assert passes(draft, REGIONS)


@pytest.mark.parametrize(
    "draft",
    [
        "Plans were \u20ac500 (27%) for Benelux and \u20ac400 (19%) for Iberia.",
        "Gaps were \u20ac40 (27%) for Benelux and \u20ac30 (16.5%) for Nordics.",
        "Actuals were \u20ac540 (19%) for Benelux and \u20ac380 (27%) for Iberia.",
        "Benelux planned \u20ac500 (27%).",
        "Benelux had a gap of \u20ac40 (27%).",
        "Benelux planned \u20ac500 (27% of the total).",
        "27% (\u20ac500) was planned for Benelux.",
    ],
)
def test_a_share_in_brackets_behind_a_figure_of_another_column_is_refused(draft: str) -> None:
    assert codes(check(draft, REGIONS))


def test_a_rate_before_its_row_is_refused_where_it_may_be_of_two_measures() -> None:
    one = result("Depot, Sales:EUR, Rate %:percent", ("Hart", 70, 40), ("Lund", 90, 12))
    assert passes("Sales were \u20ac70 (40%) for Hart and \u20ac90 (12%) for Lund.", one)
    assert codes(check("Sales were \u20ac70 (40%) for Hart and \u20ac90 (12%) for Lund.", MARGINS))


def test_brackets_of_one_list_show_the_same_columns_in_one_order() -> None:
    assert passes("Vale (300, 210), Mell (120, 98).", SITES)
    assert codes(check("Vale (300, 210), Mell (98, 120).", SITES))
    assert passes("Store (3,100 visits, 930 orders), Web (12,400 visits, 620 orders).", CHANNELS)
    assert codes(check("Store (3,100, 930), Web (12,400, 31,000).", CHANNELS))


def test_votes_in_total_of_rows_are_their_sum() -> None:
    assert passes("1,000 votes were cast.", FUNDS)
    assert codes(check("Alba Fund and Brio Trust have 1,000 votes in total.", FUNDS))


def test_a_margin_is_a_majority_only_of_votes() -> None:
    assert passes("The margin of \u20ac360 was in 2025.", LINES)
    assert codes(check("The majority of \u20ac360 went to overheads.", LINES))
    assert passes("The majority was 212 votes.", POLL)


RELAY = result(
    "Lane:, Nation, Time, Time behind:",
    (4, "Norway", "3:31.20", None),
    (5, "France", "3:34.12", 2.92),
    (2, "Kenya", "3:35.06", 3.86),
    (1, "Japan", "3:38.41", 7.21),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("France (2.92) and Kenya (3.86) took part.", "France (2.92) and Kenya (3:35.06) took part."),
        (
            "Norway won in 3:31.20, followed by France (3:34.12) and Japan (3:38.41).",
            "Norway won in 3:31.20, followed by France (2.92) and Japan (3:38.41).",
        ),
    ],
)
def test_bare_figures_behind_names_of_several_rows_are_of_one_column(right: str, wrong: str) -> None:
    assert passes(right, RELAY)
    assert not passes(wrong, RELAY)
