"""Days of one month told in one go, and stretches of days beside a row of totals or rows of labels."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

TOUR = result(
    "Date, City, Venue, Tickets:",
    ("Europe", "Europe", "Europe", None),
    ("May 2, 2012", "Oslo", "Spektrum", 4100),
    ("May 7, 2012", "Malmo", "Arena", 5230),
    ("North America", "North America", "North America", None),
    ("June 11, 2012", "Boston", "Garden", 9120),
    ("June 12, 2012", "Boston", "Garden", 8870),
    ("June 15, 2012", "Toronto", "Sky Dome", 7410),
)
WEEKS = result(
    "Week, Parcels:, On time:, Late:",
    ("2 to 8 March 2026", 20110, 18902, 1208),
    ("9 to 15 March 2026", 21400, 19688, 1712),
    ("16 to 22 March 2026", 19870, 18678, 1192),
    ("Total", 61380, 57268, 4112),
)
DAYS = result(
    "Day, Visits:, Sales:USD",
    ("1 June 2026", 812, 4110.5),
    ("2 June 2026", 774, 3980),
    ("3 June 2026", 905, 5120.25),
    ("Sum", 2491, 13210.75),
)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("The Larks played the Garden on June 11 and 12, 2012.", "They played the Garden on May 11, 2012."),
        (
            "The Larks played the Garden in Boston between June 11-12, 2012.",
            "The Larks played the Garden in Boston between June 11-13, 2012.",
        ),
        (
            "On 11 and 12 June 2012 they were in Boston.",
            "On 11 and 13 June 2012 they sold 9,120 tickets in Toronto.",
        ),
        (
            "From June 11 to 12, 2012 they played in Boston.",
            "The Larks played the Garden in Toronto.",
        ),
    ],
)
def test_two_days_of_one_month_are_told_in_one_go(true: str, false: str) -> None:
    assert passes(true, TOUR)
    assert not passes(false, TOUR)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            WEEKS,
            "Between 2 and 22 March 2026 we moved 61,380 parcels.",
            "Between 2 and 22 March 2026 we moved 57,268 parcels.",
        ),
        (
            DAYS,
            "Over the three days from 1 to 3 June 2026 there were 2,491 visits.",
            "Over the three days from 1 to 3 June 2026 there were 905 visits.",
        ),
        (
            DAYS,
            "From 1 June to 3 June 2026 sales came to $13,210.75.",
            "From 1 June to 3 June 2026 sales came to $5,120.25.",
        ),
        (
            DAYS,
            "Between 1 and 3 June 2026, the shop had 2,491 visits and took $13,210.75.",
            "Between 1 and 2 June 2026, the shop had 2,491 visits and took $13,210.75.",
        ),
    ],
)
def test_a_stretch_of_all_days_means_the_row_of_totals(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)
