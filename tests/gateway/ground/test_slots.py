"""Slots: printed by code, cited by code, refused with what exists."""

from datetime import date
from decimal import Decimal

import pytest

from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules, Display
from metric_layer.resolved import OutputColumn
from tests.gateway.ground.drafts import ANYTHING, cell, check, codes, declare, passes, result
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
        ("{{c:1.refund_rate}}", "no data"),
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
    assert found.text == "\u201ca **{{c:1}}**\u201d: 5"
    assert passes("{{c:0.region}}: {{c:0.orders}}", Table(columns=columns, rows=rows))


SALES = result(
    "Region, Net revenue:USD, Order count:, Cancellation rate:percent",
    ("AMER", 5974425.46, 12100, 3.4),
    ("APAC", 2948150.12, 8100, 4.1),
    ("EMEA", 4111222.33, 9300, 2.2),
)
DECLARED = (
    declare("sum", "two", of=[cell("AMER", "net_revenue"), cell("EMEA", "net_revenue")]),
    declare("sum", "all", of={"column": "net_revenue"}),
    declare("difference", "gap", a=cell("AMER", "net_revenue"), b=cell("EMEA", "net_revenue")),
    declare("difference", "short", a=cell("EMEA", "net_revenue"), b=cell("AMER", "net_revenue")),
    declare("count_rows", "busy", where={"column": "order_count", "op": ">", "value": 9000}),
    declare("ratio", "times", num=cell("AMER", "order_count"), den=cell("APAC", "order_count")),
    declare("share", "share", part=[cell("AMER", "net_revenue")], whole={"column": "net_revenue"}),
    declare("rank", "rank", row="AMER", column="net_revenue"),
)


@pytest.mark.parametrize(
    "draft",
    [
        "{{c:0.order_count}}{{c:0.order_count}}",
        "-{{c:AMER.net_revenue}}",
        "It was minus {{c:AMER.net_revenue}}.",
        "It was {{c:AMER.order_count}}k.",
        "It was {{c:AMER.order_count}} million.",
        "It was {{c:AMER.order_count}}%.",
        "It was **{{c:AMER.order_count}}**%.",
        "It was \u20ac{{c:AMER.order_count}}.",
        "It was EUR {{c:AMER.order_count}}.",
        "It was {{c:AMER.order_count}} dollars.",
        "It was 1{{c:AMER.order_count}}.",
        "It was 1,{{c:AMER.order_count}}.",
        "It was {{c:AMER.order_count}},000.",
        "It was {{c:AMER.order_count}}.5.",
        "It was {{c:AMER.order_count}}/{{c:EMEA.order_count}}.",
        "It was {{c:AMER.order_count}}x.",
    ],
)
def test_a_printed_figure_takes_no_sign_scale_unit_or_digit_from_the_draft(draft: str) -> None:
    assert "residual" in codes(check(draft, SALES))


@pytest.mark.parametrize(
    "draft",
    [
        "AMER net revenue is {{c:2.net_revenue}}.",
        "AMER net revenue is {{c:AMER.order_count}}.",
        "AMER net revenue is {{c:AMER.cancellation_rate}}.",
        "EMEA made {{c:EMEA.net_revenue}} and AMER made {{c:EMEA.net_revenue}}.",
        "| Region | Net revenue |\n|---|---|\n| AMER | {{c:EMEA.net_revenue}} |",
        "AMER net revenue was {{d:two}}.",
        "AMER net revenue was {{d:all}}.",
        "AMER total net revenue was {{d:all}}.",
        "AMER net revenue was {{d:gap}}.",
        "AMER net revenue was {{d:short}}.",
        "AMER net revenue fell by {{d:gap}} against EMEA.",
        "AMER orders were {{d:busy}}.",
        "AMER order count was {{d:busy}}.",
        "There were {{d:busy}} orders in AMER.",
        "AMER net revenue was {{d:rank}}.",
        "EMEA's share was {{d:share}}.",
        "AMER order count was {{d:two}}.",
    ],
)
def test_a_printed_figure_of_something_else_than_its_clause_names_blocks(draft: str) -> None:
    assert codes(check(draft, SALES, DECLARED)) & {"wrong_cell", "no_source"}


@pytest.mark.parametrize(
    "draft",
    [
        "It was {{d:gap}}.",
        "AMER net revenue was **{{c:AMER.net_revenue}}** from {{c:AMER.order_count}} orders.",
        "AMER: {{c:AMER.net_revenue}} ({{c:AMER.order_count}} orders).",
        "In AMER, {{c:0.order_count}} orders brought {{c:0.net_revenue}} at a cancellation rate of"
        " {{c:0.cancellation_rate}}.",
        "AMER net revenue:{{c:0.net_revenue}}.",
        "- {{c:0.region}}: {{c:0.net_revenue}}",
        "Net revenue was {{c:0.net_revenue}} in AMER and {{c:2.net_revenue}} in EMEA.",
        "AMER and EMEA together made {{d:two}}.",
        "In total the regions made {{d:all}}.",
        "AMER net revenue was {{d:gap}} ahead of EMEA.",
        "The gap between AMER and EMEA was {{d:gap}}.",
        "{{d:busy}} regions had more than 9,000 orders.",
        "AMER placed {{d:times}} times the orders of APAC.",
        "AMER contributed {{d:share}} of net revenue.",
    ],
)
def test_a_printed_figure_of_what_its_clause_names_passes(draft: str) -> None:
    assert passes(draft, SALES, DECLARED), check(draft, SALES, DECLARED).findings


def test_a_printed_figure_is_cited_once() -> None:
    assert len(check("AMER net revenue was {{c:AMER.net_revenue}}.", SALES).citations) == 1


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("- {{c:0.region}}: {{c:0.orders}}\n- {{c:1.region}}: {{c:1.orders}}", True),
        ("- {{c:0.region}}: {{c:1.orders}}", False),
        ("{{c:1.region}} did well; East placed {{c:1.orders}} orders.", False),
    ],
)
def test_a_row_that_a_slot_names_owns_the_figures_of_its_line(draft: str, right: bool) -> None:
    table = result("Region, Orders:", ("East", 700), ("", 400))
    assert passes(draft, table) is right
