"""What the trap suite and the brute force prove on DuckDB holds on a real PostgreSQL, row for row."""

from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.both_engines import BothEngines, both_engines
from tests.metric_layer.compile.test_statement import STAFF
from tests.metric_layer.test_brute_force import DEFINITIONS, LEAVES, World, counted, worlds
from tests.metric_layer.test_traps import RIGHT
from tests.metric_layer.trap_shop import TABLES, issues_of, trap_layer
from tests.servers.postgres import Server

CHOICES = {"region": "buyer", "customer_name": "buyer"}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return trap_layer()


@pytest.fixture(scope="module")
def shop(both: BothEngines) -> BothEngines:
    both.execute(TABLES)
    return both


@pytest.mark.parametrize("name", RIGHT)
def test_a_trap_question_has_one_answer_on_both_engines(name: str, layer: Layer, shop: BothEngines) -> None:
    plan, choices, truth = RIGHT[name]
    got = shop.rows(plan, layer, choices)
    assert sorted(got, key=repr) == sorted(shop.duckdb.execute(truth).fetchall(), key=repr)


def test_a_difference_between_the_engines_is_noticed(layer: Layer, postgres_server: Server) -> None:
    with both_engines(postgres_server) as engines:
        engines.execute(TABLES)
        engines.postgres.execute("UPDATE orders SET shipping_fee = 5.01 WHERE order_id = 101")
        with pytest.raises(AssertionError, match="is not"):
            engines.rows({"metrics": ["shipping"]}, layer)
        engines.postgres.execute("DELETE FROM customers WHERE region = 'north'")
        with pytest.raises(AssertionError, match="SELECT"):
            engines.rows({"metrics": ["order_count"], "dimensions": ["buyer_region"]}, layer)


@pytest.mark.parametrize("version", [15, 18])
def test_other_versions_answer_every_trap_question_alike(
    version: int, layer: Layer, postgres_servers: Callable[[int], Server]
) -> None:
    with both_engines(postgres_servers(version)) as engines:
        engines.execute(TABLES)
        for plan, choices, truth in RIGHT.values():
            got = engines.rows(plan, layer, choices)
            assert len(got) == len(engines.duckdb.execute(truth).fetchall())


def test_every_option_of_an_ambiguous_path_has_one_answer_on_both_engines(
    layer: Layer, shop: BothEngines
) -> None:
    plan: dict[str, object] = {"metrics": ["order_count"], "dimensions": ["region"]}
    issue = issues_of(plan, layer)[0]
    settled = [shop.rows(plan, layer, {issue.term: option.name}) for option in issue.options]
    assert settled == [
        [("north", 3), ("south", 2), (None, 2)],
        [("north", 4), ("south", 2), (None, 1)],
    ]


@pytest.mark.parametrize(
    ("first", "last", "count"), [("2026-07-01", "2026-07-31", 2), ("2026-08-01", "2026-08-01", 1)]
)
def test_the_last_moment_of_the_last_day_is_inside_the_window(
    first: str, last: str, count: int, layer: Layer, shop: BothEngines
) -> None:
    plan = {"metrics": ["tickets"], "time": {"from": first, "to": last}}
    assert shop.rows(plan, layer) == [(count,)]


@pytest.mark.parametrize(
    "grain", ["day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"]
)
@pytest.mark.parametrize("clock", ["order_date", "event_time"])
def test_every_grain_buckets_two_facts_alike(grain: str, clock: str, layer: Layer, shop: BothEngines) -> None:
    metrics = ["order_count", "gross"] if clock == "order_date" else ["order_count", "tickets", "net"]
    window = {"field": clock, "from": "2026-07-01", "to": "2026-09-30", "grain": grain}
    rows = shop.rows({"metrics": metrics, "dimensions": ["region"], "time": window}, layer, CHOICES)
    assert sum(Decimal(str(row[2])) for row in rows if row[2] is not None) == 7


def test_division_by_zero_is_no_value(shop: BothEngines) -> None:
    layer = trap_layer(
        "  - {name: fee_per_refund, version: 1, owner: o, description: d, type: ratio, numerator: shipping,\n"
        "     denominator: refunds}\n"
    )
    plan: dict[str, object] = {"metrics": ["fee_per_refund"], "dimensions": ["buyer_region"]}
    assert shop.rows(plan, layer) == [
        ("north", Decimal("1.2000000000")),
        ("south", None),
        (None, Decimal("3.3333333333")),
    ]


def test_arithmetic_keeps_its_brackets(shop: BothEngines) -> None:
    layer = trap_layer(
        "  - {name: nested, version: 1, owner: o, description: d, type: derived,\n"
        "     expression: (units - 2) * (order_count - (buyers - 1)) / -(1 + 1)}\n"
    )
    assert shop.rows({"metrics": ["nested"]}, layer) == [(Decimal(-75) / 2,)]


def test_a_missing_part_is_no_value_unless_its_definition_says_zero(layer: Layer, shop: BothEngines) -> None:
    plan = {"metrics": ["refunds", "refunds_or_zero", "tickets"], "dimensions": ["region"]}
    rows = {row[0]: row[1:] for row in shop.rows(plan, layer, CHOICES)}
    assert rows["west"] == (None, Decimal("0.00"), 2)


def test_a_table_joined_to_itself_keeps_two_meanings_apart(both: BothEngines) -> None:
    both.execute(
        """CREATE TABLE staff AS SELECT * FROM (VALUES (1, NULL, 'Ana', 9), (2, 1, 'Ben', 5), (3, 1, 'Cy', 4))
             s(id, boss_id, name, "Pay Grade");
           CREATE TABLE shifts AS SELECT * FROM (VALUES (1, 2), (2, 2), (3, 3), (4, 7)) s(id, staff_id)"""
    )
    plan: dict[str, object] = {"metrics": ["shift_count", "heads"], "dimensions": ["staff_name", "boss_name"]}
    assert both.rows(plan, load_text(STAFF)) == [
        ("Ana", None, None, 1),
        ("Ben", "Ana", 2, 1),
        ("Cy", "Ana", 1, 1),
        (None, None, 1, None),
    ]


@settings(max_examples=40)
@given(
    metrics=st.lists(
        st.sampled_from(["net", "aov", "average_fee", "order_count", "buyers", "minutes", "largest_line"]),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    dimensions=st.lists(st.sampled_from(["region", "customer_name"]), max_size=2, unique=True),
    descending=st.booleans(),
    limit=st.integers(1, 9),
)
def test_an_ordered_and_cut_result_is_the_same_rows_in_the_same_order(
    layer: Layer,
    shop: BothEngines,
    metrics: list[str],
    dimensions: list[str],
    descending: bool,
    limit: int,
) -> None:
    order = {"by": metrics[0], "dir": "desc" if descending else "asc"}
    plan: dict[str, object] = {"metrics": metrics, "dimensions": dimensions, "order": order, "limit": limit}
    # one row more than asked may come, which shows a tie at the cut
    assert len(shop.rows(plan, layer, CHOICES)) <= limit + 1


@pytest.fixture(scope="module")
def snowflake(both: BothEngines) -> Iterator[BothEngines]:
    both.execute(
        """CREATE TABLE sales (sale_id INTEGER, shop_id INTEGER, amount DECIMAL(10, 2), pieces INTEGER);
           CREATE TABLE visits (visit_id INTEGER, shop_id INTEGER, people INTEGER);
           CREATE TABLE shops (shop_id INTEGER, town_id INTEGER, tier VARCHAR);
           CREATE TABLE towns (town_id INTEGER, town VARCHAR)"""
    )
    yield both
    both.execute("DROP TABLE sales; DROP TABLE visits; DROP TABLE shops; DROP TABLE towns")


def filled(engines: BothEngines, world: World) -> BothEngines:
    for name in ("sales", "visits", "shops", "towns"):
        engines.execute(f"DELETE FROM {name}")
        engines.insert(name, [tuple(row.values()) for row in getattr(world, name)])
    return engines


@settings(max_examples=40)
@given(
    world=worlds(),
    metrics=st.lists(st.sampled_from([*LEAVES, "doubled"]), min_size=1, max_size=4, unique=True),
    dimensions=st.lists(st.sampled_from(["tier", "town"]), max_size=2, unique=True),
    town=st.sampled_from([None, "a"]),
)
def test_random_snowflakes_count_as_plain_python_does_on_both_engines(
    snowflake: BothEngines, world: World, metrics: list[str], dimensions: list[str], town: str | None
) -> None:
    plan: dict[str, object] = {"metrics": metrics, "dimensions": dimensions}
    if town is not None:
        plan["filters"] = [{"field": "town", "op": "eq", "values": [town]}]
    rows = filled(snowflake, world).rows(plan, load_text(DEFINITIONS))
    size = len(dimensions)
    assert {row[:size]: row[size:] for row in rows} == counted(world, metrics, dimensions, town)


@settings(max_examples=25)
@given(world=worlds(), pieces=st.lists(st.integers(0, 3), min_size=1, max_size=2, unique=True))
def test_a_filter_on_rows_below_never_counts_a_row_twice_on_either_engine(
    snowflake: BothEngines, world: World, pieces: list[int]
) -> None:
    plan = {"metrics": ["shop_count"], "filters": [{"field": "pieces", "op": "in", "values": pieces}]}
    selling = {row["shop_id"] for row in world.sales if row["pieces"] in pieces}
    rows = filled(snowflake, world).rows(plan, load_text(DEFINITIONS))
    assert rows == [(sum(shop["shop_id"] in selling for shop in world.shops),)]
