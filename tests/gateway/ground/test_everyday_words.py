"""Everyday words for columns and rows, last names that the title holds too, and small numbers in words."""

import pytest

from gateway.ground import GroundRules, Scope, ground
from tests.gateway.ground.drafts import TODAY, check, codes, passes, result
from traces.records import Table

VILLAGES = result(
    "Village, Households:, Inhabitants:, Literacy %:", ("Arden", 210, 946, 61.2), ("Brock", 145, 702, 55.0)
)
CENSUS = result(
    "Particulars, Total:, Male:, Female:",
    ("Total no. of houses", 258, None, None),
    ("Population", 1396, 715, 681),
    ("Literates", 912, 498, 414),
    ("Total workers", 471, 399, 72),
)
SHIPS = result(
    "Ship, Launched, Displacement (tons):, Length (ft):, Beam (ft):, Speed (knots):, Crew:",
    ("Corvina", "1898", 4280, 350, 46.5, 19, 312),
    ("Halcyon", "1901", 5600, 378, 51, 20.5, 380),
)
LINES = result(
    "Line, Opened, Length (km):, Stations:, Daily ridership:",
    ("Red", "1974", 21.4, 18, 310500),
    ("Blue", "1988", 14.9, 12, 205000),
    ("Green", "2003", 9.8, 9, 88000),
)
FILMS = result(
    "Film, Year, Budget ($):, Gross ($):, Theaters:",
    ("Iron Lake", "2011", 35000000, 91200000, 2810),
    ("The Orchard", "2013", 8000000, 14500000, 1120),
)
PLANES = result(
    "Aircraft, Built:, Seats:, Range (km):, Engines:",
    ("Swift 2", 44, 19, 1850, 2),
    ("Swift 4", 12, 52, 2900, 4),
)
BLOCKS = result("Block, Flats:, Lifts:, Shops:", ("Elm Court", 24, 1, 2), ("Ash Court", 36, 2, 0))


@pytest.mark.parametrize(
    ("right", "wrong", "table"),
    [
        ("Arden has 210 homes and a population of 946.", "Arden has 145 homes.", VILLAGES),
        ("Arden has 946 residents in 210 houses.", "Arden has 210 residents.", VILLAGES),
        ("Brock is home to 702 people.", "Brock is home to 946 people.", VILLAGES),
        ("Corvina displaced 4,280 tons.", "Corvina displaced 5,600 tons.", SHIPS),
        ("Halcyon carried a complement of 380.", "Halcyon carried a complement of 312.", SHIPS),
        ("Corvina was 46.5 ft wide.", "Corvina was 51 ft wide.", SHIPS),
        ("The Blue Line carries 205,000 passengers a day.", "The Red Line carries 205,000 riders.", LINES),
        ("The Green Line has nine stops over 9.8 km.", "The Green Line has twelve stops.", LINES),
        ("Iron Lake was shown on 2,810 screens.", "The Orchard was shown on 2,810 screens.", FILMS),
        ("The Swift 4 seats 52 passengers.", "The Swift 4 seats 19 passengers.", PLANES),
        ("The Swift 2 can carry 19 people.", "The Swift 2 can carry 52 people.", PLANES),
    ],
)
def test_a_column_is_said_in_everyday_words(right: str, wrong: str, table: Table) -> None:
    assert passes(right, table)
    assert codes(check(wrong, table))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "The village has 258 households and 1,396 inhabitants, of whom 715 are men and 681 women.",
            "The village has 1,396 households and 258 inhabitants.",
        ),
        ("It has 258 homes and a population of 1,396.", "It has a population of 912 and 258 homes."),
        ("It has 912 literate people, 498 of them men.", "It has 912 literate people, 414 of them men."),
        ("There are 471 workers, 399 of them male.", "There are 471 workers, 72 of them male."),
    ],
)
def test_a_row_that_is_a_kind_of_figure_is_said_in_everyday_words(right: str, wrong: str) -> None:
    assert passes(right, CENSUS)
    assert codes(check(wrong, CENSUS))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Elm Court has one lift and two shops.", "Elm Court has two lifts and one shop."),
        ("Ash Court has two lifts.", "Ash Court has one lift."),
        ("Ash Court has no shops.", "Elm Court has no shops."),
    ],
)
def test_a_small_number_in_words_is_told_against_its_column(right: str, wrong: str) -> None:
    assert passes(right, BLOCKS)
    assert codes(check(wrong, BLOCKS))


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Holm won 912 votes and Reed 700.", True),
        ("Holm won 700 votes and Reed 912.", False),
        ("Holm beat Reed, 912 votes to 700.", True),
        ("Holm beat Reed, 700 votes to 912.", False),
    ],
)
def test_a_last_name_is_a_row_though_the_title_holds_it(draft: str, stands: bool) -> None:
    table = result(
        "Party, Candidate, Votes:",
        ("Liberal", "Ada Mary Holm", 912),
        ("Labour", "Bert Reed", 700),
        ("Green", "Cleo Vane", 602),
    )
    scope = Scope(today=TODAY, known=False, subject="Ada Holm \u2014 Elections")
    assert (ground(draft, table, scope, (), GroundRules()).verdict != "block") is stands


def test_seats_going_to_somebody_are_no_forecast() -> None:
    table = result(
        "Party, Votes:, Seats:",
        ("Workers' Front", 718900, 224),
        ("Independents", 79125, 128),
        ("Total", 798025, 352),
    )
    led = "The Workers' Front won 224 of the 352 seats, with the remaining "
    assert check(led + "128 going to independents.", table).verdict == "pass"
    assert codes(check(led + "118 going to independents.", table))
    assert "forecast" in check("The Workers' Front is going to win 224 seats.", table).flags


def test_names_that_differ_in_a_sharp_or_flat_are_two_names() -> None:
    table = result(
        "Key, Flats:, Sharps:", ("B major", 0, 5), ("B\u266d major", 2, 0), ("F\u266f major", 0, 6)
    )
    assert passes("B\u266d major has two flats.", table)
    assert codes(check("B major has two flats.", table))


def test_how_tall_a_thing_is_stands_under_its_plain_height() -> None:
    table = result(
        "Lighthouse, Height (ft):, Focal height (ft):", ("Orme Point", 94, 152), ("Pell Rock", 61, 88)
    )
    assert passes("Orme Point is 94 feet tall with a focal height of 152 feet.", table)
    assert codes(check("Orme Point is 152 feet tall.", table))


def test_a_bare_sign_of_change_beside_seats_counts_seats() -> None:
    table = result(
        "Party, Votes:, %:, Seats:, \u00b1:",
        ("National", 512300, 44.7, 41, 6),
        ("Liberal", 430150, 37.5, 33, -5),
    )
    assert passes("The Liberals lost five seats and finished with 33.", table)
    assert codes(check("The Liberals gained five seats and finished with 33.", table))
