"""Slots: printed by code, cited by code, refused with what exists."""

from datetime import date
from decimal import Decimal

import pytest

from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules, Display
from metric_layer.resolved import OutputColumn
from tests.gateway.ground.drafts import ANYTHING, cell, check, declare, passes
from traces.records import Table

TABLE = Table(
    columns=(
        OutputColumn(name="region", kind="dimension", type="string", label="Region"),
        OutputColumn(name="month", kind="time", type="date", label="Month", grain="month"),
        OutputColumn(
            name="net_revenue", kind="metric", type="decimal", label="Net revenue", unit="EUR",
            display=Display(style="currency", decimals=2), version=3,
        ),
        OutputColumn(
            name="refund_rate", kind="metric", type="decimal", label="Refund rate", unit="fraction",
            display=Display(style="percent", decimals=1),
        ),
    ),
    rows=(
        ("EMEA", date(2026, 7, 1), Decimal("12345.675"), Decimal("0.0345")),
        ("EMEA", date(2026, 8, 1), Decimal("-9876.5"), None),
        ("North.East", date(2026, 7, 1), Decimal(7), Decimal(0)),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("slot", "printed"),
    [
        ("{{c:0.net_revenue}}", "€12,345.68"),
        ("{{c:EMEA|2026-07.net_revenue}}", "€12,345.68"),
        ("{{c:emea|2026-07-01.Net revenue}}", "€12,345.68"),
        ("{{ c:1.net_revenue }}", "-€9,876.50"),
        ("{{c:0.refund_rate}}", "3.4%"),
        ("{{c:1.refund_rate}}", "no figure"),
        ("{{c:North.East|2026-07.net_revenue}}", "€7.00"),
        ("{{c:0.month}}", "2026-07"),
        ("{{d:gap}}", "€22,222.18"),
    ],
)
def test_a_slot_prints_its_cell_in_the_metrics_own_format(slot: str, printed: str) -> None:
    calendar = Calendar(CalendarRules())
    scope = ANYTHING.__class__(today=ANYTHING.today, known=False, calendar=calendar)
    gap = declare("difference", "gap", a=cell(0, "net_revenue"), b=cell(1, "net_revenue"))
    found = check(f"It was {slot}.", TABLE, [gap], scope)
    assert found.text == f"It was {printed}."
    assert found.verdict == "pass"


def test_a_printed_slot_is_cited_with_the_value_behind_it() -> None:
    found = check("EMEA made {{c:EMEA|2026-07.net_revenue}} in July 2026.", TABLE)
    citation = found.citations[0]
    assert found.text[citation.start : citation.end] == citation.text == "€12,345.68"
    assert (citation.value, citation.metric, citation.row_key) == (
        "12345.675",
        "net_revenue",
        ("EMEA", "2026-07-01"),
    )


@pytest.mark.parametrize(
    ("slot", "says"),
    [
        ("{{c:EMAE|2026-07.net_revenue}}", "EMEA|2026-07-01"),
        ("{{c:0.net_revenu}}", "near: net_revenue"),
        ("{{c:EMEA.net_revenue}}", "names no row"),
        ("{{c:net_revenue}}", "ROW.COLUMN"),
        ("{{d:gpa}}", "near: gap"),
        ("{{x:0}}", "use c or d"),
        ("{{c:0.net_revenue}", "not written"),
        ("{{}}", "not written"),
    ],
)
def test_a_slot_that_names_nothing_blocks_with_near_names_and_what_exists(slot: str, says: str) -> None:
    gap = declare("difference", "gap", a=cell(0, "net_revenue"), b=cell(1, "net_revenue"))
    found = check(f"It was {slot}.", TABLE, [gap])
    finding = next(f for f in found.findings if f.code == "bad_slot")
    assert found.verdict == "block"
    assert says in finding.message
    assert "Columns: net_revenue, refund_rate." in finding.next_step


def test_a_value_that_looks_like_markup_prints_as_one_plain_line() -> None:
    rows = (("a\n**{{c:1}}**\u202e", Decimal(5)),)
    columns = (
        OutputColumn(name="region", kind="dimension", type="string", label="Region"),
        OutputColumn(name="orders", kind="metric", type="integer", label="Orders"),
    )
    found = check("{{c:0.region}}: {{c:0.orders}}", Table(columns=columns, rows=rows))
    assert found.text == "a **{{c:1}}**: 5"
    assert passes("{{c:0.region}}: {{c:0.orders}}", Table(columns=columns, rows=rows))
