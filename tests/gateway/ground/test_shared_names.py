"""A word that several columns or rows share: the sign and the words right behind the number choose."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result
from traces.records import Table

CAMPAIGNS = result(
    "Campaign, Spend:USD, Leads:, Cost per lead:USD",
    ("Spring Push", 214300, 5120, 41.86),
    ("Open Days", 96480, 1608, 60.0),
    ("Talks", 58210, 2017, 28.86),
)
DEPOTS = result(
    "Depot, Deliveries:, On time:, On-time rate:fraction",
    ("Antwerp", 14208, 13371, 0.9411),
    ("Ghent", 9033, 8780, 0.972),
    ("Liege", 11640, 10231, 0.879),
)
FAULTS = result(
    "Line, Fault rate:percent", ("Press", 4.1), ("Lathe", 9.7), ("Mill", 6.2), ("Drill", 1.3), ("Saw", 5.0)
)
CONTEST = result(
    "Artist, Jury:, Televote:, Points:",
    ("Orlo", 61, 72, 133),
    ("Elma", 52, 58, 110),
    ("Plass", 48, 40, 88),
)
RACE = result(
    "Rank:, Name, Nation, Time:seconds",
    (1, "Daima Perez", "Cuba", 53.44),
    (2, "Debbie Parr", "Jamaica", 54.07),
    (3, "Michelle Parr", "Canada", 54.22),
)
CAREER = result(
    "Season, Club, Apps:, Goals:, Cup apps:, Cup goals:",
    ("1986/87", "Harlow", 33, 14, 6, 2),
    ("1987/88", "Roda", 31, 12, 5, 4),
    ("1988/89", "Roda", 34, 19, 2, 0),
)
PEAKS = result(
    "Peak, Range, Elevation (m):, Prominence (m):",
    ("Musala", "Rila", 2925, 2473),
    ("Vihren", "Pirin", 2914, 1783),
    ("Kutelo", "Pirin", 2908, 98),
)
TOWERS = result(
    "Name, Height (ft):, Floors:, Year",
    ("Tarn Tower", 667, 52, "1976"),
    ("Philco House", 343, 24, "1928"),
    ("Court Block", 400, 22, "1931"),
)
MARGIN = [declare("difference", a=cell("Orlo", "points"), b=cell("Elma", "points"))]


@pytest.mark.parametrize(
    ("true", "false", "table"),
    [
        (
            "Talks had the cheapest leads at $28.86 each.",
            "Spring Push had the cheapest leads at $41.86 each.",
            CAMPAIGNS,
        ),
        (
            "Liege is the weakest depot at 87.9% on time.",
            "Liege is the weakest depot at 94.1% on time.",
            DEPOTS,
        ),
        (
            "Orlo received 61 points from the jury and 72 from the televote.",
            "Orlo received 133 points from the jury and 72 from the televote.",
            CONTEST,
        ),
        (
            "Perez won the race in 53.44 seconds, followed by Debbie Parr of Jamaica in 54.07.",
            "Perez won the race in 54.07 seconds, followed by Debbie Parr of Jamaica in 53.44.",
            RACE,
        ),
        (
            "In 1987/88 he played 31 matches for Roda, scoring 12 goals, and added 4 more in 5 cup matches.",
            "In 1987/88 he played 31 matches for Roda, scoring 12 goals, and added 5 more in 5 cup matches.",
            CAREER,
        ),
        (
            "At 2,925 metres Musala, in the Rila range, is the highest peak, ahead of Vihren in Pirin at "
            "2,914 metres.",
            "At 2,473 metres Musala, in the Rila range, is the highest peak, ahead of Vihren in Pirin at "
            "2,914 metres.",
            PEAKS,
        ),
        (
            "Musala is 2,925 metres high, ahead of Vihren in Pirin at 2,914 metres.",
            "Musala is 2,925 metres high, ahead of Vihren in Pirin at 1,783 metres.",
            PEAKS,
        ),
        (
            "The Philco House of 1928 reaches 343 feet.",
            "The Philco House of 1931 reaches 343 feet.",
            TOWERS,
        ),
    ],
)
def test_what_stands_beside_the_number_chooses_among_those_that_share_a_name(
    true: str, false: str, table: Table
) -> None:
    assert passes(true, table), check(true, table).findings
    assert not passes(false, table)


def test_money_right_before_a_count_is_no_rate_of_it() -> None:
    assert codes(check("Talks brought $28.86 leads.", CAMPAIGNS)) == {"wrong_cell"}


def test_the_weakest_may_be_either_end_and_nothing_in_between() -> None:
    assert passes("Lathe is the weakest line at a fault rate of 9.7%.", FAULTS)
    assert not passes("Mill is the weakest line with a fault rate of 6.2%.", FAULTS)


def test_a_surname_names_a_row_where_no_other_has_it() -> None:
    assert not passes("Parr won the race in 54.07 seconds, followed by Daima Perez of Cuba in 54.22.", RACE)


def test_added_more_compares_only_where_something_is_measured_against() -> None:
    said = "In 1987/88 he scored 12 goals for Roda and added 4 more in the cup"
    assert "more" not in {f.text for f in check(f"{said}.", CAREER).findings}
    assert "more" in {f.text for f in check(f"{said} than in the league.", CAREER).findings}


def test_rising_to_a_height_is_no_trend() -> None:
    assert check("Tarn Tower rises 667 feet.", TOWERS).verdict == "pass"
    assert check("Tarn Tower rises every year to 667 feet.", TOWERS).verdict != "pass"


def test_the_rows_of_one_name_are_counted_by_what_their_key_is_called() -> None:
    goals = [declare("sum", of=[cell("1987/88|Roda", "goals"), cell("1988/89|Roda", "goals")])]
    assert passes("In his two seasons at Roda he scored 31 goals.", CAREER, goals)
    assert not passes("In his three seasons at Roda he scored 31 goals.", CAREER, goals)


def test_the_two_sides_behind_a_margin_go_in_the_order_of_the_names() -> None:
    assert check("Orlo beat Elma by 23 points, 133 to 110.", CONTEST, MARGIN).verdict == "pass"
    assert not passes("Elma beat Orlo by 23 points, 110 to 133.", CONTEST, MARGIN)
    assert not passes("Orlo beat Elma by 23 points, 61 to 52.", CONTEST, MARGIN)
