"""The protocol's inspector against the product: its strict mode, its calls, both eras, both transports."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.service import Gateway
from gateway.settings.server import ServerSettings
from tests.gateway.doors.fake import TOKEN
from tests.gateway.doors.suites.served import serving
from tests.servers import node

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(node.why_missing()), reason=f"MCP inspector: {node.why_missing()}"),
]
ROOT = Path(__file__).resolve().parents[4]
ERAS = ("modern", "legacy")
NO_TOKEN = 3
"""How the inspector ends where a server wants a credential."""


@pytest.fixture
def address(gateway: Gateway, callers: Callers, server: ServerSettings) -> Iterator[str]:
    """The product over the shop, as our own server serves it."""
    settings = server.model_copy(update={"body_bytes": 1_000_000, "queue": 8})
    with serving(build_http(gateway, callers, settings), settings) as found:
        yield found


def over_http(address: str, *arguments: str, token: str = TOKEN) -> tuple[int, Any, str]:
    """Run the inspector once; return its status, what it printed as JSON, and what it said beside it."""
    header = ("--header", f"Authorization: Bearer {token}") if token else ()
    done = node.run(
        *("mcp-inspector", "--cli", address, "--transport", "http", *header, *arguments, "--format", "json")
    )
    return done.returncode, json.loads(done.stdout) if done.stdout.strip() else None, done.stderr


@pytest.mark.parametrize("era", ERAS)
def test_strict_mode_finds_nothing_in_the_tools(address: str, era: str) -> None:
    status, listed, said = over_http(address, "--method", "tools/list", "--protocol-era", era, "--strict")
    assert (status, "Warning" in said, "Error" in said) == (0, False, False), said
    assert {tool["name"] for tool in listed["result"]["tools"]} >= {"ask_metric", "check_answer"}


@pytest.mark.parametrize("era", ERAS)
def test_strict_mode_finds_nothing_over_stdio(shop: Path, era: str) -> None:
    script = "from gateway.doors.cli.main import main; main()"
    done = node.run(
        *("mcp-inspector", "--cli", "-e", f"PYTHONPATH={ROOT}", "--method", "tools/list", "--strict"),
        *("--protocol-era", era, "--format", "json"),
        *("--", sys.executable, "-c", script, "mcp", "--project", str(shop)),
    )
    assert (done.returncode, "Warning" in done.stderr) == (0, False), done.stderr + os.linesep + done.stdout
    assert len(json.loads(done.stdout)["result"]["tools"]) >= 10


@pytest.mark.parametrize("era", ERAS)
def test_a_call_its_resource_and_a_prompt_arrive(address: str, revenue: dict[str, object], era: str) -> None:
    common = ("--protocol-era", era)
    status, called, said = over_http(
        *(address, "--method", "tools/call", "--tool-name", "ask_metric", *common),
        *("--tool-args-json", json.dumps(revenue)),
    )
    assert status == 0, said
    answer = called["result"]["structuredContent"]
    assert answer["outcome"] == "answered"
    uri = f"data://{answer['trace_id']}"
    status, read, said = over_http(address, "--method", "resources/read", "--uri", uri, *common)
    assert status == 0, said
    assert json.loads(read["result"]["contents"][0]["text"])["rows"] == answer["rows"]
    status, prompt, said = over_http(
        *(address, "--method", "prompts/get", "--prompt-name", "explain_figure", *common),
        *("--prompt-args", f"trace_id={answer['trace_id']}"),
    )
    assert status == 0, said
    assert answer["trace_id"] in json.dumps(prompt)


@pytest.mark.parametrize("era", ERAS)
def test_without_a_token_the_inspector_is_told_that_one_is_wanted(address: str, era: str) -> None:
    status, _, said = over_http(address, "--method", "tools/list", "--protocol-era", era, token="")
    assert (status, "auth" in said.lower()) == (NO_TOKEN, True), said
