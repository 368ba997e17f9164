"""What other programs build on is committed, and the committed copy is true."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcp import Client
from pydantic import BaseModel
from typer.core import TyperCommand
from typer.main import get_command

import gateway
from gateway.doors.cli.main import build_cli
from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.mcp.server import build_mcp
from gateway.doors.published import VERBS, reply_schema, verb_schemas
from gateway.doors.serving.app import build_http
from gateway.doors.workers import Workers
from gateway.reply import Reply
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import FakeGateway

SCHEMA = Path(gateway.__file__).parent / "schema"
ROOT = Path(gateway.__file__).parent.parent
GOLDENS = Path(__file__).parent / "goldens"
Golden = Callable[[Path, str], None]


def text_of(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def test_the_committed_schema_of_a_reply_is_the_models_own(golden: Golden) -> None:
    golden(SCHEMA / "reply.json", text_of(reply_schema()))
    assert set(Reply.model_fields) <= set(reply_schema()["properties"])


def test_the_committed_schemas_of_all_verbs_are_the_models_own(golden: Golden) -> None:
    golden(SCHEMA / "verbs.json", text_of(verb_schemas()))


def test_the_mcp_contract_is_the_published_one(golden: Golden, callers: Callers) -> None:
    golden(GOLDENS / "mcp.json", text_of(asyncio.run(listed(callers))))


async def listed(callers: Callers) -> dict[str, Any]:
    """What a client is told before it calls anything: names, schemas, hints, arguments, words."""
    workers = Workers(1, 1)
    async with Client(build_mcp(FakeGateway(), callers.for_stdio, workers, Counters())) as client:
        tools = await client.list_tools()
        templates = await client.list_resource_templates()
        prompts = await client.list_prompts()
        said = client.instructions
    workers.close()
    parts: dict[str, list[BaseModel]] = {
        "tools": [*tools.tools],
        "resourceTemplates": [*templates.resource_templates],
        "prompts": [*prompts.prompts],
    }
    wire = {
        name: [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in part]
        for name, part in parts.items()
    }
    return {"instructions": said, **wire}


def test_the_http_description_is_the_published_one(
    golden: Golden, callers: Callers, server: ServerSettings
) -> None:
    golden(GOLDENS / "openapi.json", text_of(build_http(FakeGateway(), callers, server).openapi()))


def test_what_one_server_has_told_changes_nothing_in_what_the_next_one_tells(
    callers: Callers, server: ServerSettings
) -> None:
    said = [text_of(build_http(FakeGateway(), callers, server).openapi()) for _ in range(2)]
    assert said[0] == said[1]
    lists = [text_of(asyncio.run(listed(callers))) for _ in range(2)]
    assert lists[0] == lists[1]


def test_every_reference_of_the_http_description_leads_to_a_schema(
    callers: Callers, server: ServerSettings
) -> None:
    described = build_http(FakeGateway(), callers, server).openapi()
    named = set(re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', text_of(described)))
    assert {"Problem", "Reply", "ReplyIssue"} <= named <= set(described["components"]["schemas"])


def test_every_verb_that_prints_an_object_has_its_schema() -> None:
    found = set()
    verbs: dict[str, TyperCommand] = getattr(get_command(build_cli()), "commands", {})
    for name, command in verbs.items():
        inner_verbs: dict[str, TyperCommand] = {"": command, **getattr(command, "commands", {})}
        for inner, verb in inner_verbs.items():
            if any("--json" in option.opts for option in verb.params):
                found.add(f"{name} {inner}".strip())
    assert found == set(VERBS)


def test_help_loads_no_database_no_parser_and_no_server() -> None:
    script = (
        "import sys\n"
        "from gateway.doors.cli.main import run\n"
        "status = run(['--help'])\n"
        "heavy = {'duckdb', 'sqlglot', 'fastapi', 'mcp', 'uvicorn', 'pyarrow'} & set(sys.modules)\n"
        "sys.exit(f'{status} {heavy}' if status or heavy else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
