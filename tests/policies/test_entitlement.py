"""What a role is entitled to: its views never hold a masked value, and its digest follows its rules."""

from collections.abc import Iterator
from datetime import UTC, datetime

import duckdb
import pytest

from metric_layer.layer import Layer
from metric_layer.load import load_text
from metric_layer.plan import Filter
from policies.entitlement import Entitlement, entitle
from policies.mask import MASK
from policies.policy import PersonalRule, Policy, ReadingRules, Role
from tests.metric_layer.trap_shop import CLOCKS, DEFINITIONS, trap_tables

NOW = datetime(2026, 11, 30, tzinfo=UTC)
ATTACKS = (
    "SELECT upper(name) FROM customers",
    "SELECT * RENAME (name AS z) FROM (SELECT name FROM customers) q",
    "SELECT COLUMNS(*) FROM (SELECT name FROM customers) q",
    "SELECT CASE WHEN 1 = 1 THEN name END FROM customers",
    'SELECT name AS "N", 1 AS n FROM customers',
    "SELECT a.*, b.* FROM (SELECT customer_id, name FROM customers) a "
    "JOIN (SELECT customer_id, region AS name FROM customers) b ON a.customer_id = b.customer_id",
    "SELECT unnest(string_split(name, 'e')) FROM customers",
    "SELECT name FROM customers INTERSECT SELECT 'canary-xx'",
    "SELECT customer_id, (SELECT count(*) FROM unnest(string_split(name, '')) u(x)) FROM customers",
)


@pytest.fixture(scope="module")
def layer() -> Layer:
    tagged = DEFINITIONS.replace(
        "{name: name, type: string}", "{name: name, type: string, personal: contact}"
    )
    assert tagged != DEFINITIONS
    return load_text(CLOCKS + tagged)


def entitled(
    layer: Layer, rule: PersonalRule, *, rows: tuple[Filter, ...] = (), smallest: int = 5
) -> Entitlement:
    role = Role(datasets=("customers",), metrics=("*",), personal={"contact": rule}, rows=rows)
    policy = Policy(name="shop", roles={"clerk": role}, reading=ReadingRules(min_group=smallest))
    return entitle("clerk", layer, policy, "duckdb", "main", NOW)


@pytest.fixture
def warehouse(layer: Layer) -> Iterator[duckdb.DuckDBPyConnection]:
    """The role's views, over rows whose names all start with a canary."""
    with trap_tables() as tables:
        tables.execute("UPDATE customers SET name = 'canary-' || repeat('x', customer_id)")
        tables.execute("CREATE SCHEMA seen")
        for view in entitled(layer, "mask").views:
            select = view.select.replace("{source}", "memory")
            tables.execute(f"CREATE VIEW seen.{view.name.removeprefix('main.')} AS {select}")
        tables.execute("SET schema = 'seen'")
        yield tables


@pytest.mark.parametrize("sql", ATTACKS)
def test_no_way_of_writing_a_query_shows_a_masked_value(
    warehouse: duckdb.DuckDBPyConnection, sql: str
) -> None:
    rows = warehouse.execute(sql).fetchall()
    texts = {str(value) for row in rows for value in row}
    assert not any("canary" in text.lower() or "xx" in text for text in texts)


def test_a_derived_figure_tells_nothing_of_a_masked_value(warehouse: duckdb.DuckDBPyConnection) -> None:
    rows = warehouse.execute("SELECT DISTINCT length(name), name FROM customers").fetchall()
    assert rows == [(len(MASK), MASK)]


def test_a_masked_column_has_the_type_of_its_mask() -> None:
    numbered = DEFINITIONS.replace(
        "{name: name, type: string}", "{name: name, type: integer, personal: contact}"
    )
    (table,) = entitled(load_text(CLOCKS + numbered), "mask").catalogue.tables
    assert {column.name: column.type for column in table.columns}["name"] == "string"


def test_a_digest_follows_the_personal_rules_and_the_smallest_group(layer: Layer) -> None:
    digests = {entitled(layer, rule).digest for rule in ("deny", "mask", "aggregate")}
    digests.add(entitled(layer, "mask", smallest=6).digest)
    assert len(digests) == 4


def test_a_rule_on_a_masked_column_has_no_proof_over_the_masked_views(layer: Layer) -> None:
    rule = Filter(field="customer_name", op="eq", values=("Ada",))
    views = {kind: entitled(layer, kind, rows=(rule,)).views[0] for kind in ("mask", "aggregate")}
    assert (views["mask"].probe, bool(views["aggregate"].probe)) == ("", True)
