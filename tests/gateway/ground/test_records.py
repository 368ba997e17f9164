"""Records of one thing told in free sentences: totals, groups by year, distances, reaches, each of two."""

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import TODAY, check, passes, result
from traces.records import Table

VILLAGE = result(
    "Particulars, Total:, Male:, Female:",
    ("Total No. of Houses", 190, None, None),
    ("Total", 946, 493, 453),
    ("Children (0-6)", 93, 56, 37),
    ("Literates", 618, 335, 283),
    ("Total workers", 317, 286, 31),
)
PLACES = result(
    "Place, Total:, Male:, Female:",
    ("Alda", 946, 493, 453),
    ("Brune", 618, 335, 283),
    ("Wick", 317, 186, 131),
    ("Total", 1881, 1014, 867),
)
BERTHS = result(
    "Berth, Quay length (m):m, Depth at low tide (m):m, Load (t):",
    ("North I", 275, 7.0, 3),
    ("North II", 248, 5.5, 2),
    ("Pier A", 131, 4.5, 2),
    ("Pier B", 30, 4.5, 1),
)
BESTS = result(
    "Event, Time (sec), Venue",
    ("60-meter dash", "6.50", "Oslo"),
    ("100-meter dash", "9.89", "Lima"),
    ("200-meter dash", "20.03", "Nice"),
    ("Long jump", "8.12 m", "Arles"),
)
TRACK = result(
    "Event, Time (sec), Venue",
    ("200 m hurdles", "26.50", "Oslo"),
    ("200 m", "20.89", "Lima"),
    ("5,000 m", "14:03.1", "Nice"),
)
SUMMITS = result("Summit, Height (m):m, Rise", ("Alp", 2201, "200 m"), ("Berg", 1800, "350 m"))
ABBEYS = result(
    "Year, Monks:, Change in monks:, Abbeys:, Change in abbeys:",
    ("1720", 0, 0, 0, 0),
    ("1730", 14, 14, 1, 1),
    ("1840", 900, 886, 15, 14),
    ("1900", 50000, 49100, 170, 155),
    ("1930", 135000, 85000, 300, 130),
)
LINE = result(
    "Total; km:, Leg; km:, Stop, Opened",
    (0, 0, "Alda", "1904"),
    (23, 23, "Wick", "1943"),
    (35, 12, "Lund", "1943"),
    (None, None, "Mora", "1943"),
    (77, 42, "Xenia", "2009"),
    (118, 41, "Brune", "1933"),
)
ROUTE = Scope(today=TODAY, known=False, subject="Alda\u2013Brune railway \u2014 Route")
CAREER = result(
    "Club, Season, League Apps:, League Goals:, Cup Apps:, Cup Goals:, Total Apps:, Total Goals:",
    ("Hale", "1990-91", 30, 5, 4, 1, 34, 6),
    ("Hale", "1991-92", 36, 9, 0, 0, 36, 9),
    ("Hale", "Total", 66, 14, 4, 1, 70, 15),
    ("Rowton", "1992-93", 10, 2, 1, 0, 11, 2),
    ("Rowton", "1993-94", 12, 0, 0, 0, 12, 0),
    ("Rowton", "Total", 22, 2, 1, 0, 23, 2),
    ("Career total", "Career total", 88, 16, 5, 1, 93, 17),
)
MEDALS = result(
    "Nation, Gold:, Silver:, Bronze:",
    ("Norway", 5, 2, 7),
    ("Sweden", 3, 2, 4),
    ("Finland", 0, 1, 4),
    ("Estonia", 1, 0, 0),
)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("It has 190 houses and a population of 946, of which 493 are males and 453 are females.", True),
        ("It has 190 houses and a population of 946, of which 453 are males and 493 are females.", False),
        ("It has 190 houses and a population of 618, of which 335 are males and 283 are females.", False),
        ("The village has a population of 317.", False),
        ("The village has 317 houses.", False),
        ("There are 618 literates, of which 335 are males.", True),
        ("There are 618 literates, of which 493 are males.", False),
        ("With 946 inhabitants, the village has 190 houses.", True),
        ("With 190 inhabitants, the village has 946 houses.", False),
        ("The literate population is 618.", True),
        ("The literate population is 946.", False),
        ("The female population is 453.", True),
        ("The female population is 493.", False),
    ],
)
def test_the_population_of_a_table_of_men_and_women_is_its_total(draft: str, stands: bool) -> None:
    assert passes(draft, VILLAGE) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Alda has a population of 946, of which 493 are males.", True),
        ("Alda has a population of 618.", False),
        ("Alda has a population of 1,881.", False),
        ("Brune has 618 inhabitants.", True),
        ("Brune has 335 inhabitants.", False),
    ],
)
def test_the_population_of_one_place_of_many_is_its_own_total(draft: str, stands: bool) -> None:
    assert passes(draft, PLACES) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("The port has berths with lengths up to 275 m and depths up to 7 m.", True),
        ("The port has berths with lengths up to 275m and depths up to 7m.", True),
        ("The port has berths with lengths up to 248 m and depths up to 7 m.", False),
        ("The port has berths with lengths up to 275 m and depths up to 5.5 m.", False),
        ("The port has berths with depths up to 275 m.", False),
        ("The port has berths with depths of at least 4.5 m.", True),
        ("The port has berths with depths of at least 5.5 m.", False),
    ],
)
def test_up_to_is_as_far_as_the_named_column_goes(draft: str, stands: bool) -> None:
    assert passes(draft, BERTHS) == stands


@pytest.mark.parametrize(
    ("draft", "table", "stands"),
    [
        (
            "He has bests of 20.03 for the 200 m, 8.12 m for the long jump, and 6.50 for the 60-meter dash.",
            BESTS,
            True,
        ),
        (
            "He has bests of 9.89 for the 200 m, 8.12 m for the long jump, and 6.50 for the 60-meter dash.",
            BESTS,
            False,
        ),
        ("He has bests of 20.03 for the 200 metres and 9.89 for the 100m.", BESTS, True),
        ("He has bests of 9.89 for the 200 metres and 20.03 for the 100m.", BESTS, False),
        ("His best over the 100 metre dash is 9.89.", BESTS, True),
        ("His best over the 100 metre dash is 6.50.", BESTS, False),
        ("Her best in the 200 metres is 20.89.", TRACK, True),
        ("Her best in the 200 metres is 26.50.", TRACK, False),
        ("Her best in the 200 metres hurdles is 26.50.", TRACK, True),
        ("Her best in the 5000 metres is 14:03.1.", TRACK, True),
        ("Alp is 2,201 m high.", SUMMITS, True),
        ("Alp has a rise of 350 m.", SUMMITS, False),
    ],
)
def test_a_distance_names_its_row_however_it_is_written(draft: str, table: Table, stands: bool) -> None:
    assert passes(draft, table) == stands


@pytest.mark.parametrize(
    ("first", "second", "third", "stands"),
    [
        ("900 monks in 15", "50,000 in 170 abbeys", "135,000 in 300 abbeys", True),
        ("900 monks in 15 abbeys", "50,000 in 170", "135,000 in 300", True),
        ("900 monks in 15", "135,000 in 170 abbeys", "50,000 in 300 abbeys", False),
        ("900 monks in 15", "50,000 in 300 abbeys", "135,000 in 170 abbeys", False),
        ("14 monks in 15", "50,000 in 170 abbeys", "135,000 in 300 abbeys", False),
        ("900 monks in 14", "50,000 in 170 abbeys", "135,000 in 300 abbeys", False),
        ("900 monks in 900", "50,000 in 170 abbeys", "135,000 in 300 abbeys", False),
        ("900 monks in 170", "50,000 in 15 abbeys", "135,000 in 300 abbeys", False),
    ],
)
def test_groups_of_numbers_belong_to_the_year_that_closes_them(
    first: str, second: str, third: str, stands: bool
) -> None:
    draft = f"Their number went from {first} in 1840, {second} in 1900, and {third} by 1930."
    assert passes(draft, ABBEYS) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("The Alda\u2013Brune railway is a 118 km railway line.", True),
        ("The Alda-Brune railway is a 118 km railway line.", True),
        ("The Alda\u2013Brune railway is a 41 km railway line.", False),
        ("The Alda\u2013Brune railway is a 77 km railway line.", False),
        ("Brune lies 118 km from Alda.", True),
        ("Xenia is at 77 km.", True),
        ("Xenia is at 118 km.", False),
    ],
)
def test_a_name_made_of_two_rows_names_neither(draft: str, stands: bool) -> None:
    assert passes(draft, LINE, scope=ROUTE) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("He made 66 league appearances and 70 appearances overall for the club.", True),
        ("He made 66 league appearances and 23 appearances overall for the club.", False),
        ("He made 66 league appearances and 4 appearances overall for the club.", False),
        ("He made 93 appearances overall.", True),
        ("He made 70 appearances overall.", False),
        ("He made 88 league appearances and 70 appearances overall.", False),
        ("He made 66 league appearances for Hale and 23 appearances overall for Rowton.", True),
    ],
)
def test_totals_told_without_a_row_are_of_one_row(draft: str, stands: bool) -> None:
    assert passes(draft, CAREER) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Both Sweden and Finland won 4 bronze medals.", True),
        ("Both Norway and Sweden won 2 silver medals.", True),
        ("Both Norway and Finland won 4 bronze medals.", False),
        ("Both Norway and Sweden won 3 gold medals.", False),
        ("Sweden and Finland won 4 bronze medals each.", True),
        ("Norway and Finland won 4 bronze medals each.", False),
        ("Norway and Sweden each won 2 silver medals.", True),
        ("Finland and Sweden each won 2 silver medals.", False),
    ],
)
def test_what_both_have_each_of_them_has(draft: str, stands: bool) -> None:
    assert (check(draft, MEDALS).verdict == "pass") == stands
