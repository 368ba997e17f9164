"""Careers, meets, leagues and cities in free sentences: their own season, event, place and order."""

import pytest

from tests.gateway.ground.drafts import passes, result
from traces.records import Table

NFL = result(
    "Year, Team, Games:, Passing yards:, Touchdowns:, Interceptions:",
    ("2001", "Orla Kites", 16, 3104, 21, 12),
    ("2002", "Orla Kites", 15, 3410, 27, 9),
    ("2003", "Orla Kites", 16, 2980, 18, 14),
    ("2004", "Vesk Mariners", 12, 2210, 15, 8),
    ("Career", "Career", 59, 11704, 81, 43),
)
BOROUGH = result(
    "Party, Candidate, Votes:, %:percent, \u00b1%:",
    ("Labour", "Ann Reeve", 14210, 47.1, 2.1),
    ("Conservative", "Guy Stoll", 11004, 36.5, -3.0),
    ("Liberal", "Pam Yule", 4950, 16.4, 0.9),
    ("Majority", "Majority", 3206, 10.6, None),
    ("Turnout", "Turnout", 30164, 68.2, None),
    ("Registered electors", "Registered electors", 44229, None, None),
)
KINGS = result(
    "Club, Season, League, Apps:, Goals:",
    ("Marsh Rovers", "1961\u201362", "Division Two", 30, 11),
    ("Marsh Rovers", "1962\u201363", "Division Two", 38, 19),
    ("Marsh Rovers", "1963\u201364", "Division One", 35, 12),
    ("Marsh Rovers", "Total", "Total", 103, 42),
    ("Dene United", "1964\u201365", "Division One", 22, 4),
    ("Dene United", "1965\u201366", "Division One", 27, 6),
    ("Dene United", "Total", "Total", 49, 10),
    ("Career total", "Career total", "Career total", 152, 52),
)
MEDAL = result(
    "Year, Competition, Venue, Event, Position, Mark",
    ("2009", "World Games", "Berra", "Long jump", "4th", "6.71 m"),
    ("2010", "Continental Cup", "Zagor", "Long jump", "1st", "6.88 m"),
    ("2011", "World Games", "Daeg", "Long jump", "2nd", "6.77 m"),
    ("2011", "World Games", "Daeg", "Triple jump", "7th", "14.10 m"),
    ("2012", "Summer Games", "Lund", "Long jump", "5th", "6.80 m"),
)
CRICKET = result(
    "Player, Matches:, Runs:, High score, Wickets:",
    ("Abel Rook", 12, 640, "102*", 3),
    ("Tom Vane", 11, 512, "98", 14),
    ("Ned Cray", 9, 301, "71*", 20),
)
GAMES = result(
    "Event, Host, Nations:, Athletes:",
    ("Summer Meet Aldo 2012", "Aldo", 84, 5200),
    ("Summer Meet Brisa 2016", "Brisa", 91, 5610),
    ("Winter Meet Corda 2014", "Corda", 40, 1900),
)
LEAGUE = result(
    "Club, P:, W:, D:, L:, GF:, GA:, GD, Pts:",
    ("Alton", 30, 20, 5, 5, 61, 30, "+31", 65),
    ("Barrow", 30, 18, 6, 6, 55, 33, "+22", 60),
    ("Corby", 30, 9, 6, 15, 38, 50, "\u221212", 33),
)
FLIGHT = result(
    "Flight Number:, Destination, Passengers:", (411, "Lima", 180), (412, "Quito", 164), (415, "Bogota", 201)
)
TOP = result(
    "City, Population:, Area (km2):",
    ("Nord", 910000, 310),
    ("Sued", 640000, 402),
    ("Ost", 510000, 120),
    ("West", 330000, 95),
    ("Mitte", 120000, 40),
)
DUO = result(
    "Swimmer, Event, Venue, Time",
    ("Lia Moss", "100 m freestyle", "Oslo", "54.10"),
    ("Lia Moss", "200 m freestyle", "Rome", "1:57.33"),
    ("Lia Moss", "4 x 100 m freestyle relay", "Rome", "3:41.02"),
    ("Kai Dunn", "100 m freestyle", "Rome", "48.90"),
)
HOCKEY = result(
    "Season, Team, Regular season GP:, Regular season G:, Regular season A:, "
    "Playoffs GP:, Playoffs G:, Playoffs A:",
    ("2001\u201302", "Hawks", 70, 20, 31, 9, 3, 4),
    ("2002\u201303", "Hawks", 68, 25, 28, 7, 2, 5),
    ("2003\u201304", "Bears", 71, 18, 40, 12, 6, 6),
)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (CRICKET, "Abel Rook had a high score of 102 not out."),
        (CRICKET, "Tom Vane made 512 runs and took 14 wickets."),
        (GAMES, "The Summer Meet 2012 had 84 nations and 5,200 athletes."),
        (GAMES, "At the Winter Meet 2014 there were 1,900 athletes from 40 nations."),
        (LEAGUE, "Alton finished with a goal difference of +31 and 65 points."),
        (LEAGUE, "Corby scored 38 goals and conceded 50."),
        (FLIGHT, "Flight 412 to Quito carried 164 passengers."),
        (TOP, "The three most populous cities are Nord, Sued and Ost."),
        (TOP, "The two largest cities are Nord, with 910,000 people, and Sued, with 640,000."),
        (TOP, "Its three largest cities were Nord (910,000), Sued (640,000) and Ost (510,000)."),
        (
            DUO,
            "Lia Moss swam the 100 m freestyle in 54.10 at Oslo and the 200 metres freestyle "
            "in 1:57.33 at Rome.",
        ),
        (DUO, "In the 4x100 metres freestyle relay at Rome she swam 3:41.02."),
        (HOCKEY, "In 2001\u201302 he scored 20 goals in 70 games for the Hawks."),
        (HOCKEY, "In the 2002\u201303 playoffs he had 2 goals and 5 assists in 7 games."),
        (NFL, "His touchdown total of 27 came in 2002, and his interception total of 14 came in 2003."),
        (NFL, "He threw for 3,410 yards in 2002 and 2,980 in 2003."),
        (BOROUGH, "Turnout was 68.2%, with 30,164 voting out of 44,229 registered electors."),
        (BOROUGH, "Stoll was defeated by Reeve by 14,210 votes to 11,004, a majority of 3,206."),
        (BOROUGH, "Pam Yule finished third with 16.4% of the vote, with Reeve and Stoll ahead of her."),
        (KINGS, "From 1961 to 1964 he made 103 appearances for Marsh Rovers, scoring 42 goals."),
        (KINGS, "His Rovers career brought 42 goals in 103 games."),
        (KINGS, "He finished his career with 52 goals in 152 games."),
        (KINGS, "He scored 19 goals for Marsh Rovers in Division Two in 1962\u201363."),
        (MEDAL, "She jumped 6.88 m (Zagor 2010) and 6.77 m (Daeg 2011)."),
        (
            MEDAL,
            "At the 2011 World Games she came second in the long jump with 6.77 m and seventh "
            "in the triple jump with 14.10 m.",
        ),
        (MEDAL, "At the 2009 World Games in Berra she jumped 6.71 m."),
    ],
)
def test_what_the_own_row_says_passes(table: Table, draft: str) -> None:
    assert passes(draft, table)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (CRICKET, "Abel Rook had a high score of 98."),
        (CRICKET, "Tom Vane had a high score of 102."),
        (CRICKET, "Tom Vane made 512 runs and took 20 wickets."),
        (GAMES, "The Summer Meet 2012 had 91 nations and 5,200 athletes."),
        (GAMES, "The Summer Meet 2016 had 5,200 athletes."),
        (GAMES, "The Winter Meet 2012 had 40 nations."),
        (GAMES, "At the Winter Meet 2014 there were 5,610 athletes from 40 nations."),
        (LEAGUE, "Alton finished with a goal difference of +22 and 65 points."),
        (LEAGUE, "Alton finished with a goal difference of +31 and 60 points."),
        (LEAGUE, "Corby scored 50 goals and conceded 38."),
        (LEAGUE, "Barrow's point total of 65 was the second-highest."),
        (FLIGHT, "Flight 412 to Quito carried 180 passengers."),
        (FLIGHT, "Flight 411 carried 164 passengers."),
        (FLIGHT, "Flight 413 carried 164 passengers."),
        (TOP, "The three most populous cities are Nord, Sued and West."),
        (TOP, "The two largest cities are Nord, with 910,000 people, and Ost, with 510,000."),
        (TOP, "The two largest cities are Nord, with 640,000 people, and Sued, with 910,000."),
        (TOP, "Its three largest cities were Nord (910,000), Sued (510,000) and Ost (640,000)."),
        (TOP, "Its two largest cities were Nord (910,000), Sued (640,000) and Ost (510,000)."),
        (DUO, "Lia Moss swam the 100 m freestyle in 48.90 at Oslo."),
        (
            DUO,
            "Lia Moss swam the 100 m freestyle in 1:57.33 at Oslo and the 200 metres "
            "freestyle in 54.10 at Rome.",
        ),
        (DUO, "In the 4x200 metres freestyle relay at Rome she swam 3:41.02."),
        (HOCKEY, "In 2001\u201302 he scored 3 goals in 70 games for the Hawks."),
        (HOCKEY, "In 2001\u201302 he scored 20 goals in 9 games for the Hawks."),
        (HOCKEY, "In the 2002\u201303 playoffs he had 2 goals and 28 assists in 7 games."),
        (NFL, "His touchdown total of 27 came in 2003, and his interception total of 14 came in 2002."),
        (NFL, "His touchdown total of 21 came in 2002, and his interception total of 14 came in 2003."),
        (NFL, "He threw for 2,980 yards in 2002 and 3,410 in 2003."),
        (BOROUGH, "Turnout was 68.2%, with 44,229 voting out of 30,164 registered electors."),
        (BOROUGH, "Turnout was 47.1%, with 30,164 voting."),
        (BOROUGH, "Stoll was defeated by Reeve by 11,004 votes to 14,210, a majority of 3,206."),
        (BOROUGH, "Stoll was defeated by Reeve by 14,210 votes to 11,004, a majority of 4,950."),
        (BOROUGH, "Guy Stoll finished third with 36.5% of the vote, with Reeve and Yule ahead of him."),
        (BOROUGH, "Pam Yule finished third with 36.5% of the vote, with Reeve and Stoll ahead of her."),
        (KINGS, "From 1961 to 1964 he made 49 appearances for Marsh Rovers, scoring 10 goals."),
        (KINGS, "From 1961 to 1966 he made 103 appearances for Marsh Rovers."),
        (KINGS, "From 1962 to 1964 he made 103 appearances for Marsh Rovers."),
        (KINGS, "His Rovers career brought 52 goals in 152 games."),
        (KINGS, "His Rovers career brought 10 goals in 49 games."),
        (KINGS, "He finished his career with 42 goals in 103 games."),
        (KINGS, "He scored 11 goals for Marsh Rovers in Division Two in 1962\u201363."),
        (KINGS, "He scored 12 goals for Marsh Rovers in Division Two in 1962\u201363."),
        (MEDAL, "She jumped 6.77 m (Zagor 2010) and 6.88 m (Daeg 2011)."),
        (MEDAL, "She jumped 6.88 m (Zagor 2010) and 6.80 m (Daeg 2011)."),
        (MEDAL, "At the 2011 World Games she came second in the long jump with 6.71 m."),
        (
            MEDAL,
            "At the 2011 World Games she came seventh in the long jump with 6.77 m and second "
            "in the triple jump with 14.10 m.",
        ),
        (MEDAL, "At the 2009 World Games in Berra she jumped 6.77 m."),
        (MEDAL, "At the 2009 World Games in Daeg she jumped 6.71 m."),
    ],
)
def test_what_another_row_or_column_says_blocks(table: Table, draft: str) -> None:
    assert not passes(draft, table)
