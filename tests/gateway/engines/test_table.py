"""A table of a plan holds what the plan says its columns are, whatever type an engine sent it in."""

from decimal import Decimal

import pytest

from gateway.engines.base import Rows
from gateway.engines.table import table_of
from metric_layer.resolved import ResolvedPlan
from tests.metric_layer.trap_shop import resolved_of, trap_layer
from traces.records import Actual, Value


def rows(*values: tuple[Value, ...]) -> Rows:
    names = ("buyer_region", "units", "gross")
    return Rows(names, ("text", "numeric", "numeric"), values, False, "", Actual(rows=len(values), ms=1.0))


@pytest.fixture
def plan() -> ResolvedPlan:
    return resolved_of({"metrics": ["units", "gross"], "dimensions": ["buyer_region"]}, trap_layer())


def test_a_whole_number_of_a_plan_is_an_int_however_wide_its_engine_sums(plan: ResolvedPlan) -> None:
    sent = rows(("north", Decimal("7"), Decimal("7")), (None, None, None), ("south", 3, Decimal("2.50")))
    found = table_of(sent, plan).rows
    assert [repr(row) for row in found] == [
        "('north', 7, Decimal('7'))",
        "(None, None, None)",
        "('south', 3, Decimal('2.50'))",
    ]
    wide = Decimal(10**30 + 1)
    assert table_of(rows(("north", wide, wide)), plan).rows == (("north", 10**30 + 1, wide),)


@pytest.mark.parametrize("odd", [Decimal("7.5"), 7.0, float("nan")])
def test_what_is_no_whole_number_is_left_as_it_came(odd: Value, plan: ResolvedPlan) -> None:
    assert repr(table_of(rows(("north", odd, None)), plan).rows[0][1]) == repr(odd)


def test_without_a_plan_nothing_is_said_of_types() -> None:
    assert repr(table_of(rows(("north", Decimal("7"), None)), None).rows[0][1]) == "Decimal('7')"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("name", "dept", "name"), ("name_1", "dept", "name_2")),
        (("name", "name", "name_1"), ("name_2", "name_3", "name_1")),
        (("name", "Name", "dept"), ("name", "Name", "dept")),
        (("", "", "x"), ("_1", "_2", "x")),
    ],
)
def test_columns_of_one_name_are_all_kept_and_told_apart(
    names: tuple[str, ...], told: tuple[str, ...]
) -> None:
    sent = Rows(names, ("text",) * 3, (("Ann", 1, "Sales"),), False, "", Actual(rows=1, ms=1.0))
    found = table_of(sent, None)
    assert tuple(column.name for column in found.columns) == told
    assert found.rows == (("Ann", 1, "Sales"),)
