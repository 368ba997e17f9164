"""The protocol's public conformance suite: whole over our way to serve MCP, in general over the product."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.service import Gateway
from gateway.settings.server import ServerSettings
from tests.gateway.doors.fake import TOKEN
from tests.gateway.doors.suites.served import WithToken, fixture_application, serving
from tests.servers import node

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(node.why_missing()), reason=f"MCP conformance suite: {node.why_missing()}"),
]
HERE = Path(__file__).parent
GAPS: Mapping[str, Mapping[str, str]] = yaml.safe_load((HERE / "known_gaps.yml").read_text(encoding="utf-8"))
UNSCORED = "tasks-"
"""Scenarios of the tasks extension, which no revision requires and this server does not declare."""
GENERAL = {
    "2026-07-28": (
        "server-stateless",
        "completion-complete",
        "tools-list",
        "server-sse-multiple-streams",
        "resources-list",
        "sep-2164-resource-not-found",
        "prompts-list",
        "dns-rebinding-protection",
        "caching",
        "input-required-result-unsupported-methods",
    ),
    "2025-11-25": (
        "server-initialize",
        "ping",
        "completion-complete",
        "tools-list",
        "resources-list",
        "prompts-list",
        "dns-rebinding-protection",
    ),
}
"""Scenarios that need no fixture of the suite's own."""
RESULT = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT.*")
"""The folder of a scenario's result: its name and when it ran."""
DIAGNOSTIC = "Not testable"
"""How the suite says that a check needs one of its own tools."""
Checks = Sequence[Mapping[str, Any]]


@pytest.fixture
def settings(server: ServerSettings) -> ServerSettings:
    """The limits of a server that a browser on this machine may call, too."""
    local = ("127.0.0.1:*", "localhost:*")
    origins = tuple(f"http://{name}" for name in local)
    return server.model_copy(
        update={"allowed_hosts": local, "allowed_origins": origins, "queue": 16, "body_bytes": 1_000_000}
    )


def outcomes(address: str, revision: str, folder: Path) -> Mapping[str, Checks]:
    """Run what a revision requires; return the checks of each scenario."""
    done = node.run(
        *("conformance", "server", "--url", address, "--requirements", revision, "-o", str(folder)),
        seconds=300,
    )
    assert "=== SUMMARY ===" in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]
    found: dict[str, Checks] = {}
    for file in folder.glob("*/checks.json"):
        named = RESULT.fullmatch(file.parent.name)
        assert named, file
        found[named[1]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def failures(checks: Checks) -> list[str]:
    return [f"{each['id']}: {each.get('errorMessage')}" for each in checks if each["status"] == "FAILURE"]


@pytest.mark.parametrize("revision", GAPS)
def test_our_way_to_serve_mcp_passes_the_whole_suite_but_for_the_known_gaps(
    settings: ServerSettings, tmp_path: Path, revision: str
) -> None:
    with serving(fixture_application(settings), settings) as address:
        found = outcomes(address, revision, tmp_path)
    failed = {
        name: failures(checks)
        for name, checks in found.items()
        if failures(checks) and not name.startswith(UNSCORED)
    }
    assert len(found) > 30, "the suite ran"
    assert set(failed) == set(GAPS[revision]), failed


@pytest.mark.parametrize("revision", GENERAL)
def test_the_product_passes_every_scenario_that_needs_no_fixture(
    gateway: Gateway, callers: Callers, settings: ServerSettings, tmp_path: Path, revision: str
) -> None:
    app = WithToken(build_http(gateway, callers, settings), TOKEN)
    with serving(app, settings) as address:
        found = outcomes(address, revision, tmp_path)
    failed = {
        name: [line for line in failures(found[name]) if DIAGNOSTIC not in line] for name in GENERAL[revision]
    }
    assert {name: lines for name, lines in failed.items() if lines} == {}


def test_every_known_gap_is_explained_to_the_people_who_meet_it() -> None:
    page = " ".join((HERE.parents[3] / "docs" / "clients.md").read_text(encoding="utf-8").split())
    for revision, gaps in GAPS.items():
        for scenario, reason in gaps.items():
            assert f"`{scenario}`" in page, revision
            assert reason in page, scenario
