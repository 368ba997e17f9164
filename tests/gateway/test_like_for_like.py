"""A comparison whose data ends inside its window says so beside its figures."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from gateway.stages.like_for_like import Uneven, freshness, unlike
from metric_layer.compile import marked_days
from metric_layer.compile.watermark import mark_of
from metric_layer.layer import Layer
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.visible import Visible
from tests.metric_layer.trap_shop import plan_of, trap_layer
from traces.records import Watermark

TODAY = date(2026, 9, 20)
COMPARED = {"kind": "previous_year"}


def _layer(end: date | None) -> Layer:
    layer = trap_layer(MONTH_BACK)
    return replace(layer, asking=layer.asking.model_copy(update={"data_to": end}))


MONTH_BACK = """
  - {name: net_before, version: 1, owner: sales, description: Net a month earlier., type: period_over_period,
     metric: net, offset: {count: 1, unit: month}}
"""


def _told(
    last: str, *, newest: str = "", end: date | None = None, compare: object = COMPARED, metric: str = "net"
) -> tuple[Uneven, str]:
    """Return what is said of a comparison, and of how far the data goes."""
    layer = _layer(end)
    raw = {"metrics": [metric], "time": {"from": "2026-07-01", "to": last}, "compare": compare}
    plan = resolve(plan_of(raw), layer, visible=Visible(), choices={}, today=TODAY)
    assert isinstance(plan, ResolvedPlan)
    names = [mark_of(column) for column, _, _ in marked_days(plan)]
    marks = [Watermark(name=name, newest=newest, rows=100) for name in names if newest]
    return unlike(plan, layer, marks, TODAY), freshness(plan, layer, marks, TODAY)


def _said(last: str, **how: Any) -> Uneven:
    return _told(last, **how)[0]


OF_ITS_OWN: dict[str, object] = {"compare": None, "metric": "net_before"}


@pytest.mark.parametrize("how", [{}, OF_ITS_OWN])
def test_the_end_that_the_owner_declares_is_said(how: dict[str, Any]) -> None:
    found = _said("2026-09-20", end=date(2026, 8, 31), **how)
    assert found.said == "data to 2026-08-31: not like for like"
    assert "2026-08-31" in found.note


@pytest.mark.parametrize("how", [{}, OF_ITS_OWN])
def test_the_newest_row_that_was_read_is_said(how: dict[str, Any]) -> None:
    ends = "data to 2026-08-15: not like for like"
    under_way = "up to 2026-09-20, as the period is under way"
    assert _said("2026-12-31", newest="2026-08-15 10:00:00", **how).said == f"{under_way}; {ends}"
    assert _said("2026-08-31", newest="2026-08-15 10:00:00", **how).said == ends


@pytest.mark.parametrize("how", [{}, OF_ITS_OWN])
@pytest.mark.parametrize("newest", ["", "2026-09-20 09:00:00", "2026-09-20"])
def test_data_up_to_today_is_like_for_like_and_the_day_is_said(newest: str, how: dict[str, Any]) -> None:
    assert _said("2026-12-31", newest=newest, **how) == Uneven("up to 2026-09-20, as the period is under way")
    assert _said("2026-09-20", newest=newest, **how) == Uneven()


@pytest.mark.parametrize("how", [{}, OF_ITS_OWN])
def test_rows_of_days_to_come_are_not_like_for_like(how: dict[str, Any]) -> None:
    found = _said("2026-12-31", newest="2026-10-05", **how)
    assert found.said.endswith("rows after it: not like for like")
    assert "2026-10-05" in found.note and "ask up to 2026-09-20" in found.note


def test_days_that_the_asker_names_are_held_whole() -> None:
    own = {"kind": "custom", "from": "2025-07-01", "to": "2025-12-31"}
    assert _said("2026-12-31", newest="2026-09-20", compare=own) == Uneven()


def test_a_quiet_last_day_of_a_past_period_is_no_end_of_the_data() -> None:
    assert _said("2026-08-31", newest="2026-08-30 10:00:00") == Uneven()


def test_without_a_comparison_there_is_nothing_to_say() -> None:
    assert _said("2026-09-20", end=date(2026, 8, 31), compare=None) == Uneven()


@pytest.mark.parametrize(
    ("last", "how", "said"),
    [
        ("2026-09-20", {"end": date(2026, 8, 31)}, "data to 2026-08-31"),
        ("2026-08-31", {"end": date(2026, 8, 30)}, "data to 2026-08-30"),
        ("2026-08-31", {"end": date(2026, 8, 31)}, ""),
        ("2026-12-31", {"newest": "2026-09-20 09:00:00"}, "data to 2026-09-20"),
        ("2026-08-31", {"newest": "2026-08-15 10:00:00"}, "data to 2026-08-15"),
        ("2026-08-31", {"newest": "2026-08-30 10:00:00"}, ""),
        ("2026-12-31", {"newest": "2026-08-15", "end": date(2026, 8, 31)}, "data to 2026-08-15"),
        ("2026-12-31", {}, ""),
    ],
)
def test_a_window_that_reaches_past_the_data_says_where_it_ends(
    last: str, how: dict[str, Any], said: str
) -> None:
    assert _told(last, compare=None, **how) == (Uneven(), said)


def test_a_comparison_says_where_the_data_ends_once() -> None:
    uneven, fresh = _told("2026-09-20", end=date(2026, 8, 31))
    assert "data to 2026-08-31" in uneven.said and fresh == ""
