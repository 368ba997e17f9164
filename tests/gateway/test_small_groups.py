"""Data that a role sees in aggregate only: figures over few people are hidden wherever a result is read."""

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from gateway.engines.base import Identity, Limits
from gateway.reply import Reply
from gateway.service import Gateway
from policies.mask import MASK
from traces.keys import pseudonym
from traces.records import Caller

Plan = dict[str, object]
ROLE = """
  researcher:
    datasets: [customers, orders, order_lines, products, support_tickets, events]
    personal: {contact: aggregate, identity: aggregate}
  open_researcher:
    datasets: [customers, orders, order_lines, products, support_tickets, events]
"""
RINA = Caller(user="rina", roles=("researcher",), tenant="shop")
OPEN = Caller(user="olga", roles=("open_researcher",), tenant="shop")
PEOPLE = """
SELECT o.order_date, c.region, c.segment, COUNT(DISTINCT o.customer_id)
FROM order_lines AS l JOIN orders AS o ON o.order_id = l.order_id
LEFT JOIN customers AS c ON c.customer_id = o.customer_id
WHERE o.order_status IN ('completed', 'returned') AND o.order_date BETWEEN '2026-07-01' AND '2026-07-10'
GROUP BY ALL"""
SEPTEMBER = {"field": "customer_since", "from": "2026-09-01", "to": "2026-09-30"}
BY_DAY: Plan = {
    "metrics": ["new_customers"],
    "dimensions": ["region"],
    "time": {"field": "customer_since", "from": "2026-09-01", "to": "2026-09-30", "grain": "day"},
}


@pytest.fixture
def gateway(shop: Path, open_shop: Callable[[], Gateway]) -> Gateway:
    """The shop with a role that may see personal data in aggregate."""
    policy = shop / "policies" / "policy.yml"
    policy.write_text(
        re.sub(r"\nroles:\n", f"\nroles:{ROLE}", policy.read_text(encoding="utf-8")), encoding="utf-8"
    )
    return open_shop()


APAC = [{"field": "region", "op": "eq", "values": ["APAC"]}]


def true_and_shown(gateway: Gateway, plan: Plan) -> tuple[Reply, Reply]:
    whole, shown = gateway.ask(OPEN, plan), gateway.ask(RINA, plan)
    assert (whole.outcome, shown.outcome) == ("answered", "answered"), (whole.issues, shown.issues)
    return whole, shown


def test_a_figure_of_a_group_below_the_line_is_hidden_and_the_others_are_exact(gateway: Gateway) -> None:
    whole, shown = true_and_shown(gateway, {**BY_DAY, "limit": 200})
    assert len(whole.rows) == len(shown.rows) > 50
    for true, told in zip(whole.rows, shown.rows, strict=True):
        assert told[:2] == true[:2]
        assert told[2] == (MASK if isinstance(true[2], int) and 0 < true[2] < 5 else true[2])
    hidden = sum(row[2] == MASK for row in shown.rows)
    assert 0 < hidden < len(shown.rows)
    assert f"{hidden} figures of groups of fewer than 5 hidden." in shown.notes


def test_the_counts_themselves_are_no_column_of_the_result(gateway: Gateway) -> None:
    _, shown = true_and_shown(gateway, BY_DAY)
    assert [column.name for column in shown.columns] == ["day", "region", "new_customers"]
    assert all(len(row) == 3 for row in shown.rows)


def test_a_result_with_hidden_figures_is_a_part_and_has_no_total(gateway: Gateway) -> None:
    whole, shown = true_and_shown(gateway, {**BY_DAY, "limit": 200})
    assert whole.summary is not None and shown.summary is not None
    assert shown.truncated and shown.limit_source == "min_group" and not shown.summary.whole
    (figure,) = [column for column in shown.summary.columns if column.name == "new_customers"]
    assert figure.total == "" and figure.hidden == sum(row[2] == MASK for row in shown.rows)
    assert int(figure.low) >= 5
    declare = [{"id": "all", "op": "sum", "args": {"of": {"column": "new_customers"}}}]
    checked = gateway.check_answer(RINA, "In total {{d:all}} customers.", [shown.trace_id], declare)
    assert checked.outcome == "blocked"


def test_a_draft_cannot_ask_for_a_hidden_figure(gateway: Gateway) -> None:
    whole, shown = true_and_shown(gateway, {**BY_DAY, "limit": 200})
    at = next(at for at, row in enumerate(shown.rows) if row[2] == MASK)
    true = whole.rows[at][2]
    printed = gateway.check_answer(RINA, f"{{{{c:{at}.new_customers}}}}", [shown.trace_id])
    assert str(true) not in printed.text
    (day, region, _) = shown.rows[at]
    told = gateway.check_answer(RINA, f"On {day}, {region} had {true} new customers.", [shown.trace_id])
    assert told.outcome in ("blocked", "abstained")
    assert {finding.expected for finding in told.findings} <= {"", "hidden"}


def test_a_hidden_figure_is_told_as_hidden_and_never_as_no_data(gateway: Gateway) -> None:
    shown = gateway.ask(RINA, {**BY_DAY, "filters": APAC, "limit": 200})
    at = next(at for at, row in enumerate(shown.rows) if row[2] == MASK)
    day = shown.rows[at][0]
    assert f"{day}, APAC: New customers hidden" in shown.answer and "no data" not in shown.answer
    slot = gateway.check_answer(RINA, f"On {day}, APAC: {{{{c:{at}.new_customers}}}}.", [shown.trace_id])
    assert (slot.outcome, slot.text) == ("passed", f"On {day}, APAC: hidden.")
    for said in ("New customers holds no data", "had no data"):
        told = gateway.check_answer(RINA, f"On {day}, APAC, {said}.", [shown.trace_id])
        assert told.outcome in ("blocked", "abstained"), said
    first = gateway.check_answer(
        RINA, f"On {day}, APAC had no data.", [gateway.ask(RINA, shown.plan).trace_id]
    )
    assert [finding.code for finding in first.findings] == ["null_as_value"]


@pytest.mark.parametrize(
    "extra",
    [
        {"filters": [{"metric": "new_customers", "op": "lt", "values": [5]}]},
        {"filters": [{"metric": "new_customers", "op": "eq", "values": [6]}]},
        {"order": {"by": "new_customers", "dir": "asc"}},
        {"order": {"by": "new_customers", "dir": "asc"}, "compare": {"kind": "previous_period"}},
        {
            "order": {"by": "new_customers", "dir": "asc"},
            "time": {**SEPTEMBER, "grain": "day", "fill": "zero"},
        },
    ],
)
def test_a_plan_that_sorts_or_filters_by_the_figure_never_shows_a_small_group(
    gateway: Gateway, extra: Plan
) -> None:
    shown = gateway.ask(RINA, {**BY_DAY, **extra, "limit": 200})
    assert all(isinstance(row[2], int) and not 0 < row[2] < 5 for row in shown.rows)
    assert "Groups of fewer than 5 are left out, where there were any." in shown.notes


def test_the_place_the_number_and_the_count_of_rows_are_those_of_large_groups_alone(gateway: Gateway) -> None:
    ranked: Plan = {**BY_DAY, "order": {"by": "new_customers", "dir": "asc"}, "limit": 200}
    whole, shown = true_and_shown(gateway, ranked)
    large = tuple(row for row in whole.rows if isinstance(row[2], int) and row[2] >= 5)
    assert 3 < len(large) < len(whole.rows) and shown.rows == large
    assert shown.actual is not None and shown.actual.rows == shown.row_count == len(large)
    lowest = gateway.ask(RINA, {**ranked, "limit": 3})
    assert lowest.rows == large[:3] and lowest.actual is not None and lowest.actual.rows == 3


@pytest.mark.parametrize("least", [1, 2, 3, 4, 5])
def test_a_metric_filter_cannot_be_moved_until_a_hidden_figure_is_met(gateway: Gateway, least: int) -> None:
    day: Plan = {"field": "customer_since", "from": "2026-09-01", "to": "2026-09-01"}
    above = [*APAC, {"metric": "new_customers", "op": "ge", "values": [least]}]
    plan: Plan = {"metrics": ["new_customers"], "filters": above, "time": day}
    shown = gateway.ask(RINA, plan)
    assert shown.outcome == "no_rows", (shown.outcome, shown.issues)
    assert shown.rows == () and shown.actual is not None and shown.actual.rows == 0
    evidence = gateway.evidence(RINA, shown.trace_id)
    assert evidence is not None and evidence.ran is not None
    assert evidence.ran.actual is not None and evidence.ran.actual.rows == 0


def test_orders_are_counted_by_the_customers_behind_them(gateway: Gateway) -> None:
    plan: Plan = {
        "metrics": ["net_revenue", "customers_ordering"],
        "dimensions": ["region", "segment"],
        "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-07-03", "grain": "day"},
    }
    whole, shown = true_and_shown(gateway, plan)
    names = [column.name for column in whole.columns]
    people, revenue = names.index("customers_ordering"), names.index("net_revenue")
    small = [at for at, row in enumerate(whole.rows) if 0 < int(row[people] or 0) < 5]
    assert small
    for at in small:
        assert shown.rows[at][people] == shown.rows[at][revenue] == MASK
    assert any(row[revenue] != MASK for row in shown.rows)


def test_people_two_steps_away_from_the_counted_rows_are_counted_all_the_same(gateway: Gateway) -> None:
    plan: Plan = {
        "metrics": ["gross_revenue"],
        "dimensions": ["region", "segment"],
        "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-07-10", "grain": "day"},
        "limit": 200,
    }
    whole, shown = true_and_shown(gateway, plan)
    limits = Limits(rows=1000, bytes=10**7, seconds=20, memory_mb=512, spill_mb=0)
    people = gateway.house.engine.run(PEOPLE, Identity("olga", "open_researcher"), limits, "test").rows
    buyers = {tuple(map(str, row[:3])): row[3] for row in people}
    assert set(buyers.values()) > {1, 5} and len(buyers) == len(whole.rows)
    for true, told in zip(whole.rows, shown.rows, strict=True):
        count = buyers[str(true[0]), str(true[1]), str(true[2])]
        assert told[3] == (MASK if isinstance(count, int) and 0 < count < 5 else true[3])


def test_a_grand_total_is_counted_too(gateway: Gateway) -> None:
    whole, shown = true_and_shown(gateway, {"metrics": ["new_customers"]})
    assert shown.rows == whole.rows and not shown.truncated
    day: Plan = {"field": "customer_since", "from": "2026-09-01", "to": "2026-09-01"}
    few: Plan = {
        "metrics": ["new_customers"],
        "filters": [{"field": "region", "op": "eq", "values": ["APAC"]}],
        "time": day,
    }
    true, told = true_and_shown(gateway, few)
    assert isinstance(true.rows[0][0], int) and 0 < true.rows[0][0] < 5
    assert told.rows == ((MASK,),)


def test_a_role_without_an_aggregate_rule_is_asked_no_counts(gateway: Gateway) -> None:
    whole, shown = true_and_shown(gateway, BY_DAY)
    assert "_size_" not in whole.sql and "_size_" in shown.sql


def test_a_question_over_no_personal_data_hides_nothing(gateway: Gateway) -> None:
    plan: Plan = {"metrics": ["units_sold"], "dimensions": ["product"], "limit": 20}
    whole, shown = true_and_shown(gateway, plan)
    assert whole.rows == shown.rows and whole.sql == shown.sql


def test_an_expired_result_is_read_again_under_the_same_protection(gateway: Gateway) -> None:
    shown = gateway.ask(RINA, BY_DAY)
    assert gateway.results.erase(pseudonym(gateway.house.keys, RINA.user, RINA.tenant)) == 1
    checked = gateway.check_answer(RINA, shown.answer, [shown.trace_id])
    assert checked.outcome == "passed", (checked.findings, checked.issues)


def test_a_replay_of_a_protected_answer_is_the_same(gateway: Gateway) -> None:
    shown = gateway.ask(RINA, BY_DAY)
    report = gateway.replay(RINA, shown.trace_id)
    assert report is not None and report.verdict == "same", report


KINDS = """
metrics:
  - {name: first_buyers, type: count_distinct, version: 1, owner: o, description: D, dataset: orders,
     column: customer_id, time_field: order_date, snapshot: {over: order_date, pick: first}}
  - {name: usual_sign_ups, type: count, version: 1, owner: o, description: D, dataset: customers,
     time_field: customer_since, snapshot: {over: customer_since, pick: average}}
  - {name: signed_and_asked, type: conversion, version: 1, owner: o, description: D, base: new_customers,
     conversion: ticket_count, entity: customer, window: {count: 30, unit: day}, calculation: count}
  - {name: asked_and_came_back, type: conversion, version: 1, owner: o, description: D, base: ticket_count,
     conversion: event_count, entity: customer, window: {count: 7, unit: day}, calculation: count}
  - {name: sign_ups_before, type: period_over_period, version: 1, owner: o, description: D,
     metric: new_customers, offset: {count: 1, unit: day}, calculation: value}
  - {name: last_buyers, type: cumulative, version: 1, owner: o, description: D, metric: customers_ordering,
     window: {count: 1, unit: day}}
dimensions:
  - {name: customer, dataset: customers, column: customer_id}
"""
SIGNED = {"field": "customer_since", "from": "2026-09-01", "to": "2026-09-30"}
ORDERED = {"field": "order_date", "from": "2026-09-01", "to": "2026-09-30"}


@pytest.fixture
def kinds(shop: Path, gateway: Gateway, open_shop: Callable[[], Gateway]) -> Gateway:
    """The shop with metrics whose rows are others than those of the plain count beside them."""
    gateway.close()
    (shop / "metrics" / "kinds.yml").write_text(KINDS, encoding="utf-8")
    return open_shop()


def small(value: object) -> bool:
    return value is not None and 0 < Decimal(str(value)) < 5


def test_a_compared_figure_is_hidden_by_the_people_of_its_own_period(gateway: Gateway) -> None:
    plan: Plan = {**BY_DAY, "compare": {"kind": "previous_period"}, "limit": 200}
    whole, shown = true_and_shown(gateway, plan)
    told = 0
    for true, row in zip(whole.rows, shown.rows, strict=True):
        now, before = small(true[2]), small(true[3])
        assert [value == MASK for value in row[2:]] == [now, before, now or before, now or before]
        told += before and not now
    assert told


@pytest.mark.parametrize(
    ("plain", "other", "time"),
    [
        ("customers_ordering", "first_buyers", {**ORDERED, "grain": "week"}),
        ("new_customers", "signed_and_asked", {**SIGNED, "grain": "day"}),
        ("new_customers", "sign_ups_before", {**SIGNED, "grain": "day"}),
        ("customers_ordering", "last_buyers", ORDERED),
    ],
)
def test_a_figure_over_other_rows_is_hidden_by_the_people_in_them(
    kinds: Gateway, plain: str, other: str, time: Plan
) -> None:
    plan: Plan = {"metrics": [plain, other], "dimensions": ["region", "segment"], "time": time, "limit": 200}
    whole, shown = true_and_shown(kinds, plan)
    for true, row in zip(whole.rows, shown.rows, strict=True):
        assert [value == MASK for value in row[-2:]] == [small(true[-2]), small(true[-1])]
    assert any(small(row[-1]) and not small(row[-2]) for row in whole.rows)


def test_a_running_figure_is_not_told_period_by_period(kinds: Gateway) -> None:
    running: Plan = {
        "metrics": ["last_buyers"],
        "dimensions": ["region"],
        "time": {**ORDERED, "grain": "day"},
    }
    assert kinds.ask(OPEN, running).outcome == "answered"
    refused = kinds.ask(RINA, running)
    assert refused.outcome != "answered" and not refused.rows and not refused.sql
    (issue,) = [issue for issue in refused.issues if issue.code == "running_figure"]
    assert issue.path == "/time/grain" and issue.next_step
    whole, shown = true_and_shown(kinds, {**running, "time": ORDERED})
    assert len(shown.rows) == len(whole.rows) > 0


def test_an_event_over_personal_data_guards_what_it_follows(
    shop: Path, kinds: Gateway, open_shop: Callable[[], Gateway]
) -> None:
    kinds.close()
    datasets = shop / "metrics" / "datasets.yml"
    text = datasets.read_text(encoding="utf-8")
    large = re.compile(r"    (large: true|max_window_days: \d+)\n")
    datasets.write_text(large.sub("", text), encoding="utf-8")
    time = {"field": "ticket_opened", "from": "2026-07-01", "to": "2026-09-30", "grain": "week"}
    whole, shown = true_and_shown(open_shop(), {"metrics": ["asked_and_came_back"], "time": time})
    hidden = [row[-1] == MASK for row in shown.rows]
    assert all(masked for masked, row in zip(hidden, whole.rows, strict=True) if small(row[-1]))
    assert True in hidden and False in hidden, whole.rows


def test_where_no_key_may_be_named_an_average_is_hidden_by_its_rows_per_moment(
    shop: Path, kinds: Gateway, open_shop: Callable[[], Gateway]
) -> None:
    kinds.close()
    policy = shop / "policies" / "policy.yml"
    rule = "identity: aggregate}\n"
    text = policy.read_text(encoding="utf-8")
    assert rule in text
    hidden = "hidden_columns: [customers.name, customers.email, customers.phone]"
    policy.write_text(text.replace(rule, f"{rule}    {hidden}\n"), encoding="utf-8")
    plan: Plan = {"metrics": ["usual_sign_ups"], "dimensions": ["region"], "time": SIGNED}
    whole, shown = true_and_shown(open_shop(), plan)
    assert whole.rows and all(small(row[-1]) for row in whole.rows)
    assert all(row[-1] == MASK for row in shown.rows)
