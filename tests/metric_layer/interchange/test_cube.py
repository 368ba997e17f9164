"""Cube's data models become the definitions that mean the same."""

import json
from pathlib import Path

import pytest

from metric_layer.interchange.importing import import_file
from metric_layer.interchange.reading import ForeignUnreadable
from tests.metric_layer.interchange.imports import Plain, cube, imported, measure


def facts(found: Plain) -> Plain:
    """What a metric says but for its head."""
    head = ("name", "version", "owner", "status", "description", "label")
    return {key: value for key, value in found.items() if key not in head}


def test_a_cube_becomes_a_dataset_with_key_types_and_join() -> None:
    found = imported("cube", cube())
    assert found.dataset("orders") == {
        "name": "orders",
        "relation": "shop.orders",
        "primary_key": ("id",),
        "columns": (
            {"name": "id", "type": "decimal", "nullable": False},
            {"name": "order_status", "type": "string"},
            {"name": "created_at", "type": "timestamp"},
            {"name": "customer_id", "type": "decimal"},
            {"name": "amount", "type": "decimal"},
        ),
    }
    assert found.dataset("customers")["relation"] == "shop.customers", "SELECT * FROM a table is that table"
    [edge] = found.document.relationships
    assert (edge.from_dataset, edge.from_columns) == ("orders", ("customer_id",))
    assert (edge.to_dataset, edge.to_columns) == ("customers", ("id",))
    assert found.dimension("status") == {"name": "status", "dataset": "orders", "column": "order_status"}


@pytest.mark.parametrize(
    ("relationship", "sql"),
    [
        ("many_to_one", "{CUBE}.customer_id = {customers}.id"),
        ("belongs_to", "${CUBE}.customer_id = ${customers.id}"),
        ("many_to_one", "{customers}.id = {orders}.customer_id"),
    ],
)
def test_a_join_is_read_in_every_spelling(relationship: str, sql: str) -> None:
    join = {"name": "customers", "relationship": relationship, "sql": sql}
    found = imported("cube", cube(orders={"joins": [join]}))
    assert [edge.from_columns for edge in found.document.relationships] == [("customer_id",)]


def test_a_join_declared_from_both_sides_is_one_relationship() -> None:
    data = cube()
    back = {"name": "orders", "relationship": "one_to_many", "sql": "{CUBE.id} = {orders}.customer_id"}
    data["cubes"][1]["joins"] = [back]  # type: ignore[index]
    found = imported("cube", data)
    assert [edge.from_dataset for edge in found.document.relationships] == ["orders"]


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        (measure("m", "count"), {"type": "count"}),
        (measure("m", "count", "{CUBE}.id"), {"type": "count", "column": "id"}),
        (measure("m", "sum", "amount"), {"type": "sum", "column": "amount"}),
        (measure("m", "sum", "{CUBE}.a * {CUBE}.b"), {"type": "sum", "expression": '"a" * "b"'}),
        (measure("m", "avg", '{CUBE}."Net Amount"'), {"type": "avg", "column": "Net Amount"}),
        (measure("m", "min", "amount"), {"type": "min", "column": "amount"}),
        (measure("m", "max", "amount"), {"type": "max", "column": "amount"}),
        (measure("m", "count_distinct", "{status}"), {"type": "count_distinct", "column": "order_status"}),
        (
            measure("m", "count_distinct_approx", "{CUBE.status}"),
            {"type": "approx_count_distinct", "column": "order_status"},
        ),
    ],
)
def test_a_measure_becomes_the_aggregate_of_the_same_figure(written: Plain, becomes: Plain) -> None:
    found = imported("cube", cube(written))
    assert found.report.ok, found.report.lines
    assert facts(found.metric("m")) == {"dataset": "orders", **becomes}


def test_a_filter_on_a_dimension_is_a_filter_and_one_on_a_column_stays_sql() -> None:
    filters = [
        {"sql": "{CUBE}.order_status = 'done'"},
        {"sql": "{customers.region} IN ('a', 'b')"},
        {"sql": "{CUBE}.amount > 3"},
    ]
    found = imported("cube", cube(measure("m", "sum", "amount", filters=filters)))
    assert facts(found.metric("m")) == {
        "type": "sum",
        "dataset": "orders",
        "expression": 'CASE WHEN ("amount" > 3) THEN amount END',
        "filters": (
            {"field": "status", "op": "eq", "values": ("done",)},
            {"field": "region", "op": "in", "values": ("a", "b")},
        ),
    }


def test_a_filter_on_a_time_stays_sql_since_a_day_means_its_first_instant_there() -> None:
    filters = [{"sql": "{CUBE}.created_at > '2026-01-01'"}]
    found = imported("cube", cube(measure("m", "count", filters=filters)))
    assert facts(found.metric("m")) == {
        "type": "count",
        "dataset": "orders",
        "expression": "CASE WHEN (\"created_at\" > '2026-01-01') THEN 1 END",
    }


def test_a_computed_dimension_is_refused_but_its_sql_lives_on_in_measures() -> None:
    big: Plain = {"name": "net", "sql": "{CUBE}.amount - {CUBE}.tax", "type": "number"}
    found = imported("cube", cube(measure("m", "sum", "{net}"), dimensions=(big,)))
    assert found.codes("error") == ["cube_computed_dimension"]
    assert found.metric("m")["expression"] == '("amount" - "tax")'


def test_calculated_measures_become_ratios_and_arithmetic() -> None:
    found = imported(
        "cube",
        cube(
            measure("revenue", "sum", "amount"),
            measure("placed", "count"),
            measure("value", "number", "{revenue} / NULLIF({placed}, 0)"),
            measure("net", "number", "({revenue} - {orders.placed}) * 1.5"),
            measure("each", "number", "SUM({CUBE}.amount) / COUNT(DISTINCT {CUBE}.customer_id)"),
        ),
    )
    assert facts(found.metric("value")) == {"type": "ratio", "numerator": "revenue", "denominator": "placed"}
    assert found.metric("net")["expression"] == "(revenue - placed) * 1.5"
    assert facts(found.metric("each")) == {
        "type": "ratio",
        "numerator": "revenue",
        "denominator": "each_part_2",
    }
    assert found.metric("each_part_2")["column"] == "customer_id"


@pytest.mark.parametrize(
    ("window", "becomes"),
    [
        ({"trailing": "28 day"}, {"window": {"count": 28, "unit": "day"}}),
        ({"trailing": "2 weeks", "offset": "end"}, {"window": {"count": 2, "unit": "week"}}),
        ({"trailing": "unbounded"}, {}),
        ({"type": "to_date", "granularity": "quarter"}, {"to_date": "quarter"}),
    ],
)
def test_a_rolling_window_is_kept_over_the_same_measure(window: Plain, becomes: Plain) -> None:
    found = imported(
        "cube",
        cube(measure("revenue", "sum", "amount"), measure("m", "sum", "amount", rolling_window=window)),
    )
    assert facts(found.metric("m")) == {"type": "cumulative", "metric": "revenue", **becomes}


def test_a_running_total_is_cumulative_since_ever() -> None:
    found = imported("cube", cube(measure("m", "running_total", "amount")))
    assert facts(found.metric("m")) == {"type": "cumulative", "metric": "m_base"}


def test_a_shift_back_in_time_is_the_value_of_an_earlier_period() -> None:
    shifted = measure(
        "m", "number", "{revenue}", multi_stage=True, time_shift=[{"interval": "1 year", "type": "prior"}]
    )
    found = imported("cube", cube(measure("revenue", "sum", "amount"), shifted))
    assert facts(found.metric("m")) == {
        "type": "period_over_period",
        "metric": "revenue",
        "offset": {"count": 1, "unit": "year"},
        "calculation": "value",
    }


def test_names_that_two_cubes_share_are_told_apart() -> None:
    data = cube(measure("count", "count"))
    data["cubes"][1]["measures"] = [measure("count", "count")]  # type: ignore[index]
    found = imported("cube", data)
    assert {each.name for each in found.document.metrics} == {"orders_count", "customers_count"}


def test_a_hierarchy_keeps_its_levels() -> None:
    data = cube()
    data["cubes"][1]["hierarchies"] = [  # type: ignore[index]
        {"name": "place", "title": "Place", "levels": ["region", "orders.status"]}
    ]
    [found] = imported("cube", data).document.hierarchies
    assert (found.name, found.label, found.levels) == ("customers_place", "Place", ("region", "status"))


def test_other_names_of_a_view_become_synonyms_and_paths_dimensions() -> None:
    view = {
        "name": "sales",
        "cubes": [
            {"join_path": "orders", "includes": [{"name": "revenue", "alias": "turnover"}, "status"]},
            {"join_path": "orders.customers", "prefix": True, "includes": "*", "excludes": ["id"]},
        ],
    }
    found = imported("cube", cube(views=[view]))
    assert found.metric("revenue")["synonyms"] == ("turnover",)
    assert "synonyms" not in found.dimension("status")
    assert found.dimension("customers_region")["via"] == ("orders_customers",)


@pytest.mark.parametrize(
    "sql",
    [
        "{{ column }}",
        "{% if x %}amount{% endif %}",
        "{SECURITY_CONTEXT.tenant}",
        "{FILTER_PARAMS.orders.date.filter('date')}",
        "{a.b.c}",
        "{broken",
        "amount}",
        "'{CUBE}.amount",
        "(SELECT SUM(x) FROM y)",
        "pg_sleep(10)",
        "(" * 300,
    ],
)
def test_a_template_or_foreign_sql_refuses_the_measure(sql: str) -> None:
    found = imported("cube", cube(measure("m", "sum", sql)))
    assert found.document.metrics == ()
    assert found.codes("error")


def test_measures_in_a_circle_are_refused() -> None:
    found = imported("cube", cube(measure("a", "number", "{b} + 1"), measure("b", "number", "{a} + 1")))
    assert found.document.metrics == ()
    assert set(found.codes("error")) == {"rests_on_refused"}


def test_a_yaml_file_has_places_by_line_and_column() -> None:
    text = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
    measures:
      - {name: odd, type: rank}
"""
    [line] = [each for each in imported("cube", text).report.lines if each.level == "error"]
    assert line.place.endswith("document.yml:8:9")


def test_a_folder_of_files_is_one_data_model(tmp_path: Path) -> None:
    cubes: list[Plain] = cube()["cubes"]  # type: ignore[assignment]
    orders, customers = cubes
    view = {"name": "v", "cubes": [{"join_path": "orders.customers", "prefix": True, "includes": ["region"]}]}
    parts = {
        "a/orders.yml": {"cubes": [orders]},
        "customers.yaml": {"cubes": [customers]},
        "v.yml": {"views": [view]},
    }
    for name, part in parts.items():
        file = tmp_path / "model" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(part), encoding="utf-8")
    report = import_file(tmp_path / "model", "cube", tmp_path / "metrics")
    assert report.ok, report.lines
    assert (report.datasets, report.relationships, report.metrics) == (2, 1, 1)
    assert {Path(line.place.split(":")[0]).name for line in report.lines} >= {"orders.yml", "v.yml"}


def test_a_cube_in_two_files_and_a_folder_without_cubes_are_said(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    with pytest.raises(ForeignUnreadable, match="no YAML file"):
        import_file(model, "cube", tmp_path / "metrics")
    (model / "a.yml").write_text(json.dumps(cube()), encoding="utf-8")
    (model / "b.yml").write_text(json.dumps(cube()), encoding="utf-8")
    report = import_file(model, "cube", tmp_path / "metrics")
    repeated = [line for line in report.lines if line.code == "repeated"]
    assert [line.name for line in repeated] == ["orders", "customers"]
    assert all("b.yml" in line.place for line in repeated)
    with pytest.raises(ForeignUnreadable):
        import_file(model, "dbt", tmp_path / "metrics")
