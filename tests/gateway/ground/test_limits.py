"""Large drafts and tables: bounded, linear, and a clear reason instead of an exception."""

import sys
import time

import pytest

from gateway.ground import GroundRules
from tests.gateway.ground.drafts import check, codes, declare, regions, result

SMALL = regions("", "Orders", 1234, 700, 400)


def wide(rows: int, columns: int) -> tuple[str, list[tuple[object, ...]]]:
    names = ", ".join(f"Metric {chr(97 + i)}x:" for i in range(columns))
    return f"Region, {names}", [
        (f"Place {chr(65 + r % 26)}{chr(97 + r // 26)}", *range(r * 1000 + 1001, r * 1000 + 1001 + columns))
        for r in range(rows)
    ]


@pytest.mark.parametrize(
    ("draft", "declared"),
    [
        ("Benelux had 1,234 orders. " * 5000, ()),
        ("Benelux had 1,234 orders. " * 1500, ()),
        ("Benelux had 1,234 orders.", tuple(declare("count_rows", f"d{n}") for n in range(30))),
    ],
)
def test_what_is_too_large_is_said_so(draft: str, declared: tuple[object, ...]) -> None:
    assert codes(check(draft, SMALL, declared)) == {"too_large"}  # type: ignore[arg-type]


def test_a_table_beyond_the_limits_is_said_so() -> None:
    columns, rows = wide(3, 20)
    assert codes(check("Place Aa.", result(columns, *rows), rules=GroundRules(columns=10))) == {"too_large"}
    assert codes(check("Place Aa.", result(columns, *rows), rules=GroundRules(cells=10))) == {"too_large"}


def calls(draft_size: int, rows: int) -> int:
    """Calls that one check makes: the same on a busy machine, where seconds are not."""
    columns, values = wide(rows, 9)
    table = result(columns, *values)
    sentence = "{} had a metric ax of {:,}. "
    parts = [sentence.format(row[0], row[1]) for row in values]
    draft = ("".join(parts) * 40)[:draft_size]
    counted = 0

    def count(*_: object) -> None:
        nonlocal counted
        counted += 1

    sys.setprofile(count)
    try:
        check(draft, table)
    finally:
        sys.setprofile(None)
    return counted


def test_work_grows_no_faster_than_the_draft() -> None:
    assert calls(20_000, 200) < 5 * calls(5_000, 200)


def test_a_number_more_pays_only_for_the_rules_whose_words_the_draft_has() -> None:
    numbers = 10_000 / len("Place Aa had a metric ax of 1,001. ")
    calls(10_000, 200)  # the stems of words are kept from one check to the next
    assert calls(20_000, 200) - calls(10_000, 200) < 1_600 * numbers


@pytest.mark.parametrize(
    "draft",
    [
        "(" * 10_000,
        "1" * 10_000,
        "1," * 5_000,
        "$" * 10_000,
        "\\" * 9_999,
        "&#1" * 3_000,
        "{{" * 5_000,
        "one " * 2_000,
        "<b" * 5_000,
        "|" * 10_000,
        "to " * 3_000,
        "-1" * 4_000,
        " half of" * 1_000,
        "rose by " * 1_200,
        "$\\" * 4_000,
        "www.aa" * 3_000,
        "a@" * 5_000,
        "a.b-" * 4_000,
        "MDC " * 4_000,
        "{{c:0.orders}} " * 900,
        "{{c:0.orders}}" * 1_000,
        "Benelux {{c:0.orders}} orders " * 900,
    ],
)
def test_repeated_pieces_stay_cheap(draft: str) -> None:
    begun = time.process_time()
    check(draft, SMALL)
    assert time.process_time() - begun < 2


def test_a_draft_whose_every_number_is_wrong_is_explained_in_time() -> None:
    columns, values = wide(200, 9)
    draft = "".join(f"{row[0]} had a metric ax of {row[1] + 777:,}. " for row in values)  # type: ignore[operator]
    begun = time.process_time()
    found = check(draft[:10_000], result(columns, *values))
    assert len(found.findings) > 100
    assert time.process_time() - begun < 2


def test_a_table_of_two_hundred_columns_is_checked_like_any_other() -> None:
    names = ", ".join(f"Metric {chr(97 + i // 26)}{chr(97 + i % 26)}x:" for i in range(199))
    rows = [(f"Place {chr(65 + r)}", *range(r * 1000 + 1001, r * 1000 + 1200)) for r in range(20)]
    table = result(f"Region, {names}", *rows)
    assert check("Metric chx in Place B was 2,060.", table).verdict == "pass"
    assert codes(check("Metric chx in Place B was 2,061.", table)) == {"wrong_cell"}


@pytest.mark.parametrize(
    "draft",
    [
        "ベネルクスの注文は1,235件でした。",
        "كان عدد الطلبات ١٢٣٥ في بنلوكس.",
        "Заказы в регионе составили 1 235.",
        "Регион Benelux: было тысяча двести тридцать пять и ещё 9 заказов.",
        "Benelux: 一千二百三十五",
    ],
)
def test_a_draft_in_another_language_blocks_with_a_place_and_a_reason(draft: str) -> None:
    found = check(draft, SMALL)
    assert found.verdict == "block"
    assert all(f.message and f.next_step and f.text in draft for f in found.findings)
