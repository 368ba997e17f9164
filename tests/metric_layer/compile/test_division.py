"""Divisions of decimals: right to the tenth place on DuckDB and PostgreSQL, never a float in between."""

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.both_engines import BothEngines, Rows, sql_of
from tests.metric_layer.trap_shop import resolved_of

LAYER = """
datasets:
  - name: sums
    relation: main.sums
    columns:
      - {name: kind, type: string}
      - {name: day, type: date}
      - {name: top, type: decimal}
      - {name: below, type: decimal}
      - {name: many, type: integer}
      - {name: rough, type: float}
dimensions:
  - {name: kind, dataset: sums, column: kind}
  - {name: on_day, dataset: sums, column: day}
metrics:
  - {name: tops, version: 1, owner: o, description: d, type: sum, dataset: sums, column: top,
     time_field: on_day}
  - {name: belows, version: 1, owner: o, description: d, type: sum, dataset: sums, column: below}
  - {name: manys, version: 1, owner: o, description: d, type: sum, dataset: sums, column: many}
  - {name: mean, version: 1, owner: o, description: d, type: avg, dataset: sums, column: top}
  - {name: mean_many, version: 1, owner: o, description: d, type: avg, dataset: sums, column: many}
  - {name: mean_a, version: 1, owner: o, description: d, type: avg, dataset: sums, column: top,
     filters: [{field: kind, op: eq, values: [a]}]}
  - {name: share, version: 1, owner: o, description: d, type: ratio, numerator: tops, denominator: belows}
  - {name: each, version: 1, owner: o, description: d, type: ratio, numerator: tops, denominator: manys}
  - {name: of_share, version: 1, owner: o, description: d, type: derived, expression: (share + mean) / 3}
  - {name: in_row, version: 1, owner: o, description: d, type: sum, dataset: sums,
     expression: (top + 1) / below}
  - {name: growth, version: 1, owner: o, description: d, type: period_over_period, metric: tops,
     calculation: growth, offset: {count: 1, unit: month}}
  - {name: rough_mean, version: 1, owner: o, description: d, type: avg, dataset: sums, column: rough}
"""
TABLE = """CREATE TABLE sums (kind VARCHAR, day DATE, top DECIMAL(30, 4), below DECIMAL(30, 6), many BIGINT,
  rough DOUBLE PRECISION)"""
EXACT = Context(prec=200, rounding=ROUND_HALF_UP)
PLACE = Decimal("1e-10")
Line = tuple[str, str, Decimal | None, Decimal | None, int | None, float | None]


def quotient(top: Decimal | int, below: Decimal | int) -> Decimal | None:
    """Return a division as arithmetic on paper does it, to ten places; None over zero."""
    if not below:
        return None
    return EXACT.quantize(EXACT.divide(Decimal(top), Decimal(below)), PLACE)


@pytest.fixture(scope="module")
def layer() -> Layer:
    loaded = load_text(LAYER)
    assert isinstance(loaded, Layer), loaded
    return loaded


@pytest.fixture(scope="module")
def table(both: BothEngines) -> Iterator[BothEngines]:
    both.execute(TABLE)
    yield both


def asked(table: BothEngines, layer: Layer, lines: Sequence[Line], *metrics: str, **plan: object) -> Rows:
    """Fill the table and ask both engines, whose answers are equal."""
    table.execute("DELETE FROM sums")
    table.insert("sums", lines)
    return table.rows({"metrics": list(metrics), **plan}, layer)


def line(top: str | None, below: str | None = "1", many: int | None = 1, kind: str = "a") -> Line:
    decimals = [None if each is None else Decimal(each) for each in (top, below)]
    return (kind, "2026-07-01", decimals[0], decimals[1], many, 0.5)


def decimals(digits: int, places: int) -> st.SearchStrategy[Decimal]:
    limit = 10**digits - 1
    return st.integers(-limit, limit).map(lambda number: Decimal(number).scaleb(-places, EXACT))


def test_the_mean_of_a_number_twice_is_the_number(layer: Layer, table: BothEngines) -> None:
    large = "12345678901234567.8901"
    assert asked(table, layer, [line("1000000007"), line("1000000007")], "mean") == [(1000000007,)]
    assert asked(table, layer, [line(large), line(large)], "mean") == [(Decimal(large),)]


@settings(deadline=None)
@given(st.lists(st.tuples(decimals(20, 4), st.integers(-(10**14), 10**14)), min_size=1, max_size=5))
@example([(Decimal("0.0001"), 3), (Decimal("-0.0002"), 1)])
def test_averages_are_right_to_the_tenth_place(
    layer: Layer, table: BothEngines, values: list[tuple[Decimal, int]]
) -> None:
    lines: list[Line] = [("a", "2026-07-01", top, Decimal(1), many, None) for top, many in values]
    lines.append(("b", "2026-07-01", None, None, None, None))
    tops, manys = EXACT.create_decimal(0), sum(many for _, many in values)
    for top, _ in values:
        tops = EXACT.add(tops, top)
    found = asked(table, layer, lines, "mean", "mean_a", "mean_many", "each")
    mean = quotient(tops, len(values))
    assert found == [(mean, mean, quotient(manys, len(values)), quotient(tops, manys))]


@settings(deadline=None)
@given(decimals(20, 4), decimals(22, 6), decimals(8, 4), decimals(8, 6))
@example(Decimal("0.0001"), Decimal("2000000"), Decimal(5), Decimal(0))
@example(Decimal("-0.0001"), Decimal("2000000"), Decimal(-1), Decimal("0.000001"))
def test_ratios_of_decimals_are_right_to_the_tenth_place(
    layer: Layer, table: BothEngines, top: Decimal, below: Decimal, small: Decimal, tiny: Decimal
) -> None:
    for over, under in ((top, below), (small, tiny), (top, 1 + abs(tiny)), (small, below)):
        found = asked(table, layer, [("a", "2026-07-01", over, under, 1, None)], "share", "in_row")
        assert found == [(quotient(over, under), quotient(EXACT.add(over, 1), under))], (over, under)


def test_a_division_by_zero_or_by_nothing_is_nothing(layer: Layer, table: BothEngines) -> None:
    names = ("share", "each", "of_share", "in_row")
    assert asked(table, layer, [line("5", "0", 0)], *names) == [(None,) * 4]
    assert asked(table, layer, [line("5", None, None)], *names) == [(None,) * 4]
    assert asked(table, layer, [line(None)], "share", "mean") == [(None, None)]


def test_a_quotient_divided_again_keeps_its_digits(layer: Layer, table: BothEngines) -> None:
    found = asked(table, layer, [line("1000000000001.0001", "7")], "of_share")
    inner = quotient(Decimal("1000000000001.0001"), 7)
    assert inner is not None
    assert found == [(quotient(EXACT.add(inner, Decimal("1000000000001.0001")), 3),)]


def test_growth_is_exact_on_large_sums(layer: Layer, table: BothEngines) -> None:
    before, now = Decimal("999999999999999.9999"), Decimal("999999999999999.9998")
    lines: list[Line] = [("a", "2026-06-01", before, None, 1, None), ("a", "2026-07-01", now, None, 1, None)]
    july = {"from": "2026-07-01", "to": "2026-07-31", "grain": "month"}
    found = asked(table, layer, lines, "growth", time=july)
    assert [row[1] for row in found] == [quotient(now - before, before)]


def test_a_float_column_stays_a_float(layer: Layer, table: BothEngines) -> None:
    assert asked(table, layer, [line("1"), line("1")], "rough_mean") == [(0.5,)]


def test_more_digits_than_the_engine_has_are_an_error_not_a_figure(layer: Layer, table: BothEngines) -> None:
    table.execute("DELETE FROM sums")
    table.insert("sums", [line("99999999999999999999999999.9999", "99999999999999999999999.999999")])
    text = sql_of(resolved_of({"metrics": ["share"]}, layer), layer, "duckdb")
    with pytest.raises(duckdb.OutOfRangeException):
        table.duckdb.execute(text).fetchall()
