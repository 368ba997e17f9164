"""A superlative of any adjective is said of an end of its column, and "nobody beats" of the top."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

REGIONS = result(
    "Region, Revenue:EUR, Staff:, Churn rate:percent, NPS:",
    ("North", 1240000, 84, 3.1, 41),
    ("South", 985000, 97, 2.4, 52),
    ("East", 1410500, 61, 4.9, 28),
    ("West", 760250, 45, 3.8, 37),
)
DEPOTS = result(
    "Depot, Deliveries:, Failed deliveries:, Cost per drop:EUR, Handling time:minutes",
    ("Antwerp", 18420, 512, 4.35, 6.2),
    ("Breda", 12210, 298, 5.1, 7.9),
    ("Lille", 9875, 431, 3.85, 5.4),
    ("Aachen", 6640, 102, 6.2, 9.1),
)
PLANS = result(
    "Plan, Subscribers:, Churn rate:percent, ARPU:USD",
    ("Basic", 14210, 5.2, 9.8),
    ("Plus", 8930, 3.4, 18.25),
    ("Pro", 3105, 1.9, 42.1),
    ("Team", 1240, 2.6, 31.4),
)
GROWTH = result(
    "Channel, Revenue:EUR, Growth:percent",
    ("Web", 512400, 12.4),
    ("Stores", 310250, -3.1),
    ("Phone", 68650, -8.2),
)
PRODUCTS = result(
    "Product, Units sold:, Units returned:, Rating:",
    ("Kettle", 5210, 214, 4.4),
    ("Toaster", 3880, 307, 3.8),
    ("Blender", 2645, 119, 4.1),
    ("Juicer", 990, 31, 4.6),
)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            REGIONS,
            "The happiest customers are in South, with an NPS of 52.",
            "The happiest customers are in North, with an NPS of 41.",
        ),
        (
            DEPOTS,
            "The dearest depot per drop is Aachen at \u20ac6.20.",
            "The dearest depot per drop is Lille at \u20ac3.85.",
        ),
        (
            DEPOTS,
            "The quickest depot is Lille: 5.4 minutes.",
            "The quickest depot is Antwerp: 6.2 minutes.",
        ),
        (
            DEPOTS,
            "Aachen is the calmest depot, with 6,640 deliveries.",
            "Lille is the calmest depot, with 9,875 deliveries.",
        ),
        (
            PLANS,
            "The stickiest plan is Pro, with churn of only 1.9%.",
            "The stickiest plan is Plus, with churn of only 3.4%.",
        ),
        (
            PLANS,
            "Our most popular plan is Basic with 14,210 subscribers.",
            "Our most popular plan is Plus with 8,930 subscribers.",
        ),
        (
            REGIONS,
            "East took the most of any region, with \u20ac1,410,500.",
            "North took the most of any region, with \u20ac1,240,000.",
        ),
        (
            REGIONS,
            "Nowhere is revenue higher than in East (\u20ac1,410,500).",
            "Nowhere is revenue higher than in North (\u20ac1,240,000).",
        ),
        (
            DEPOTS,
            "No depot delivered more than Antwerp, with 18,420.",
            "No depot delivered more than Breda, with 12,210.",
        ),
        (
            REGIONS,
            "Nobody beats East at \u20ac1,410,500.",
            "Nobody beats North at \u20ac1,240,000.",
        ),
        (
            REGIONS,
            "At 2.4%, churn is lower in South than anywhere else.",
            "At 3.1%, churn is lower in North than anywhere else.",
        ),
        (
            REGIONS,
            "East beats every other region, at \u20ac1,410,500.",
            "North beats every other region, at \u20ac1,240,000.",
        ),
        (
            DEPOTS,
            "All the others made fewer deliveries than Antwerp (18,420).",
            "All the others made fewer deliveries than Breda (12,210).",
        ),
        (
            REGIONS,
            "East came out on top with \u20ac1,410,500.",
            "North came out on top with \u20ac1,240,000.",
        ),
        (
            REGIONS,
            "Churn bottomed out at 2.4% in South.",
            "Churn bottomed out at 3.1% in North.",
        ),
        (
            REGIONS,
            "East tops the table with \u20ac1,410,500.",
            "North tops the table with \u20ac1,240,000.",
        ),
        (
            REGIONS,
            "East is our top region with \u20ac1,410,500.",
            "North is our top region with \u20ac1,240,000.",
        ),
        (
            REGIONS,
            "South was first in NPS with 52.",
            "North was first in NPS with 41.",
        ),
        (
            PRODUCTS,
            "The smallest seller, the Juicer, had 31 units returned.",
            "The smallest seller, the Blender, had 119 units returned.",
        ),
        (
            REGIONS,
            "The largest region, East, made \u20ac1,410,500.",
            "The largest region, North, made \u20ac1,240,000.",
        ),
        (GROWTH, "Phone shrank most, by 8.2%.", "Stores shrank most, by 3.1%."),
    ],
)
def test_a_superlative_of_any_adjective_is_of_an_end(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "South has the most staff and made \u20ac985,000.",
            "East has the most staff and made \u20ac1,410,500.",
        ),
        (
            "With the highest churn rate, East made \u20ac1,410,500.",
            "With the highest NPS, East made \u20ac1,410,500.",
        ),
        (
            "The region with the largest staff, South, made \u20ac985,000.",
            "The region with the largest staff, East, made \u20ac1,410,500.",
        ),
    ],
)
def test_the_column_right_behind_a_superlative_is_what_it_ranks(true: str, false: str) -> None:
    assert passes(true, REGIONS)
    assert not passes(false, REGIONS)


@pytest.mark.parametrize(
    "draft",
    [
        "In the interest of clarity: North made \u20ac1,240,000.",
        "North, the lowest-risk region, made \u20ac1,240,000.",
        "At best, North has 84 people on staff.",
        "North is among the largest, with \u20ac1,240,000.",
    ],
)
def test_what_ranks_nothing_passes(draft: str) -> None:
    assert passes(draft, REGIONS)
