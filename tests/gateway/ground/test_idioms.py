"""Turns of phrase that public tables and reports are told in: the true one passes, the wrong one blocks."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result

INCOME = result(
    "Item, 2019:USD, 2018:USD, 2017:USD",
    ("Service revenue", 12045, 11870, 11200),
    ("Land and buildings", 880, 1240, 990),
    ("At 31 March", 5397, 4915, 4100),
    ("Net loss", -1310, -955, -1204),
    ("Total revenue", 50240, 48110, 46020),
)
CENSUS = result(
    "Municipality, Population (2011):, Population (2016):, Density:",
    ("Arnfield", 12410, 13210, 130.4),
    ("Bexmouth", 8421, 8120, 147.1),
)
LEAGUE = result(
    "Season, W:, D:, L:, Points for:, Points against:",
    ("1996", 18, 2, 9, 455, 331),
    ("1997", 10, 1, 13, 340, 447),
)
CAREER = result(
    "Club, Games:, Goals:, Total goals:",
    ("Slavia", 27, 11, 13),
    ("Teplice", 29, 8, 10),
    ("Total", 56, 19, 23),
)
CHART = result("Single, UK:, US:, Sales:", ("Stone Rain", 12, 41, 120000), ("Harbour Girl", 2, 87, 450000))
PLANS = result(
    "Plan, Customers:, Churned:, CSAT:percent", ("Plus", 8044, 129, 95.1), ("Basic", 11290, 305, 91.7)
)
GOLF = result(
    "Year, Champion, Score:, Margin", ("1998", "Lund", 271, "3 strokes"), ("2000", "Pike", 268, "1 stroke")
)
MONTHS = result("Month, Orders:", ("2026-07", 500), ("2026-08", 430), ("2026-09", 610))
SPEND = result("Line, Spend:GBP, vs budget:percent", ("Desks", 500, -7.5), ("Lamps", 300, 12.3))


@pytest.mark.parametrize(
    ("true", "wrong", "table"),
    [
        (
            "Service revenue in 2019 and 2018 was $12,045 and $11,870, respectively.",
            "Service revenue in 2019 and 2018 was $11,870 and $12,045, respectively.",
            INCOME,
        ),
        (
            "Total revenue was $50,240, $48,110 and $46,020 in 2019, 2018 and 2017, respectively.",
            "Total revenue was $48,110, $50,240 and $46,020 in 2019, 2018 and 2017, respectively.",
            INCOME,
        ),
        (
            "The At 31 March balance was $5,397 in 2019.",
            "The At 31 March balance was $4,915 in 2019.",
            INCOME,
        ),
        ("The net loss was $1,310 in 2019.", "The net loss was $955 in 2019.", INCOME),
        (
            "The net loss rose from $955 in 2018 to $1,310 in 2019.",
            "The net loss fell from $955 in 2018 to $1,310 in 2019.",
            INCOME,
        ),
        (
            "Arnfield had a population of 13,210 living closely as of 2016.",
            "Arnfield had a population of 12,410 living closely as of 2016.",
            CENSUS,
        ),
        (
            "Bexmouth is densely settled, with 147.1 people per square kilometre.",
            "Bexmouth is densely settled, with 130.4 people per square kilometre.",
            CENSUS,
        ),
        ("They finished 1996 with an 18–9 record.", "They finished 1996 with a 9–18 record.", LEAGUE),
        (
            "In 1997 they scored 340 points and allowed 447.",
            "In 1997 they scored 447 points and allowed 340.",
            LEAGUE,
        ),
        ("He played 56 games in all.", "He played 29 games in all.", CAREER),
        (
            "Stone Rain reached number 41 in the United States.",
            "Stone Rain reached number 12 in the United States.",
            CHART,
        ),
        ("Harbour Girl sold 450,000 copies.", "Stone Rain sold 450,000 copies.", CHART),
        ("Plus lost 129 customers.", "Basic lost 129 customers.", PLANS),
        ("Plus had the best CSAT (95.1%).", "Plus had the worst CSAT (95.1%).", PLANS),
        (
            "Basic has 11,290 customers, Plus 8,044.",
            "Basic has 11,290 customers, Plus 129.",
            PLANS,
        ),
        (
            "Pike won with a score of 268, one stroke ahead.",
            "Pike won with a score of 268, three strokes ahead.",
            GOLF,
        ),
        ("Orders rose to 610 in September 2026.", "Orders fell to 610 in September 2026.", MONTHS),
        ("Desks were 7.5% under budget.", "Desks were 7.5% over budget.", SPEND),
        ("Lamps were 12.3% over budget.", "Lamps were 12.3% under budget.", SPEND),
    ],
)
def test_a_turn_of_phrase_names_its_figure_and_no_other(true, wrong, table):  # type: ignore[no-untyped-def]
    assert check(true, table).verdict != "block", check(true, table).findings
    assert check(wrong, table).verdict == "block"


def test_the_most_is_judged_without_the_row_of_totals() -> None:
    assert passes("Slavia has the most goals with 11.", CAREER)
    assert not passes("Teplice has the most goals with 8.", CAREER)


def test_figures_of_two_rows_make_no_record_where_none_is_named() -> None:
    assert passes("He scored 19 goals in 56 games.", CAREER)
    assert not passes("He scored 19 goals in 29 games.", CAREER)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Land and buildings were 1.8% of total revenue in 2019.", True),
        ("Land and buildings were 2.6% of total revenue in 2019.", False),
    ],
)
def test_a_share_may_have_one_cell_as_its_whole(draft: str, stands: bool) -> None:
    part, whole = cell("Land and buildings", "2019"), cell("Total revenue", "2019")
    assert passes(draft, INCOME, [declare("share", part=[part], whole=[whole])]) is stands


def test_an_average_over_several_years_is_no_single_year() -> None:
    mean = declare("mean", of=[cell("Total revenue", year) for year in ("2019", "2018", "2017")])
    assert passes("The average total revenue for 2017-2019 was $48,123.33.", INCOME, [mean])
    assert not passes("The average total revenue for 2017-2019 was $48,110.", INCOME, [mean])


def test_a_comparison_ahead_of_its_figures_is_computed() -> None:
    table = result("Site, Cost per order:EUR", ("Lyon", 3.41), ("Gdansk", 2.97))
    assert codes(check("Lyon is cheaper than Gdansk: €3.41 against €2.97.", table)) == {"claim"}
    assert passes("Gdansk is cheaper than Lyon: €2.97 against €3.41.", table)


def test_digits_that_a_rate_is_counted_on_are_no_figure() -> None:
    table = result("Film, Jury score (out of 10):, Defects per 1000:", ("Rust", 7.9, 4.2), ("Salt", 6.8, 3.1))
    assert passes("Rust scored 7.9 out of 10.", table)
    assert passes("Salt had 3.1 defects per 1,000.", table)
    assert not passes("Rust scored 7.9 out of 12.", table)


def test_a_year_that_is_a_column_is_not_held_against_the_year_of_a_row() -> None:
    table = result(
        "Museum, Founded, 2018:, 2019:",
        ("Toy Museum", "1991", 40110, 36500),
        ("Art Hall", "1888", 4321, 4559),
    )
    assert passes("The Toy Museum had 36,500 visitors in 2019.", table)
    assert not passes("The Toy Museum had 40,110 visitors in 2019.", table)


def test_the_turnout_of_an_election_is_no_candidate() -> None:
    table = result(
        "Party, Votes:", ("Labour", 14210), ("Conservative", 11905), ("Liberal", 3298), ("Turnout", 29413)
    )
    assert passes("The Conservative party came second with 11,905 votes.", table)
    assert not passes("The Liberal party came second with 3,298 votes.", table)
