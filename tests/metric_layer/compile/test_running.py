"""Running figures and earlier periods: each bucket counts its own days, and none counts a day twice."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal

import pytest

from metric_layer.layer import Layer
from tests.metric_layer.both_engines import BothEngines
from tests.metric_layer.ledger import LEDGER, ledger
from tests.metric_layer.ledger_tables import LEDGER_TABLES

JAN, FEB, MAR, APR = (date(2026, month, 1) for month in (1, 2, 3, 4))
MONTHS = {"from": "2026-01-01", "to": "2026-04-30", "grain": "month"}
EXTRA = """
  - {name: payers_ever, version: 1, owner: o, description: d, type: cumulative, metric: payers_exact}
  - {name: payers_exact, version: 1, owner: o, description: d, type: count_distinct, dataset: payments,
     column: account_id, time_field: paid_on}
  - {name: median_ever, version: 1, owner: o, description: d, type: cumulative, metric: fee_median}
  - {name: euro_fees, version: 1, owner: o, description: d, type: filtered, metric: fees,
     filters: [{field: currency, op: eq, values: [EUR]}]}
  - {name: euro_ever, version: 1, owner: o, description: d, type: cumulative, metric: euro_fees}
  - {name: fees_quarter_ago, version: 1, owner: o, description: d, type: period_over_period, metric: fees,
     offset: {count: 1, unit: quarter}, calculation: value}
  - {name: fees_week_ago, version: 1, owner: o, description: d, type: period_over_period, metric: fees,
     offset: {count: 1, unit: week}, calculation: value}
"""


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger(EXTRA)


@pytest.fixture(scope="module")
def tables(both: BothEngines) -> Iterator[BothEngines]:
    both.execute(LEDGER_TABLES)
    yield both


def asked(*metrics: str, window: Mapping[str, object] | None = None, **more: object) -> dict[str, object]:
    return {"metrics": list(metrics), "time": window or MONTHS, **more}


def day(text: str) -> dict[str, object]:
    return {"from": text, "to": text}


def test_a_figure_since_ever_holds_everything_up_to_the_end_of_each_bucket(
    layer: Layer, tables: BothEngines
) -> None:
    assert tables.rows(asked("fees_ever"), layer) == [(JAN, 3), (FEB, 15), (MAR, 31), (APR, 63)]


def test_a_figure_to_date_starts_with_its_period(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("fees_to_date"), layer) == [(JAN, 2), (FEB, 14), (MAR, 30), (APR, 62)]


def test_a_trailing_window_ends_with_each_bucket(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("fees_28"), layer) == [(JAN, 2), (FEB, 12), (MAR, 16), (APR, 32)]


def test_without_a_grain_one_range_ends_with_the_window(layer: Layer, tables: BothEngines) -> None:
    window = {"from": "2026-02-10", "to": "2026-03-31"}
    assert tables.rows(asked("fees_ever", "fees_to_date", "fees_28", window=window), layer) == [(31, 30, 16)]


def test_trailing_windows_of_days_overlap(layer: Layer, tables: BothEngines) -> None:
    window: dict[str, object] = {"from": "2026-02-27", "to": "2026-03-01", "grain": "day"}
    assert tables.rows(asked("fees_28", window=window), layer) == [
        (date(2026, 2, 27), 2 + 4),
        (date(2026, 2, 28), 4 + 8),
        (date(2026, 3, 1), 8),
    ]


def test_groups_appear_with_their_first_row(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("fees_ever", dimensions=["branch"]), layer) == [
        (JAN, "north", 3),
        (FEB, "north", 7),
        (FEB, "south", 8),
        (MAR, "north", 23),
        (MAR, "south", 8),
        (APR, "north", 23),
        (APR, "south", 8),
        (APR, None, 32),
    ]


def test_different_values_and_medians_are_told_over_all_rows_so_far(
    layer: Layer, tables: BothEngines
) -> None:
    assert tables.rows(asked("payers_ever", "median_ever"), layer) == [
        (JAN, 1, Decimal("1.5")),
        (FEB, 3, 3),
        (MAR, 3, 4),
        (APR, 4, 6),
    ]


def test_a_filter_of_the_figure_stays_with_it(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("euro_ever", "fees_ever"), layer) == [
        (JAN, 3, 3),
        (FEB, 11, 15),
        (MAR, 27, 31),
        (APR, 59, 63),
    ]


def test_a_ratio_of_running_figures_is_taken_after_both(layer: Layer, tables: BothEngines) -> None:
    window = {"from": "2026-02-28", "to": "2026-02-28"}
    assert tables.rows(asked("fee_each_28", window=window), layer) == [(6,)]


def test_months_are_held_against_the_month_before(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("fees", "fees_last_month", "fees_change", "fees_growth"), layer) == [
        (JAN, 2, 1, 1, 1),
        (FEB, 12, 2, 10, 5),
        (MAR, 16, 12, 4, Decimal("0.3333333333")),
        (APR, 32, 16, 16, 1),
    ]


def test_a_quarter_ago_is_three_months_for_every_bucket(layer: Layer, tables: BothEngines) -> None:
    assert tables.rows(asked("fees_quarter_ago"), layer) == [(MAR, 1), (APR, 2)]


@pytest.mark.parametrize(
    ("window", "earlier"),
    [
        ({"from": "2026-02-01", "to": "2026-02-28"}, 2),
        (day("2026-02-28"), 2),
        (day("2026-03-31"), 8),
        (day("2026-03-30"), 8),
        ({"from": "2026-03-01", "to": "2026-03-27"}, 4),
    ],
)
def test_a_window_shifted_by_a_month_keeps_to_the_last_day(
    layer: Layer, tables: BothEngines, window: dict[str, object], earlier: int
) -> None:
    assert tables.rows(asked("fees_last_month", window=window), layer) == [(earlier,)]


def test_days_without_a_counterpart_have_no_earlier_value(layer: Layer, tables: BothEngines) -> None:
    window: dict[str, object] = {"from": "2026-03-28", "to": "2026-03-31", "grain": "day"}
    assert tables.rows(asked("fees", "fees_last_month", window=window), layer) == [
        (date(2026, 3, 28), None, 8),
        (date(2026, 3, 31), 16, None),
    ]


def test_the_last_days_of_a_longer_month_are_not_counted_twice(layer: Layer, tables: BothEngines) -> None:
    window: dict[str, object] = {"from": "2026-02-01", "to": "2026-02-28", "grain": "day"}
    found = tables.rows(asked("fees", "fees_last_month", window=window), layer)
    assert found == [(date(2026, 2, 1), 4, None), (date(2026, 2, 28), 8, None)]


def test_weeks_are_shifted_by_days(layer: Layer, tables: BothEngines) -> None:
    window: dict[str, object] = {"from": "2026-02-02", "to": "2026-02-08", "grain": "week"}
    assert tables.rows(asked("fees_week_ago", window=window), layer) == [(date(2026, 2, 2), 2 + 4)]


def test_a_partial_year_is_held_against_the_same_part(layer: Layer, tables: BothEngines) -> None:
    window = {"from": "2026-01-01", "to": "2026-02-28"}
    previous = {"kind": "previous_period"}
    assert tables.rows(asked("fees", window=window, compare=previous), layer) == [(14, 1, 13, 13)]


def test_a_comparison_with_a_window_of_ones_own_lines_up_bucket_by_bucket(
    layer: Layer, tables: BothEngines
) -> None:
    window: dict[str, object] = {"from": "2026-03-01", "to": "2026-04-30", "grain": "month"}
    custom = {"kind": "custom", "from": "2026-01-01", "to": "2026-02-28"}
    assert tables.rows(asked("fees", window=window, compare=custom), layer) == [
        (MAR, 16, 2, 14, 7),
        (APR, 32, 12, 20, Decimal("1.6666666667")),
    ]


def test_figures_to_date_stand_beside_last_year(layer: Layer, tables: BothEngines) -> None:
    window: dict[str, object] = {"from": "2027-11-01", "to": "2027-12-31", "grain": "month"}
    assert tables.rows(asked("fees_to_date", "to_date_last_year", window=window), layer) == [
        (date(2027, 11, 1), None, 62),
        (date(2027, 12, 1), None, 62),
    ]


def test_a_month_to_come_has_no_figure_of_last_year_beside_it(layer: Layer, tables: BothEngines) -> None:
    window: dict[str, object] = {"from": "2026-11-01", "to": "2026-12-31", "grain": "month"}
    assert tables.rows(asked("fees_to_date", "to_date_last_year", window=window), layer) == [
        (date(2026, 11, 1), 62, None),
        (date(2026, 12, 1), 62, None),
    ]


WEEKS = """calendar:
  time_zone: Europe/Berlin
  fiscal_years:
"""


def weeks(year: int, first: date, lengths: tuple[int, ...]) -> str:
    """Return a fiscal year of periods that are so many weeks long."""
    starts = [date.fromordinal(first.toordinal() + 7 * sum(lengths[:at])) for at in range(12)]
    end = date.fromordinal(first.toordinal() + 7 * sum(lengths) - 1)
    return f"    - {{year: {year}, starts: [{', '.join(map(str, starts))}], end: {end}}}\n"


FOUR_FOUR_FIVE = (4, 4, 5) * 4
LONG = (*FOUR_FOUR_FIVE[:-1], 6)


@pytest.fixture(scope="module")
def fiscal() -> Layer:
    years = weeks(2025, date(2024, 12, 30), LONG) + weeks(2026, date(2026, 1, 5), FOUR_FOUR_FIVE)
    text = LEDGER.replace("calendar: {fiscal_start_month: 2, time_zone: Europe/Berlin}\n", WEEKS + years)
    more = """
  - {name: fees_year_ago, version: 1, owner: o, description: d, type: period_over_period, metric: fees,
     offset: {count: 1, unit: fiscal_year}, calculation: value}
"""
    return ledger(more, text)


def test_periods_of_a_fiscal_table_start_on_its_days(fiscal: Layer, tables: BothEngines) -> None:
    window: dict[str, object] = {"from": "2025-12-29", "to": "2026-03-01", "grain": "fiscal_month"}
    assert tables.rows(asked("fees", window=window), fiscal) == [
        (date(2025, 11, 24), 1),
        (date(2026, 1, 5), 2 + 4),
        (date(2026, 2, 2), 8),
    ]


def test_the_year_of_53_weeks_keeps_its_last_week(fiscal: Layer, tables: BothEngines) -> None:
    window: dict[str, object] = {"from": "2025-01-01", "to": "2026-12-31", "grain": "fiscal_year"}
    assert tables.rows(asked("fees", window=window), fiscal) == [
        (date(2024, 12, 30), 1),
        (date(2026, 1, 5), 62),
    ]


def test_fiscal_periods_are_held_against_the_same_period_of_the_year_before(
    fiscal: Layer, tables: BothEngines
) -> None:
    tables.execute("INSERT INTO payments VALUES (1, '2025-01-20', 'EUR', 0, 100, 0)")
    window: dict[str, object] = {"from": "2026-01-05", "to": "2026-03-01", "grain": "fiscal_month"}
    found = tables.rows(asked("fees", "fees_year_ago", window=window), fiscal)
    tables.execute("DELETE FROM payments WHERE fee = 100")
    assert found == [(date(2026, 1, 5), 6, 100), (date(2026, 2, 2), 8, None)]
