"""Sums told as parts and wholes, averages told with "each", and moves of what is better when low."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, cell, check, codes, declare, passes, result
from traces.records import Derivation, Table

INNS = result(
    "Inn, Nights sold:, Bar revenue:EUR, Room revenue:EUR",
    ("Heron", 3120, 48210, 412300),
    ("Linden", 2875, 39980, 355120),
    ("Quay", 4410, 91450, 688940),
)
DESKS = result(
    "Desk, Calls offered:, Calls answered:, Abandon rate:percent",
    ("Claims", 5210, 4890, 6.1),
    ("Renewals", 3480, 3307, 5.0),
    ("Fleet", 1920, 1711, 10.9),
)
HUBS = result(
    "Hub, Parcels:, Delivered on time:, On-time rate:percent, Cost per parcel:GBP",
    ("Leith", 41200, 38728, 94.0, 3.05),
    ("Perth", 18950, 16676, 88.0, 3.4),
    ("Ayr", 22310, 20748, 93.0, 3.22),
)
COURSES = result(
    "Course, Applied:, Admitted:, Enrolled:",
    ("Baking", 810, 402, 288),
    ("Welding", 645, 377, 301),
    ("Joinery", 522, 298, 240),
)
TEAMS = result(
    "Team, Budget:EUR, Actual:EUR, Variance:EUR",
    ("Design", 512000, 548300, 36300),
    ("Sales", 931000, 902750, -28250),
    ("Field", 744000, 781400, 37400),
)
SOURCES = result(
    "Source, Visitors:, Signups:, Paid:, Visitor to paid:percent",
    ("Radio", 9120, 611, 402, 4.41),
    ("Fair", 2410, 733, 296, 12.28),
    ("Email", 15200, 1804, 517, 3.4),
)
CROPS = result(
    "Crop, Hectares:, Tonnes:, Yield t per ha:, Price per tonne:EUR",
    ("Oats", 640, 3392, 5.3, 198.5),
    ("Beans", 310, 1209, 3.9, 262.0),
    ("Maize", 525, 4988, 9.5, 174.2),
)
APPEALS = result(
    "Appeal, Donors:, Donations:USD, Average gift:USD",
    ("Spring Drive", 2210, 154700, 70),
    ("Night Walk", 1840, 82800, 45),
    ("Patrons", 38, 475000, 12500),
)
TICKETS = result(
    "Ticket type, Visitors:, Ticket income:GBP, Average spend in shop:GBP",
    ("Adult", 18200, 273000, 7.12),
    ("Child", 7410, 51870, 2.88),
    ("Member", 9650, 0, 8.41),
)
LOANS = result(
    "Branch, Loans:, NPL ratio:percent, Change in NPL:pp",
    ("Lier", 1210, 2.04, -0.31),
    ("Mol", 844, 3.51, 0.62),
    ("Diest", 1533, 1.37, -0.12),
)
UPTIME = result(
    "Site, Hours:, Change in uptime:pp, Change in late share:pp",
    ("Dock", 5100, -0.8, 0.5),
    ("Yard", 4200, 1.1, -0.4),
)
SITES = result("Site, Visits:, Visitors:, Bookings:", ("Aalst", 9120, 4411, 402), ("Genk", 7410, 3733, 296))
JOINERS = result(
    "Month, New members:, Cancelled:, Revenue:EUR",
    ("2026-05", 318, 205, 284400),
    ("2026-06", 290, 266, 285360),
    ("2026-07", 244, 371, 280280),
    ("2026-08", 402, 310, 283960),
)


def _sums(*columns: str) -> tuple[Derivation, ...]:
    """Declare the sums of some columns."""
    return tuple(declare("sum", f"d{at}", of={"column": column}) for at, column in enumerate(columns))


ROOMS = (
    *_sums("room_revenue"),
    declare("share", "d9", part=cell(2, "room_revenue"), whole={"column": "room_revenue"}),
)
CALLS = _sums("calls_answered", "calls_offered")
PARCELS = _sums("delivered_on_time", "parcels")
BOOKED = _sums("bookings", "visitors")
ENTRANTS = _sums("enrolled", "admitted", "applied")
SPENDING = _sums("actual", "budget")


@pytest.mark.parametrize(
    ("table", "declared", "draft"),
    [
        (INNS, ROOMS, "The group earned €1,456,360 in room revenue, and Quay supplied 47.3% of it."),
        (INNS, ROOMS, "The estate booked €1,456,360 of room revenue and Quay delivered 47.3% of that."),
        (INNS, ROOMS, "We took €1,456,360 in room revenue, with Quay alone contributing 47.3%."),
        (DESKS, CALLS, "9,908 of the 10,610 calls offered were answered."),
        (DESKS, CALLS, "Agents answered 9,908 of the 10,610 calls offered."),
        (DESKS, CALLS, "9,908 calls were answered out of the 10,610 that were offered."),
        (HUBS, PARCELS, "76,152 parcels out of 82,460 reached the customer on time."),
        (HUBS, PARCELS, "Couriers got 76,152 of 82,460 parcels there on time."),
        (SITES, BOOKED, "698 of 8,144 visitors made bookings."),
        (COURSES, ENTRANTS, "1,077 of 1,977 applicants were admitted."),
        (COURSES, ENTRANTS, "1,077 out of 1,977 applicants were admitted."),
        (COURSES, ENTRANTS, "1,077 applicants out of 1,977 got admitted."),
        (COURSES, ENTRANTS, "829 of the 1,977 people who applied enrolled."),
        (TEAMS, SPENDING, "Spending came to €2,232,450 against a budget of €2,187,000."),
        (TEAMS, SPENDING, "Actual spend was €2.23 million, against a budget of €2.19 million."),
    ],
)
def test_sums_told_as_part_and_whole_pass(table: Table, declared: tuple[Derivation, ...], draft: str) -> None:
    assert passes(draft, table, declared)


@pytest.mark.parametrize(
    ("table", "declared", "draft"),
    [
        (INNS, ROOMS, "Linden earned €1,456,360 in room revenue, and Quay supplied 47.3% of it."),
        (INNS, ROOMS, "Room revenue was €1,456,360 at Heron, and Quay supplied 47.3% of it."),
        (INNS, ROOMS, "The group earned €1,456,360 in bar revenue, and Quay supplied 47.3% of it."),
        (INNS, ROOMS, "The group earned €1,456,360 in room revenue, and Linden supplied 47.3% of it."),
        (DESKS, CALLS, "10,610 of the 9,908 calls offered were answered."),
        (DESKS, CALLS, "9,908 of the 10,610 calls offered were not answered."),
        (DESKS, CALLS, "9,908 of the 10,610 calls offered were abandoned."),
        (DESKS, CALLS, "9,908 of the 10,610 calls offered at Fleet were answered."),
        (HUBS, PARCELS, "82,460 parcels out of 76,152 reached the customer on time."),
        (HUBS, PARCELS, "76,152 parcels out of 82,460 reached the customer late."),
        (HUBS, PARCELS, "76,152 parcels out of 82,460 never reached the customer on time."),
        (SITES, BOOKED, "698 of 8,144 visits ended in bookings."),
        (COURSES, ENTRANTS, "1,077 of 1,977 applicants enrolled."),
        (COURSES, ENTRANTS, "1,077 of the 1,977 applicants could not be admitted."),
        (COURSES, ENTRANTS, "829 of the 1,977 people who applied were admitted."),
        (TEAMS, SPENDING, "Spending came to €2,187,000 against a budget of €2,232,450."),
        (TEAMS, SPENDING, "Sales spent €2.23 million against a budget of €2.19 million."),
    ],
)
def test_sums_told_of_another_part_or_row_block(
    table: Table, declared: tuple[Derivation, ...], draft: str
) -> None:
    assert codes(check(draft, table, declared))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (SOURCES, "A fair visitor converts to paid at 12.28%."),
        (CROPS, "Oats covered 640 hectares and gave 3,392 tonnes, a yield of 5.3 tonnes per hectare."),
        (CROPS, "Beans brought in 1,209 tonnes, which is a yield of 3.9 tonnes per hectare."),
        (APPEALS, "The 2,210 Spring Drive donors gave $70 each on average."),
        (APPEALS, "On average, Night Walk donors gave $45."),
        (APPEALS, "Patrons gave $12,500 apiece, and $475,000 in all."),
        (TICKETS, "Members paid £0 at the door but spent £8.41 each in the shop."),
        (LOANS, "The NPL ratio worsened by 0.62 points in Mol and improved by 0.31 points in Lier."),
        (LOANS, "The NPL ratio deteriorated by 0.62 points in Mol."),
        (LOANS, "Diest improved its NPL ratio by 0.12 percentage points."),
        (UPTIME, "Uptime worsened by 0.8 points in Dock and improved by 1.1 points in Yard."),
        (DESKS, "At Fleet 10.9% of calls offered were abandoned."),
        (JOINERS, "August was the best month for new members, at 402."),
        (JOINERS, "July was the worst month for new members, at 244."),
        (JOINERS, "The best month for cancellations was May, with 205."),
    ],
)
def test_averages_rates_and_moves_told_as_people_do_pass(table: Table, draft: str) -> None:
    assert passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (SOURCES, "A fair visitor converts to paid at 4.41%."),
        (CROPS, "Oats covered 640 hectares and gave 5.3 tonnes, a yield of 3,392 tonnes per hectare."),
        (CROPS, "Oats gave 640 tonnes, a yield of 5.3 tonnes per hectare."),
        (APPEALS, "The 2,210 Spring Drive donors gave $154,700 each on average."),
        (APPEALS, "Patrons gave $475,000 apiece."),
        (TICKETS, "Members paid £8.41 at the door but spent £0 each in the shop."),
        (LOANS, "The NPL ratio improved by 0.62 percentage points in Mol."),
        (LOANS, "The NPL ratio worsened by 0.31 points in Lier."),
        (UPTIME, "Uptime improved by 0.8 points in Dock."),
        (UPTIME, "The late share worsened by 0.4 points in Yard."),
        (DESKS, "Fleet took 10.9% of the calls offered."),
        (DESKS, "The Fleet desk received 10.9% of the calls offered."),
        (JOINERS, "July was the best month for new members, at 244."),
        (JOINERS, "August was the worst month for new members, at 402."),
    ],
)
def test_averages_rates_and_moves_told_wrongly_block(table: Table, draft: str) -> None:
    assert codes(check(draft, table))


def test_a_sum_stands_beside_the_name_of_another_column_of_the_question() -> None:
    draft = "Actual spending across the teams came to €2.23 million against a budget of €2.19 million."
    assert passes(draft, TEAMS, SPENDING, replace(ANYTHING, subject="Budget against actual by team"))
