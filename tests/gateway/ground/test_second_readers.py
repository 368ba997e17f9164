"""Turns of phrase of fresh readers: each true sentence beside the false one that differs in one thing."""

import pytest

from tests.gateway.ground.drafts import Q3, cell, check, codes, declare, passes, result
from traces.records import Derivation, Table

POLL = result(
    "Party, Candidate, Votes:, %:percent, Swing:percent",
    ("Labour", "Joan Pritchard", 14206, 48.2, 3.9),
    ("Conservative", "Alan Whitby", 9871, 33.5, -6.2),
    ("Liberal", "Ruth Sykes", 4102, 13.9, 1.1),
    ("Green", "Tom Ashe", 1294, 4.4, 1.2),
)
COUNCIL = result(
    "Party, Seats contested:, Seats won:, Change:",
    ("Civic Union", 48, 27, 5),
    ("Green List", 40, 9, -2),
    ("National Front", 48, 12, -4),
)
FALLS = result(
    "Name, Height (m):, Municipality, Flow (m3/s):",
    ("Storfoss", 297, "Hald", 32),
    ("Brudefoss", 184, "Hald", 11),
    ("Kvernfall", 141, "Lien", 45),
)
TOWERS = result(
    "Name, Height m (ft), Floors:", ("Aurum Tower", "214 (702)", 52), ("Halden House", "171 (561)", 43)
)
SHOW = result(
    "Episode, Title, Viewers (millions):",
    ("1", "The Arrival", 6.4),
    ("2", "Low Tide", 6.18),
    ("3", "The Wreck", 5.97),
)
MINISTERS = result(
    "Minister, Term start, Term end, Days in office:",
    ("Ida Nygaard", "1952", "1961", 3301),
    ("Per Holt", "1961", "1965", 1455),
)
HOUSE = result(
    "Party, Seats 2010:, Seats 2014:, Change:", ("Alliance", 61, 74, 13), ("People's Front", 70, 52, -18)
)
RACE = result("Pos, Driver, Laps:, Points:", ("1", "Carlo Venturi", 68, 9), ("3", "Bo Larsson", 67, 4))
CENSUS = result("Year, Urban:, Rural:", ("1931", 14870, 61230), ("1988", 52730, 39644))
RIVERS = result("River, Length in Slovenia (km):, Total length (km):", ("Sava", 221, 947), ("Soca", 95, 137))
WAGES = result("Item, 2019:EUR, 2018:EUR", ("Work in progress", 87.2, 91.5), ("Raw materials", 40.1, 38.8))
COACHED = result(
    "Year, Wins:, Losses:, Points for:, Points against:", ("1946", 6, 2, 187, 94), ("1948", 8, 1, 264, 71)
)
WEEKS = result("Week starting, Signups:, Activated:", ("2026-11-09", 1820, 1101), ("2026-11-16", 1998, 1279))
MEETS = result("Place, Athlete, Result (m):", ("1", "Mihai Rusu", 15.3), ("2", "Ion Kanar", 14.9))
QUAKES = result(
    "Date, Epicentre, Deaths:", ("8 March 1983", "Puerto Seco", 139), ("2 May 1960", "Valdera", 57)
)
TEAMS = result("Team, Won:, Lost:", ("Milford", 9, 2), ("Eastbrook", 8, 4), ("Grantham", 1, 10))


@pytest.mark.parametrize(
    ("true", "false", "table"),
    [
        (
            "The Conservative share fell by 6.2 points to 33.5%.",
            "The Conservative share rose by 6.2 points.",
            POLL,
        ),
        ("Joan Pritchard won the seat with 14,206 votes.", "Tom Ashe won the seat with 1,294 votes.", POLL),
        (
            "Joan Pritchard defeated Alan Whitby, 14,206 votes to 9,871.",
            "Joan Pritchard defeated Alan Whitby, 9,871 votes to 14,206.",
            POLL,
        ),
        ("Ruth Sykes was third with 4,102 votes.", "Ruth Sykes was second with 4,102 votes.", POLL),
        (
            "The Civic Union took 27 of the seats it contested.",
            "The Civic Union took 17 of the seats.",
            COUNCIL,
        ),
        ("The National Front lost four seats.", "The National Front lost 48 seats.", COUNCIL),
        ("Storfoss has a drop of 297 metres.", "Storfoss has a drop of 184 metres.", FALLS),
        (
            "Storfoss and Brudefoss, both in Hald, are 297 and 184 metres high.",
            "Storfoss and Kvernfall, both in Hald, are 297 and 184 metres high.",
            FALLS,
        ),
        (
            "At 184 metres, Brudefoss is the second highest.",
            "At 184 metres, Brudefoss is the third highest.",
            FALLS,
        ),
        ("Halden House is 561 feet tall.", "Halden House is 171 feet tall.", TOWERS),
        (
            "Low Tide, the second episode, drew 6.18 million viewers.",
            "Low Tide, the third episode, drew 6.18 million viewers.",
            SHOW,
        ),
        (
            "Viewership fell to 5.97 million for The Wreck.",
            "Viewership rose to 5.97 million for The Wreck.",
            SHOW,
        ),
        (
            "Ida Nygaard served 3,301 days from 1952 to 1961.",
            "Ida Nygaard served 3,301 days from 1952 to 1963.",
            MINISTERS,
        ),
        (
            "The Alliance took 74 seats in 2014, 13 more than in 2010.",
            "The Alliance took 61 seats in 2014.",
            HOUSE,
        ),
        (
            "The People's Front fell from 70 seats to 52.",
            "The People's Front rose from 52 seats to 70.",
            HOUSE,
        ),
        ("Bo Larsson took third place with 4 points.", "Bo Larsson took second place with 4 points.", RACE),
        (
            "Between 1931 and 1988 the urban count climbed from 14,870 to 52,730.",
            "Between 1931 and 1988 the urban count climbed from 52,730 to 14,870.",
            CENSUS,
        ),
        (
            "The Sava runs 221 km of its 947 km in Slovenia.",
            "The Sava runs 137 km of its 947 km in Slovenia.",
            RIVERS,
        ),
        ("The Soca is 137 km long, 95 km of which lie in Slovenia.", "The Soca is 221 km long.", RIVERS),
        (
            "Work in progress was €87.2 in 2019, down from €91.5.",
            "Work in progress was €87.2 in 2019, down from €38.8.",
            WAGES,
        ),
        (
            "The 1946 team outscored opponents by a total of 187 to 94.",
            "The 1946 team outscored opponents by a total of 94 to 187.",
            COACHED,
        ),
        (
            "In the week of 16 November 2026, 1,279 of 1,998 signups activated.",
            "In the week of 9 November 2026, 1,279 of 1,998 signups activated.",
            WEEKS,
        ),
        (
            "Rusu won with 15.30 m, Kanar next with 14.90 m.",
            "Rusu won with 14.90 m, Kanar next with 15.30 m.",
            MEETS,
        ),
        (
            "The Puerto Seco quake of 1983 had 139 deaths.",
            "The Puerto Seco quake of 1960 had 139 deaths.",
            QUAKES,
        ),
        (
            "Milford had nine wins, Eastbrook eight and Grantham one.",
            "Milford had nine wins, Eastbrook eight and Grantham ten.",
            TEAMS,
        ),
        ("Eastbrook beat the rest , with 8 wins .", "Eastbrook beat the rest , with 9 wins .", TEAMS),
    ],
)
def test_the_turn_of_phrase_passes_and_its_twin_blocks(true: str, false: str, table: Table) -> None:
    assert passes(true, table), check(true, table).findings
    assert check(false, table).verdict == "block"


ORDERS = result("Region, Orders:, Net revenue:USD", ("Benelux", 1204, 48200), ("Iberia", 887, 39950))


@pytest.mark.parametrize(
    ("known", "strange", "code"),
    [
        ("Benelux had 1,204 orders.", "Enterprise had 1,204 orders.", "filter"),
        ("Total orders in Benelux came to 1,204.", "Enterprise orders in Benelux came to 1,204.", "filter"),
        ("Benelux placed 1,204 orders.", "Benelux placed 1,204 pallets.", "wrong_cell"),
    ],
)
def test_where_the_question_is_known_a_name_or_a_thing_it_does_not_speak_of_blocks(
    known: str, strange: str, code: str
) -> None:
    assert "filter" not in codes(check(known, ORDERS, scope=Q3))
    assert passes(known, ORDERS, scope=Q3), check(known, ORDERS, scope=Q3).findings
    assert code in codes(check(strange, ORDERS, scope=Q3))


FLEET = result("Line, 2020:USD, 2019:USD", ("Ferries", 918, 1000), ("Barges", 1111, 1000))
FERRIES = declare("pct_change", "d1", new=cell("Ferries", "2020"), old=cell("Ferries", "2019"))
BARGES = declare("pct_change", "d2", new=cell("Barges", "2020"), old=cell("Barges", "2019"))
LESS = declare("difference", "d3", a=cell("Ferries", "2020"), b=cell("Ferries", "2019"))
STAFF = result("Month, Signups:, Cancellations:", ("2026-06", 398, 120), ("2026-07", 510, 101))
SUM = declare("sum", of={"column": "signups"})


@pytest.mark.parametrize(
    ("true", "false", "table", "declared"),
    [
        (
            "Barges advanced by 11.1%, whereas Ferries declined 8.2%.",
            "Ferries advanced by 11.1%, whereas Barges declined 8.2%.",
            FLEET,
            (FERRIES, BARGES),
        ),
        ("Ferries fell by 8.2%, or $82.", "Ferries rose by 8.2%, or $82.", FLEET, (FERRIES, LESS)),
        (
            "Between June and July 2026, 908 signups came in.",
            "Between June and July 2026, 908 cancellations came in.",
            STAFF,
            (SUM,),
        ),
    ],
)
def test_a_second_declared_figure_keeps_its_row_its_column_and_its_direction(
    true: str, false: str, table: Table, declared: tuple[Derivation, ...]
) -> None:
    assert passes(true, table, declared), check(true, table, declared).findings
    assert check(false, table, declared).verdict == "block"


def test_no_beside_the_name_of_an_item_is_a_zero_that_a_missing_figure_does_not_bear_out() -> None:
    items = result("Item, 2019:USD, 2018:USD", ("Lease liabilities", 1200, None), ("Cash", 900, 800))
    assert "null_as_value" in codes(check("In 2018 there were no lease liabilities.", items))


def test_what_rose_every_week_is_held_against_every_week() -> None:
    rising = result("Week, Signups:", ("2026-11-02", 10), ("2026-11-09", 12), ("2026-11-16", 15))
    assert passes("Signups rose every week, to 15 in the week of 16 November 2026.", rising)
    falling = result("Week, Signups:", ("2026-11-02", 10), ("2026-11-09", 9), ("2026-11-16", 15))
    assert (
        check("Signups rose every week, to 15 in the week of 16 November 2026.", falling).verdict == "block"
    )
