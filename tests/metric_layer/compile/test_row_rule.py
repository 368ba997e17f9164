"""A row rule cut for a database keeps exactly the rows that the role's own view keeps."""

from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.compile import compile_role_view, compile_row_rules
from metric_layer.load import LayerInvalid, load_text
from metric_layer.plan import Filter

LAYER = load_text("""
datasets:
  - name: towns
    relation: towns
    primary_key: [country, town]
    columns: [{name: country, type: string}, {name: town, type: string}, {name: size, type: integer}]
  - name: people
    relation: people
    primary_key: [id]
    columns:
      - {name: id, type: integer}
      - {name: country, type: string}
      - {name: town, type: string}
      - {name: born, type: date}
  - name: visits
    relation: visits
    primary_key: [id]
    columns: [{name: id, type: integer}, {name: person, type: integer}, {name: kind, type: string}]
relationships:
  - name: home
    from_dataset: people
    from_columns: [country, town]
    to_dataset: towns
    to_columns: [country, town]
  - {name: who, from_dataset: visits, from_columns: [person], to_dataset: people, to_columns: [id]}
dimensions:
  - {name: size, dataset: towns, column: size}
  - {name: born, dataset: people, column: born}
  - {name: kind, dataset: visits, column: kind}
""")
RULES: dict[str, list[tuple[str, tuple[object, ...]]]] = {
    "size": [("in", (1, 2)), ("ne", (1,)), ("is_null", ()), ("between", (1, 2)), ("not_null", ())],
    "born": [("ge", ("2000-01-01",)), ("not_in", ("2000-01-01",)), ("is_null", ())],
    "kind": [("eq", ("it's",)), ("not_null", ()), ("lt", ("b",))],
}
FIELDS = sorted(RULES)
SMALL = st.none() | st.integers(1, 3)
WORDS = st.none() | st.sampled_from(["a", "b", "it's"])


@st.composite
def rules(draw: st.DrawFn) -> list[Filter]:
    """Draw up to three rules on any of the dimensions."""
    found = []
    for field in draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=3)):
        op, values = draw(st.sampled_from(RULES[field]))
        found.append(Filter.model_validate({"field": field, "op": op, "values": values}))
    return found


TOWNS = st.dictionaries(st.tuples(st.sampled_from("ab"), st.sampled_from("xy")), SMALL, max_size=4)
PEOPLE = st.lists(
    st.tuples(
        WORDS, st.none() | st.sampled_from("xy"), st.none() | st.sampled_from(["1999-12-31", "2000-01-01"])
    ),
    max_size=3,
)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """The tables of the layer, empty."""
    with duckdb.connect() as made:
        made.execute("CREATE TABLE towns (country text, town text, size int)")
        made.execute("CREATE TABLE people (id int, country text, town text, born date)")
        made.execute("CREATE TABLE visits (id int, person int, kind text)")
        yield made


@given(rules(), TOWNS, PEOPLE, st.lists(st.tuples(SMALL, WORDS), max_size=4))
def test_a_rule_keeps_what_the_roles_view_keeps(
    database: duckdb.DuckDBPyConnection,
    drawn: list[Filter],
    towns: dict[tuple[str, str], int | None],
    people: list[tuple[str | None, str | None, str | None]],
    visits: list[tuple[int | None, str | None]],
) -> None:
    for table, held in (
        ("towns", [(*place, size) for place, size in towns.items()]),
        ("people", [(number, *person) for number, person in enumerate(people, 1)]),
        ("visits", [(number, *visit) for number, visit in enumerate(visits)]),
    ):
        database.execute(f"DELETE FROM {table}")
        for row in held:
            database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    for dataset, key in (("towns", ("country", "town")), ("people", ("id",)), ("visits", ("id",))):
        reaching = [
            rule for rule in drawn if dataset in LAYER.to_one_sources[LAYER.dimensions[rule.field].dataset]
        ]
        view = compile_role_view(LAYER, dataset, key, reaching, "duckdb").replace("{source}.", "")
        tests = [
            f"({', '.join(rule.columns)}) IN ({rule.keys})" if rule.keys else rule.condition
            for rule in compile_row_rules(LAYER, dataset, reaching, "duckdb", "main")
        ]
        kept = f"SELECT {', '.join(key)} FROM {dataset} WHERE {' AND '.join(tests) or 'true'}"
        assert sorted(database.execute(kept).fetchall()) == sorted(database.execute(view).fetchall())


def test_a_rule_says_which_columns_decide_and_hides_what_it_is_about() -> None:
    rule = Filter(field="size", op="in", values=(1,))
    (own,) = compile_row_rules(LAYER, "towns", [rule], "postgres", "public")
    assert (own.columns, own.condition, own.keys) == (("size",), '"size" IN (1)', "")
    (near,) = compile_row_rules(LAYER, "people", [rule], "postgres", "public")
    assert near.columns == ("country", "town") and '"public"."towns"' in near.keys and not near.condition
    (far,) = compile_row_rules(LAYER, "visits", [rule], "bigquery", "shop")
    assert far.columns == ("person",) and "`shop`.`people`" in far.keys and "EXISTS" in far.keys
    assert compile_row_rules(LAYER, "towns", [Filter(field="kind", op="not_null")], "duckdb", "main") == ()


def test_a_rule_on_nothing_is_refused() -> None:
    with pytest.raises(LayerInvalid):
        compile_row_rules(LAYER, "towns", [Filter(field="nothing", op="not_null")], "duckdb", "main")
