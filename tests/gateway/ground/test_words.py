"""Kinds of wording around a number: compared names, baselines, absences, ages, totals, scope words."""

from datetime import date

import pytest

from gateway.ground import Scope
from gateway.ground.lexing.separators import decimal_comma
from tests.gateway.ground.drafts import TODAY, declare, passes, result

STAFF = result("Name, Age:, Score:, Bonus:EUR", ("Iris Vale", 34, 8.75, 1200), ("Tom Reed", 27, 9.25, None))
YEARS = result(
    "Census, Residents:, Change:percent", ("1951", 4100, None), ("1961", 4510, 10), ("1971", 4059, -10)
)
MONTHS = result("Month, Orders:", ("2026-04", 310), ("2026-05", 400), ("2026-06", 290))
Q2 = Scope(today=TODAY, start=date(2026, 4, 1), end=date(2026, 7, 1), metrics=("Orders",))


@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        ("Iris Vale, 34, scored 8.75.", "Iris Vale, 27, scored 8.75."),
        ("The 27-year-old Tom Reed scored 9.25.", "The 34-year-old Tom Reed scored 9.25."),
        ("Iris Vale, aged 34, scored 8.75.", "Iris Vale, aged 43, scored 8.75."),
        (
            "Iris Vale's score of 8.75 is below Tom Reed's 9.25.",
            "Iris Vale's score of 9.25 is below Tom Reed's 9.25.",
        ),
        (
            "Iris Vale's score (8.75) was lower than that of Tom Reed (9.25).",
            "Iris Vale's score (9.25) was lower than that of Tom Reed (9.25).",
        ),
    ],
)
def test_a_number_belongs_to_whom_the_sentence_speaks_of(true: str, wrong: str) -> None:
    assert passes(true, STAFF)
    assert not passes(wrong, STAFF)


@pytest.mark.parametrize(
    ("true", "wrong"),
    [
        (
            "In the 1961 census, residents were 4,510, up 10% from 1951.",
            "In the 1961 census, residents were 4,100, up 10% from 1951.",
        ),
        ("In 1971 residents fell 10% to 4,059.", "In 1971 residents fell 10% to 4,510."),
        ("Residents fell 10% in 1971.", "Residents rose 10% in 1971."),
    ],
)
def test_a_baseline_is_not_the_row_of_a_change(true: str, wrong: str) -> None:
    assert passes(true, YEARS)
    assert not passes(wrong, YEARS)


def test_saying_that_there_is_no_figure_is_not_saying_zero() -> None:
    assert passes("There is no bonus figure for Tom Reed.", STAFF)
    assert not passes("Tom Reed got no bonus.", STAFF)


@pytest.mark.parametrize("said", ["from May to June", "between May and June"])
def test_periods_of_the_rows_may_be_named_together(said: str) -> None:
    assert passes(f"Orders were 400 and 290 {said}.", MONTHS, scope=Q2)


def test_a_period_that_covers_all_rows_names_their_total() -> None:
    total = declare("sum", of={"column": "orders"})
    assert passes("In the second quarter of 2026 there were 1,000 orders.", MONTHS, [total], Q2)
    assert not passes("In May 2026 there were 1,000 orders.", MONTHS, [total], Q2)


@pytest.mark.parametrize(
    ("said", "blocked"),
    [("3,400 kg over 120 trips", False), ("took over 120 trips", True), ("a quarter", True)],
)
def test_over_things_is_no_hedge_behind_a_number(said: str, blocked: bool) -> None:
    table = result("Truck, Load (kg):, Trips:", ("Blue", 3400, 120), ("Red", 2100, 90))
    assert passes(f"Blue: {said}.", table) is not blocked


@pytest.mark.parametrize(
    ("locale", "comma"),
    [
        ("en", False),
        ("de", True),
        ("de-CH", False),
        ("es_MX", False),
        ("es", True),
        ("pl", True),
        ("fr-CA", True),
        ("ja", False),
    ],
)
def test_the_decimal_sign_is_that_of_the_locale(locale: str, comma: bool) -> None:
    assert decimal_comma(locale) is comma


@pytest.mark.parametrize("written", ["980 450,75 zł", "980\u00a0450,75 zł", "980.450,75 zł", "PLN 980450,75"])
def test_spaces_group_digits_before_a_decimal_comma(written: str) -> None:
    table = result("Depot, Cost:PLN", ("Elk", 980450.75), ("Nysa", 120))
    scope = Scope(today=TODAY, known=False, locale="pl")
    assert passes(f"Elk: {written}.", table, scope=scope)
    assert not passes(f"Nysa: {written}.", table, scope=scope)


@pytest.mark.parametrize(
    ("written", "reads"), [("$(880) thousand", True), ("$(880)", False), ("$880 thousand", False)]
)
def test_money_in_accounting_brackets_takes_the_scale_behind_them(written: str, reads: bool) -> None:
    table = result(
        "Item, 2019:USD, 2018:USD", ("Deferred tax", -880000, 640000), ("Current tax", 120000, 90000)
    )
    assert passes(f"Deferred tax was {written} in 2019.", table) is reads
