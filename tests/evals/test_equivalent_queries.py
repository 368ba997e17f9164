"""Aliases, spellings and places of a join, orders of conditions and nesting never move a figure."""

from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evals.both import read_side
from evals.components import SETS
from evals.scores import score_sides
from evals.tables import Failure, ResultTable, table_from_rows
from metric_layer.sql.components import Warehouse

SHOP = """
CREATE TABLE stores (store INT, city VARCHAR, opened DATE);
INSERT INTO stores VALUES (1, 'Lyon', '2020-01-01'), (2, 'Nice', '2021-05-01'), (3, 'Metz', '2022-01-01');
CREATE TABLE sales (store INT, amount INT, day DATE);
INSERT INTO sales VALUES
  (1, 10, '2025-01-01'), (1, 5, '2025-02-01'), (2, 7, '2025-01-09'), (3, 1, '2025-03-01');
"""
WAREHOUSE = Warehouse(
    "duckdb", {"stores": ("store", "city", "opened"), "sales": ("store", "amount", "day")}, "main"
)
CONDITIONS = (
    ("{l}.amount > 1", "1 < {l}.amount", "NOT {l}.amount <= 1"),
    ("{l}.day BETWEEN '2025-01-01' AND '2025-02-28'",
     "{l}.day >= DATE '2025-01-01' AND {l}.day <= DATE '2025-02-28'"),
    ("{r}.city IN ('Lyon', 'Nice')", "{r}.city = 'Nice' OR {r}.city = 'Lyon'"),
)  # fmt: skip


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """Draw one of many ways to write the same query."""
    left, right = draw(st.sampled_from([("x", "s"), ("sales", "stores"), ("a", "b"), ("s", "x")]))
    names = {"l": left, "r": right}
    wheres = [f"({draw(st.sampled_from(ways))})".format(**names) for ways in CONDITIONS]
    wheres = draw(st.permutations(wheres))
    sales, stores = f"sales AS {left}", f"stores {right}"
    equal = draw(st.sampled_from(["{l}.store = {r}.store", "{r}.store = {l}.store"])).format(**names)
    how = draw(st.sampled_from(["on", "using", "where", "swapped"]))
    if how == "where":
        source, wheres = f"{stores}, {sales}", [*wheres, equal]
    elif how == "using":
        source = f"{sales} JOIN {stores} USING (store)"
    else:
        first, second = (sales, stores) if how == "on" else (stores, sales)
        source = f"{first} INNER JOIN {second} ON {equal}"
    total = draw(st.sampled_from(["SUM({l}.amount)", "sum( {l}.amount )"])).format(**names)
    group = draw(st.sampled_from([f"{right}.city", "1", "ALL"]))
    query = (
        f"SELECT {right}.city AS c, {total} AS t FROM {source} WHERE {' AND '.join(wheres)} GROUP BY {group}"
    )
    match draw(st.sampled_from(["plain", "cte", "derived", "limited"])):
        case "cte":
            return f"WITH q AS ({query}) SELECT c, t FROM q"
        case "derived":
            return f"SELECT * FROM ({query}) AS q"
        case "limited":
            return f"{query} ORDER BY 1 LIMIT 1000"
        case _:
            return query


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(SHOP)
        yield connection


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(gold=spellings(), candidate=spellings())
def test_two_spellings_of_one_query_score_perfect_in_every_family(
    database: duckdb.DuckDBPyConnection, gold: str, candidate: str
) -> None:
    def run(sql: str) -> ResultTable | Failure:
        found = database.execute(sql)
        return table_from_rows(found.fetchall(), len(found.description or ()))

    sides = read_side(gold, WAREHOUSE, run), read_side(candidate, WAREHOUSE, run)
    scores, _ = score_sides(*sides, WAREHOUSE, offered=("stores", "sales"))
    assert scores.component is not None and scores.retrieval is not None
    for name in SETS:
        of = getattr(scores.component, name)
        assert (of.precision, of.recall) == (1.0, 1.0), (name, gold, candidate)
    assert scores.output.exact and scores.output.cells.precision == scores.output.columns.recall == 1.0
    assert (scores.retrieval.score.precision, scores.retrieval.spurious) == (1.0, 0)
