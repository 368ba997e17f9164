"""Headers turned round, what things cost, what was lost to what, and names before brackets."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import ANYTHING, TODAY, passes, result
from traces.records import Table

TRIPS = result(
    "Depot, Trips:, Trips late:, Fuel cost:GBP",
    ("Derby", 8120, 812, 41200),
    ("Stoke", 6400, 2310, 38750),
    ("Crewe", 5215, 405, 22100),
)
VANS = result(
    "Van, Distance:km, Fuel:l, Fuel cost:GBP, Repairs:GBP",
    ("Anton", 18420, 1512, 2420, 310),
    ("Berta", 21080, 1901, 3040, 1875),
    ("Caesar", 9740, 818, 1310, 95),
)
ADS = result(
    "Campaign, Spend:USD, Clicks:, Signups:, Cost per signup:USD",
    ("Autumn Sale", 41200, 38700, 824, 50),
    ("Refer a Friend", 8900, 9300, 445, 20),
    ("Brand Film", 76500, 54600, 510, 150),
)
CLINICS = result(
    "Clinic, Appointments:, Attended:, No-shows:, Cancelled:",
    ("Eastgate", 1840, 1512, 148, 180),
    ("Riverside", 1320, 1201, 52, 67),
    ("St Anne", 980, 744, 121, 115),
)
OFFICES = result(
    "Office, Headcount:, Joiners:, Leavers:",
    ("Porto", 182, 31, 12),
    ("Turin", 96, 8, 14),
    ("Lyon", 240, 44, 29),
)
RETAINED = result(
    "Month, Net revenue retention:percent",
    ("2026-07", 103.1),
    ("2026-08", 104.0),
    ("2026-09", 102.2),
)
TEAMS = result(
    "Team, Opened:, Closed:, Backlog:",
    ("Billing", 212, 198, 64),
    ("Logins", 340, 351, 22),
    ("Hardware", 97, 71, 118),
)
DEPOTS = result(
    "Depot, Parcels:, Cost per parcel:EUR",
    ("Ghent", 31250, 3.05),
    ("Liege", 18400, 3.61),
    ("Mons", 9120, 3.98),
)
STOCK = result(
    "Warehouse, Stock value:EUR, Dead stock:EUR",
    ("Venlo", 3120000, 210000),
    ("Genk", 2870000, 95000),
    ("Metz", 1410000, 188000),
)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (TRIPS, "Late trips numbered 405 at Crewe.", "Late trips numbered 812 at Crewe."),
        (TRIPS, "At Stoke 2,310 trips came late.", "At Stoke 6,400 trips came late."),
        (TRIPS, "The most late trips, 2,310, were Stoke's.", "The most late trips, 2,310, were Derby's."),
        (VANS, "Fuel for Anton came to \u00a32,420.", "Fuel for Anton came to \u00a3310."),
        (VANS, "Repairs to Berta cost \u00a31,875.", "Repairs to Berta cost \u00a33,040."),
        (
            ADS,
            "Brand Film cost $76,500 and brought 510 signups, at $150 each.",
            "Brand Film cost $76,500 and brought 510 signups, at $50 each.",
        ),
        (
            ADS,
            "We paid $50 for an Autumn Sale signup and $150 for a Brand Film one.",
            "We paid $150 for an Autumn Sale signup and $50 for a Brand Film one.",
        ),
        (
            CLINICS,
            "St Anne lost 121 appointments to no-shows and 115 to cancellations.",
            "St Anne lost 115 appointments to no-shows and 121 to cancellations.",
        ),
        (OFFICES, "The Porto office grew by 31 joiners.", "The Porto office grew by 182 joiners."),
        (
            OFFICES,
            "Turin was the only office where leavers (14) outnumbered joiners (8).",
            "Turin was the only office where leavers (8) outnumbered joiners (14).",
        ),
        (
            RETAINED,
            "Net revenue retention never fell below 102.2%.",
            "Net revenue retention never fell below 103.1%.",
        ),
        (
            DEPOTS,
            "Mons handles the fewest parcels (9,120) yet has the highest cost per parcel, \u20ac3.98.",
            "Mons handles the fewest parcels (9,120) yet has the lowest cost per parcel, \u20ac3.98.",
        ),
        (
            DEPOTS,
            "A parcel through Ghent costs us \u20ac3.05, one through Mons \u20ac3.98.",
            "A parcel through Ghent costs us \u20ac3.98, one through Mons \u20ac3.05.",
        ),
        (
            STOCK,
            "Dead stock is worst in Venlo: \u20ac210,000.",
            "Dead stock is worst in Metz: \u20ac188,000.",
        ),
        (TEAMS, "Logins has just 22 tickets waiting.", "Logins has just 64 tickets waiting."),
    ],
)
def test_what_is_said_of_a_figure_says_its_column(table: Table, true: str, false: str) -> None:
    assert passes(true, table, scope=ANYTHING)
    assert not passes(false, table, scope=ANYTHING)


WEEK = Scope(
    today=TODAY,
    start=date(2026, 11, 16),
    end=date(2026, 11, 23),
    known=True,
    metrics=("tickets opened", "tickets closed"),
)


def test_a_word_of_a_metric_that_was_asked_for_may_be_counted() -> None:
    assert passes("Billing opened 212 tickets.", TEAMS, scope=WEEK)
    assert not passes("Billing opened 212 pallets.", TEAMS, scope=WEEK)


def test_a_number_in_words_that_opens_a_sentence_is_no_name() -> None:
    scope = Scope(today=TODAY, known=True, metrics=("joiners", "leavers"), subject="Joiners by office")
    assert passes("Thirty-one joiners came to Porto.", OFFICES, scope=scope)
