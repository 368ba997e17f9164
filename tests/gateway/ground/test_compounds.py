"""Figures of two units, of one number in two spellings, and parts told in brackets: each of its own cell."""

import pytest

from tests.gateway.ground.drafts import check, codes, declare, passes, result

THROWS = result(
    "Year, Competition, Venue, Event, Notes",
    ("2013", "Coast Games", "Marren", "Discus throw", "50.48 m (165 ft 7 in)"),
    ("2017", "World Meet", "Oslo", "Hammer throw", "66.24 m (217 ft 4 in)"),
    ("2018", "Lake Games", "Tarn", "Discus throw", "59.10 m (193 ft 10 in)"),
    ("2018", "Lake Games", "Tarn", "Shot put", "18.22 m (59 ft 9 in)"),
)
CAREER = result(
    "Club, Season, League Division, League Apps:, Cup Apps:, Total Apps:",
    ("Vale Rovers", "2005", "First League", 0, 0, 0),
    ("Vale Rovers", "2006", "First League", 22, 4, 26),
    ("Vale Rovers", "2007", "First League", 14, 3, 17),
    ("Hill Town", "2008", "First League", 27, 2, 29),
)
RUNS = result(
    "Year, Competition, Position, Event, Notes",
    ("2009", "World Meet", "1st", "400m", "49.00"),
    ("2012", "Lake Games", "5th", "200 m", "22.39"),
    ("2012", "Lake Games", "1st", "400 m", "49.55"),
    ("2012", "Lake Games", "1st", "4 \u00d7 400 m relay", "3:16.88"),
)
AWARDS = result(
    "Year, Award, Category, Nominee, Result",
    ("2012", "Lark Award", "Best Score", "Ann Lowe", "Won"),
    ("2012", "Lark Award", "Best Book", "Bo Reed", "Won"),
    ("2012", "Lark Award", "Best Actor", "Cy Vane", "Nominated"),
)
WON = [declare("count_rows", where={"column": "result", "op": "=", "value": "Won"})]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Ida Holm threw 59.10 m (193 ft 10 in) in Tarn at the 2018 Lake Games.",
            "Ida Holm threw 59.10 m (193 ft 9 in) in Tarn at the 2018 Lake Games.",
        ),
        (
            "In 2017 Ida Holm threw the hammer 66.24 m (217 ft 4 in) in Oslo.",
            "In 2017 Ida Holm threw the hammer 66.24 m (165 ft 7 in) in Oslo.",
        ),
        (
            "Ida Holm threw 59.10 m (193 ft 10 in) in Tarn at the 2018 Lake Games.",
            "Ida Holm threw 59.10 m (59 ft 9 in) in Tarn at the 2018 Lake Games.",
        ),
        ("In 2017 Ida Holm threw 217 ft 4 in in Oslo.", "In 2017 Ida Holm threw 217 ft 7 in in Oslo."),
        ("In 2013 Ida Holm threw 165 ft 7 in in Marren.", "In 2013 Ida Holm threw 217 ft 4 in in Marren."),
    ],
)
def test_a_measure_of_two_units_stands_as_it_is_in_its_row(right: str, wrong: str) -> None:
    assert passes(right, THROWS)
    assert codes(check(wrong, THROWS))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "In the 2006 season, Reed made twenty\u2013six appearances (22 in the league) for Vale Rovers.",
            "In the 2006 season, Reed made twenty\u2013nine appearances (22 in the league) for Vale Rovers.",
        ),
        (
            "In the 2006 season, Reed made twenty-six appearances (22 in the league) for Vale Rovers.",
            "In the 2006 season, Reed made twenty-six appearances (4 in the league) for Vale Rovers.",
        ),
        (
            "In the 2006 season, Reed made 26 appearances (22 in the league, 4 in the cup) for Vale Rovers.",
            "In the 2006 season, Reed made 26 appearances (4 in the league, 22 in the cup) for Vale Rovers.",
        ),
        (
            "In the 2006 season, Reed made twenty-six appearances (four in the cup) for Vale Rovers.",
            "In the 2006 season, Reed made twenty-two appearances (26 in the league) for Vale Rovers.",
        ),
        (
            "In the 2007 season, Reed made 17 appearances (14 in the league) for Vale Rovers.",
            "In the 2007 season, Reed made 17 appearances (22 in the league) for Vale Rovers.",
        ),
    ],
)
def test_a_bracket_tells_another_column_of_the_same_row(right: str, wrong: str) -> None:
    assert passes(right, CAREER)
    assert codes(check(wrong, CAREER))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "At the 2012 Lake Games she finished the 400m in 49.55.",
            "At the 2012 Lake Games she finished the 400m in 22.39.",
        ),
        (
            "At the 2009 World Meet she ran the 400 m in 49.00.",
            "At the 2009 World Meet she ran the 400 m in 49.55.",
        ),
    ],
)
def test_one_distance_in_two_spellings_is_one(right: str, wrong: str) -> None:
    assert passes(right, RUNS)
    assert codes(check(wrong, RUNS))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The show won two 2012 Lark Awards.", "The show won three 2012 Lark Awards."),
        ("The show won two 2012 Lark Awards.", "The show won two 2014 Lark Awards."),
    ],
)
def test_a_year_before_a_name_of_its_row_counts_nothing(right: str, wrong: str) -> None:
    assert passes(right, AWARDS, WON)
    assert codes(check(wrong, AWARDS, WON))


def test_a_best_of_ones_own_is_not_the_best_of_all() -> None:
    table = result(
        "Rank:, Name, Country, Round 1, Round 2, Mark:",
        (5, "Ole Sokol", "Norway", "76.22", "77.50", 77.5),
        (7, "Dag Nazar", "Sweden", "76.33", "77.22", 77.22),
        (8, "Per Lund", "Denmark", "75.40", "75.87", 75.87),
    )
    assert passes("Sokol improved to 77.50 m, while Dag Nazar moved up with his best at 77.22 m.", table)
    assert codes(
        check("Sokol improved to 77.22 m, while Dag Nazar moved up with his best at 77.50 m.", table)
    )
    assert codes(check("Dag Nazar had the best mark, 77.22 m.", table))
