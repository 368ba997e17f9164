"""Columns that compare with an earlier period, and figures that are estimates."""

from decimal import Decimal

import pytest

from metric_layer.resolved import OutputColumn
from tests.gateway.ground.drafts import cell, check, codes, declare, passes, result
from traces.records import Table


def figure(name: str, **told: object) -> OutputColumn:
    label = name.replace("__", ", ").replace("_", " ").capitalize()
    return OutputColumn.model_validate(
        {"name": name, "kind": "metric", "type": "decimal", "label": label, **told}
    )


COMPARED = Table(
    columns=(
        OutputColumn(name="team", kind="dimension", type="string", label="Team"),
        figure("sales", unit="EUR"),
        figure("sales__previous", unit="EUR", compared="sales"),
        figure("sales__change", unit="EUR", compared="sales"),
        figure("sales__growth", unit="fraction", compared="sales"),
        figure("visitors", approximate=True),
    ),
    rows=(
        ("Red", *map(Decimal, ("660", "600", "60", "0.1", "4321"))),
        ("Blue", *map(Decimal, ("380", "400", "-20", "-0.05", "777"))),
    ),
)
LABELLED = result("Team, Sales:EUR, Sales last month:EUR", ("Red", 6600, 6000), ("Blue", 3800, 4000))


@pytest.mark.parametrize(
    "draft",
    [
        "Red sales rose 10% to €660.",
        "Red sales rose from €600 to €660.",
        "Blue sales were €380, down €20 on the month before.",
        "Blue sales were €400 in the previous month.",
        "Blue sales fell by 5%.",
    ],
)
def test_a_comparison_is_read_from_its_own_column(draft: str) -> None:
    assert passes(draft, COMPARED)


@pytest.mark.parametrize(
    "draft",
    [
        "Red sales were €600.",
        "Red: €600.",
        "Blue sales rose 5%.",
        "Red sales rose from €660 to €660.",
        "Red sales were €660 in the previous month.",
        "Blue sales fell from €380 to €400.",
    ],
)
def test_an_earlier_figure_is_never_the_figure_itself(draft: str) -> None:
    assert not passes(draft, COMPARED)


def test_a_change_may_be_declared_over_a_column_and_its_earlier_period() -> None:
    forth = declare("pct_change", new=cell(0, "sales"), old=cell(0, "sales_last_month"))
    back = declare("pct_change", new=cell(0, "sales_last_month"), old=cell(0, "sales"))
    assert passes("Red sales rose 10% on last month.", LABELLED, [forth])
    assert not passes("Red sales fell 9.1% on last month.", LABELLED, [back])


@pytest.mark.parametrize(
    "draft",
    ["Red had about 4,321 visitors.", "Red had an estimated 4,321 visitors.", "Red had {{c:Red.visitors}}."],
)
def test_an_estimate_that_says_so_passes(draft: str) -> None:
    found = check(draft, COMPARED)
    assert found.verdict == "pass"
    assert "about" in found.text or "estimated" in found.text


def test_an_estimate_told_as_exact_blocks_and_says_what_to_write() -> None:
    found = check("Red had 4,321 visitors.", COMPARED)
    assert codes(found) == {"precision"}
    assert found.findings[0].expected == "about 4,321"
    assert passes("Red sales were €660.", COMPARED)
