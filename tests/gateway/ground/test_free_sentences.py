"""Sentences as an encyclopaedia or a manager writes them, each true one beside the false one of its kind."""

import pytest

from tests.gateway.ground.drafts import ANYTHING, cell, check, codes, declare, passes, result
from traces.records import Table

LEAGUE = result(
    "Pos:, Team, M:, W:, D:, L:, GF:, GA:, Pts:",
    (1, "Torvik", 22, 15, 4, 3, 48, 19, 34),
    (2, "Brenn", 22, 13, 6, 3, 41, 22, 32),
    (3, "Skarnes", 22, 11, 5, 6, 37, 30, 27),
)
VOTES = result(
    "Party, Votes:, Seats:, Change:",
    ("Centre Union", 4812, 11, 3),
    ("Labour List", 3907, 9, -2),
    ("Greens", 2003, 4, 1),
    ("Free Voters", 1808, 3, -1),
)
STAFF = result(
    "Month, Hires:, Leavers:, Headcount:, Bookings:",
    ("January 2025", 24, 11, 813, 37),
    ("February 2025", 18, 16, 815, 29),
    ("March 2025", 31, 9, 837, 22),
)
FIGHTS = result(
    "No., Opponent, Round:, Date",
    ("1", "Ana Petrov", 4, "3 May 2009"),
    ("2", "Lisa Grau", 2, "17 September 2009"),
    ("3", "Marta Kiel", 6, "5 February 2010"),
    ("4", "Jo Haines", 1, "12 June 2010"),
)
EDITIONS = result(
    "Edition, Winner, Time:",
    ("1st", "Abel Kiprop", 138.7),
    ("2nd", "Sven Holm", 141.1),
    ("3rd", "Tadesse Worku", 135.9),
)
SQUAD = result("No., Player, Goals:", ("4", "Nils Rask", 12), ("9", "Ove Lund", 31), ("11", "Per Ahl", 7))
LIGHTS = result("Name, Height m:, Range nmi:", ("Tornes", 18, 12), ("Lyngby", 27, 19), ("Grind", 24, 17))
CENSUS = result(
    "Year, Population:, Households:",
    ("1950", 18204, 4911),
    ("1970", 22340, 6702),
    ("1980", 21987, 7044),
)
STORES = result(
    "Store, Revenue:EUR, Orders:", ("Aalst", 184200, 3110), ("Brugge", 226750, 3894), ("Gent", 391040, 6205)
)
FERRIES = result("Ship, Passengers:, Cars:", ("Alva", 900, 180), ("Borea", 1500, 420), ("Cilla", 2200, 610))
RAIDERS = result(
    "Week, Opponent, Result, Attendance:",
    ("1", "Oakton Bears", "W 24-17", 61204),
    ("2", "Selby Hawks", "L 10-31", 58330),
)
ACCOUNTS = result(
    "Item, 2020:GBP, 2019:GBP", ("Revenue", 48120000, 44510000), ("Gross profit", 18790000, 16710000)
)
TOWERS = result(
    "Rank:, Name, Floors:", (1, "Meridian", 51), (2, "Plaza", 44), (3, "Harbour", 41), (4, "House", 29)
)
PLAYERS = result(
    "Player, PPG:, RPG:", ("Dana Fox", 18.4, 5.2), ("Lia Moreno", 12.9, 8.8), ("Kat Stone", 6.3, 2.1)
)
SENATE = result(
    "Incumbent, Result", ("Ellen Tait", "Ellen Tait (D) 61.2% Rob Finch (R) 38.8%"), ("Dina Roy", "Unopposed")
)
LAMPS = result("Bridge, Cost (mil.):", ("Northway", 61.5), ("Kongsbro", 1.4), ("Mill Lane", 2.1))
PICKS = result("Shift, Lines:, Errors:", ("Early", 18240, 41), ("Late", 15110, 66), ("Night", 9970, 29))
ORGANISTS = result(
    "Name, Appointed, Left",
    ("John Ravel", "1871", "1889"),
    ("Ernst Kool", "1889", "1912"),
    ("Mary Dunn", "1912", "1919"),
)
CHAMPIONS = result(
    "Year, Champion, Time:",
    ("2003", "Abel Kiprop", 138.7),
    ("2004", "Sven Holm", 141.1),
    ("2005", "Abel Kiprop", 136.5),
)
WEEKS = result("Week, Installs:, Visits:", ("12", 4120, 1904), ("13", 4385, 2011), ("14", 3907, 1760))
RECORDS = result("Season, W:, L:", ("1998", 9, 2), ("1999", 7, 4), ("2000", 5, 6))
RIDERS = result("Season, Races:, Wins:, Podiums:", ("1995", 13, 2, 6), ("1996", 15, 1, 4))

KINDS = [
    (LEAGUE, "Torvik scored 48 goals in 22 matches.", "Torvik scored 22 goals in 48 matches."),
    (LEAGUE, "Skarnes scored 37 and conceded 30.", "Skarnes scored 30 and conceded 37."),
    (LEAGUE, "Brenn had a record of 13-6-3.", "Brenn had a record of 13-3-6."),
    (
        VOTES,
        "The Centre Union beat the Labour List by 4,812 votes to 3,907.",
        "The Centre Union beat the Labour List by 3,907 votes to 4,812.",
    ),
    (VOTES, "The Free Voters came last with 1,808 votes.", "The Greens came last with 2,003 votes."),
    (
        VOTES,
        "The Labour List lost two seats and was left with 9.",
        "The Labour List lost two seats and was left with 11.",
    ),
    (STAFF, "We hired 31 people in March 2025, and 9 left.", "We hired 9 people in March 2025, and 31 left."),
    (STAFF, "In March 2025, 22 were booked.", "In March 2025, 29 were booked."),
    (
        EDITIONS,
        "Tadesse Worku won the third edition in 135.9.",
        "Tadesse Worku won the second edition in 135.9.",
    ),
    (
        LIGHTS,
        "Lyngby is a lighthouse. It has a height of 27 m and a range of 19 nmi.",
        "Lyngby is a lighthouse. It has a height of 18 m and a range of 19 nmi.",
    ),
    (
        CENSUS,
        "By 1980 there were 7,044 households. Ten years before there were 6,702.",
        "By 1980 there were 7,044 households. Ten years before there were 4,911.",
    ),
    (
        LEAGUE,
        "Torvik went 15-4-3 and Brenn 13-6-3.",
        "Torvik went 15-4-3 and Brenn 15-4-3.",
    ),
    (
        RECORDS,
        "The team went 9-2 in 1998 and 7-4 in 1999.",
        "The team went 7-4 in 1998 and 9-2 in 1999.",
    ),
    (STORES, "Gent turned over €391,040.", "Gent turned over €391,000.50."),
    (
        FERRIES,
        "Alva carries 900 passengers, while Borea carries 1,500 and Cilla 2,200.",
        "Alva carries 900 passengers, while Borea carries 2,200 and Cilla 1,500.",
    ),
    (
        RAIDERS,
        "In week 2 the Raiders lost 31-10 to the Selby Hawks before 58,330.",
        "In week 2 the Raiders lost 24-17 to the Selby Hawks before 58,330.",
    ),
    (
        ACCOUNTS,
        "A gross profit of £18.79 million was made on revenue of £48.12 million in 2020.",
        "A gross profit of £16.71 million was made on revenue of £48.12 million in 2020.",
    ),
    (
        TOWERS,
        "The second-tallest building is the 44-storey Plaza.",
        "The third-tallest building is the 44-storey Plaza.",
    ),
    (
        PLAYERS,
        "Lia Moreno led the team with 8.8 rebounds a game.",
        "Dana Fox led the team with 5.2 rebounds a game.",
    ),
    (SENATE, "Ellen Tait won 61.2% of the vote.", "Ellen Tait won 38.8% of the vote."),
    (
        LAMPS,
        "Northway cost 61.5 million and Kongsbro 1.4 million.",
        "Northway cost 61.5 million and Kongsbro 2.1 million.",
    ),
    (
        PICKS,
        "The late shift had the most errors. It made 66 of them.",
        "The late shift had the most errors. It made 41 of them.",
    ),
    (ORGANISTS, "Mary Dunn left in 1919.", "Mary Dunn left in 1912."),
    (
        CHAMPIONS,
        "Abel Kiprop won in 2003 and 2005, with times of 138.7 and 136.5.",
        "Abel Kiprop won in 2003 and 2005, with times of 136.5 and 138.7.",
    ),
    (
        WEEKS,
        "Installs fell from 4,385 in week 13 to 3,907 in week 14, and visits from 2,011 to 1,760.",
        "Installs fell from 4,385 in week 13 to 3,907 in week 14, and visits from 1,904 to 1,760.",
    ),
    (RIDERS, "In 1996 he rode, winning one race.", "In 1996 he rode, winning two races."),
    (
        STORES,
        "Two stores, Aalst and Brugge, took €184,200 and €226,750.",
        "Four stores, Aalst and Brugge, took €184,200 and €226,750.",
    ),
    (
        STORES,
        "In a field of 3, Gent leads with 6,205 orders.",
        "In a field of 4, Gent leads with 6,205 orders.",
    ),
]


@pytest.mark.parametrize(("table", "true", "false"), KINDS, ids=[kind[1][:50] for kind in KINDS])
def test_a_true_sentence_passes_and_its_false_twin_does_not(table: Table, true: str, false: str) -> None:
    assert passes(true, table), check(true, table).findings
    assert not passes(false, table)


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("Her third fight was against Marta Kiel, on 5 February 2010.", True),
        ("Her second fight was against Marta Kiel, on 5 February 2010.", False),
        ("She beat Lisa Grau in the second round of her 2nd fight.", True),
        ("She beat Lisa Grau in the second round of her 3rd fight.", False),
        ("In her third and final bout she met Marta Kiel.", True),
        ("In her fourth and final bout she met Marta Kiel.", False),
    ],
)
def test_a_running_number_is_that_of_its_row(draft: str, *, right: bool) -> None:
    assert passes(draft, FIGHTS, scope=ANYTHING) is right


def test_shirt_numbers_are_no_running_numbers() -> None:
    assert passes("Ove Lund scored 31 goals, his second goal in a cup game.", SQUAD)


def test_changes_of_two_months_are_each_of_their_own() -> None:
    columns = [
        declare("difference", id_, a=cell(now, "headcount"), b=cell(now - 1, "headcount"))
        for id_, now in (("d1", 1), ("d2", 2))
    ]
    assert passes("Headcount rose by 2 in February 2025 and by 22 in March 2025.", STAFF, columns)
    assert not passes("Headcount rose by 22 in February 2025 and by 2 in March 2025.", STAFF, columns)


def test_a_header_of_one_letter_is_not_named_by_an_article() -> None:
    table = result("Team, W:, A:, Pts:", ("Eda", 0, 11, 2), ("Grums", 2, 9, 6))
    assert "claim" not in {f.code for f in check("Eda did not win a game and has 2 points.", table).findings}


def test_a_count_of_matches_is_no_claim() -> None:
    assert check("Torvik scored 48 goals in 22 matches.", LEAGUE).verdict == "pass"
    assert "comparison" in check("Torvik's 48 goals matched Brenn's.", LEAGUE).flags


def test_who_leads_a_team_is_not_held_against_other_teams() -> None:
    table = result("Player, Team, Rebounds:", ("Dana Fox", "Hawks", 52), ("Lia Moreno", "Kings", 88))
    assert codes(check("Dana Fox led the team with 52 rebounds.", table)) == set()
