"""Rows of totals over the rows of one name: what is said of a club or a league without a season."""

import pytest

from tests.gateway.ground.drafts import check, codes, passes, result

CAREER = result(
    "Club, Season, Division, Apps:, Goals:",
    ("Orwell Town", "2003\u201304", "Division One", 27, 3),
    ("Orwell Town", "2004\u201305", "Division One", 37, 4),
    ("Orwell Town", "Total", "Total", 64, 7),
    ("Marsh Rovers", "2005\u201306", "Division Two", 18, 9),
    ("Marsh Rovers", "2006\u201307", "Division Two", 30, 12),
    ("Marsh Rovers", "Total", "Total", 48, 21),
    ("Career total", "Career total", "Career total", 112, 28),
)
LEAGUES = result(
    "Season, Team, League, Regular Season GP:, Regular Season G:, Playoffs GP:, Playoffs G:",
    ("1967\u201368", "Orwell Owls", "NHL", 12, 0, None, None),
    ("1968\u201369", "Quincy Aces", "AHL", 71, 10, 15, 1),
    ("1969\u201370", "Tarn Kings", "NHL", 77, 10, 4, 1),
    ("1970\u201371", "Tarn Kings", "NHL", 78, 15, None, None),
    ("NHL totals", "NHL totals", "NHL totals", 167, 25, 4, 1),
    ("AHL totals", "AHL totals", "AHL totals", 71, 10, 15, 1),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Ladd scored 21 goals for Marsh Rovers.", "Ladd scored 12 goals for Marsh Rovers."),
        ("Ladd made 64 appearances for Orwell Town.", "Ladd made 37 appearances for Orwell Town."),
        (
            "Ladd made 64 appearances overall for Orwell Town.",
            "Ladd made 48 appearances overall for Orwell Town.",
        ),
        ("Over his career he made 112 appearances.", "Over his career he made 48 appearances."),
    ],
)
def test_what_is_said_of_a_club_without_a_season_is_its_total(right: str, wrong: str) -> None:
    assert passes(right, CAREER)
    assert codes(check(wrong, CAREER))


@pytest.mark.parametrize(
    "draft",
    [
        "In 2006\u201307 Ladd scored 12 goals for Marsh Rovers.",
        "In his best season for Marsh Rovers Ladd scored 12 goals.",
        "In 2003\u201304 he made 27 appearances for Orwell Town.",
    ],
)
def test_a_season_named_or_singled_out_keeps_its_own_row(draft: str) -> None:
    assert passes(draft, CAREER)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Dirk Ohm played 167 NHL games.", "Dirk Ohm played 155 NHL games."),
        (
            "Ohm played 167 games in the NHL for the Orwell Owls and the Tarn Kings.",
            "Ohm played 78 games in the NHL for the Orwell Owls and the Tarn Kings.",
        ),
        ("He played 167 games in the NHL, scoring 25 goals.", "He played 77 games in the NHL."),
        ("He played 71 games in the AHL.", "He played 167 games in the AHL."),
        ("He appeared in 4 playoff games in the NHL.", "He appeared in 15 playoff games in the NHL."),
    ],
)
def test_what_is_said_of_a_league_is_in_its_row_of_totals(right: str, wrong: str) -> None:
    assert passes(right, LEAGUES)
    assert codes(check(wrong, LEAGUES))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("He finished his career with 5,512 yards.", "He finished his career with 3,102 yards."),
        ("He threw 41 touchdowns in his career.", "He threw 24 touchdowns in his career."),
    ],
)
def test_a_career_is_the_row_of_totals_over_all_seasons(right: str, wrong: str) -> None:
    table = result(
        "Season, Team, GP:, Yards:, Touchdowns:",
        ("2001", "Kelm", 11, 2410, 17),
        ("2002", "Kelm", 12, 3102, 24),
        ("Total", "Total", 23, 5512, 41),
    )
    assert passes(right, table)
    assert codes(check(wrong, table))
    assert passes("In 2002 he threw for a career high of 3,102 yards.", table)
