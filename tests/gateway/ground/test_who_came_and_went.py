"""Verbs of coming and going, net figures and names that other numbers have taken: which column is meant."""

from dataclasses import replace
from datetime import date

import pytest

from tests.gateway.ground.drafts import Q3, passes, result
from traces.records import Derivation, Table

SHOPS = result(
    "Shop, Revenue:EUR, Like-for-like:percent, Transactions:, Average basket:EUR",
    ("Ghent", 318400, 2.7, 9120, 34.91),
    ("Bruges", 204150, -4.3, 6405, 31.87),
    ("Mechelen", 157900, -0.9, 5180, 30.48),
    ("Ostend", 96300, 6.2, 3310, 29.09),
)
GYMS = result(
    "Gym, Members:, Joined:, Quit:, Churn rate:percent, Visits:",
    ("Harbour", 1840, 132, 96, 5.2, 20415),
    ("Station", 2315, 188, 61, 2.6, 31870),
    ("Campus", 990, 75, 114, 11.5, 9705),
    ("Mill Lane", 1275, 64, 48, 3.8, 14330),
)
CALLS = result(
    "Queue, Calls:, Abandoned:, Median wait:minutes, Satisfaction:percent",
    ("Billing", 5120, 431, 6.5, 78.4),
    ("Technical", 3875, 602, 11.2, 71.9),
    ("Sales", 2240, 95, 2.1, 88.6),
    ("Claims", 1490, 137, 4.8, 80.3),
)
HOTEL = result(
    "Hotel, Nights sold:, Occupancy:percent, ADR:EUR, RevPAR:EUR",
    ("Aurora", 5210, 84.1, 142.5, 119.84),
    ("Bellevue", 3980, 91.7, 128.3, 117.65),
    ("Castello", 6105, 77.2, 171.9, 132.71),
)
CITY = result(
    "City, Riders:, Trips:, Fare:EUR, Late trips:",
    ("Lille", 31200, 84100, 12.4, 1905),
    ("Nantes", 18750, 51340, 10.95, 2310),
    ("Metz", 9400, 22780, 9.6, 388),
)
EMERGENCY = result(
    "Month, Attendances:, Median wait:minutes, Left unseen:, Transfers:",
    ("2026-07", 5210, 81, 167, 44),
    ("2026-08", 4985, 77, 142, 39),
    ("2026-09", 5660, 96, 238, 52),
)
SUBS = result(
    "Month, New subscribers:, Cancelled:, Net adds:",
    ("2026-07", 8140, 9025, -885),
    ("2026-08", 9310, 8700, 610),
    ("2026-09", 10220, 7975, 2245),
)
LOANS = result(
    "Segment, Portfolio:EUR, NPL ratio:percent, NIM:percent",
    ("Retail", 8120000000, 1.3, 2.15),
    ("Farming", 2940000000, 3.9, 2.8),
    ("Leasing", 1615000000, 5.6, 4.05),
    ("Wholesale", 5230000000, 0.7, 1.4),
)
STORES = result(
    "Store, Net sales:GBP, LFL growth:percent, Footfall:, Conversion:percent",
    ("Bath", 214300, 1.9, 18450, 22.4),
    ("Derby", 176850, -3.7, 16120, 19.8),
    ("Exeter", 301275, 4.6, 24880, 25.1),
    ("Luton", 98640, -7.2, 10935, 17.3),
)
POLICIES = result(
    "Line, Policies:, Claims:, Claims ratio:percent, Premium:EUR",
    ("Motor", 48200, 6115, 67.4, 31250000),
    ("Home", 22950, 1480, 41.2, 14860000),
    ("Travel", 9130, 2205, 88.9, 2145000),
    ("Pet", 5480, 1890, 73.5, 1930000),
)
LINES = result(
    "Line, Output:, Scrap:, Downtime:hours, OEE:percent",
    ("Line A", 12400, 310, 14.5, 81.2),
    ("Line B", 9850, 488, 31.0, 68.4),
    ("Line C", 15120, 205, 6.5, 89.7),
)
SCHOOL = result(
    "School, Pupils:, Teachers:, Absence rate:percent, Budget:EUR",
    ("Oakfield", 845, 52, 4.1, 4120000),
    ("Riverside", 1210, 71, 6.3, 5985000),
    ("St Mary", 432, 29, 3.2, 2240000),
)
SAAS = result(
    "Plan, Customers:, MRR:USD, New:, Churned:, NRR:percent",
    ("Starter", 1840, 55200, 212, 164, 91.5),
    ("Team", 965, 144750, 88, 31, 104.2),
    ("Business", 310, 217000, 24, 9, 112.8),
)
FLEET = result(
    "Depot, Vehicles:, Breakdowns:, Cost per km:EUR, Utilisation:percent",
    ("Ghent", 62, 18, 1.24, 83.1),
    ("Namur", 41, 27, 1.61, 71.5),
    ("Arlon", 17, 3, 1.08, 64.9),
)
TABLES = result(
    "Restaurant, Covers:, Average bill:EUR, No-shows:, Rating:",
    ("Harbour", 3120, 41.5, 88, 4.6),
    ("Station", 4480, 28.9, 143, 4.1),
    ("Garden", 1965, 52.75, 35, 4.8),
)
REPS = result(
    "Rep, Bookings:USD, Quota:USD, Deals:, Win rate:percent",
    ("Adams", 742000, 650000, 18, 31.5),
    ("Brown", 498000, 550000, 11, 24.0),
    ("Costa", 615000, 600000, 21, 38.2),
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
HEADS = result(
    "Month, Joiners:, Leavers:, Net change:, Headcount:",
    ("2026-07", 14, 9, 5, 402),
    ("2026-08", 6, 17, -11, 391),
    ("2026-09", 21, 8, 13, 404),
)
BRANCHES = result(
    "Branch, Headcount:, Joiners:, Leavers:, Sick days:, Engagement:percent",
    ("Utrecht", 214, 31, 18, 402, 76.5),
    ("Breda", 97, 12, 22, 255, 61.0),
    ("Venlo", 58, 4, 9, 140, 69.2),
)


@pytest.mark.parametrize(
    ("right", "wrongs", "table", "declared"),
    [
        (
            "Ostend grew 6.2% like-for-like on 3,310 transactions.",
            (
                "Ostend grew 6.2% like-for-like on 5,180 transactions.",
                "Ostend grew 2.7% like-for-like on 3,310 transactions.",
            ),
            SHOPS,
            (),
        ),
        (
            "Campus lost 114 of its members, a churn rate of 11.5%.",
            (
                "Campus lost 96 of its members, a churn rate of 11.5%.",
                "Campus lost 75 of its members, a churn rate of 11.5%.",
            ),
            GYMS,
            (),
        ),
        (
            "Technical lost 602 of its calls, with a median wait of 11.2 minutes.",
            ("Technical lost 431 of its calls, with a median wait of 11.2 minutes.",),
            CALLS,
            (),
        ),
        (
            "Aurora ran at 84.1% occupancy, with 5,210 nights sold.",
            (
                "Aurora ran at 84.1% occupancy, with 3,980 nights sold.",
                "Aurora ran at 77.2% occupancy, with 5,210 nights sold.",
            ),
            HOTEL,
            (),
        ),
        (
            "Nantes ran late on 2,310 of its 51,340 trips.",
            (
                "Nantes ran late on 1,905 of its 51,340 trips.",
                "Nantes ran late on 2,310 of its 84,100 trips.",
            ),
            CITY,
            (),
        ),
        (
            "In August 142 people walked out before being seen, with a median wait of 77 minutes.",
            (
                "In August 39 people walked out before being seen, with a median wait of 77 minutes.",
                "In August 167 people walked out before being seen, with a median wait of 77 minutes.",
            ),
            EMERGENCY,
            (),
        ),
        (
            "July ended with a net loss of 885 subscribers.",
            ("July ended with a net gain of 885 subscribers.",),
            SUBS,
            (),
        ),
        (
            "In September 7,975 subscribers cancelled and 10,220 joined.",
            (
                "In September 10,220 subscribers cancelled and 7,975 joined.",
                "In September 7,975 subscribers cancelled and 2,245 joined.",
            ),
            SUBS,
            (),
        ),
        (
            "At Harbour 96 members walked away and 132 signed up.",
            ("At Harbour 132 members walked away and 96 signed up.",),
            GYMS,
            (),
        ),
        (
            "On Claims 137 callers hung up before anyone answered, after a median wait of 4.8 minutes.",
            ("On Claims 95 callers hung up before anyone answered, after a median wait of 4.8 minutes.",),
            CALLS,
            (),
        ),
        (
            "In Farming, 3.9% of loans are non-performing.",
            (
                "In Farming, 5.6% of loans are non-performing.",
                "In Farming, 2.8% of loans are non-performing.",
            ),
            LOANS,
            (),
        ),
        (
            "Luton slipped 7.2% on an LFL basis, with 10,935 people through the doors.",
            (
                "Luton slipped 7.2% on an LFL basis, with 16,120 people through the doors.",
                "Luton slipped 3.7% on an LFL basis, with 10,935 people through the doors.",
            ),
            STORES,
            (),
        ),
        (
            "Travel runs a claims ratio of 88.9%, on 9,130 policies.",
            (
                "Travel runs a claims ratio of 88.9%, on 5,480 policies.",
                "Travel runs a claims ratio of 73.5%, on 9,130 policies.",
            ),
            POLICIES,
            (),
        ),
        (
            "Line B lost 31 hours to downtime and 488 pieces to scrap.",
            (
                "Line B lost 31 hours to downtime and 310 pieces to scrap.",
                "Line B lost 14.5 hours to downtime and 488 pieces to scrap.",
            ),
            LINES,
            (),
        ),
        (
            "Riverside has an absence rate of 6.3% across 1,210 pupils and 71 teachers.",
            (
                "Riverside has an absence rate of 6.3% across 845 pupils and 71 teachers.",
                "Riverside has an absence rate of 6.3% across 1,210 pupils and 52 teachers.",
            ),
            SCHOOL,
            (),
        ),
        (
            "Team churned 31 accounts, for a net retention of 104.2%.",
            (
                "Team churned 88 accounts, for a net retention of 104.2%.",
                "Team churned 31 accounts, for a net retention of 112.8%.",
            ),
            SAAS,
            (),
        ),
        (
            "Namur had 27 breakdowns at a utilisation of 71.5%, and runs 41 vehicles.",
            (
                "Namur had 27 breakdowns at a utilisation of 71.5%, and runs 62 vehicles.",
                "Namur had 18 breakdowns at a utilisation of 71.5%, and runs 41 vehicles.",
            ),
            FLEET,
            (),
        ),
        (
            "On Starter 164 customers walked away and 212 joined.",
            (
                "On Starter 212 customers walked away and 164 joined.",
                "On Starter 31 customers walked away and 212 joined.",
            ),
            SAAS,
            (),
        ),
        (
            "Motor is our largest line at €31.25 million; 67.4% of it goes out again in claims.",
            ("Motor is our largest line at €31.25 million; 41.2% of it goes out again in claims.",),
            POLICIES,
            (),
        ),
        (
            "The Station took an average bill of €28.90 from 4,480 guests.",
            (
                "The Station took an average bill of €28.90 from 3,120 guests.",
                "The Station took an average bill of €41.50 from 4,480 guests.",
            ),
            TABLES,
            (),
        ),
        (
            "Costa closed 21 deals, winning 38.2% of what she pitched, for $615,000.",
            (
                "Costa closed 18 deals, winning 38.2% of what she pitched, for $615,000.",
                "Costa closed 21 deals, winning 31.5% of what she pitched, for $615,000.",
            ),
            REPS,
            (),
        ),
        (
            "Tromso passed 331 of its 390 tests, a pass rate of 84.9%.",
            (
                "Tromso passed 59 of its 390 tests, a pass rate of 84.9%.",
                "Tromso passed 331 of its 390 tests, a pass rate of 91.2%.",
            ),
            TESTS,
            (),
        ),
        (
            "August closed with a net outflow of €27,300.",
            (
                "August closed with a net inflow of €27,300.",
                "August closed with a net outflow of €301,800.",
            ),
            CASH,
            (),
        ),
        (
            "September brought 21 joiners against 8 leavers, a net gain of 13.",
            (
                "September brought 8 joiners against 21 leavers, a net gain of 13.",
                "September brought 21 joiners against 8 leavers, a net loss of 13.",
            ),
            HEADS,
            (),
        ),
        ("At Station 143 guests never showed up.", ("At Station 88 guests never showed up.",), TABLES, ()),
        (
            "Station served 4,480 guests.",
            (
                "Station served 143 guests.",
                "Station cost us 4,480 euros.",
            ),
            TABLES,
            (),
        ),
        (
            "Venlo has a team of 58.",
            (
                "Venlo has a team of 140.",
                "Venlo has a team of 9.",
            ),
            BRANCHES,
            (),
        ),
    ],
)
def test_each_number_is_of_the_column_that_its_words_leave(
    right: str, wrongs: tuple[str, ...], table: Table, declared: tuple[Derivation, ...]
) -> None:
    scope = replace(Q3, metrics=tuple(column.label for column in table.columns[1:]), start=date(2026, 1, 1))
    assert passes(right, table, declared, scope)
    assert not [wrong for wrong in wrongs if passes(wrong, table, declared, scope)]
