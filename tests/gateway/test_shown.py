"""What leaves with a reply: rows by policy, a summary always, and never more characters than the budget."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal

import pytest

from gateway.doors.mcp.tools import tool_result
from gateway.reply import Reply
from gateway.service import Gateway
from policies.policy import ReadingRules
from traces.records import Caller

Plan = dict[str, object]
Reader = Callable[..., Gateway]
PRODUCTS: Plan = {"metrics": ["units_sold", "gross_revenue"], "dimensions": ["product"]}
WIDE: Plan = {
    "metrics": [
        "gross_revenue", "refunds", "net_revenue", "shipping_fees", "order_count", "completed_orders",
        "billed_orders", "cancelled_orders", "cancellation_rate", "average_order_value", "customers_ordering",
        "units_sold", "list_value", "largest_order_line",
    ],
    "dimensions": ["region", "segment"],
    "time": {"field": "order_date", "from": "2024-03-01", "to": "2026-09-30", "grain": "month"},
    "limit": 1000,
}  # fmt: skip


@pytest.fixture
def reading(gateway: Gateway) -> Reader:
    """Gives the shop other rules of reading."""

    def changed(**rules: object) -> Gateway:
        governed = gateway.house.governed
        policy = governed.policy.model_copy(update={"reading": ReadingRules.model_validate(rules)})
        house = replace(gateway.house, governed=replace(governed, policy=policy))
        return Gateway(house, gateway.traces, gateway.results, gateway.state, gateway.attestations)

    return changed


def column(reply: Reply, name: str) -> Mapping[str, object]:
    assert reply.summary is not None
    return next(dict(found) for found in reply.summary.columns if found.name == name)


def test_a_long_result_is_cut_by_policy_and_summed_up_whole(gateway: Gateway, ana: Caller) -> None:
    reply = gateway.ask(ana, PRODUCTS)
    whole = gateway.ask(ana, {**PRODUCTS, "limit": 1000})
    assert (len(reply.rows), reply.row_count) == (50, len(whole.rows))
    assert (reply.truncated, reply.limit_source) == (True, "policy")
    assert reply.rows == whole.rows[:50] and not reply.row_numbers
    assert f"50 of {len(whole.rows)} rows are shown; the summary is of all." in reply.notes
    units = [row[1] for row in whole.rows]
    assert column(reply, "units_sold")["total"] == str(sum(v for v in units if isinstance(v, int)))
    assert column(reply, "product")["distinct"] == len({row[0] for row in whole.rows} - {None})
    revenue = [Decimal(str(row[2])) for row in whole.rows if row[2] is not None]
    assert Decimal(str(column(reply, "gross_revenue")["total"])) == sum(revenue)
    assert Decimal(str(column(reply, "gross_revenue")["high"])) == max(revenue)


def test_a_part_that_the_plan_asked_for_has_no_total(gateway: Gateway, ana: Caller) -> None:
    reply = gateway.ask(ana, {**PRODUCTS, "limit": 7})
    assert (len(reply.rows), reply.truncated) == (7, False)
    assert column(reply, "units_sold")["total"] == ""


def test_what_does_not_add_up_has_no_total(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    metrics = ["net_revenue", "customers_ordering", "cancellation_rate", "average_order_value"]
    reply = gateway.ask(ana, {**revenue, "metrics": metrics})
    assert column(reply, "net_revenue")["total"]
    assert not any(column(reply, name)["total"] for name in metrics[1:])


def test_the_answer_and_drafts_stand_on_the_whole_result(reading: Reader, ana: Caller) -> None:
    house = reading(rows=3)
    reply = house.ask(ana, PRODUCTS)
    assert len(reply.rows) == 3 and len(reply.citations) > 3
    last = reply.row_count - 1
    checked = house.check_answer(ana, f"It sold {{{{c:{last}.units_sold}}}}.", [reply.trace_id])
    assert checked.outcome == "passed" and checked.citations[0].cell is not None
    assert checked.citations[0].cell.row == last


def test_a_sample_says_which_rows_it_shows(reading: Reader, ana: Caller) -> None:
    whole = reading(rows=1000).ask(ana, PRODUCTS)
    reply = reading(show="sample", rows=10).ask(ana, PRODUCTS)
    assert len(reply.rows) == len(reply.row_numbers) == 10
    assert reply.row_numbers[-1] == len(whole.rows) - 1
    assert reply.rows == tuple(whole.rows[at] for at in reply.row_numbers)


def test_where_policy_shows_no_rows_neither_rows_nor_a_sentence_over_them_leave(
    reading: Reader, ana: Caller, revenue: Plan
) -> None:
    house = reading(show="none")
    reply = house.ask(ana, revenue)
    assert reply.outcome == "answered" and reply.summary is not None
    assert reply.rows == () and reply.answer == "" and reply.citations == ()
    view = house.get_trace(ana, reply.trace_id)
    assert view is not None and view.answer == ""
    total = house.ask(ana, {"metrics": ["net_revenue"]})
    assert total.rows == () and total.citations


@pytest.mark.parametrize("characters", [25_000, 16_000, 9_500])
def test_a_wide_result_stays_within_the_characters_over_mcp(
    reading: Reader, ana: Caller, characters: int
) -> None:
    reply = reading(characters=characters, rows=1000).ask(ana, WIDE)
    assert reply.outcome == "answered", reply.issues
    result = tool_result(reply)
    (block,) = result.content
    assert len(getattr(block, "text", "")) <= characters
    assert len(json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))) <= characters
    assert reply.row_count > 300 and reply.summary is not None and len(reply.summary.columns) == 17
    assert reply.truncated and len(reply.rows) < reply.row_count


def test_rows_of_a_wide_result_go_before_the_sentence_goes(reading: Reader, ana: Caller) -> None:
    plan = {**WIDE, "metrics": ["order_count"], "time": {**WIDE["time"], "grain": "day"}}  # type: ignore[dict-item]
    reply = reading(rows=1000).ask(ana, plan)
    assert reply.answer and 100 < len(reply.rows) < 1000
    assert len(reply.model_dump_json(by_alias=True)) > 23_500
