"""Words that choose a column or a part of the rows: a state, a verb, letters, who took part, a segment."""

from dataclasses import replace

import pytest

from tests.gateway.ground.drafts import Q3, cell, check, codes, declare, passes, result

PARCELS = result(
    "Carrier, Parcels:, On time:, Late:, Damaged:",
    ("Northpost", 40218, 38127, 2091, 310),
    ("Quick", 22905, 20867, 2038, 144),
)
VOTES = result(
    "Measure, Yes %:percent, Turnout %:percent",
    ("Bridge levy", 55.8, 38.8),
    ("Water bond", 63.6, 45.9),
    ("Port tax", 49.7, 78.7),
)
CHANNELS = result(
    "Channel, Net revenue:USD, Orders:",
    ("Online", 1820440, 22017),
    ("Retail", 960115, 8840),
    ("Wholesale", 604900, 312),
)
KPIS = result("ARR:USD, Customers:, NRR:percent, Gross margin:fraction", (41880225, 612, 111.4, 0.783))
SPENT = result(
    "Cost centre, Q3 2026:EUR, Budget Q3:EUR", ("Payroll", 5034110, 4990000), ("Travel", 164395, 240000)
)
AGEING = result(
    "Bucket, Invoices:, Amount:USD", ("Current", 1204, 4880210), ("Older", 388, 1702944), ("Lost", 37, 264405)
)
HIRING = result(
    "Role, Applications:, Offers:, Hires:, Days to hire:days",
    ("Engineering", 1904, 31, 24, 47),
    ("Sales", 866, 26, 22, 33),
)
RENEWED = result("Segment, Accounts:, Renewals:, Churned:", ("Gold", 52, 41, 11), ("Silver", 130, 97, 33))
PARTS = result(
    "Actor, Role, Episodes:",
    ("Ann Pryce", "Doctor", 1),
    ("Tom Veld", "Clerk", 14),
    ("Gus Larue", "Judge", 22),
)
PLANNED = result("Department, Actual:EUR, Plan:EUR", ("Sales", 912000, 880000), ("Legal", 310400, 335000))
ASKED = replace(Q3, metrics=("Net revenue", "Orders"))
KEPT = replace(Q3, metrics=("ARR", "Customers", "NRR", "Gross margin"))


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("2,091 Northpost parcels arrived late out of 40,218.", True),
        ("38,127 Northpost parcels arrived late out of 40,218.", False),
        ("At Quick, 2,038 parcels came in late.", True),
        ("At Quick, 20,867 parcels came in late.", False),
        ("144 Quick parcels were handed over damaged.", True),
        ("20,867 Quick parcels were handed over damaged.", False),
    ],
)
def test_a_state_behind_a_verb_is_the_column_of_the_number(draft: str, stands: bool) -> None:
    assert passes(draft, PARCELS) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("The Water bond was approved with 63.6% of the vote.", True),
        ("The Water bond was approved with 45.9% of the vote.", False),
        ("The Bridge levy passed with 38.8%.", False),
        ("Only 45.9% took part in the vote on the Water bond.", True),
        ("78.7% of voters turned out for the Port tax.", True),
        ("The Port tax drew a turnout of 78.7%.", True),
    ],
)
def test_who_took_part_is_no_share_of_the_votes(draft: str, stands: bool) -> None:
    assert passes(draft, VOTES) == stands


@pytest.mark.parametrize(
    "draft",
    [
        "SMB net revenue online was $1,820,440 in Q3 2026.",
        "In Q3 2026, B2B orders in Retail came to 8,840.",
        "Our enterprise net revenue in Wholesale was $604,900.",
        "Retail booked $960,115 of SME net revenue.",
        "EMEA net revenue online was $1,820,440.",
        "Online net revenue from SMBs was $1,820,440.",
    ],
)
def test_a_part_of_the_business_that_nobody_asked_for_blocks(draft: str) -> None:
    assert codes(check(draft, CHANNELS, scope=ASKED)) == {"filter"}


@pytest.mark.parametrize(
    "draft",
    [
        "Online net revenue was $1,820,440 in Q3 2026.",
        "USD net revenue online was $1,820,440.",
        "Q3 net revenue in Wholesale was $604,900.",
        "Retail orders came to 8,840.",
    ],
)
def test_rows_currencies_and_periods_may_stand_before_a_figure(draft: str) -> None:
    assert passes(draft, CHANNELS, scope=ASKED)


def test_the_filter_that_ran_may_stand_before_a_figure() -> None:
    small = replace(ASKED, filters=(("segment", "in", ("SMB",)),))
    assert passes("SMB net revenue online was $1,820,440.", CHANNELS, scope=small)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Net retention was 111.4% and gross margin 78.3%.", True),
        ("Annual recurring revenue was $41.9 million.", True),
        ("Net retention was 78.3%.", False),
        ("Net margin was 78.3%.", False),
        ("Net revenue was $41.9 million.", False),
    ],
)
def test_a_key_figure_may_be_told_by_its_words(draft: str, stands: bool) -> None:
    assert passes(draft, KPIS, scope=KEPT) == stands


@pytest.mark.parametrize(
    ("draft", "row", "stands"),
    [
        (
            "Payroll took \u20ac5,034,110 of a budget of \u20ac4,990,000, an overspend of \u20ac44,110.",
            0,
            True,
        ),
        (
            "Payroll took \u20ac5,034,110 of a budget of \u20ac4,990,000, an underspend of \u20ac44,110.",
            0,
            False,
        ),
        (
            "Travel took \u20ac164,395 of a budget of \u20ac240,000, an underspend of \u20ac75,605.",
            1,
            True,
        ),
        (
            "Travel took \u20ac164,395 of a budget of \u20ac240,000, an overspend of \u20ac75,605.",
            1,
            False,
        ),
    ],
)
def test_an_overspend_is_a_difference_above_zero(draft: str, row: int, stands: bool) -> None:
    over = declare("difference", a=cell(row, "q3_2026"), b=cell(row, "budget_q3"))
    assert passes(draft, SPENT, (over,)) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Of all receivables, $4.88 million is current.", True),
        ("Of all receivables, $1.70 million is current.", False),
        ("1,204 invoices are current.", True),
        ("388 invoices are current.", False),
    ],
)
def test_a_small_word_may_name_a_row_where_it_is_said_of_a_figure(draft: str, stands: bool) -> None:
    assert passes(draft, AGEING) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Engineering made 31 offers, of which 24 were accepted.", True),
        ("Engineering made 31 offers, of which 47 were accepted.", False),
        ("Of 866 candidates for Sales, 22 were hired.", True),
        ("Of 866 candidates for Sales, 26 were hired.", False),
    ],
)
def test_what_became_of_applicants_goes_by_other_words(draft: str, stands: bool) -> None:
    assert passes(draft, HIRING) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Gold renewed 41 accounts.", True),
        ("Gold renewed 52 accounts.", False),
        ("33 Silver accounts churned.", True),
        ("97 Silver accounts churned.", False),
    ],
)
def test_a_verb_says_what_happened_to_how_many(draft: str, stands: bool) -> None:
    assert passes(draft, RENEWED) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Ann Pryce appeared in a single episode as the Doctor.", True),
        ("Tom Veld appeared in a single episode as the Clerk.", False),
        ("Tom Veld played the Clerk without missing a single episode.", True),
    ],
)
def test_a_single_one_is_a_figure_of_one(draft: str, stands: bool) -> None:
    assert passes(draft, PARTS) == stands


def test_a_budget_may_be_called_a_plan() -> None:
    assert passes("Sales had a budget of \u20ac880,000.", PLANNED)
    assert not passes("Sales had a budget of \u20ac912,000.", PLANNED)


def test_topping_a_number_is_no_comparison_and_sliding_is_a_trend() -> None:
    assert check("Orders in Retail will probably top 8,840.", CHANNELS).flags == ("forecast",)
    assert check("Net revenue in Retail slid to $960,115.", CHANNELS).flags == ("trend",)
    assert check("Online is the top channel with 22,017 orders.", CHANNELS).flags == ("comparison",)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("12 of the 4,110 orders in Kiel were backordered.", True),
        ("8 of the 4,110 orders in Kiel were backordered.", False),
        ("12 of Kiel's 4,110 orders were backordered.", True),
        ("8 of Kiel's 4,110 orders were backordered.", False),
        ("3,980 Kiel orders shipped and 8 were returned.", True),
        ("4,110 Kiel orders shipped and 8 were returned.", False),
    ],
)
def test_what_became_of_a_part_is_said_behind_the_whole(draft: str, stands: bool) -> None:
    stock = result(
        "Warehouse, Orders:, Shipped:, Backordered:, Returned:",
        ("Kiel", 4110, 3980, 12, 8),
        ("Ulm", 2950, 2600, 31, 49),
    )
    assert passes(draft, stock) == stands


def test_a_part_of_the_business_may_stand_before_the_name_of_a_row() -> None:
    lines = result("Product line, Net revenue:EUR", ("Garden", 510220), ("Kitchen", 330115))
    assert passes("Garden net revenue was \u20ac510,220.", lines, scope=ASKED)
    assert codes(check("Online Garden net revenue was \u20ac510,220.", lines, scope=ASKED)) == {"filter"}


@pytest.mark.parametrize(
    ("draft", "row", "stands"),
    [
        ("Sales beat its plan of \u20ac880,000 by \u20ac32,000.", 0, True),
        ("Sales missed its plan of \u20ac880,000 by \u20ac32,000.", 0, False),
        ("Legal missed its plan of \u20ac335,000 by \u20ac24,600.", 1, True),
        ("Legal beat its plan of \u20ac335,000 by \u20ac24,600.", 1, False),
        ("Legal had a shortfall of \u20ac24,600 against plan.", 1, True),
        ("Sales had a shortfall of \u20ac32,000 against plan.", 0, False),
    ],
)
def test_a_target_is_missed_or_met_as_the_cells_say(draft: str, row: int, stands: bool) -> None:
    over = declare("difference", a=cell(row, "actual"), b=cell(row, "plan"))
    assert passes(draft, PLANNED, (over,)) == stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("At Beta, 60 tests failed.", True),
        ("At Beta, 801 tests failed.", False),
        ("1,190 of 1,240 Alpha tests passed; 38 failed and 12 were skipped.", True),
        ("1,190 of 1,240 Alpha tests passed; 12 failed and 38 were skipped.", False),
    ],
)
def test_a_verb_that_is_a_column_tells_what_its_number_did(draft: str, stands: bool) -> None:
    runs = result(
        "Site, Tests:, Passed:, Failed:, Skipped:", ("Alpha", 1240, 1190, 38, 12), ("Beta", 880, 801, 60, 19)
    )
    assert passes(draft, runs) == stands
