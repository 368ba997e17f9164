"""A policy folder is one good policy, or every mistake in it at once, each with its place and near names."""

from pathlib import Path

import pytest

from metric_layer.layer import Layer
from policies.load import Governed, PolicyInvalid, load_policy
from policies.policy import Policy
from tests.metric_layer.trap_shop import trap_layer

GOOD = """
name: shop
roles:
  analyst:
    datasets: [orders]
    metrics: [order_count]
budget:
  bytes: {warn: 10, hard: 100}
"""


@pytest.fixture(scope="module")
def layer() -> Layer:
    return trap_layer()


def loaded(folder: Path, layer: Layer, text: str, name: str = "policy.yml") -> Governed:
    (folder / name).write_text(text, encoding="utf-8")
    return load_policy(folder, layer)


def refused(folder: Path, layer: Layer, text: str) -> dict[str, tuple[str, ...]]:
    with pytest.raises(PolicyInvalid) as caught:
        loaded(folder, layer, text)
    assert all(issue.place for issue in caught.value.issues)
    return {issue.code: issue.candidates for issue in caught.value.issues}


def test_a_policy_is_read_with_its_hashes(tmp_path: Path, layer: Layer) -> None:
    governed = loaded(tmp_path, layer, GOOD)
    assert governed.policy.roles["analyst"].metrics == ("order_count",)
    assert governed.digest != governed.thresholds


def test_a_hash_follows_what_the_policy_says_and_not_how_it_is_laid_out(tmp_path: Path, layer: Layer) -> None:
    first = loaded(tmp_path, layer, GOOD)
    same = loaded(tmp_path, layer, "# a remark\n" + GOOD.replace("[orders]", "\n      - orders"))
    assert same == first


def test_a_moved_line_changes_the_thresholds_and_a_new_owner_does_not(tmp_path: Path, layer: Layer) -> None:
    first = loaded(tmp_path, layer, GOOD)
    dearer = loaded(tmp_path, layer, GOOD.replace("hard: 100", "hard: 101"))
    owned = loaded(tmp_path, layer, GOOD + "owner: somebody\n")
    assert dearer.thresholds != first.thresholds
    assert (owned.thresholds == first.thresholds, owned.digest == first.digest) == (True, False)


def test_a_folder_without_a_policy_or_with_two_is_refused(tmp_path: Path, layer: Layer) -> None:
    with pytest.raises(PolicyInvalid) as none:
        load_policy(tmp_path, layer)
    loaded(tmp_path, layer, GOOD)
    with pytest.raises(PolicyInvalid) as two:
        loaded(tmp_path, layer, GOOD, "other.yaml")
    assert [none.value.issues[0].code, two.value.issues[0].code] == ["no_policy", "several_policies"]


def test_every_name_the_layer_lacks_is_told_at_once_with_near_names(tmp_path: Path, layer: Layer) -> None:
    found = refused(
        tmp_path,
        layer,
        """
name: shop
roles:
  analyst:
    datasets: [ordres]
    metrics: [order_cuont]
    hidden_columns: [orders.nothing]
    rows: [{field: nowhere, op: in, values: [x]}]
budget:
  rows: {warn: 100, hard: 10}
""",
    )
    assert set(found) == {
        "unknown_dataset",
        "unknown_metric",
        "unknown_column",
        "unknown_dimension",
        "budget_reversed",
    }
    assert found["unknown_dataset"][0] == "orders"
    assert found["unknown_metric"][0] == "order_count"


def test_every_pair_of_lines_and_every_class_of_question_is_looked_at(tmp_path: Path, layer: Layer) -> None:
    wrong = "{warn: 2, hard: 1}"
    more = f"class_budgets: {{free: {{rows: {wrong}}}, fre: {{}}}}\n"
    assert set(refused(tmp_path, layer, GOOD + more)) == {"budget_reversed", "unknown_release_class"}


def test_an_unknown_key_is_told_with_the_near_one(tmp_path: Path, layer: Layer) -> None:
    assert refused(tmp_path, layer, GOOD + "buget: {}\n") == {"unknown_key": ("budget",)}


def test_a_class_of_question_that_there_is_not_is_told_with_the_near_one(
    tmp_path: Path, layer: Layer
) -> None:
    text = GOOD + "release: {governd: autonomous, free: shadow}\n"
    assert refused(tmp_path, layer, text) == {"unknown_release_class": ("governed",)}


@pytest.mark.parametrize(
    "line",
    [
        "hold_minutes: 99999999999999",
        "caps: {seconds: 86401}",
        "caps: {memory_mb: 99999999999}",
        "caps: {spill_mb: 99999999999}",
        "caps: {rows: 99999999999}",
        "answers: {attempts: 21}",
        "reading: {characters: 99999999999}",
        "text: {nesting: 100000}",
    ],
)
def test_a_number_too_large_for_what_it_bounds_is_refused(tmp_path: Path, layer: Layer, line: str) -> None:
    with pytest.raises(PolicyInvalid) as caught:
        loaded(tmp_path, layer, GOOD + line + "\n")
    (issue,) = caught.value.issues
    assert issue.code == "invalid_value" and "at most" in issue.message


def test_every_number_of_a_policy_has_an_upper_bound() -> None:
    schema = Policy.model_json_schema()
    shapes = {"Policy": schema, **schema["$defs"]}
    shapes.pop("Filter")  # a value to compare with is no limit
    unbounded = [
        f"{shape}.{name}"
        for shape, made in shapes.items()
        for name, field in made.get("properties", {}).items()
        if field.get("type") in ("integer", "number") and "maximum" not in field
    ]
    assert not unbounded
