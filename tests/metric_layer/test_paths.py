"""Paths are found where they are declared, and finding them stays quick in a dense layer."""

import time

from metric_layer.load import load_text
from metric_layer.paths import ManyPaths, NoPath, find_filter_path, find_path, words_of
from metric_layer.visible import Visible
from tests.metric_layer.trap_shop import trap_layer

ALL = Visible()


def test_a_path_over_several_hops_is_told_in_words() -> None:
    layer = trap_layer()
    path = find_path(layer, "order_lines", layer.dimensions["buyer_region"], ALL)
    assert isinstance(path, tuple)
    assert words_of(path) == "order_lines to orders (line_order), orders to customers (buyer)"


def test_a_via_that_begins_at_the_dimension_itself_is_its_own_column() -> None:
    layer = trap_layer()
    assert find_path(layer, "customers", layer.dimensions["buyer_region"], ALL) == ()


def test_a_via_is_the_only_way() -> None:
    layer = trap_layer()
    found = find_path(layer, "support_tickets", layer.dimensions["buyer_region"], ALL)
    assert isinstance(found, NoPath)


def test_a_choice_settles_two_ways_and_a_wrong_one_settles_nothing() -> None:
    layer = trap_layer()
    region = layer.dimensions["region"]
    payer = find_path(layer, "order_lines", region, ALL, "payer")
    assert isinstance(payer, tuple) and [hop.relationship for hop in payer] == ["line_order", "payer"]
    assert isinstance(find_path(layer, "order_lines", region, ALL, "line_order"), ManyPaths)
    assert isinstance(find_path(layer, "order_lines", region, ALL, "nobody"), ManyPaths)


def test_a_hidden_dataset_is_no_stepping_stone() -> None:
    layer = trap_layer()
    visible = Visible(datasets=frozenset({"order_lines", "customers"}))
    found = find_path(layer, "order_lines", layer.dimensions["buyer_region"], visible)
    assert found == NoPath("unreachable")


def test_a_filter_may_look_below_and_across_a_bridge_but_not_up_and_down_again() -> None:
    layer = trap_layer()
    below = find_filter_path(layer, "orders", layer.dimensions["product"], ALL)
    assert isinstance(below, tuple) and [hop.to_many for hop in below] == [True, False]
    across = find_filter_path(layer, "orders", layer.dimensions["severity"], ALL)
    assert isinstance(across, NoPath) and across.reason == "many_to_many"


def dense(width: int, depth: int) -> str:
    """A layered mesh: every dataset of a layer points at every dataset of the next."""
    lines = ["datasets:"]
    for level in range(depth):
        for item in range(width):
            keys = "".join(f", {{name: k{n}, type: integer}}" for n in range(width))
            lines.append(
                f"  - {{name: t{level}_{item}, relation: t{level}_{item}, primary_key: [id], "
                f"columns: [{{name: id, type: integer}}{keys}]}}"
            )
    lines.append("relationships:")
    for level in range(depth - 1):
        lines += [
            f"  - {{name: r{level}_{a}_{b}, from_dataset: t{level}_{a}, to_dataset: t{level + 1}_{b}, "
            f"from_columns: [k{b}], to_columns: [id]}}"
            for a in range(width)
            for b in range(width)
        ]
    lines.append("dimensions:")
    lines.append(f"  - {{name: far, dataset: t{depth - 1}_0, column: id}}")
    lines.append("  - {name: top, dataset: t0_0, column: id}")
    return "\n".join(lines)


def test_a_mesh_with_a_million_ways_is_answered_at_once() -> None:
    layer = load_text(dense(width=8, depth=8))
    started = time.process_time()
    down = find_path(layer, "t0_0", layer.dimensions["far"], ALL)
    up = find_filter_path(layer, "t7_0", layer.dimensions["top"], ALL)
    assert time.process_time() - started < 1
    assert isinstance(down, ManyPaths) and isinstance(up, ManyPaths)
