"""Prices out of PostgreSQL's plans: of real ones, and of plan shapes that are rare on a small machine."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.engines.base import Identity
from gateway.engines.postgres_plan import estimate, relations, writes
from gateway.engines.postgres_sizes import Size
from gateway.stages.second_opinion import plain
from tests.gateway.engines.warehouse import ALICE, LIMITS, Warehouse
from tests.servers.postgres import DEFAULT_VERSION, Server
from traces.records import Estimate

pytestmark = pytest.mark.engine("postgres")

ANN = Identity("ann", "analyst")
MB = 1_000_000
T, U = ("public", "t"), ("public", "u")
SIZES = {
    T: Size(bytes=80 * MB, rows=1_000_000, whole=T, leaves=1, secured=False),
    U: Size(bytes=8 * MB, rows=1000, whole=U, leaves=1, secured=False),
}
PARTED = """
CREATE TABLE parted (day date, amount int) PARTITION BY RANGE (day);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
CREATE TABLE parted_3 PARTITION OF parted FOR VALUES FROM ('2026-03-01') TO ('2026-04-01');
INSERT INTO parted SELECT DATE '2026-01-01' + i % 90, i FROM generate_series(0, 8999) AS t(i);
CREATE TABLE fresh AS SELECT i AS a FROM generate_series(1, 5000) AS t(i);
CREATE FUNCTION many() RETURNS SETOF integer LANGUAGE sql AS 'SELECT * FROM generate_series(1, 1000000)';
GRANT SELECT ON parted, fresh TO ann;
ANALYZE parted
"""


@pytest.fixture(scope="module")
def parted(built_servers: Callable[[int], Server]) -> Iterator[Warehouse]:
    """The shop with a table in partitions, one that was never analysed, and a function of many rows."""
    found = Warehouse(built_servers(DEFAULT_VERSION), "shop")
    found.execute(PARTED)
    yield found
    found.close()
    found.execute("DROP TABLE parted, fresh; DROP FUNCTION many")


def node(kind: str, /, *plans: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a plan node with the keys that EXPLAIN always gives."""
    names = ("Outer", "Inner")
    children = [{"Parent Relationship": names[min(at, 1)], **plan} for at, plan in enumerate(plans)]
    numbers = {"Plan Rows": 100, "Plan Width": 8, "Startup Cost": 0.0, "Total Cost": 10.0}
    return {"Node Type": kind, **numbers, **({"Plans": children} if children else {}), **more}


def scan(table: str, scan_kind: str = "Seq Scan", /, **more: Any) -> dict[str, Any]:
    """Return a scan of a table; the names of its keys hold spaces."""
    return node(scan_kind, **{"Relation Name": table, "Schema": "public", **more})


def price(root: dict[str, Any]) -> Estimate:
    return estimate(root, SIZES)


def test_a_scan_counts_the_whole_relation_whatever_its_filter_keeps() -> None:
    found = price(scan("t", **{"Filter": "(a = 1)", "Plan Rows": 1}))
    assert (found.rows, found.bytes, found.scans[0].full) == (1_000_000, 80 * MB, True)
    assert found.bound == "guess"


def test_an_index_counts_what_it_expects_and_never_more_than_the_relation() -> None:
    few = price(scan("t", "Index Scan", **{"Index Cond": "(a = 1)", "Total Cost": 8.0, "Plan Rows": 5}))
    assert (few.rows, few.bytes, few.scans[0].full) == (5, 8 * 8192, False)
    most = price(scan("t", "Index Scan", **{"Index Cond": "(a > 1)", "Total Cost": 1e9}))
    assert most.bytes == 80 * MB
    whole = price(scan("t", "Index Only Scan"))
    assert (whole.bytes, whole.scans[0].full) == (80 * MB, True)


def test_processes_share_a_parallel_scan_and_repeat_one_that_is_not() -> None:
    shared = scan("t", **{"Parallel Aware": True})
    join = node("Hash Join", shared, node("Hash", scan("u")), **{"Plan Rows": 100, "Join Type": "Inner"})
    found = price(node("Gather", join, **{"Workers Planned": 2}))
    assert {s.relation: s.rows for s in found.scans} == {"public.t": 1_000_000, "public.u": 3000}
    assert found.joins[0].rows == 240
    alone = price(node("Gather", scan("t"), **{"Workers Planned": 1, "Single Copy": True}))
    assert alone.rows == 1_000_000
    turns = price(
        node(
            "Gather", node("Append", scan("t"), shared, **{"Parallel Aware": True}), **{"Workers Planned": 2}
        )
    )
    assert turns.rows == 2_000_000


def test_a_loop_repeats_its_inner_scan_unless_it_is_kept() -> None:
    outer = scan("u", **{"Plan Rows": 50})
    bare = price(node("Nested Loop", outer, scan("t"), **{"Join Type": "Inner"}))
    assert bare.rows == 1000 + 50 * 1_000_000
    kept = price(node("Nested Loop", outer, node("Materialize", scan("t")), **{"Join Type": "Inner"}))
    assert kept.rows == 1000 + 1_000_000


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        (scan("u"), "inner nested loop without a key"),
        (node("Materialize", scan("u")), "inner nested loop without a key"),
        (scan("u", "Index Scan", **{"Index Cond": "(u.a = t.a)"}), "inner nested loop"),
        (node("Memoize", scan("u", "Index Scan", **{"Index Cond": "(u.a = t.a)"})), "inner nested loop"),
    ],
)
def test_a_nested_loop_without_a_key_is_named(inner: dict[str, Any], said: str) -> None:
    root = node("Nested Loop", scan("t"), inner, **{"Join Type": "Inner", "Plan Rows": 10**9})
    (join,) = price(root).joins
    assert join.kind == said
    assert (join.rows, join.growth) == (10**9, 10**7)


def test_a_subplan_runs_for_every_row_unless_it_is_hashed() -> None:
    once = {"Parent Relationship": "SubPlan", "Subplan Name": "SubPlan 1"}
    each = node("Seq Scan", **{"Relation Name": "t", "Schema": "public", "Plan Rows": 20})
    each |= {"Filter": "(SubPlan 1)", "Plans": [scan("u", **once)]}
    assert price(each).rows == 1_000_000 + 20 * 1000
    assert price({**each, "Filter": "(ANY (a = (hashed SubPlan 1).col1))"}).rows == 1_000_000 + 1000


def test_a_limit_over_a_bare_scan_reads_its_part_and_one_over_a_filter_may_read_all() -> None:
    part = {"Total Cost": 1000.0}
    bare = price(node("Limit", scan("t", **part), **{"Total Cost": 1.0}))
    assert (bare.rows, bare.scans[0].full) == (1000, False)
    sought = price(node("Limit", scan("t", **part, Filter="(a = 1)"), **{"Total Cost": 1.0}))
    assert (sought.rows, sought.scans[0].full) == (1_000_000, True)
    sorted_ = price(node("Limit", node("Sort", scan("t", **part)), **{"Total Cost": 1.0}))
    assert sorted_.rows == 1_000_000


@pytest.mark.parametrize(
    "strange",
    [
        node("Foreign Scan", **{"Relation Name": "f", "Schema": "public"}),
        node("Custom Scan"),
        node("WorkTable Scan"),
        node("Recursive Union", scan("u"), scan("u")),
        node("Table Function Scan"),
        node("ProjectSet", node("Result")),
        node("Function Scan", **{"Schema": "public", "Function Name": "generate_series"}),
        node("Something New"),
    ],
)
def test_a_node_without_a_known_price_makes_the_bound_unknown(strange: dict[str, Any]) -> None:
    found = price(node("Aggregate", strange))
    assert found.bound == "unknown"
    assert str(strange["Node Type"]) in " ".join(found.notes)


def test_a_relation_that_went_away_has_no_price() -> None:
    found = price(scan("gone"))
    assert (found.bound, found.scans[0].rows) == ("unknown", None)


def test_statements_that_write_or_lock_are_told_from_selects() -> None:
    assert writes(node("Aggregate", node("ModifyTable", scan("t"))))
    assert writes(node("LockRows", scan("t")))
    assert not writes(scan("t"))


_LEAVES = st.sampled_from(["t", "u"]).map(scan)
_TREES = st.recursive(
    _LEAVES,
    lambda below: st.one_of(
        st.builds(lambda a: node("Sort", a), below),
        st.builds(lambda a: node("Gather", a, **{"Workers Planned": 2}), below),
        st.builds(lambda a, b: node("Hash Join", a, node("Hash", b), **{"Join Type": "Left"}), below, below),
        st.builds(lambda a, b: node("Nested Loop", a, b, **{"Join Type": "Inner"}), below, below),
        st.builds(lambda a, b: node("Append", a, b), below, below),
    ),
    max_leaves=8,
)


@given(_TREES)
def test_a_plan_costs_at_least_all_relations_it_reads_once(root: dict[str, Any]) -> None:
    found = price(root)
    read = relations(root)
    assert (found.bytes or 0) >= sum(SIZES[name].bytes for name in read)
    assert (found.rows or 0) >= sum(SIZES[name].rows for name in read)
    assert {scan.relation for scan in found.scans} == {".".join(name) for name in read}
    assert found.bound == "guess"


def test_partitions_are_priced_as_one_table_and_pruned_ones_cost_nothing(parted: Warehouse) -> None:
    engine = parted.engine()
    whole = engine.explain("SELECT sum(amount) FROM parted", ANN, LIMITS)
    (scan_,) = whole.scans
    assert (scan_.relation, scan_.rows, scan_.full) == ("public.parted", 9000, True)
    month = engine.explain("SELECT sum(amount) FROM parted WHERE day >= '2026-03-01'", ANN, LIMITS)
    (pruned,) = month.scans
    assert (pruned.relation, pruned.full) == ("public.parted", False)
    assert 2000 < (pruned.rows or 0) < 4000
    assert (pruned.bytes or 0) < (scan_.bytes or 0) / 2


def test_a_table_that_was_never_analysed_has_bytes_and_about_its_rows(parted: Warehouse) -> None:
    found = parted.engine().explain("SELECT * FROM fresh WHERE a = 7", ANN, LIMITS)
    assert (found.bytes or 0) >= 5000 * 28
    assert 2500 < (found.rows or 0) < 20_000


def test_bytes_of_a_scan_are_the_bytes_that_the_database_reads(warehouse: Warehouse) -> None:
    sql = "SELECT count(*), sum(o.amount) FROM orders o JOIN customers c ON o.customer_id = c.customer_id"
    found = warehouse.engine().explain(sql, ANN, LIMITS)
    ((plan,),) = warehouse.ask(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}")
    touched = sum(plan[0]["Plan"][f"Shared {kind} Blocks"] for kind in ("Hit", "Read")) * 8192
    assert touched <= (found.bytes or 0) <= touched * 1.2 + 100_000


def test_functions_with_unknown_rows_have_no_price_and_series_have_one(parted: Warehouse) -> None:
    engine = parted.engine()
    assert engine.explain("SELECT count(*) FROM many()", ANN, LIMITS).bound == "unknown"
    assert engine.explain("SELECT count(*) FROM generate_series(1, 10)", ANN, LIMITS).bound == "guess"


def test_an_estimate_says_where_it_counts_rows_that_a_policy_hides(warehouse: Warehouse) -> None:
    engine = warehouse.engine()
    assert "row policies" in " ".join(engine.explain("SELECT count(*) FROM sales", ALICE, LIMITS).notes)
    assert not engine.explain("SELECT count(*) FROM events", ANN, LIMITS).notes


def test_no_word_of_the_plan_leaves_with_the_estimate(warehouse: Warehouse) -> None:
    found = warehouse.engine().explain("SELECT count(*) FROM sales WHERE amt > 12345", ALICE, LIMITS)
    for word in ("current_user", "12345", "Filter", "CURRENT_USER"):
        assert word not in found.model_dump_json()
    told = plain(found).model_dump_json()
    assert "rep" not in told and "amt" not in told
