"""What a role with row rules reads of an estimate."""

from math import inf

import pytest

from metric_layer.plan import Filter
from policies.estimate_view import shown_estimate
from policies.policy import Role
from traces.records import Estimate, JoinGrowth, Scan

ESTIMATE = Estimate(
    rows=61_842,
    bytes=1_234_567,
    cost=0.0472,
    scans=(Scan(relation="customers", rows=61_842, full=True),),
    joins=(JoinGrowth(kind="HASH_JOIN", rows=99, growth=3.0),),
    bound="upper",
)
OPEN = Role(datasets=("customers",))
RULED = Role(datasets=("customers",), rows=(Filter(field="region", op="eq", values=("north",)),))


def test_a_role_without_row_rules_reads_the_estimate_as_it_is() -> None:
    assert shown_estimate(ESTIMATE, OPEN) == ESTIMATE


def test_a_role_with_row_rules_reads_magnitudes_and_no_table_or_join() -> None:
    shown = shown_estimate(ESTIMATE, RULED)
    assert (shown.rows, shown.bytes, shown.cost) == (60_000, 1_000_000, 0.05)
    assert (shown.scans, shown.joins, shown.bound) == ((), (), ESTIMATE.bound)


@pytest.mark.parametrize("value", [None, 0])
def test_what_is_unknown_or_nothing_stays_so(value: int | None) -> None:
    shown = shown_estimate(Estimate(rows=value, bytes=value, cost=value), RULED)
    assert (shown.rows, shown.bytes, shown.cost) == (value, value, value)


def test_an_estimate_without_end_stays_without_end() -> None:
    assert shown_estimate(Estimate(cost=inf), RULED).cost == inf
