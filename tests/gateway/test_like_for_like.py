"""A comparison whose data ends inside its window says so beside its figures."""

from dataclasses import replace
from datetime import date

import pytest

from gateway.stages.like_for_like import Uneven, unlike
from metric_layer.compile import marked_days
from metric_layer.compile.watermark import mark_of
from metric_layer.layer import Layer
from tests.metric_layer.trap_shop import resolved_of, trap_layer
from traces.records import Watermark

TODAY = date(2026, 9, 20)
COMPARED = {"kind": "previous_year"}


def _layer(end: date | None) -> Layer:
    layer = trap_layer()
    return replace(layer, asking=layer.asking.model_copy(update={"data_to": end}))


def _said(last: str, *, newest: str = "", end: date | None = None, compare: object = COMPARED) -> Uneven:
    layer = _layer(end)
    raw = {"metrics": ["net"], "time": {"from": "2026-07-01", "to": last}, "compare": compare}
    plan = resolved_of(raw, layer)
    names = [mark_of(column) for column, _, _ in marked_days(plan)]
    marks = [Watermark(name=name, newest=newest, rows=100) for name in names if newest]
    return unlike(plan, layer, marks, TODAY)


def test_the_end_that_the_owner_declares_is_said() -> None:
    found = _said("2026-09-20", end=date(2026, 8, 31))
    assert found.said == "data to 2026-08-31: not like for like"
    assert "2026-08-31" in found.note


def test_the_newest_row_that_was_read_is_said() -> None:
    assert _said("2026-12-31", newest="2026-08-15 10:00:00").said == "data to 2026-08-15: not like for like"
    assert _said("2026-08-31", newest="2026-08-15 10:00:00").said == "data to 2026-08-15: not like for like"


@pytest.mark.parametrize("newest", ["", "2026-09-20 09:00:00", "2026-09-20"])
def test_data_up_to_today_is_like_for_like(newest: str) -> None:
    assert _said("2026-12-31", newest=newest) == Uneven()


def test_a_quiet_last_day_of_a_past_period_is_no_end_of_the_data() -> None:
    assert _said("2026-08-31", newest="2026-08-30 10:00:00") == Uneven()


def test_without_a_comparison_there_is_nothing_to_say() -> None:
    assert _said("2026-09-20", end=date(2026, 8, 31), compare=None) == Uneven()
