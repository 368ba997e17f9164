"""Values, orders and names at their edges: PostgreSQL and DuckDB read, compare and sort them alike."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.both_engines import BothEngines, both_engines
from tests.servers.postgres import Server

EDGES = """
CREATE TABLE edges (
  id INTEGER, name VARCHAR, small SMALLINT, whole INTEGER, large BIGINT, amount DECIMAL(12, 4),
  ratio DOUBLE PRECISION, ok BOOLEAN, day DATE, moment TIMESTAMP);
INSERT INTO edges VALUES
  (1, 'apple', 1, 10, 9007199254740993, 10.0000, 0.1, TRUE, '2024-02-29', '2024-02-29 23:59:59.999999'),
  (2, 'Apple', -1, -10, -9007199254740993, -10.0001, -0.1, FALSE, '2024-03-01', '2024-03-01 00:00:00'),
  (3, 'Zoë', 0, 0, 0, 0.0000, 0, NULL, '2023-12-31', '2023-12-31 23:59:59.999999'),
  (4, 'zebra', 32767, 2147483647, 9223372036854775807, 99999999.9999, 1e5, TRUE, '2024-01-01',
   '2024-01-01 00:00:00.000001'),
  (5, '_', -32768, -2147483648, -9223372036854775807, -99999999.9999, -1e5, FALSE, '2026-12-31',
   '2026-12-31 12:00:00'),
  (6, '', 7, 7, 7, 7.0, 7, TRUE, '2027-01-01', '2027-01-01 00:00:00'),
  (7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (8, '100% ''quoted'' \\ "text"', 8, 8, 8, 8.8888, 0.30000000000000004, FALSE, '2026-10-25',
   '2026-10-25 02:30:00'),
  (9, 'ångström', 9, 9, 9, 9.9999, 2.5, NULL, '2026-03-29', '2026-03-29 02:30:00'),
  (10, 'apple', 1, 10, 1, 10.0000, 0.1, TRUE, '2020-12-28', '2021-01-03 23:59:59');
"""
LAYER = """
calendar: {fiscal_start_month: 10, week_start: sunday}
datasets:
  - name: edges
    relation: main.edges
    primary_key: [id]
    columns:
      - {name: id, type: integer}
      - {name: name, type: string}
      - {name: small, type: integer}
      - {name: whole, type: integer}
      - {name: large, type: integer}
      - {name: amount, type: decimal}
      - {name: ratio, type: float}
      - {name: ok, type: boolean}
      - {name: day, type: date}
      - {name: moment, type: timestamp}
dimensions:
  - {name: id, dataset: edges, column: id}
  - {name: name, dataset: edges, column: name}
  - {name: small, dataset: edges, column: small}
  - {name: whole, dataset: edges, column: whole}
  - {name: large, dataset: edges, column: large}
  - {name: amount, dataset: edges, column: amount}
  - {name: ratio, dataset: edges, column: ratio}
  - {name: ok, dataset: edges, column: ok}
  - {name: on_day, dataset: edges, column: day}
  - {name: moment, dataset: edges, column: moment}
metrics:
  - {name: rows, version: 1, owner: o, description: d, type: count, dataset: edges, time_field: on_day}
  - {name: lines, version: 1, owner: o, description: d, type: count, dataset: edges, column: name,
     time_field: moment}
  - {name: large_sum, version: 1, owner: o, description: d, type: sum, dataset: edges, column: large}
  - {name: small_sum, version: 1, owner: o, description: d, type: sum, dataset: edges, column: small}
  - {name: amount_sum, version: 1, owner: o, description: d, type: sum, dataset: edges, column: amount}
  - {name: amount_avg, version: 1, owner: o, description: d, type: avg, dataset: edges, column: amount}
  - {name: whole_avg, version: 1, owner: o, description: d, type: avg, dataset: edges, column: whole}
  - {name: ratio_avg, version: 1, owner: o, description: d, type: avg, dataset: edges, column: ratio}
  - {name: ratio_sum, version: 1, owner: o, description: d, type: sum, dataset: edges, column: ratio}
  - {name: names, version: 1, owner: o, description: d, type: count_distinct, dataset: edges, column: name}
  - {name: first_name, version: 1, owner: o, description: d, type: min, dataset: edges, column: name}
  - {name: last_name, version: 1, owner: o, description: d, type: max, dataset: edges, column: name}
  - {name: last_day, version: 1, owner: o, description: d, type: max, dataset: edges, column: day}
  - {name: last_at, version: 1, owner: o, description: d, type: max, dataset: edges, column: moment}
"""

VALUES: dict[str, list[Any]] = {
    "name": ["apple", "Apple", "Zoë", "", "_", "100% 'quoted' \\ \"text\"", "nobody"],
    "small": [1, -32768, 40000],
    "whole": [10, 0, -2147483648, 2147483648],
    "large": [9007199254740993, 9223372036854775807, 99999999999999999999],
    "amount": [Decimal("10"), Decimal("-10.0001"), Decimal("10.00001")],
    "ratio": [Decimal("0.1"), Decimal("0.3"), 7],
    "ok": [True, False],
    "on_day": ["2024-02-29", "2024-01-01"],
    "moment": ["2024-01-01T00:00:00.000001", "2024-03-01T00:00:00", "2026-10-25T02:30:00"],
}
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
WINDOW = {"from": "2020-01-01", "to": "2027-12-31"}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return load_text(LAYER)


@pytest.fixture(scope="module")
def edges(both: BothEngines) -> BothEngines:
    both.execute(EDGES)
    return both


def asked(field: str, op: str, *values: object) -> dict[str, object]:
    return {
        "metrics": ["rows"],
        "dimensions": ["id"],
        "filters": [{"field": field, "op": op, "values": list(values)}],
    }


@pytest.mark.parametrize("field", VALUES)
def test_every_operator_keeps_the_same_rows(field: str, layer: Layer, edges: BothEngines) -> None:
    values = VALUES[field]
    ops = COMPARISONS[:2] if field == "ok" else COMPARISONS
    kept = [edges.rows(asked(field, op, value), layer) for op in ops for value in values]
    kept.extend(edges.rows(asked(field, op, *values), layer) for op in ("in", "not_in"))
    if field != "ok":
        kept.append(edges.rows(asked(field, "between", min(values), max(values)), layer))
    assert len({str(rows) for rows in kept}) > 2
    missing, present = (edges.rows(asked(field, op), layer) for op in ("is_null", "not_null"))
    assert len(missing) + len(present) == 10
    assert missing


@pytest.mark.parametrize("op", ["eq", "lt", "le", "gt", "ge"])
def test_a_day_asked_of_a_timestamp_is_the_whole_day(op: str, layer: Layer, edges: BothEngines) -> None:
    for day in ("2024-02-29", "2023-12-31", "2024-01-01"):
        assert edges.rows(asked("moment", op, day), layer)


@pytest.mark.parametrize("dimensions", [[], ["ok"], ["name"], ["ok", "whole"]])
def test_every_aggregate_over_every_type_is_the_same(
    dimensions: list[str], layer: Layer, edges: BothEngines
) -> None:
    metrics = list(layer.metrics)
    rows = edges.rows({"metrics": metrics, "dimensions": dimensions}, layer)
    assert len(rows) == (1 if not dimensions else len({row[: len(dimensions)] for row in rows}))
    for metric in metrics:
        assert len(edges.rows({"metrics": [metric], "dimensions": dimensions}, layer)) == len(rows)


@pytest.mark.parametrize("field", [*(name for name in VALUES if name != "moment"), "id"])
@pytest.mark.parametrize("direction", ["asc", "desc"])
def test_missing_values_come_last_and_ties_are_settled_alike(
    field: str, direction: str, layer: Layer, edges: BothEngines
) -> None:
    order = {"by": field, "dir": direction}
    plan: dict[str, object] = {"metrics": ["rows"], "dimensions": [field], "order": order}
    rows = edges.rows(plan, layer)
    if field != "id":
        assert rows[-1][0] is None
    ties: dict[str, object] = {
        "metrics": ["rows", "amount_sum"],
        "dimensions": list(dict.fromkeys(["ok", field])),
        "order": {"by": "rows", "dir": direction},
    }
    whole = edges.rows(ties, layer)
    for limit in (1, 3, 5):
        assert edges.rows({**ties, "limit": limit}, layer)[:limit] == whole[:limit]


@pytest.mark.parametrize("clock", ["on_day", "moment"])
@pytest.mark.parametrize(
    "grain", ["day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"]
)
def test_every_bucket_begins_on_the_same_day(
    grain: str, clock: str, layer: Layer, edges: BothEngines
) -> None:
    time = {**WINDOW, "field": clock, "grain": grain}
    rows = edges.rows({"metrics": ["rows", "amount_sum"], "time": time}, layer)
    assert sum(int(str(row[1])) for row in rows) == 9


CALENDARS = [
    *(("week", f"week_start: {day}") for day in ("monday", "sunday", "saturday")),
    *(
        (grain, f"fiscal_start_month: {month}")
        for grain in ("fiscal_quarter", "fiscal_year")
        for month in (1, 2, 4, 7, 10, 12)
    ),
]
DAYS_LAYER = """
datasets:
  - {name: days, relation: days, primary_key: [day],
     columns: [{name: day, type: date}, {name: moment, type: timestamp}]}
dimensions: [{name: on_day, dataset: days, column: day}, {name: at, dataset: days, column: moment}]
metrics: [{name: rows, version: 1, owner: o, description: d, type: count, dataset: days, time_field: on_day}]
"""


@pytest.fixture(scope="module")
def days(both: BothEngines) -> BothEngines:
    """Every day of twelve years, with its last moment."""
    both.execute(
        """CREATE TABLE days AS SELECT CAST(d AS DATE) AS day,
                  d + INTERVAL '1 day' - INTERVAL '1 microsecond' AS moment
           FROM generate_series(TIMESTAMP '2020-01-01', TIMESTAMP '2031-12-31', INTERVAL '1 day') s(d)"""
    )
    return both


@pytest.mark.parametrize(("grain", "rule"), CALENDARS)
def test_every_day_of_twelve_years_falls_into_the_same_bucket(
    grain: str, rule: str, days: BothEngines
) -> None:
    layer = load_text(f"calendar: {{{rule}}}\n{DAYS_LAYER}")
    window = {"from": "2020-01-01", "to": "2031-12-31", "grain": grain}
    by_clock = [
        days.rows({"metrics": ["rows"], "time": {**window, "field": clock}}, layer)
        for clock in ("on_day", "at")
    ]
    assert by_clock[0] == by_clock[1]
    assert sum(int(str(row[1])) for row in by_clock[0]) == 4383


def test_the_time_zone_of_a_session_moves_no_day(postgres_server: Server, edges: BothEngines) -> None:
    layer = load_text(LAYER)
    with both_engines(postgres_server, session="-c timezone=America/Asuncion") as elsewhere:
        elsewhere.execute(EDGES)
        for clock in ("on_day", "moment"):
            for grain in ("day", "week", "month", "quarter", "fiscal_year"):
                time = {**WINDOW, "field": clock, "grain": grain}
                plan: dict[str, object] = {"metrics": ["rows", "last_at", "last_day"], "time": time}
                assert elsewhere.rows(plan, layer) == edges.rows(plan, layer)


QUOTIENTS = """
datasets:
  - {name: parts, relation: parts, primary_key: [id], columns: [{name: id, type: integer},
     {name: amount, type: decimal}, {name: pieces, type: integer}]}
dimensions: [{name: id, dataset: parts, column: id}]
metrics:
  - {name: amount, version: 1, owner: o, description: d, type: sum, dataset: parts, column: amount}
  - {name: pieces, version: 1, owner: o, description: d, type: sum, dataset: parts, column: pieces}
  - {name: price, version: 1, owner: o, description: d, type: ratio, numerator: amount, denominator: pieces}
  - {name: per_unit, version: 1, owner: o, description: d, type: ratio, numerator: pieces,
     denominator: amount}
  - {name: mean, version: 1, owner: o, description: d, type: avg, dataset: parts, column: amount}
"""


@pytest.fixture(scope="module")
def parts(both: BothEngines) -> BothEngines:
    both.execute("CREATE TABLE parts (id INTEGER, amount DECIMAL(18, 2), pieces INTEGER)")
    return both


@settings(max_examples=25)
@given(
    rows=st.lists(
        st.tuples(
            st.decimals(Decimal("-1e15"), Decimal("1e15"), places=2),
            st.integers(-2_000_000_000, 2_000_000_000),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_a_quotient_is_right_to_ten_places_or_fifteen_digits(
    rows: list[tuple[Decimal, int]], parts: BothEngines
) -> None:
    parts.execute("DELETE FROM parts")
    parts.insert("parts", [(number, *row) for number, row in enumerate(rows)])
    plan: dict[str, object] = {"metrics": ["price", "per_unit"], "dimensions": ["id"]}
    for (amount, pieces), (_, price, per_unit) in zip(
        rows, parts.rows(plan, load_text(QUOTIENTS)), strict=True
    ):
        for found, above, below in ((price, amount, pieces), (per_unit, pieces, amount)):
            truth = Fraction(above) / Fraction(below) if below else None
            assert (found is None) == (truth is None)
            if isinstance(found, Decimal) and truth is not None:
                assert abs(Fraction(found) - truth) <= max(Fraction(1, 10**10), abs(truth) / 10**15)
    means = parts.rows({"metrics": ["mean", "price"]}, load_text(QUOTIENTS))
    assert len(means) == 1
