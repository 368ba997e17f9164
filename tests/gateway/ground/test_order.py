"""Superlatives, places, comparisons and moves are computed: refuted ones block, true ones pass."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.ground import Scope
from tests.gateway.ground.drafts import check, codes, result

STORES = result(
    "Store, Net revenue:USD, Orders:, Reply (hours):",
    ("Ada", 500, 90, 4),
    ("Bo", 800, 60, 9),
    ("Cy", 300, 75, 2),
)
MONTHS = result("Month, Orders:", ("2026-04", 810), ("2026-05", 845), ("2026-06", 901), ("2026-07", 774))
HEIGHTS = result(
    "Tower, Height (m):, Width (m):, Floors:", ("Elm", 212, 41, 50), ("Oak", 187, 63, 44), ("Fir", 95, 28, 21)
)
GROUPS = result(
    "Region, Month, Net revenue:USD",
    ("North", "2026-01", 4102),
    ("North", "2026-02", 3987),
    ("South", "2026-01", 2884),
    ("South", "2026-02", 3019),
)


def verdict(draft: str, table: object) -> str:
    return check(draft, table).verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("draft", "table"),
    [
        ("Bo had the highest net revenue ($800) and Cy the lowest ($300).", STORES),
        ("Bo led with $800 in net revenue, followed by Ada at $500.", STORES),
        ("Cy replies fastest (2 hours), Bo slowest (9 hours).", STORES),
        ("At 95 m, Fir is the shortest tower, though its width of 28 m is smaller too.", HEIGHTS),
        ("The second-tallest tower is Oak, at 187 m.", HEIGHTS),
        ("July was the weakest month with 774 orders.", MONTHS),
        ("Orders peaked in June at 901.", MONTHS),
        ("North's best month was January with $4,102; its weakest was February with $3,987.", GROUPS),
    ],
)
def test_a_superlative_that_the_cells_bear_out_passes_without_a_person(draft: str, table: object) -> None:
    assert verdict(draft, table) == "pass"


@pytest.mark.parametrize(
    ("draft", "table"),
    [
        ("Ada had the highest net revenue ($500) and Cy the lowest ($300).", STORES),
        ("Ada led with $500 in net revenue, followed by Bo at $800.", STORES),
        ("Bo replies fastest (9 hours), Cy slowest (2 hours).", STORES),
        ("The third-tallest tower is Oak, at 187 m.", HEIGHTS),
        ("April was the weakest month with 810 orders.", MONTHS),
        ("Orders peaked in May at 845.", MONTHS),
        ("Ada took $500, more than any other store.", STORES),
        ("North's best month was February with $3,987.", GROUPS),
    ],
)
def test_a_superlative_of_the_wrong_row_blocks_and_says_how_far_the_column_goes(
    draft: str, table: object
) -> None:
    found = check(draft, table)  # type: ignore[arg-type]
    assert found.verdict == "block"
    assert any(each.code == "claim" and "goes" in each.expected for each in found.findings)


@pytest.mark.parametrize(
    ("draft", "outcome"),
    [
        ("Ada made $500, more than Cy at $300.", "pass"),
        ("Ada made $500, less than Cy at $300.", "block"),
        ("With $800, Bo is above Ada with $500.", "pass"),
        ("With $800, Bo is below Ada with $500.", "block"),
        ("Cy had fewer orders (75) than Ada (90).", "pass"),
        ("Cy had more orders (75) than Ada (90).", "block"),
    ],
)
def test_two_figures_said_to_stand_one_above_the_other_are_compared(draft: str, outcome: str) -> None:
    assert verdict(draft, STORES) == outcome


@pytest.mark.parametrize(
    ("draft", "outcome"),
    [
        ("Orders rose from 810 in April to 901 in June, then fell to 774 in July.", "pass"),
        ("Orders rose from 810 in April to 901 in June, then climbed to 774 in July.", "block"),
        ("Orders were 845 in May, up from 810 in April.", "pass"),
        ("Orders were 845 in May, down from 810 in April.", "block"),
        ("Orders fell to 774 in July from 901 in June.", "pass"),
        ("Orders rose to 774 in July from 901 in June.", "block"),
    ],
)
def test_each_move_of_a_sentence_goes_the_way_it_is_said(draft: str, outcome: str) -> None:
    assert verdict(draft, MONTHS) == outcome


@given(st.permutations([411, 523, 687, 912]), st.integers(0, 3), st.sampled_from(["highest", "lowest"]))
def test_of_all_rows_only_the_extreme_one_passes_as_such(values: list[int], at: int, word: str) -> None:
    table = result("Store, Orders:", *zip(("Ada", "Bo", "Cy", "Di"), values, strict=True))
    draft = f"{('Ada', 'Bo', 'Cy', 'Di')[at]} had the {word} orders with {values[at]}."
    true = values[at] == (max(values) if word == "highest" else min(values))
    assert (verdict(draft, table) == "pass") == true


def test_a_superlative_of_a_cut_result_is_left_to_a_person() -> None:
    cut = result("Store, Orders:", ("Ada", 411), ("Bo", 523), truncated=True)
    assert verdict("Bo was the strongest store with 523 orders.", cut) == "hold"


YEARS = result("Line, Q3 2025:EUR, Q3 2026:EUR", ("Desks", 3110250, 2890770), ("Lamps", 402880, 455120))
QUARTER = Scope(today=date(2026, 11, 30), start=date(2026, 7, 1), end=date(2026, 10, 1))


def test_where_no_period_is_named_a_figure_is_that_of_the_window_that_ran() -> None:
    assert check("Desks came to €2,890,770.", YEARS, scope=QUARTER).verdict == "pass"
    assert codes(check("Desks came to €3,110,250.", YEARS, scope=QUARTER)) == {"wrong_cell"}
    assert check("Desks came to €3,110,250 in Q3 2025.", YEARS, scope=QUARTER).verdict == "pass"
