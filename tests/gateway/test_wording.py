"""Our own sentence over a result: every number a slot, and it always passes its own check."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.ground import GroundRules, Scope, ground, print_own
from gateway.ground.wording import scope_line, word
from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules, Display
from metric_layer.plan import MetricPlan
from metric_layer.resolved import OutputColumn, ResolvedPlan, Used
from traces.grounding import Grounding
from traces.records import Table, Value

COLUMNS = (
    OutputColumn(name="region", kind="dimension", type="string", label="Region"),
    OutputColumn(
        name="net_revenue",
        kind="metric",
        type="decimal",
        label="Net revenue",
        unit="USD",
        display=Display(style="currency"),
        version=3,
    ),
    OutputColumn(name="orders", kind="metric", type="integer", label="Orders (30 days)"),
)
PLAN = MetricPlan.model_validate(
    {
        "metrics": ["net_revenue", "orders"],
        "dimensions": ["region"],
        "time": {"from": "2026-07-01", "to": "2026-09-30"},
    }
)
RESOLVED = ResolvedPlan(
    plan=PLAN,
    outputs=COLUMNS,
    leaves=(),
    metrics=(),
    having=(),
    start=date(2026, 7, 1),
    end=date(2026, 10, 1),
    grain=None,
    order=(),
    limit=None,
    used=(Used(kind="metric", name="net_revenue", version=3, owner="finance", digest="0"),),
    notes=(),
)
SCOPE = Scope(
    today=date(2026, 11, 29),
    start=RESOLVED.start,
    end=RESOLVED.end,
    filters=(("channel", "in", ("web",)),),
    metrics=("Net revenue", "Orders (30 days)"),
    calendar=Calendar(CalendarRules()),
)


def said(*rows: tuple[Value, ...], truncated: bool = False) -> Grounding:
    """Return our own sentence as printed; the check of a draft has to print and cite the same."""
    table = Table(columns=COLUMNS, rows=rows, truncated=truncated)
    own = print_own(word(table), table, SCOPE)
    assert own == ground(_with_slots(table), table, SCOPE, (), GroundRules())
    return own


def _with_slots(table: Table) -> str:
    parts = word(table)
    return "".join(
        part if isinstance(part, str) else f"{{{{c:{part[0]}.{COLUMNS[part[1]].name}}}}}" for part in parts
    )


def test_every_number_of_our_own_sentence_is_cited() -> None:
    found = said(("EMEA", Decimal("4812300.5"), 20150), ("APAC", Decimal(3127450), None))
    assert found.verdict == "pass"
    assert found.text == (
        "- EMEA: Net revenue $4,812,300.50, Orders (30 days) 20,150.\n"
        "- APAC: Net revenue $3,127,450.00, Orders (30 days) no data."
    )
    assert [c.text for c in found.citations] == ["$4,812,300.50", "20,150", "$3,127,450.00", "no data"]


def test_no_rows_have_nothing_to_say() -> None:
    found = said()
    assert found.verdict == "fixed_message"
    assert "channel in web" in found.text


def test_a_long_result_is_said_in_part() -> None:
    found = said(*((f"Region {n}", Decimal(n), n) for n in range(200)))
    assert found.verdict == "pass"
    assert found.text.endswith("The other rows stand in the table.")


@given(
    st.lists(
        st.tuples(
            st.text(max_size=30),
            st.none()
            | st.decimals(
                allow_nan=False, allow_infinity=False, places=3, min_value=-(10**12), max_value=10**12
            ),
            st.none() | st.integers(-(10**9), 10**9),
        ),
        max_size=6,
    )
)
def test_our_own_sentence_passes_over_any_result(rows: list[tuple[str, Decimal | None, int | None]]) -> None:
    assert said(*rows).verdict in ("pass", "fixed_message")


def test_the_scope_line_says_period_filters_versions_and_cuts() -> None:
    table = Table(
        columns=COLUMNS, rows=(("EMEA", Decimal(1), 1),), truncated=True, limit_source="the role's row cap"
    )
    line = scope_line(table, RESOLVED, SCOPE)
    assert line == (
        "2026-07-01 to 2026-09-30; channel = web; Net revenue (net_revenue v3); "
        "the result was cut (the role's row cap)"
    )


@pytest.mark.parametrize("truncated", [True, False])
def test_a_cut_result_is_still_worded_row_by_row(truncated: bool) -> None:
    assert said(("EMEA", Decimal(5), 5), truncated=truncated).verdict == "pass"
