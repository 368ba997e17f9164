"""The SDK's own client against a real process over the demo shop: both eras, stdio and HTTP."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import PromptReference, TextResourceContents

from tests.gateway.conftest import shop_in

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[3]
MAIN = ["-c", "from gateway.doors.cli.main import main; main()"]
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", "")}
TOKEN = "a token for emil"
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shop_file: Path) -> Iterator[str]:
    """`cellbound serve` over a shop of its own, with one token for emil; yields its address."""
    shop = shop_in(tmp_path_factory.mktemp("served"), shop_file)
    settings = shop / "cellbound.toml"
    digest = sha256(TOKEN.encode()).hexdigest()
    text = settings.read_text(encoding="utf-8")
    settings.write_text(re.sub(r'(user = "emil"\nsha256 = ")0+', rf"\g<1>{digest}", text), encoding="utf-8")
    command = [sys.executable, *MAIN, "serve", "--port", "0", "--project", str(shop)]
    process = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        found = re.search(r"http://[\d.:]+", first)
        assert found, first + process.stderr.read()
        yield found[0]
    finally:
        process.terminate()
        _, said = process.communicate(timeout=30)
    assert said == ""
    assert process.returncode == 0


@asynccontextmanager
async def over_stdio(shop: Path, mode: str) -> AsyncIterator[Client]:
    server = StdioServerParameters(
        command=sys.executable, args=[*MAIN, "mcp", "--project", str(shop)], env=ENVIRONMENT
    )
    async with Client(server, mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(address: str, mode: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=AUTHORIZED) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


async def walk_through(client: Client, revenue: dict[str, object]) -> dict[str, Any]:
    """Ask, dry-run, send a good and a false draft, read the trace; return the answer."""
    dry = await client.call_tool("dry_run_plan", revenue)
    assert dry.structured_content is not None
    assert (dry.is_error, dry.structured_content["outcome"]) == (False, "dry_run")
    assert dry.structured_content["estimate"]
    asked = await client.call_tool("ask_metric", revenue)
    answer: dict[str, Any] = asked.structured_content or {}
    assert (asked.is_error, answer["outcome"]) == (False, "answered")
    trace = answer["trace_id"]
    draft = answer["answer"].splitlines()[0]
    good = await client.call_tool("check_answer", {"draft": draft, "trace_ids": [trace]})
    assert (good.structured_content or {})["outcome"] == "passed", good
    false = draft.replace(answer["citations"][0]["text"], "123,456,789.01")
    blocked = await client.call_tool("check_answer", {"draft": false, "trace_ids": [trace]})
    assert (blocked.structured_content or {})["outcome"] == "blocked"
    shown = await client.call_tool("get_trace", {"trace_id": trace})
    (resource,) = (await client.read_resource(f"trace://{trace}")).contents
    assert isinstance(resource, TextResourceContents)
    assert trace in resource.text
    assert (shown.structured_content or {})["outcome"] == "answered"
    wrong = await client.call_tool("ask_metric", {"metrics": ["net_revenu"], "region": "EMEA"})
    assert wrong.is_error
    assert (wrong.structured_content or {})["outcome"] == "invalid_plan"
    return answer


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_over_stdio_asks_dry_runs_sends_drafts_and_reads_a_trace(
    shop: Path, revenue: dict[str, object], mode: str
) -> None:
    async with asyncio.timeout(60), over_stdio(shop, mode) as client:
        answer = await walk_through(client, revenue)
    assert answer["row_count"] > 3


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_stdio_a_client_reads_its_rows_hears_the_stages_and_completes_a_metric(
    shop: Path, revenue: dict[str, object], mode: str
) -> None:
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert progress == len(heard) + 1
        heard.append(message)

    async with asyncio.timeout(60), over_stdio(shop, mode) as client:
        asked = await client.call_tool("ask_metric", revenue, progress_callback=hear)
        answer: dict[str, Any] = asked.structured_content or {}
        (rows,) = (await client.read_resource(f"data://{answer['trace_id']}")).contents
        assert isinstance(rows, TextResourceContents)
        prompt = PromptReference(type="ref/prompt", name="compare_periods")
        found = await client.complete(prompt, {"name": "metric", "value": "net_"})
    assert json.loads(rows.text)["rows"] == answer["rows"]
    assert "net_revenue" in found.completion.values
    assert heard and all(heard) and len(heard) == len(set(heard))


async def test_completion_names_what_the_client_may_see_by_its_door(shop: Path, served: str) -> None:
    """Only ana may see the metrics of events; the token is emil's."""
    prompt = PromptReference(type="ref/prompt", name="compare_periods")
    typed = {"name": "metric", "value": ""}
    async with asyncio.timeout(60):
        async with over_stdio(shop, "auto") as client:
            for_ana = (await client.complete(prompt, typed)).completion.values
        async with over_http(served, "auto") as client:
            for_emil = (await client.complete(prompt, typed)).completion.values
    assert "event_count" in for_ana
    assert "net_revenue" in for_emil and not [name for name in for_emil if name.startswith("event_")]


async def test_what_an_mcp_client_is_told_to_install_starts_and_lists_the_tools(shop: Path) -> None:
    command = [sys.executable, *MAIN, "mcp", "install", "--client", "cursor", "--project", str(shop)]
    shown = subprocess.run(command, env=ENVIRONMENT, cwd=shop, capture_output=True, text=True, check=True)
    entry = json.loads(shown.stdout)["mcpServers"]["cellbound"]
    server = StdioServerParameters(command=entry["command"], args=entry["args"], env=ENVIRONMENT)
    async with asyncio.timeout(60), Client(server, mode="auto") as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
    assert "ask_metric" in listed


async def test_over_http_both_eras_and_the_plain_route_give_one_answer_as_the_tokens_user(
    served: str, revenue: dict[str, object]
) -> None:
    answers = []
    async with asyncio.timeout(60):
        for mode in ("auto", "legacy"):
            async with over_http(served, mode) as client:
                answers.append(await walk_through(client, revenue))
        async with httpx.AsyncClient(headers=AUTHORIZED, timeout=30) as http:
            plain = await http.post(f"{served}/v1/questions", json={"plan": revenue})
            assert plain.status_code == 200
            answers.append(plain.json())
            trace = answers[0]["trace_id"]
            assert (await http.get(f"{served}/v1/traces/{trace}")).json()["trace_id"] == trace
            assert (await http.get(f"{served}/health/ready")).json()["ready"] is True
            nobody = await http.get(f"{served}/v1/metrics", headers={"Authorization": "Bearer nobody"})
            assert nobody.status_code == 401
    same = {
        str([answer[key] for key in ("sql", "rows", "answer", "row_count", "plan")]) for answer in answers
    }
    assert len(same) == 1
    assert {key for answer in answers for key in answer} == set(answers[0])


async def test_a_running_server_takes_a_changed_definition_into_force(shop: Path) -> None:
    settings, sales = shop / "cellbound.toml", shop / "metrics" / "sales.yml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("[server]\n", "[server]\nreload_seconds = 0.1\n"), encoding="utf-8")

    async def version(client: Client) -> int:
        found = await client.call_tool("describe_metric", {"name": "net_revenue"})
        return int((found.structured_content or {})["version"])

    async with asyncio.timeout(60), over_stdio(shop, "auto") as client:
        assert await version(client) == 3
        head, name, tail = sales.read_text(encoding="utf-8").partition("- name: net_revenue\n")
        sales.write_text(head + name + tail.replace("version: 3", "version: 4", 1), encoding="utf-8")
        while await version(client) != 4:
            await asyncio.sleep(0.05)
