"""What got better or worse by its figures, who is among the last few, days of meetings, whose numbers."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

BESTS = result(
    "Year, Height",
    ("2013", "4.20 m (13 ft 9 in)"),
    ("2014", "3.95 m (12 ft 11 in)"),
    ("2015", "4.15 m (13 ft 7 in)"),
)
LAPS = result(
    "Year, Time, Venue", ("2010", "46.81", "Bern"), ("2011", "45.92", "Turin"), ("2012", "46.20", "Lyon")
)
SEASONS = result(
    "Season, Won:, Goals conceded:, Score:, Position:",
    ("2010", 14, 40, 281, 6),
    ("2011", 16, 31, 275, 3),
    ("2012", 11, 49, 279, 9),
)
MATCHES = result(
    "Date, Game, Result, Attendance:, Notes",
    ("May 4, 2012", "Norway vs Bosnia and Herzegovina", "3\u20133", 18450, "Friendly match"),
    ("June 18, 2014", "Iceland vs Ghana", "1\u20130", 17250, "Qualifier"),
    ("March 5, 2013", "Norway vs El Salvador", "2\u20131", 16066, "2014 World Cup qualification"),
    ("June 9, 2018", "Norway vs Angola", "1\u20131", 14315, "Friendly match"),
)
FINAL = result(
    "Rank:, Lane:, Nation, Time",
    (None, 4, "Norway", "7:07.05"),
    (None, 5, "Kenya", "7:12.64"),
    (None, 2, "Peru", "7:12.70"),
    (4, 3, "Japan", "7:12.91"),
    (5, 7, "Chile", "7:12.98"),
    (6, 6, "Malta", "7:20.19"),
    (7, 1, "Egypt", "7:21.92"),
    (8, 8, "Wales", "7:24.37"),
)
ENGINES = result(
    "NWR No.:, SR No.:, Date Built",
    (210, 40210, "January 1931"),
    (211, 40211, "June 1931"),
    (212, 40212, "June 1931"),
    (213, 40213, "July 1931"),
)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            BESTS,
            "Borg worsened from 2013 to 2014, with a season best of 4.20 m in 2013 and 3.95 m in 2014.",
            "Borg improved from 2013 to 2014, with a season best of 4.20 m in 2013 and 3.95 m in 2014.",
        ),
        (
            BESTS,
            "Borg got better between 2014 and 2015, clearing 3.95 m in 2014 and 4.15 m in 2015.",
            "Borg got worse between 2014 and 2015, clearing 3.95 m in 2014 and 4.15 m in 2015.",
        ),
        (
            LAPS,
            "Vance got slower from 2011 to 2012, with 45.92 in 2011 and 46.20 in 2012.",
            "Vance got faster from 2011 to 2012, with 45.92 in 2011 and 46.20 in 2012.",
        ),
        (
            LAPS,
            "Vance's time improved from 46.81 in 2010 to 45.92 in 2011.",
            "Vance's time worsened from 46.81 in 2010 to 45.92 in 2011.",
        ),
        (
            SEASONS,
            "Goals conceded improved from 40 in 2010 to 31 in 2011.",
            "Goals conceded worsened from 40 in 2010 to 31 in 2011.",
        ),
        (
            SEASONS,
            "Vale dropped from third in 2011 to ninth in 2012.",
            "Vale climbed from third in 2011 to ninth in 2012.",
        ),
        (
            SEASONS,
            "Vale improved from 6th in 2010 to 3rd in 2011.",
            "Vale worsened from 6th in 2010 to 3rd in 2011.",
        ),
    ],
)
def test_better_or_worse_is_settled_by_the_two_figures_told(table: Table, true: str, false: str) -> None:
    assert passes(true, table)
    assert not passes(false, table)


def test_a_figure_of_which_less_may_be_better_settles_nothing() -> None:
    assert passes("The score improved from 281 in 2010 to 275 in 2011.", SEASONS)
    assert passes("The score worsened from 281 in 2010 to 275 in 2011.", SEASONS)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "On May 4, 2012, Norway and Bosnia and Herzegovina played a friendly match.",
            "On June 9, 2018, Norway and Bosnia and Herzegovina played a friendly match.",
        ),
        (
            "On June 9, 2018, Norway met Angola, and on May 4, 2012, Bosnia and Herzegovina met Norway.",
            "On June 9, 2018, Norway met Bosnia and Herzegovina, and on May 4, 2012, Angola met Norway.",
        ),
        (
            "Norway drew with Bosnia and Herzegovina on May 4, 2012, and it met Angola on June 9, 2018.",
            "Norway drew with Bosnia and Herzegovina on June 9, 2018, and it met Angola on May 4, 2012.",
        ),
        ("In June 2014, Iceland and Ghana met.", "In May 2012, Iceland and Ghana met."),
        (
            "Norway beat El Salvador in a 2014 World Cup qualifier.",
            "Norway beat El Salvador on June 18, 2014.",
        ),
    ],
)
def test_a_day_told_of_a_meeting_is_that_of_its_row(true: str, false: str) -> None:
    assert passes(true, MATCHES)
    assert not passes(false, MATCHES)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "Malta (7:20.19), Egypt (7:21.92), and Wales (7:24.37) placed in the bottom 3.",
            "Chile (7:12.98), Malta (7:20.19), and Egypt (7:21.92) placed in the bottom 3.",
        ),
        (
            "Norway, Kenya and Peru were the top three nations.",
            "Norway, Kenya and Japan were the top three nations.",
        ),
        ("Wales finished in the bottom 3 with 7:24.37.", "Chile finished in the bottom 3 with 7:12.98."),
        (
            "Kenya (7:12.64) came in the top 3, while Egypt (7:21.92) was among the bottom 2.",
            "Kenya (7:12.64) came in the top 3, while Malta (7:20.19) was among the bottom 2.",
        ),
    ],
)
def test_who_is_among_the_first_or_last_few_is_so_by_rank(true: str, false: str) -> None:
    assert passes(true, FINAL)
    assert not passes(false, FINAL)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "The numbering of the engines under the Southern Railway ranged from 40210\u201340213.",
            "The numbering of the engines under the Southern Railway ranged from 210\u2013213.",
        ),
        (
            "Under the North Western Railway their numbers ran from 210 to 213.",
            "Under the North Western Railway their numbers ran from 40210 to 40213.",
        ),
    ],
)
def test_capitals_before_numbers_stand_for_who_gave_them(true: str, false: str) -> None:
    assert passes(true, ENGINES)
    assert not passes(false, ENGINES)
