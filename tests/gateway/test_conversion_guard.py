"""A conversion ties two facts by its entity, in its own SQL and in the count of its joins."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.service import Gateway
from traces.records import Caller

CONVERSIONS = """
metrics:
  - {name: ordered_again, type: conversion, version: 1, owner: o, description: D, base: order_count,
     conversion: order_count, entity: customer, window: {count: 30, unit: day}, calculation: count}
dimensions:
  - {name: customer, dataset: customers, column: customer_id}
"""


@pytest.mark.parametrize("metrics", [["ordered_again"], ["order_count", "ordered_again"]])
def test_a_conversion_by_a_dimension_is_answered_before_any_key_is_attested(
    shop: Path, open_shop: Callable[[], Gateway], ana: Caller, metrics: list[str]
) -> None:
    (shop / "metrics" / "conversions.yml").write_text(CONVERSIONS, encoding="utf-8")
    gateway = open_shop()
    time = {"field": "order_date", "from": "2026-09-01", "to": "2026-09-30"}
    reply = gateway.ask(ana, {"metrics": metrics, "dimensions": ["region"], "time": time})
    assert reply.outcome == "answered", reply.issues
    trace = gateway.traces.read(reply.trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.query is not None
    assert trace.closed.query.guard, "the rows of its joins were counted"
    counted = [d.verdict for d in trace.closed.decisions if d.check == "row_conservation"]
    assert set(counted) == {"allow"}
