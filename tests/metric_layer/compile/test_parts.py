"""Parts set side by side: a figure is the same value of the same type alone and beside any others."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from metric_layer.definitions import NUMERIC_TYPES
from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.both_engines import BothEngines, both_engines, sql_of, whole
from tests.metric_layer.trap_shop import resolved_of
from tests.servers.postgres import Server

pytestmark = pytest.mark.engine("postgres")

TABLES = """
CREATE TABLE main.coins (day DATE, place VARCHAR(9), cents DECIMAL(18, 2), grams DECIMAL(18, 6),
  pieces SMALLINT, serial BIGINT, wide DECIMAL(30, 0), rough DOUBLE PRECISION, thin REAL,
  mark CHAR(4), word VARCHAR(9), struck DATE, seen TIMESTAMP, sent TIMESTAMPTZ);
CREATE TABLE main.notes (day DATE, place VARCHAR, cents DECIMAL(18, 2), grams DECIMAL(18, 6), pieces INTEGER,
  serial BIGINT, wide DECIMAL(30, 0), rough DOUBLE PRECISION, thin REAL, mark CHAR(2), word VARCHAR,
  struck DATE, seen TIMESTAMP, sent TIMESTAMPTZ);
INSERT INTO main.coins VALUES
  ('2026-01-05', 'Kiel', 1.25, 7.123456, 3, 5000000000, 100000000000000000001, 0.1, 0.1, 'a', 'B',
   '2025-01-01', '2026-01-05 10:00:00.123456', '2026-01-05 10:00:00+00'),
  ('2026-01-06', NULL, 2.50, 0.000001, 1, 5000000001, 7, 0.2, 16777217, 'bc', 'a', '2024-02-29', NULL, NULL),
  ('2026-02-01', 'Kiel', NULL, 3.5, NULL, 1, NULL, NULL, 1, NULL, '', NULL, NULL, '2026-02-01 23:30:00+00');
INSERT INTO main.notes VALUES
  ('2026-01-07', 'Kiel', 20.00, 0.333333, 2, 6000000000, 3, 0.7, 0.3, 'z', 'ä', '2026-01-01',
   '2026-01-07 00:00:00', '2026-01-07 00:00:00+00'),
  ('2026-03-01', 'Bonn', 50.05, 0.111111, 4, 6000000001, 200000000000000000003, 0.9, 0.7, NULL,
   'Z', '2026-02-02', NULL, NULL);
"""
TYPES = {
    "cents": "decimal", "grams": "decimal", "pieces": "integer", "serial": "integer", "wide": "integer",
    "rough": "float", "thin": "float", "mark": "string", "word": "string", "struck": "date", "day": "date",
    "seen": "timestamp", "sent": "timestamptz", "place": "string",
}  # fmt: skip
FACTS = ("coins", "notes")
COLUMNS = tuple(name for name in TYPES if name not in ("day", "place"))
AGGREGATES = ("sum", "min", "max", "avg", "median", "count", "count_distinct")
WINDOW = {"from": "2026-01-01", "to": "2026-03-31", "grain": "month"}


def can(aggregate: str, column: str) -> bool:
    return aggregate in ("min", "max", "count", "count_distinct") or TYPES[column] in NUMERIC_TYPES


def definitions() -> str:
    """Return two facts with a figure of every aggregate over every column that has it."""
    text = ["datasets:"]
    for fact in FACTS:
        shown = ", ".join(f"{{name: {name}, type: {kind}}}" for name, kind in TYPES.items())
        text.append(f"  - {{name: {fact}, relation: main.{fact}, columns: [{shown}]}}")
    text.append("dimensions:")
    text += [f"  - {{name: {fact}_day, dataset: {fact}, column: day}}" for fact in FACTS]
    text.append("clocks:\n  - {name: made_on, fields: [coins_day, notes_day]}\nmetrics:")
    for fact in FACTS:
        for column in COLUMNS:
            for aggregate in AGGREGATES:
                if can(aggregate, column):
                    name = f"{aggregate}_{fact}_{column}"
                    text.append(
                        f"  - {{name: {name}, version: 1, owner: o, description: d, type: {aggregate},"
                    )
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
    """Return each figure by month as an engine writes it, type and scale and all.

    Whole numbers are ints, as in every table that a plan gives.
    """
    resolved = resolved_of({"metrics": list(names), "time": WINDOW}, layer)
    kinds = [output.type for output in resolved.outputs]
    text = sql_of(resolved, layer, engine)
    with engines.postgres.cursor() as cursor:
        rows = (
            engines.duckdb.execute(text).fetchall()
            if engine == "duckdb"
            else cursor.execute(text.encode()).fetchall()
        )
    return {
        name: {row[0]: repr(whole(row[at], kinds[at])) for row in rows if row[at] is not None}
        for at, name in enumerate(names, 1)
    }


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_a_figure_is_the_same_alone_and_beside_any_other(
    engine: str, aggregate: str, engines: BothEngines, layer: Layer
) -> None:
    names = [f"{aggregate}_{fact}_{column}" for fact in FACTS for column in COLUMNS if can(aggregate, column)]
    alone = {name: figures(engines, layer, engine, name)[name] for name in names}
    for pair in (*combinations(names, 2), tuple(names), tuple(reversed(names))):
        assert figures(engines, layer, engine, *pair) == {name: alone[name] for name in pair}


def test_figures_of_every_kind_side_by_side_are_those_of_both_engines(
    engines: BothEngines, layer: Layer
) -> None:
    names = [name for name in layer.metrics if "_thin" not in name or "count" in name]
    for start in range(0, len(names), 25):
        assert engines.rows({"metrics": names[start : start + 25], "time": WINDOW}, layer)


def test_a_sum_of_thin_floats_is_made_in_wide_ones(engines: BothEngines, layer: Layer) -> None:
    found = engines.rows({"metrics": ["sum_coins_thin", "sum_notes_thin"], "time": WINDOW}, layer)
    assert found[1][1] == 1.0
    assert found[0][1] == pytest.approx(16777216.1, abs=1e-6)
