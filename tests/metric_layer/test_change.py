"""Two versions of a layer side by side: what changed, what it reaches, which version was forgotten."""

import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.change import DefinitionChange
from metric_layer.effects import LayerChange, compare_layers
from metric_layer.layer import Layer
from metric_layer.load import load_text

TEXT = """
datasets:
  - name: shops
    relation: shops
    primary_key: [shop_id]
    columns:
      - {name: shop_id, type: integer}
      - {name: city, type: string}
      - {name: opened, type: date}
  - name: sales
    relation: sales
    primary_key: [sale_id]
    columns:
      - {name: sale_id, type: integer}
      - {name: shop_id, type: integer}
      - {name: price, type: decimal}
      - {name: tax, type: decimal}
      - {name: sold_at, type: timestamp}
      - {name: state, type: string}
relationships:
  - {name: sale_shop, from_dataset: sales, to_dataset: shops, from_columns: [shop_id], to_columns: [shop_id]}
dimensions:
  - {name: city, dataset: shops, column: city, label: Town}
  - {name: state, dataset: sales, column: state}
  - {name: sold_at, dataset: sales, column: sold_at}
metrics:
  - name: takings
    type: sum
    dataset: sales
    column: price
    version: 1
    owner: ann
    description: Prices.
    time_field: sold_at
  - {name: taxes, type: sum, dataset: sales, column: tax, version: 4, owner: ann, description: Taxes.}
  - name: kept
    type: filtered
    metric: takings
    filters: [{field: state, op: in, values: [paid]}]
    version: 1
    owner: ann
    description: Prices of paid sales.
  - {name: net, type: derived, expression: kept - taxes, version: 2, owner: ann, description: What stays.}
  - name: in_rome
    type: count
    dataset: sales
    filters: [{field: city, op: eq, values: [Rome]}]
    version: 1
    owner: ann
    description: Sales in Rome.
calendar: {week_start: monday}
"""
Edits = Mapping[str, str]


@pytest.fixture(scope="module")
def old() -> Layer:
    return load_text(TEXT)


@pytest.fixture
def change(old: Layer) -> Callable[[Edits], LayerChange]:
    """Compare the layer with itself after edits of its text."""

    def compare(edits: Edits) -> LayerChange:
        text = TEXT
        for before, after in edits.items():
            assert before in text
            text = text.replace(before, after, 1)
        return compare_layers(old, load_text(text))

    return compare


def only(change: LayerChange) -> DefinitionChange:
    assert len(change.definitions) == 1, change.definitions
    return change.definitions[0]


def fields(change: DefinitionChange) -> dict[str, tuple[str, str]]:
    return {field.field: (field.old, field.new) for field in change.fields}


def reached(change: LayerChange) -> dict[str, set[tuple[str, str]]]:
    return {each.metric: {(r.kind, r.name) for r in each.because} for each in change.affected}


def test_a_layer_beside_itself_is_the_same(old: Layer) -> None:
    same = compare_layers(old, load_text(TEXT))
    assert not same.definitions and not same.affected and not same.grains and same.old == same.new


def test_a_changed_formula_with_a_new_version_is_told_field_by_field(
    change: Callable[[Edits], LayerChange],
) -> None:
    found = change({"expression: kept - taxes, version: 2": "expression: kept - taxes * 2, version: 3"})
    assert fields(only(found)) == {"expression": ("kept - taxes", "kept - taxes * 2")}
    assert (only(found).old_version, only(found).new_version, only(found).slip) == (2, 3, "")
    assert not found.affected


def test_a_changed_meaning_without_a_new_version_is_a_slip(change: Callable[[Edits], LayerChange]) -> None:
    found = change({"values: [paid]": "values: [paid, sent]"})
    assert only(found).slip == "no_new_version"
    assert fields(only(found)) == {"filters": ("state in paid", "state in paid, sent")}
    assert reached(found) == {"net": {("metric", "kept")}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("description: Prices.", "description: All prices."),
        ("owner: ann", "owner: bob"),
        ("description: Prices.", "synonyms: [income]\n    description: Prices."),
        ("label: Town", "label: City"),
    ],
)
def test_words_may_change_without_a_new_version_and_reach_nothing(
    change: Callable[[Edits], LayerChange], before: str, after: str
) -> None:
    found = change({before: after})
    assert only(found).slip == "" and not only(found).moves and not found.affected


def test_a_new_version_of_what_is_as_it_was_is_a_slip(change: Callable[[Edits], LayerChange]) -> None:
    found = change({"version: 4": "version: 5"})
    assert only(found).slip == "version_without_change" and not only(found).moves
    assert found.slips == found.definitions
    assert not found.affected


def test_a_version_that_goes_back_is_a_slip(change: Callable[[Edits], LayerChange]) -> None:
    assert only(change({"version: 4": "version: 3"})).slip == "version_went_back"


def test_a_new_version_is_deserved_where_a_part_changed(change: Callable[[Edits], LayerChange]) -> None:
    found = change(
        {
            "column: price\n    version: 1": "column: tax\n    version: 2",
            "expression: kept - taxes, version: 2": "expression: kept - taxes, version: 3",
        }
    )
    assert not found.slips
    assert reached(found) == {"kept": {("metric", "takings")}, "net": {("metric", "kept")}}


def test_what_came_and_what_went_is_named(change: Callable[[Edits], LayerChange]) -> None:
    line = "  - {name: twice, type: derived, expression: taxes * 2, version: 1, owner: a, description: T}\n"
    found = change({"calendar:": f"{line}calendar:", "label: Town": "label: Town"})
    assert (only(found).how, only(found).name) == ("added", "twice")
    text = TEXT.replace("calendar:", f"{line}calendar:")
    back = compare_layers(load_text(text), load_text(TEXT))
    assert (only(back).how, only(back).name) == ("removed", "twice")


def test_a_renamed_definition_is_recognised_by_what_it_means(change: Callable[[Edits], LayerChange]) -> None:
    found = change(
        {"name: in_rome": "name: roman_sales", "description: Sales in Rome.": "description: In Rome."}
    )
    assert (only(found).how, only(found).was, only(found).name) == ("renamed", "in_rome", "roman_sales")


def test_two_alike_are_not_taken_for_a_renaming() -> None:
    twin = "  - {name: %s, type: sum, dataset: sales, column: tax, version: 4, owner: a, description: T}\n"
    before = TEXT.replace("calendar:", twin % "twin_a" + twin % "twin_b" + "calendar:")
    after = TEXT.replace("calendar:", twin % "other" + "calendar:")
    how = {c.name: c.how for c in compare_layers(load_text(before), load_text(after)).definitions}
    assert how == {"twin_a": "removed", "twin_b": "removed", "other": "added"}


def test_a_column_reaches_the_metrics_that_are_computed_from_it(
    change: Callable[[Edits], LayerChange],
) -> None:
    found = change({"{name: price, type: decimal}": "{name: price, type: decimal, scale: 0.01}"})
    assert fields(only(found)) == {"columns.price.scale": ("", "0.01")}
    assert reached(found) == {
        "takings": {("column", "sales.price")},
        "kept": {("metric", "takings")},
        "net": {("metric", "kept")},
    }


def test_a_column_nobody_computes_from_reaches_nothing(change: Callable[[Edits], LayerChange]) -> None:
    assert not change({"{name: opened, type: date}": "{name: opened, type: timestamp}"}).affected


def test_another_relation_reaches_every_metric_that_counts_its_rows(
    change: Callable[[Edits], LayerChange],
) -> None:
    found = change({"relation: sales": "relation: sales_clean"})
    assert set(reached(found)) == {"takings", "taxes", "kept", "net", "in_rome"}


def test_the_dimension_of_a_filter_reaches_the_filtered_metric(
    change: Callable[[Edits], LayerChange],
) -> None:
    found = change({"dataset: shops, column: city,": "dataset: shops, column: city, version: 2,"})
    assert only(found).slip == "version_without_change" and not found.affected
    found = change({"relation: shops": "relation: open_shops"})
    assert reached(found) == {"in_rome": {("dataset", "shops")}}


def test_a_relationship_reaches_the_metrics_that_may_join_over_it(
    change: Callable[[Edits], LayerChange],
) -> None:
    found = change({"from_columns: [shop_id]": "from_columns: [sale_id]"})
    assert fields(only(found)) == {"from_columns": ("shop_id", "sale_id")}
    assert reached(found)["takings"] == reached(found)["in_rome"] == {("relationship", "sale_shop")}


def test_a_calendar_names_the_grains_it_cuts_otherwise_and_whose_days_move(
    change: Callable[[Edits], LayerChange],
) -> None:
    found = change({"week_start: monday": "week_start: sunday"})
    assert (only(found).kind, found.grains, found.affected) == ("calendar", ("week",), ())
    found = change({"week_start: monday": "week_start: monday, time_zone: Europe/Rome"})
    assert reached(found)["takings"] == {("calendar", "time_zone")}
    assert "taxes" not in reached(found), "it has no time field"


@given(st.permutations(["datasets", "relationships", "dimensions", "metrics", "calendar"]))
def test_the_order_of_a_file_is_no_change(order: list[str]) -> None:
    blocks = re.split(r"\n(?=[a-z])", TEXT.strip())
    parts = {block.partition(":")[0]: block for block in blocks}
    text = "\n".join(parts[name] for name in order)
    found = compare_layers(load_text(TEXT), load_text(text))
    assert not found.definitions


MORE = """
  - name: stock
    type: sum
    dataset: sales
    column: price
    snapshot: {over: sold_at, pick: last, per: [city]}
    version: 1
    owner: a
    description: Read at the last moment.
    time_field: sold_at
  - {name: so_far, type: cumulative, metric: takings, to_date: %s, version: 1, owner: a, description: T}
  - name: growth
    type: period_over_period
    metric: takings
    offset: {count: 1, unit: fiscal_year}
    version: 1
    owner: a
    description: Against the fiscal year before.
calendar:"""


def test_every_kind_of_metric_is_reached_through_what_it_rests_on() -> None:
    text = TEXT.replace("calendar:", MORE % "week")
    before = load_text(text)

    def moved(was: str, now: str) -> dict[str, set[tuple[str, str]]]:
        assert was in text
        return reached(compare_layers(before, load_text(text.replace(was, now, 1))))

    week = moved("week_start: monday", "week_start: sunday")
    assert week == {"so_far": {("calendar", "week_start")}}
    fiscal = moved("week_start: monday", "week_start: monday, fiscal_start_month: 4")
    assert fiscal == {"growth": {("calendar", "fiscal_start_month")}}
    moments = moved(
        "{name: opened, type: date}", "{name: opened, type: date}\n      - {name: town, type: string}"
    )
    assert moments == {}
    towns = moved("relation: shops", "relation: open_shops")
    assert towns == {"stock": {("dataset", "shops")}, "in_rome": {("dataset", "shops")}}
    assert {"so_far", "growth"} <= set(moved("column: price", "column: tax"))
    assert moved("{count: 1, unit: fiscal_year}", "{count: 2, unit: fiscal_year}") == {}


def test_a_length_and_a_list_are_told_as_their_owner_would_say_them() -> None:
    text = TEXT.replace("calendar:", MORE % "month")
    other = text.replace("count: 1, unit: fiscal_year", "count: 2, unit: quarter").replace(
        "per: [city]", "per: []"
    )
    changed = {c.name: fields(c) for c in compare_layers(load_text(text), load_text(other)).definitions}
    assert changed == {
        "growth": {"offset": ("1 fiscal year", "2 quarters")},
        "stock": {"snapshot": ("over sold_at, pick last, per city", "over sold_at, pick last")},
    }


EDITS = (
    ("expression: kept - taxes", "expression: kept + taxes"),
    ("version: 4", "version: 6"),
    ("values: [Rome]", "values: [Rome, Pisa]\n        "),
    ("name: in_rome", "name: roman"),
    ("relation: sales", "relation: sold"),
    ("{name: opened, type: date}", "{name: opened, type: timestamp}"),
    ("week_start: monday", "week_start: sunday"),
    ("label: Town", "synonyms: [town]"),
)


@given(st.sets(st.sampled_from(EDITS)), st.sets(st.sampled_from(EDITS)))
def test_read_backwards_a_difference_is_the_same_with_its_sides_swapped(
    one: set[tuple[str, str]], other: set[tuple[str, str]]
) -> None:
    def edited(edits: set[tuple[str, str]]) -> Layer:
        text = TEXT.replace("op: eq", "op: in")
        for before, after in sorted(edits):
            assert before in text
            text = text.replace(before, after, 1)
        return load_text(text)

    def told(change: LayerChange, *, swapped: bool) -> set[tuple[object, ...]]:
        turned = {"added": "removed", "removed": "added"} if swapped else {}
        return {
            (
                c.kind,
                *((c.was or c.name, c.name) if not swapped else (c.name, c.was or c.name)),
                turned.get(c.how, c.how),
                frozenset((f.field, *((f.new, f.old) if swapped else (f.old, f.new))) for f in c.fields),
            )
            for c in change.definitions
        }

    left, right = edited(one), edited(other)
    assert told(compare_layers(left, right), swapped=False) == told(compare_layers(right, left), swapped=True)
