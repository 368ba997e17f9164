"""Amounts with a scale word in text cells."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import ANYTHING, check, passes, result
from traces.records import Table

FEES = result(
    "Games, Fees paid, Ref",
    ("1998", "$375 million", "-"),
    ("2002", "$545 million", "-"),
    ("2006, 2008", "$1.5 billion", "-"),
    ("2010", "$820 million", "-"),
    ("2012", "$1.18 billion", "-"),
)
OWN = result(
    "Date, Seller, Buyer, Cost",
    ("1971", "Original owners", "Kern & Sons", "Unknown"),
    ("1999", "Kern & Sons", "Halden Group", "$88 million USD"),
    ("2006", "Halden Group", "Ridge Estates", "$212.5 million USD"),
    ("2014", "Ridge Estates", "Norfolk Partners", "$340 million USD"),
)
FILM = result(
    "Title, Year, Budget, Gross",
    ("Stone Harbour", "2003", "\u00a312 million", "\u00a330.5 million"),
    ("Low Tide", "2005", "\u00a34.2m", "\u00a39.1m"),
    ("The Weir", "2009", "\u00a3900,000", "\u00a32.4 million"),
)

ABOUT = {
    id(FEES): "Winter and summer games on television — Rights fees",
    id(OWN): "Aldgate Tower — Ownership",
    id(FILM): "Ann Weld filmography",
}


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            FEES,
            "$820 million was paid for the 2010 Winter Games and $1.18 billion for the 2012 Summer Games.",
        ),
        (FEES, "The fees were $375 million in 1998 and $545 million in 2002."),
        (
            OWN,
            "In 2014, Ridge Estates sold the building to Norfolk Partners for $340 million in US currency.",
        ),
        (OWN, "Halden Group bought it in 1999 for $88 million."),
        (OWN, "In 2006, Ridge Estates bought the tower from Halden Group for $212.5 million."),
        (FILM, "Stone Harbour (2003) grossed £30.5 million on a budget of £12 million."),
        (FILM, "Low Tide had a budget of £4.2 million and grossed £9.1 million."),
        (FILM, "The Weir cost £900,000 and took £2.4 million."),
        (FILM, "The Weir had a budget of £900,000."),
    ],
)
def test_money_is_told_in_its_own_scale(table: Table, draft: str) -> None:
    assert passes(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)]))


@pytest.mark.parametrize(
    ("table", "draft"),
    [
        (
            FEES,
            "$820 million was paid for the 2012 Summer Games and $1.18 billion for the 2010 Winter Games.",
        ),
        (FEES, "$820 billion was paid for the 2010 Winter Games."),
        (FEES, "$1.18 million was paid for the 2012 games."),
        (FEES, "The fees were $545 million in 1998 and $375 million in 2002."),
        (FEES, "The fees were $375 in 1998."),
        (
            OWN,
            "In 2014, Ridge Estates sold the building to Norfolk Partners for $212.5 million in US currency.",
        ),
        (OWN, "Halden Group bought it in 1999 for $88."),
        (OWN, "Halden Group bought it in 1999 for $88 billion."),
        (OWN, "In 2006, Ridge Estates bought the tower from Halden Group for €212.5 million."),
        (FILM, "Stone Harbour (2003) grossed £12 million on a budget of £30.5 million."),
        (FILM, "Low Tide had a budget of £9.1 million and grossed £4.2 million."),
        (FILM, "The Weir had a budget of £900 million."),
    ],
)
def test_another_scale_row_or_currency_blocks(table: Table, draft: str) -> None:
    assert check(draft, table, scope=replace(ANYTHING, subject=ABOUT[id(table)])).verdict == "block"
