"""The threat model and the page of promises say nothing that no test tries."""

import re
from pathlib import Path

import pytest

from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.settings.file import IdentitySettings
from gateway.settings.server import ServerSettings
from tests.requirements import requirements
from tests.test_requirements import exists

DOCS = Path(__file__).resolve().parent.parent / "docs"
THREATS = (DOCS / "threats.md").read_text(encoding="utf-8")
PROMISES = (DOCS / "promises.md").read_text(encoding="utf-8")
ID = re.compile(r"`([\w/]+\.py::\w+)`")
NO_DOORS = {"/", "/openapi.json"}
PARTS = ("Every door", "Every input", "Every stored secret", "Between people")


def rows(page: str, part: str) -> list[str]:
    """Return the rows of the table under a heading, without its head."""
    body = page.partition(f"\n## {part}\n")[2].partition("\n## ")[0]
    return [line for line in body.splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize("part", PARTS)
def test_every_claim_of_the_threat_model_is_tried_by_tests_that_exist(part: str) -> None:
    claims = rows(THREATS, part)
    assert len(claims) >= 5
    assert not [claim for claim in claims if not ID.search(claim)]
    assert not [test for claim in claims for test in ID.findall(claim) if not exists(test)]


def test_the_threat_model_names_every_door_there_is() -> None:
    app = build_http(None, Callers(IdentitySettings()), ServerSettings())  # type: ignore[arg-type]
    mounted = {getattr(route, "path", "/") for route in app.routes}
    tops = {f"/{path.split('/')[1]}" for path in mounted | set(app.openapi()["paths"])} - NO_DOORS
    doors = "\n".join(rows(THREATS, "Every door"))
    named = {"/mcp": "MCP over HTTP", "/console": "console", "/.well-known": "MCP over HTTP"}
    assert {"/v1", "/health", "/metrics"} <= tops
    assert not [top for top in tops if named.get(top, f"`{top}`") not in doors]
    assert all(door in doors for door in ("command line", "MCP over stdio", "sockets"))


def test_every_promise_stands_in_the_manifest() -> None:
    kept = {each.id for each in requirements()}
    told = re.findall(r"`([A-Z][A-Z0-9-]+)`", PROMISES)
    assert len(told) > 40 and not [each for each in told if each not in kept]
