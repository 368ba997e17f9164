"""Two figures set against each other are of the two rows named before; asides name nothing outside."""

from dataclasses import replace
from datetime import date

import pytest

from tests.gateway.ground.drafts import Q3, cell, declare, passes, result
from traces.records import Derivation, Table

STAFF = result(
    "Team, Headcount:, Leavers:, Attrition rate:percent, Vacancies:",
    ("Design", 64, 5, 7.8, 9),
    ("Support", 182, 23, 12.6, 17),
    ("Platform", 311, 14, 4.5, 28),
    ("Finance", 47, 2, 4.3, None),
)
HOTEL = result(
    "Hotel, Nights sold:, Occupancy:percent, ADR:EUR, RevPAR:EUR",
    ("Aurora", 5210, 84.1, 142.5, 119.84),
    ("Bellevue", 3980, 91.7, 128.3, 117.65),
    ("Castello", 6105, 77.2, 171.9, 132.71),
)
CALLS = result(
    "Queue, Calls:, Abandoned:, Median wait:minutes, Satisfaction:percent",
    ("Billing", 5120, 431, 6.5, 78.4),
    ("Technical", 3875, 602, 11.2, 71.9),
    ("Sales", 2240, 95, 2.1, 88.6),
    ("Claims", 1490, 137, 4.8, 80.3),
)
GYMS = result(
    "Gym, Members:, Joined:, Quit:, Churn rate:percent, Visits:",
    ("Harbour", 1840, 132, 96, 5.2, 20415),
    ("Station", 2315, 188, 61, 2.6, 31870),
    ("Campus", 990, 75, 114, 11.5, 9705),
    ("Mill Lane", 1275, 64, 48, 3.8, 14330),
)
WARDS = result(
    "Clinic, Admissions:, Average stay:days, Readmission rate:percent, Occupancy:percent",
    ("North", 705, 4.9, 8.8, 90.1),
    ("South", 512, 7.2, 6.3, 83.5),
    ("East", 338, 12.6, 15.7, 96.4),
    ("West", 861, 3.1, 2.4, 74.2),
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
FLEET = result(
    "Depot, Vehicles:, Breakdowns:, Cost per km:EUR, Utilisation:percent",
    ("Ghent", 62, 18, 1.24, 83.1),
    ("Namur", 41, 27, 1.61, 71.5),
    ("Arlon", 17, 3, 1.08, 64.9),
)
LINES = result(
    "Line, Output:, Scrap:, Downtime:hours, OEE:percent",
    ("Line A", 12400, 310, 14.5, 81.2),
    ("Line B", 9850, 488, 31.0, 68.4),
    ("Line C", 15120, 205, 6.5, 89.7),
)
WEB = result(
    "Page, Sessions:, Bounce rate:percent, Conversions:, Revenue:EUR",
    ("Home", 84120, 41.7, 1210, 60500),
    ("Pricing", 22340, 28.3, 1045, 88825),
    ("Blog", 51890, 66.2, 187, 5610),
)
BRANCHES = result(
    "Branch, Headcount:, Joiners:, Leavers:, Sick days:, Engagement:percent",
    ("Utrecht", 214, 31, 18, 402, 76.5),
    ("Breda", 97, 12, 22, 255, 61.0),
    ("Venlo", 58, 4, 9, 140, 69.2),
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


@pytest.mark.parametrize(
    ("right", "wrongs", "table", "declared"),
    [
        (
            "Design, a team of 64, lost 5 people; Support (182 heads) lost 23.",
            (
                "Design, a team of 64, lost 5 people; Support (182 heads) lost 17.",
                "Design, a team of 9, lost 5 people; Support (182 heads) lost 23.",
            ),
            STAFF,
            (),
        ),
        (
            "Castello earned the higher ADR than Bellevue (€171.90 versus €128.30).",
            (
                "Castello earned the higher ADR than Bellevue (€128.30 versus €171.90).",
                "Castello earned the higher ADR than Bellevue (€171.90 versus €142.50).",
            ),
            HOTEL,
            (),
        ),
        (
            "Technical has a longer median wait than Billing (11.2 minutes against 6.5).",
            (
                "Technical has a longer median wait than Billing (6.5 minutes against 11.2).",
                "Technical has a longer median wait than Billing (11.2 minutes against 4.8).",
            ),
            CALLS,
            (),
        ),
        (
            "Station grew faster than Harbour: 188 joined against 132.",
            ("Station grew faster than Harbour: 132 joined against 188.",),
            GYMS,
            (),
        ),
        (
            "Stays are longer in East than in West (12.6 days compared with 3.1).",
            (
                "Stays are longer in East than in West (3.1 days compared with 12.6).",
                "Stays are longer in East than in West (12.6 days compared with 7.2).",
            ),
            WARDS,
            (),
        ),
        (
            "Store outsold Partner, $71,200 to $39,900.",
            (
                "Store outsold Partner, $39,900 to $71,200.",
                "Store outsold Partner, $71,200 to $48,150.",
            ),
            CHANNELS,
            (),
        ),
        (
            "A night at Castello costs 1.3x as much as one at Bellevue (€171.90 vs €128.30).",
            (
                "A night at Castello costs 1.3x as much as one at Bellevue (€128.30 vs €171.90).",
                "A night at Castello costs 1.3x as much as one at Bellevue (€171.90 vs €142.50).",
            ),
            HOTEL,
            (declare("ratio", num=cell(2, "adr"), den=cell(1, "adr")),),
        ),
        (
            "A ride in Lille is dearer than a ride in Metz (€12.40 vs €9.60).",
            (
                "A ride in Lille is dearer than a ride in Metz (€9.60 vs €12.40).",
                "A ride in Lille is dearer than a ride in Metz (€12.40 vs €10.95).",
            ),
            CITY,
            (),
        ),
        (
            "Store took 2.8 times the orders of Partner (1,040 versus 372).",
            (
                "Store took 2.8 times the orders of Partner (372 versus 1,040).",
                "Store took 2.8 times the orders of Partner (1,040 versus 585).",
            ),
            CHANNELS,
            (declare("ratio", num=cell(1, "orders"), den=cell(3, "orders")),),
        ),
        (
            "North was busier than South, with 705 admissions against 512.",
            (
                "North was busier than South, with 512 admissions against 705.",
                "North was busier than South, with 705 admissions against 338.",
            ),
            WARDS,
            (),
        ),
        (
            "Callers wait far longer on Technical than on Sales: 11.2 minutes versus 2.1.",
            (
                "Callers wait far longer on Technical than on Sales: 2.1 minutes versus 11.2.",
                "Callers wait far longer on Technical than on Sales: 11.2 minutes versus 6.5.",
            ),
            CALLS,
            (),
        ),
        (
            "Satisfaction is higher in Sales than in Billing – 88.6% against 78.4%.",
            ("Satisfaction is higher in Sales than in Billing – 78.4% against 88.6%.",),
            CALLS,
            (),
        ),
        (
            "Attrition is much higher in Support than in Platform (12.6% vs 4.5%).",
            (
                "Attrition is much higher in Support than in Platform (4.5% vs 12.6%).",
                "Attrition is much higher in Support than in Platform (12.6% vs 7.8%).",
            ),
            STAFF,
            (),
        ),
        (
            "Store outsold Web, 1,040 orders to 585.",
            ("Store outsold Web, 585 orders to 1,040.",),
            CHANNELS,
            (),
        ),
        (
            "Partner outsold Phone by $39,900 to $15,980.",
            (
                "Partner outsold Phone by $15,980 to $39,900.",
                "Phone outsold Partner by $39,900 to $15,980.",
            ),
            CHANNELS,
            (),
        ),
        (
            "Platform, a team of 311, has 28 vacancies.",
            (
                "Platform, a team of 182, has 28 vacancies.",
                "Platform, a team of 28, has 28 vacancies.",
            ),
            STAFF,
            (),
        ),
        (
            "Finance is a department of 47 and lost 2 of its people.",
            ("Finance is a department of 64 and lost 2 of its people.",),
            STAFF,
            (),
        ),
        (
            "With a staff of 182, Support lost 23.",
            (
                "With a staff of 182, Support lost 17.",
                "With a staff of 23, Support lost 23.",
            ),
            STAFF,
            (),
        ),
        (
            "Castello sold 6,105 nights; Aurora (occupancy 84.1%) sold 5,210.",
            (
                "Castello sold 6,105 nights; Aurora (occupancy 84.1%) sold 3,980.",
                "Castello sold 6,105 nights; Aurora (occupancy 77.2%) sold 5,210.",
            ),
            HOTEL,
            (),
        ),
        (
            "There were 602 abandoned calls in Technical (wait 11.2 minutes), and 431 in Billing.",
            (
                "There were 602 abandoned calls in Technical (wait 11.2 minutes), and 137 in Billing.",
                "There were 602 abandoned calls in Technical (wait 6.5 minutes), and 431 in Billing.",
            ),
            CALLS,
            (),
        ),
        (
            "Namur is dearer to run than Arlon (€1.61 against €1.08 per km).",
            (
                "Namur is dearer to run than Arlon (€1.08 against €1.61 per km).",
                "Namur is dearer to run than Arlon (€1.61 against €1.24 per km).",
            ),
            FLEET,
            (),
        ),
        (
            "There were 27 breakdowns at Namur, a depot with 41 vehicles; Ghent (62 vehicles) had 18.",
            (
                "There were 27 breakdowns at Namur, a depot with 62 vehicles; Ghent (62 vehicles) had 18.",
                "There were 27 breakdowns at Namur, a depot with 41 vehicles; Ghent (62 vehicles) had 3.",
            ),
            FLEET,
            (),
        ),
        (
            "OEE on Line C is 21.3 points above Line B (89.7% versus 68.4%).",
            (
                "OEE on Line C is 21.3 points above Line B (68.4% versus 89.7%).",
                "OEE on Line C is 21.3 points above Line B (89.7% versus 81.2%).",
            ),
            LINES,
            (declare("pp_change", new=cell(2, "oee"), old=cell(1, "oee")),),
        ),
        (
            "Pricing out-earned Home, €88,825 to €60,500.",
            (
                "Pricing out-earned Home, €60,500 to €88,825.",
                "Home out-earned Pricing, €60,500 to €88,825.",
            ),
            WEB,
            (),
        ),
        (
            "Utrecht (214 people) lost 18, Breda (97 people) lost 22.",
            (
                "Utrecht (214 people) lost 22, Breda (97 people) lost 18.",
                "Utrecht (97 people) lost 18, Breda (214 people) lost 22.",
            ),
            BRANCHES,
            (),
        ),
        (
            "Garden is rated above Station (4.8 against 4.1).",
            (
                "Garden is rated above Station (4.1 against 4.8).",
                "Garden is rated above Station (4.8 against 4.6).",
            ),
            TABLES,
            (),
        ),
        (
            "Adams booked more than Brown ($742,000 vs $498,000) with a better win rate (31.5% vs 24%).",
            (
                "Adams booked more than Brown ($498,000 vs $742,000) with a better win rate (31.5% vs 24%).",
                "Adams booked more than Brown ($742,000 vs $498,000) with a better win rate (24% vs 31.5%).",
            ),
            REPS,
            (),
        ),
    ],
)
def test_the_first_figure_is_of_the_one_the_clause_is_about(
    right: str, wrongs: tuple[str, ...], table: Table, declared: tuple[Derivation, ...]
) -> None:
    scope = replace(Q3, metrics=tuple(column.label for column in table.columns[1:]), start=date(2026, 1, 1))
    assert passes(right, table, declared, scope)
    assert not [wrong for wrong in wrongs if passes(wrong, table, declared, scope)]
