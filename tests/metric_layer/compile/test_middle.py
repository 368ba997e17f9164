"""Medians and percentiles: exact, the same on every engine, an actual value where the definition says so."""

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.compile import compile_plan
from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.both_engines import BothEngines
from tests.metric_layer.ledger import ledger
from tests.metric_layer.ledger_tables import LEDGER_TABLES
from tests.metric_layer.trap_shop import resolved_of

EXTRA = """
  - {name: cents_median, version: 1, owner: o, description: d, type: median, dataset: payments,
     column: cents, time_field: paid_on}
  - {name: rate_median, version: 1, owner: o, description: d, type: median, dataset: payments,
     column: rate, time_field: paid_on}
  - {name: lowest, version: 1, owner: o, description: d, type: percentile, percentile: 0.01,
     dataset: payments, column: fee, time_field: paid_on}
  - {name: highest, version: 1, owner: o, description: d, type: percentile, percentile: 0.99,
     dataset: payments, column: fee, time_field: paid_on}
"""


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger(EXTRA)


@pytest.fixture(scope="module")
def tables(both: BothEngines) -> Iterator[BothEngines]:
    both.execute(LEDGER_TABLES)
    both.execute("CREATE TABLE marks (list INTEGER, mark DECIMAL(12, 2))")
    yield both


def test_a_median_of_an_even_count_is_the_mean_of_the_middle_two(layer: Layer, tables: BothEngines) -> None:
    plan = {"metrics": ["fee_median", "fee_p90", "lowest", "highest"], "dimensions": ["currency"]}
    assert tables.rows(plan, layer) == [("EUR", 8, 32, 1, 32), ("USD", 34, 64, 4, 64)]


def test_a_median_of_nothing_is_nothing(layer: Layer, tables: BothEngines) -> None:
    plan = {"metrics": ["fee_median", "fee_p90"], "time": {"from": "2020-01-01", "to": "2020-01-02"}}
    assert tables.rows(plan, layer) == [(None, None)]


def test_two_large_whole_numbers_have_a_middle(layer: Layer, tables: BothEngines) -> None:
    large = {"field": "fee_amount", "op": "in", "values": [2, 16]}
    plan = {"metrics": ["cents_median"], "filters": [large]}
    assert tables.rows(plan, layer) == [(Decimal("20000000.02"),)]


def test_a_median_of_floats_is_one(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows({"metrics": ["rate_median"]}, layer) == [(3.5,)]


def test_cents_are_told_in_their_unit(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows({"metrics": ["paid_usd", "paid_eur"]}, layer) == [
        (Decimal("3.39"), Decimal("40000001.61"))
    ]


def test_an_approximate_count_is_exact_where_the_engine_has_none(layer: Layer, tables: BothEngines) -> None:
    plan = resolved_of({"metrics": ["payers"]}, layer)
    exact = compile_plan(plan, layer, "postgres", 10).sql(dialect="postgres")
    assert tables.postgres.execute(exact.encode()).fetchall() == [(4,)]
    rough = compile_plan(plan, layer, "duckdb", 10).sql(dialect="duckdb")
    assert "APPROX_COUNT_DISTINCT" in rough and tables.duckdb.execute(rough).fetchone() == (4,)


MARKS = """
datasets:
  - name: marks
    relation: marks
    columns: [{name: list, type: integer}, {name: mark, type: decimal}]
dimensions:
  - {name: list, dataset: marks, column: list}
metrics:
  - {name: middle, version: 1, owner: o, description: d, type: median, dataset: marks, column: mark}
"""


def ranked(hundredths: int) -> Layer:
    """Return the marks with a percentile beside the median."""
    return load_text(
        MARKS + "  - {name: ranked, version: 1, owner: o, description: d, type: percentile, dataset: marks,"
        f" column: mark, percentile: {hundredths / 100:.2f}}}\n"
    )


@pytest.mark.parametrize("hundredths", [1, 7, 14, 28, 55, 56, 90, 99])
def test_a_rank_is_counted_in_whole_rows(hundredths: int, tables: BothEngines) -> None:
    tables.execute("DELETE FROM marks")
    tables.insert("marks", [(0, mark) for mark in range(1, 101)])
    assert tables.rows({"metrics": ["ranked"]}, ranked(hundredths)) == [(hundredths,)]


LISTS = st.lists(
    st.lists(st.decimals(-999, 999, places=2) | st.none(), min_size=1, max_size=9), min_size=1, max_size=4
)


@settings(max_examples=25, deadline=None)
@given(lists=LISTS, hundredths=st.integers(1, 99))
def test_random_lists_have_the_middle_and_the_nearest_rank(
    tables: BothEngines, lists: list[list[Decimal | None]], hundredths: int
) -> None:
    tables.execute("DELETE FROM marks")
    tables.insert("marks", [(at, mark) for at, marks in enumerate(lists) for mark in marks])
    fraction = Fraction(hundredths, 100)
    found = tables.rows({"metrics": ["middle", "ranked"], "dimensions": ["list"]}, ranked(hundredths))
    assert found == [(at, *told(marks, fraction)) for at, marks in enumerate(lists)]


def told(marks: list[Decimal | None], fraction: Fraction) -> tuple[Decimal | None, Decimal | None]:
    """The mean of the middle two, and the value at the nearest rank, in whole numbers of rows."""
    known = sorted(mark for mark in marks if mark is not None)
    if not known:
        return None, None
    count = len(known)
    return (known[(count - 1) // 2] + known[count // 2]) / 2, known[math.ceil(fraction * count) - 1]
