"""Every kind of reading on every dialect: the reviewed text, and one that parses and finds its columns."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlglot import exp, parse_one
from sqlglot.optimizer.qualify import qualify

from metric_layer.compile import compile_attestation, compile_duplicates, compile_guard, compile_plan
from metric_layer.layer import Layer
from metric_layer.plan import Dialect
from metric_layer.relation import relation_parts
from tests.metric_layer.ledger import ledger
from tests.metric_layer.trap_shop import resolved_of

GOLDENS = Path(__file__).parent / "goldens"
DIALECTS: tuple[Dialect, ...] = ("duckdb", "postgres", "snowflake", "bigquery")
MONTHS = {"from": "2026-01-01", "to": "2026-03-31", "grain": "month"}
HOURS = {"from": "2026-03-29", "to": "2026-03-29", "grain": "hour"}
PLANS: dict[str, dict[str, object]] = {
    "two_facts": {"metrics": ["fee_each", "visit_count"], "time": {**MONTHS, "field": "any_time"}},
    "moment": {"metrics": ["balance", "balance_each"], "dimensions": ["branch"], "time": MONTHS},
    "moments_averaged": {"metrics": ["balance_mean"], "dimensions": ["branch"], "time": MONTHS},
    "since_ever": {"metrics": ["fees_ever"], "dimensions": ["branch"], "time": MONTHS},
    "trailing": {"metrics": ["fee_each_28"], "time": MONTHS},
    "trailing_moments": {"metrics": ["visits_28"], "time": MONTHS},
    "a_month_earlier": {"metrics": ["fees_growth"], "dimensions": ["branch"], "time": MONTHS},
    "days_a_month_earlier": {
        "metrics": ["fees_last_month"],
        "time": {"from": "2026-02-26", "to": "2026-03-02", "grain": "day"},
    },
    "compared": {"metrics": ["fees"], "time": MONTHS, "compare": {"kind": "previous_year"}},
    "middle": {"metrics": ["fee_median", "fee_p90", "payers"], "dimensions": ["currency"]},
    "hours_of_an_instant": {"metrics": ["visit_count"], "time": {**HOURS, "zone": "America/Denver"}},
    "hours_of_another_zone": {"metrics": ["local_visits"], "time": {**HOURS, "zone": "America/Denver"}},
    "filled": {
        "metrics": ["fees", "payments_made"],
        "dimensions": ["branch"],
        "time": {**MONTHS, "fill": "zero"},
    },
    "filled_alone": {"metrics": ["fee_each"], "time": {**MONTHS, "fill": "empty"}},
    "filled_beside_earlier_days": {
        "metrics": ["fees", "fees_last_month"],
        "time": {"from": "2026-03-28", "to": "2026-03-31", "grain": "day", "fill": "zero"},
    },
    "converted": {"metrics": ["conversion_rate"], "dimensions": ["country"], "time": MONTHS},
    "scaled": {"metrics": ["paid_usd", "paid_eur"], "time": {"from": "2026-01-01", "to": "2026-03-31"}},
}
EXTRA = """
  - {name: visits_28, version: 1, owner: web, description: Visits of 28 days., type: cumulative,
     metric: visit_count, window: {count: 28, unit: day}}
"""
MATRIX = [(name, dialect) for name in PLANS for dialect in DIALECTS]


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger(EXTRA)


def tree(name: str, layer: Layer, dialect: Dialect) -> exp.Expression:
    return compile_plan(resolved_of(PLANS[name], layer), layer, dialect, 100)


@pytest.mark.parametrize(("name", "dialect"), MATRIX)
def test_the_text_is_the_reviewed_one(
    name: str, dialect: Dialect, layer: Layer, golden: Callable[[Path, str], None]
) -> None:
    golden(
        GOLDENS / f"{name}.{dialect}.sql", tree(name, layer, dialect).sql(dialect=dialect, pretty=True) + "\n"
    )


@pytest.mark.parametrize(("name", "dialect"), MATRIX)
def test_the_text_parses_back_to_itself_however_often_it_is_written(
    name: str, dialect: Dialect, layer: Layer
) -> None:
    statement = tree(name, layer, dialect)
    text = statement.sql(dialect=dialect)
    assert statement.sql(dialect=dialect) == text
    assert parse_one(text, dialect=dialect).sql(dialect=dialect) == text


@pytest.mark.parametrize(("name", "dialect"), MATRIX)
def test_every_column_of_the_text_is_found_in_its_tables(name: str, dialect: Dialect, layer: Layer) -> None:
    schema: dict[str, object] = {
        relation_parts(dataset.relation)[-1]: {column.name: "text" for column in dataset.columns}
        for dataset in layer.datasets.values()
    }
    for statement in (
        tree(name, layer, dialect),
        compile_guard(resolved_of(PLANS[name], layer), layer, dialect),
    ):
        if statement is not None:
            parsed = parse_one(statement.sql(dialect=dialect), dialect=dialect)
            qualify(parsed, schema=schema, dialect=dialect, validate_qualify_columns=True)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_attestations_parse_back_to_themselves(dialect: Dialect, layer: Layer) -> None:
    for statement in (compile_attestation(layer, "visit_person"), compile_duplicates(layer, "visit_person")):
        text = statement.sql(dialect=dialect)
        assert parse_one(text, dialect=dialect).sql(dialect=dialect) == text
