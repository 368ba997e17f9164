"""A clause that speaks of all rows against a figure that is only one row's."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.resolved import OutputColumn
from tests.gateway.ground.drafts import ANYTHING, Q3, check, codes, passes, regions, result
from traces.records import Table

SCOPE = replace(Q3, metrics=("Net revenue",))
REGIONS = regions("USD", "Net revenue", 2_162_129.85, 1_790_165.55, 2_022_130.06)
MONTH = OutputColumn(name="month", kind="time", type="date", label="Month", grain="month")
FIGURES = ((700_000.11, 751_846.01, 710_283.73), (590_000.40, 600_111.05, 600_054.10))


def months(*figures: float) -> Table:
    """Build a result of July, August and September."""
    plain = result("Month, Net revenue:USD", *(("", figure) for figure in figures))
    rows = ((date(2026, 7 + at, 1), row[1]) for at, row in enumerate(plain.rows))
    return Table(columns=(MONTH, plain.columns[1]), rows=tuple(rows))


def split() -> Table:
    """Build a result of two regions by three months."""
    names = ("Benelux", "Iberia")
    plain = result(
        "Region, Net revenue:USD", *((n, f) for n, own in zip(names, FIGURES, strict=True) for f in own)
    )
    rows = ((row[0], date(2026, 7 + at % 3, 1), row[1]) for at, row in enumerate(plain.rows))
    return Table(columns=(plain.columns[0], MONTH, plain.columns[1]), rows=tuple(rows))


MONTHS = months(1_950_318.40, 2_021_957.06, 2_002_150.00)
SPLIT = split()


@pytest.mark.parametrize(
    "draft",
    [
        "Total net revenue in Q3 2026 was $2,162,129.85.",
        "Overall net revenue in Q3 2026 was $2,162,129.85.",
        "In total, net revenue was $2,162,129.85.",
        "Net revenue was $2,162,129.85 in total.",
        "Worldwide net revenue in Q3 2026 was $2.16 million.",
        "Net revenue of all regions was $2,162,129.85.",
        "Net revenue across all regions was $2,162,129.85.",
        "Net revenue of the entire company was $2,162,129.85.",
        "Total net revenue was $1,790,165.55.",
        "Total net revenue was {{c:0.net_revenue}}.",
        "Total net revenue was $2,162,129.85, led by Benelux.",
        "Total net revenue was $2,162,129.85, our best quarter.",
        "Benelux, Iberia and Nordics together made $2,022,130.06.",
        "Benelux made $2,162,129.85. Total net revenue was $2,162,129.85.",
        "- Benelux: $2,162,129.85\n- Total: $2,162,129.85",
        "Net revenue in Q3 2026 was $2,162,129.85.",
    ],
)
def test_one_rows_figure_is_not_what_all_rows_come_to(draft: str) -> None:
    assert codes(check(draft, REGIONS, scope=SCOPE)) == {"wrong_cell"}


@pytest.mark.parametrize(
    "draft",
    [
        "Net revenue in Q3 2026 was $2,021,957.06.",
        "Q3 2026 net revenue came to $2.02 million.",
        "From July to September 2026 net revenue was $2,021,957.06.",
        "Total net revenue was $2,021,957.06.",
        "Net revenue for Q3 2026\n\n- Net revenue: $2,021,957.06",
    ],
)
def test_one_months_figure_is_not_the_windows(draft: str) -> None:
    assert codes(check(draft, MONTHS, scope=SCOPE)) == {"wrong_cell"}


@pytest.mark.parametrize(
    "draft",
    [
        "Benelux net revenue in Q3 2026 was $751,846.01.",
        "Benelux net revenue was $751,846.01.",
        "Total Benelux net revenue was $751,846.01.",
        "Net revenue in August was $751,846.01.",
        "Total net revenue in August was $751,846.01.",
    ],
)
def test_a_dimension_left_open_leaves_the_number_without_a_row(draft: str) -> None:
    assert codes(check(draft, SPLIT, scope=SCOPE)) == {"wrong_cell"}


@pytest.mark.parametrize(
    "draft",
    [
        "Total net revenue in Q3 2026 was $5,974,425.46.",
        "Total net revenue for Benelux was $2,162,129.85.",
        "Across all regions, Benelux had the highest net revenue at $2,162,129.85.",
        "Overall, the highest net revenue was $2,162,129.85.",
        "In Q3 2026, the top region brought in $2,162,129.85.",
        "In Q3 2026, the second-largest region made $2,022,130.06.",
        "Net revenue across the three regions was $2,162,129.85, $1,790,165.55 and $2,022,130.06.",
        "Net revenue across all regions ranged from $1,790,165.55 to $2,162,129.85.",
        "Across all regions:\n- Benelux: $2,162,129.85\n- Iberia: $1,790,165.55",
        "## Benelux\n\nTotal: $2,162,129.85",
        "Benelux led in Q3 2026. It made $2,162,129.85 in total.",
        "In total, $2,162,129.85 came from Benelux.",
        "{{c:0.region}} made {{c:0.net_revenue}} in total.",
    ],
)
def test_a_row_named_a_list_an_extreme_and_the_true_total_stand(draft: str) -> None:
    assert passes(draft, REGIONS, scope=SCOPE)


@pytest.mark.parametrize(
    "draft",
    [
        "Net revenue in August 2026 was $2,021,957.06.",
        "In Q3 2026 net revenue ranged between $1,950,318.40 and $2,021,957.06.",
        "In Q3 2026 net revenue rose from $1,950,318.40 to $2,002,150.00.",
        "Monthly net revenue in Q3 2026 was $1,950,318.40, $2,021,957.06 and $2,002,150.00.",
        "At the end of Q3 2026, net revenue was $2,002,150.00.",
        "Over Q3 2026 the best month was worth $2,021,957.06.",
    ],
)
def test_months_named_listed_or_at_the_edge_of_the_window_stand(draft: str) -> None:
    assert passes(draft, MONTHS, scope=SCOPE)


@pytest.mark.parametrize(
    "draft",
    [
        "Benelux net revenue in August was $751,846.01.",
        "Benelux peaked at $751,846.01 in Q3 2026.",
        "The highest net revenue in August was $751,846.01.",
        "In August 2026, Benelux led. Its net revenue was $751,846.01.",
        "### Benelux\n- July: $700,000.11\n- August: $751,846.01",
        "Net revenue in August: Benelux $751,846.01, Iberia $600,111.05.",
    ],
)
def test_every_dimension_named_stands(draft: str) -> None:
    assert passes(draft, SPLIT, scope=SCOPE)


def test_a_row_that_is_itself_a_total_may_be_said_of_all() -> None:
    table = result("Party, Votes:", ("Labour Union", 412_876), ("Others", 106_240), ("Total", 519_116))
    assert passes("In total, 519,116 votes were cast.", table)
    assert "wrong_cell" in codes(check("In total, 412,876 votes were cast.", table))


def test_a_share_of_the_total_is_no_total() -> None:
    table = result("Party, Share:percent", ("Labour Union", 38.4), ("Others", 61.6))
    assert passes("Labour Union took 38.4% of all votes.", table)


def test_one_row_and_a_number_that_claims_no_total_pass_as_before() -> None:
    assert passes("Total net revenue was $2,162,129.85.", result("Net revenue:USD", (2_162_129.85,)))
    assert passes(
        "A party won 412,876 votes.", result("Party, Votes:", ("A", 412_876), ("B", 6)), scope=ANYTHING
    )


@given(
    st.lists(st.integers(10_000, 9_999_999), min_size=3, max_size=3, unique=True),
    st.sampled_from(("Total orders were {}.", "Overall, orders were {}.", "Orders of all regions: {}.")),
    st.integers(0, 2),
)
def test_no_rows_figure_passes_for_the_total_and_the_total_does(
    figures: list[int], form: str, row: int
) -> None:
    table = regions("", "Orders", *figures)
    assert not passes(form.format(f"{figures[row]:,}"), table)
    assert passes(form.format(f"{sum(figures):,}"), table)
