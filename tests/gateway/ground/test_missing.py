"""The last word on a draft that never passed names what is missing."""

from datetime import date

from gateway.ground import Scope
from gateway.ground.missing import KINDS, SHOWN, missing
from tests.gateway.ground.drafts import TODAY, check, result

TABLE = result("Region, Net revenue:USD, Returns:", ("North", 5120, 4), ("South", 4040, None))
MAY = Scope(today=TODAY, start=date(2026, 5, 1), end=date(2026, 6, 1), metrics=("Net revenue",))


def test_each_kind_of_what_is_missing_is_named_once_with_its_spans() -> None:
    draft = (
        "North net revenue was $6,300 in June 2026. South net revenue was $5,120. South had 3 returns. "
        "Profit rose."
    )
    said = missing(check(draft, TABLE, scope=MAY).findings)
    for part in (
        "for '$6,300'",
        "period that ran, or one without data: 'June 2026'",
        "row and column named: '$5,120'",
        "no data to tell of: '3'",
        "not a metric of this answer: 'Profit'",
    ):
        assert part in said


def test_a_sum_that_was_not_declared_is_named_as_that() -> None:
    table = result("Region, Q1 2026:USD, Q2 2026:USD", ("North", 500, 620), ("South", 404, 380))
    said = missing(check("North grew 24% from Q1 2026 to Q2 2026.", table).findings)
    assert "no derivation declared for '24%'" in said


def test_many_spans_are_cut_and_counted() -> None:
    draft = " ".join(f"North net revenue was $9{n},111." for n in range(SHOWN + 3))
    assert missing(check(draft, TABLE).findings).endswith("and 3 more")


def test_nothing_wrong_says_nothing() -> None:
    assert missing(check("North net revenue was $5,120.", TABLE).findings) == ""
    assert "too_large" not in KINDS
