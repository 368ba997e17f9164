"""The order of metrics, dimensions, filters and files never changes a number."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.layer import Layer
from metric_layer.load import load_layer, load_text
from tests.metric_layer.ledger import answered, ledger
from tests.metric_layer.trap_shop import CLOCKS, DEFINITIONS, resolved_of, rows_of, trap_layer, trap_tables

METRICS = ["net", "aov", "order_count", "shipping", "tickets", "largest_line"]
DIMENSIONS = ["region", "customer_name"]
FILTERS: list[dict[str, object]] = [
    {"field": "region", "op": "ne", "values": ["east"]},
    {"field": "customer_name", "op": "not_in", "values": ["Faye"]},
    {"metric": "order_count", "op": "ge", "values": [1]},
]
CHOICES = {"region": "buyer", "customer_name": "buyer"}
WINDOW = {"field": "event_time", "from": "2026-07-01", "to": "2026-09-30", "grain": "month"}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return trap_layer()


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = trap_tables()
    yield connection
    connection.close()


def cells(
    layer: Layer,
    tables: duckdb.DuckDBPyConnection,
    metrics: list[str],
    dimensions: list[str],
    filters: list[dict[str, object]],
) -> set[frozenset[tuple[str, object]]]:
    """Every row as a set of (column, value): what is left when order is taken away."""
    plan: dict[str, object] = {
        "metrics": metrics,
        "dimensions": dimensions,
        "filters": filters,
        "time": WINDOW,
    }
    names = [output.name for output in resolved_of(plan, layer, choices=CHOICES).outputs]
    rows = rows_of(plan, layer, tables, choices=CHOICES)
    return {frozenset(zip(names, row, strict=True)) for row in rows}


@settings(max_examples=40, deadline=None)
@given(
    metrics=st.permutations(METRICS), dimensions=st.permutations(DIMENSIONS), filters=st.permutations(FILTERS)
)
def test_permuting_a_plan_never_changes_a_number(
    layer: Layer,
    tables: duckdb.DuckDBPyConnection,
    metrics: list[str],
    dimensions: list[str],
    filters: list[dict[str, object]],
) -> None:
    first = cells(layer, tables, METRICS, DIMENSIONS, FILTERS)
    assert cells(layer, tables, metrics, dimensions, filters) == first
    assert first


@settings(max_examples=20, deadline=None)
@given(extra=st.lists(st.sampled_from(METRICS[1:]), unique=True))
def test_asking_more_metrics_never_changes_the_first(
    layer: Layer, tables: duckdb.DuckDBPyConnection, extra: list[str]
) -> None:
    plan: dict[str, object] = {"metrics": ["net"], "dimensions": ["region"]}
    alone = dict(rows_of(plan, layer, tables, choices=CHOICES))  # type: ignore[arg-type, var-annotated]
    more = rows_of({**plan, "metrics": ["net", *extra]}, layer, tables, choices=CHOICES)
    assert {row[0]: row[1] for row in more if row[0] in alone} == alone


def test_the_digest_does_not_depend_on_files_or_their_order(tmp_path: Path) -> None:
    one, several = tmp_path / "one", tmp_path / "several"
    one.mkdir()
    several.mkdir()
    (one / "all.yml").write_text(CLOCKS + DEFINITIONS)
    head, metrics = DEFINITIONS.split("metrics:\n")
    (several / "z.yml").write_text(head)
    (several / "a.yml").write_text("metrics:\n" + metrics)
    (several / "m.yaml").write_text(CLOCKS)
    assert load_layer(one).digest == load_layer(several).digest == trap_layer().digest


def test_a_changed_definition_changes_the_digest_and_only_its_own() -> None:
    before = trap_layer()
    after = build_changed()
    assert after.digest != before.digest
    changed = [
        name for name in before.metrics if before.digest_of("metric", name) != after.digest_of("metric", name)
    ]
    assert changed == ["gross"]


def build_changed() -> Layer:
    return load_text(CLOCKS + DEFINITIONS.replace("Line amounts.", "Line amounts before tax."))


LEDGER_LAYER = ledger()
KINDS = ["balance_each", "balance_growth", "fee_each_28", "fees_to_date", "to_date_last_year", "fee_p90"]


def meaning(metrics: list[str], dimensions: list[str], filters: list[dict[str, object]]) -> object:
    """What each column means, with the ids of leaves replaced by what they read."""
    found = answered(
        LEDGER_LAYER,
        metrics=metrics,
        dimensions=dimensions,
        filters=filters,
        time={"field": "any_time", "from": "2026-07-01", "to": "2026-08-31", "grain": "month"},
    )
    leaves = {leaf.id: replace(leaf, id="", groups=(), filters=()) for leaf in found.leaves}
    reads = {
        leaf.id: (
            repr(leaves[leaf.id]),
            sorted(map(repr, leaf.filters)),
            sorted(zip(dimensions, map(repr, leaf.groups), strict=True)),
        )
        for leaf in found.leaves
    }
    columns = {
        name: re.sub(r"leaf='(\w+)'", lambda hit: str(reads.get(hit[1], "")), repr(formula))
        for name, formula in found.metrics
    }
    outputs = {column.name: column for column in found.outputs}
    return columns, outputs, found.used, set(found.notes)


@settings(max_examples=25, deadline=None)
@given(
    metrics=st.permutations(KINDS),
    dimensions=st.permutations(["branch", "city"]),
    filters=st.permutations(
        [
            {"field": "branch", "op": "ne", "values": ["north"]},
            {"field": "city", "op": "in", "values": ["Kiel", "Ulm"]},
        ]
    ),
)
def test_permuting_a_plan_never_changes_what_any_kind_of_metric_means(
    metrics: list[str], dimensions: list[str], filters: list[dict[str, object]]
) -> None:
    first = meaning(KINDS, ["branch", "city"], sorted(filters, key=str))
    assert meaning(metrics, dimensions, filters) == first
