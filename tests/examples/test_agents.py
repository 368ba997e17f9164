"""Agents over a served gateway: the files of examples/agents as they are, with a scripted model."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.conftest import shop, shop_file
from tests.servers.served import Served, with_tokens

__all__ = ["shop", "shop_file"]
pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
AGENTS = ROOT / "examples" / "agents"
SCRIPTED = Path(__file__).parent / "scripted"
SECONDS = 120


def why_missing(name: str) -> str:
    """Return why a framework's own environment cannot be used; empty where it can."""
    stamp = ROOT / "var" / "agents" / name / "done"
    if stamp.is_file() and stamp.read_bytes() == (AGENTS / f"{name}.txt").read_bytes():
        return ""
    return f"no environment with {name}; `.ci/suites` makes it"


def framework(name: str) -> Any:
    return pytest.param(name, marks=pytest.mark.skipif(bool(why_missing(name)), reason=why_missing(name)))


@pytest.fixture
def served(shop: Path) -> Iterator[str]:
    """A gateway over the shop, in which ana's token is her name."""
    with_tokens(shop, ("ana",))
    with Served(shop) as gateway:
        yield f"{gateway.address}/mcp"


def environment(address: str) -> dict[str, str]:
    """What an example reads, and nothing of this process but the path."""
    return {
        "CELLBOUND_URL": address,
        "CELLBOUND_TOKEN": "ana",
        "PYTHONPATH": str(AGENTS),
        "PATH": os.environ.get("PATH", ""),
    }


@pytest.mark.parametrize("name", [framework("pydantic_ai"), framework("langchain")])
def test_an_agent_asks_has_its_draft_checked_and_sends_what_passed(
    served: str, shop: Path, name: str
) -> None:
    plan = json.loads((shop / "plans" / "net_revenue_by_region.json").read_text(encoding="utf-8"))
    python = ROOT / "var" / "agents" / name / "bin" / "python"
    done = subprocess.run(
        [str(python), str(SCRIPTED / f"{name}_scripted.py"), json.dumps(plan)],
        env=environment(served),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Net revenue $" in done.stdout
    assert "{{" not in done.stdout


def test_curl_alone_calls_a_tool_and_gets_the_one_envelope(served: str) -> None:
    done = subprocess.run(
        ["sh", str(AGENTS / "mcp_with_curl.sh"), "net revenue by region in Q3 2026"],
        env=environment(served),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    assert result["structuredContent"]["outcome"] == "answered"
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_every_example_is_named_where_people_look_for_one() -> None:
    readme = (AGENTS / "README.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    for file in (*AGENTS.glob("*.py"), *AGENTS.glob("*.sh")):
        assert f"`{file.name}`" in readme
    assert "examples/agents" in page
