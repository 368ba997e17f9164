"""Figures of opposite meaning are not crossed, levels are no moves, a gap is of the rows it is told of."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

CAMPAIGNS = result(
    "Campaign, Spend:USD, Clicks:, Attributed revenue:USD",
    ("Spring launch", 48200, 61250, 139400),
    ("Retargeting", 21750, 18420, 97300),
    ("Newsletter", 4150, 9240, 31600),
)
STAFF = result(
    "Month, Hired:, Left:, Headcount at month end:",
    ("2026-08", 22, 14, 618),
    ("2026-09", 31, 19, 630),
    ("2026-10", 17, 25, 622),
)
QUEUE = result(
    "Week, Tickets opened:, Tickets closed:, Backlog:",
    ("Week 44", 1310, 1185, 402),
    ("Week 45", 1225, 1290, 337),
    ("Week 46", 1402, 1338, 401),
)
PALLETS = result("Warehouse, Pallets sent:, Pallets received:", ("Oslo", 3120, 2875), ("Turku", 2415, 2102))
ORDERS = result(
    "Quarter, Bookings:USD, Billings:USD, Cash collected:USD",
    ("2026-Q1", 2410000, 2185000, 2040000),
    ("2026-Q2", 2655000, 2390000, 2315000),
)
PRODUCTS = result("Product, Units sold:, Units returned:", ("Kettle", 5210, 214), ("Toaster", 3880, 307))
COURSES = result("Course, Enrolled:, Passed:, Failed:", ("Welding", 64, 58, 6), ("Coding", 205, 118, 87))
BRANDS = result(
    "Brand, Sales:EUR, Lead over next:EUR",
    ("Arbo", 9120, 640),
    ("Brisk", 8480, 310),
    ("Celt", 8170, 1450),
    ("Dorn", 6720, None),
)
STORES = result("Store, Orders:, Margin:percent", ("Ghent", 4210, 31.2), ("Bruges", 2985, 35.9))
CLUBS = result("Club, Members:, Joined:", ("Harbour", 1233, 84), ("Hilltop", 960, 102))


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            CAMPAIGNS,
            "We spent $48.2k on Spring launch and got $139.4k back.",
            "We spent $139.4k on Spring launch and got $48.2k back.",
        ),
        (
            CAMPAIGNS,
            "Retargeting cost us $21,750 and returned $97,300.",
            "Retargeting cost us $97,300 and returned $21,750.",
        ),
        (CAMPAIGNS, "Newsletter made $31,600.", "Newsletter made $4,150."),
        (CAMPAIGNS, "We paid $21,750 for Retargeting.", "We paid $97,300 for Retargeting."),
        (
            CAMPAIGNS,
            "Spring launch spend of $48,200 brought $139,400 in attributed revenue.",
            "Spring launch spend of $139,400 brought $48,200 in attributed revenue.",
        ),
        (
            STAFF,
            "In September 2026 we hired 31 people and 19 left.",
            "In September 2026 we hired 19 people and 31 left.",
        ),
        (
            QUEUE,
            "In Week 46 we received 1,402 tickets and resolved 1,338.",
            "In Week 46 we received 1,338 tickets and resolved 1,402.",
        ),
        (PALLETS, "Turku shipped 2,415 pallets.", "Turku shipped 2,102 pallets."),
        (
            PALLETS,
            "Oslo sent out 3,120 pallets and took in 2,875.",
            "Oslo sent out 2,875 pallets and took in 3,120.",
        ),
        (ORDERS, "In Q1 2026 we invoiced $2.185M.", "In Q1 2026 we invoiced $2.41M."),
        (ORDERS, "In Q2 2026 we collected $2.315M.", "In Q2 2026 we collected $2.39M."),
        (
            PRODUCTS,
            "Customers bought 5,210 Kettles and sent back 214.",
            "Customers bought 214 Kettles and sent back 5,210.",
        ),
        (COURSES, "In Coding 118 passed and 87 failed.", "In Coding 87 passed and 118 failed."),
    ],
)
def test_the_verb_says_which_side_is_meant(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (STAFF, "September 2026 ended with 630 people.", "September 2026 added 630 people."),
        (STAFF, "In October 2026 headcount was 622.", "October 2026 saw 622 people leave."),
        (QUEUE, "The backlog stood at 401 in Week 46.", "Week 46 added 401 to the backlog."),
        (CLUBS, "Harbour has 1,233 members.", "Harbour won 1,233 new members."),
        (CLUBS, "Of 960 members at Hilltop, 102 joined.", "Hilltop gained 960 members."),
    ],
)
def test_what_there_is_did_not_come_or_go(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (BRANDS, "Arbo beat Brisk by \u20ac640.", "Arbo beat Celt by \u20ac640."),
        (BRANDS, "Brisk trails Arbo by \u20ac640.", "Brisk trails Arbo by \u20ac310."),
        (BRANDS, "Brisk is \u20ac310 ahead of Celt.", "Brisk is \u20ac8,480 ahead of Celt."),
        (
            BRANDS,
            "Celt has a lead of \u20ac1,450 over Dorn.",
            "Celt has a lead of \u20ac310 over Dorn.",
        ),
        (STORES, "Ghent took 4,210 orders, ahead of Bruges.", "Ghent outsold Bruges by 4,210 orders."),
        (STORES, "Bruges has a margin of 35.9%.", "Bruges beat Ghent by a margin of 35.9%."),
    ],
)
def test_a_gap_is_the_difference_of_two_cells(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)
