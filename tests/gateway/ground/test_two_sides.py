"""Votes and scores whose two sides stand in one row: who is told first."""

import pytest

from tests.gateway.ground.drafts import check, codes, passes, result
from traces.records import Table

BILLS = result("Bill, Ayes:, Noes:, Paired:", ("Tithe", 288, 191, 4), ("Harbour", 202, 240, 6))
POLLS = result("Subject, Yes:, No:, Blank:", ("Airport", 33870, 33512, 1205), ("Dog tax", 20110, 62233, 977))
MOTIONS = result("Government, In favour:, Opposed:", ("Korda", 51, 49), ("Meyer", 44, 55))


@pytest.mark.parametrize(
    ("right", "wrong", "table"),
    [
        ("Tithe was passed by 288 to 191.", "Tithe was passed by 191 to 288.", BILLS),
        ("Tithe was carried by 288 votes to 191.", "Tithe was carried by 191 votes to 288.", BILLS),
        ("Tithe was carried 288\u2013191.", "Tithe was carried 191\u2013288.", BILLS),
        ("Tithe passed, 288-191.", "Tithe passed, 191-288.", BILLS),
        ("The airport won by 33,870 to 33,512.", "The airport won by 33,512 to 33,870.", POLLS),
        ("Dog tax was rejected 62,233 to 20,110.", "Dog tax was approved 62,233 to 20,110.", POLLS),
        ("Korda survived by 51 votes to 49.", "Korda survived by 49 votes to 51.", MOTIONS),
    ],
)
def test_who_won_is_told_with_the_larger_side_first(right: str, wrong: str, table: Table) -> None:
    assert passes(right, table)
    assert codes(check(wrong, table))


@pytest.mark.parametrize("sides", ["202 votes to 240", "240 to 202"])
def test_what_was_lost_is_told_in_either_order(sides: str) -> None:
    assert passes(f"Harbour was lost by {sides}.", BILLS)


def test_without_a_word_for_it_the_side_for_comes_first() -> None:
    assert passes("The vote on Korda was 51 to 49.", MOTIONS)
    assert codes(check("The vote on Meyer was 55 to 44.", MOTIONS))
