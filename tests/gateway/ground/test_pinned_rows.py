"""Rows pinned by several names: club and season, venue and year, a span of seasons, names written shorter."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

CLUB = result(
    "Club, Season, Division, League Apps:, League Goals:, Total Apps:, Total Goals:",
    ("Norwick Town", "1993\u201394", "Second League", 20, 3, 24, 4),
    ("Norwick Town", "1994\u201395", "First League", 31, 8, 37, 10),
    ("Norwick Town", "1995\u201396", "First League", 28, 5, 33, 6),
    ("Norwick Town", "Total", "Total", 79, 16, 94, 20),
    ("Aldermoor (loan)", "1996\u201397", "First League", 9, 1, 9, 1),
    ("Aldermoor", "1996\u201397", "Second League", 12, 2, 14, 2),
    ("Aldermoor", "1997\u201398", "First League", 33, 7, 41, 9),
    ("Aldermoor", "1998\u201399", "First League", 30, 4, 37, 4),
    ("Aldermoor", "Total", "Total", 75, 13, 92, 15),
    ("Career total", "Career total", "Career total", 163, 30, 195, 36),
)
ABROAD = result(
    "Club, Season, Division, League Games:, League Goals:, Total Games:, Total Goals:",
    ("Rapid Vesk", "2001", "Lettland First Division", 22, 6, 24, 7),
    ("Dinamo Orla", "2002", "Lettland First Division", 25, 9, 26, 9),
    ("FK Sund", "2003", "Lettland First Division", 19, 4, 20, 5),
    ("Haldor IF", "2004", "Nordland Cup League", 15, 2, 15, 2),
    ("Haldor IF", "2005", "Nordland Cup League", 18, 3, 19, 3),
    ("Total", "Lettland", "Lettland", 66, 19, 70, 21),
    ("Total", "Nordland", "Nordland", 33, 5, 34, 5),
    ("Career Total", "Career Total", "Career Total", 99, 24, 104, 26),
)
HOCKEY = result(
    "Season, Team, League, Regular season GP:, Regular season G:, Regular season A:, Regular season Pts:",
    ("1994\u201395", "Brunnfors", "ELH", 70, 28, 41, 69),
    ("1995\u201396", "Brunnfors", "ELH", 77, 41, 60, 101),
    ("1996\u201397", "Brunnfors", "ELH", 79, 33, 75, 108),
    ("1997\u201398", "Lakeside", "ELH", 60, 22, 39, 61),
)
TRACK = result(
    "Year, Competition, Venue, Position, Event, Notes:",
    ("2015", "Northern Indoor Championships", "Bergstad, Norland", "7th", "60 m hurdles", 7.81),
    ("2016", "Northern Championships", "Ostia, Latia", "3rd", "110 m hurdles", 13.61),
    ("2017", "Northern Indoor Championships", "Velden, Carnia", "9th", "60 m hurdles", 7.79),
    ("2018", "Inland Games", "Tarsa, Ibera", "5th", "110 m hurdles", 13.92),
)
RELAY = result(
    "Year, Competition, Position, Event, Notes",
    ("1990", "Island Games", "6th", "400 m hurdles", "58.11 (57.90 heat)"),
    ("1991", "World Meeting", "12th (sf)", "400m", "51.20"),
    ("1991", "World Meeting", "5th", "4 x 400 m relay", "3:24.17"),
    ("1992", "Summer Games", "4th", "4 x 100 m relay", "43.60"),
)
CUBE = result(
    "Name, Fastest average, Competition",
    ("Ole Brandt", "41.20s", "GLC Hillerod 2018"),
    ("Ivo Zeman", "43.75s", "Harbour Cube Days 2017"),
    ("Kim Dae", "44.10s", "Asian Cube Open 2018"),
)
ATLAS = result(
    "Velm Number:, Common Name, Notes",
    (211, "NGC 1012", "Spiral with one arm"),
    (212, "NGC 3044", "Pair in contact"),
    (213, "UGC 88", "Ring with a bar"),
)
RIVERS = result(
    "Name of the river, Length in km:, Basin in km2:",
    ("Alda Bianca/Weisse Alda", 131, 2100),
    ("Brenn", 88, 1450),
    ("Alda Nera", 33, 600),
    ("Sorl", 39, 720),
)
ORDERS = result(
    "Year, Members:, Houses",
    ("1850", 800, "12"),
    ("1900", 42000, "160"),
    ("1930", 98000, "280"),
    ("1960", 120000, "300+"),
    ("1990", 77000, "250*"),
)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (CLUB, "From 1993-1996 he made 94 appearances and scored 20 goals with Norwick Town."),
        (CLUB, "He ended his Norwick career with 20 goals."),
        (CLUB, "He made 41 appearances for Aldermoor in the First League during the 1997\u201398 season."),
        (CLUB, "On loan at Aldermoor he made 9 appearances."),
        (CLUB, "He scored 9 goals in 41 games for Aldermoor in 1997\u201398."),
        (
            ABROAD,
            "He scored 19 goals in 66 games in the Lettland First Division for Rapid Vesk, "
            "Dinamo Orla and FK Sund.",
        ),
        (
            HOCKEY,
            "His point total of 108 came in 1996\u201397, and his goal total of 41 came in 1995\u201396.",
        ),
        (
            TRACK,
            "He ran 13.61 in the 110 metres hurdles (Ostia 2016) and 7.81 in the 60 metres "
            "hurdles (Bergstad 2015).",
        ),
        (RELAY, "At the 1991 World Meeting she ran the 4 x 400 metres relay in 3:24.17."),
        (RELAY, "At the 1991 World Meeting she ran the 4x400m relay in 3:24.17."),
        (RELAY, "At the 1991 World Meeting she ran the 400 metres in 51.20."),
        (ATLAS, "NGC 1012 (Velm 211) is a spiral with one arm and NGC 3044 (Velm 212) is a pair in contact."),
        (RIVERS, "The longest river is Weisse Alda measuring 131 km, while the Alda Nera measures 33 km."),
        (
            RIVERS,
            "The longest river is Alda Bianca measuring 131 km, while the Alda of the south "
            "is the shortest at 33 km.",
        ),
        (
            RIVERS,
            "The longest river is Alda Bianca measuring 131 km, while Alda Nera is the "
            "smallest measuring 33 km.",
        ),
        (
            ORDERS,
            "The orders grew from 800 members in 12 in 1850, 42,000 in 160 houses in 1900, "
            "and 98,000 in 280 different houses by 1930.",
        ),
        (CUBE, "Ole Brandt set the fastest average of 41.20 seconds at the GLC 2018 competition."),
    ],
)
def test_a_row_pinned_by_all_its_names_passes(table: Table, draft: str) -> None:
    assert passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (CLUB, "From 1994-1996 he made 94 appearances and scored 20 goals with Norwick Town."),
        (CLUB, "From 1995-1996 he made 94 appearances with Norwick Town."),
        (CLUB, "From 1993-1996 he made 92 appearances and scored 15 goals with Norwick Town."),
        (CLUB, "From 1993 to 1999 he made 94 appearances with Norwick Town."),
        (CLUB, "He ended his Norwick career with 36 goals."),
        (CLUB, "He ended his Norwick career with 15 goals."),
        (CLUB, "He made 37 appearances for Aldermoor in the First League during the 1997\u201398 season."),
        (CLUB, "He made 41 appearances for Norwick Town in the First League during the 1997\u201398 season."),
        (CLUB, "On loan at Aldermoor he made 12 appearances."),
        (CLUB, "He scored 9 goals in 33 games for Aldermoor in 1997\u201398."),
        (CLUB, "He scored 7 goals in 41 games for Aldermoor in 1997\u201398."),
        (
            ABROAD,
            "He scored 21 goals in 66 games in the Lettland First Division for Rapid Vesk, "
            "Dinamo Orla and FK Sund.",
        ),
        (
            ABROAD,
            "He scored 5 goals in 33 games in the Lettland First Division for Rapid Vesk, "
            "Dinamo Orla and FK Sund.",
        ),
        (
            ABROAD,
            "He scored 24 goals in 99 games in the Lettland First Division for Rapid Vesk, "
            "Dinamo Orla and FK Sund.",
        ),
        (
            HOCKEY,
            "His point total of 101 came in 1996\u201397, and his goal total of 41 came in 1995\u201396.",
        ),
        (
            HOCKEY,
            "His point total of 108 came in 1996\u201397, and his goal total of 60 came in 1995\u201396.",
        ),
        (
            HOCKEY,
            "His point total of 108 came in 1995\u201396, and his goal total of 41 came in 1996\u201397.",
        ),
        (
            TRACK,
            "He ran 13.92 in the 110 metres hurdles (Ostia 2016) and 7.81 in the 60 metres "
            "hurdles (Bergstad 2015).",
        ),
        (
            TRACK,
            "He ran 13.61 in the 110 metres hurdles (Ostia 2016) and 7.79 in the 60 metres "
            "hurdles (Bergstad 2015).",
        ),
        (
            TRACK,
            "He ran 13.61 in the 110 metres hurdles (Bergstad 2015) and 7.81 in the 60 metres "
            "hurdles (Ostia 2016).",
        ),
        (RELAY, "At the 1991 World Meeting she ran the 4 x 400 metres relay in 3:26.17."),
        (RELAY, "At the 1992 Summer Games she ran the 4 x 100 metres relay in 3:24.17."),
        (RELAY, "At the 1991 World Meeting she ran the 4x100m relay in 3:24.17."),
        (RELAY, "At the 1991 World Meeting she ran the 400 metres in 57.90."),
        (ATLAS, "NGC 1012 (Velm 212) is a spiral with one arm and NGC 3044 (Velm 211) is a pair in contact."),
        (ATLAS, "NGC 1012 (Velm 214) is a spiral with one arm."),
        (RIVERS, "The longest river is Weisse Alda measuring 88 km, while the Alda Nera measures 33 km."),
        (RIVERS, "The longest river is Weisse Alda measuring 131 km, while the Alda Nera measures 39 km."),
        (
            RIVERS,
            "The longest river is Alda Bianca measuring 131 km, while the Alda of the south "
            "is the shortest at 39 km.",
        ),
        (RIVERS, "The longest river is Alda Bianca measuring 131 km, while Brenn is the shortest at 33 km."),
        (RIVERS, "The longest river is Alda Bianca measuring 131 km, while Brenn is the shortest at 88 km."),
        (
            RIVERS,
            "The longest river is Brenn measuring 88 km, while the Alda of the south is the "
            "shortest at 33 km.",
        ),
        (
            ORDERS,
            "The orders grew from 800 members in 12 in 1850, 42,000 in 280 houses in 1900, "
            "and 98,000 in 160 different houses by 1930.",
        ),
        (
            ORDERS,
            "The orders grew from 800 members in 12 in 1850, 98,000 in 160 houses in 1900, "
            "and 42,000 in 280 different houses by 1930.",
        ),
        (CUBE, "Ole Brandt set the fastest average of 43.75 seconds at the GLC 2018 competition."),
        (CUBE, "Ole Brandt set the fastest average of 41.20 seconds at the Asian 2018 competition."),
    ],
)
def test_another_row_or_column_than_is_pinned_blocks(table: Table, draft: str) -> None:
    assert not passes(draft, table)
