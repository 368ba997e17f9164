"""dbt's filters: what can be said as filters of a definition is, and everything else is refused."""

import pytest

from metric_layer.interchange.dbt_filters import MAX_CALL
from tests.metric_layer.interchange.imports import dbt, imported, simple

STATUS = "{{ Dimension('order__order_status') }}"
GIFT = "{{Dimension( 'order__is_gift' )}}"
TIME = "{{ TimeDimension('order__ordered_on', 'day') }}"
METRIC_TIME = "{{ TimeDimension('metric_time', 'DAY') }}"


def filters(where: object) -> object:
    found = imported("dbt", dbt(simple("m", filter=where)))
    assert found.report.ok, found.report.lines
    return found.metric("m").get("filters")


def only(field: str, op: str, *values: object) -> object:
    said = {"field": field, "op": op}
    return (said | {"values": values},) if values else (said,)


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        (f"{STATUS} = 'done'", only("order_status", "eq", "done")),
        (f"'done' = {STATUS}", only("order_status", "eq", "done")),
        (f"{STATUS} in ('a', 'b')", only("order_status", "in", "a", "b")),
        (f"{STATUS} = 'a' OR {STATUS} = 'b'", only("order_status", "in", "a", "b")),
        (f"{STATUS} is null", only("order_status", "is_null")),
        (f"{STATUS} IS NOT NULL", only("order_status", "not_null")),
        (GIFT, only("is_gift", "eq", True)),
        (f"NOT {GIFT}", only("is_gift", "eq", False)),
        (f"{GIFT} IS TRUE", only("is_gift", "eq", True)),
        (f"{TIME} >= '2026-01-01'", only("ordered_on", "ge", "2026-01-01")),
        (f"{METRIC_TIME} < '2026-01-01'", only("ordered_on", "lt", "2026-01-01")),
        (
            f"{TIME} BETWEEN '2026-01-01' AND '2026-02-01'",
            only("ordered_on", "between", "2026-01-01", "2026-02-01"),
        ),
        (
            "{{ Dimension('order__ordered_on').grain('day') }} > '2026-01-01'",
            only("ordered_on", "gt", "2026-01-01"),
        ),
        ("{{ Dimension('region', entity_path=['customer']) }} = 'x'", only("region", "eq", "x")),
        ("{{ Dimension('customer__region') }} = 'it''s'", only("region", "eq", "it's")),
        ("{{ Entity('customer') }} = 'c1'", only("orders_customer", "eq", "c1")),
    ],
)
def test_a_plain_condition_is_kept(where: str, kept: object) -> None:
    assert filters(where) == kept


@pytest.mark.parametrize(
    ("granularity", "where", "kept"),
    [
        ("hour", "{{ TimeDimension('order__ordered_on', 'hour') }} >= '2026-01-01'", True),
        ("hour", "{{ TimeDimension('order__ordered_on') }} < '2026-01-01'", True),
        ("hour", "{{ TimeDimension('order__ordered_on', 'day') }} > '2026-01-01'", True),
        ("hour", "{{ TimeDimension('order__ordered_on') }} IS NOT NULL", True),
        ("hour", "{{ TimeDimension('order__ordered_on') }} > '2026-01-01'", False),
        ("hour", "{{ TimeDimension('order__ordered_on') }} >= '2026-01-01 05:30:00'", False),
        ("month", "{{ TimeDimension('order__ordered_on') }} = '2026-01-01'", False),
        ("month", "{{ TimeDimension('order__ordered_on', 'day') }} = '2026-01-01'", True),
        ("day", "{{ TimeDimension('order__ordered_on', 'month') }} >= '2026-01-15'", False),
        ("day", "{{ TimeDimension('order__ordered_on') }} = 20260101", False),
    ],
)
def test_times_are_compared_by_whole_days_or_not_at_all(granularity: str, where: str, kept: bool) -> None:
    time = {"name": "ordered_on", "type": "time", "type_params": {"time_granularity": granularity}}
    found = imported("dbt", dbt(simple("m", filter=where), orders={"dimensions": [time]}))
    assert bool(found.document.metrics) == kept


def test_sql_that_leaves_empty_values_out_says_so_here() -> None:
    expected = (
        {"field": "order_status", "op": "not_null"},
        {"field": "order_status", "op": "not_in", "values": ("a", "b")},
    )
    assert filters(f"{STATUS} NOT IN ('a', 'b')") == expected


@pytest.mark.parametrize(
    "where",
    [
        f"{STATUS} = 'a'",
        [f"{STATUS} = 'a'"],
        {"where_sql_template": f"{STATUS} = 'a'"},
        {"where_filters": [{"where_sql_template": f"{STATUS} = 'a'"}]},
        [{"where_sql_template": f"{STATUS} = 'a'"}],
    ],
)
def test_every_form_in_which_a_filter_is_written_is_read(where: object) -> None:
    assert filters(where) == only("order_status", "eq", "a")


@pytest.mark.parametrize(
    "where",
    [
        f"{STATUS} = 'a' OR {GIFT}",
        f"{STATUS} LIKE 'a%'",
        f"{STATUS} = {STATUS}",
        f"LOWER({STATUS}) = 'a'",
        f"{STATUS} = (SELECT 1)",
        f"{STATUS} IN (SELECT x FROM y)",
        f"{STATUS} = 'a' OR NOT {STATUS} = 'b'",
        f"{GIFT} IS NOT TRUE",
        f"NOT {STATUS} < 'b'",
        "order_status = 'a'",
        "1 = 1",
        "'{{ Dimension('order__order_status') }}' = 'a'",
        "{{ Metric('m', group_by=['customer']) }} > 3",
        "{{ Dimension('order__order_status', 7) }} = 'a'",
        "{{ Dimension(name) }} = 'a'",
        "{{ __import__('os').system('id') }} = 'a'",
        "{{ TimeDimension('order__ordered_on', 'month') }} = '2026-01-01'",
        "{{ Dimension('planet__name') }} = 'a'",
        "{{ Dimension('order__size') }} = 'a'",
        "{% if x %} 1 {% endif %}",
        f"{STATUS} = ",
        "{{ " + "(" * 250 + " }} = 1",
        "{{ " + "x" * MAX_CALL + " }} = 1",
        f"{'(' * 200}{STATUS} = 'a'{')' * 200}",
        "NOT " * 500 + GIFT,
        f"{STATUS} = 'a' AND " * 400 + GIFT,
    ],
    ids=range(26),
)
def test_anything_else_refuses_the_metric_and_nothing_is_kept_of_it(where: str) -> None:
    found = imported("dbt", dbt(simple("m", filter=where)))
    assert found.document.metrics == ()
    assert set(found.codes("error")) <= {"sql_not_read", "dbt_unresolved"}
    assert found.codes("error")
