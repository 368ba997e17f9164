"""Clauses that follow in the columns of the one before, lists in order of time, superlatives of several."""

from dataclasses import replace
from datetime import date

import pytest

from tests.gateway.ground.drafts import Q3, declare, passes, result
from traces.records import Derivation, Table

CALLS = result(
    "Queue, Calls:, Abandoned:, Median wait:minutes, Satisfaction:percent",
    ("Billing", 5120, 431, 6.5, 78.4),
    ("Technical", 3875, 602, 11.2, 71.9),
    ("Sales", 2240, 95, 2.1, 88.6),
    ("Claims", 1490, 137, 4.8, 80.3),
)
CHANNELS = result(
    "Channel, Orders:, Revenue:USD, Return rate:percent",
    ("Web", 585, 48150, 4.1),
    ("Store", 1040, 71200, 2.2),
    ("Phone", 197, 15980, 6.7),
    ("Partner", 372, 39900, 3.5),
)
CITY = result(
    "City, Riders:, Trips:, Fare:EUR, Late trips:",
    ("Lille", 31200, 84100, 12.4, 1905),
    ("Nantes", 18750, 51340, 10.95, 2310),
    ("Metz", 9400, 22780, 9.6, 388),
)
HOTEL = result(
    "Hotel, Nights sold:, Occupancy:percent, ADR:EUR, RevPAR:EUR",
    ("Aurora", 5210, 84.1, 142.5, 119.84),
    ("Bellevue", 3980, 91.7, 128.3, 117.65),
    ("Castello", 6105, 77.2, 171.9, 132.71),
)
STAFF = result(
    "Team, Headcount:, Leavers:, Attrition rate:percent, Vacancies:",
    ("Design", 64, 5, 7.8, 9),
    ("Support", 182, 23, 12.6, 17),
    ("Platform", 311, 14, 4.5, 28),
    ("Finance", 47, 2, 4.3, None),
)
MONTHS = result(
    "Month, Orders:, Cancelled:, Net adds:",
    ("2026-01", 330, 35, -12),
    ("2026-02", 372, 41, 58),
    ("2026-03", 416, 28, 131),
    ("2026-04", 298, 66, -90),
)
WEB = result(
    "Page, Sessions:, Bounce rate:percent, Conversions:, Revenue:EUR",
    ("Home", 84120, 41.7, 1210, 60500),
    ("Pricing", 22340, 28.3, 1045, 88825),
    ("Blog", 51890, 66.2, 187, 5610),
)
FLEET = result(
    "Depot, Vehicles:, Breakdowns:, Cost per km:EUR, Utilisation:percent",
    ("Ghent", 62, 18, 1.24, 83.1),
    ("Namur", 41, 27, 1.61, 71.5),
    ("Arlon", 17, 3, 1.08, 64.9),
)
QUARTERS = result(
    "Quarter, Revenue:EUR, Orders:, New customers:, Lost customers:",
    ("Q1 2026", 1240000, 3110, 214, 96),
    ("Q2 2026", 1385000, 3420, 256, 131),
    ("Q3 2026", 1310000, 3275, 198, 172),
)
SAAS = result(
    "Plan, Customers:, MRR:USD, New:, Churned:, NRR:percent",
    ("Starter", 1840, 55200, 212, 164, 91.5),
    ("Team", 965, 144750, 88, 31, 104.2),
    ("Business", 310, 217000, 24, 9, 112.8),
)
ROUTES = result(
    "Route, Passengers:, Load factor:percent, Yield:EUR, Delays:",
    ("BRU-LIS", 21450, 86.3, 94.2, 31),
    ("BRU-OSL", 9870, 71.5, 118.6, 12),
    ("BRU-ATH", 15230, 90.8, 101.4, 44),
)
TABLES = result(
    "Restaurant, Covers:, Average bill:EUR, No-shows:, Rating:",
    ("Harbour", 3120, 41.5, 88, 4.6),
    ("Station", 4480, 28.9, 143, 4.1),
    ("Garden", 1965, 52.75, 35, 4.8),
)
GIFTS = result(
    "Campaign, Donors:, Raised:EUR, Average gift:EUR, Cost:EUR",
    ("Spring", 1240, 48360, 39, 9200),
    ("Summer", 815, 24450, 30, 7100),
    ("Winter", 2310, 127050, 55, 14800),
)
TESTS = result(
    "Site, Tested:, Passed:, Failed:, Pass rate:percent",
    ("Oslo", 1210, 1104, 106, 91.2),
    ("Bergen", 845, 803, 42, 95.0),
    ("Tromso", 390, 331, 59, 84.9),
)
CASH = result(
    "Month, Inflow:EUR, Outflow:EUR, Net cash flow:EUR",
    ("2026-07", 312000, 298500, 13500),
    ("2026-08", 274500, 301800, -27300),
    ("2026-09", 339000, 296200, 42800),
)


@pytest.mark.parametrize(
    ("right", "wrongs", "table", "declared"),
    [
        (
            "Billing handled 5,120 calls, ahead of Technical with 3,875.",
            (
                "Billing handled 3,875 calls, ahead of Technical with 5,120.",
                "Billing handled 5,120 calls, ahead of Technical with 2,240.",
            ),
            CALLS,
            (),
        ),
        (
            "Store took 1,040 orders at a return rate of 2.2%; Web follows with 585 and 4.1%.",
            (
                "Store took 1,040 orders at a return rate of 2.2%; Web follows with 372 and 4.1%.",
                "Store took 1,040 orders at a return rate of 2.2%; Web follows with 585 and 3.5%.",
            ),
            CHANNELS,
            (),
        ),
        (
            "Lille sold the most, with 84,100 trips. In Metz we saw 22,780.",
            (
                "Lille sold the most, with 84,100 trips. In Metz we saw 51,340.",
                "Lille sold the most, with 84,100 trips. In Metz we saw 9,400.",
            ),
            CITY,
            (),
        ),
        (
            "Castello sold 6,105 nights in the quarter, Aurora 5,210.",
            ("Castello sold 6,105 nights in the quarter, Aurora 3,980.",),
            HOTEL,
            (),
        ),
        (
            "Support has 17 vacancies. Design is looking for 9.",
            ("Support has 17 vacancies. Design is looking for 5.",),
            STAFF,
            (),
        ),
        (
            "Store (1,040) and Web (585) brought in the most orders.",
            (
                "Store (585) and Web (1,040) brought in the most orders.",
                "Store (1,040) and Web (372) brought in the most orders.",
            ),
            CHANNELS,
            (),
        ),
        (
            "Phone (197) and Partner (372) took the fewest orders.",
            (
                "Phone (372) and Partner (197) took the fewest orders.",
                "Store (1,040) and Web (585) took the fewest orders.",
            ),
            CHANNELS,
            (),
        ),
        (
            "Orders were 330, 372, 416 and 298 from January to April.",
            (
                "Orders were 330, 416, 372 and 298 from January to April.",
                "Orders were 330, 372, 416 and 66 from January to April.",
            ),
            MONTHS,
            (),
        ),
        (
            "Orders came to 330, 372 and 416 in January, February and March.",
            ("Orders came to 330, 416 and 372 in January, February and March.",),
            MONTHS,
            (),
        ),
        (
            "March brought 416 orders, up from 372 the month before.",
            (
                "March brought 416 orders, up from 330 the month before.",
                "March brought 416 orders, down from 372 the month before.",
            ),
            MONTHS,
            (),
        ),
        (
            "We took 416 orders in March, up from 372 the month before.",
            ("We took 416 orders in March, up from 330 the month before.",),
            MONTHS,
            (),
        ),
        (
            "Of the 2,194 orders, 1,040 were placed in store and 197 by phone.",
            ("Of the 2,194 orders, 197 were placed in store and 1,040 by phone.",),
            CHANNELS,
            (declare("sum", of={"column": "orders"}),),
        ),
        (
            "Of all 2,194 orders, Web brought in 585.",
            ("Of all 2,194 orders, Web brought in 372.",),
            CHANNELS,
            (declare("sum", of={"column": "orders"}),),
        ),
        (
            "Pricing converted 1,045 sessions at a bounce rate of 28.3%; Blog managed 187 and 66.2%.",
            (
                "Pricing converted 1,045 sessions at a bounce rate of 28.3%; Blog managed 187 and 41.7%.",
                "Pricing converted 1,045 sessions at a bounce rate of 28.3%; Blog managed 1,210 and 66.2%.",
            ),
            WEB,
            (),
        ),
        (
            "Ghent runs 62 vehicles. Namur runs 41 and Arlon 17.",
            (
                "Ghent runs 62 vehicles. Namur runs 17 and Arlon 41.",
                "Ghent runs 62 vehicles. Namur runs 41 and Arlon 3.",
            ),
            FLEET,
            (),
        ),
        (
            "Revenue reached €1.24 million in Q1 2026, €1.385 million in Q2 and €1.31 million in Q3.",
            ("Revenue reached €1.24 million in Q1 2026, €1.31 million in Q2 and €1.385 million in Q3.",),
            QUARTERS,
            (),
        ),
        (
            "From Q1 to Q3 2026 orders came to 3,110, 3,420 and 3,275.",
            ("From Q1 to Q3 2026 orders came to 3,420, 3,110 and 3,275.",),
            QUARTERS,
            (),
        ),
        (
            "Home (84,120 sessions) and Blog (51,890) drew the most traffic.",
            ("Home (84,120 sessions) and Pricing (22,340) drew the most traffic.",),
            WEB,
            (),
        ),
        (
            "Of 3,115 customers, 1,840 are on Starter.",
            (
                "Of 3,115 customers, 965 are on Starter.",
                "Of 3,015 customers, 1,840 are on Starter.",
            ),
            SAAS,
            (declare("sum", of={"column": "customers"}),),
        ),
        (
            "BRU-LIS carried 21,450 passengers, BRU-ATH 15,230 and BRU-OSL 9,870.",
            ("BRU-LIS carried 21,450 passengers, BRU-ATH 9,870 and BRU-OSL 15,230.",),
            ROUTES,
            (),
        ),
        (
            "Station had 143 no-shows, Harbour 88, Garden only 35.",
            ("Station had 143 no-shows, Harbour 35, Garden only 88.",),
            TABLES,
            (),
        ),
        (
            "Winter brought in €127,050 and cost €14,800; Spring brought in €48,360 and cost €9,200.",
            (
                "Winter brought in €127,050 and cost €14,800; Spring brought in €9,200 and cost €48,360.",
                "Winter brought in €127,050 and cost €14,800; Spring brought in €48,360 and cost €7,100.",
            ),
            GIFTS,
            (),
        ),
        (
            "Oslo tested 1,210 people. It was followed by Bergen with 845 and Tromso with 390.",
            ("Oslo tested 1,210 people. It was followed by Bergen with 390 and Tromso with 845.",),
            TESTS,
            (),
        ),
        (
            "Winter and Spring raised the most, at €127,050 and €48,360.",
            (
                "Winter and Spring raised the most, at €48,360 and €127,050.",
                "Winter and Summer raised the most, at €127,050 and €24,450.",
            ),
            GIFTS,
            (),
        ),
        (
            "The fewest donors came from Summer (815) and Spring (1,240).",
            ("The fewest donors came from Summer (815) and Winter (2,310).",),
            GIFTS,
            (),
        ),
        (
            "In July, August and September inflows came to €312,000, €274,500 and €339,000.",
            ("In July, August and September inflows came to €274,500, €312,000 and €339,000.",),
            CASH,
            (),
        ),
        (
            "Of 46,550 passengers, 21,450 flew BRU-LIS.",
            ("Of 46,550 passengers, 15,230 flew BRU-LIS.",),
            ROUTES,
            (declare("sum", of={"column": "passengers"}),),
        ),
    ],
)
def test_what_follows_is_of_the_columns_told_before(
    right: str, wrongs: tuple[str, ...], table: Table, declared: tuple[Derivation, ...]
) -> None:
    scope = replace(Q3, metrics=tuple(column.label for column in table.columns[1:]), start=date(2026, 1, 1))
    assert passes(right, table, declared, scope)
    assert not [wrong for wrong in wrongs if passes(wrong, table, declared, scope)]
