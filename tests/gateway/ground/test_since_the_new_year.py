"""What a year has come to so far, told without "to date": since January, this year, for the year."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import passes, result

SALES = result(
    "Region, Sales:EUR, Sales YTD:EUR, Orders:, Orders YTD:",
    ("Lyon", 41200, 310400, 512, 4010),
    ("Nice", 28950, 225100, 388, 2960),
    ("Lille", 33710, 270300, 430, 3344),
)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Since January Lyon has sold \u20ac310,400.", "Since January Lyon has sold \u20ac41,200."),
        ("Nice has taken 2,960 orders so far this year.", "Nice has taken 388 orders so far this year."),
        ("This year Lille's sales stand at \u20ac270,300.", "This year Lille's sales stand at \u20ac33,710."),
        (
            "Lyon sold \u20ac41,200 in the month and \u20ac310,400 since January.",
            "Lyon sold \u20ac310,400 in the month and \u20ac41,200 since January.",
        ),
        (
            "Lille booked 430 orders, which makes 3,344 for the year.",
            "Lille booked 3,344 orders, which makes 430 for the year.",
        ),
        (
            "Orders so far this year: Lyon 4,010, Lille 3,344, Nice 2,960.",
            "Orders so far this year: Lyon 512, Lille 430, Nice 388.",
        ),
        (
            "Lyon has 4,010 orders for the year to date, 512 of them in the last month.",
            "Lyon has 512 orders for the year to date, 4,010 of them in the last month.",
        ),
    ],
)
def test_what_is_told_of_the_year_is_its_running_total(true: str, false: str) -> None:
    assert passes(true, SALES)
    assert not passes(false, SALES)


def test_the_figure_of_a_month_of_this_year_is_its_own() -> None:
    assert passes("Lyon sold \u20ac41,200 in the last month of this year.", SALES)


OCTOBER = Scope(
    today=date(2026, 10, 31),
    start=date(2026, 10, 1),
    end=date(2026, 11, 1),
    known=True,
    metrics=("sales", "orders"),
)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Since January Lyon has sold \u20ac310,400.", "Since March Lyon has sold \u20ac310,400."),
        ("This year Lille has sold \u20ac270,300.", "Last year Lille sold \u20ac270,300."),
        (
            "Nice has taken 2,960 orders so far this year.",
            "Nice has taken 2,960 orders so far this quarter.",
        ),
    ],
)
def test_the_year_so_far_is_a_period_of_a_result_that_has_it(true: str, false: str) -> None:
    assert passes(true, SALES, scope=OCTOBER)
    assert not passes(false, SALES, scope=OCTOBER)


def test_a_column_called_year_to_date_runs_on_the_month_beside_it() -> None:
    reps = result(
        "Rep, October:USD, Year to date:USD, Target:USD",
        ("Kim", 41200, 398000, 420000),
        ("Lowe", 52900, 461000, 440000),
    )
    assert passes("Since January, Kim has sold $398,000.", reps)
    assert not passes("Since January, Kim has sold $41,200.", reps)
