"""Sentences as people write them: each number binds to the row and column that its own words name."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import ANYTHING, check, codes, declare, passes, result

RIVERS = result(
    "River, Length (km):, Basin (km2):", ("Ottel", 871, 54210), ("Sarn", 1214, 98400), ("Kesh", 1009, 77650)
)
PEAKS = result("Peak, Elevation (m):, Prominence (m):", ("Vane", 2790, 455), ("Anvil", 2655, 810))
SEASONS = result(
    "Season, Played:, Won:, Drawn:, Lost:, Points:",
    ("2012–13", 38, 17, 9, 12, 60),
    ("2013–14", 38, 24, 8, 6, 80),
)
ALBUMS = result("Album, Peak position:, Sales:", ("Salt", 14, 120000), ("Moons", 3, 485000))
SPEND = result("Office, 2021:EUR, 2022:EUR", ("Roads", 1870, 1724), ("Parks", 612, 648))
FILMS = result(
    "Film, Budget:USD, Box office:USD", ("Ferry", 35000000, 29800000), ("Glass", 4500000, 11200000)
)


@pytest.mark.parametrize(
    ("draft", "table"),
    [
        ("The Ottel, a tributary of the Sarn, is 871 km long.", RIVERS),
        ("With 1,214 km, the Sarn is longer than the Kesh with 1,009 km.", RIVERS),
        ("Vane has an elevation of 2,790 metres but a prominence of only 455 metres.", PEAKS),
        ("In 2013–14 they won 24 of 38 matches and took 80 points.", SEASONS),
        ("They took 60 points in 2012–13 and 80 a year later.", SEASONS),
        ("In 2013–14 there were 24 wins, 8 draws and 6 losses.", SEASONS),
        ("Moons sold 485,000 copies and peaked at No. 3.", ALBUMS),
        ("Parks cost €648 in 2022, up from €612 a year earlier.", SPEND),
        ("Ferry had a budget of $35 million but grossed only $29.8 million.", FILMS),
        ("Glass, made for $4.5 million, is a film.", FILMS),
    ],
)
def test_a_number_belongs_to_what_its_own_words_name(draft: str, table: object) -> None:
    assert check(draft, table).verdict != "block"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("draft", "table"),
    [
        ("The Ottel, a tributary of the Sarn, is 1,214 km long.", RIVERS),
        ("With 1,009 km, the Sarn is longer than the Kesh with 1,214 km.", RIVERS),
        ("Vane has an elevation of 455 metres but a prominence of only 2,790 metres.", PEAKS),
        ("In 2013–14 they won 38 of 24 matches.", SEASONS),
        ("They took 80 points in 2012–13 and 60 a year later.", SEASONS),
        ("In 2013–14 there were 24 wins, 6 draws and 8 losses.", SEASONS),
        ("Moons sold 485,000 copies and peaked at No. 14.", ALBUMS),
        ("Parks cost €648 in 2022, up from €1,870 a year earlier.", SPEND),
        ("Ferry had a budget of $29.8 million but grossed only $35 million.", FILMS),
    ],
)
def test_its_twin_with_the_numbers_moved_blocks(draft: str, table: object) -> None:
    assert check(draft, table).verdict == "block"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "right"), [("kilometres", True), ("km", True), ("miles", False), ("metres", False)]
)
def test_a_figure_is_told_in_the_unit_of_its_column(said: str, right: bool) -> None:
    assert passes(f"The Sarn has a length of 1,214 {said}.", RIVERS) == right


def test_rows_are_counted_by_the_noun_of_the_question() -> None:
    scope = Scope(today=ANYTHING.today, known=False, subject="Rivers of Arvenia")
    assert check("Of the three rivers, the Sarn runs for 1,214 km.", RIVERS, scope=scope).verdict == "pass"
    assert check("Of the four rivers, the Sarn runs for 1,214 km.", RIVERS, scope=scope).verdict == "block"


REGIONS = result("Region, Revenue:USD", ("AMER", 2410554), ("EMEA", 1987330), ("APAC", 1204118))
MONTHS = result("Month, Orders:", ("2026-04", 8120), ("2026-05", 8455), ("2026-06", 9012))
SPRING = Scope(today=date(2026, 11, 30), start=date(2026, 4, 1), end=date(2026, 7, 1), metrics=("Orders",))


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("Total $5.60M: AMER $2.41M, EMEA $1.99M, APAC $1.20M.", True),
        ("Total $5.06M: AMER $2.41M, EMEA $1.99M, APAC $1.20M.", False),
        ("Total revenue was $5,602,002, with AMER at $2,410,554.", True),
        ("Total revenue was $5,620,002, with AMER at $2,410,554.", False),
    ],
)
def test_a_total_may_stand_before_its_parts(draft: str, right: bool) -> None:
    assert passes(draft, REGIONS) == right


def test_a_total_over_the_months_that_ran_needs_no_declaration() -> None:
    assert (
        check("From April to June 2026 we took 25,587 orders in total.", MONTHS, scope=SPRING).verdict
        == "pass"
    )
    assert (
        check("From April to June 2026 we took 25,578 orders in total.", MONTHS, scope=SPRING).verdict
        == "block"
    )
    assert (
        check("From April to May 2026 we took 25,587 orders in total.", MONTHS, scope=SPRING).verdict
        == "block"
    )


def test_the_first_number_of_a_part_may_be_the_declared_whole() -> None:
    whole = declare("sum", of={"column": "revenue"})
    assert check("Of $5,602,002, $2,410,554 came from AMER.", REGIONS, (whole,)).verdict == "pass"


@pytest.mark.parametrize("said", ["1 to 30 September 2026", "1-30 September 2026", "FY2026-P09"])
def test_a_window_of_days_or_a_fiscal_month_is_the_window_that_ran(said: str) -> None:
    ran = Scope(today=date(2026, 11, 30), start=date(2026, 9, 1), end=date(2026, 10, 1))
    assert check(f"Over {said} AMER made $2,410,554.", REGIONS, scope=ran).verdict == "pass"
    other = Scope(today=date(2026, 11, 30), start=date(2026, 8, 1), end=date(2026, 9, 1))
    assert "window" in codes(check(f"Over {said} AMER made $2,410,554.", REGIONS, scope=other))


def test_a_period_of_another_row_blocks_also_where_no_number_stands() -> None:
    won = result("Year, Film, Prize", ("2012", "Eleven Rooms", "Pine"), ("2016", "Nowhere North", "Reel"))
    assert passes("In 2016 Nowhere North won.", won)
    assert codes(check("In 2012 Nowhere North won.", won)) == {"window"}
