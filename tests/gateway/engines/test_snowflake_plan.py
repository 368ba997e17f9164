"""EXPLAIN USING JSON -> an estimate, from plans in the shape that Snowflake's documentation shows."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.engines.base import EngineError
from gateway.engines.snowflake_plan import UNSEEN, estimate, operations_of, relations


def _scan(number: int, parent: int, name: str, total: int, left: int, size: int) -> dict[str, Any]:
    return {
        "id": number,
        "parentOperators": [parent],
        "operation": "TableScan",
        "objects": [f"SHOP.PUBLIC.{name}"],
        "partitionsTotal": total,
        "partitionsAssigned": left,
        "bytesAssigned": size,
    }


def _step(number: int, parent: int, operation: str) -> dict[str, Any]:
    return {"id": number, "parentOperators": [parent], "operation": operation}


def _plan(*operations: dict[str, Any]) -> str:
    head = {"id": 0, "operation": "Result", "expressions": ["A.ID"]}
    return json.dumps({"GlobalStats": {}, "Operations": [[head, *operations]]})


def test_bytes_and_partitions_that_are_left_are_an_upper_bound() -> None:
    operations = operations_of(_plan(_scan(1, 0, "ORDERS", 10, 4, 4_000)))
    found = estimate(operations, {"SHOP.PUBLIC.ORDERS": 1_001})
    assert (found.bytes, found.rows, found.bound) == (4_000, 401, "upper")
    assert found.scans[0].relation == "shop.public.orders"
    assert not found.scans[0].full
    assert found.notes
    assert relations(operations) == ("SHOP.PUBLIC.ORDERS",)


def test_a_table_that_is_read_whole_is_said_to_be() -> None:
    found = estimate(operations_of(_plan(_scan(1, 0, "ORDERS", 3, 3, 30))), {"SHOP.PUBLIC.ORDERS": 90})
    assert found.scans[0].full
    assert found.rows == 90


def test_rows_that_nobody_counted_are_unknown_and_bytes_are_not() -> None:
    found = estimate(operations_of(_plan(_scan(1, 0, "REVIEWED", 3, 3, 30))), {})
    assert (found.rows, found.bytes, found.bound) == (None, 30, "upper")


def test_a_join_without_a_key_grows_by_its_smaller_side() -> None:
    plan = _plan(_step(1, 0, "CartesianJoin"), _scan(2, 1, "A", 1, 1, 1), _scan(3, 1, "B", 1, 1, 1))
    (join,) = estimate(operations_of(plan), {"SHOP.PUBLIC.A": 1_000, "SHOP.PUBLIC.B": 50}).joins
    assert (join.rows, join.growth) == (50_000, 50.0)


def test_joins_without_a_key_multiply() -> None:
    plan = _plan(
        _step(1, 0, "CartesianJoin"),
        _step(2, 1, "CartesianJoin"),
        _scan(3, 2, "A", 1, 1, 1),
        _scan(4, 2, "A", 1, 1, 1),
        _scan(5, 1, "A", 1, 1, 1),
    )
    joins = estimate(operations_of(plan), {"SHOP.PUBLIC.A": 100}).joins
    assert sorted(join.rows for join in joins) == [10_000, 1_000_000]


def test_a_join_on_a_key_is_said_to_grow_by_nobody_knows_what() -> None:
    plan = _plan(_step(1, 0, "InnerJoin"), _scan(2, 1, "A", 1, 1, 1), _scan(3, 1, "B", 1, 1, 1))
    found = estimate(operations_of(plan), {"SHOP.PUBLIC.A": 10, "SHOP.PUBLIC.B": 10})
    assert not found.joins
    assert UNSEEN in found.notes


@pytest.mark.parametrize(
    "operation", ["ExternalScan", "ExternalFunction", "Generator", "SomethingNew", "Flatten"]
)
def test_what_has_no_known_price_makes_the_bound_unknown(operation: str) -> None:
    found = estimate(operations_of(_plan(_step(1, 0, operation))), {})
    assert found.bound == "unknown"
    assert any(operation in note for note in found.notes)


def test_a_scan_without_a_figure_makes_the_bound_unknown() -> None:
    scan = _scan(1, 0, "ORDERS", 1, 1, 1)
    del scan["bytesAssigned"]
    assert estimate(operations_of(_plan(scan)), {}).bound == "unknown"


@pytest.mark.parametrize(
    "operation", ["Insert", "Delete", "Update", "Merge", "CreateTableAsSelect", "Unload"]
)
def test_a_plan_of_a_write_is_refused(operation: str) -> None:
    with pytest.raises(EngineError) as caught:
        operations_of(_plan(_step(1, 0, operation)))
    assert caught.value.code == "not_one_select"


def test_a_plan_without_operations_is_refused() -> None:
    with pytest.raises(EngineError):
        operations_of('{"GlobalStats": {}, "Operations": []}')


@given(
    scans=st.lists(
        st.tuples(st.integers(1, 1000), st.integers(0, 1000), st.integers(0, 10**12)), min_size=1, max_size=6
    ),
    counted=st.integers(0, 10**9),
)
def test_no_figure_is_ever_below_what_the_plan_says(scans: list[tuple[int, int, int]], counted: int) -> None:
    given_ = [
        _scan(n + 1, 0, f"T{n}", total, min(left, total), size) for n, (total, left, size) in enumerate(scans)
    ]
    rows = {f"SHOP.PUBLIC.T{n}": counted for n in range(len(scans))}
    found = estimate(operations_of(_plan(*given_)), rows)
    assert found.bytes == sum(size for _, _, size in scans)
    assert found.rows is not None
    assert 0 <= found.rows <= counted * len(scans)
    assert found.bound == "upper"
