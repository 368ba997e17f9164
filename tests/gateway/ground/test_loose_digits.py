"""Lengths of time, years and ordinals: each is known from a cell, a name, a period or the question."""

from dataclasses import replace
from datetime import date

import pytest

from tests.gateway.ground.drafts import ANYTHING, Q3, check, codes, passes, result
from traces.records import Table

FILMS = result(
    "Year, Film, Language",
    ("2001", "Morning Star", "Tamil"),
    ("2005", "Old Mill", "Telugu"),
    ("2006", "Copper Hill", "Telugu"),
)
OFFICES = result(
    "Governor, Took office, Left office, Party",
    ("Per Holt", "1931", "1939", "Labour"),
    ("Ida Lund", "1939", "1946", "Unity"),
    ("Jan Moss", "1946", "1950", "Labour"),
)
MONTHS = result(
    "Month, Revenue:USD, Orders:",
    ("2026-07", 49800, 288),
    ("2026-08", 53900, 402),
    ("2026-09", 55100, 410),
)
MEETS = result(
    "Year, Competition, Place, Mark",
    ("2004", "Bern Open", "1st", "58.31 m"),
    ("2006", "Lund Games", "3rd", "57.90 m"),
    ("2011", "Bern Open", "2nd", "60.02 m"),
)
SEASON = result(
    "Date, Opponent, Result",
    ("3 May 1990", "Kelby", "W 2–1"),
    ("10 May 1990", "Marlow", "L 0–1"),
    ("24 May 1990", "Dunmore", "W 3–0"),
)
VOTE = result("Party, Candidate, %:percent", ("Labour", "Tom Reed", 52.4), ("Unity", "Ann Vale", 47.6))
BY_ELECTION = "1931 Lund by-election"


@pytest.mark.parametrize(
    "added",
    [
        "which ran for 160 days", "which ran for 25 weeks", "after 40 years on stage", "a 12-year run",
        "as a 27-year-old", "over 3 months", "within 90 days", "her 40th film", "on its 160th day",
        "shot in 1998", "made between 1998 and 2000", "three years apart", "ten years later",
        "seven years after her debut", "over six decades", "set in the 1980s", "in the last 30 days",
        "every 3 days", "40 years ago", "for 12 weeks running", "a three-hour film", "in the 12th century",
    ],
)  # fmt: skip
def test_digits_that_nothing_holds_block(added: str) -> None:
    scope = replace(ANYTHING, subject="Ada Merrin")
    draft = "Ada Merrin appeared in Old Mill (2005) and Copper Hill (2006)"
    assert passes(f"{draft}.", FILMS, scope=scope)
    assert "no_source" in codes(check(f"{draft}, {added}.", FILMS, scope=scope))


@pytest.mark.parametrize(
    ("table", "right", "wrong"),
    [
        (
            OFFICES,
            "Per Holt governed for eight years, from 1931 to 1939.",
            "Per Holt governed for 12 years, from 1931 to 1939.",
        ),
        (
            OFFICES,
            "Ida Lund took office in 1939 and left seven years later, in 1946.",
            "Ida Lund took office in 1939 and left six years later, in 1946.",
        ),
        (OFFICES, "Jan Moss served for 4 years (1946–1950).", "Jan Moss served for 6 years (1946–1950)."),
        (OFFICES, "Governors have served since the 1930s.", "Governors have served since the 1890s."),
        (
            MEETS,
            "Holt threw 58.31 m in 2004 and 60.02 m seven years later.",
            "Holt threw 58.31 m in 2004 and 60.02 m nine years later.",
        ),
        (
            SEASON,
            "Ashfall beat Dunmore 3–0 two weeks after losing to Marlow.",
            "Ashfall beat Dunmore 3–0 five weeks after losing to Marlow.",
        ),
    ],
)
def test_a_length_of_time_lies_between_periods_of_the_result(table: Table, right: str, wrong: str) -> None:
    assert passes(right, table)
    assert not passes(wrong, table)


def test_a_length_of_time_may_be_that_of_the_window_or_stand_in_a_label() -> None:
    scope = replace(Q3, metrics=("Revenue", "Orders"))
    assert passes(
        "In the three months to September 2026 orders came to 410 in September.", MONTHS, scope=scope
    )
    returned = result("Team, Returned within 30 days:", ("North", 40), ("South", 31))
    assert passes("Returned within 30 days: North 40.", returned)
    assert not passes("Returned within 60 days: North 40.", returned)


@pytest.mark.parametrize("said", ["in 1931", "on polling day of the 1931 by-election", "with 47.6% for Vale"])
def test_a_year_of_the_question_stands(said: str) -> None:
    assert passes(f"Tom Reed won with 52.4% {said}.", VOTE, scope=replace(ANYTHING, subject=BY_ELECTION))


@pytest.mark.parametrize(
    "said",
    [
        "in 1946", "on 12 May 1946", "in the 1946 by-election", "and held the seat until 1950",
        "for the fifth time", "in his third attempt",
    ],
)  # fmt: skip
def test_another_year_than_that_of_the_question_blocks(said: str) -> None:
    draft = f"Tom Reed won with 52.4% {said}."
    assert not passes(draft, VOTE, scope=replace(ANYTHING, subject=BY_ELECTION))


def test_where_nobody_knows_any_year_one_may_be_named() -> None:
    assert passes("Tom Reed won with 52.4% in 1946.", VOTE)


def test_a_draft_may_say_the_year_it_is_written_in() -> None:
    scope = replace(ANYTHING, today=date(2026, 11, 29), subject=BY_ELECTION)
    assert passes("As of November 2026, Tom Reed has 52.4%.", VOTE, scope=scope)
    assert not passes("As of November 2024, Tom Reed has 52.4%.", VOTE, scope=scope)


def test_a_second_time_stands_where_a_name_has_two_rows() -> None:
    assert passes("Holt threw 60.02 m at the Bern Open in 2011, there for the second time.", MEETS)
    assert not passes("Holt threw 60.02 m at the Bern Open in 2011, there for the third time.", MEETS)
