"""The MCP door in process, in both protocol eras, with the SDK's own client."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent, TextResourceContents

from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.mcp.arguments import strict_arguments
from gateway.doors.mcp.server import build_mcp
from gateway.doors.mcp.tools import Tools, build_tools
from gateway.doors.status import OUTCOMES
from gateway.doors.workers import Workers
from gateway.engines.base import EngineError
from gateway.reply import DraftReply, Reply, ReplyIssue
from metric_layer.issues import Option
from metric_layer.plan import MetricPlan
from tests.gateway.doors.fake import FakeGateway
from traces.records import Outcome, ShorterWindow

pytestmark = pytest.mark.anyio
TOOLS = {
    "list_metrics",
    "describe_metric",
    "search_catalog",
    "ask_metric",
    "ask_question",
    "dry_run_plan",
    "check_answer",
    "run_saved_analysis",
    "await_decision",
    "get_trace",
}
PLAN = {"metrics": ["net_revenue"]}


@asynccontextmanager
async def connected(house: FakeGateway, callers: Callers, mode: str) -> AsyncIterator[Client]:
    workers = Workers(2, 2)
    async with Client(build_mcp(house, callers.for_stdio, workers, Counters()), mode=mode) as client:
        yield client
    await asyncio.to_thread(workers.close)


@pytest.fixture(params=["auto", "legacy"])
async def client(
    house: FakeGateway, callers: Callers, request: pytest.FixtureRequest
) -> AsyncIterator[Client]:
    async with connected(house, callers, request.param) as client:
        yield client


def body_of(result: CallToolResult) -> dict[str, Any]:
    """The structured content, which must say the same as the text."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert result.structured_content == json.loads(block.text)
    return dict(result.structured_content or {})


async def test_the_tools_are_the_published_ones_and_only_read(client: Client) -> None:
    tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS
    for tool in tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.open_world_hint is False


async def test_no_tool_takes_sql(client: Client) -> None:
    for tool in (await client.list_tools()).tools:
        assert not {"sql", "query", "statement"} & set(tool.input_schema["properties"])


async def test_the_tool_list_costs_less_than_three_thousand_tokens(client: Client) -> None:
    listed = (await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True)
    assert len(listed.encode()) / 4 < 3000


async def test_schemas_are_closed_flat_and_without_references(client: Client) -> None:
    for tool in (await client.list_tools()).tools:
        Draft202012Validator.check_schema(tool.input_schema)
        text = json.dumps(tool.input_schema)
        assert "$ref" not in text
        assert "$defs" not in text
        assert tool.input_schema["additionalProperties"] is False


async def test_the_arguments_of_a_plan_tool_are_the_plans_own_keys(client: Client) -> None:
    schemas = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
    keys = set(MetricPlan.model_json_schema(by_alias=True)["properties"])
    beside = {"choices", "approval_id", "accept_narrower", "conversation", "words"}
    assert set(schemas["ask_metric"]["properties"]) == keys | beside
    words = {"question", "choices", "approval_id", "conversation", "dry_run"}
    assert set(schemas["ask_question"]["properties"]) == words
    assert set(schemas["dry_run_plan"]["properties"]) == keys | {"choices"}
    plan = {
        **PLAN,
        "filters": [{"field": "region", "op": "in", "values": ["EMEA", 3, 2.5, True]}],
        "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
        "order": {"by": "net_revenue", "dir": "desc"},
        "limit": 10,
    }
    assert not list(Draft202012Validator(schemas["ask_metric"]).iter_errors(plan))
    assert MetricPlan.model_validate(plan).limit == 10


@pytest.mark.parametrize("outcome", list(OUTCOMES))
async def test_an_outcome_is_an_error_only_where_the_table_says_so(
    house: FakeGateway, callers: Callers, outcome: Outcome
) -> None:
    house.reply = Reply(outcome=outcome, trace_id="t1")
    async with connected(house, callers, "auto") as client:
        result = await client.call_tool("ask_metric", PLAN)
    assert result.is_error is OUTCOMES[outcome].is_error
    assert body_of(result) == house.reply.model_dump(mode="json", by_alias=True)


async def test_a_plan_arrives_as_it_was_sent_unknown_keys_included(
    client: Client, house: FakeGateway
) -> None:
    sent: dict[str, object] = {
        **PLAN,
        "dimension": ["region"],
        "choices": {"sales": "net_revenue"},
        "approval_id": "h1",
    }
    sent["accept_narrower"] = {"from": "2026-08-01", "to": "2026-08-31"}
    await client.call_tool("ask_metric", sent)
    assert house.options.accept_narrower == ShorterWindow.model_validate(sent["accept_narrower"])
    caller, plan, choices, dry_run, approval, door = house.asked[0]
    assert (caller.user, choices, dry_run, approval) == ("ana", {"sales": "net_revenue"}, False, "h1")
    assert plan == {**PLAN, "dimension": ["region"]}
    assert door.name.startswith("mcp ")


async def test_a_list_sent_as_a_json_string_is_taken_for_a_list(client: Client, house: FakeGateway) -> None:
    await client.call_tool("ask_metric", {"metrics": '["net_revenue"]', "dialect": "{duckdb"})
    assert house.asked[0][1] == {"metrics": ["net_revenue"], "dialect": "{duckdb"}


async def test_a_question_in_words_arrives_as_text(client: Client, house: FakeGateway) -> None:
    sent = {
        "question": '["net_revenue"] last month?',
        "conversation": "{c1",
        "choices": {"sales": "net_revenue"},
    }
    await client.call_tool("ask_question", sent)
    _, question, choices, dry_run, _, door = house.asked[0]
    assert (question, choices, dry_run) == (sent["question"], sent["choices"], False)
    assert house.options.conversation == "{c1"
    assert door.name.startswith("mcp ")


async def test_a_question_back_carries_its_options(house: FakeGateway, callers: Callers) -> None:
    options = (Option(name="net_revenue", description="Less refunds."), Option(name="gross_revenue"))
    issue = ReplyIssue(
        code="ambiguous_metric", message="Which?", stage="input", term="sales", options=options
    )
    house.reply = Reply(outcome="needs_clarification", trace_id="t1", issues=(issue,))
    async with connected(house, callers, "auto") as client:
        result = await client.call_tool("ask_question", {"question": "sales last month"})
    assert result.is_error is False
    (said,) = body_of(result)["issues"]
    assert said["term"] == "sales"
    assert [option["name"] for option in said["options"]] == ["net_revenue", "gross_revenue"]


@pytest.mark.parametrize(
    "sent", [{}, {"question": 7}, {"question": "a", "metrics": ["a"]}, {"metrics": ["a"]}]
)
async def test_only_a_text_is_a_question(client: Client, house: FakeGateway, sent: dict[str, object]) -> None:
    result = await client.call_tool("ask_question", sent)
    assert body_of(result)["outcome"] == "invalid_plan"
    assert not house.asked


async def test_a_dry_run_never_becomes_a_run(client: Client, house: FakeGateway) -> None:
    await client.call_tool("dry_run_plan", PLAN)
    await client.call_tool("dry_run_plan", {**PLAN, "dry_run": False})
    assert [asked[3] for asked in house.asked] == [True, True]


async def test_what_stands_beside_a_plan_is_typed(client: Client, house: FakeGateway) -> None:
    result = await client.call_tool("ask_metric", {**PLAN, "choices": {"a": 1}})
    assert result.is_error
    assert body_of(result)["issues"][0]["path"] == "/choices/a"
    assert not house.asked


@pytest.mark.parametrize(
    ("tool", "sent", "paths"),
    [
        ("list_metrics", {"serach": "x", "limit": 0}, {"/serach", "/limit"}),
        ("describe_metric", {"metric": "net_revenue"}, {"/metric", "/name"}),
        ("get_trace", {"trace_id": 3, "user": "rita"}, {"/trace_id", "/user"}),
        ("check_answer", {"draft": "x", "trace_ids": [], "trace": "t"}, {"/trace_ids", "/trace"}),
    ],
)
async def test_unknown_and_ill_typed_arguments_are_refused_all_at_once(
    client: Client, tool: str, sent: dict[str, Any], paths: set[str]
) -> None:
    result = await client.call_tool(tool, sent)
    body = body_of(result)
    assert result.is_error
    assert {issue["path"] for issue in body["issues"]} == paths
    assert "pydantic.dev" not in json.dumps(body)


async def test_a_misspelt_argument_is_met_with_its_near_name(client: Client) -> None:
    body = body_of(await client.call_tool("list_metrics", {"serach": "x"}))
    assert body["issues"][0]["candidates"] == ["search"]


@pytest.mark.parametrize(
    ("tool", "sent", "path"),
    [
        ("ask_metric", {"metrics": ["\ud800"]}, "/metrics/0"),
        ("check_answer", {"draft": "3 \udfff", "trace_ids": ["t1"]}, "/draft"),
        ("check_answer", {"draft": "3", "trace_ids": '["\\ud800"]'}, "/trace_ids/0"),
        ("get_trace", {"trace_id": "\ud800"}, "/trace_id"),
    ],
)
async def test_half_a_character_is_refused_with_its_place_before_anything_counts(
    house: FakeGateway, callers: Callers, tool: str, sent: dict[str, Any], path: str
) -> None:
    async def never(_: object) -> None:
        pytest.fail("the call went on")

    params = {"name": tool, "arguments": sent}
    context: Any = SimpleNamespace(method="tools/call", params=params, request=None)
    workers = Workers(1, 1)
    tools = build_tools(Tools(house, callers.for_stdio, workers, Counters()))
    result = await strict_arguments(tools)(context, never)
    await asyncio.to_thread(workers.close)
    assert isinstance(result, CallToolResult) and result.is_error
    assert [issue["path"] for issue in body_of(result)["issues"]] == [path]
    assert not house.asked and not house.drafts


async def test_who_writes_a_draft_is_told_of_cells_before_derivations_and_of_both_before_the_verdict(
    client: Client,
) -> None:
    (told,) = [tool.description for tool in (await client.list_tools()).tools if tool.name == "check_answer"]
    assert told is not None
    places = [told.index(each) for each in ("{{c:ROW.COLUMN}}", "{{d:ID}}", "`passed`")]
    assert places == sorted(places)


@pytest.mark.parametrize(("called", "near"), [("ask_metrics", ["ask_metric"]), ("drop_table", []), ("", [])])
async def test_a_tool_that_is_not_there_is_met_with_the_near_ones(
    client: Client, called: str, near: list[str]
) -> None:
    with pytest.raises(MCPError) as refused:
        await client.call_tool(called, {})
    (issue,) = refused.value.error.data["issues"]
    assert refused.value.error.code == -32602
    assert (issue["code"], issue.get("candidates", [])[:1]) == ("unknown_tool", near)
    assert all(name in refused.value.error.message for name in (*near, "tools/list"))


async def test_a_draft_goes_to_its_traces_with_its_declarations(client: Client, house: FakeGateway) -> None:
    house.draft = DraftReply(outcome="blocked", attempts_left=2)
    declared = [{"id": "d1", "op": "share", "args": {"part": 1}}]
    result = await client.call_tool(
        "check_answer", {"draft": "3 of 4", "trace_ids": ["t1"], "declare": declared}
    )
    assert (result.is_error, body_of(result)["outcome"]) == (False, "blocked")
    assert house.drafts[0][1:] == ("3 of 4", ("t1",), declared)


async def test_what_is_not_there_is_an_error_with_near_names(client: Client) -> None:
    assert body_of(await client.call_tool("describe_metric", {"name": "net_revenue"}))["version"] == 3
    missing = await client.call_tool("describe_metric", {"name": "net_revenu"})
    assert (missing.is_error, body_of(missing)["issues"][0]["candidates"]) == (True, ["net_revenue"])
    lost = await client.call_tool("get_trace", {"trace_id": "t2"})
    assert (lost.is_error, body_of(lost)["issues"][0]["code"]) == (True, "unknown_trace")


async def test_a_trace_is_a_resource(client: Client) -> None:
    (read,) = (await client.read_resource("trace://t1")).contents
    assert isinstance(read, TextResourceContents)
    assert json.loads(read.text)["trace_id"] == "t1"
    with pytest.raises(MCPError, match="t2"):
        await client.read_resource("trace://t2")


async def test_a_broken_house_is_told_by_code_and_a_defect_without_its_text(
    client: Client, house: FakeGateway
) -> None:
    house.fault = EngineError("database_locked", "Another process holds the file.")
    locked = await client.call_tool("ask_metric", PLAN)
    assert (locked.is_error, body_of(locked)["issues"][0]["code"]) == (True, "database_locked")
    house.fault = RuntimeError("a secret")
    defect = await client.call_tool("ask_metric", PLAN)
    assert defect.is_error
    assert "secret" not in defect.model_dump_json()


async def test_a_client_that_gives_up_stops_its_question(client: Client, house: FakeGateway) -> None:
    house.hangs = True
    call = asyncio.ensure_future(client.call_tool("ask_metric", PLAN))
    assert await asyncio.to_thread(house.begun.wait, 10)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(house.stopped.wait, 2)
