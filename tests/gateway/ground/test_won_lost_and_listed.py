"""What is won and no money, who leads in a rate, what goes on behind a semicolon, years in lists of names."""

from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import TODAY, cell, check, codes, declare, passes, result
from traces.records import Derivation, Table

FUNNEL = result(
    "Channel, Enquiries:, Won:, Win rate:percent",
    ("Post", 840, 63, 7.5),
    ("Radio", 512, 47, 9.2),
    ("Fairs", 1290, 118, 9.1),
)
SUMS = (
    declare("sum", "won", of={"column": "won"}),
    declare("sum", "asked", of={"column": "enquiries"}),
)
SEOUL = result("Shop, Sales:KRW, Orders:", ("Busan", 48200, 310), ("Daegu", 39100, 255))
GRAZ = result("Shop, Sales:EUR, Orders:", ("Graz", 48200, 310), ("Linz", 39100, 255))
COURSES = result(
    "Course, Enrolled:, Pass rate:percent, Rating:",
    ("Pottery", 120, 91.5, 4.6),
    ("Welding", 84, None, 4.2),
    ("Sewing", 66, 88.0, None),
)
LINES = result(
    "Line, Trips:, On-time rate:percent, Delay time:minutes, Full-time staff:",
    ("Red", 1840, 97.2, 4.5, 120),
    ("Blue", 2390, 94.1, 6.25, 98),
    ("Green", 670, 98.3, 2.75, 61),
)
AHEAD = declare("pp_change", new=cell("Green", "on-time_rate"), old=cell("Blue", "on-time_rate"))
PLANTS = result(
    "Plant, Output:, Outage hours:hours, Staff:",
    ("Kell", 48210, 36.5, 112),
    ("Dorn", 27655, 112, 64),
    ("Marl", 11287, 4.25, 36),
)
ROLES = result(
    "Year, Title, Role, Notes",
    ("1999", "Long Road", "Steve", "Pilot"),
    ("2005", "40210", "Tom", "One"),
    ("2005", "The Quay", "Terry", "Two"),
    ("2007", "The Reader", "Edwin", "Three"),
    ("2009", "Body Count", "Teddy", "Four"),
)
SAGA = result(
    "Year, Title, Role",
    ("2005", "Moola", "Ann"),
    ("2010", "The Mask Saga: Dawn", "Lena Frost"),
    ("2012", "The Mask Saga: Rise", "Lena Frost"),
    ("2014", "The Mask Saga: Ash", "Lena Frost"),
    ("2016", "Drift", "Tami"),
)
COACH = result(
    "Year, Team, Overall",
    ("Harlow (Independent) (1911)", None, None),
    ("1911", "Harlow", "5–2–1"),
    ("1912", "Marlow", "3–4"),
    ("Harlow:", "Harlow:", "5–2–1"),
)
SALES = result(
    "Date from, Name, To, Fee",
    ("May 1950", "Walter Keel", "Ashby", "£1,500"),
    ("June 1951", "Harry Hubb", "Rochford", "£1,000"),
    ("June 1951", "Bill Poe", "Park Rangers", "club record fee"),
)
GUESTS = result(
    "Title, Year, Artist, Album",
    ("Roof", "2010", "Das Rot", "Sit Up"),
    ("Kate", "2012", "Hems", "Blue Jackets"),
    ("Tough", "2012", "El-Q", "Cure 4"),
    ("Clip", "2013", "Red Orange", "Cupid"),
)
ASKED = Scope(
    today=TODAY,
    start=date(2026, 7, 1),
    end=date(2026, 10, 1),
    metrics=("Enquiries", "Won"),
    subject="enquiries and won by channel",
)


@pytest.mark.parametrize(
    ("draft", "table"),
    [
        ("Post turned 840 enquiries into 63 won deals, a win rate of 7.5%.", FUNNEL),
        ("The channels produced 228 won deals from 2,642 enquiries.", FUNNEL),
        ("Radio: 512 enquiries, 47 won.", FUNNEL),
        ("Busan sold 48,200 won.", SEOUL),
    ],
)
def test_won_behind_a_number_is_money_only_where_there_may_be_such_money(draft: str, table: Table) -> None:
    assert passes(draft, table, SUMS if table is FUNNEL else ())


@pytest.mark.parametrize(
    ("draft", "table"),
    [
        ("Post turned 840 enquiries into 47 won deals, a win rate of 7.5%.", FUNNEL),
        ("The channels produced 2,642 won deals.", FUNNEL),
        ("Radio: 47 enquiries, 512 won.", FUNNEL),
        ("Busan sold 310 won.", SEOUL),
        ("Graz sold 48,200 won.", GRAZ),
    ],
)
def test_what_was_not_won_blocks(draft: str, table: Table) -> None:
    assert not passes(draft, table, SUMS if table is FUNNEL else ())


def test_whatever_was_won_may_have_any_name_where_the_question_is_known() -> None:
    assert passes("Post turned 840 enquiries into 63 won deals.", FUNNEL, scope=ASKED)
    assert passes("The channels yielded 228 won deals.", FUNNEL, SUMS, ASKED)
    assert not passes("Post turned 63 enquiries into 840 won deals.", FUNNEL, scope=ASKED)
    assert not passes("Post had 63 lost deals.", FUNNEL, scope=ASKED)
    assert not passes("Post had 840 new sofas.", FUNNEL, scope=ASKED)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "Sewing had a pass rate of 88%; no rating is available for it.",
            "Pottery had a pass rate of 91.5%; no rating is available for it.",
        ),
        (
            "Welding enrolled 84. No pass rate is available for it.",
            "Sewing enrolled 66. No pass rate is available for it.",
        ),
        (
            "Welding has 84 enrolled; no pass rate was reported for that one.",
            "Pottery has 120 enrolled; no pass rate was reported for that one.",
        ),
        (
            "Sewing enrolled 66; its rating is not available.",
            "Welding enrolled 84; its rating is not available.",
        ),
    ],
)
def test_a_figure_is_missing_of_what_the_clause_before_names(true: str, false: str) -> None:
    assert passes(true, COURSES)
    assert not passes(false, COURSES)


@pytest.mark.parametrize(
    ("true", "false", "declared"),
    [
        (
            "Green beat Blue on punctuality by 4.2 percentage points (98.3% against 94.1%).",
            "Blue beat Green on punctuality by 4.2 percentage points (94.1% against 98.3%).",
            (AHEAD,),
        ),
        (
            "Green outdid Red, 98.3% on time against 97.2%.",
            "Red outdid Green, 97.2% on time against 98.3%.",
            (),
        ),
        (
            "Green leads Blue by 4.2 percentage points on on-time rate.",
            "Blue leads Green by 4.2 percentage points on on-time rate.",
            (AHEAD,),
        ),
        (
            "Red (120) beat Blue (98) on full-time staff.",
            "Blue (98) beat Red (120) on full-time staff.",
            (),
        ),
        (
            "Green (2.75 minutes) beat Red (4.5 minutes) on delay time.",
            "Red (4.5 minutes) beat Green (2.75 minutes) on delay time.",
            (),
        ),
    ],
)
def test_more_wins_of_what_is_done_on_time_and_less_of_a_time(
    true: str, false: str, declared: tuple[Derivation, ...]
) -> None:
    assert passes(true, LINES, declared)
    assert not passes(false, LINES, declared)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "Dorn lost 112 hours to outages; Kell lost 36.5.",
            "Dorn lost 112 hours to outages; Kell lost 112.",
        ),
        (
            "Dorn lost 112 hours to outages; Kell lost 36.5; Marl lost 4.25.",
            "Dorn lost 112 hours to outages; Kell lost 36.5; Marl lost 36.",
        ),
        ("Dorn employs 64 staff; Marl employs 36.", "Dorn employs 64 staff; Kell employs 36.5."),
    ],
)
def test_the_column_goes_on_with_its_verb_behind_a_semicolon(true: str, false: str) -> None:
    assert passes(true, PLANTS)
    assert not passes(false, PLANTS)


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (ROLES, "He starred in Long Road (1999), 40210 (2005), The Reader (2007), and Body Count (2009)."),
        (ROLES, "His roles: The Quay (2005), 40210 (2005), The Reader (2007)."),
        (SAGA, "She starred as Lena Frost in The Mask Saga (2010–14)."),
        (COACH, "In 1911, he coached Harlow and had a record of 5–2–1."),
        (
            SALES,
            "In June, Bill Poe went to Park Rangers for a club record fee, whilst Harry Hubb was sold to"
            " Rochford for around £1,000.",
        ),
        (GUESTS, 'He was featured on Hems\' "Blue Jackets" album (2012) and El-Q\'s 2012 album "Cure 4".'),
    ],
)
def test_names_and_years_of_several_rows_stand(table: Table, draft: str) -> None:
    assert not codes(check(draft, table))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (ROLES, "He starred in Long Road (1999), 40210 (2007), The Reader (2005), and Body Count (2009)."),
        (ROLES, "His roles: The Quay (2005), 40210 (2009), The Reader (2007)."),
        (SAGA, "She starred as Lena Frost in The Mask Saga (2010–16)."),
        (SAGA, "She starred as Lena Frost in The Mask Saga (2005–14)."),
        (COACH, "In 1912, he coached Harlow and had a record of 5–2–1."),
        (
            SALES,
            "In June, Harry Hubb went to Rochford for a club record fee, whilst Bill Poe was sold to"
            " Park Rangers for around £1,000.",
        ),
        (GUESTS, 'He was featured on Hems\' "Blue Jackets" album (2010) and El-Q\'s 2012 album "Cure 4".'),
        (GUESTS, 'He was featured on Hems\' "Blue Jackets" album (2013).'),
    ],
)
def test_names_and_years_of_other_rows_block(table: Table, draft: str) -> None:
    assert codes(check(draft, table))
