"""What periods came to since a start is not the figure of one of them, nor the other way round."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import TODAY, passes, result
from traces.records import Table

MONTHS = result(
    "Month, New customers:, Cumulative customers:, Revenue:GBP, Revenue YTD:GBP",
    ("2026-07", 312, 2240, 84500, 511200),
    ("2026-08", 287, 2527, 79250, 590450),
    ("2026-09", 341, 2868, 91310, 681760),
    ("2026-10", 298, 3166, 88120, 769880),
)
PROJECTS = result(
    "Project, Hours:, Hours to date:, Budgeted hours:",
    ("Apollo", 412, 2810, 3200),
    ("Beacon", 288, 1540, 1500),
    ("Cobalt", 196, 905, 2000),
)
GIFTS = result(
    "Month, Donations to date:EUR, Donors:",
    ("2026-08", 41200, 312),
    ("2026-09", 55900, 287),
    ("2026-10", 73850, 365),
)
WEEKS = result(
    "Week, Sales:EUR, Sales to date:EUR",
    ("Week 1", 12100, 12100),
    ("Week 2", 14350, 26450),
    ("Week 3", 11900, 38350),
)
QUOTAS = result(
    "Region, Sales to date:USD, Quota:USD",
    ("Americas", 4120000, 5000000),
    ("EMEA", 3310000, 3500000),
    ("APAC", 1985000, 1800000),
)
AUTUMN = Scope(
    today=TODAY,
    start=date(2026, 7, 1),
    end=date(2026, 11, 1),
    metrics=("New customers", "Revenue", "Donations"),
)
OCTOBER = Scope(today=TODAY, start=date(2026, 10, 1), end=date(2026, 11, 1), metrics=("Hours", "Sales"))


@pytest.mark.parametrize(
    ("table", "scope", "true", "false"),
    [
        (
            MONTHS,
            AUTUMN,
            "We won 341 customers in September 2026.",
            "We won 2,868 customers in September 2026.",
        ),
        (MONTHS, AUTUMN, "October brought in \u00a388,120.", "October brought in \u00a3769,880."),
        (
            MONTHS,
            AUTUMN,
            "By the end of September we had won 2,868 customers.",
            "In September alone we won 2,868 customers.",
        ),
        (
            MONTHS,
            AUTUMN,
            "We won 341 customers in September 2026, taking the total so far to 2,868.",
            "We won 2,868 customers in September 2026, taking the total so far to 341.",
        ),
        (
            MONTHS,
            AUTUMN,
            "Year-to-date revenue stood at \u00a3681,760 in September.",
            "Year-to-date revenue stood at \u00a391,310 in September.",
        ),
        (
            MONTHS,
            AUTUMN,
            "October brought in \u00a388,120, for \u00a3769,880 year to date.",
            "October brought in \u00a3769,880, for \u00a388,120 year to date.",
        ),
        (MONTHS, AUTUMN, "To date we have won 3,166 customers.", "To date we have won 298 customers."),
        (PROJECTS, OCTOBER, "Apollo has taken 2,810 hours so far.", "Apollo has taken 412 hours so far."),
        (
            PROJECTS,
            OCTOBER,
            "Cobalt took 196 hours in October 2026 and 905 to date.",
            "Cobalt took 905 hours in October 2026 and 196 to date.",
        ),
        (
            GIFTS,
            AUTUMN,
            "By October 2026 donations had reached \u20ac73,850.",
            "October 2026 brought in donations of \u20ac73,850.",
        ),
        (WEEKS, OCTOBER, "Sales to date are \u20ac38,350.", "Sales to date are \u20ac26,450."),
        (WEEKS, OCTOBER, "Week 3 brought in \u20ac11,900.", "Week 3 brought in \u20ac38,350."),
        (
            WEEKS,
            OCTOBER,
            "By Week 3 sales had reached \u20ac38,350.",
            "By Week 3 sales had reached \u20ac26,450.",
        ),
        (
            QUOTAS,
            OCTOBER,
            "EMEA has sold $3.31M to date against a quota of $3.5M.",
            "EMEA sold $3.31M in October 2026.",
        ),
    ],
)
def test_a_running_total_is_told_as_one(table: Table, scope: Scope, true: str, false: str) -> None:
    assert passes(true, table, scope=scope)
    assert not passes(false, table, scope=scope)


def test_in_the_first_period_both_are_one_figure() -> None:
    assert passes("Week 1 brought in \u20ac12,100.", WEEKS, scope=OCTOBER)


def test_the_running_total_of_one_region_is_not_that_of_all() -> None:
    assert passes("In EMEA, sales to date are $3,310,000.", QUOTAS, scope=OCTOBER)
    assert not passes("Sales to date are $4,120,000.", QUOTAS, scope=OCTOBER)
