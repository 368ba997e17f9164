"""The shape of the SQL: branches at their own grain, declared joins, arithmetic last, on every dialect."""

import pytest
from sqlglot import exp, parse_one

from benchmarks.peers.many import many_metrics
from metric_layer.compile import compile_plan
from metric_layer.compile.tables import table_of
from metric_layer.load import load_text
from metric_layer.plan import Dialect
from tests.metric_layer.trap_shop import resolved_of, rows_of, trap_layer, trap_tables

DIALECTS: tuple[Dialect, ...] = ("duckdb", "postgres", "snowflake", "bigquery")
PLAN: dict[str, object] = {
    "metrics": ["net", "aov", "average_fee", "buyers"],
    "dimensions": ["buyer_region"],
    "filters": [
        {"field": "status", "op": "not_in", "values": ["it's lost"]},
        {"metric": "net", "op": "gt", "values": [-1.5]},
    ],
    "time": {"from": "2026-07-01", "to": "2026-09-30", "grain": "fiscal_quarter"},
    "order": {"by": "net", "dir": "desc"},
    "limit": 5,
}


def tree(raw: dict[str, object], dialect: str = "duckdb", max_rows: int = 100) -> exp.Expression:
    layer = trap_layer()
    return compile_plan(resolved_of(raw, layer), layer, dialect, max_rows)


def test_leaves_of_one_fact_share_one_scan_and_two_facts_make_two() -> None:
    found = tree(PLAN)
    facts = [source.this.name for source in found.find_all(exp.From) if isinstance(source.this, exp.Table)]
    assert sorted(facts) == ["order_lines", "orders"]


def test_branches_are_put_together_without_comparing_their_rows() -> None:
    assert " UNION ALL " in tree(PLAN).sql("duckdb")


def test_every_join_is_a_left_join_on_a_declared_key() -> None:
    for join in tree(PLAN).find_all(exp.Join):
        assert join.side == "LEFT"
        assert isinstance(join.args["on"], exp.EQ)


def test_a_single_fact_needs_no_union() -> None:
    assert tree({"metrics": ["gross", "units"]}).find(exp.Union) is None


def test_a_filtered_metric_has_a_branch_of_its_own() -> None:
    found = tree({"metrics": ["completion_rate"]})
    assert len(list(found.find_all(exp.Union))) == 1
    assert sum("status" in str(where) for where in found.find_all(exp.Where)) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_text_parses_back_to_the_same_text(dialect: Dialect) -> None:
    text = tree(PLAN, dialect).sql(dialect=dialect)
    assert parse_one(text, dialect=dialect).sql(dialect=dialect) == text


def test_null_columns_of_a_union_are_typed_where_the_engine_needs_it() -> None:
    found = tree(PLAN, "postgres")
    nulls = list(found.find_all(exp.Null))
    assert any(isinstance(node.parent, exp.Cast) for node in nulls)
    assert [node for node in nulls if isinstance(node.parent, exp.Alias)] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_statement_grows_as_its_plan_does(dialect: Dialect) -> None:
    layer = load_text(many_metrics(100))

    def length(facts: int) -> int:
        raw = {"metrics": [f"gross_{number}" for number in range(facts)], "dimensions": ["region"]}
        return len(compile_plan(resolved_of(raw, layer), layer, dialect, 100).sql(dialect))

    more = length(20) - length(10)
    assert abs(length(40) - length(20) - 2 * more) < more / 10


def test_one_row_beyond_the_smaller_limit_shows_a_tie_at_the_cut() -> None:
    assert tree(PLAN, max_rows=3).args["limit"].expression.name == "3"
    assert tree(PLAN, max_rows=30).args["limit"].expression.name == "6"


def test_groups_without_a_value_come_last_on_every_engine() -> None:
    text = tree({"metrics": ["gross"], "dimensions": ["buyer_region"]}, "postgres").sql(dialect="postgres")
    assert text.endswith('ORDER BY CAST("customers"."region" AS TEXT) COLLATE "C" ASC LIMIT 100')
    text = tree(PLAN, "postgres").sql(dialect="postgres")
    assert 'ORDER BY "net" DESC NULLS LAST' in text


def test_a_value_cannot_leave_its_quotes() -> None:
    raw: dict[str, object] = {
        "metrics": ["order_count"],
        "filters": [{"field": "status", "op": "eq", "values": ["x' OR 1=1 --"]}],
    }
    assert rows_of(raw, trap_layer(), trap_tables()) == [(0,)]


@pytest.mark.parametrize(
    ("relation", "text"),
    [
        ("orders", '"orders" AS "t"'),
        ("shop.orders", '"shop"."orders" AS "t"'),
        ('"my.shop"."Order lines"', '"my.shop"."Order lines" AS "t"'),
        ("lake.shop.select", '"lake"."shop"."select" AS "t"'),
    ],
)
def test_a_relation_may_hold_dots_spaces_and_reserved_words(relation: str, text: str) -> None:
    assert table_of(relation, "t").sql("duckdb") == text


STAFF = """
datasets:
  - name: staff
    relation: staff
    primary_key: [id]
    columns: [{name: id, type: integer}, {name: boss_id, type: integer}, {name: name, type: string},
       {name: "Pay Grade", type: integer}]
  - {name: shifts, relation: shifts, primary_key: [id], columns: [{name: id, type: integer},
     {name: staff_id, type: integer}]}
relationships:
  - {name: boss, from_dataset: staff, to_dataset: staff, from_columns: [boss_id], to_columns: [id]}
  - {name: shift_staff, from_dataset: shifts, to_dataset: staff, from_columns: [staff_id], to_columns: [id]}
dimensions:
  - {name: staff_name, dataset: staff, column: name}
  - {name: boss_name, dataset: staff, column: name, via: [boss]}
  - {name: pay_grade, dataset: staff, column: Pay Grade}
metrics:
  - {name: heads, version: 1, owner: o, description: d, type: count, dataset: staff}
  - {name: shift_count, version: 1, owner: o, description: d, type: count, dataset: shifts}
  - {name: top_grade, version: 1, owner: o, description: d, type: max, dataset: staff,
     expression: '"Pay Grade" + 0'}
"""


def test_a_table_joined_to_itself_keeps_two_meanings_apart() -> None:
    layer, tables = load_text(STAFF), trap_tables()
    tables.execute(
        """CREATE TABLE staff AS SELECT * FROM (VALUES (1, NULL, 'Ana', 9), (2, 1, 'Ben', 5), (3, 1, 'Cy', 4))
             s(id, boss_id, name, "Pay Grade");
           CREATE TABLE shifts AS SELECT * FROM (VALUES (1, 2), (2, 2), (3, 3), (4, 7)) s(id, staff_id)"""
    )
    plan: dict[str, object] = {"metrics": ["shift_count", "heads"], "dimensions": ["staff_name", "boss_name"]}
    assert rows_of(plan, layer, tables) == [
        ("Ana", None, None, 1),
        ("Ben", "Ana", 2, 1),
        ("Cy", "Ana", 1, 1),
        (None, None, 1, None),
    ]
    highest = {
        "metrics": ["top_grade"],
        "dimensions": ["pay_grade"],
        "order": {"by": "top_grade", "dir": "desc"},
    }
    assert rows_of(highest, layer, tables)[0] == (9, 9)
