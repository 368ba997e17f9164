"""Figures of a whole career, fleet or stay stand in the row of totals, never in one of its parts."""

import pytest

from tests.gateway.ground.drafts import check, codes, declare, passes, result

FLEET = result(
    "Aircraft, In service:, Orders:",
    ("Airbus A320", 31, 4),
    ("Airbus A330", 12, None),
    ("Boeing 737", 26, 18),
    ("Total", 69, 22),
)
CLUBS = result(
    "Club, Season, Division, League Apps:, Cup Apps:, Total Apps:",
    ("Tarn FC", "2004", "First", 30, 0, 30),
    ("Tarn FC", "2005", "First", 28, 6, 34),
    ("Tarn FC", "2006", "Second", 24, 1, 25),
    ("Tarn FC", "Total", "Total", 82, 7, 89),
    ("Hill Town", "2007", "First", 21, 3, 24),
    ("Hill Town", "2008", "First", 25, 2, 27),
    ("Hill Town", "Total", "Total", 46, 5, 51),
    ("Career Total", "Career Total", "Career Total", 128, 12, 140),
)
HOCKEY = result(
    "Season, League, GP:, G:, A:, Pts:",
    ("1990-91", "OHL", 40, 16, 34, 50),
    ("1991-92", "NHL", 32, 12, 10, 22),
    ("1992-93", "NHL", 20, 0, 1, 1),
    ("1993-94", "NHL", 75, 17, 32, 49),
    ("NHL totals", "NHL totals", 127, 29, 43, 72),
)
IN_NHL = [declare("count_rows", where={"column": "league", "op": "=", "value": "NHL"})]
MOVED = result(
    "Club, Season, Division, League Apps:, Total Apps:",
    ("Tarn FC", "2015\u201316", "First", 46, 53),
    ("Tarn FC", "2016\u201317", "First", 9, 12),
    ("Hill Town", "2016\u201317", "Second", 14, 15),
    ("Hill Town", "2017\u201318", "Second", 25, 27),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The airline operates a fleet of 69 aircraft.", "The airline operates a fleet of 22 aircraft."),
        ("The airline operates 69 aircraft.", "The airline operates 31 aircraft."),
        ("The airline has a fleet of 69 aircraft in service.", "The airline has a fleet of 22 in service."),
        ("The airline operates 26 Boeing 737 aircraft.", "The airline operates 18 Boeing 737 aircraft."),
    ],
)
def test_a_fleet_is_all_that_is_in_service(right: str, wrong: str) -> None:
    assert passes(right, FLEET)
    assert codes(check(wrong, FLEET))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Ole Holm played 89 games for Tarn before leaving in 2006.",
            "Ole Holm played 25 games for Tarn before leaving in 2006.",
        ),
        (
            "Ole Holm made 82 league appearances for Tarn before leaving in 2006.",
            "Ole Holm made 7 appearances for Tarn before leaving in 2006.",
        ),
        (
            "Ole Holm played 89 games for Tarn FC before he left in 2006.",
            "Ole Holm played 51 games for Tarn FC before he left in 2006.",
        ),
        (
            "Ole Holm played 89 games for Tarn FC before leaving in 2006.",
            "Ole Holm played 89 games for Tarn FC before leaving in 2005.",
        ),
        (
            "Ole Holm played 51 games for Hill Town until he retired in 2008.",
            "Ole Holm played 140 games for Hill Town until he retired in 2008.",
        ),
        ("Ole Holm played 25 games for Tarn FC in 2006.", "Ole Holm played 89 games for Tarn FC in 2006."),
        ("Ole Holm played 140 games over five seasons.", "Ole Holm played 89 games over five seasons."),
        ("In five seasons Ole Holm made 140 appearances.", "In four seasons Ole Holm made 140 appearances."),
    ],
)
def test_a_stay_up_to_its_last_year_is_its_row_of_totals(right: str, wrong: str) -> None:
    assert passes(right, CLUBS)
    assert codes(check(wrong, CLUBS))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Reed played 127 games over 3 seasons, scoring 29 goals and 43 assists for 72 points.",
            "Reed played 127 games over 3 seasons, scoring 17 goals and 43 assists for 72 points.",
        ),
        ("Reed played 127 games over 3 NHL seasons.", "Reed played 75 games over 3 NHL seasons."),
        ("Reed had 29 goals over 3 seasons.", "Reed had 43 goals over 3 seasons."),
        ("Reed played 127 games over 3 seasons.", "Reed played 40 games over 3 seasons."),
        ("Reed played 127 games over 3 seasons.", "Reed played 127 games over 4 seasons."),
    ],
)
def test_seasons_counted_in_full_are_the_one_row_of_totals(right: str, wrong: str) -> None:
    assert passes(right, HOCKEY, IN_NHL)
    assert codes(check(wrong, HOCKEY, IN_NHL))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Holm had nine league games in 2016\u201317 for Tarn FC and then went to Second side Hill Town.",
            "Holm had 14 league games in 2016\u201317 for Tarn FC and then went to Second side Hill Town.",
        ),
        (
            "Holm played nine league games in 2016\u201317 for Tarn FC and then 14 for Hill Town.",
            "Holm played 14 league games in 2016\u201317 for Tarn FC and then nine for Hill Town.",
        ),
        (
            "Holm played 12 games for Tarn FC in 2016\u201317 and then 15 for Hill Town.",
            "Holm played 15 games for Tarn FC in 2016\u201317 and then 12 for Hill Town.",
        ),
    ],
)
def test_where_somebody_went_then_is_no_name_of_the_number_before(right: str, wrong: str) -> None:
    assert passes(right, MOVED)
    assert codes(check(wrong, MOVED))
