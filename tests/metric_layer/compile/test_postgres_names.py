"""Names no engine may trip over: reserved words, mixed case, spaces, dots, quotes, other scripts."""

import pytest

from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.both_engines import BothEngines

TABLES = '''
CREATE SCHEMA "my.schema";
CREATE SCHEMA "Select";
CREATE TABLE "my.schema"."Order lines" (
  "id" INTEGER, "Order" INTEGER, "Größe" DECIMAL(10, 2), "a.b" VARCHAR, "say ""hi""" VARCHAR, "user" VARCHAR,
  "From Date" DATE, "UPPER" INTEGER, "数量" INTEGER, "group" VARCHAR);
INSERT INTO "my.schema"."Order lines" VALUES
  (1, 10, 1.50, 'x.y', 'q"q', 'ann', '2026-01-31', 1, 3, 'g'),
  (2, 10, 2.50, NULL, '', 'bob', '2026-02-28', 4, 6, 'g'),
  (3, NULL, NULL, 'z', NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE "Select"."Table" ("Order" INTEGER, "when" VARCHAR);
INSERT INTO "Select"."Table" VALUES (10, 'now'), (11, 'later');
'''
LAYER = """
datasets:
  - name: lines
    relation: '"my.schema"."Order lines"'
    primary_key: [id]
    columns:
      - {name: id, type: integer}
      - {name: Order, type: integer}
      - {name: Größe, type: decimal}
      - {name: a.b, type: string}
      - {name: 'say "hi"', type: string}
      - {name: user, type: string}
      - {name: From Date, type: date}
      - {name: UPPER, type: integer}
      - {name: 数量, type: integer}
      - {name: group, type: string}
  - name: select
    relation: '"Select"."Table"'
    primary_key: [Order]
    columns: [{name: Order, type: integer}, {name: when, type: string}]
relationships:
  - {name: order, from_dataset: lines, to_dataset: select, from_columns: [Order], to_columns: [Order]}
dimensions:
  - {name: table, dataset: select, column: when}
  - {name: where, dataset: lines, column: a.b}
  - {name: said, dataset: lines, column: 'say "hi"'}
  - {name: user, dataset: lines, column: user}
  - {name: from_date, dataset: lines, column: From Date}
  - {name: group, dataset: lines, column: group}
metrics:
  - {name: sum, version: 1, owner: o, description: d, type: sum, dataset: lines, column: Größe,
     time_field: from_date}
  - {name: count, version: 1, owner: o, description: d, type: count, dataset: lines, time_field: from_date}
  - {name: order, version: 1, owner: o, description: d, type: sum, dataset: lines,
     expression: '"UPPER" * 100 + upper', time_field: from_date}
  - {name: limit, version: 1, owner: o, description: d, type: sum, dataset: lines,
     expression: '"数量" + "Order"', time_field: from_date}
  - {name: end, version: 1, owner: o, description: d, type: count, dataset: select}
  - {name: case, version: 1, owner: o, description: d, type: ratio, numerator: sum, denominator: end}
"""


@pytest.fixture(scope="module")
def layer() -> Layer:
    return load_text(LAYER)


@pytest.fixture(scope="module")
def named(both: BothEngines) -> BothEngines:
    both.execute(TABLES)
    return both


@pytest.mark.parametrize("dimensions", [[], ["table"], ["where", "said"], ["user", "from_date", "group"]])
def test_every_name_means_the_same_column(dimensions: list[str], layer: Layer, named: BothEngines) -> None:
    metrics = ["sum", "count", "order", "limit"]
    for asked in (*([metric] for metric in metrics), metrics):
        plan = {"metrics": asked, "dimensions": dimensions}
        assert named.rows(plan, layer)
        window = {"from": "2026-01-01", "to": "2026-02-28", "grain": "month"}
        assert len(named.rows({**plan, "time": window}, layer)) == 2


def test_two_facts_keep_their_names_when_they_are_stitched(layer: Layer, named: BothEngines) -> None:
    rows = named.rows({"metrics": ["case", "order", "end"], "dimensions": ["table"]}, layer)
    assert [(row[0], *row[2:]) for row in rows] == [("later", None, 1), ("now", 505, 1), (None, None, None)]


def test_names_filter_and_order_as_they_are_written(layer: Layer, named: BothEngines) -> None:
    plan = {
        "metrics": ["order", "limit"],
        "dimensions": ["table", "user"],
        "filters": [
            {"field": "said", "op": "ne", "values": ['q"q']},
            {"field": "group", "op": "in", "values": ["g", "where"]},
            {"metric": "order", "op": "gt", "values": [0]},
        ],
        "order": {"by": "user", "dir": "desc"},
    }
    assert named.rows(plan, layer) == [("now", "bob", 404, 16)]


def test_long_names_stay_apart_where_postgres_cuts_them(both: BothEngines) -> None:
    people, roles = "p" * 48, [f"role_of_the_{number}" for number in ("first", "second", "third")]
    both.execute(
        """CREATE TABLE people AS SELECT * FROM (VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cy')) p(id, name);
           CREATE TABLE deals AS
             SELECT * FROM (VALUES (1, 1, 2, 3), (2, 1, 3, 2)) d(id, first, second, third)"""
    )
    layer = load_text(
        f"""
datasets:
  - {{name: {people}, relation: people, primary_key: [id],
     columns: [{{name: id, type: integer}}, {{name: name, type: string}}]}}
  - {{name: deals, relation: deals, primary_key: [id], columns: [{{name: id, type: integer}},
     {{name: first, type: integer}}, {{name: second, type: integer}}, {{name: third, type: integer}}]}}
relationships:
"""
        + "".join(
            f"  - {{name: {role}, from_dataset: deals, to_dataset: {people}, to_columns: [id],\n"
            f"     from_columns: [{role.rpartition('_')[2]}]}}\n"
            for role in roles
        )
        + "dimensions:\n"
        + "".join(f"  - {{name: {role}, dataset: {people}, column: name, via: [{role}]}}\n" for role in roles)
        + "metrics:\n  - {name: deals, version: 1, owner: o, description: d, type: count, dataset: deals}\n"
    )
    plan: dict[str, object] = {"metrics": ["deals"], "dimensions": roles}
    assert both.rows(plan, layer) == [("Ann", "Bob", "Cy", 1), ("Ann", "Cy", "Bob", 1)]
