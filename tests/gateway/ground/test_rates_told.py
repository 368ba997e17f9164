"""Rates told by what happened: a verb says which rate of a row is meant, and its opposite denies it."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

DESKS = result(
    "Desk, Calls offered:, Calls answered:, Abandon rate:percent, First contact fix rate:percent",
    ("Claims", 5210, 4890, 6.1, 71.4),
    ("Renewals", 3480, 3307, 5.0, 80.2),
    ("Fleet", 1920, 1711, 10.9, 64.8),
)
BRANCHES = result(
    "Branch, Loans:, Book:EUR, Default rate:percent, Approval rate:percent, Late payment rate:percent",
    ("Aarhus", 412, 5210000, 2.4, 61.5, 7.1),
    ("Odense", 388, 4120000, 3.8, 55.2, 9.4),
    ("Esbjerg", 150, 1630000, 1.9, 70.3, 4.6),
)
PLANTS = result(
    "Plant, Units made:, Scrap rate:percent, Uptime:percent",
    ("Ulm", 41200, 2.1, 94.5),
    ("Gera", 30150, 4.7, 88.2),
    ("Hof", 12890, 1.4, 97.0),
)
PLANS = result(
    "Plan, Subscribers:, Churn rate:percent, Renewal rate:percent",
    ("Solo", 8210, 4.2, 81.0),
    ("Team", 1940, 2.1, 90.3),
    ("Studio", 512, 1.4, 94.6),
)
HOTELS = result(
    "Hotel, Rooms:, Occupancy rate:percent, No-show rate:percent, Cancellation rate:percent",
    ("Alder", 120, 81.4, 3.1, 9.8),
    ("Birch", 88, 74.2, 4.4, 12.1),
    ("Cedar", 210, 88.9, 2.6, 7.7),
)
SITES = result(
    "Site, Waste:t, Recycling rate:percent, Change:percent",
    ("Bank", 812, 61.2, 4.0),
    ("Ford", 640, 48.8, -2.5),
    ("Lune", 1204, 55.0, 1.2),
)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (DESKS, "Fleet lost 10.9% of the calls offered.", "Fleet answered 10.9% of the calls offered."),
        (DESKS, "Claims dropped 6.1% of its calls.", "Claims dropped 5.0% of its calls."),
        (DESKS, "Callers gave up on 10.9% of Fleet's calls.", "Callers gave up on 64.8% of Fleet's calls."),
        (DESKS, "At Claims 6.1% of callers hung up.", "At Claims 71.4% of callers hung up."),
        (DESKS, "Fleet fixed 64.8% of its calls the first time.", "Fleet fixed 10.9% of its calls at once."),
        (BRANCHES, "Odense approved 55.2% of applications.", "Odense rejected 55.2% of applications."),
        (BRANCHES, "In Esbjerg 1.9% of loans went bad.", "In Esbjerg 4.6% of loans went bad."),
        (BRANCHES, "Aarhus saw 2.4% of its loans default.", "Aarhus saw 7.1% of its loans default."),
        (
            PLANTS,
            "Ulm made 41,200 units and threw away 2.1% of them.",
            "Ulm made 41,200 units and threw away 94.5% of them.",
        ),
        (PLANTS, "Hof ran 97.0% of the time.", "Hof ran 94.5% of the time."),
        (PLANS, "Team shed 2.1% of its subscribers.", "Team kept 2.1% of its subscribers."),
        (PLANS, "On Studio 94.6% of subscribers renewed.", "On Studio 94.6% of subscribers left."),
        (HOTELS, "Cedar filled 88.9% of its rooms.", "Cedar filled 7.7% of its rooms."),
        (HOTELS, "At Birch 4.4% of guests did not turn up.", "At Birch 12.1% of guests did not turn up."),
        (SITES, "Bank recycled 61.2% of its waste.", "Bank threw away 61.2% of its waste."),
    ],
)
def test_a_verb_says_which_rate_is_meant(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


def test_a_verb_of_direction_still_gives_a_change_its_sign() -> None:
    assert passes("Waste at Ford fell 2.5%.", SITES)
    assert not passes("Waste at Ford rose 2.5%.", SITES)


def test_a_rate_named_in_full_is_the_one_meant() -> None:
    assert passes("Fleet's callers hung up a lot, and its first contact fix rate was 64.8%.", DESKS)
    assert not passes("Fleet's callers hung up a lot, and its first contact fix rate was 10.9%.", DESKS)
