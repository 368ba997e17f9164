"""Subtotals known by computing, whole careers, places behind figures, columns and lists told in turn."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

# Every club has its own total.
CLUBS = result(
    "Club, Season, Division, League Apps:, League Goals:, Total Apps:, Total Goals:",
    ("Orwell Town", "2003\u201304", "Premier Division", 11, 1, 14, 2),
    ("Orwell Town", "2004\u201305", "Premier Division", 20, 3, 23, 3),
    ("Orwell Town", "2005\u201306", "First Division", 34, 8, 40, 9),
    ("Orwell Town", "Total", "Total", 65, 12, 77, 14),
    ("Marsh Rovers", "2006\u201307", "Premier Division", 18, 9, 21, 11),
    ("Marsh Rovers", "2007\u201308", "Second Division", 30, 12, 31, 13),
    ("Marsh Rovers", "Total", "Total", 48, 21, 52, 24),
    ("Career total", "Career total", "Career total", 113, 33, 129, 38),
)
# Totals by country, which name no club.
LANDS = result(
    "Season, Club, League, League Apps:, League Goals:, Cup Apps:",
    ("1988\u201389", "Vard", "Eliteserien", 21, 4, 3),
    ("1989\u201390", "Tarn", "Ligue 2", 17, 6, 1),
    ("1990\u201391", "Tarn", "Ligue 2", 30, 5, 2),
    ("1991\u201392", "Mell", "Ligue 1", 26, 2, 4),
    ("1992\u201393", "Vard", "Eliteserien", 19, 7, 5),
    ("1993\u201394", "Skien", "Eliteserien", 12, 1, 0),
    ("Total", "Norway", "Norway", 52, 12, 8),
    ("Total", "France", "France", 73, 13, 7),
    ("Career total", "Career total", "Career total", 125, 25, 15),
)
ONE_CLUB = result(
    "Club, Season, Division, League Apps:, League Goals:, Total Apps:, Total Goals:",
    ("Upper Orwell Swifts", "1901\u201302", "Second Division", 12, 2, 15, 2),
    ("Upper Orwell Swifts", "1902\u201303", "Second Division", 31, 6, 33, 7),
    ("Upper Orwell Swifts", "1903\u201304", "First Division", 28, 9, 30, 10),
    ("Total", "Total", "Total", 71, 17, 78, 19),
)
SEAT = result(
    "Party, Candidate, Votes:, %:, \u00b1:",
    ("Whig", "Henry Moss", 20412, 50.9, None),
    ("Tory", "Giles Fenn", 19339, 48.2, 4.1),
    ("Green", "Ada Cole", 361, 0.9, None),
    ("Majority", "Majority", 1073, 2.7, None),
    ("Turnout", "Turnout", 40112, None, None),
)
ROLL = result(
    "Candidate, Votes:, %:percent",
    ("Ida Holt", 51200, 64.0),
    ("Per Lund", 28800, 36.0),
    ("Valid votes", 80000, 98.0),
    ("Invalid votes", 1633, 2.0),
    ("Votes cast", 81633, 68.03),
    ("Registered voters", 120000, None),
)
DUEL = result(
    "Party, Candidate, Votes:, %:, +:",
    ("Whig", "Henry Moss", 20412, 58, "-"),
    ("Tory", "Giles Fenn", 14781, 42, "-"),
)
PLANTS = result(
    "Name, Fuel, Site, Capacity:MW",
    ("Brook Power", "Gas", "Tarn", 310),
    ("Mell South", "Gas", "Mell", 455),
    ("Orwell", "Gas", "Orwell", 720),
    ("Vane 1", "Wind", "Near Kelm", 95),
    ("Vane 2", "Wind", "Kelm", 88),
)
SINGLES = result(
    "Year, Title, Peak U.S. Alt.:, Peak U.S. Rock:, Album",
    ("2004", '"Hollow"', 27, None, "Run the Long Road"),
    ("2005", '"Run the Long Road"', 14, 38, "Run the Long Road"),
    ("2005", '"Poor Boys"', 36, 22, "Run the Long Road"),
    ("2007", '"Second Sun"', 40, None, "Harbor"),
)
ENGINES = result(
    "Year, Builder, Works no.:, Class B no.:, Class B2 no.:",
    ("1904", "Hale", 3311, None, 410),
    ("1904", "Hale", 3315, 251, 411),
    ("1905", "Hale", 3402, 267, 412),
    ("1905", "Orm", 3420, 273, 413),
    ("1906", "Orm", 3444, 288, None),
)
ABOUT = {id(ROLL): "1951 Vardar presidential election", id(ENGINES): "Class B2 4-6-0"}


def _passes(draft: str, table: Table) -> bool:
    return passes(draft, table, scope=replace(ANYTHING, subject=ABOUT.get(id(table), "")))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            CLUBS,
            "Ladd reached the First Division in 2005 and went on to make 77 appearances for Orwell Town.",
        ),
        (CLUBS, "He came up in 2006 and went on to score 24 goals in 52 games for Marsh Rovers."),
        (
            CLUBS,
            "He spent 2006\u201307 and 2007\u201308 with Marsh Rovers, and scored 21 goals in 48 games.",
        ),
        (
            CLUBS,
            "Ladd spent the 2003\u201304, 2004\u201305 and 2005\u201306 seasons with Orwell Town, "
            "and scored twelve goals in 65 appearances.",
        ),
        (LANDS, "Ohm scored 12 goals in 52 games for Vard and Skien in the Eliteserien."),
        (LANDS, "Ohm made 73 league appearances for Tarn and Mell."),
        (ONE_CLUB, "Reed scored 19 goals in 78 games for the club Swifts."),
        (ONE_CLUB, "Reed played 78 games for Upper Orwell Swifts."),
        (SEAT, "Henry Moss won the seat in 1951 by 1,073 votes."),
        (ROLL, "Out of the 120,000 registered voters, there was a voter turn-out of 68.03%."),
        (ROLL, "Of 120,000 registered voters, turnout was 68.03%."),
        (DUEL, "Moss defeated his rival, Giles Fenn, (20,412; 58% to 14,781; 42%)."),
        (DUEL, "Henry Moss beat Giles Fenn (20,412 votes, 58% to 14,781 votes, 42%)."),
        (
            PLANTS,
            "It runs a 310 MW gas-fired power plant in Brook, a 455 MW gas-fired power plant at Mell South, "
            "and a 720 MW gas-fired power plant at Orwell.",
        ),
        (PLANTS, "It has a 455 MW gas power plant at Mell South and a 720 MW gas power plant at Orwell."),
        (
            SINGLES,
            '"Hollow" reached number 27, "Run the Long Road" reached number 14 and "Poor Boys" reached '
            "number 36 on the Alternative chart.",
        ),
        (
            ENGINES,
            "The numbers 251, 267 and 273 became Class B2 and were given 411, 412 and 413 respectively.",
        ),
        (ENGINES, "Class B numbers 251 and 273 became Class B2 numbers 411 and 413, respectively."),
    ],
)
def test_what_the_table_adds_up_or_answers_passes(table: Table, draft: str) -> None:
    assert _passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            CLUBS,
            "Ladd reached the First Division in 2005 and went on to make 40 appearances for Orwell Town.",
        ),
        (
            CLUBS,
            "Ladd reached the First Division in 2005 and went on to make 52 appearances for Orwell Town.",
        ),
        (CLUBS, "He came up in 2006 and went on to score 11 goals in 21 games for Marsh Rovers."),
        (
            CLUBS,
            "He spent 2006\u201307 and 2007\u201308 with Marsh Rovers, and scored 12 goals in 30 games.",
        ),
        (
            CLUBS,
            "Ladd spent the 2003\u201304, 2004\u201305 and 2005\u201306 seasons with Orwell Town, "
            "and scored eight goals in 34 appearances.",
        ),
        (
            CLUBS,
            "Ladd spent the 2003\u201304 and 2004\u201305 seasons with Orwell Town, "
            "and scored twelve goals in 65 appearances.",
        ),
        (LANDS, "Ohm scored 13 goals in 73 games for Vard and Skien in the Eliteserien."),
        (LANDS, "Ohm scored 7 goals in 19 games for Vard and Skien in the Eliteserien."),
        (LANDS, "Ohm scored 12 goals in 52 games for Vard and Mell."),
        (LANDS, "Ohm made 125 league appearances for Tarn and Mell."),
        (LANDS, "Ohm made 73 league appearances for Tarn."),
        (ONE_CLUB, "Reed scored 10 goals in 30 games for the club Swifts."),
        (ONE_CLUB, "Reed played 33 games for Upper Orwell Swifts."),
        (SEAT, "Giles Fenn won the seat in 1951 by 1,073 votes."),
        (SEAT, "Henry Moss won the seat in 1951 by 361 votes."),
        (ROLL, "Out of the 120,000 registered voters, there was a voter turn-out of 98.0%."),
        (ROLL, "Out of the 81,633 registered voters, there was a voter turn-out of 68.03%."),
        (ROLL, "Of 120,000 registered voters, turnout was 64.0%."),
        (DUEL, "Moss defeated his rival, Giles Fenn, (20,412; 42% to 14,781; 58%)."),
        (DUEL, "Moss defeated his rival, Giles Fenn, (14,781; 42% to 20,412; 58%)."),
        (DUEL, "Fenn defeated his rival, Henry Moss, (20,412; 58% to 14,781; 42%)."),
        (
            PLANTS,
            "It runs a 455 MW gas-fired power plant in Brook, a 310 MW gas-fired power plant at Mell South, "
            "and a 720 MW gas-fired power plant at Orwell.",
        ),
        (PLANTS, "It has a 720 MW gas power plant at Mell South and a 455 MW gas power plant at Orwell."),
        (
            SINGLES,
            '"Hollow" reached number 14, "Run the Long Road" reached number 27 and "Poor Boys" reached '
            "number 36 on the Alternative chart.",
        ),
        (
            SINGLES,
            '"Hollow" reached number 27, "Run the Long Road" reached number 38 and "Poor Boys" reached '
            "number 36 on the Alternative chart.",
        ),
        (
            ENGINES,
            "The numbers 251, 267 and 273 became Class B2 and were given 411, 413 and 412 respectively.",
        ),
        (
            ENGINES,
            "The numbers 267, 251 and 273 became Class B2 and were given 411, 412 and 413 respectively.",
        ),
        (ENGINES, "Class B numbers 251 and 273 became Class B2 numbers 413 and 411, respectively."),
    ],
)
def test_what_is_of_another_row_or_turned_round_blocks(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT.get(id(table), ""))).verdict == "block"


TOWNS = result(
    "Town, County, People (1990):, People (2000):, People (2010):",
    ("Kelm", "North Vard", 51210, 54380, 61102),
    ("Orwell", "North Vard", 40277, 41090, 43655),
    ("Quincy", "South Vard", 22019, 25930, 28411),
)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Kelm has 61,102 people and Orwell has 43,655 people.", True),
        ("Kelm (54,380 people) is followed by Orwell (41,090 people) and Quincy (25,930 people).", True),
        ("Kelm has 61,102 people and Orwell has 40,277 people.", False),
        ("Kelm (54,380 people) is followed by Orwell (41,090 people) and Quincy (22,019 people).", False),
        ("Kelm and Quincy have 61,102 and 25,930 people respectively.", False),
    ],
)
def test_figures_of_several_rows_told_alike_are_of_one_column(draft: str, stands: bool) -> None:
    assert passes(draft, TOWNS) is stands


SHIPS = result(
    "Feature, HMS Orwell, SS Vale",
    ("Displacement", "1410 tons", "1688 tons"),
    ("Complement", "302 men", "at least 417 men"),
    ("Broadside weight", "588 lb", "744 lb"),
)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Vale had a broadside of 744 pounds and Orwell had a broadside of 588 pounds.", True),
        ("Orwell had a complement of 302 and a broadside of 588 pounds.", True),
        ("Vale had a broadside of 588 pounds and Orwell had a broadside of 744 pounds.", False),
        ("Orwell had a complement of 302 and a broadside of 744 pounds.", False),
    ],
)
def test_a_number_in_text_is_of_the_thing_that_its_header_names(draft: str, stands: bool) -> None:
    assert passes(draft, SHIPS) is stands
