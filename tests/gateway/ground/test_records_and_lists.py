"""Bests, careers, tours, lines and languages as an encyclopedia tells them."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

BESTS = result(
    "Event, Time (seconds), Venue, Date",
    ("100 metres", "10.31", "Lisbon", "4 July 2009"),
    ("200 metres", "20.60", "Madrid", "18 June 2010"),
    ("400 metres", "45.84", "Turin", "7 August 2011"),
    ("4 \u00d7 400 m relay", "3:01.22", "Oslo", "12 July 2008"),
)
RACES = result(
    "Year, Competition, Venue, Position, Event, Notes",
    ("2003", "World Youth Championships", "Sherbrooke, Canada", "2nd", "400 m", "46.88"),
    ("2004", "World Junior Championships", "Grosseto, Italy", "1st", "400 m", "45.71"),
    ("2006", "African Championships", "Bambous, Mauritius", "3rd", "400 m", "45.60"),
    ("2006", "African Championships", "Bambous, Mauritius", "1st", "4 \u00d7 400 m relay", "3:03.11"),
    ("2008", "Olympic Games", "Beijing, China", "6th", "4 \u00d7 400 m relay", "3:04.12"),
)
BYE = result(
    "Party, Candidate, Votes:, %:, \u00b1:",
    ("Liberal", "Rosa Hale", 12031, 25.5, -28.3),
    ("Independent", "Ned Quill", 12003, 25.4, 25.4),
    ("Labor", "Ian Hay", 11197, 23.7, -4.4),
    ("Greens", "Ray Good", 1377, 2.9, -2.1),
    ("Total formal votes", "Total formal votes", 36608, 96.8, 0.0),
    ("Informal votes", "Informal votes", 1210, 3.2, 0.0),
    ("Turnout", "Turnout", 37818, 88.3, -1.9),
    ("Two-candidate-preferred result", "Two-candidate-preferred result", None, None, None),
    ("Independent", "Ned Quill", 23001, 59.6, 59.6),
    ("Liberal", "Rosa Hale", 15570, 40.4, -22.5),
)
HALL = result(
    "Player, Years, Games:, At bats:, Hits:, Home runs:, RBI:, Batting average:",
    ("Gus Larkin", "1961\u20131975", 1841, 6612, 1890, 241, 998, 0.286),
    ("Ed Moody", "1958\u20131970", 1502, 5210, 1377, 118, 611, 0.264),
    ("Roy Teague", "1966\u20131980", 2011, 7320, 2204, 310, 1244, 0.301),
)
TOUR = result(
    "Tour, Dates, Shows:, Attendance:, Gross",
    ("First Light Tour", "March 2001 \u2013 May 2002", 84, 912000, "$38.4 million"),
    ("Northern Tour", "June 2005 \u2013 July 2006", 101, 1340500, "$71.2 million"),
    ("Embers Tour", "January 2012 \u2013 August 2012", 46, 655210, "$49.9 million"),
)
RAIL = result(
    "Section, Opened, Length (km):, Stations:, Max speed (km/h):",
    ("Alda\u2013Brune", "1898", 41.2, 9, 120),
    ("Brune\u2013Corin", "1904", 27.5, 6, 100),
    ("Corin\u2013Daven", "1911", 63.8, 11, 160),
    ("Total", None, 132.5, 26, None),
)
STADIUM = result(
    "Stadium, City, Capacity:, Opened, Tenant",
    ("Ironworks Park", "Sheldon", 41230, "1932", "Sheldon FC"),
    ("Riverside Ground", "Marlow", 28560, "1967", "Marlow United"),
    ("Harbour Field", "Port Ames", 18740, "2004", "Ames Rovers"),
)
LANG = result(
    "Language, Speakers 2001:, % 2001:percent, Speakers 2011:, % 2011:percent",
    ("English", 74210, 81.2, 80115, 78.4),
    ("Polish", 3120, 3.4, 9870, 9.7),
    ("Welsh", 9811, 10.7, 8120, 7.9),
    ("Other", 4259, 4.7, 4095, 4.0),
    ("Total", 91400, 100.0, 102200, 100.0),
)
FILMS = result(
    "Year, Film, Role, Director, Box office:USD",
    ("1994", "Cold Harbour", "Nell", "Ann Crane", 12400000),
    ("1998", "The Understudy", "Mrs. Gray", "Ben Foss", 48750000),
    ("2003", "Paper Tigers", "Ida", "Ann Crane", 9120000),
)
WINS = result(
    "Season, Team, W:, L:, Pct:, Finish, Playoffs",
    ("1988\u201389", "Rockford Kings", 42, 40, 0.512, "4th in Central", "Lost in first round"),
    ("1989\u201390", "Rockford Kings", 51, 31, 0.622, "2nd in Central", "Lost in second round"),
    ("1990\u201391", "Tulsa Oilers", 29, 53, 0.354, "6th in Midwest", "\u2013"),
    ("Total", "Total", 122, 124, 0.496, None, None),
)

ABOUT = {
    id(BESTS): "Tomas Reis — Personal bests",
    id(RACES): "Sipho Dube (sprinter) — Competition record",
    id(BYE): "2018 Wollan state by-election — Result",
    id(HALL): "List of Baltic League players — Career leaders",
    id(TOUR): "The Lanterns — Concert tours",
    id(RAIL): "Alda railway — Sections",
    id(STADIUM): "Northern League — Stadiums",
    id(LANG): "Carrow — Languages",
    id(FILMS): "Edith Marr — Filmography",
    id(WINS): "Walt Dorsey — Head coaching record",
}


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            BESTS,
            "Reis has personal bests of 20.60 seconds in the 200 metres and 45.84 seconds in the 400 metres.",
        ),
        (BESTS, "His personal best in the 100 metres is 10.31 seconds, set in Lisbon on 4 July 2009."),
        (BESTS, "Reis ran 45.84 seconds for the 400 m in Turin, and 20.60 seconds for the 200 m in Madrid."),
        (RACES, "In 2004 Dube won the 400 m at the World Junior Championships in 45.71 seconds."),
        (
            RACES,
            "At the 2006 African Championships he was third in the 400 m (45.60) and won the "
            "4 × 400 m relay in 3:03.11.",
        ),
        (RACES, "He finished sixth in the relay at the 2008 Olympic Games with a time of 3:04.12."),
        (BYE, "Quill won 59.6% of the two-candidate preferred vote over Liberal candidate Rosa Hale."),
        (
            BYE,
            "Liberal candidate Rosa Hale received 12,031 votes, ahead of independent Ned Quill with 12,003.",
        ),
        (BYE, "Ned Quill defeated Rosa Hale by 23,001 votes to 15,570 on two-candidate preferences."),
        (HALL, "In 1,841 games, Larkin had a .286 batting average with 241 home runs and 998 RBI."),
        (HALL, "Roy Teague hit 310 home runs while batting .301."),
        (HALL, "Teague finished with 2,204 hits, 310 home runs and 1,244 RBI in 2,011 games."),
        (HALL, "Moody posted a .264 average with 118 home runs and 611 RBI in 1,502 games."),
        (TOUR, "The Northern Tour of 101 shows drew 1,340,500 people and grossed $71.2 million."),
        (TOUR, "The Embers Tour ran for 46 shows from January to August 2012 and earned $49.9 million."),
        (RAIL, "The line is 132.5 km long with 26 stations."),
        (RAIL, "The 41.2 km section from Alda to Brune, with nine stations, opened in 1898."),
        (RAIL, "Trains reach 160 km/h between Corin and Daven."),
        (
            STADIUM,
            "Ironworks Park, home of Sheldon FC, has a capacity of 41,230, making it the "
            "largest stadium in the league.",
        ),
        (STADIUM, "Harbour Field, opened in 2004, seats 18,740 spectators."),
        (STADIUM, "Marlow United play at the 28,560-capacity Riverside Ground."),
        (LANG, "In 2011, 80,115 people (78.4%) spoke English and 9,870 (9.7%) spoke Polish."),
        (LANG, "The number of Welsh speakers fell from 9,811 (10.7%) in 2001 to 8,120 (7.9%) in 2011."),
        (LANG, "Polish was spoken by 3.4% in 2001 and 9.7% in 2011."),
        (FILMS, "Marr played Mrs. Gray in The Understudy (1998), which grossed $48.75 million."),
        (
            FILMS,
            "Ann Crane directed her in Cold Harbour and Paper Tigers, which made $12,400,000 and $9,120,000.",
        ),
        (WINS, "Dorsey coached the Kings to a 42–40 record in 1988–89 and 51–31 in 1989–90."),
        (WINS, "His overall record was 122 wins and 124 losses for a winning percentage of .496."),
        (WINS, "He won 29 games and lost 53 with the Tulsa Oilers, finishing 6th in the Midwest."),
    ],
)
def test_a_record_as_its_table_has_it_passes(table: Table, draft: str) -> None:
    assert passes(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            BESTS,
            "Reis has personal bests of 20.60 seconds in the 400 metres and 45.84 seconds in the 200 metres.",
        ),
        (BESTS, "His personal best in the 100 metres is 10.31 seconds, set in Madrid on 18 June 2010."),
        (BESTS, "Reis ran 45.84 seconds for the 400 m in Madrid, and 20.60 seconds for the 200 m in Turin."),
        (RACES, "In 2004 Dube won the 400 m at the World Junior Championships in 46.88 seconds."),
        (
            RACES,
            "At the 2006 African Championships he was third in the 400 m (45.71) and won the "
            "4 × 400 m relay in 3:03.11.",
        ),
        (RACES, "He finished sixth in the relay at the 2008 Olympic Games with a time of 3:03.11."),
        (BYE, "Quill won 40.4% of the two-candidate preferred vote over Liberal candidate Rosa Hale."),
        (
            BYE,
            "Liberal candidate Rosa Hale received 12,003 votes, ahead of independent Ned Quill with 12,031.",
        ),
        (BYE, "Ned Quill defeated Rosa Hale by 15,570 votes to 23,001 on two-candidate preferences."),
        (HALL, "In 1,841 games, Larkin had a .301 batting average with 241 home runs and 998 RBI."),
        (HALL, "Teague finished with 2,204 hits, 241 home runs and 1,244 RBI in 2,011 games."),
        (HALL, "Moody posted a .264 average with 611 home runs and 118 RBI in 1,502 games."),
        (TOUR, "The Northern Tour of 101 shows drew 912,000 people and grossed $71.2 million."),
        (TOUR, "The Embers Tour ran for 84 shows from January to August 2012 and earned $49.9 million."),
        (RAIL, "The line is 63.8 km long with 26 stations."),
        (RAIL, "The 41.2 km section from Alda to Brune, with nine stations, opened in 1904."),
        (RAIL, "Trains reach 120 km/h between Corin and Daven."),
        (
            STADIUM,
            "Ironworks Park, home of Sheldon FC, has a capacity of 28,560, making it the "
            "largest stadium in the league.",
        ),
        (STADIUM, "Harbour Field, opened in 1967, seats 18,740 spectators."),
        (STADIUM, "Marlow United play at the 18,740-capacity Riverside Ground."),
        (LANG, "In 2011, 80,115 people (78.4%) spoke English and 9,870 (7.9%) spoke Polish."),
        (LANG, "The number of Welsh speakers fell from 8,120 (7.9%) in 2001 to 9,811 (10.7%) in 2011."),
        (LANG, "Polish was spoken by 9.7% in 2001 and 3.4% in 2011."),
        (FILMS, "Marr played Mrs. Gray in The Understudy (1998), which grossed $12.4 million."),
        (
            FILMS,
            "Ann Crane directed her in Cold Harbour and Paper Tigers, which made $9,120,000 and $12,400,000.",
        ),
        (WINS, "Dorsey coached the Kings to a 51–31 record in 1988–89 and 42–40 in 1989–90."),
        (WINS, "His overall record was 124 wins and 122 losses for a winning percentage of .496."),
        (WINS, "He won 53 games and lost 29 with the Tulsa Oilers, finishing 6th in the Midwest."),
    ],
)
def test_a_record_of_another_row_or_column_blocks(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)])).verdict == "block"
