"""Row conservation: one repeated key is seen before an answer leaves; dirt that repeats nothing is not."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.compile import (
    Suspect,
    compile_attestation,
    compile_duplicates,
    compile_guard,
    compile_levels,
    counted_rows,
    suspects,
)
from metric_layer.compile.attest import COUNTS
from metric_layer.definitions import Hierarchy
from metric_layer.layer import Layer
from metric_layer.load import load_text
from metric_layer.resolved import ResolvedPlan
from tests.metric_layer.ledger import ledger
from tests.metric_layer.ledger_tables import LEDGER_TABLES
from tests.metric_layer.test_brute_force import DEFINITIONS, World, database, worlds
from tests.metric_layer.trap_shop import resolved_of, trap_layer, trap_tables

QUARTER = {"from": "2026-07-01", "to": "2026-09-30"}
PLANS: dict[str, dict[str, object]] = {
    "grouped": {"metrics": ["net"], "dimensions": ["buyer_region"]},
    "filtered": {
        "metrics": ["order_count"],
        "filters": [{"field": "buyer_region", "op": "eq", "values": ["north"]}],
    },
    "filtered by what is not there": {
        "metrics": ["order_count"],
        "filters": [{"field": "buyer_region", "op": "ne", "values": ["south"]}],
    },
    "filtered by nothing": {
        "metrics": ["order_count"],
        "filters": [{"field": "buyer_region", "op": "is_null", "values": []}],
    },
    "windowed": {"metrics": ["gross"], "dimensions": ["buyer_region"], "time": QUARTER},
    "below": {
        "metrics": ["shipping"],
        "dimensions": ["buyer_region"],
        "filters": [{"field": "product", "op": "eq", "values": ["lamp"]}],
    },
}
REPEATED = {
    "the same region": "INSERT INTO customers VALUES (1, 'Ines', 'north')",
    "another region": "INSERT INTO customers VALUES (1, 'Ines', 'south')",
    "no region": "INSERT INTO customers VALUES (3, 'Chidi', NULL), (1, 'Ines', NULL)",
}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return trap_layer()


@pytest.fixture
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    with trap_tables() as found:
        yield found


def conserved(plan: ResolvedPlan, layer: Layer, tables: duckdb.DuckDBPyConnection) -> dict[str, bool]:
    """Whether each branch of the guard counts the same rows with and without its joins."""
    guard = compile_guard(plan, layer, "duckdb")
    assert guard is not None
    rows = tables.execute(guard.sql(dialect="duckdb")).fetchall()
    assert [name for name, *_ in rows] == [suspect.branch for suspect in suspects(plan)]
    return {name: joined == own for name, joined, own in rows}


@pytest.mark.parametrize("name", PLANS)
def test_orphans_gaps_and_missing_keys_repeat_nothing(
    name: str, layer: Layer, tables: duckdb.DuckDBPyConnection
) -> None:
    tables.execute("INSERT INTO orders VALUES (108, NULL, NULL, '2026-08-01', 'completed', 1, 1)")
    tables.execute("INSERT INTO customers VALUES (NULL, 'nobody', 'north'), (NULL, 'nobody else', 'west')")
    assert all(conserved(resolved_of(PLANS[name], layer), layer, tables).values())


@pytest.mark.parametrize("repeated", REPEATED)
@pytest.mark.parametrize("name", [name for name in PLANS if name != "filtered by nothing"])
def test_one_repeated_key_is_seen(
    name: str, repeated: str, layer: Layer, tables: duckdb.DuckDBPyConnection
) -> None:
    tables.execute(REPEATED[repeated])
    assert not all(conserved(resolved_of(PLANS[name], layer), layer, tables).values())


def test_a_repeated_key_is_seen_where_no_value_is_asked_for(
    layer: Layer, tables: duckdb.DuckDBPyConnection
) -> None:
    plan = resolved_of(PLANS["filtered by nothing"], layer)
    tables.execute(REPEATED["the same region"])
    assert all(conserved(plan, layer, tables).values())
    tables.execute(REPEATED["no region"])
    assert not all(conserved(plan, layer, tables).values())


def test_a_plan_that_joins_nothing_needs_no_guard(layer: Layer) -> None:
    plan = resolved_of({"metrics": ["shipping"], "filters": PLANS["below"]["filters"]}, layer)
    assert compile_guard(plan, layer, "duckdb") is None
    assert suspects(plan) == ()


def test_the_relationships_of_a_branch_are_named(layer: Layer) -> None:
    plan = resolved_of(
        {"metrics": ["net", "tickets"], "dimensions": ["region"]}, layer, choices={"region": "buyer"}
    )
    assert suspects(plan) == (
        Suspect("gross", ("line_order", "buyer")),
        Suspect("refunds", ("buyer",)),
        Suspect("tickets", ("ticket_customer",)),
    )


def test_plans_that_count_the_same_rows_are_guarded_by_the_same_text(layer: Layer) -> None:
    metrics = (["gross"], ["net"], ["order_count", "gross"], ["shipping"])
    by: tuple[list[str], ...] = ([], ["buyer_region"])
    filters: tuple[object, ...] = (
        [],
        *(PLANS[name]["filters"] for name in ("filtered", "filtered by nothing")),
    )
    windows = (None, QUARTER, {**QUARTER, "from": "2026-07-02"}, {**QUARTER, "grain": "month"})
    limits = (None, 5)
    texts: dict[tuple[str, ...], str] = {}
    seen = 0
    for names, dimensions, tests, window, limit in product(metrics, by, filters, windows, limits):
        raw = {"metrics": names, "dimensions": dimensions, "filters": tests, "time": window, "limit": limit}
        plan = resolved_of({key: value for key, value in raw.items() if value}, layer)
        guard = compile_guard(plan, layer, "duckdb")
        text = guard.sql(dialect="duckdb") if guard is not None else ""
        assert texts.setdefault(counted_rows(plan), text) == text
        seen += 1
    assert len(set(texts.values())) == len(texts) < seen / 2


def test_a_key_repeated_outside_the_window_is_left_alone(
    layer: Layer, tables: duckdb.DuckDBPyConnection
) -> None:
    tables.execute("INSERT INTO customers VALUES (4, 'Dara', 'east')")
    july = {**PLANS["windowed"], "time": {"from": "2026-07-01", "to": "2026-07-31"}}
    assert all(conserved(resolved_of(july, layer), layer, tables).values())
    assert not all(conserved(resolved_of(PLANS["windowed"], layer), layer, tables).values())


def test_rows_that_another_leaf_reads_too_are_counted_once() -> None:
    layer = ledger()
    running = resolved_of(
        {
            "metrics": ["fees_to_date", "fees", "fees_growth", "paid_usd"],
            "dimensions": ["branch"],
            "time": MONTHS,
        },
        layer,
    )
    assert [suspect.branch for suspect in suspects(running)] == ["fees, fees__2, fees__3, paid"]
    apart = resolved_of(
        {
            "metrics": ["fees"],
            "dimensions": ["branch"],
            "time": {"from": "2026-03-01", "to": "2026-03-31"},
            "compare": {"kind": "previous_year"},
        },
        layer,
    )
    assert [suspect.branch for suspect in suspects(apart)] == ["fees", "fees__2"]


MONTHS = {"from": "2026-01-01", "to": "2026-04-30", "grain": "month"}
READINGS: dict[str, dict[str, object]] = {
    name: {"metrics": [name], "dimensions": ["branch"], "time": MONTHS}
    for name in (
        "balance",
        "balance_each",
        "balance_mean",
        "fees_ever",
        "fees_28",
        "fees_growth",
        "fee_median",
    )
}


@pytest.mark.parametrize("name", READINGS)
def test_every_way_to_read_time_is_guarded(name: str) -> None:
    layer = ledger()
    with duckdb.connect() as tables:
        tables.execute(LEDGER_TABLES)
        plan = resolved_of(READINGS[name], layer)
        assert all(conserved(plan, layer, tables).values())
        tables.execute("INSERT INTO accounts VALUES (3, 'west', 'Ulm')")
        assert not any(conserved(plan, layer, tables).values())


def test_a_repeated_key_behind_the_moment_of_each_account_is_seen() -> None:
    layer = ledger()
    with duckdb.connect() as tables:
        tables.execute(LEDGER_TABLES)
        plan = resolved_of({"metrics": ["balance_each"]}, layer)
        assert all(conserved(plan, layer, tables).values())
        tables.execute("INSERT INTO accounts VALUES (3, 'south', NULL)")
        assert not all(conserved(plan, layer, tables).values())


@contextmanager
def dirty(world: World, copies: list[int]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A world in which some shops stand several times."""
    with database(world) as tables:
        for key in copies:
            tables.execute(
                "INSERT INTO shops SELECT shop_id, town_id, 'copy' FROM shops WHERE shop_id = ?", [key]
            )
        yield tables


@settings(max_examples=40, deadline=None)
@given(world=worlds(), copies=st.lists(st.integers(1, 5), max_size=2), tier=st.sampled_from([None, "x"]))
def test_the_guard_fails_exactly_where_a_counted_row_meets_a_copy(
    world: World, copies: list[int], tier: str | None
) -> None:
    layer = load_text(DEFINITIONS)
    raw: dict[str, object] = {"metrics": ["sale_count"], "dimensions": ["tier"]}
    if tier is not None:
        raw["filters"] = [{"field": "tier", "op": "eq", "values": [tier]}]
    plan = resolved_of(raw, layer)
    with dirty(world, copies) as tables:
        rows = tables.execute("SELECT shop_id, tier FROM shops").fetchall()
        found = conserved(plan, layer, tables)["sale_count"]
    met = [[kind for key, kind in rows if key == sale["shop_id"]] for sale in world.sales]
    assert found is not any(len(kinds) > 1 and (tier is None or tier in kinds) for kinds in met)


def attested(name: str, layer: Layer, tables: duckdb.DuckDBPyConnection) -> dict[str, object]:
    """The counts of one relationship."""
    found = tables.execute(compile_attestation(layer, name).sql(dialect="duckdb")).fetchone()
    assert found is not None
    return dict(zip(COUNTS, found, strict=True))


def test_an_attestation_counts_keys_gaps_and_orphans(layer: Layer, tables: duckdb.DuckDBPyConnection) -> None:
    tables.execute("INSERT INTO orders VALUES (108, NULL, NULL, '2026-08-01', 'completed', 1, 1)")
    tables.execute("INSERT INTO customers VALUES (NULL, 'nobody', 'north'), (1, 'Ines', 'north')")
    assert attested("buyer", layer, tables) == {
        "to_rows": 8,
        "to_distinct_keys": 6,
        "to_null_keys": 1,
        "from_rows": 8,
        "from_distinct_keys": None,
        "from_null_keys": 1,
        "orphans": 1,
    }


def test_empty_tables_are_attested_as_empty(layer: Layer, tables: duckdb.DuckDBPyConnection) -> None:
    tables.execute("DELETE FROM orders; DELETE FROM customers")
    assert set(attested("buyer", layer, tables).values()) == {0, None}


def test_the_repeated_keys_are_listed(layer: Layer, tables: duckdb.DuckDBPyConnection) -> None:
    tables.execute("INSERT INTO customers VALUES (3, 'a', 'b'), (1, 'Ines', 'north'), (1, 'x', NULL)")
    found = tables.execute(compile_duplicates(layer, "buyer").sql(dialect="duckdb"))
    assert [column[0] for column in found.description] == ["dataset", "key_customer_id", "row_count"]
    assert found.fetchall() == [("customers", 1, 3), ("customers", 3, 2)]


TWINS = """
datasets:
  - {name: cars, relation: cars, primary_key: [maker, number], columns: [{name: maker, type: string},
     {name: number, type: integer}]}
  - {name: plates, relation: plates, primary_key: [car_maker, car_number], columns: [{name: car_maker,
     type: string}, {name: car_number, type: integer}, {name: plate, type: string}]}
relationships:
  - {name: plate_car, from_dataset: plates, to_dataset: cars, from_columns: [car_maker, car_number],
     to_columns: [maker, number], cardinality: one_to_one}
"""


def test_both_sides_of_a_one_to_one_relationship_are_attested() -> None:
    layer = load_text(TWINS)
    with duckdb.connect() as tables:
        tables.execute(
            """CREATE TABLE cars AS SELECT * FROM (VALUES ('a', 1), ('a', 2), ('b', 1), ('b', NULL))
                 t(maker, number);
               CREATE TABLE plates AS SELECT * FROM (VALUES ('a', 1, 'x'), ('a', 1, 'y'), ('c', 1, 'z'))
                 t(car_maker, car_number, plate)"""
        )
        found = attested("plate_car", layer, tables)
        listed = tables.execute(compile_duplicates(layer, "plate_car").sql(dialect="duckdb")).fetchall()
    assert found == dict(zip(COUNTS, (4, 3, 1, 3, 2, 0, 1), strict=True))
    assert listed == [("plates", "a", 1, 2)]


def test_a_value_in_two_values_above_it_is_counted() -> None:
    layer = ledger()
    places = Hierarchy(name="places", levels=("branch", "city"))
    statement = compile_levels(layer, places).sql(dialect="duckdb")
    with duckdb.connect() as tables:
        tables.execute(LEDGER_TABLES)
        assert tables.execute(statement).fetchall() == [("city", 0)]
        tables.execute(
            "INSERT INTO accounts VALUES (5, 'south', 'Kiel'), (6, 'south', NULL), (7, 'north', NULL)"
        )
        assert tables.execute(statement).fetchall() == [("city", 1)]
