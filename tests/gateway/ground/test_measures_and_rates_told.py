"""Rates told as shares of another whole, measures told as others, what is said of each and of all."""

import pytest

from tests.gateway.ground.drafts import declare, passes, result
from traces.records import Derivation, Table

REPS = result(
    "Rep, Deals opened:, Deals won:, Win rate:percent, Bookings:USD",
    ("Okafor", 86, 35, 40.7, 612400),
    ("Lindqvist", 102, 29, 28.4, 742000),
    ("Marchetti", 64, 31, 48.4, 518900),
)
SITES = result(
    "Site, Headcount:, Sick days:, Absence rate:percent",
    ("Derby", 214, 412, 5.5),
    ("Hull", 168, 611, 8.1),
    ("Truro", 97, 133, 3.1),
)
MONTHS = result(
    "Month, Visits:, Sign-ups:",
    ("2026-05", 231, 18),
    ("2026-06", 268, 21),
    ("2026-07", 244, 26),
    ("2026-08", 219, 15),
)
MAILS = result(
    "Newsletter, Sent:, Open rate:percent",
    ("Digest", 18400, 28.7),
    ("Product news", 9250, 35.1),
)
DISTRICTS = result(
    "District, Households:, Declared income:EUR, Share renting:percent",
    ("Altona", 3120, 41800, 58.2),
    ("Bergen", 2087, 36250, 47.9),
)
BUDGETS = result(
    "Department, Budget:USD, Actual:USD",
    ("Marketing", 480000, 512300),
    ("Facilities", 215000, 198400),
    ("Legal", 120000, 97500),
)
LINES = result(
    "Line, Opened, Rebuilt, Length (km):, Daily riders:",
    ("Line 1", "1894", "1962", 14.2, 41200),
    ("Line 2", "1908", "1931", 9.7, 28750),
    ("Line 9", "2004", "2019", 11.3, 52600),
)
COUNCIL = result(
    "Party, Votes:, %:percent, Seats:, Change:",
    ("Labour", 6120, 38.4, 14, -2),
    ("Centre", 7724, 48.5, 15, 3),
    ("Green", 2083, 13.1, 6, -1),
)
LENDERS = result(
    "Branch, Applications:, Approved:, Declined:, Loan volume:GBP",
    ("Alnwick", 212, 148, 64, 3812000),
    ("Cheadle", 167, 131, 36, 2977000),
)
FERRY = result("Month, Passengers:", ("2026-06", 31480), ("2026-07", 40120), ("2026-08", 38655))
RIVERS = result(
    "River, Length (km):, Mouth", ("Arla", 412, "North Sea"), ("Brenta", 287, "Arla"), ("Cerna", 530, "Gulf")
)
REGATTA = result(
    "Place, Boat, Skipper, Points:",
    ("1", "Tern", "Jens Aalto", 14),
    ("2", "Sula", "Mari Tveit", 19),
    ("3", "Lunde", "Ola Brekke", 23),
)
PLANS = result("Plan, Members:, Monthly fee:EUR", ("Nord", 2140, 39.5), ("West", 1320, 29.9))
RESULTS = result(
    "Item, Q2 2026:GBP, Q2 2025:GBP",
    ("Revenue", 48210, 44975),
    ("Operating profit", 6455, 4905),
)
MARKETS = result(
    "Country, Revenue 2025:EUR, Revenue 2026:EUR", ("Austria", 4123, 4489), ("Belgium", 6558, 6027)
)
FILMS = result(
    "Title, Box office:USD", ("Northbound", 33500000), ("Harbour Lights", 18700000), ("Salt", 4200000)
)
LEFT = result("Month, Cancelled members:", ("2026-06", 402), ("2026-07", 455), ("2026-08", 390))
RATIOS = result("Line, Loss ratio:percent", ("Home", 56.5), ("Motor", 68.0), ("Travel", 79.0))
APPROVED = declare(
    "share",
    part=[{"row": "Cheadle", "column": "approved"}],
    whole=[{"row": "Cheadle", "column": "applications"}],
)
RECEIVED = declare("sum", of={"column": "approved"})


@pytest.mark.parametrize(
    ("true", "false", "table"),
    [
        # a rate of one row is no share of what all rows have
        ("Okafor won 40.7% of the deals he opened.", "Okafor won 40.7% of all deals.", REPS),
        (
            "In Derby, 5.5% of working time was lost to absence.",
            "5.5% of all sick days were taken in Derby.",
            SITES,
        ),
        ("The absence rate in Hull was 8.1%.", "8.1% of the workforce is based in Hull.", SITES),
        ("In Bergen, 47.9% of households rent.", "In Bergen live 47.9% of all renters.", DISTRICTS),
        ("Labour took 38.4% of the votes.", "Labour took 38.4% of the seats.", COUNCIL),
        # a share told of its opposite
        ("In Bergen, 47.9% of households rent.", "47.9% of households in Bergen own their home.", DISTRICTS),
        # money told as another measure
        ("Lindqvist booked $742,000.", "Lindqvist spent $742,000.", REPS),
        ("Lindqvist's bookings came to $742,000.", "Lindqvist's commission was $742,000.", REPS),
        (
            "Households in Altona declared an income of \u20ac41,800.",
            "Households in Altona spent \u20ac41,800.",
            DISTRICTS,
        ),
        ("Northbound grossed $33.5 million.", "Northbound cost $33.5 million to make.", FILMS),
        ("Northbound took in $33.5 million.", "Northbound had a budget of $33.5 million.", FILMS),
        (
            "The operating profit was \u00a36,455 in Q2 2026.",
            "The operating loss was \u00a36,455 in Q2 2026.",
            RESULTS,
        ),
        # what came, told as what was planned
        (
            "Facilities was allowed to spend $215,000 and spent $198,400.",
            "Marketing was allowed to spend $512,300.",
            BUDGETS,
        ),
        ("Marketing had $480,000 to spend.", "Marketing had $512,300 to spend.", BUDGETS),
        # what one of something costs, told as what a row took
        ("West charges \u20ac29.90 a month.", "West took \u20ac29.90 in fees.", PLANS),
        # records
        (
            "June was a record month for visits, at 268.",
            "July was a record month for visits, at 244.",
            MONTHS,
        ),
        (
            "Visits reached their high of the period, 268.",
            "Visits reached their high of the period, 244.",
            MONTHS,
        ),
        # a rate is no count of things
        ("The Digest had an open rate of 28.7%.", "The Digest had 28.7 opens.", MAILS),
        # ages and firsts by the years of a column
        ("The oldest line is Line 1.", "The oldest line is Line 2.", LINES),
        ("The newest line is Line 9, opened in 2004.", "The newest line is Line 2, opened in 1908.", LINES),
        (
            "Line 2 was the first to be rebuilt, in 1931.",
            "Line 1 was the first to be rebuilt, in 1962.",
            LINES,
        ),
        # so much a day
        ("Line 9 carries 52,600 riders a day.", "Line 9 carries 52,600 riders a year.", LINES),
        (
            "The ferry carried 40,120 passengers in July.",
            "The ferry carried 40,120 passengers a day in July.",
            FERRY,
        ),
        # what a row has in all is not what each of its people has
        ("Hull had 611 sick days.", "Each employee in Hull took 611 sick days.", SITES),
        ("Line 9 carries 52,600 riders.", "Line 9 ran for 52,600 days.", LINES),
        # of every row, of none, of one
        ("Labour lost two seats.", "All parties lost seats.", COUNCIL),
        ("Marketing overspent.", "All departments stayed within their budgets.", BUDGETS),
        ("Legal stayed within its budget.", "Marketing stayed within its budget.", BUDGETS),
        ("Legal underspent.", "No department underspent.", BUDGETS),
        ("Revenue in Austria grew.", "All countries grew.", MARKETS),
        ("Centre was the only party to gain seats.", "Green was the only party to gain seats.", COUNCIL),
        # who is above whom
        (
            "The Arla is longer than the Brenta, at 412 km.",
            "The Brenta is longer than the Arla, at 287 km.",
            RIVERS,
        ),
        (
            "Lindqvist overtook Okafor with $742,000.",
            "Marchetti overtook Okafor with $518,900.",
            REPS,
        ),
        (
            "Jens Aalto finished ahead of Mari Tveit with 14 points.",
            "Mari Tveit finished ahead of Jens Aalto with 19 points.",
            REGATTA,
        ),
        (
            "Hull had 611 sick days, more than Derby.",
            "Derby had more sick days than Hull, 412.",
            SITES,
        ),
        # what a column counts went, or came
        ("In August 2026, 390 members cancelled.", "In August 2026, 390 members joined.", LEFT),
        # which came first
        (
            "Cancellations peaked at 455 in July before easing to 390 in August.",
            "Cancellations peaked at 455 in July after easing to 390 in August.",
            LEFT,
        ),
        (
            "The best loss ratio was that of Home, 56.5%.",
            "The worst loss ratio was that of Home, 56.5%.",
            RATIOS,
        ),
        ("Mari Tveit took silver with 19 points.", "Ola Brekke took silver with 23 points.", REGATTA),
        ("Jens Aalto won the regatta with 14 points.", "Mari Tveit won the regatta with 19 points.", REGATTA),
    ],
)
def test_a_true_sentence_passes_and_one_that_says_another_thing_of_its_figure_blocks(
    true: str, false: str, table: Table
) -> None:
    assert passes(true, table), true
    assert not passes(false, table), false


@pytest.mark.parametrize(
    "draft",
    [
        "Customers of Lindqvist spent $742,000.",
        "Nearly all parties lost seats.",
        "Every party but the Centre lost seats.",
        "Labour lost 2 seats.",
    ],
)
def test_a_payer_or_a_limit_says_nothing_false(draft: str) -> None:
    assert passes(draft, REPS if "Lindqvist" in draft else COUNCIL), draft


@pytest.mark.parametrize(
    ("true", "false", "declared"),
    [
        (
            "Cheadle approved 78.4% of its applications.",
            "Cheadle approved 78.4% of all applications.",
            APPROVED,
        ),
        (
            "Cheadle approved 78.4% of its applications.",
            "Cheadle declined 78.4% of its applications.",
            APPROVED,
        ),
        ("In all, 279 applications were approved.", "In all, 279 applications were declined.", RECEIVED),
    ],
)
def test_a_declared_figure_is_told_of_its_own_part_and_whole(
    true: str, false: str, declared: Derivation
) -> None:
    assert passes(true, LENDERS, (declared,)), true
    assert not passes(false, LENDERS, (declared,)), false
