"""Real numbers on the right and on the wrong row, column and period."""

import pytest

from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result

SALES = result(
    "Region, Net revenue:USD, Orders:, Refund rate:percent",
    ("EMEA", 4812300, 20150, 3.4),
    ("APAC", 3127450, 18420, 2.1),
    ("Americas", 5990210, 31005, 4.8),
)
MONTHS = result(
    "Month, Region, Net revenue:USD",
    ("2026-07", "EMEA", 1410200),
    ("2026-07", "APAC", 988400),
    ("2026-08", "EMEA", 1655300),
    ("2026-08", "APAC", 1204900),
)
STORES = result(
    "Store, Sales:GBP, Change on last year:percent", ("Store 12", 401250, 8.4), ("Store 7", 388100, -5.6)
)
MEDALS = result(
    "Nation, Gold:, Silver:, Bronze:", ("Norway", 16, 8, 13), ("Germany", 12, 10, 5), ("Sweden", 8, 5, 5)
)
RACES = result(
    "Year, Team, Races:, Wins:, Prize:USD",
    ("2004", "Harbour Racing", 18, 5, 1250000),
    ("2005", "Harbour Racing", 17, 3, 900000),
    ("2006", "North Quay", 19, 9, 2400000),
)

RIGHT = (
    ("EMEA brought in $4,812,300 on 20,150 orders.", SALES),
    ("EMEA made $4.8M, APAC $3.1M and the Americas $6.0M.", SALES),
    ("There were 18,420 orders in APAC and 31,005 in the Americas.", SALES),
    ("$3.1 million came from APAC.", SALES),
    ("EMEA, APAC and Americas had 20,150, 18,420 and 31,005 orders respectively.", SALES),
    ("The refund rate was highest in the Americas (4.8%) and lowest in APAC (2.1%).", SALES),
    ("Orders ranged from 18,420 in APAC to 31,005 in the Americas.", SALES),
    ("The Americas led with $5,990,210. It had 31,005 orders.", SALES),
    ("EMEA outsold APAC with $4,812,300.", SALES),
    ("EMEA ($4.8M) outsold APAC ($3.1M).", SALES),
    ("In July, APAC made $988,400.", MONTHS),
    ("EMEA went from $1,410,200 in July to $1,655,300 in August.", MONTHS),
    ("August 2026: EMEA $1,655,300, APAC $1,204,900.", MONTHS),
    ("Sales at Store 7 fell by 5.6% to £388.1k.", STORES),
    ("Store 12 was up 8.4% on last year.", STORES),
    ("Store 7 recorded a 5.6% drop, Store 12 an 8.4% rise.", STORES),
    ("Norway won 16 gold, 8 silver and 13 bronze medals.", MEDALS),
    ("Sweden won eight gold and five silver medals.", MEDALS),
    ("In 2005 the team had 3 wins in 17 races.", RACES),
    ("Harbour Racing ran 18 races in 2004 and won $1.25 million.", RACES),
    ("In 2006, North Quay took nine wins and $2,400,000.", RACES),
    ("## Orders\n\n- EMEA: 20,150\n- APAC: 18,420", SALES),
    ("| Region | Orders | Refund rate |\n|---|---|---|\n| EMEA | 20,150 | 3.4% |", SALES),
)

WRONG = (
    ("EMEA brought in $3,127,450.", SALES, "wrong_cell"),
    ("EMEA made $4.8M, APAC $6.0M and the Americas $3.1M.", SALES, "wrong_cell"),
    ("There were 31,005 orders in APAC and 18,420 in the Americas.", SALES, "wrong_cell"),
    ("EMEA, APAC and Americas had 18,420, 20,150 and 31,005 orders respectively.", SALES, "wrong_cell"),
    ("EMEA outsold APAC with $3,127,450.", SALES, "wrong_cell"),
    ("EMEA ($3.1M) outsold APAC ($4.8M).", SALES, "wrong_cell"),
    ("The refund rate in EMEA was 4.8%.", SALES, "wrong_cell"),
    ("In July, APAC made $1,204,900.", MONTHS, "wrong_cell"),
    ("EMEA went from $1,655,300 in July to $1,410,200 in August.", MONTHS, "wrong_cell"),
    ("Sales at Store 7 rose by 5.6%.", STORES, "sign"),
    ("Store 12 sold £410,250.", STORES, "no_source"),
    ("Store 12 sold $401,250.", STORES, "unit"),
    ("Store 13 sold £401,250.", STORES, "unknown_label"),
    ("Norway won 8 gold medals.", MEDALS, "wrong_cell"),
    ("In 2005 the team won 5 races.", RACES, "wrong_cell"),
    ("Orders ranged from 31,005 to 18,420.", SALES, "no_source"),
    ("EMEA made $4.9M.", SALES, "precision"),
    ("EMEA made 4,812,300 orders.", SALES, "wrong_cell"),
    ("| Region | Refund rate | Orders |\n|---|---|---|\n| EMEA | 20,150 | 3.4% |", SALES, "wrong_cell"),
)


@pytest.mark.parametrize(("draft", "table"), RIGHT)
def test_a_number_on_its_own_row_and_column_passes(draft: str, table) -> None:  # type: ignore[no-untyped-def]
    found = check(draft, table)
    assert not codes(found), found.findings
    assert found.citations


@pytest.mark.parametrize(("draft", "table", "code"), WRONG)
def test_a_number_elsewhere_blocks_with_its_reason(draft: str, table, code: str) -> None:  # type: ignore[no-untyped-def]
    assert code in codes(check(draft, table))


def test_a_right_number_on_the_wrong_region_names_where_it_lives_and_what_should_be_there() -> None:
    finding = check("EMEA brought in $3,127,450.", SALES).findings[0]
    assert finding.belongs_to is not None
    assert (finding.belongs_to.row, finding.belongs_to.column, finding.expected) == (
        1,
        "net_revenue",
        "$4,812,300.00",
    )
    assert finding.text == "$3,127,450"


def test_one_digit_off_names_the_cell_it_should_have_been() -> None:
    finding = check("EMEA had 20,151 orders.", SALES).findings[0]
    assert (finding.code, finding.expected) == ("precision", "20,150")
    finding = check("EMEA had 26,150 orders.", SALES).findings[0]
    assert (finding.code, finding.expected) == ("no_source", "20,150")
    assert finding.belongs_to is not None
    assert (finding.belongs_to.row, finding.belongs_to.column) == (0, "orders")


def test_a_citation_carries_place_value_and_row_key() -> None:
    citation = check("APAC placed 18,420 orders.", SALES).citations[0]
    assert (citation.text, citation.value, citation.kind) == ("18,420", "18420", "cell")
    assert citation.row_key == ("APAC",)
    assert citation.cell is not None
    assert (citation.cell.row, citation.cell.column) == (1, "orders")


def test_a_small_number_needs_its_row_and_its_column() -> None:
    assert not passes("There were 13 of them.", MEDALS)
    assert not passes("Norway got 13.", MEDALS)
    assert passes("Norway got 13 bronze medals.", MEDALS)


def test_a_part_above_its_whole_blocks() -> None:
    total = declare("sum", of={"column": "orders"})
    assert passes("EMEA had 20,150 of 69,575 orders.", SALES, [total])
    assert not passes("There were 69,575 of 20,150 orders in EMEA.", SALES, [total])


def test_a_rank_that_is_not_the_rows_own_blocks() -> None:
    table = result("Rank:, Airport, Passengers:", (1, "Northport", 90512300), (2, "Lakeside", 71003400))
    assert passes("Lakeside was ranked 2nd with 71,003,400 passengers.", table)
    assert "wrong_cell" in codes(check("Lakeside was ranked 1st with 71,003,400 passengers.", table))


def test_a_year_that_is_not_the_rows_own_blocks() -> None:
    assert "window" in codes(check("In 2008 Harbour Racing won a prize of $1,250,000.", RACES))


@pytest.mark.parametrize(
    "draft", ["Norway had zero gold medals.", "Norway had no gold medals.", "Norway: 0 gold."]
)
def test_null_is_never_zero(draft: str) -> None:
    table = result("Nation, Gold:, Silver:", ("Norway", None, 8), ("Sweden", 8, 5))
    assert "null_as_value" in codes(check(draft, table))
    assert passes("There is no figure for Norway.", table)


def test_derivations_rest_on_the_rows_and_columns_they_are_said_of() -> None:
    share = declare("share", part=[cell("APAC", "net_revenue")], whole={"column": "net_revenue"})
    assert passes("APAC took 22.5% of net revenue.", SALES, [share])
    assert not passes("EMEA took 22.5% of net revenue.", SALES, [share])


def test_rows_without_a_dimension_value_are_named_as_we_print_them() -> None:
    table = result("Month, Region, Orders:", ("2026-07", "EMEA", 4120), ("2026-07", None, 310))
    assert passes("2026-07, EMEA: 4,120 orders.\n2026-07, (none): 310 orders.", table)
    assert not passes("2026-07, EMEA: 310 orders.\n2026-07, (none): 4,120 orders.", table)
