"""A date that is on no calendar is told what is wrong with it and which real one is nearest."""

from datetime import date
from pathlib import Path

import pytest

from metric_layer.dates import no_such_date
from metric_layer.definitions import ColumnType, Document
from metric_layer.parse import parse_plan
from metric_layer.source import read_model
from metric_layer.values import ValueFault, type_values


@pytest.mark.parametrize(
    ("written", "why", "nearest"),
    [
        ("2027-02-30", "February 2027 has 28 days", "2027-02-28"),
        ("2028-02-30", "February 2028 has 29 days", "2028-02-29"),
        ("2026-09-31", "September 2026 has 30 days", "2026-09-30"),
        ("2026-09-31T10:00:00", "September 2026 has 30 days", "2026-09-30"),
        ("2026-13-05", "there is no month 13", "2026-12-05"),
        ("2026-00-31", "there is no month 0", "2026-01-31"),
        ("2026-05-00", "there is no day 0", "2026-05-01"),
        ("0000-05-09", "there is no year 0", "0001-05-09"),
    ],
)
def test_a_date_on_no_calendar_says_why_and_names_the_nearest(written: str, why: str, nearest: str) -> None:
    found = no_such_date(written)
    assert found is not None
    assert (found.written, found.why) == (written[:10], why)
    assert found.nearest.isoformat() == nearest and nearest in found.step


@pytest.mark.parametrize("text", ["2028-02-29", "2026-5-31", "soon", "2026-02-301", "", 20260230, None])
def test_a_real_date_and_what_is_no_date_at_all_are_not_said_to_be_on_no_calendar(text: object) -> None:
    assert no_such_date(text) is None


def test_a_plan_is_told_at_the_place_of_each_date(tmp_path: Path) -> None:
    found = parse_plan(
        {
            "metrics": ["fares"],
            "time": {"from": "2026-06-01", "to": "2026-06-31"},
            "compare": {"kind": "custom", "from": "2025-14-01", "to": "2025-06-30"},
        }
    )
    assert isinstance(found, tuple)
    assert {issue.path: issue.candidates for issue in found} == {
        "/time/to": ("2026-06-30",),
        "/compare/from": ("2025-12-01",),
    }
    assert "June 2026 has 30 days" in found[0].message


@pytest.mark.parametrize("written", ["2026-11-31", "'2026-11-31'"])
def test_a_file_of_the_layer_is_told_by_line(tmp_path: Path, written: str) -> None:
    file = tmp_path / "m.yml"
    file.write_text(f"asking:\n  data_from: {written}\n", encoding="utf-8")
    found = read_model(file, Document)
    assert isinstance(found, list)
    (issue,) = found
    assert issue.place == f"{file}:2:14" and issue.candidates == ("2026-11-30",)
    assert "November 2026 has 30 days" in issue.message


@pytest.mark.parametrize(
    ("kind", "value"),
    [("date", "2026-04-31"), ("timestamp", "2026-04-31"), ("timestamptz", "2026-04-31T08:00:00+02:00")],
)
def test_a_filter_is_told_whichever_type_its_column_has(kind: ColumnType, value: str) -> None:
    with pytest.raises(ValueFault) as found:
        type_values("ge", (value,), kind)
    assert (
        "April 2026 has 30 days" in found.value.message
        and "nearest date is 2026-04-30" in found.value.message
    )


def test_a_text_column_may_hold_what_looks_like_such_a_date() -> None:
    assert type_values("eq", ("2026-04-31",), "string") == ("eq", ("2026-04-31",))
    assert type_values("eq", ("2026-04-30",), "date") == ("eq", (date(2026, 4, 30),))
