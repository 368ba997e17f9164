"""Parts set side by side: a figure is the same value of the same type alone and beside any others."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.both_engines import BothEngines, both_engines, sql_of
from tests.metric_layer.trap_shop import resolved_of
from tests.servers.postgres import Server

pytestmark = pytest.mark.engine("postgres")

TABLES = """
CREATE TABLE main.coins (day DATE, place VARCHAR, cents DECIMAL(18, 2), grams DECIMAL(18, 6), pieces INTEGER,
  serial BIGINT, rough DOUBLE PRECISION);
CREATE TABLE main.notes (day DATE, place VARCHAR, face DECIMAL(18, 2), wear DECIMAL(18, 6), pieces INTEGER,
  serial BIGINT, rough DOUBLE PRECISION);
INSERT INTO main.coins VALUES ('2026-01-05', 'Kiel', 1.25, 7.123456, 3, 5000000000, 0.1),
  ('2026-01-06', NULL, 2.50, 0.000001, 1, 5000000001, 0.2), ('2026-02-01', 'Kiel', NULL, 3.5, NULL, 1, NULL);
INSERT INTO main.notes VALUES ('2026-01-07', 'Kiel', 20.00, 0.333333, 2, 6000000000, 0.7),
  ('2026-03-01', 'Bonn', 50.05, 0.111111, 4, 6000000001, 0.9);
"""
KINDS = {
    "coins": ("cents", "grams", "pieces", "serial", "rough"),
    "notes": ("face", "wear", "pieces", "serial", "rough"),
}
TYPES = {"pieces": "integer", "serial": "integer", "rough": "float", "day": "date", "place": "string"}
AGGREGATES = ("sum", "min", "max", "avg", "median", "count", "count_distinct")
WINDOW = {"from": "2026-01-01", "to": "2026-03-31", "grain": "month"}


def definitions() -> str:
    """Return two facts with a figure of every aggregate over every column."""
    text = ["datasets:"]
    for fact, columns in KINDS.items():
        text.append(f"  - name: {fact}\n    relation: main.{fact}\n    columns:")
        text += [
            f"      - {{name: {name}, type: {TYPES.get(name, 'decimal')}}}"
            for name in ("day", "place", *columns)
        ]
    text.append("dimensions:")
    text += [f"  - {{name: {fact}_day, dataset: {fact}, column: day}}" for fact in KINDS]
    text.append("clocks:\n  - {name: made_on, fields: [coins_day, notes_day]}\nmetrics:")
    for fact, columns in KINDS.items():
        for column in columns:
            for aggregate in AGGREGATES:
                name = f"{aggregate}_{fact}_{column}"
                text.append(f"  - {{name: {name}, version: 1, owner: o, description: d, type: {aggregate},")
                text.append(f"     dataset: {fact}, column: {column}, time_field: {fact}_day}}")
    return "\n".join(text) + "\n"


@pytest.fixture(scope="module")
def layer() -> Layer:
    return load_text(definitions())


@pytest.fixture(scope="module")
def engines(postgres_server: Server) -> Iterator[BothEngines]:
    with both_engines(postgres_server) as both:
        both.execute(TABLES)
        yield both


def figures(engines: BothEngines, layer: Layer, engine: str, *names: str) -> dict[str, dict[object, str]]:
    """Return each figure by month as an engine writes it, type and scale and all."""
    raw = {"metrics": list(names), "time": WINDOW}
    text = sql_of(resolved_of(raw, layer), layer, engine)
    with engines.postgres.cursor() as cursor:
        rows = (
            engines.duckdb.execute(text).fetchall()
            if engine == "duckdb"
            else cursor.execute(text.encode()).fetchall()
        )
    return {
        name: {row[0]: repr(row[at]) for row in rows if row[at] is not None}
        for at, name in enumerate(names, 1)
    }


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_a_figure_is_the_same_alone_and_beside_any_other(
    engine: str, aggregate: str, engines: BothEngines, layer: Layer
) -> None:
    names = [f"{aggregate}_{fact}_{column}" for fact, columns in KINDS.items() for column in columns]
    alone = {name: figures(engines, layer, engine, name)[name] for name in names}
    for pair in (*combinations(names, 2), tuple(names), tuple(reversed(names))):
        assert figures(engines, layer, engine, *pair) == {name: alone[name] for name in pair}
