"""Lists under a heading that names their column and their order, and what a figure alone names."""

import pytest

from tests.gateway.ground.drafts import check, passes, result

REPS = result(
    "Rep, Bookings:USD, Visits:, Wins:",
    ("N. Osei", 412000, 88, 14),
    ("P. Lindqvist", 305500, 61, 9),
    ("R. Bauer", 521300, 97, 22),
    ("T. Alves", 198700, 40, 5),
)
DEPOTS = result(
    "Depot, Picks:, Errors:, Cost per pick:EUR",
    ("Almere", 91200, 140, 0.42),
    ("Breda", 70450, 260, 0.51),
    ("Tilburg", 118300, 95, 0.38),
    ("Venlo", 66120, 310, 0.55),
)


@pytest.mark.parametrize(
    "draft",
    [
        "Wins, best first:\n1. R. Bauer – 22\n2. N. Osei – 14\n3. P. Lindqvist – 9",
        "Wins, fewest first:\n1. T. Alves – 5\n2. P. Lindqvist – 9",
        "Here are the wins:\n\n1. R. Bauer — 22\n2. N. Osei — 14",
        "Visits, highest to lowest: R. Bauer 97, N. Osei 88, P. Lindqvist 61, T. Alves 40.",
        "Top three by bookings:\n1) R. Bauer ($521,300)\n2) N. Osei ($412,000)\n3) P. Lindqvist ($305,500)",
        "Bottom two by visits:\n- T. Alves: 40\n- P. Lindqvist: 61",
    ],
)
def test_a_list_in_the_order_of_its_heading_passes(draft: str) -> None:
    assert check(draft, REPS).verdict == "pass"


@pytest.mark.parametrize(
    "draft",
    [
        "Wins, best first:\n1. N. Osei – 14\n2. R. Bauer – 22\n3. P. Lindqvist – 9",
        "Wins, best first:\n1. R. Bauer – 14\n2. N. Osei – 22",
        "Wins, best first:\n1. R. Bauer – 22\n2. P. Lindqvist – 9",
        "Wins, best first:\n1. R. Bauer – 97\n2. N. Osei – 88",
        "Wins, fewest first:\n1. R. Bauer – 22\n2. N. Osei – 14",
        "Visits, highest to lowest: N. Osei 88, R. Bauer 97, P. Lindqvist 61.",
        "Top three by bookings:\n- R. Bauer: $521,300\n- N. Osei: $412,000\n- T. Alves: $198,700",
        "Top 3 by bookings:\n- R. Bauer: $521,300\n- N. Osei: $412,000",
        "Top two by visits:\n1. T. Alves - 40\n2. P. Lindqvist - 61",
    ],
)
def test_a_list_in_another_order_or_of_another_column_blocks(draft: str) -> None:
    assert not passes(draft, REPS)


def test_what_is_worst_or_cheapest_comes_first_where_the_heading_says_so() -> None:
    assert passes("Errors (worst first):\n1. Venlo: 310\n2. Breda: 260", DEPOTS)
    assert passes("Cost per pick, cheapest first:\n- Tilburg €0.38\n- Almere €0.42\n- Breda €0.51", DEPOTS)
    assert not passes("Errors (worst first):\n1. Tilburg: 95\n2. Almere: 140", DEPOTS)
    assert not passes("Cost per pick, cheapest first:\n- Venlo €0.55\n- Breda €0.51", DEPOTS)


@pytest.mark.parametrize(
    "draft",
    [
        "Picks:\n- Almere: 91,200\n- Tilburg: 118,300",
        "**Picks**\n1. Tilburg: 118,300\n2. Almere: 91,200",
        "Picks: Almere 91,200; Tilburg 118,300; Venlo 66,120.",
        "Picks and errors:\n- Almere: 91,200 and 140\n- Breda: 70,450 and 260",
        "Ranking by picks:\n1. Tilburg, 118,300\n2. Almere, 91,200",
        "Almere\n- Picks: 91,200\n- Errors: 140\n- Cost per pick: €0.42",
    ],
)
def test_a_heading_names_the_column_of_every_item(draft: str) -> None:
    assert passes(draft, DEPOTS)


@pytest.mark.parametrize(
    "draft",
    [
        "Errors:\n- Almere: 91,200\n- Tilburg: 118,300",
        "Errors:\n- Almere: 140\n- Tilburg: 118,300",
        "**Errors**\n1. Tilburg: 118,300\n2. Almere: 91,200",
        "Errors: Almere 140; Tilburg 118,300; Venlo 310.",
        "Errors: Almere 140, Tilburg 118,300.",
        "Picks and errors:\n- Almere: 140 and 91,200\n- Breda: 260 and 70,450",
        "Ranking by picks:\n1. Almere, 91,200\n2. Tilburg, 118,300",
        "Almere\n- Picks: 91,200\n- Errors: 95",
    ],
)
def test_an_item_of_another_column_than_its_heading_blocks(draft: str) -> None:
    assert not passes(draft, DEPOTS)


PRICES = result("Price:EUR, Units sold:, Revenue:EUR", (15, 410, 6150), (20, 300, 6000), (25, 190, 4750))
DISCOUNTS = result(
    "Discount, Baskets:, Average basket:EUR",
    ("None", 910, 31.2),
    ("5%", 402, 34.0),
    ("10%", 655, 38.9),
    ("15%", 120, 41.7),
)
RATES = result("Rate:percent, Loans:, Defaults:", (3, 410, 6), (4, 380, 9), (5, 221, 14))


def test_a_price_or_a_percentage_names_the_row_that_it_leads() -> None:
    assert passes("At €20, 300 units were sold.", PRICES)
    assert passes("At a price of €25 we sold 190 units for €4,750.", PRICES)
    assert passes("At a 10% discount there were 655 baskets, averaging €38.90.", DISCOUNTS)
    assert passes("The 15% discount drew 120 baskets.", DISCOUNTS)
    assert passes("At a rate of 4%, 380 loans were made and 9 defaulted.", RATES)


@pytest.mark.parametrize(
    ("draft", "table"),
    [
        ("At €20, 190 units were sold.", PRICES),
        ("At €30, 300 units were sold.", PRICES),
        ("At a 10% discount there were 402 baskets.", DISCOUNTS),
        ("At a 20% discount there were 655 baskets.", DISCOUNTS),
        ("The 15% discount drew 655 baskets.", DISCOUNTS),
        ("At a rate of 4%, 380 loans were made and 14 defaulted.", RATES),
        ("At a 4% default rate, 380 loans were made.", RATES),
    ],
)
def test_a_figure_of_another_row_than_its_price_names_blocks(draft: str, table) -> None:  # type: ignore[no-untyped-def]
    assert not passes(draft, table)
