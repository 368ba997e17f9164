"""Whatever a plan holds, it resolves to a plan that compiles or to issues; it never breaks the resolver."""

import re
from datetime import date
from decimal import Decimal
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.compile import compile_plan
from metric_layer.definitions import GRAINS
from metric_layer.plan import Dialect, MetricPlan, Operator
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.visible import Visible
from tests.metric_layer.ledger import LEDGER, ledger
from tests.metric_layer.test_windows import TABLE
from tests.metric_layer.trap_shop import TODAY

HEAD = "calendar: {fiscal_start_month: 2, time_zone: Europe/Berlin}\n"
LAYERS = {"months": ledger(), "weeks": ledger(text=LEDGER.replace(HEAD, TABLE, 1))}
METRICS = st.sampled_from([*LAYERS["months"].metrics, "wealth", "feez", "currency", "fees__growth"])
DIMENSIONS = st.sampled_from([*LAYERS["months"].dimensions, "place", "any_time", "fees", "nope"])
DAYS = st.one_of(
    st.dates(date(2025, 12, 1), date(2027, 1, 31)),
    st.sampled_from(
        [date(1, 1, 1), date(1000, 1, 1), date(2028, 2, 29), date(9998, 12, 31), date(9999, 12, 31)]
    ),
)
VALUES = st.lists(
    st.one_of(
        st.booleans(),
        st.integers(-(10**40), 10**40),
        st.sampled_from([Decimal("0.5"), Decimal("1e400"), Decimal("-0")]),
        st.sampled_from(
            ["USD", "2026-07-01", "9999-12-31", "2026-07-01T10:00:00", "2026-07-01T10:00:00+02:00"]
        ),
        st.text(max_size=3),
    ),
    max_size=3,
)
OPERATORS = st.sampled_from(get_args(Operator))
FILTERS = st.lists(
    st.one_of(
        st.fixed_dictionaries({"field": DIMENSIONS, "op": OPERATORS, "values": VALUES}),
        st.fixed_dictionaries({"metric": METRICS, "op": OPERATORS, "values": VALUES}),
    ),
    max_size=2,
)
WINDOWS = st.fixed_dictionaries(
    {"from": DAYS, "to": DAYS},
    optional={
        "field": DIMENSIONS,
        "grain": st.sampled_from(GRAINS),
        "zone": st.sampled_from(["UTC", "America/New_York", "Berlin", "Europe", "Asia/Kathmandu"]),
        "fill": st.sampled_from(["zero", "empty"]),
    },
)
COMPARES = st.fixed_dictionaries(
    {"kind": st.sampled_from(["previous_period", "previous_year", "custom"])},
    optional={"from": DAYS, "to": DAYS},
)
PLANS = st.fixed_dictionaries(
    {"metrics": st.lists(METRICS, min_size=1, max_size=3)},
    optional={
        "dimensions": st.lists(DIMENSIONS, max_size=2),
        "filters": FILTERS,
        "time": WINDOWS,
        "compare": COMPARES,
        "order": st.fixed_dictionaries({"by": st.one_of(METRICS, DIMENSIONS)}),
        "limit": st.integers(1, 10),
    },
)
CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "wealth": st.sampled_from(["fees", "balance_rows", "x"]),
        "place": st.sampled_from(["city", "country"]),
        "grain": st.sampled_from([*GRAINS, "x"]),
        "time": DIMENSIONS,
    },
)
VISIBLE = st.sampled_from(
    [
        Visible(),
        Visible(metrics=frozenset({"fees", "paid", "on_past", "conversion_rate"})),
        Visible(datasets=frozenset({"payments", "accounts"})),
        Visible(hidden_columns=frozenset({"payments.currency", "balances.balance_date"})),
    ]
)


@settings(deadline=None)
@given(
    calendar=st.sampled_from(sorted(LAYERS)),
    raw=PLANS,
    choices=CHOICES,
    visible=VISIBLE,
    dialect=st.sampled_from(get_args(Dialect)),
    allow=st.sampled_from([(), ("draft",), ("draft", "expired")]),
)
def test_any_plan_gives_sql_or_issues(
    calendar: str,
    raw: dict[str, object],
    choices: dict[str, str],
    visible: Visible,
    dialect: Dialect,
    allow: tuple[str, ...],
) -> None:
    layer, plan = LAYERS[calendar], MetricPlan.model_validate(raw)
    found = resolve(
        plan,
        layer,
        visible=visible,
        choices=choices,
        today=TODAY,
        dialect=dialect,
        allow=allow,  # type: ignore[arg-type]
    )
    if isinstance(found, ResolvedPlan):
        assert compile_plan(found, layer, dialect, 1000).sql(dialect=dialect)
        assert len({column.name for column in found.outputs}) == len(found.outputs)
        return
    assert found and all(issue.code and issue.message for issue in found)
    assert len(set(found)) == len(found)
    told = " ".join(issue.model_dump_json() for issue in found)
    named = {name for name in layer.metrics if re.search(rf"\b{name}\b", told)}
    assert all(visible.metric(name) or name in repr((raw, choices)) for name in named)
