"""Business results as people tell them: periods as columns, titles, measures, net figures, rates."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import ANYTHING, TODAY, cell, check, codes, declare, passes, result
from traces.records import Derivation, Table


def asked(title: str, start: str, end: str, *metrics: str) -> Scope:
    """Return what ran, with the title of the result."""
    days = date.fromisoformat(start), date.fromisoformat(end)
    return Scope(today=TODAY, start=days[0], end=days[1], metrics=metrics, subject=title)


PARKING = result(
    "Garage, Q1 2025:EUR, Q1 2026:EUR",
    ("Dock", 412600, 455300),
    ("Park", 98040, 87110),
    ("Zoo", 203110, 231900),
)
PARKED = asked("Parking income by garage", "2026-01-01", "2026-04-01", "parking income")
DOCK_UP = declare("difference", a=cell(0, "q1_2026"), b=cell(0, "q1_2025"))
PARK_DOWN = declare("pct_change", "d2", new=cell(1, "q1_2026"), old=cell(1, "q1_2025"))
MILK = result("Dairy, H1 2025:, H1 2026:", ("Birch", 2204.1, 2011.6), ("Alder", 3120.4, 3388.9))
MILKED = asked("Milk in tonnes, H1 2025 and H1 2026", "2026-01-01", "2026-07-01", "milk tonnes")
BIRCH_DOWN = declare("difference", a=cell(0, "h1_2026"), b=cell(0, "h1_2025"))


@pytest.mark.parametrize(
    ("table", "scope", "declared", "true", "false"),
    [
        (
            PARKING,
            PARKED,
            (DOCK_UP,),
            "Dock income went up by \u20ac42,700 from Q1 2025 to Q1 2026.",
            "Dock income went up by \u20ac42,700 from Q1 2024 to Q1 2026.",
        ),
        (
            PARKING,
            PARKED,
            (PARK_DOWN,),
            "Park fell 11.1% between Q1 2025 and Q1 2026.",
            "Park fell 11.1% between Q1 2025 and Q2 2025.",
        ),
        (
            MILK,
            MILKED,
            (BIRCH_DOWN,),
            "Birch collected 192.5 tonnes less in H1 2026 than in H1 2025.",
            "Birch collected 192.5 tonnes more in H1 2026 than in H1 2025.",
        ),
        (
            PARKING,
            PARKED,
            (),
            "Dock's Q1 income rose from \u20ac412,600 in 2025 to \u20ac455,300 in 2026.",
            "Dock's Q2 income rose from \u20ac412,600 in 2025 to \u20ac455,300 in 2026.",
        ),
        (
            PARKING,
            PARKED,
            (),
            "Q1 income at Zoo was \u20ac203,110 in 2025.",
            "Income at Zoo was \u20ac203,110 in 2025.",
        ),
    ],
)
def test_a_period_that_heads_a_column_is_of_the_result_and_another_is_not(
    table: Table, scope: Scope, declared: tuple[Derivation, ...], true: str, false: str
) -> None:
    assert passes(true, table, declared, scope)
    assert not passes(false, table, declared, scope)


LICENCES = result(
    "Edition, August 2026:USD, September 2026:USD",
    ("Solo", 114905, 121340),
    ("Team", 287120, 301885),
)
LICENSED = asked("Licence revenue by edition", "2026-08-01", "2026-10-01", "august 2026", "september 2026")
CHANNELS = result(
    "Channel, Nights:, Revenue:EUR, Commission:EUR",
    ("Own site", 14820, 1897340, 0),
    ("Agency", 21366, 2405118, 384819),
    ("Group", 6904, 811275, 24338),
)
BOOKED = asked("Bookings by channel", "2026-07-01", "2026-10-01", "nights", "revenue", "commission")
ITEMS = result("Item, June:EUR, July:EUR", ("Ticket revenue", 81200, 80300), ("Bar income", 64500, 62880))
ITEMISED = asked("Result", "2026-06-01", "2026-08-01", "june", "july")


@pytest.mark.parametrize(
    ("table", "scope", "true", "false"),
    [
        (LICENCES, LICENSED, "Solo revenue was $114,905 in August.", "Solo profit was $114,905 in August."),
        (
            CHANNELS,
            BOOKED,
            "Group bookings produced 6,904 nights.",
            "There were 6,904 Group bookings.",
        ),
        (
            CHANNELS,
            BOOKED,
            "Agency bookings brought \u20ac2.41M of revenue.",
            "Agency bookings were \u20ac2.41M.",
        ),
        (
            ITEMS,
            ITEMISED,
            "Revenue from tickets was \u20ac81,200 in June.",
            "Payroll was \u20ac81,200 in June.",
        ),
    ],
)
def test_a_word_of_the_title_or_of_a_row_is_no_other_metric_but_counts_nothing_either(
    table: Table, scope: Scope, true: str, false: str
) -> None:
    assert passes(true, table, scope=scope)
    assert "metric_name" in codes(check(false, table, scope=scope))


CLAIMS = result("Region, Claims paid:EUR", ("North", 1845200), ("South", 967340), ("West", 613885))
CLAIMED = asked("Result", "2026-04-01", "2026-07-01", "claims paid")
CHURN = result("Site, Churn rate:percent", ("Derby", 4.5), ("Leeds", 6.7), ("Hull", 1.3))
CHURNED = asked("Result", "2026-04-01", "2026-07-01", "churn rate")
STAFF = result("Site, Headcount:", ("Derby", 452), ("Leeds", 673), ("Hull", 138))
STAFFED = asked("Result", "2026-04-01", "2026-07-01", "headcount")


@pytest.mark.parametrize(
    ("table", "scope", "draft"),
    [
        (CLAIMS, CLAIMED, "North gross written premium was \u20ac1,845,200 in Q2 2026."),
        (CLAIMS, CLAIMED, "The reserve in the West was \u20ac613,885."),
        (CLAIMS, CLAIMED, "South received \u20ac967,340 in premiums."),
        (CLAIMS, CLAIMED, "West had reserves of \u20ac613,885."),
        (CHURN, CHURNED, "The response rate at Derby was 4.5%."),
        (CHURN, CHURNED, "Conversion in Leeds was 6.7%."),
        (STAFF, STAFFED, "Vacancies in Hull numbered 138."),
        (STAFF, STAFFED, "Hires at Derby were 452."),
    ],
)
def test_a_figure_told_as_a_measure_that_nobody_asked_for_blocks(
    table: Table, scope: Scope, draft: str
) -> None:
    assert "metric_name" in codes(check(draft, table, scope=scope))


@pytest.mark.parametrize(
    ("table", "scope", "draft"),
    [
        (CLAIMS, CLAIMED, "Claims in the West came to \u20ac613,885."),
        (CLAIMS, CLAIMED, "The figure for South was \u20ac967,340."),
        (CLAIMS, CLAIMED, "The top region was North with \u20ac1,845,200."),
        (CLAIMS, CLAIMED, "South paid out \u20ac967,340."),
        (CHURN, CHURNED, "The rate in Hull was 1.3%."),
        (CHURN, CHURNED, "Attrition in Leeds was 6.7%."),
        (STAFF, STAFFED, "Derby's workforce was 452."),
        (STAFF, STAFFED, "Leeds had a staff of 673."),
    ],
)
def test_plain_words_and_words_of_one_sort_name_no_other_measure(
    table: Table, scope: Scope, draft: str
) -> None:
    assert passes(draft, table, scope=scope)


PIERS = result(
    "Month, Pier, Passengers:",
    ("2026-04", "North", 88214),
    ("2026-04", "Harbour", 47390),
    ("2026-05", "North", 91377),
    ("2026-05", "Harbour", 52061),
)
PLANS = result(
    "Plan, Subscribers:, Net adds:",
    ("Basic", 512440, -10205),
    ("Swift", 404318, 19910),
    ("Fibre", 188706, 7418),
)
FUNDS = result("Fund, Assets:EUR, Net flows:EUR", ("Bond", 81244000, -1420500), ("Green", 60431800, 2291000))
SCREENS = result(
    "Clinic, Invited:, Screened:, Screening rate:percent, Recall rate:percent",
    ("Elm", 4120, 2802, 68.0, 4.1),
    ("Ash", 3050, 1891, 62.0, 3.6),
    ("Yew", 2210, 1613, 73.0, 5.2),
)
LEAVERS = result(
    "Department, Headcount:, Leavers:",
    ("Sales", 412, 61),
    ("Design", 688, 48),
    ("Support", 305, 72),
)
LEFT = declare("sum", of={"column": "leavers"})
FIRST_HALF = asked("Result", "2026-01-01", "2026-07-01", "headcount", "leavers")
PUMPS = result(
    "Month, Installed:, Installed year to date:",
    ("2026-06", 412, 2236),
    ("2026-07", 538, 2774),
    ("2026-08", 497, 3271),
)
PUMPED = asked("Rooftop pump installations", "2026-06-01", "2026-09-01", "installed", "installed ytd")


@pytest.mark.parametrize(
    ("table", "scope", "true", "false"),
    [
        (
            PIERS,
            None,
            "In May 2026 North handled 91,377 passengers and Harbour 52,061.",
            "In May 2026 North handled 91,377 passengers and Harbour 47,390.",
        ),
        (
            PIERS,
            None,
            "North had 91,377 passengers in May, Harbour 52,061.",
            "North had 91,377 passengers in May, Harbour 47,390.",
        ),
        (
            PLANS,
            None,
            "Basic lost 10,205 subscribers, while Swift gained 19,910.",
            "Basic gained 10,205 subscribers, while Swift gained 19,910.",
        ),
        (PLANS, None, "Swift gained the most, 19,910.", "Swift lost the most, 19,910."),
        (
            PLANS,
            None,
            "Swift grew by 19,910 subscribers to 404,318.",
            "Swift grew by 7,418 subscribers to 404,318.",
        ),
        (PLANS, None, "Swift added 19,910 subscribers.", "Swift added 404,318 subscribers."),
        (
            FUNDS,
            None,
            "Bond saw net outflows of \u20ac1,420,500.",
            "Green saw net outflows of \u20ac2,291,000.",
        ),
        (SCREENS, None, "Elm screened at 68.0%, Yew at 73.0%.", "Elm screened at 62.0%, Yew at 73.0%."),
        (SCREENS, None, "Ash screened 62% of those invited.", "Ash screened 3.6% of those invited."),
        (
            PUMPS,
            PUMPED,
            "By the end of July 2026, 2,774 rooftop units had been installed year to date.",
            "By the end of July 2026, 538 rooftop units had been installed year to date.",
        ),
    ],
)
def test_a_period_a_net_figure_and_a_rate_are_carried_by_their_words(
    table: Table, scope: Scope | None, true: str, false: str
) -> None:
    asked = scope or ANYTHING
    assert passes(true, table, scope=asked)
    assert not passes(false, table, scope=asked)


def test_the_part_that_left_one_department_is_not_what_the_company_lost() -> None:
    told = "The company lost 133 people in the first half of 2026, 72 of them from Support."
    table = result("Department, Headcount:, Leavers:", ("Design", 688, 61), ("Support", 305, 72))
    assert passes(told, table, [LEFT], FIRST_HALF)
    part = "The company lost 72 people overall in the first half of 2026."
    assert not passes(part, LEAVERS, [LEFT], FIRST_HALF)
    assert not passes("The company lost 72 people in the first half of 2026.", LEAVERS, [], FIRST_HALF)


WARDS = result(
    "Ward, Attendances:, Admissions:, Admission rate:fraction, Median wait:minutes",
    ("Abbey", 9317, 2143, 0.23, 118),
    ("Riverside", 15402, 4929, 0.32, 187),
    ("Holm", 6208, 1180, 0.19, 96),
)


@pytest.mark.parametrize(
    "draft",
    [
        "Riverside admitted 32% of its attendances.",
        "At Riverside 32% of attendances were admitted.",
        "Riverside saw 32% of attendances admitted.",
        "Riverside's admission rate was 32%.",
    ],
)
def test_a_rate_told_of_what_it_is_counted_on_passes(draft: str) -> None:
    assert passes(draft, WARDS)


@pytest.mark.parametrize(
    "draft",
    [
        "Riverside took 32% of all admissions.",
        "32% of admissions came from Riverside.",
        "Of all admissions, 32% were at Riverside.",
        "Riverside had 32% of the attendances.",
        "Riverside saw 32% of all attendances.",
    ],
)
def test_a_rate_told_as_a_part_of_what_it_counts_blocks(draft: str) -> None:
    assert codes(check(draft, WARDS))


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Holm answered fastest, in 96 minutes.", "Holm answered slowest, in 96 minutes."),
        ("Riverside was slowest, at 187 minutes.", "Riverside was fastest, at 187 minutes."),
    ],
)
def test_the_fastest_is_so_by_the_column_of_times_alone(true: str, false: str) -> None:
    assert passes(true, WARDS)
    assert not passes(false, WARDS)


ROOMS = result(
    "Hotel, Rooms sold:, Occupancy:percent, Room revenue:EUR",
    ("Lido", 3120, 82.5, 440544),
    ("Alm", 1890, 64.0, 186165),
)
ROOMED = asked("Hotels", "2026-09-01", "2026-10-01", "rooms sold", "occupancy", "room revenue")
TOOK = declare("sum", of={"column": "room_revenue"})


def test_half_a_name_behind_another_noun_is_no_name_of_the_measure() -> None:
    true, false = (f"The two hotels took \u20ac626,709 in {what} revenue." for what in ("room", "bar"))
    assert passes(true, ROOMS, [TOOK], ROOMED)
    assert "metric_name" in codes(check(false, ROOMS, [TOOK], ROOMED))
