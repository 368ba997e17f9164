"""Figures that would be wrong in silence are refused: mixed units, states added up, tables without end."""

import pytest

from metric_layer.layer import Layer
from metric_layer.visible import Visible
from tests.metric_layer.ledger import answered, ledger, output, refused, resolving

JULY = {"from": "2026-07-01", "to": "2026-07-31"}
USD = {"field": "currency", "op": "eq", "values": ["USD"]}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger()


@pytest.mark.parametrize("metric", ["paid", "paid_twice"])
def test_amounts_of_several_currencies_are_not_added_up(layer: Layer, metric: str) -> None:
    found = resolving(layer, metrics=["fees", metric])
    assert isinstance(found, tuple)
    assert [(issue.code, issue.path, issue.candidates) for issue in found] == [
        ("mixed_units", "/metrics/1", ("currency",))
    ]
    assert found[0].next_step == "Add currency to dimensions, or filter it to one value."


@pytest.mark.parametrize(
    "filters",
    [
        [{"field": "currency", "op": "ne", "values": ["JPY"]}],
        [{"field": "currency", "op": "in", "values": ["USD", "EUR"]}],
        [{"field": "currency", "op": "not_null"}],
    ],
)
def test_a_filter_that_leaves_several_currencies_settles_nothing(
    layer: Layer, filters: list[dict[str, object]]
) -> None:
    assert refused(layer, metrics=["paid"], filters=filters) == [("mixed_units", "/metrics/0")]


def test_an_amount_takes_the_unit_it_is_filtered_or_grouped_by(layer: Layer) -> None:
    grouped = output(answered(layer, metrics=["paid"], dimensions=["currency"]), "paid")
    assert (grouped.unit, grouped.unit_column) == ("", "currency")
    filtered = output(answered(layer, metrics=["paid"], filters=[USD]), "paid")
    assert (filtered.unit, filtered.unit_column) == ("USD", "")
    defined = answered(layer, metrics=["paid_usd", "paid_eur"])
    assert [column.unit for column in defined.outputs] == ["USD", "EUR"]
    assert output(answered(layer, metrics=["paid_twice"], filters=[USD]), "paid_twice").unit == "USD"


def test_two_currencies_are_not_added_even_where_each_is_one(layer: Layer) -> None:
    found = resolving(layer, metrics=["paid_both"])
    assert isinstance(found, tuple) and [issue.code for issue in found] == ["mixed_units"]
    assert "EUR and USD" in found[0].message


def test_a_hidden_currency_is_not_named(layer: Layer) -> None:
    visible = Visible(hidden_columns=frozenset({"payments.currency"}))
    found = resolving(layer, metrics=["paid"], visible=visible)
    assert isinstance(found, tuple) and "currency" not in found[0].model_dump_json()


def test_a_unit_is_told_from_the_column_and_through_arithmetic(layer: Layer) -> None:
    names = ["fees", "fee_each", "fee_median", "payments_made", "balance_growth", "fee_p90"]
    found = answered(layer, metrics=names, time=JULY)
    assert [column.unit for column in found.outputs] == ["EUR", "EUR", "EUR", "", "fraction", "EUR"]


def test_a_state_is_not_added_up_over_its_days(layer: Layer) -> None:
    found = resolving(layer, metrics=["fees", "balance_rows"])
    assert isinstance(found, tuple)
    assert [(issue.code, issue.path) for issue in found] == [("unsafe_aggregation", "/metrics/1")]
    assert found[0].next_step == "Count by balance_date with time.grain day, or give a window of one day."


@pytest.mark.parametrize(
    ("plan", "safe"),
    [
        ({"time": {**JULY, "grain": "day"}}, True),
        ({"time": {"from": "2026-07-31", "to": "2026-07-31"}}, True),
        ({"dimensions": ["balance_date"]}, True),
        ({"filters": [{"field": "balance_date", "op": "eq", "values": ["2026-07-31"]}]}, True),
        ({"time": JULY}, False),
        ({"time": {**JULY, "grain": "month"}}, False),
        ({"time": {**JULY, "grain": "day", "field": "booked_on"}}, False),
        ({"filters": [{"field": "balance_date", "op": "le", "values": ["2026-07-31"]}]}, False),
        (
            {
                "time": {"from": "2026-07-31", "to": "2026-07-31"},
                "compare": {"kind": "custom", "from": "2026-06-01", "to": "2026-06-30"},
            },
            False,
        ),
    ],
)
def test_a_state_is_safe_where_each_row_holds_one_day(
    layer: Layer, plan: dict[str, object], safe: bool
) -> None:
    found = resolving(layer, metrics=["balance_rows"], **plan)
    codes = [issue.code for issue in found] if isinstance(found, tuple) else []
    assert codes == ([] if safe else ["unsafe_aggregation"])


def test_the_owner_says_which_grain_is_one_state() -> None:
    monthly = (
        "  - {name: monthly, version: 1, owner: o, description: d, type: sum, dataset: balances,\n"
        "     column: amount, time_field: balance_date, non_additive: [balance_date],\n"
        "     grains: [month, year]}\n"
    )
    layer = ledger(monthly)
    answered(layer, metrics=["monthly"], time={**JULY, "grain": "month"})
    assert refused(layer, metrics=["monthly"], time={**JULY, "grain": "year"}) == [
        ("unsafe_aggregation", "/metrics/0")
    ]


def test_a_state_is_not_accumulated() -> None:
    running = (
        "  - {name: running, version: 1, owner: o, description: d, type: cumulative, metric: balance_rows,\n"
        "     to_date: month}\n"
    )
    asked = {"metrics": ["running"], "time": {**JULY, "grain": "day"}}
    assert refused(ledger(running), **asked) == [("unsafe_aggregation", "/metrics/0")]


def test_two_metrics_that_differ_in_what_is_safe_do_not_share_a_leaf() -> None:
    loose = (
        "  - {name: a_sum, version: 1, owner: o, description: d, type: sum, dataset: balances,\n"
        "     column: amount, time_field: balance_date}\n"
    )
    layer = ledger(loose)
    for names in (["a_sum", "balance_rows"], ["balance_rows", "a_sum"]):
        assert [code for code, _ in refused(layer, metrics=names)] == ["unsafe_aggregation"]


@pytest.mark.parametrize(
    ("metric", "kind", "over"),
    [
        ("fees", "additive", ()),
        ("payments_made", "additive", ()),
        ("fees_left", "additive", ()),
        ("fee_share", "none", ()),
        ("fee_each", "none", ()),
        ("fee_median", "none", ()),
        ("fee_p90", "none", ()),
        ("payers", "none", ()),
        ("fees_28", "none", ()),
        ("fees_growth", "none", ()),
        ("fees_last_month", "none", ()),
        ("conversion_rate", "none", ()),
        ("balance", "semi", ("day",)),
        ("balance_mean", "semi", ("day",)),
        ("balance_rows", "semi", ("day",)),
    ],
)
def test_an_answer_says_what_may_be_added_up(
    layer: Layer, metric: str, kind: str, over: tuple[str, ...]
) -> None:
    time = {**JULY, "grain": "day", **({"field": "any_time"} if metric == "fee_share" else {})}
    column = output(answered(layer, metrics=[metric], time=time), metric)
    assert (column.additivity, column.non_additive) == (kind, over)


def test_columns_that_are_no_figures_are_never_added(layer: Layer) -> None:
    found = answered(layer, metrics=["fees"], dimensions=["fee_amount"], time={**JULY, "grain": "day"})
    assert [column.additivity for column in found.outputs] == ["none", "none", "additive"]


@pytest.mark.parametrize(
    ("metric", "time", "code"),
    [
        ("hit_count", None, "missing_window"),
        ("hits_ever", JULY, "window_too_wide"),
        ("hits_year", JULY, "window_too_wide"),
    ],
)
def test_a_large_dataset_is_not_read_further_than_it_allows(
    layer: Layer, metric: str, time: dict[str, str] | None, code: str
) -> None:
    assert refused(layer, metrics=[metric], time=time) == [(code, "/time")]
    answered(layer, metrics=["hit_count"], time=JULY, compare={"kind": "previous_year"})
