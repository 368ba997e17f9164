"""Changes over a stretch of years, shares of a total in other words, spans of days, Japanese amounts."""

from collections.abc import Sequence
from datetime import date

import pytest

from gateway.ground import Scope
from tests.gateway.ground.drafts import TODAY, cell, check, declare, passes, result
from traces.records import Derivation

COSTS = result(
    "Item, 2019:EUR, 2018:EUR, 2017:EUR",
    ("Rent", 120, 110, 100),
    ("Energy", 90, 60, 80),
    ("Other costs, including repairs", 40, 35, 30),
    ("Total running costs", 250, 205, 210),
)
SUPPLIERS = result(
    "Supplier, 2019:percent, 2018:percent, 2017:percent",
    ("A", 31, 33, 34),
    ("Bolt", 20, 16, 14),
    ("Crane", 6, 9, 11),
)
LINES = result(
    "Item, 2019:, 2018:",
    ("Wireless", 996, 961),
    ("High-speed lines", 356, 341),
    ("Television", 277, 277),
    ("Total growth services, subscribers: lines, television and wireless", 1629, 1579),
    ("Local telephone", 270, 296),
    ("Total(2)", 1899, 1875),
)
LOANS = result(
    "Segment, Loans:, Balance:EUR, NPL ratio:percent",
    ("Mortgages", 48210, 7342500000, 1.12),
    ("Consumer", 131870, 1186400000, 3.85),
    ("SME", 9654, 2210900000, 2.47),
    ("Corporate", 812, 4975000000, 0.68),
)
OUTAGES = result(
    "District, Outages:, Customers:", ("North", 14, 5230), ("South", 9, 2875), ("Quay", 22, 9140)
)
WEEK = Scope(today=TODAY, start=date(2026, 11, 16), end=date(2026, 11, 23), metrics=("outages", "customers"))
WAITS = result(
    "Month, Median wait:days, Satisfaction:", ("2026-08", 34, 71), ("2026-09", 29, 74), ("2026-10", 23, 70)
)
SALES = result(
    "地域, 売上高:JPY, 注文数:", ("大阪", 1230000, 4210), ("名古屋", 756806, 3100), ("福岡", 465460, 1900)
)
FIRMS = result("会社, 売上高:JPY", ("北海", 12345000000), ("南洋", 980000000))


def change(row: int, old: str, op: str = "pct_change") -> Sequence[Derivation]:
    """Declare the change of a row from a year to 2019."""
    return (declare(op, new=cell(row, "2019"), old=cell(row, old)),)


@pytest.mark.parametrize(
    ("draft", "old", "stands"),
    [
        ("The percentage change in total running costs from 2017 to 2019 was 19.05%.", "2017", True),
        ("Total running costs rose by 19.05% between 2017 and 2019.", "2017", True),
        ("The percentage change in total running costs from 2018 to 2019 was 19.05%.", "2017", False),
        ("The percentage change in total running costs from 2017 to 2019 was 21.95%.", "2018", False),
        ("The percentage change in total running costs from 2017 to 2018 was 19.05%.", "2017", False),
        ("Total running costs fell by 19.05% between 2017 and 2019.", "2017", False),
    ],
)
def test_a_change_over_a_stretch_is_one_between_its_ends(draft: str, old: str, stands: bool) -> None:
    assert passes(draft, COSTS, change(3, old)) == stands


@pytest.mark.parametrize(
    ("draft", "old", "stands"),
    [
        ("Crane fell by 5 percentage points between 2017 and 2019.", "2017", True),
        ("Crane fell by 3 percentage points between 2017 and 2019.", "2018", False),
        ("Crane rose by 5 percentage points between 2017 and 2019.", "2017", False),
        ("Bolt fell by 5 percentage points between 2017 and 2019.", "2017", False),
    ],
)
def test_points_over_a_stretch_run_from_its_first_year(draft: str, old: str, stands: bool) -> None:
    assert passes(draft, SUPPLIERS, change(2, old, "pp_change")) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("The percentage of Wireless subscribers out of the total subscribers for 2019 is 52.45%.", True),
        ("The percentage of Television subscribers out of the total subscribers for 2019 is 52.45%.", False),
        ("The percentage of Wireless subscribers out of the total subscribers for 2018 is 52.45%.", False),
        ("The percentage of Wireless out of High-speed lines for 2019 is 52.45%.", False),
        ("The percentage of Wireless subscribers out of the total subscribers for 2019 is 51.25%.", False),
    ],
)
def test_a_share_is_of_the_part_that_is_named_in_full(draft: str, stands: bool) -> None:
    share = declare("share", part=[cell(0, "2019")], whole=[cell(5, "2019")])
    assert passes(draft, LINES, [share]) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Balances added up to €15.7 billion, with Mortgages alone at €7.3 billion.", True),
        ("Balances added up to €15.9 billion, with Mortgages alone at €7.3 billion.", False),
        ("Balances added up to €15.7 billion, with SME alone at €7.3 billion.", False),
        ("Balances added up to €7.3 billion, with Mortgages alone at €15.7 billion.", False),
        ("Loans added up to €15.7 billion, with Mortgages alone at €7.3 billion.", False),
    ],
)
def test_what_figures_add_up_to_is_exact(draft: str, stands: bool) -> None:
    assert passes(draft, LOANS, [declare("sum", of={"column": "balance"})]) == stands


@pytest.mark.parametrize(
    ("days", "stands"),
    [
        ("Between 16 and 22 November 2026", True),
        ("Between the 16th and 22nd of November 2026", True),
        ("Between 15 and 22 November 2026", False),
        ("Between 16 and 21 November 2026", False),
        ("Between 16 and 22 October 2026", False),
        ("On 22 November 2026", False),
    ],
)
def test_two_days_of_one_month_are_one_window(days: str, stands: bool) -> None:
    assert passes(f"{days} there were 22 outages in Quay.", OUTAGES, scope=WEEK) == stands


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("The median wait improved to 23 days in October 2026.", "hold"),
        ("The median wait improved from 29 days in September to 23 days in October 2026.", "hold"),
        ("The median wait improved to 29 days in October 2026.", "block"),
        ("The median wait rose to 23 days in October 2026.", "block"),
        ("Satisfaction improved to 70 in October 2026.", "block"),
        ("Satisfaction improved from 74 in September to 70 in October 2026.", "block"),
    ],
)
def test_what_improved_went_up_only_where_more_is_better(draft: str, verdict: str) -> None:
    assert check(draft, WAITS).verdict == verdict


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("大阪の売上高は123万円でした。", True),
        ("大阪の売上高は1,230,000円でした。", True),
        ("大阪の注文数は4,210件、福岡の注文数は1,900件でした。", True),
        ("大阪の売上高は124万円でした。", False),
        ("大阪の売上高は123億円でした。", False),
        ("大阪の売上高は1億23万円でした。", False),
        ("福岡の売上高は123万円でした。", False),
        ("大阪の注文数は1,900件、福岡の注文数は4,210件でした。", False),
    ],
)
def test_names_and_amounts_without_spaces_are_read(draft: str, stands: bool) -> None:
    assert passes(draft, SALES) == stands


def test_hundreds_of_millions_are_rounded_like_any_scale() -> None:
    assert passes("北海の売上高は123億円です。", FIRMS)
    assert passes("南洋の売上高は9.8億円でした。", FIRMS)
    assert not passes("北海の売上高は124億円です。", FIRMS)
    assert not passes("南洋の売上高は9.8万円でした。", FIRMS)
