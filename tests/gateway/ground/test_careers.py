"""Careers season by season: totals of a club or league, cups and leagues, seasons in full."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

CLUB = result(
    "Club, Season, League Division, League Apps:, League Goals:, National Cup Apps:, National Cup Goals:, "
    "League Cup Apps:, League Cup Goals:, Total Apps:, Total Goals:",
    ("Harrow Town", "2006\u201307", "Second Division", 11, 0, 1, 0, 0, 0, 12, 0),
    ("Harrow Town", "2007\u201308", "Second Division", 30, 4, 2, 1, 1, 0, 33, 5),
    ("Harrow Town", "2008\u201309", "First Division", 41, 9, 3, 0, 2, 1, 46, 10),
    ("Harrow Town", "Total", "Total", 82, 13, 6, 1, 3, 1, 91, 15),
    ("Wessex City", "2009\u201310", "Premier Division", 0, 0, 1, 0, 1, 0, 2, 0),
    ("Wessex City", "2010\u201311", "Premier Division", 5, 1, 0, 0, 0, 0, 5, 1),
    ("Wessex City", "Total", "Total", 5, 1, 1, 0, 1, 0, 7, 1),
    ("Career total", "Career total", "Career total", 87, 14, 7, 1, 4, 1, 98, 16),
)
HOCKEY = result(
    "Season, Team, League, Regular season GP:, Regular season G:, Regular season A:, "
    "Regular season Pts:, Playoffs GP:",
    ("2003\u201304", "Duluth Hawks", "AHL", 61, 9, 14, 23, None),
    ("2004\u201305", "Duluth Hawks", "AHL", 70, 12, 30, 42, 7),
    ("2005\u201306", "Tampa Bay Lightning", "NHL", 48, 3, 9, 12, None),
    ("2006\u201307", "Tampa Bay Lightning", "NHL", 63, 5, 11, 16, 4),
    ("2007\u201308", "Modo", "SHL", 50, 10, 10, 20, None),
    ("AHL totals", "AHL totals", "AHL totals", 131, 21, 44, 65, 7),
    ("NHL totals", "NHL totals", "NHL totals", 111, 8, 20, 28, 4),
)

ABOUT = {id(CLUB): "Adam Rook — Career statistics", id(HOCKEY): "Lars Holt — Regular season and playoffs"}


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (CLUB, "Rook made 91 total appearances with Harrow Town from 2006-2007 to 2008-2009."),
        (CLUB, "He made 91 appearances for Harrow Town, scoring 15 goals."),
        (
            CLUB,
            "In the 2009-2010 season Rook made two appearances for Wessex City, one in the "
            "National Cup and one in the League Cup.",
        ),
        (
            CLUB,
            "In the 2006-2007 season Rook made 12 appearances for Harrow Town, eleven in the "
            "league and one in the National Cup.",
        ),
        (CLUB, "In 2007-08 he scored four goals in the league and one in the National Cup."),
        (CLUB, "In 2008-09 he made three National Cup appearances and two League Cup appearances."),
        (CLUB, "He made 41 league appearances in the 2008–09 season, scoring nine goals."),
        (CLUB, "Across his career, he made 98 appearances and scored 16 goals."),
        (CLUB, "He played 87 league games, scoring 14 goals."),
        (HOCKEY, "Holt played 111 NHL games with the Lightning."),
        (
            HOCKEY,
            "Holt played for the Duluth Hawks in the AHL, totalling 65 points in 131 regular season games.",
        ),
        (HOCKEY, "In the NHL he recorded 28 points (8 goals and 20 assists) in 111 games."),
        (HOCKEY, "He had 65 points in 131 AHL games and 28 points in 111 NHL games."),
        (HOCKEY, "In 2004–05 he had 42 points in 70 games for the Hawks."),
        (HOCKEY, "He played 63 games for the Lightning in the 2006-2007 season."),
    ],
)
def test_a_career_is_told_by_its_own_rows_and_columns(table: Table, draft: str) -> None:
    assert passes(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (CLUB, "Rook made 46 total appearances with Harrow Town from 2006-2007 to 2008-2009."),
        (CLUB, "Rook made 98 total appearances with Harrow Town from 2006-2007 to 2008-2009."),
        (CLUB, "Rook made 91 total appearances with Harrow Town from 2006-2007 to 2007-2008."),
        (CLUB, "He made 91 appearances for Harrow Town, scoring 16 goals."),
        (CLUB, "He made 91 appearances for Wessex City."),
        (
            CLUB,
            "In the 2009-2010 season Rook made two appearances for Wessex City, two in the "
            "National Cup and one in the League Cup.",
        ),
        (
            CLUB,
            "In the 2006-2007 season Rook made 12 appearances for Harrow Town, eleven in the "
            "league and one in the League Cup.",
        ),
        (CLUB, "In 2007-08 he scored four goals in the league and one in the League Cup."),
        (CLUB, "In 2008-09 he made two National Cup appearances and three League Cup appearances."),
        (CLUB, "He made 41 league appearances in the 2008–09 season, scoring ten league goals."),
        (CLUB, "Across his career, he made 91 appearances and scored 16 goals."),
        (CLUB, "He played 87 league games, scoring 16 league goals."),
        (HOCKEY, "Holt played 131 NHL games with the Lightning."),
        (
            HOCKEY,
            "Holt played for the Duluth Hawks in the AHL, totalling 42 points in 131 regular season games.",
        ),
        (
            HOCKEY,
            "Holt played for the Duluth Hawks in the AHL, totalling 28 points in 111 regular season games.",
        ),
        (HOCKEY, "In the NHL he recorded 28 points (20 goals and 8 assists) in 111 games."),
        (HOCKEY, "In 111 NHL games, Holt scored 21 goals."),
        (HOCKEY, "He had 28 points in 131 AHL games and 65 points in 111 NHL games."),
        (HOCKEY, "In 2004–05 he had 65 points in 70 games for the Hawks."),
        (HOCKEY, "He played 48 games for the Lightning in the 2006-2007 season."),
    ],
)
def test_another_season_club_or_cup_blocks(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)])).verdict == "block"
