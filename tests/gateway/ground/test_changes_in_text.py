"""Text columns of changes ("+3", "New"), figures that open a text cell, and names that open with one."""

import pytest

from tests.gateway.ground.drafts import check, codes, passes, result

SEATS = result(
    "Party, Votes:, %:, Seats:, +/\u2013",
    ("Unity Party", 51000, 48.2, 98, "\u201315"),
    ("New Dawn", 30000, 28.3, 11, "New"),
    ("Rally", 24900, 23.5, 6, "+3"),
    ("Total", 105900, 100, 115, "\u201312"),
)
SHARES = result(
    "Election, Leader, Share, Seats:",
    ("1987", "Ida Sund", "47.4% (1st)", 71),
    ("1991", "Ida Sund", "39.0% (2nd)", 58),
    ("1995", "Olaf Berg", "21.3% (3rd)", 30),
)
MEETS = result(
    "Year, Competition, Venue, Position, Event, Notes",
    ("2008", "Delta Games (U-17)", "Port Ann", "1st", "400 m", "47.87"),
    ("2008", "World Youth Meet", "Gorod", "2nd", "400 m", "45.70 PB"),
    ("2010", "Delta Games (U-20)", "Georgeport", "1st", "200 m", "20.76 (+0.8 m/s) SB"),
    ("2010", "Delta Games (U-20)", "Georgeport", "1st", "400 m", "45.02 PB GR"),
)


@pytest.mark.parametrize(
    "draft",
    [
        "The Unity Party won 98 seats, losing 15.",
        "Despite losing 15 seats, the Unity Party won 98 of the 115 seats.",
        "Rally gained three seats and finished with 6.",
        "The Unity Party lost 15 seats.",
    ],
)
def test_a_change_in_a_text_column_has_its_sign(draft: str) -> None:
    assert passes(draft, SEATS)


@pytest.mark.parametrize(
    "draft",
    [
        "Rally lost three seats and finished with 6.",
        "The Unity Party gained 15 seats.",
        "Despite losing 12 seats, the Unity Party won 98 of the 115 seats.",
        "Rally gained 15 seats.",
        "New Dawn lost 15 seats.",
    ],
)
def test_a_change_of_the_wrong_sign_or_row_is_refused(draft: str) -> None:
    assert codes(check(draft, SEATS))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("In 1987 the party took 47.4% of the vote.", "In 1991 the party took 47.4% of the vote."),
        ("Under Olaf Berg it took 21.3%.", "Under Olaf Berg it took 39.0%."),
    ],
)
def test_the_figure_that_opens_a_text_cell_is_the_cells(right: str, wrong: str) -> None:
    assert passes(right, SHARES)
    assert codes(check(wrong, SHARES))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Kane set a personal best of 45.02 s in the 400 m at the 2010 Delta Games.",
            "Kane set a personal best of 45.70 s in the 400 m at the 2010 Delta Games.",
        ),
        (
            "Kane won the 200 m at the 2010 Delta Games in 20.76 seconds.",
            "Kane won the 200 m at the 2010 Delta Games in 45.02 seconds.",
        ),
        (
            "At the 2008 World Youth Meet he came second in 45.70.",
            "At the 2008 World Youth Meet he came second in 47.87.",
        ),
    ],
)
def test_a_mark_behind_a_time_in_a_text_cell_leaves_it_a_time(right: str, wrong: str) -> None:
    assert passes(right, MEETS)
    assert codes(check(wrong, MEETS))


CARS = result(
    "Model, Years, Engine, Power (hp):, Units built:",
    ("A110", "1961\u20131965", "1.1 L I4", 55, 7812),
    ("A130", "1965\u20131970", "1.3 L I4", 72, 10240),
)
ENGINES = result(
    "Engine, Displacement (cc):, Power (hp):, Years",
    ("1.6 petrol", 1598, 110, "2005\u20132010"),
    ("2.0 diesel", 1995, 140, "2006\u20132012"),
)
PLANES = result("Type, Built:, Seats:", ("Swift 2", 44, 19), ("Swift 4", 12, 52))
CHARTS = result(
    "Chart, Peak:", ("US Hot Songs", 5), ("US Country Songs", 2), ("UK Singles", 14), ("Canada", 9)
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The A130 had a 1.3 L engine producing 72 hp.", "The A130 had a 1.1 L engine producing 72 hp."),
        ("The A110 was built with a 1.1 L engine.", "The A110 was built with a 1.3 L engine."),
    ],
)
def test_a_figure_and_its_unit_may_open_a_text_cell_of_the_row(right: str, wrong: str) -> None:
    assert passes(right, CARS)
    assert codes(check(wrong, CARS))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The 2.0 diesel produces 140 hp.", "The 2.0 diesel produces 110 hp."),
        (
            "The 1.6 petrol engine has a displacement of 1,598 cc.",
            "The 1.6 petrol engine has a displacement of 1,995 cc.",
        ),
    ],
)
def test_a_row_may_be_called_by_a_number_and_a_word(right: str, wrong: str) -> None:
    assert passes(right, ENGINES)
    assert codes(check(wrong, ENGINES))


def test_several_of_a_numbered_type_name_its_row() -> None:
    assert passes("Forty-four Swift 2s were built.", PLANES)
    assert codes(check("Forty-four Swift 4s were built.", PLANES))


def test_two_capitals_that_one_row_has_name_it() -> None:
    assert passes("It reached number 14 in the UK.", CHARTS)
    assert codes(check("It reached number 9 in the UK.", CHARTS))
    assert codes(check("It let us reach number 14.", CHARTS))
