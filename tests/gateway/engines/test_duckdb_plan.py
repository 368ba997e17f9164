"""From an EXPLAIN tree and the storage of tables to an estimate, without a database."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.engines.duckdb_plan import Bounds, bounds_of, estimate, rows_out
from gateway.engines.duckdb_storage import TableStorage, arrange

BLOCK = 1000
DAY_ONE = date(2024, 1, 1)
GROUPS = 10
GROUP_ROWS = 100


def _storage() -> TableStorage:
    """Ten row groups of a hundred rows, one group per day; `day` shares a block, `text` has one per group."""
    segments: list[Any] = []
    for group in range(GROUPS):
        day = DAY_ONE + timedelta(days=group)
        segments += [
            (group, "day", "DATE", 0, GROUP_ROWS, 1, [], {"min": day, "max": day}),
            (group, "day", "VALIDITY", 0, GROUP_ROWS, -1, [], {}),
            (group, "text", "VARCHAR", 0, 60, 10 + group, [], {"min": "a", "max": "b"}),
            (group, "text", "VARCHAR", 60, 40, 10 + group, [30 + group], {"min": "a", "max": "b"}),
            (group, "late", "TIMESTAMP", 0, GROUP_ROWS, 2, [], {"has_null": True}),
        ]
    return arrange(segments, block_size=BLOCK)


def _node(name: str, *children: dict[str, Any], **info: object) -> dict[str, Any]:
    return {"name": name, "children": list(children), "extra_info": info}


def _scan(filters: object = None, projections: object = "day", rows: int = 1000) -> dict[str, Any]:
    info: dict[str, object] = {"Table": "src.main.t", "Projections": projections}
    if filters is not None:
        info["Filters"] = filters
    info["Estimated Cardinality"] = str(rows)
    return _node("SEQ_SCAN", **info)


def _price(*filters: str, projections: object = "day") -> tuple[int | None, int | None, bool]:
    texts = filters[0] if len(filters) == 1 else list(filters) or None
    scan = estimate([_scan(texts, projections)], lambda _: _storage()).scans[0]
    return scan.rows, scan.bytes, scan.full


def test_a_scan_without_a_filter_reads_every_row_of_the_columns_it_projects() -> None:
    assert _price() == (1000, BLOCK, True)
    assert _price(projections=["day", "text"]) == (1000, BLOCK * 21, True)
    assert _price(projections="") == (1000, 0, True)


def test_a_range_of_time_leaves_out_the_groups_that_cannot_match() -> None:
    assert _price("(day = '2024-01-03'::DATE)") == (100, BLOCK, False)
    assert _price("((day >= '2024-01-03'::DATE) AND (day < '2024-01-05'::DATE))")[0] == 300
    assert _price("(day >= '2024-01-03'::DATE)", "(day <= '2024-01-04'::DATE)")[0] == 200
    assert _price("optional: (day > '2024-01-09'::DATE)")[0] == 200
    assert _price("(day >= '2025-01-01'::DATE)") == (0, 0, False)


def test_a_column_that_only_filters_is_read_too() -> None:
    assert _price("(text = 'a')", projections="day") == (1000, BLOCK * 21, True)


@pytest.mark.parametrize(
    "text",
    [
        "((day >= '2024-01-09'::DATE) OR (text = 'a'))",
        "(text = '(day >= ''2024-01-09''::DATE)')",
        "(CAST(day AS VARCHAR) >= '2024-01-09')",
        "(other >= '2024-01-09'::DATE)",
        "(day >= 'infinity'::DATE)",
        "(day >= '20240-01-09'::DATE)",
        "optional: Dynamic Filter (day)",
        "(late >= '2030-01-01 00:00:00'::TIMESTAMP)",
        "(day IS NOT NULL)",
        "(day != '2024-01-09'::DATE)",
    ],
)
def test_a_filter_that_is_not_understood_makes_the_estimate_no_smaller(text: str) -> None:
    assert _price(text)[0] == 1000
    assert _price(text)[2]


def test_no_known_range_of_a_group_keeps_the_group() -> None:
    assert Bounds(low=datetime(2024, 1, 1)).meets(None)


@given(
    days=st.lists(st.integers(-3, GROUPS + 3), min_size=1, max_size=4),
    operators=st.lists(st.sampled_from(["<", "<=", ">", ">=", "="]), min_size=4, max_size=4),
    together=st.booleans(),
)
def test_rows_that_match_are_always_counted(days: list[int], operators: list[str], together: bool) -> None:
    atoms = [
        (operator, DAY_ONE + timedelta(days=offset))
        for offset, operator in zip(days, operators, strict=False)
    ]
    texts = [f"(day {operator} '{day}'::DATE)" for operator, day in atoms]
    if together and len(texts) > 1:
        texts = ["(" + " AND ".join(texts) + ")"]
    rows, _, full = _price(*texts)
    holds = {
        "<": date.__lt__,
        "<=": date.__le__,
        ">": date.__gt__,
        ">=": date.__ge__,
        "=": date.__eq__,
    }
    matching = sum(
        GROUP_ROWS
        for group in range(GROUPS)
        if all(holds[operator](DAY_ONE + timedelta(days=group), day) for operator, day in atoms)
    )
    assert rows is not None
    assert matching <= rows <= 1000
    assert not full


def test_a_quoted_column_name_is_found_as_explain_writes_it() -> None:
    assert bounds_of(["(a\"b c >= '2024-01-01'::DATE)"], ['a"b c']) == {
        'a"b c': Bounds(low=datetime(2024, 1, 1))
    }


def test_a_time_with_a_zone_is_compared_in_utc() -> None:
    text = "(at >= '2024-01-01 23:00:00+02'::TIMESTAMP WITH TIME ZONE)"
    assert bounds_of([text], ["at"])["at"].low == datetime(2024, 1, 1, 21)


def test_a_cross_product_multiplies_and_growth_is_against_the_larger_side() -> None:
    cross = _node("CROSS_PRODUCT", _scan(rows=1000), _scan(rows=50))
    priced = estimate([_node("PROJECTION", cross)], lambda _: _storage())
    assert priced.joins[0].rows == 50_000
    assert priced.joins[0].growth == 50
    assert priced.joins[0].kind == "cross product"
    assert priced.bytes == 2 * BLOCK
    assert priced.rows == 2000


def test_a_join_along_a_key_does_not_grow() -> None:
    info = {"Join Type": "INNER", "Conditions": "a = b", "Estimated Cardinality": "1000"}
    priced = estimate([_node("HASH_JOIN", _scan(), _scan(rows=50), **info)], lambda _: _storage())
    assert (priced.joins[0].kind, priced.joins[0].growth) == ("inner hash join", 1)


@pytest.mark.parametrize(
    ("node", "rows"),
    [
        (_node("STREAMING_LIMIT", _scan(), Limit="5", **{"Estimated Cardinality": "0"}), 5),
        (_node("UNION", _scan(rows=3), _scan(rows=4)), 7),
        (_node("EMPTY_RESULT"), 0),
        (_node("DUMMY_SCAN"), 1),
        (_node("FILTER", _scan(), **{"Estimated Cardinality": "200"}), 200),
        (_node("PROJECTION", _scan(rows=8)), 8),
    ],
)
def test_rows_out_follow_the_node(node: dict[str, Any], rows: int) -> None:
    assert rows_out(node) == rows


def test_an_unknown_node_makes_the_bound_unknown_and_is_named() -> None:
    priced = estimate([_node("REC_CTE", _scan())], lambda _: _storage())
    assert priced.bound == "unknown"
    assert priced.notes == ("REC_CTE has no known price",)


def test_a_table_that_is_not_checkpointed_costs_a_block_per_segment() -> None:
    segments: list[Any] = [(0, "a", "INTEGER", start, 10, None, None, {}) for start in (0, 10, 20)]
    storage = arrange(segments, block_size=BLOCK)
    assert storage.rows == (30,)
    assert storage.bytes_of(["a"], [0]) == 3 * BLOCK


def _grouped(rows: int) -> dict[str, Any]:
    node = _node("HASH_GROUP_BY", **{"Groups": ["#0", "#1"], "Estimated Cardinality": str(rows)})
    return _node("PROJECTION", node)


def _stitched(conditions: object) -> dict[str, Any]:
    info = {"Join Type": "INNER", "Conditions": conditions, "Estimated Cardinality": "45000000000"}
    return _node("HASH_JOIN", _grouped(600_000), _grouped(300_000), **info)


def test_aggregates_put_side_by_side_on_all_their_groups_multiply_nothing() -> None:
    join = _stitched(["#0 IS NOT DISTINCT FROM #0", "#1 IS NOT DISTINCT FROM #1"])
    (found,) = estimate([join], lambda _: _storage()).joins
    assert (found.rows, found.growth) == (600_000, 1.0)


def test_a_join_on_fewer_columns_than_the_groups_still_shows_its_growth() -> None:
    (found,) = estimate([_stitched("#0 IS NOT DISTINCT FROM #0")], lambda _: _storage()).joins
    assert found.growth == 75_000.0
