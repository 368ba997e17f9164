"""Random snowflakes with NULLs, orphans and empty parents: compiled SQL counts as plain Python does."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.trap_shop import rows_of

DEFINITIONS = """
datasets:
  - name: sales
    relation: sales
    primary_key: [sale_id]
    columns:
      - {name: sale_id, type: integer}
      - {name: shop_id, type: integer}
      - {name: amount, type: decimal}
      - {name: pieces, type: integer}
  - name: visits
    relation: visits
    primary_key: [visit_id]
    columns: [{name: visit_id, type: integer}, {name: shop_id, type: integer}, {name: people, type: integer}]
  - name: shops
    relation: shops
    primary_key: [shop_id]
    columns: [{name: shop_id, type: integer}, {name: town_id, type: integer}, {name: tier, type: string}]
  - name: towns
    relation: towns
    primary_key: [town_id]
    columns: [{name: town_id, type: integer}, {name: town, type: string}]
relationships:
  - {name: sale_shop, from_dataset: sales, to_dataset: shops, from_columns: [shop_id], to_columns: [shop_id]}
  - {name: visit_shop, from_dataset: visits, to_dataset: shops, from_columns: [shop_id],
     to_columns: [shop_id]}
  - {name: shop_town, from_dataset: shops, to_dataset: towns, from_columns: [town_id], to_columns: [town_id]}
dimensions:
  - {name: tier, dataset: shops, column: tier}
  - {name: town, dataset: towns, column: town}
  - {name: pieces, dataset: sales, column: pieces}
metrics:
  - {name: revenue, version: 1, owner: o, description: d, type: sum, dataset: sales, column: amount}
  - {name: sale_count, version: 1, owner: o, description: d, type: count, dataset: sales}
  - {name: sale_kinds, version: 1, owner: o, description: d, type: count_distinct, dataset: sales,
     column: pieces}
  - {name: dearest, version: 1, owner: o, description: d, type: max, dataset: sales, column: amount}
  - {name: people, version: 1, owner: o, description: d, type: sum, dataset: visits, column: people}
  - {name: shop_count, version: 1, owner: o, description: d, type: count, dataset: shops}
  - {name: doubled, version: 1, owner: o, description: d, type: derived, expression: revenue - 2 * people}
"""

Row = dict[str, object]
Group = tuple[object, ...]


@dataclass(frozen=True)
class World:
    sales: list[Row]
    visits: list[Row]
    shops: list[Row]
    towns: list[Row]


KEYS = st.one_of(st.none(), st.integers(1, 6))
AMOUNTS = st.one_of(st.none(), st.decimals(-99, 99, places=2))
COUNTS = st.one_of(st.none(), st.integers(0, 3))


@st.composite
def worlds(draw: st.DrawFn) -> World:
    towns: list[Row] = [
        {"town_id": key, "town": draw(st.sampled_from(["a", "b", None]))}
        for key in draw(st.sets(st.integers(1, 4)))
    ]
    shops: list[Row] = [
        {"shop_id": key, "town_id": draw(KEYS), "tier": draw(st.sampled_from(["x", "y", None]))}
        for key in draw(st.sets(st.integers(1, 5)))
    ]
    sales: list[Row] = [
        {"sale_id": n, "shop_id": draw(KEYS), "amount": draw(AMOUNTS), "pieces": draw(COUNTS)}
        for n in range(draw(st.integers(0, 8)))
    ]
    visits: list[Row] = [
        {"visit_id": n, "shop_id": draw(KEYS), "people": draw(COUNTS)} for n in range(draw(st.integers(0, 6)))
    ]
    return World(sales, visits, shops, towns)


def database(world: World) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        """CREATE TABLE sales (sale_id INTEGER, shop_id INTEGER, amount DECIMAL(10, 2), pieces INTEGER);
           CREATE TABLE visits (visit_id INTEGER, shop_id INTEGER, people INTEGER);
           CREATE TABLE shops (shop_id INTEGER, town_id INTEGER, tier VARCHAR);
           CREATE TABLE towns (town_id INTEGER, town VARCHAR)"""
    )
    for name in ("sales", "visits", "shops", "towns"):
        for row in getattr(world, name):
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO {name} VALUES ({marks})", list(row.values()))
    return connection


def seen_from(row: Row, world: World) -> Row:
    """A row with what it meets over its keys; nothing where a key is missing or leads nowhere."""
    shop = next((s for s in world.shops if s["shop_id"] == row["shop_id"]), {}) if row["shop_id"] else {}
    key = shop.get("town_id")
    town = next((t for t in world.towns if t["town_id"] == key), {}) if key else {}
    return {"tier": None, "town": None, **shop, **town, **row}


def total(values: Iterable[object]) -> object:
    known = [value for value in values if value is not None]
    return sum(known) if known else None  # type: ignore[arg-type]


def largest(values: Iterable[object]) -> object:
    return max((value for value in values if value is not None), default=None)  # type: ignore[type-var]


def distinct(values: Iterable[object]) -> object:
    return len({value for value in values if value is not None})


LEAVES: dict[str, tuple[str, Callable[[list[Row]], object]]] = {
    "revenue": ("sales", lambda rows: total(row["amount"] for row in rows)),
    "sale_count": ("sales", len),
    "sale_kinds": ("sales", lambda rows: distinct(row["pieces"] for row in rows)),
    "dearest": ("sales", lambda rows: largest(row["amount"] for row in rows)),
    "people": ("visits", lambda rows: total(row["people"] for row in rows)),
    "shop_count": ("shops", len),
}


def counted(world: World, metrics: list[str], dimensions: list[str], town: str | None) -> dict[Group, Group]:
    leaves = [
        name for metric in metrics for name in (["revenue", "people"] if metric == "doubled" else [metric])
    ]
    found: dict[Group, dict[str, object]] = {} if dimensions else {(): {}}
    for leaf in dict.fromkeys(leaves):
        dataset, aggregate = LEAVES[leaf]
        rows = [seen_from(row, world) for row in getattr(world, dataset)]
        kept = [row for row in rows if town is None or row["town"] == town]
        groups: dict[Group, list[Row]] = {} if dimensions else {(): []}
        for row in kept:
            groups.setdefault(tuple(row[name] for name in dimensions), []).append(row)
        for group, members in groups.items():
            found.setdefault(group, {})[leaf] = aggregate(members)
    return {group: tuple(value_of(metric, values) for metric in metrics) for group, values in found.items()}


def value_of(metric: str, values: dict[str, object]) -> object:
    if metric != "doubled":
        return values.get(metric)
    revenue, people = values.get("revenue"), values.get("people")
    if not isinstance(revenue, Decimal) or not isinstance(people, int):
        return None
    return revenue - 2 * people


@pytest.fixture(scope="module")
def layer() -> Layer:
    return load_text(DEFINITIONS)


@settings(max_examples=60, deadline=None)
@given(
    world=worlds(),
    metrics=st.lists(st.sampled_from([*LEAVES, "doubled"]), min_size=1, max_size=4, unique=True),
    dimensions=st.lists(st.sampled_from(["tier", "town"]), max_size=2, unique=True),
    town=st.sampled_from([None, "a"]),
)
def test_random_snowflakes_count_as_plain_python_does(
    layer: Layer, world: World, metrics: list[str], dimensions: list[str], town: str | None
) -> None:
    plan: dict[str, object] = {"metrics": metrics, "dimensions": dimensions}
    if town is not None:
        plan["filters"] = [{"field": "town", "op": "eq", "values": [town]}]
    with database(world) as tables:
        rows = rows_of(plan, layer, tables)
    size = len(dimensions)
    assert len({row[:size] for row in rows}) == len(rows)
    assert {row[:size]: row[size:] for row in rows} == counted(world, metrics, dimensions, town)


@settings(max_examples=40, deadline=None)
@given(world=worlds(), pieces=st.lists(st.integers(0, 3), min_size=1, max_size=2, unique=True))
def test_a_filter_on_rows_below_never_counts_a_row_twice(
    layer: Layer, world: World, pieces: list[int]
) -> None:
    plan = {"metrics": ["shop_count"], "filters": [{"field": "pieces", "op": "in", "values": pieces}]}
    with database(world) as tables:
        rows = rows_of(plan, layer, tables)
    selling = {row["shop_id"] for row in world.sales if row["pieces"] in pieces}
    assert rows == [(sum(shop["shop_id"] in selling for shop in world.shops),)]
