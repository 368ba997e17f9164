"""What a role may see follows from the policy and the layer alone."""

import pytest

from metric_layer.layer import Layer
from metric_layer.load import load_text
from policies.policy import PersonalRule, Role
from policies.visible import NOTHING, role_in_force, sources_by_metric, sources_of, visible_to
from traces.records import Caller

TEXT = """
datasets:
  - name: visits
    relation: visits
    primary_key: [id]
    columns:
      - {name: id, type: integer}
      - {name: day, type: date}
      - {name: visitor, type: string, personal: identity}
      - {name: minutes, type: integer}
dimensions:
  - {name: visit_day, dataset: visits, column: day}
metrics:
  - name: minutes
    type: sum
    dataset: visits
    column: minutes
    time_field: visit_day
    version: 1
    owner: a
    description: D
  - {name: who, type: count_distinct, dataset: visits, column: visitor, version: 1, owner: a, description: D}
  - {name: each, type: ratio, numerator: minutes, denominator: who, version: 1, owner: a, description: D}
  - {name: so_far, type: cumulative, metric: each, version: 1, owner: a, description: D}
  - name: growth
    type: period_over_period
    metric: minutes
    offset: {count: 1, unit: year}
    version: 1
    owner: a
    description: D
"""


@pytest.fixture(scope="module")
def layer() -> Layer:
    return load_text(TEXT)


def test_a_metric_rests_on_the_columns_of_all_its_parts(layer: Layer) -> None:
    both = frozenset({"visits.minutes", "visits.visitor"})
    assert sources_of("so_far", layer) == (frozenset({"visits"}), both)
    assert sources_of("growth", layer) == (frozenset({"visits"}), frozenset({"visits.minutes"}))
    assert sources_by_metric(layer) == {name: sources_of(name, layer) for name in layer.metrics}


def test_a_denied_column_hides_every_metric_that_is_made_of_it(layer: Layer) -> None:
    denied = visible_to(Role(datasets=("visits",)), layer)
    assert denied.metrics == frozenset({"minutes", "growth"})
    counted = visible_to(Role(datasets=("visits",), personal={"identity": "aggregate"}), layer)
    assert counted.metrics == frozenset(layer.metrics)


FILTERED = """
  - name: hers
    type: sum
    dataset: visits
    column: minutes
    filters: [{field: visitor_name, op: eq, values: [ana@shop.example]}]
    version: 1
    owner: a
    description: D
  - name: hers_too
    type: filtered
    metric: minutes
    filters: [{field: visitor_name, op: eq, values: [ana@shop.example]}]
    version: 1
    owner: a
    description: D
  - {name: hers_so_far, type: cumulative, metric: hers_too, version: 1, owner: a, description: D}
"""
NAMED = """
  - {name: visitor_name, dataset: visits, column: visitor}
"""


def test_a_denied_column_hides_every_metric_that_filters_by_it_itself() -> None:
    head, metrics = TEXT.split("metrics:")
    layer = load_text(f"{head.rstrip()}{NAMED}metrics:{metrics.rstrip()}{FILTERED}")
    filtered = frozenset({"hers", "hers_too", "hers_so_far"})
    assert filtered <= frozenset(layer.metrics)
    assert visible_to(Role(datasets=("visits",)), layer).metrics == frozenset({"minutes", "growth"})
    hidden = visible_to(
        Role(datasets=("visits",), personal={"identity": "aggregate"}, hidden_columns=("visits.visitor",)),
        layer,
    )
    assert hidden.metrics == frozenset({"minutes", "growth"})


@pytest.mark.parametrize("rule", ["aggregate", "mask", "last_four", "hash"])
def test_a_metric_that_filters_by_a_value_the_role_does_not_get_whole_is_not_listed(
    rule: PersonalRule,
) -> None:
    head, metrics = TEXT.split("metrics:")
    layer = load_text(f"{head.rstrip()}{NAMED}metrics:{metrics.rstrip()}{FILTERED}")
    seen = visible_to(Role(datasets=("visits",), personal={"identity": rule}), layer)
    assert seen.metrics is not None and not seen.metrics & {"hers", "hers_too", "hers_so_far"}
    assert seen.metrics >= {"minutes", "growth"}


MEASURED = """
  - {name: named, type: count, dataset: visits, column: visitor, version: 1, owner: a, description: D}
  - {name: first, type: min, dataset: visits, column: visitor, version: 1, owner: a, description: D}
"""


def test_behind_a_mask_presence_is_counted_and_nothing_else_is_measured() -> None:
    layer = load_text(f"{TEXT.rstrip()}{MEASURED}")
    masked = visible_to(Role(datasets=("visits",), personal={"identity": "mask"}), layer)
    assert masked.metrics == frozenset({"minutes", "growth", "named"})
    counted = visible_to(Role(datasets=("visits",), personal={"identity": "aggregate"}), layer)
    assert counted.metrics == frozenset(layer.metrics) - {"first"}


def test_the_first_role_that_the_policy_knows_is_in_force() -> None:
    caller = Caller(user="u", roles=("unknown", "second", "third"))
    assert role_in_force(("third", "second"), caller) == "second"
    assert role_in_force(("other",), caller) == ""
    assert not NOTHING.metric("minutes") and not NOTHING.dataset("visits")
