"""A project says once, in its definitions, how its questions are read."""

from pathlib import Path

import pytest

from metric_layer.effects import compare_layers
from metric_layer.load import LayerInvalid, load_layer, load_text

LAYER = """
datasets:
  - {name: orders, relation: orders, columns: [{name: sold_on, type: date}, {name: city, type: string}]}
dimensions:
  - {name: sold_on, dataset: orders, column: sold_on}
  - {name: city, dataset: orders, column: city}
metrics:
  - {name: orders_placed, type: count, dataset: orders, time_field: sold_on, version: 1, owner: ops,
     description: Orders.}
"""
FAULTY = """asking:
  default_window: soonish
  data_from: 2026-02-01
  data_to: 2026-01-01
  ambiguous:
    volume: [orders_placed, orders_plced]
  patterns: {cty: "["}
"""


def codes(fault: LayerInvalid) -> set[tuple[str, str]]:
    return {(issue.code, issue.place.rpartition("asking.yml:")[2]) for issue in fault.issues}


def test_a_layer_without_the_section_is_read_by_the_defaults() -> None:
    rules = load_text(LAYER).asking
    assert (rules.default_calendar, rules.default_window, rules.last_n) == ("calendar", "", "complete")


def test_the_section_is_part_of_what_the_layer_is() -> None:
    fiscal = load_text(f"{LAYER}\nasking: {{default_calendar: fiscal}}")
    assert fiscal.asking.default_calendar == "fiscal"
    assert fiscal.digest != load_text(LAYER).digest


def test_another_way_to_read_words_is_a_change_that_moves_no_number() -> None:
    rules = "asking: {default_calendar: fiscal, data_from: 2024-01-01}"
    found = compare_layers(load_text(LAYER), load_text(f"{LAYER}\n{rules}"))
    (change,) = found.definitions
    assert (change.kind, change.how, change.moves) == ("asking", "changed", False)
    assert {field.field: field.new for field in change.fields} == {
        "default_calendar": "fiscal",
        "data_from": "2024-01-01",
    }
    assert not found.affected


def test_all_that_is_wrong_is_said_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "layer.yml").write_text(LAYER)
    (tmp_path / "asking.yml").write_text(FAULTY)
    with pytest.raises(LayerInvalid) as caught:
        load_layer(tmp_path)
    assert codes(caught.value) == {
        ("unknown_period", "2:19"),
        ("window_reversed", "4:12"),
        ("unknown_name", "6:29"),
        ("unknown_dimension", "7:19"),
        ("bad_pattern", "7:19"),
    }
    (unknown,) = (issue for issue in caught.value.issues if issue.code == "unknown_name")
    assert unknown.candidates[:1] == ("orders_placed",)


def test_a_word_for_a_metric_that_is_broken_is_no_fault_of_its_own() -> None:
    broken = LAYER.replace("time_field: sold_on", "time_field: sold_onn")
    with pytest.raises(LayerInvalid) as caught:
        load_text(f"{broken}\nasking: {{ambiguous: {{volume: [orders_placed, city]}}}}")
    assert "unknown_name" not in {issue.code for issue in caught.value.issues}


def test_a_second_section_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(f"{LAYER}\nasking: {{}}\n")
    (tmp_path / "b.yml").write_text("asking: {}\n")
    with pytest.raises(LayerInvalid) as caught:
        load_layer(tmp_path)
    (issue,) = caught.value.issues
    assert (issue.code, issue.place.rpartition("/")[2]) == ("duplicate_asking", "b.yml:1:1")


def test_a_key_nobody_knows_is_refused_with_a_near_one() -> None:
    with pytest.raises(LayerInvalid) as caught:
        load_text(f"{LAYER}\nasking: {{default_calender: fiscal}}")
    assert caught.value.issues[0].candidates[0] == "default_calendar"
