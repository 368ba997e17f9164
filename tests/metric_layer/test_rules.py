"""A layer that breaks a rule is refused with the code and the line to mend, and all faults come at once."""

from pathlib import Path

import pytest

from metric_layer.issues import Issue
from metric_layer.load import LayerInvalid, load_layer, load_text
from tests.metric_layer.trap_shop import CLOCKS, DEFINITIONS

HEAD = CLOCKS + DEFINITIONS


def faults(text: str) -> list[Issue]:
    with pytest.raises(LayerInvalid) as caught:
        load_text(text)
    return list(caught.value.issues)


def metric(rest: str) -> str:
    return f"{HEAD}  - {{name: extra, version: 1, owner: o, description: d, {rest}}}\n"


def section(name: str, item: str) -> str:
    return HEAD.replace(f"{name}:\n", f"{name}:\n  - {item}\n", 1)


PAIRS = (
    "{name: pairs, relation: p, primary_key: [a, b], "
    "columns: [{name: a, type: integer}, {name: b, type: integer}]}"
)
TO_PAIRS = "  - {{name: r, from_dataset: orders, to_dataset: pairs, from_columns: {}, to_columns: {}}}\n"

BROKEN = {
    "a name that a metric and a dimension share": (
        metric("type: count, dataset: orders").replace("extra", "region"),
        "duplicate_name",
    ),
    "a metric called like a grain": (
        metric("type: count, dataset: orders").replace("extra", "month"),
        "reserved_name",
    ),
    "a metric over no dataset": (metric("type: count, dataset: order"), "unknown_dataset"),
    "a sum of an unknown column": (
        metric("type: sum, dataset: orders, column: shiping_fee"),
        "unknown_column",
    ),
    "a sum of nothing": (metric("type: sum, dataset: orders"), "no_column"),
    "a column and an expression": (
        metric("type: sum, dataset: orders, column: refund, expression: refund"),
        "column_and_expression",
    ),
    "a sum of text": (metric("type: sum, dataset: orders, column: status"), "wrong_type"),
    "an aggregate in an expression": (
        metric("type: sum, dataset: orders, expression: sum(refund)"),
        "wrong_expression",
    ),
    "a subquery in an expression": (
        metric("type: sum, dataset: orders, expression: (select 1)"),
        "wrong_expression",
    ),
    "a function in an expression": (
        metric("type: sum, dataset: orders, expression: random()"),
        "wrong_expression",
    ),
    "another dataset's column in an expression": (
        metric("type: sum, dataset: orders, expression: quantity"),
        "unknown_column",
    ),
    "a ratio of an unknown metric": (
        metric("type: ratio, numerator: grosss, denominator: units"),
        "unknown_metric",
    ),
    "a formula that cannot be read": (
        metric("type: derived, expression: gross - * refunds"),
        "wrong_expression",
    ),
    "a formula without a metric": (metric("type: derived, expression: 1 + 2"), "wrong_expression"),
    "a formula with a function": (metric('type: derived, expression: "abs(gross)"'), "wrong_expression"),
    "a metric made of itself": (metric("type: derived, expression: extra + gross"), "cycle"),
    "dates that end before they begin": (
        metric("type: count, dataset: orders, effective_from: 2026-02-01, effective_to: 2026-01-01"),
        "dates_reversed",
    ),
    "a filter on an unknown dimension": (
        metric("type: count, dataset: orders, filters: [{field: stauts, op: eq, values: [x]}]"),
        "unknown_dimension",
    ),
    "a filter with a value of another type": (
        metric("type: count, dataset: orders, filters: [{field: status, op: eq, values: [1]}]"),
        "wrong_type",
    ),
    "a filter that two paths lead to": (
        metric("type: count, dataset: orders, filters: [{field: region, op: eq, values: [x]}]"),
        "ambiguous_path",
    ),
    "a filter that takes out by rows below": (
        metric("type: count, dataset: orders, filters: [{field: product, op: ne, values: [x]}]"),
        "fan_out_filter",
    ),
    "a filter over a many-to-many way": (
        metric("type: count, dataset: orders, filters: [{field: severity, op: eq, values: [x]}]"),
        "unreachable",
    ),
    "a time field that is no time": (
        metric("type: count, dataset: orders, time_field: status"),
        "wrong_type",
    ),
    "a time field out of reach": (
        metric("type: count, dataset: orders, time_field: opened_at"),
        "unreachable",
    ),
    "an allowed dimension out of reach": (
        metric("type: count, dataset: orders, dimensions: [severity]"),
        "unreachable",
    ),
    "arithmetic with dates": (
        metric("type: max, dataset: orders, column: order_date")
        + "  - {name: odd, version: 1, owner: o, description: d, type: derived, expression: extra - 3}\n",
        "wrong_type",
    ),
    "zero in place of a date": (
        metric("type: max, dataset: orders, column: order_date, null_as_zero: true"),
        "wrong_type",
    ),
    "currencies that are added": (
        metric("type: sum, dataset: orders, column: refund, unit: USD")
        + "  - {name: mixed, version: 1, owner: o, description: d, type: derived, "
        "expression: gross - extra}\n",
        "mixed_units",
    ),
    "a certified metric on a draft": (
        metric("type: count, dataset: orders, status: draft")
        + "  - {name: sure, version: 1, owner: o, description: d, type: derived, expression: extra * 2}\n",
        "rests_on_draft",
    ),
    "a join to a column that is no key": (
        section(
            "relationships",
            "{name: r, from_dataset: orders, to_dataset: customers, from_columns: [status], "
            "to_columns: [region]}",
        ),
        "not_a_key",
    ),
    "a one-to-one join whose near end is no key": (
        section(
            "relationships",
            "{name: r, from_dataset: orders, to_dataset: customers, from_columns: [customer_id], "
            "to_columns: [customer_id], cardinality: one_to_one}",
        ),
        "not_a_key",
    ),
    "a join to a part of a key": (
        section("datasets", PAIRS).replace(
            "relationships:\n", "relationships:\n" + TO_PAIRS.format("[order_id]", "[a]")
        ),
        "not_a_key",
    ),
    "a join of columns of two types": (
        section(
            "relationships",
            "{name: r, from_dataset: orders, to_dataset: customers, from_columns: [status], "
            "to_columns: [customer_id]}",
        ),
        "wrong_type",
    ),
    "a join of one column to two": (
        section(
            "relationships",
            "{name: r, from_dataset: orders, to_dataset: customers, from_columns: [customer_id], "
            "to_columns: [customer_id, name]}",
        ),
        "wrong_columns",
    ),
    "a join to an unknown dataset": (
        section(
            "relationships",
            "{name: r, from_dataset: orders, to_dataset: custmers, from_columns: [status], to_columns: [x]}",
        ),
        "unknown_dataset",
    ),
    "a dimension of an unknown column": (
        section("dimensions", "{name: d, dataset: orders, column: stauts}"),
        "unknown_column",
    ),
    "a dimension whose via is no chain": (
        section("dimensions", "{name: d, dataset: customers, column: name, via: [line_order]}"),
        "broken_via",
    ),
    "a dimension over an unknown relationship": (
        section("dimensions", "{name: d, dataset: customers, column: name, via: [buyr]}"),
        "unknown_relationship",
    ),
    "a clock of a field that is no time": (
        section("clocks", "{name: c, fields: [order_date, status]}"),
        "wrong_type",
    ),
    "a clock of an unknown field": (
        section("clocks", "{name: c, fields: [order_date, opend_at]}"),
        "unknown_dimension",
    ),
    "a large dataset without a time column": (
        section("datasets", "{name: big, relation: big, large: true, columns: [{name: a, type: integer}]}"),
        "large_without_time",
    ),
    "a key of an unknown column": (
        section(
            "datasets", "{name: big, relation: big, primary_key: [b], columns: [{name: a, type: integer}]}"
        ),
        "unknown_column",
    ),
    "a column listed twice": (
        section(
            "datasets",
            "{name: big, relation: big, columns: [{name: a, type: integer}, {name: A, type: string}]}",
        ),
        "duplicate_column",
    ),
    "a relation with an empty part": (
        section("datasets", "{name: big, relation: main..big, columns: [{name: a, type: integer}]}"),
        "wrong_relation",
    ),
    "a zone that does not exist": (HEAD.replace("Europe/Berlin", "Europe/Atlantis"), "unknown_zone"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_named_with_its_place(name: str) -> None:
    text, code = BROKEN[name]
    found = faults(text)
    assert [issue.code for issue in found] == [code], found
    (issue,) = found
    file, line, column = issue.place.split(":")
    assert file == "metrics.yml" and int(column) >= 1
    assert text.splitlines()[int(line) - 1].strip()
    assert issue.message and (issue.next_step or issue.candidates)


def test_an_unknown_name_is_answered_with_a_near_one() -> None:
    (issue,) = faults(metric("type: sum, dataset: orders, column: shiping_fee"))
    assert issue.candidates[0] == "shipping_fee"
    assert issue.next_step == "Did you mean shipping_fee?"


def test_a_longer_circle_is_told_step_by_step() -> None:
    text = metric("type: derived, expression: other * 2") + (
        "  - {name: other, version: 1, owner: o, description: d, type: derived, expression: extra - 1}\n"
    )
    assert "extra -> other -> extra" in faults(text)[0].message


def test_all_faults_of_all_files_come_at_once(tmp_path: Path) -> None:
    (tmp_path / "base.yml").write_text(HEAD)
    (tmp_path / "a.yml").write_text(
        "metrics:\n  - {name: a, version: 1, owner: o, description: d, type: sum, dataset: orders}\n"
    )
    (tmp_path / "b.yml").write_text(
        "metrics:\n  - {name: b, version: 0, owner: o, description: d, typ: count}\n"
    )
    (tmp_path / "c.yml").write_text("metrics: [\n")
    (tmp_path / "d.yml").write_text(
        "metrics:\n  - {name: d, version: 1, owner: o, description: d, type: count, dataset: orders, "
        "time_field: status}\n"
    )
    with pytest.raises(LayerInvalid) as caught:
        load_layer(tmp_path)
    found = {(issue.place.split("/")[-1].split(":")[0], issue.code) for issue in caught.value.issues}
    assert {
        ("a.yml", "no_column"),
        ("b.yml", "unknown_key"),
        ("c.yml", "yaml_syntax"),
        ("d.yml", "wrong_type"),
    } <= found


def test_a_broken_item_does_not_make_its_users_speak_of_an_unknown_name() -> None:
    text = HEAD.replace("{name: gross, version: 3", "{name: gross, version: three")
    assert [(issue.code, issue.seen) for issue in faults(text)] == [("wrong_type", "three")]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(LayerInvalid) as caught:
        load_layer(tmp_path / "none")
    assert caught.value.issues[0].code == "no_folder"


def test_metrics_that_double_at_every_step_are_stopped_before_they_explode() -> None:
    steps = [
        f"  - {{name: s{n}, version: 1, owner: o, description: d, type: derived, "
        f"expression: s{n - 1} + s{n - 1}}}\n"
        for n in range(1, 40)
    ]
    first = steps[0].replace("s1", "s0").replace("s0 + s0", "gross + 1")
    assert {issue.code for issue in faults(HEAD + first + "".join(steps))} == {"too_large"}


@pytest.mark.parametrize("sign", ["+", "*", "or"])
def test_an_expression_too_long_to_walk_is_refused(sign: str) -> None:
    text = f" {sign} ".join(["1"] * 180)
    (issue,) = faults(metric(f'type: sum, dataset: orders, expression: "{text}"'))
    assert issue.code == "wrong_expression"


def test_a_join_to_a_whole_key_of_several_columns_is_sound() -> None:
    text = section("datasets", PAIRS)
    edge = TO_PAIRS.format("[order_id, payer_id]", "[b, a]")
    assert "r" in load_text(text.replace("relationships:\n", "relationships:\n" + edge)).relationships
