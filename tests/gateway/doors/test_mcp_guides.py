"""Resources, prompts and completion over MCP, with the SDK's own client, in both protocol eras."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference, TextContent, TextResourceContents

from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.identity.scopes import ASK, EVERY, METRICS, TRACES
from gateway.doors.mcp.completion import MOST
from gateway.doors.mcp.server import build_mcp
from gateway.doors.serving.app import build_http
from gateway.doors.workers import Workers
from gateway.engines.base import EngineError
from gateway.record.kept import OwnResult
from gateway.record.result_view import ResultView
from gateway.reply import MetricLine, MetricList, TraceLine
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import METRICS as LISTED
from tests.gateway.doors.fake import TOKEN, FakeGateway
from tests.gateway.doors.ports import serving
from traces.records import Caller, Table

pytestmark = pytest.mark.anyio
MODES = ("auto", "legacy")
PROMPTS = {"answer_question", "compare_periods", "explain_figure", "find_metrics", "run_analysis"}


class ManyMetrics(FakeGateway):
    """Has more metrics than one completion may hold."""

    def list_metrics(self, caller: Caller, search: str = "", limit: int = 50) -> MetricList:
        line = LISTED.metrics[0]
        names = [f"metric_{number:03}" for number in range(150)]
        lines: tuple[MetricLine, ...] = tuple(line.model_copy(update={"name": name}) for name in names)
        return MetricList(metrics=lines[:limit], dimensions=("region", "channel"))


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@asynccontextmanager
async def connected(
    house: FakeGateway, callers: Callers, mode: str, scopes: frozenset[str] = EVERY
) -> AsyncIterator[Client]:
    workers = Workers(2, 2)
    server = build_mcp(house, callers.for_stdio, workers, Counters(), lambda: scopes)
    async with Client(server, mode=mode) as client:
        yield client
    await asyncio.to_thread(workers.close)


def kept(trace_id: str) -> OwnResult:
    view = ResultView(
        trace_id=trace_id, kept_until=datetime(2026, 12, 1, tzinfo=UTC), rows=(("EMEA", "2.50"),), row_count=1
    )
    return OwnResult(view, Table(columns=(), rows=()))


async def completed(client: Client, prompt: str, argument: str, typed: str, **given: str) -> list[str]:
    ref = PromptReference(type="ref/prompt", name=prompt)
    found = await client.complete(ref, {"name": argument, "value": typed}, context_arguments=given or None)
    return list(found.completion.values)


async def test_the_rows_of_ones_own_answer_are_a_resource(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    house.kept["t1"] = kept("t1")
    async with connected(house, callers, mode) as client:
        (read,) = (await client.read_resource("data://t1")).contents
        assert isinstance(read, TextResourceContents)
        assert json.loads(read.text)["rows"] == [["EMEA", "2.50"]]
        with pytest.raises(MCPError, match="no result of that id"):
            await client.read_resource("data://t2")


async def test_both_resources_are_listed_as_templates(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    async with connected(house, callers, mode) as client:
        found = (await client.list_resource_templates()).resource_templates
    assert {template.uri_template for template in found} == {"trace://{trace_id}", "data://{trace_id}"}


async def test_a_token_reads_only_the_resources_of_its_scopes(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    house.kept["t1"] = kept("t1")
    async with connected(house, callers, mode, frozenset((TRACES,))) as client:
        found = (await client.list_resource_templates()).resource_templates
        assert [template.name for template in found] == ["trace"]
        with pytest.raises(MCPError, match=ASK):
            await client.read_resource("data://t1")


async def test_a_broken_house_says_its_words_and_no_more_of_a_resource(
    house: FakeGateway, callers: Callers, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(caller: Caller, trace_id: str) -> OwnResult:
        raise EngineError("database_locked", "Another process holds the file.")

    monkeypatch.setattr(house, "result", broken)
    async with connected(house, callers, mode) as client:
        with pytest.raises(MCPError, match="Another process holds the file"):
            await client.read_resource("data://t1")


async def test_every_common_task_is_a_prompt_that_ends_in_a_checked_text(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    given = {
        "answer_question": {"question": "net revenue in Q3?"},
        "compare_periods": {"metric": "net_revenue", "period": "Q3 2026", "earlier": "Q2 2026"},
        "run_analysis": {"analysis": "revenue_review"},
    }
    async with connected(house, callers, mode) as client:
        listed = (await client.list_prompts()).prompts
        assert {prompt.name for prompt in listed} == PROMPTS
        assert all(prompt.title and prompt.description for prompt in listed)
        for name, arguments in given.items():
            (message,) = (await client.get_prompt(name, arguments)).messages
            assert isinstance(message.content, TextContent)
            assert "check_answer" in message.content.text
            assert all(value in message.content.text for value in arguments.values())


async def test_a_prompt_is_listed_where_the_token_reaches_what_it_leads_to(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    async with connected(house, callers, mode, frozenset((METRICS,))) as client:
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["find_metrics"]


@pytest.mark.parametrize(
    ("name", "sent", "codes"),
    [
        ("answer_questoin", {}, {"unknown_prompt"}),
        ("answer_question", {}, {"missing_argument"}),
        ("answer_question", {"question": ""}, {"missing_argument"}),
        ("answer_question", {"question": "a" * 2_001}, {"wrong_argument"}),
        ("explain_figure", {"trace": "t1"}, {"unknown_argument", "missing_argument"}),
    ],
)
async def test_a_wrong_call_of_a_prompt_is_told_whole(
    house: FakeGateway, callers: Callers, mode: str, name: str, sent: dict[str, str], codes: set[str]
) -> None:
    async with connected(house, callers, mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.get_prompt(name, sent)
    issues: list[dict[str, Any]] = refused.value.error.data["issues"]
    assert refused.value.error.code == -32602
    assert {issue["code"] for issue in issues} == codes
    assert all(issue["next_step"] for issue in issues)


@pytest.mark.parametrize(
    ("sent", "path"),
    [
        (["question"], ""),
        ([], ""),
        ("question", ""),
        ("", ""),
        (7, ""),
        (False, ""),
        ({"question": ["a"]}, "/question"),
        ({"question": 7}, "/question"),
    ],
)
async def test_arguments_of_a_prompt_that_are_no_object_of_texts_are_refused_with_their_place(
    callers: Callers, server: ServerSettings, sent: object, path: str
) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "prompts/get"}
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
    }
    with serving(build_http(FakeGateway(), callers, server)) as address:
        async with httpx.AsyncClient(base_url=address, headers=headers) as http:
            params = {"name": "answer_question", "arguments": sent}
            answer = await http.post("/mcp", json={**call, "params": params})
    error = json.loads(answer.text.partition("data: ")[2] or answer.text)["error"]
    assert error["code"] == -32602
    (issue,) = error["data"]["issues"]
    assert (issue["code"], issue.get("path", "")) == ("wrong_argument", path)
    assert issue["next_step"]


async def test_a_misspelt_prompt_is_met_with_its_near_name(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    async with connected(house, callers, mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.get_prompt("answer_questoin", {})
    assert refused.value.error.data["issues"][0]["candidates"] == ["answer_question"]


async def test_metric_names_are_completed_from_their_beginning_then_from_within(
    callers: Callers, mode: str
) -> None:
    async with connected(ManyMetrics(), callers, mode) as client:
        assert await completed(client, "compare_periods", "metric", "METRIC_00") == [
            f"metric_00{number}" for number in range(10)
        ]
        assert await completed(client, "compare_periods", "metric", "149") == ["metric_149"]
        assert await completed(client, "compare_periods", "metric", "nothing like it") == []


async def test_a_completion_holds_a_hundred_and_says_that_there_are_more(callers: Callers, mode: str) -> None:
    async with connected(ManyMetrics(), callers, mode) as client:
        ref = PromptReference(type="ref/prompt", name="compare_periods")
        found = (await client.complete(ref, {"name": "metric", "value": ""})).completion
    assert (len(found.values), found.total, found.has_more) == (MOST, 150, True)


async def test_dimensions_are_those_of_the_metric_that_was_chosen_before(callers: Callers, mode: str) -> None:
    async with connected(ManyMetrics(), callers, mode) as client:
        assert await completed(client, "compare_periods", "dimension", "") == ["region", "channel"]
        chosen = await completed(client, "compare_periods", "dimension", "", metric="net_revenue")
    assert chosen == [], "the metric of the fake house has no dimensions"


async def test_the_ids_of_recent_traces_are_completed(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    house.lines = (TraceLine(trace_id="01ab", at="", outcome="answered", metrics=(), role="analyst"),)
    async with connected(house, callers, mode) as client:
        ref = ResourceTemplateReference(type="ref/resource", uri="trace://{trace_id}")
        found = await client.complete(ref, {"name": "trace_id", "value": "01"})
    assert list(found.completion.values) == ["01ab"]


async def test_what_a_token_does_not_reach_is_not_completed(callers: Callers, mode: str) -> None:
    async with connected(ManyMetrics(), callers, mode, frozenset((TRACES,))) as client:
        assert await completed(client, "compare_periods", "metric", "metric") == []


async def test_an_argument_without_names_is_completed_with_nothing(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    async with connected(house, callers, mode) as client:
        assert await completed(client, "answer_question", "question", "net") == []


async def test_lists_are_a_callers_own_to_a_cache(house: FakeGateway, callers: Callers) -> None:
    async with connected(house, callers, "auto") as client:
        for found in (await client.list_tools(), await client.list_prompts()):
            assert (found.cache_scope, found.ttl_ms) == ("private", 60_000)
