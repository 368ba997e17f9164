"""Years that are not the period of the row a number stands in: the title's, another event's, a twin row's."""

import pytest

from gateway.ground import GroundRules, Scope, ground
from tests.gateway.ground.drafts import ANYTHING, TODAY, check, codes, passes, result
from traces.records import Table

TRANSFERS = result(
    "Date, Name, From, Fee",
    ("June 1981", "Ernie Ross", "Chestertown", "\u00a312,000"),
    ("August 1981", "Geoff Hale", "Creston", "\u00a315,000"),
    ("1981", "Ray Dean", "Everleigh", "Free transfer"),
)
SEASON = Scope(today=TODAY, known=False, subject="1981\u201382 Vale Rovers season \u2014 Transfers in")
PRIZES = result(
    "Year, Tournament, Prize:USD",
    ("1980", "Seven-card stud", 113400),
    ("1985", "Razz", 62000),
    ("1993", "Hold 'em", 113400),
)
CAREER = result(
    "Club, Season, Division, League Apps:, League Goals:, Total Apps:, Total Goals:",
    ("Newtown", "2014\u201315", "First Division", 34, 18, 37, 20),
    ("Newtown", "2015\u201316", "First Division", 29, 10, 34, 13),
    ("Newtown", "2016\u201317", "First Division", 31, 22, 33, 23),
    ("Stockley", "2017\u201318", "Second Division", 40, 25, 47, 28),
)
CUPS = result(
    "Tournament, Played:, Won:, Goals For:, Goals Against:",
    ("1990 Cup", 5, 3, 9, 4),
    ("1994 Cup", 3, 0, 2, 7),
    ("Total", 8, 3, 11, 11),
)


def stands(draft: str, table: Table, scope: Scope = ANYTHING) -> bool:
    """Tell whether nothing but an open claim stands against a draft."""
    return ground(draft, table, scope, (), GroundRules()).verdict != "block"


@pytest.mark.parametrize("season", ["1981\u201382", "1981-82"])
def test_the_season_of_the_title_is_no_rows_period(season: str) -> None:
    led = f"For the {season} Vale Rovers season, Ray Dean came from Everleigh and "
    assert stands(led + "Ernie Ross from Chestertown for \u00a312,000.", TRANSFERS, SEASON)
    assert not stands(led + "Ernie Ross from Chestertown for \u00a315,000.", TRANSFERS, SEASON)
    assert not stands(led + "Geoff Hale from Creston for \u00a312,000.", TRANSFERS, SEASON)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Gene Fish won in 1980 and 1993, winning the same amount ($113,400) both times.",
            "Gene Fish won in 1980 and 1985, winning the same amount ($113,400) both times.",
        ),
        ("In 1980 and 1993 he earned $113,400 each.", "In 1985 and 1993 he earned $113,400 each."),
        ("He won $113,400 in 1980 and $62,000 in 1985.", "He won $62,000 in 1980 and $113,400 in 1985."),
        ("In 1993 and 1980 he won $113,400.", "In 1993 and 1980 he won $62,000."),
    ],
)
def test_one_figure_may_be_of_two_years_that_share_it(right: str, wrong: str) -> None:
    assert passes(right, PRIZES)
    assert codes(check(wrong, PRIZES))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Jo Oswin joined Newtown in 2014, and in 2016-17 he scored 22 goals in 31 league games.",
            "Jo Oswin joined Newtown in 2014, and in 2016-17 he scored 18 goals in 34 league games.",
        ),
        (
            "Oswin came to Newtown in 2014, and scored 13 goals in all competitions in 2015\u201316.",
            "Oswin came to Newtown in 2014, and scored 20 goals in all competitions in 2015\u201316.",
        ),
    ],
)
def test_a_year_of_another_event_is_not_held_against_a_season(right: str, wrong: str) -> None:
    assert passes(right, CAREER)
    assert codes(check(wrong, CAREER))


def test_a_year_nearer_to_the_number_than_the_season_is_held_against_it() -> None:
    assert codes(check("Oswin, who left after 2016\u201317, scored 22 league goals in 2014.", CAREER))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "In 1990 the team won three of its five matches, scoring nine goals and conceding four.",
            "In 1990 the team won three of its five matches, scoring four goals and conceding nine.",
        ),
        ("In 1990 the team won three matches.", "In 1994 the team won three matches."),
        ("At the 1994 Cup they were outscored 7 to 2.", "At the 1994 Cup they outscored opponents 7 to 2."),
        (
            "Across both tournaments they played 8 games, winning 3.",
            "Across both tournaments they played 5 games, winning 3.",
        ),
    ],
)
def test_a_year_in_the_names_of_rows_tells_them_apart(right: str, wrong: str) -> None:
    assert passes(right, CUPS)
    assert codes(check(wrong, CUPS))
