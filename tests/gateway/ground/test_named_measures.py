"""Lists, gaps and rows told by a figure: the column that the words name must be the one that bears them."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

CHANNELS = result(
    "Channel, Visits:, Orders:, Conv %:percent, Revenue:EUR",
    ("Web", 12400, 620, 5, 31000),
    ("App", 8200, 574, 7, 28700),
    ("Store", 3100, 930, 30, 46500),
    ("Partners", 900, 90, 10, 9000),
    ("Total", 24600, 2214, 9, 115200),
)
REGIONS = result(
    "Region, Revenue:EUR, Profit:EUR, Staff:",
    ("North", 900, 40, 12),
    ("South", 700, 90, 30),
    ("East", 400, 70, 25),
    ("Other", 100, 5, 2),
    ("Total", 2100, 205, 69),
)
HALVES = result(
    "Product, First half:, Second half:, Total:, Lead:",
    ("Lamps", 1200, 1500, 2700, 14),
    ("Chairs", 900, 700, 1600, 9),
    ("Desks", 400, 650, 1050, 21),
)
PLANS = result(
    "Region, Actual:EUR, Plan:EUR, Gap:EUR",
    ("Nordics", 300, 300, 0),
    ("Iberia", 395, 400, 5),
    ("Benelux", 488, 500, 12),
    ("Alps", 170, 200, 30),
)
LINES = result(
    "Line, Net:EUR, Deficit %:percent",
    ("Retail", 900, 0),
    ("Cargo", 400, 2),
    ("Travel", 350, 3),
)
LEAGUE = result(
    "Rider, Points:, Gap:",
    ("Vale", 150, 0),
    ("Reed", 136, 14),
    ("Cole", 120, 30),
)
PART_LEAGUE = result(
    "Rider, Points:, Gap:",
    ("Vale", 150, 0),
    ("Reed", 136, 14),
    ("Cole", None, 30),
)
DISCOUNTS = result(
    "Discount (%):, Orders:, Revenue:EUR",
    (5, 500, 5000),
    (10, 300, 6000),
    (20, 100, 3000),
)
TERMS = result("Term (months):, Customers:", (6, 500), (12, 840), (24, 300))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (CHANNELS, "The two largest channels by visits are Web and App."),
        (CHANNELS, "The two largest channels by revenue are Store and Web."),
        (CHANNELS, "By revenue the two largest channels are Store and Web."),
        (CHANNELS, "The two most visited channels are Web and App."),
        (CHANNELS, "The three largest channels by conversion are Store (30%), Partners (10%) and App (7%)."),
        (CHANNELS, "The two largest channels are Web (12,400) and App (8,200) by visits."),
        (REGIONS, "The top two regions by revenue are North and South."),
        (REGIONS, "The top two regions by staff are South and East."),
        (REGIONS, "The two most profitable regions are South and East."),
        (HALVES, "The two largest products in the first half are Lamps and Chairs."),
        (HALVES, "The two largest products by total are Lamps and Chairs."),
        (LINES, "The two largest lines by net are Retail and Cargo."),
        (LEAGUE, "The two best riders by points are Vale and Reed."),
    ],
)
def test_lists_in_the_order_of_the_column_they_name_pass(table: Table, draft: str) -> None:
    assert passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (CHANNELS, "The two largest channels by revenue are Web and App."),
        (CHANNELS, "The two largest channels by orders are Web and App."),
        (CHANNELS, "By revenue the two largest channels are Web and App."),
        (CHANNELS, "In revenue, the two largest channels are Web and App."),
        (CHANNELS, "The two most visited channels are Store and Web."),
        (CHANNELS, "The three largest channels are Store (30%), Partners (10%) and App (7%) by visits."),
        (CHANNELS, "The two largest channels are Web (12,400) and App (8,200) by revenue."),
        (REGIONS, "The top two regions by revenue are South and East."),
        (REGIONS, "The top two regions by staff are North and South."),
        (REGIONS, "The two most profitable regions are North and South."),
        (HALVES, "The two largest products in the first half are Lamps and Desks."),
        (HALVES, "The two largest products by total are Lamps and Desks."),
        (LINES, "The two largest lines by net are Cargo and Travel."),
    ],
)
def test_lists_in_the_order_of_another_column_block(table: Table, draft: str) -> None:
    assert not passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (CHANNELS, "The two largest channels are Web and App."),
        (CHANNELS, "The two largest channels are Store and Web."),
        (CHANNELS, "The two lowest channels are Web and App."),
        (CHANNELS, "The two most profitable channels are Web and App."),
        (CHANNELS, "The two largest channels by growth are Web and App."),
        (CHANNELS, "The two largest channels by order value are Web and App."),
        (CHANNELS, "The two largest channels by visits so far are Web and App."),
        (REGIONS, "The two largest employers are North and South."),
        (REGIONS, "The two largest regions by profit margin are South and East."),
    ],
)
def test_lists_that_no_one_column_ranks_block(table: Table, draft: str) -> None:
    assert not passes(draft, table)


@pytest.mark.parametrize(
    "draft",
    ["Reed was 14 points behind Vale.", "Vale beat Cole by 30 points.", "Vale was 14 points ahead of Reed."],
)
def test_gaps_that_are_differences_to_the_first_row_pass(draft: str) -> None:
    assert passes(draft, LEAGUE)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (PLANS, "Iberia was \u20ac5 behind Nordics."),
        (PLANS, "Nordics beat Benelux by \u20ac12."),
        (PLANS, "Nordics was \u20ac30 ahead of Alps."),
        (LINES, "Retail was 3% ahead of Travel."),
        (LEAGUE, "Reed was 30 points behind Vale."),
        (LEAGUE, "Vale was 14 points ahead of Cole."),
        (PART_LEAGUE, "Vale was 30 points ahead of Cole."),
    ],
)
def test_gaps_to_something_else_are_no_distance_to_the_first_row(table: Table, draft: str) -> None:
    assert not passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (DISCOUNTS, "At a discount of 10%, 300 orders came in."),
        (DISCOUNTS, "At 10% discount, 300 orders came in."),
        (DISCOUNTS, "At 10%, 300 orders came in."),
        (DISCOUNTS, "Revenue was \u20ac3,000 at a discount of 20%."),
        (TERMS, "At a term of 12 months there were 840 customers."),
        (TERMS, "For a term of 12 months there were 840 customers."),
    ],
)
def test_figures_called_by_the_label_of_the_keys_name_their_row(table: Table, draft: str) -> None:
    assert passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (DISCOUNTS, "At a discount of 10%, 100 orders came in."),
        (DISCOUNTS, "At 10%, 100 orders came in."),
        (DISCOUNTS, "At a margin of 10%, 300 orders came in."),
        (DISCOUNTS, "At a tax rate of 20%, revenue was \u20ac3,000."),
        (DISCOUNTS, "At 20% of orders, revenue came to \u20ac3,000."),
        (DISCOUNTS, "At 20% growth, revenue was \u20ac3,000."),
        (DISCOUNTS, "For 10% of revenue, 300 orders came in."),
        (TERMS, "At a term of 12 months there were 300 customers."),
        (TERMS, "For 12 months we kept 840 customers."),
        (TERMS, "We kept 840 customers for 12 months."),
    ],
)
def test_figures_of_something_else_name_no_row(table: Table, draft: str) -> None:
    assert not passes(draft, table)
