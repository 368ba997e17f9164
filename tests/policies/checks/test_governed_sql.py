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
from tests.policies.checks.lending import judged
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
            columns=tuple(CatalogueColumn(c.name, c.type, scale=c.scale) for c in dataset.columns),
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
    rules, now = layer.calendar.rules, datetime(2026, 11, 30, tzinfo=UTC)
    starts = {"week_start": rules.week_start, "fiscal_start_month": rules.fiscal_start_month}
    return Catalogue(dialect, "", "main", tables, joins, now, "d", **starts)  # type: ignore[arg-type]


def decided(
    tree: str | exp.Expr, plan: ResolvedPlan, layer: Layer, dialect: Dialect = "duckdb"
) -> Iterator[Decision]:
    """Yield the decisions that are not allow."""
    catalogue = catalogue_of(layer, dialect)
    reading = Reader(catalogue, ReadLimits(max_rows=1000)).read(tree)
    facts = SqlFacts("plan", POLICY, catalogue, reading, plan)
    return (d for d in judge(SQL_CHECKS, facts) if d.verdict != "allow")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", RIGHT)
def test_a_governed_question_is_allowed_by_every_check(name: str, dialect: Dialect, layer: Layer) -> None:
    raw, choices, _ = RIGHT[name]
    plan = resolved_of(raw, layer, choices=choices)
    assert not list(decided(compile_plan(plan, layer, dialect, 1000), plan, layer, dialect))


def test_the_text_that_runs_is_the_compiled_one(layer: Layer) -> None:
    plan = resolved_of(WINDOW, layer)
    text = compile_plan(plan, layer, "duckdb", 1000).sql(dialect="duckdb")
    reading = Reader(catalogue_of(layer, "duckdb"), ReadLimits(max_rows=1000)).read(
        compile_plan(plan, layer, "duckdb", 1000)
    )
    assert reading.sql == text


FAITHFUL = """
SELECT CAST(DATE_TRUNC('MONTH', o.order_date) AS DATE) AS month, c.region AS buyer_region,
       COUNT(*) AS order_count, SUM(o.shipping_fee) AS shipping
FROM main.orders AS o LEFT JOIN main.customers AS c ON o.customer_id = c.customer_id
WHERE o.order_date >= CAST('2026-07-01' AS DATE) AND o.order_date < CAST('2026-10-01' AS DATE)
GROUP BY 1, 2
ORDER BY month, buyer_region
"""


def test_sql_that_says_what_the_plan_says_conforms(layer: Layer) -> None:
    plan = resolved_of(WINDOW, layer)
    assert not list(decided(FAITHFUL, plan, layer))


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        ("window", "'2026-10-01'", "'2026-11-01'"),
        ("window", " AND o.order_date < CAST('2026-10-01' AS DATE)", ""),
        ("filter", "WHERE ", "WHERE o.status = 'completed' AND "),
        ("filter", "WHERE ", "WHERE c.name LIKE 'I%' AND "),
        ("measure", "SUM(o.shipping_fee)", "AVG(o.shipping_fee)"),
        ("measure", "SUM(o.shipping_fee)", "MAX(o.shipping_fee)"),
        ("grouping", "GROUP BY 1, 2", "GROUP BY 1, 2, o.order_id"),
        ("outputs", "AS shipping", "AS net"),
        (
            "tables",
            "LEFT JOIN main.customers AS c ON o.customer_id = c.customer_id",
            "LEFT JOIN main.customers AS c ON o.customer_id = c.customer_id "
            "LEFT JOIN main.customers AS p ON o.payer_id = p.customer_id LEFT JOIN main.support_tickets AS t "
            "ON t.customer_id = c.customer_id",
        ),
    ],
)
def test_sql_that_leaves_its_plan_is_refused(place: str, old: str, new: str, layer: Layer) -> None:
    assert old in FAITHFUL
    found = list(decided(FAITHFUL.replace(old, new), resolved_of(WINDOW, layer), layer))
    assert place in {d.place for d in found if (d.check, d.verdict) == ("conformity", "hard")}


def test_a_filter_of_the_plan_that_the_sql_lost_is_named(layer: Layer) -> None:
    plan = resolved_of(
        {**WINDOW, "filters": [{"field": "status", "op": "eq", "values": ["completed"]}]}, layer
    )
    found = [d for d in decided(FAITHFUL, plan, layer) if d.check == "conformity"]
    assert [d.reason for d in found] == ["the plan restricts main.orders.status and the SQL does not"]


def test_free_sql_skips_conformity_and_says_why() -> None:
    found = judged("SELECT fee FROM loans")
    decision = next(d for d in found.decisions if d.check == "conformity")
    assert (decision.verdict, decision.reason) == ("skipped", "free SQL has no plan to conform to")
