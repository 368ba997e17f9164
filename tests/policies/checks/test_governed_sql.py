"""Governed questions come out of the SQL checks allowed; a query that is not its plan's does not."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlglot import exp

from metric_layer.compile import compile_plan
from metric_layer.layer import Layer
from metric_layer.plan import Dialect
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Catalogue, CatalogueColumn, CatalogueJoin, CatalogueTable, Reader, ReadLimits
from policies.facts import SqlFacts
from policies.policy import Policy, Role
from policies.register import SQL_CHECKS, judge
from tests.metric_layer.test_traps import RIGHT
from tests.metric_layer.trap_shop import resolved_of, trap_layer
from traces.records import Decision

DIALECTS: tuple[Dialect, ...] = ("duckdb", "postgres", "snowflake", "bigquery")
ROLE = Role(datasets=("orders",))
POLICY = Policy(name="p", roles={"analyst": ROLE})
WINDOW = {
    "metrics": ["order_count", "shipping"],
    "dimensions": ["buyer_region"],
    "time": {"from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return trap_layer()


def catalogue_of(layer: Layer, dialect: Dialect) -> Catalogue:
    """Return everything of the trap tables, none of it personal, orders marked large."""
    tables = tuple(
        CatalogueTable(
            name=dataset.relation,
            columns=tuple(CatalogueColumn(c.name, c.type) for c in dataset.columns),
            grain=dataset.primary_key,
            dataset=dataset.name,
        )
        for dataset in layer.datasets.values()
    )
    joins = tuple(
        CatalogueJoin(
            layer.datasets[edge.from_dataset].relation,
            edge.from_columns,
            layer.datasets[edge.to_dataset].relation,
            edge.to_columns,
            edge.cardinality,
        )
        for edge in layer.relationships.values()
    )
    return Catalogue(dialect, "", "main", tables, joins, datetime(2026, 11, 30, tzinfo=UTC), "d")


def decided(
    tree: str | exp.Expr, plan: ResolvedPlan, layer: Layer, dialect: Dialect = "duckdb"
) -> Iterator[Decision]:
    """Yield the decisions that are not allow."""
    catalogue = catalogue_of(layer, dialect)
    reading = Reader(catalogue, ReadLimits(max_rows=1000)).read(tree)
    facts = SqlFacts("plan", ROLE, POLICY, catalogue, reading, plan)
    return (d for d in judge(SQL_CHECKS, facts) if d.verdict != "allow")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", RIGHT)
def test_a_governed_question_is_allowed_by_every_check(name: str, dialect: Dialect, layer: Layer) -> None:
    raw, choices, _ = RIGHT[name]
    plan = resolved_of(raw, layer, choices=choices)
    assert not list(decided(compile_plan(plan, layer, dialect, 1000), plan, layer, dialect))
