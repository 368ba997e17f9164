"""Columns as readers of a list call them: shortened headers, units, years in a label, numbered rows."""

import pytest

from tests.gateway.ground.drafts import passes, result

LEAGUE = result(
    "Club, Pld:, W:, D:, L:, GF:, GA:, +/-:, Pts:",
    ("Ashby", 30, 21, 6, 3, 64, 22, 42, 69),
    ("Corley", 30, 9, 8, 13, 31, 40, -9, 35),
)
TRADE = result(
    "Port, Cargo 2021:, Cargo 2022:, Fees 2021:EUR, Fees 2022:EUR, Share %:",
    ("Hove", 81200, 90410, 5100, 6400, 61.5),
    ("Rye", 50800, 41900, 3900, 2700, 38.5),
)
LAKES = result(
    "Lake, Area (km2):, Depth (m):, Shore (km):, Inflow",
    ("Orm", 412.5, 88, 131, "Ard"),
    ("Ard", 97.1, 31, 64, ""),
)
ROUNDS = result(
    "Round:, Venue, Crowd:", (1, "Northfield", 8120), (2, "Southmoor", 9544), (3, "Eastgate", 7010)
)


@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        ("Ashby finished with 69 points from 30 games.", "Ashby finished with 42 points from 30 games."),
        ("Ashby won 21, drew six and lost three.", "Ashby won 21, drew three and lost six."),
        ("Corley conceded 40 and scored 31 goals.", "Corley conceded 31 and scored 40 goals."),
        ("Corley lost 13 games.", "Corley lost nine games."),
        ("Corley had a goal difference of -9.", "Corley had a goal difference of 9."),
    ],
)
def test_a_short_header_is_read_as_the_word_it_stands_for(true: str, wrong: str) -> None:
    assert passes(true, LEAGUE)
    assert not passes(wrong, LEAGUE)


@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        ("Hove landed 90,410 tons of cargo in 2022.", "Hove landed 81,200 tons of cargo in 2022."),
        ("In 2021, cargo at Rye came to 50,800.", "In 2022, cargo at Rye came to 50,800."),
        ("Rye took fees of €2,700 in 2022.", "Rye took fees of €3,900 in 2022."),
        ("Rye has a share of 38.5%.", "Rye has a share of 61.5%."),
    ],
)
def test_a_year_in_a_header_is_the_year_the_sentence_names(true: str, wrong: str) -> None:
    assert passes(true, TRADE)
    assert not passes(wrong, TRADE)


@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        ("Orm is 88 metres deep with 131 km of shore.", "Orm is 131 metres deep with 88 km of shore."),
        ("Ard covers 97.1 square kilometres.", "Ard covers 64 square kilometres."),
        ("Ard has a depth of 31 m and an area of 97.1.", "Ard has a depth of 64 m and an area of 97.1."),
    ],
)
def test_a_unit_behind_a_number_names_its_column(true: str, wrong: str) -> None:
    assert passes(true, LAKES)
    assert not passes(wrong, LAKES)


@pytest.mark.parametrize("name", ["Round 2", "round two", "The second round", "The 2nd round"])
def test_a_row_is_named_by_its_running_number(name: str) -> None:
    assert passes(f"{name} drew a crowd of 9,544.", ROUNDS)
    assert not passes(f"{name} drew a crowd of 7,010.", ROUNDS)


def test_a_name_that_two_columns_hold_means_the_first() -> None:
    assert passes("Ard has a depth of 31 m.", LAKES)
    assert not passes("Ard has a depth of 88 m.", LAKES)


def test_a_name_that_opens_the_next_number_does_not_belong_to_the_one_before() -> None:
    assert passes("Hove handled 90,410 in 2022, with a share of 61.5%.", TRADE)
    assert passes("Orm has a shore of 131 and an area of 412.5.", LAKES)


@pytest.mark.parametrize("said", ["Hove depth: 2021.", "| Port | Depth |\n|---|---|\n| Hove | 2021 |"])
def test_a_year_right_behind_a_column_is_a_figure(said: str) -> None:
    table = result("Port, Depth:, Cargo in 2022:", ("Hove", 12, 90410))
    assert not passes(said, table)
