"""Periods, filters and metric names of a draft against the question that ran."""

from dataclasses import replace
from datetime import date

import pytest

from gateway.ground import Scope
from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules
from tests.gateway.ground.drafts import Q3, TODAY, check, codes, passes, regions, result

ORDERS = regions("", "Orders", 200, 500, 300)
ONE = result("Orders:", (200,))
FILTERED = replace(Q3, filters=(("region", "in", ("Benelux",)),))
REVENUE = replace(
    Q3, metrics=("Net revenue",), other_metrics=("bookings", "gross revenue", "net revenue per order")
)


@pytest.mark.parametrize(
    "words",
    [
        "Q3 2026",
        "Q3",
        "the third quarter of 2026",
        "July to September 2026",
        "July through September 2026",
        "last quarter",
        "July 1 to September 30, 2026",
        "1 July \u2013 30 September 2026",
        "2026-07-01 to 2026-09-30",
        "Q3/2026",
        "3Q26",
        "Q3 '26",
        "01.07.2026 to 30.09.2026",
        "the quarter ended 30 September 2026",
    ],
)
def test_the_window_that_ran_may_be_said_in_any_words(words: str) -> None:
    assert passes(f"Benelux placed 200 orders in {words}.", ORDERS, scope=Q3)


@pytest.mark.parametrize(
    "words",
    [
        "Q2 2026",
        "2026",
        "August 2026",
        "this quarter",
        "FY26",
        "the last 30 days",
        "Q3 2025",
        "July",
        "yesterday",
        "year to date",
        "the second half of 2026",
        "all time",
    ],
)
def test_another_window_blocks(words: str) -> None:
    assert "window" in codes(check(f"Benelux placed 200 orders in {words}.", ORDERS, scope=Q3))


def test_a_question_without_a_window_grounds_no_period() -> None:
    assert "window" in codes(check("Benelux placed 200 orders in Q3 2026.", ORDERS, scope=Scope(today=TODAY)))


def test_the_layers_own_fiscal_calendar_reads_fiscal_periods() -> None:
    fiscal = Calendar(CalendarRules(fiscal_start_month=2, fiscal_named_by="end"))
    scope = Scope(today=TODAY, start=date(2026, 8, 1), end=date(2026, 11, 1), calendar=fiscal)
    assert passes("Benelux placed 200 orders in Q3 FY27.", ORDERS, scope=scope)
    assert "window" in codes(check("Benelux placed 200 orders in Q3 2026.", ORDERS, scope=scope))


def test_a_declared_comparison_window_may_be_named() -> None:
    draft = "Benelux placed 200 orders in Q3 2026, the window compared with Q3 2025."
    assert "window" in codes(check(draft, ORDERS, scope=Q3))
    assert passes(draft, ORDERS, scope=replace(Q3, windows=((date(2025, 7, 1), date(2025, 10, 1)),)))


@pytest.mark.parametrize(
    "draft", ["Benelux placed 200 orders.", "There were 200 orders in Benelux in Q3 2026."]
)
def test_a_filter_that_ran_may_be_named(draft: str) -> None:
    assert passes(draft, ONE, scope=FILTERED)


@pytest.mark.parametrize(
    "draft",
    [
        "Globally, 200 orders were placed.",
        "All regions placed 200 orders.",
        "Across regions there were 200 orders.",
        "Outside Benelux, 200 orders were placed.",
        "In Q3 2026 customers in Iberia placed 200 orders.",
        "Benelux and Iberia placed 200 orders.",
    ],
)
def test_what_contradicts_a_filter_blocks(draft: str) -> None:
    assert "filter" in codes(check(draft, ONE, scope=FILTERED))


def test_a_value_left_out_by_a_filter_blocks_unless_it_is_said_to_be_left_out() -> None:
    scope = replace(Q3, filters=(("region", "not_in", ("Benelux",)),))
    assert "filter" in codes(check("Benelux placed 200 orders.", ONE, scope=scope))
    assert passes("Without Benelux there were 200 orders.", ONE, scope=scope)


def test_a_synonym_of_another_value_of_a_filtered_dimension_blocks() -> None:
    scope = replace(FILTERED, vocabulary={"spain": ("region", "Iberia"), "benelux": ("region", "Benelux")})
    assert "filter" in codes(check("200 orders came from spain.", ONE, scope=scope))


@pytest.mark.parametrize("said", ["gross revenue", "bookings", "profit", "revenue per order"])
def test_another_metrics_name_blocks(said: str) -> None:
    table = regions("USD", "Net revenue", 2948150, 1377420)
    assert "metric_name" in codes(check(f"Benelux {said} was $2,948,150.", table, scope=REVENUE))


@pytest.mark.parametrize("said", ["net revenue", "revenue"])
def test_the_metrics_own_name_passes(said: str) -> None:
    assert passes(
        f"Benelux {said} was $2,948,150.", regions("USD", "Net revenue", 2948150, 1377420), scope=REVENUE
    )


def test_periods_as_columns_admit_no_other_period() -> None:
    table = result("Item, 2025:USD, 2026:USD", ("Rent", 5100, 5400), ("Travel", 830, 900))
    assert passes("Rent was $5,400 in 2026.", table)
    assert "window" in codes(check("Rent was $5,400 in 2024.", table))


@pytest.mark.parametrize("rows", [(), ((None,),), ((None, None),)])
def test_no_figures_give_the_fixed_text_whatever_the_draft_says(rows: tuple[tuple[None, ...], ...]) -> None:
    columns = "Orders:, Revenue:" if rows and len(rows[0]) == 2 else "Orders:"
    found = check("Orders fell by 100% to zero.", result(columns, *rows), scope=FILTERED)
    assert found.verdict == "fixed_message"
    assert found.text.startswith("No figure" if rows else "No rows matched")
    assert "Benelux" in found.text
    assert "2026-07-01" in found.text


def test_rows_that_a_cut_took_are_not_said_to_be_missing() -> None:
    cut = result("Orders:").model_copy(update={"truncated": True, "limit_source": "min_group"})
    assert check("Orders fell.", cut, scope=FILTERED).text.startswith("No figure for")


def test_rows_that_a_metric_filter_took_are_not_said_to_be_missing() -> None:
    scope = replace(FILTERED, having=(("orders", "gt", ("1000",)),))
    found = check("Orders fell.", result("Orders:"), scope=scope)
    assert (found.verdict, "meets the metric filter" in found.text) == ("fixed_message", True)
    assert "orders gt 1000" in found.text and "No rows matched" not in found.text


def test_a_row_with_a_key_and_no_figure_is_checked_like_any_other() -> None:
    table = result("Region, Orders:", ("Benelux", None))
    assert check("Benelux had 5 orders.", table, scope=FILTERED).verdict == "block"


def test_a_real_zero_is_no_empty_result() -> None:
    assert passes("There were no orders.", result("Orders:", (0,)))


WORDS = {
    "emea": ("region", "EMEA"),
    "europe": ("region", "EMEA"),
    "us": ("region", "AMER"),
    "enterprise": ("segment", "enterprise"),
    "large customers": ("segment", "enterprise"),
    "search": ("channel", "search"),
    "open": ("status", "open"),
    "completed": ("status", "completed"),
}
TOTAL = result("Net revenue:USD", (5974425.46,))
UNSPLIT = replace(REVENUE, vocabulary=WORDS)


@pytest.mark.parametrize(
    "draft",
    [
        "EMEA net revenue was $5,974,425.46.",
        "Net revenue was $5,974,425.46 in Europe.",
        "Europe made $5,974,425.46.",
        "Net revenue in europe was $5,974,425.46.",
        "Net revenue in the US was $5,974,425.46.",
        "Enterprise net revenue was $5,974,425.46.",
        "The enterprise net revenue was $5,974,425.46.",
        "The enterprise revenue was $5,974,425.46.",
        "Large customers brought net revenue of $5,974,425.46.",
        "Net revenue for enterprise was $5,974,425.46.",
        "emea: net revenue $5,974,425.46 from search",
    ],
)
def test_a_total_is_not_the_figure_of_a_value_that_the_answer_is_not_split_by(draft: str) -> None:
    found = check(draft, TOTAL, scope=UNSPLIT)
    assert any("not split by" in f.message for f in found.findings if f.code == "filter"), found.findings


@pytest.mark.parametrize(
    "draft",
    [
        "Net revenue was $5,974,425.46.",
        "A search of the figures gives net revenue of $5,974,425.46.",
        "Net revenue was $5,974,425.46, which leaves it open for us to ask why.",
        "Completed on time: net revenue of $5,974,425.46.",
    ],
)
def test_an_ordinary_word_that_is_also_a_value_is_no_name(draft: str) -> None:
    assert passes(draft, TOTAL, scope=UNSPLIT), check(draft, TOTAL, scope=UNSPLIT).findings


def test_a_value_of_a_dimension_that_the_answer_is_split_by_or_filtered_to_may_be_named() -> None:
    split = result("Region, Net revenue:USD", ("EMEA", 4111222.33), ("AMER", 5974425.46))
    draft = "Europe made net revenue of $5,974,425.46."
    assert "filter" not in codes(check("EMEA net revenue was $4,111,222.33.", split, scope=UNSPLIT))
    filtered = replace(UNSPLIT, filters=(("region", "in", ("EMEA",)),))
    assert passes(draft, TOTAL, scope=filtered), check(draft, TOTAL, scope=filtered).findings
