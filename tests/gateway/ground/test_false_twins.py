"""False twins of true sentences: a number of another row or column of the same table does not pass."""

import pytest

from tests.gateway.ground.drafts import declare, passes, result
from traces.records import Derivation, Table

PITCHERS = result(
    "Pitcher, G:, IP:, W:, L:, ERA:, SO:",
    ("Ned Alder", 31, 201.2, 16, 9, 3.41, 118),
    ("Tom Birk", 29, 188.1, 12, 7, 2.86, 97),
    ("Sid Crane", 30, 176.0, 8, 13, 4.05, 64),
)
LINES = result(
    "Line, Good units:, Scrapped units:, Downtime:minutes",
    ("Line K", 30120, 410, 187),
    ("Line L", 28644, 903, 455),
    ("Line M", 19870, 122, 73),
)
TRANSMITTERS = result(
    "Transmitter, Frequency (MHz):, Power (kW):",
    ("Oak Hill", 95.2, 4.1),
    ("Marl", 103.7, 0.09),
    ("Dunby", 101.3, 2.5),
)
CLUBS = result(
    "Club, Members:, Joined:, Left:, Net change:",
    ("Harbour", 1432, 61, 109, -48),
    ("Hilltop", 2871, 204, 133, 71),
)
VOTE = result(
    "Party, Candidate, Votes:, %:percent, \u00b1:",
    ("Union", "Carla Munro", 40112, 61.3, 9.7),
    ("Reform", "Peter Oakes", 21870, 33.4, 4.2),
    ("Green", "Ivy Lunn", 3468, 5.3, -1.1),
)
ROUNDS = result(
    "Candidate, Party, First round Votes:, First round %:percent,"
    " Second round Votes:, Second round %:percent",
    ("Carla Munro", "Union", 9204, 41.37, 13120, 63.18),
    ("Peter Oakes", "Reform", 6117, 27.49, 7646, 36.82),
    ("Ivy Lunn", "Green", 6928, 31.14, None, None),
)
VILLAGE = result(
    "Particulars, Total:, Male:, Female:",
    ("Total No. of Houses", 214, None, None),
    ("Total Population", 1128, 590, 538),
    ("Children (0-6)", 97, 51, 46),
    ("Workers", 388, 301, 87),
    ("Literacy", 71.94, 80.61, 62.35),
)
SHIPS = result(
    "Date, Ship, Flag, Tonnage (GRT):, Fate",
    ("3 May 1941", "Arden", "Norway", 4820, "Sunk"),
    ("9 May 1941", "Bellrock", "Norway", 10950, "Sunk"),
    ("2 June 1941", "Corvo", "Panama", 7733, "Damaged"),
    ("8 June 1941", "Dalby", "Norway", 3911, "Sunk"),
    ("9 June 1941", "Elston", "Panama", 6120, "Sunk"),
)
CAREER = result(
    "Club, Season, League Apps:, League Goals:, Total Apps:, Total Goals:",
    ("Marlow", "Total", 152, 38, 171, 45),
    ("Denby", "Total", 64, 12, 70, 13),
)
HOME = result(
    "date, opponent, attendance:",
    ("june 2", "kites", 15320),
    ("june 3", "kites", 21044),
    ("june 4", "kites", 11890),
    ("june 17", "kites", 8130),
    ("june 18", "hawks", 9440),
)
JUMPS = result(
    "Event, Result (m):, Place, Date",
    ("Long jump", 6.81, "Lund", "20 May 2007"),
    ("Triple jump", 14.02, "Oslo", "7 June 2013"),
)
YARDS = result(
    "Season, 2007:, 2008:, 2009:",
    ("Yards", 612, 701, 0),
    ("Touchdowns", 4, 5, 0),
)
CHART = result(
    "Country, Position:, Certification",
    ("Australia", 11, "Gold"),
    ("Canada", 19, "-"),
    ("United States", 188, "Gold"),
)
SEATS = result(
    "Party, Votes:, Seats:",
    ("Centre", 81204, 48),
    ("Left Bloc", 60117, 31),
    ("Total", 141321, 79),
)
MEDALS = result(
    "rank:, nation, gold:, silver:, bronze:, total:",
    (1, "Orla", 9, 6, 3, 18),
    (2, "Vesk", 2, 3, 4, 9),
    (3, "Tarn", 0, 1, 0, 1),
    (3, "Brisa", 0, 0, 1, 1),
    (3, "Corda", 0, 0, 1, 1),
)
REPAIRS = result(
    "Vehicle type, Vehicles:, Repairs:EUR",
    ("Van", 40, 31870.2),
    ("Truck", 16, 80412.6),
    ("Car", 20, 9944.1),
)
LOSSES = declare("count_rows", "d1", where={"column": "fate", "op": "=", "value": "Damaged"})
ONE_MEDAL = declare("count_rows", "d1", where={"column": "total", "op": "=", "value": 1})
ALL_REPAIRS = declare("sum", "d1", of={"column": "repairs"})


@pytest.mark.parametrize(
    ("table", "true", "false"),
    [
        (
            PITCHERS,
            "Birk (12-7, 2.86) and Crane (8-13, 4.05) pitched.",
            "Birk (12-7, 188.10) and Crane (8-13, 4.05) pitched.",
        ),
        (
            PITCHERS,
            "Birk (12-7, 2.86) and Crane (8-13, 4.05) pitched.",
            "Birk (7-7, 2.86) and Crane (8-13, 4.05) pitched.",
        ),
        (
            PITCHERS,
            "Birk (12-7, 2.86) and Crane (8-13, 4.05) pitched.",
            "Birk (12-7, 12.00) and Crane (8-13, 4.05) pitched.",
        ),
        (
            PITCHERS,
            "Ned Alder led the team with 118 strikeouts.",
            "Ned Alder led the team with 16 strikeouts.",
        ),
        (
            LINES,
            "Line M stood still for 73 minutes, Line L for 455.",
            "Line M stood still for 73 minutes, Line L for 28644.",
        ),
        (
            LINES,
            "Line M stood still for 73 minutes, Line L for 455.",
            "Line M stood still for 73 minutes, Line L for 903.",
        ),
        (
            TRANSMITTERS,
            "The station uses the frequencies of 95.2 MHz and 103.7 MHz.",
            "The station uses the frequencies of 95.2 MHz and 95.2 MHz.",
        ),
        (
            TRANSMITTERS,
            "Frequencies are 95.2, 103.7 and 101.3 MHz.",
            "Frequencies are 95.2, 103.7 and 95.2 MHz.",
        ),
        (CLUBS, "Harbour had 61 people join and 109 leave.", "Harbour had 1432 people join and 109 leave."),
        (CLUBS, "Harbour had 61 people join and 109 leave.", "Harbour had 109 people join and 61 leave."),
        (
            VOTE,
            "Carla Munro defeated Peter Oakes with 61.3 percent of the vote.",
            "Carla Munro defeated Peter Oakes with 9.7 percent of the vote.",
        ),
        (
            VOTE,
            "Carla Munro won the election with 61.3% of the vote.",
            "Carla Munro lost the election with 61.3% of the vote.",
        ),
        (
            ROUNDS,
            "Munro won the second round with 63.18% against Peter Oakes with 36.82%.",
            "Munro won the second round with 63.18% against Peter Oakes with 27.49%.",
        ),
        (VILLAGE, "The literacy rate of the village is 71.94.", "The literacy rate of the village is 80.61."),
        (
            VILLAGE,
            "The village has a total number of 214 houses and a population of 1,128.",
            "The village has a total number of 1128 houses and a population of 1,128.",
        ),
        (
            CAREER,
            "He scored 38 goals in 152 league games for Marlow.",
            "He scored 38 goals in 1520 league games for Marlow.",
        ),
        (
            CAREER,
            "In 152 league appearances for Marlow he scored 38 goals.",
            "In 1920 appearances for Marlow he scored 38 goals.",
        ),
        (
            HOME,
            "the june 17th game against the kites have an attendance of 8130",
            "the june 17th game against the kites have an attendance of 21044",
        ),
        (
            JUMPS,
            "On 20 May 2007 the long jump in Lund was 6.81 metres.",
            "On 21 May 2007 the long jump in Lund was 6.81 metres.",
        ),
        (
            YARDS,
            "In his first year he had 612 yards, and 4 touchdowns.",
            "In his first year he had 612 yards, and 0 touchdowns.",
        ),
        (
            CHART,
            "The song peaked at 188 in the US and won Gold certification.",
            "The song peaked at 11 in the US and won Gold certification.",
        ),
        (SEATS, "The Left Bloc won 31 of the 79 seats.", "The Left Bloc lost 31 of the 79 seats."),
    ],
)
def test_a_true_sentence_passes_and_a_number_of_another_cell_does_not(
    table: Table, true: str, false: str
) -> None:
    """The false twin shows a figure of the same table that its words do not mean."""
    assert passes(true, table), true
    assert not passes(false, table), false


@pytest.mark.parametrize(
    ("table", "declared", "true", "false"),
    [
        (
            SHIPS,
            LOSSES,
            "The boat damaged one ship of 7,733 GRT.",
            "The boat damaged one ship of 6,120 GRT.",
        ),
        (
            MEDALS,
            ONE_MEDAL,
            "there be 3 country that only win a single medal : tarn , brisa , and corda",
            "there be 1 country that only win a single medal : tarn , brisa , and corda",
        ),
        (
            REPAIRS,
            ALL_REPAIRS,
            "Repairs cost \u20ac122,226.90 in total, most of it for trucks (\u20ac80,412.60).",
            "Repairs cost \u20ac80,412.60 in total, most of it for trucks (\u20ac122,226.90).",
        ),
    ],
)
def test_a_declared_figure_does_not_lend_its_place_to_a_cell(
    table: Table, declared: Derivation, true: str, false: str
) -> None:
    """A count or a sum that was declared is that figure, and no row's."""
    assert passes(true, table, [declared]), true
    assert not passes(false, table, [declared]), false


@pytest.mark.parametrize("tons", ["4,820", "3,911", "6,120", "7,733"])
def test_the_tonnage_of_any_ship_is_not_that_of_one_that_no_word_names(tons: str) -> None:
    """Many rows are sunk ships: only the words of a row single one of them out."""
    assert not passes(f"The boat sank a tanker of {tons} tons that was sunk.", SHIPS)
    assert passes("The Bellrock of 10,950 tons was sunk.", SHIPS)


def test_a_clause_without_a_verb_may_name_a_column_of_its_own() -> None:
    """Only where it names none is it of the column before."""
    assert passes("Harbour had 109 leave, Hilltop 133.", CLUBS)
    assert passes("Line L made 28,644 good units, and Line M 122 scrapped units.", LINES)


def test_seats_that_were_lost_are_of_a_column_of_changes() -> None:
    """What was lost may stand in a column of changes or of losses."""
    changed = result("Party, Seats:, Change:", ("Centre", 48, -5), ("Left Bloc", 31, 5))
    assert passes("The Centre lost 5 seats and finished with 48.", changed)
    assert not passes("The Centre lost 48 seats.", changed)
    assert passes("The Left Bloc won 31 seats.", SEATS)


@pytest.mark.parametrize("record", ["7-12, 2.86", "2.86-7, 12", "12-12, 2.86", "29-29, 2.86"])
def test_a_record_is_two_whole_numbers_in_the_order_of_the_row(record: str) -> None:
    """Won comes before lost, and neither has decimals."""
    assert passes("Crane (8-13, 4.05) and Birk (12-7, 2.86) pitched.", PITCHERS)
    assert not passes(f"Crane (8-13, 4.05) and Birk ({record}) pitched.", PITCHERS)


def test_a_name_or_a_time_with_a_percent_sign_is_no_percentage() -> None:
    """The sign makes a share of what is none."""
    stores = result("Store, Growth:percent", ("Store 30", 14.7), ("Store 25", -12.5))
    assert passes("Store 30 was up 14.7% while Store 25 was down 12.5%.", stores)
    assert not passes("Store 30 was up 14.7% while Store 25% was down 12.5%.", stores)
    heats = result("Swimmer, Time", ("Ada Voss", "8:24.50"), ("Eva Lind", "8:27.75"))
    assert passes("Ada Voss recorded a time of 8:24.50.", heats)
    assert not passes("Ada Voss recorded a time of 8:24.50%.", heats)


def test_who_has_the_highest_share_did_not_lose() -> None:
    """The table holds the vote whole, and says who won it."""
    assert passes("Carla Munro won with 61.3% of the vote.", VOTE)
    assert not passes("Munro lost with 61.3% of the vote.", VOTE)
    assert passes("Peter Oakes lost the race with 33.4% of the vote.", VOTE)


def test_a_figure_behind_a_year_and_a_dash_is_no_cell() -> None:
    """The end of a season is two digits or a year."""
    assert not passes("During 1953\u2013152 he scored 38 league goals for Marlow.", CAREER)
