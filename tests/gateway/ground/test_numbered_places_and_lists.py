"""Places told as numbers are those of a figure; counts before a list are of as many rows as it names."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

DEPOTS = result(
    "Depot, Trips:, On time:percent",
    ("Derby", 8120, 90.0),
    ("Stoke", 6400, 63.9),
    ("Crewe", 5215, 92.2),
)
PRIZES = result(
    "Award, Category, Result, Votes:",
    ("Golden Mast", "Best Musical", "Won", 812),
    ("Golden Mast", "Best Book of a Musical", "Won", 640),
    ("Golden Mast", "Best Actress in a Musical", "Nominated", 355),
    ("Golden Mast", "Best Sound Design", "Won", 471),
    ("Critics Lamp", "Outstanding Score", "Won", 290),
)
SHIPS = result(
    "Name, Nationality, Tonnage:",
    ("Hestia", "British", 2310),
    ("Corvina", "Norwegian", 1145),
    ("Marsden", "British", 3902),
    ("Aldgate", "British", 812),
)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("Derby ranks number one with 8,120 trips.", "Stoke ranks number one with 6,400 trips."),
        ("The number one depot by trips is Derby with 8,120.", "The number one depot by trips is Crewe."),
        (
            "Number one by trips is Derby (8,120), number two Stoke (6,400), number three Crewe (5,215).",
            "Number one by trips is Stoke (6,400), number two Derby (8,120), number three Crewe (5,215).",
        ),
        ("With 92.2% on time, Crewe is the number one depot.", "With 90.0% on time, Derby is number one."),
        (
            "The top spot for trips went to Derby with 8,120.",
            "The top spot for trips went to Stoke with 6,400.",
        ),
        ("The last spot went to Crewe with 5,215 trips.", "The last spot went to Stoke with 6,400 trips."),
    ],
)
def test_a_place_told_as_a_number_is_that_of_its_figure(true: str, false: str) -> None:
    assert passes(true, DEPOTS)
    assert not passes(false, DEPOTS)


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            PRIZES,
            "It won three Golden Masts: Best Musical, Best Book and Best Sound Design.",
            "It won four Golden Masts: Best Musical, Best Book and Best Sound Design.",
        ),
        (
            PRIZES,
            "It won three Golden Masts: Best Musical, Best Book and Best Sound Design.",
            "It won three Golden Masts: Best Musical, Best Actress and Best Sound Design.",
        ),
        (
            SHIPS,
            "She met three British ships, the Hestia, the Marsden and the Aldgate.",
            "She met three British ships, the Hestia, the Corvina and the Aldgate.",
        ),
        (
            SHIPS,
            "Two of them, the Marsden and the Aldgate, made port.",
            "Three of them, the Marsden and the Aldgate, made port.",
        ),
    ],
)
def test_a_count_before_a_list_is_of_what_it_names(table: Table, true: str, false: str) -> None:
    assert not passes(false, table)
    if "of them" not in true:
        assert passes(true, table)
