"""Names and years that no row holds together, outcomes that a cell denies, and who is meant by two names."""

import pytest

from tests.gateway.ground.drafts import check, codes, passes, result
from traces.records import Table

ROLES = result(
    "Year, Title, Role, Director",
    ("1994", "Harbor", "Nell", "Ann Crane"),
    ("1997", "Night Ferry", "Ann Lowe", "Bo Hart"),
    ("2001", "Glass", "Mrs. Dale", "Ann Crane"),
)
AWARDS = result(
    "Year, Category, Nominee, Result",
    ("2005", "Best Actor", "Jon Pell", "Nominated"),
    ("2006", "Best Actor", "Jon Pell", "Won"),
    ("2008", "Best Director", "Mia Strand", "Nominated"),
)
COACHES = result(
    "Name, Years, Games:, Wins:, Losses:, Ties:",
    ("Al Burke", "1921\u20131926", 47, 30, 14, 3),
    ("Sid Marsh", "1927\u20131935", 81, 40, 38, 3),
)
KINGS = result(
    "Name, Born, Died, Reign start:, Reign end:, Length (years):",
    ("Aldric II", "1203", "1260", 1231, 1260, 29),
    ("Berengar", "1235", "1277", 1260, 1277, 17),
)
TEAMS = result("Team, GP:, W:, L:, OTL:, PTS:", ("Owls", 82, 49, 25, 8, 106), ("Jets", 82, 41, 31, 10, 92))
DISTRICTS = result(
    "District, Area:, Population 2001:, Population 2011:",
    ("Aldar", 310, 42100, 45890),
    ("Borr", 128, 61020, 70115),
    ("Total", 438, 103120, 116005),
)
HOUSE = result(
    "Congress, Representative, Votes:, Percentage:, Opponent, Opponent votes:, Opponent percentage:",
    ("101st", "Ivy Carr", 98011, 61.3, "Ted Lowe", 61876, 38.7),
    ("102nd", "Ivy Carr", 110420, 58.9, "Gus Wynn", 77050, 41.1),
)
VOTES = result(
    "Party, Candidate, Votes:, Percentage:",
    ("Republican", "Dan Teel", 101332, 57.9),
    ("Democratic", "Sue Hart", 70110, 40.1),
    ("Libertarian", "Rod Keene", 3504, 2.0),
)
FAITHS = result("Religion, Adherents:, % of population:", ("Catholic", 40210, 71.4), ("Lutheran", 9050, 16.1))


@pytest.mark.parametrize(
    ("right", "wrong", "table"),
    [
        ("She played Ann Lowe in Night Ferry.", "She played Ann Lowe in Glass.", ROLES),
        ("Night Ferry was made by Bo Hart.", "Harbor by Bo Hart was her debut.", ROLES),
    ],
)
def test_two_names_side_by_side_stand_in_one_row(right: str, wrong: str, table: Table) -> None:
    assert passes(right, table)
    assert codes(check(wrong, table))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Jon Pell won Best Actor in 2006.", "Jon Pell won Best Actor in 2005."),
        ("Mia Strand was nominated for Best Director in 2008.", "Mia Strand won Best Director in 2008."),
    ],
)
def test_what_was_only_nominated_was_not_won(right: str, wrong: str) -> None:
    assert passes(right, AWARDS)
    assert codes(check(wrong, AWARDS))


@pytest.mark.parametrize(
    ("right", "wrong", "table"),
    [
        ("Al Burke coached from 1921 to 1926.", "Al Burke coached from 1927 to 1935.", COACHES),
        ("Aldric II reigned from 1231 to 1260.", "Aldric II reigned from 1260 to 1277.", KINGS),
        (
            "Berengar, born in 1235, ruled for 17 years.",
            "Berengar, born in 1203, ruled for 17 years.",
            KINGS,
        ),
    ],
)
def test_years_of_another_row_are_refused_in_any_century(right: str, wrong: str, table: Table) -> None:
    assert passes(right, table)
    assert codes(check(wrong, table))


def test_games_lost_in_overtime_end_a_record() -> None:
    assert passes("The Owls finished with 106 points and a 49\u201325\u20138 record.", TEAMS)
    assert codes(check("The Owls finished with 106 points and a 49\u201331\u20138 record.", TEAMS))


def test_a_row_of_totals_is_none_of_those_counted() -> None:
    assert passes("In 2011 the two districts had a total population of 116,005.", DISTRICTS)
    assert codes(check("In 2011 the three districts had a total population of 116,005.", DISTRICTS))


def test_an_opponent_of_the_same_row_tells_which_row_is_meant() -> None:
    assert passes("Ivy Carr beat Gus Wynn with 58.9% of the vote.", HOUSE)
    assert codes(check("Ivy Carr beat Gus Wynn with 61.3% of the vote.", HOUSE))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "Teel received 101,332 votes (57.9 percent) against 70,110 (40.1 percent) for Hart.",
            "Teel received 101,332 votes (40.1 percent) against 70,110 (57.9 percent) for Hart.",
        ),
        ("Teel beat both Hart (40.1%) and Keene (2%).", "Teel beat both Hart (2%) and Keene (40.1%)."),
    ],
)
def test_a_share_in_brackets_is_of_the_name_beside_it(right: str, wrong: str) -> None:
    assert passes(right, VOTES)
    assert codes(check(wrong, VOTES))


def test_what_a_share_is_of_names_no_column_of_counts() -> None:
    assert passes("Some 40,210 residents (71.4%) are Catholic.", FAITHS)
    assert codes(check("Some 40,210 residents (16.1%) are Catholic.", FAITHS))


FINALS = result(
    "Year, Winner, Runner-up, Score",
    ("1998", "Ana Bel", "Ida Orr", "6\u20133, 6\u20134"),
    ("1999", "Kim Soo", "Ana Bel", "7\u20135, 6\u20132"),
    ("2000", "Ida Orr", "Kim Soo", "6\u20131, 3\u20136, 6\u20133"),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "In 1998 Ana Bel beat Ida Orr 6\u20133, 6\u20134.",
            "In 1998 Ida Orr beat Ana Bel 6\u20133, 6\u20134.",
        ),
        ("Ida Orr won the 2000 title over Kim Soo.", "Kim Soo won the 2000 title over Ida Orr."),
        ("In 1999 Ana Bel lost to Kim Soo.", "In 1999 Kim Soo lost to Ana Bel."),
    ],
)
def test_a_winner_and_a_runner_up_keep_their_sides(right: str, wrong: str) -> None:
    assert passes(right, FINALS)
    assert codes(check(wrong, FINALS))


def test_what_one_name_is_of_another_stands_in_one_row() -> None:
    table = result(
        "Territory, Population:, Capital", ("Isla Norte", 12400, "Port Ann"), ("Isla Sur", 3900, "Gorod")
    )
    assert passes("Gorod is the capital of Isla Sur.", table)
    assert passes("The capital of Isla Sur is Gorod.", table)
    assert codes(check("The capital of Isla Norte is Gorod.", table))
    assert codes(check("Gorod is the capital of Isla Norte.", table))


def test_a_time_behind_a_name_in_one_cell_is_that_names() -> None:
    table = result(
        "Event, Gold, Silver",
        ("100 m", "Al Roe 10.21", "Bo Tan 10.30"),
        ("200 m", "Bo Tan 20.55", "Al Roe 20.61"),
    )
    assert passes("Al Roe won the 100 m in 10.21.", table)
    assert codes(check("Bo Tan won the 100 m in 10.21.", table))


def test_what_is_denied_of_two_names_is_no_claim_of_them() -> None:
    assert passes("She never played Ann Lowe in Glass.", ROLES)
    assert passes("Ida Orr did not beat Ana Bel in 1998.", FINALS)


def test_a_superlative_that_heads_a_column_of_names_is_no_claim() -> None:
    table = result(
        "Island, Highest point, Elevation (m):", ("Norte", "Pico Alto", 1204), ("Sur", "Cerro Bel", 640)
    )
    assert check("The highest point of Sur is Cerro Bel at 640 m.", table).verdict == "pass"
    assert codes(check("The highest point of Sur is Cerro Bel at 1,204 m.", table))
    assert codes(check("The highest point of Norte is Cerro Bel.", table))
