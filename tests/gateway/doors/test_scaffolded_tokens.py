"""What `init` prints opens every door of the project it made, and no other door opens for it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gateway.doors.identity import Callers
from gateway.doors.identity.entrance import Entrance
from gateway.scaffold import project as room
from gateway.scaffold.project import scaffold
from gateway.settings.file import load_settings
from gateway.wiring import open_gateway
from tests.gateway.doors.console.conftest import serving
from tests.gateway.doors.console.visitor import Visitor


@dataclass(frozen=True, slots=True)
class Project:
    """A project that `init` made, served with everything that `serve` wires."""

    folder: Path
    address: str
    tokens: Mapping[str, str]


@pytest.fixture
def project(tmp_path: Path, shop_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    def write(path: Path) -> None:
        path.parent.mkdir()
        path.hardlink_to(shop_file)

    monkeypatch.setattr(room, "write_shop", write)
    made = scaffold(tmp_path / "mine", "shop")
    gateway = open_gateway(made.folder)
    door = Entrance(Callers(load_settings(made.folder).identity, made.folder, gateway.state.tokens))
    with serving(gateway, made.folder, door=door) as address:
        yield Project(made.folder, address, made.tokens)
    gateway.close()


def test_a_printed_token_opens_http(project: Project) -> None:
    assert project.tokens
    for token in project.tokens.values():
        with httpx.Client(headers={"Authorization": f"Bearer {token}"}) as http:
            assert http.get(f"{project.address}/v1/metrics").status_code == 200


@pytest.mark.anyio
async def test_a_printed_token_opens_mcp(project: Project) -> None:
    headers = {"Authorization": f"Bearer {project.tokens['ana']}"}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(f"{project.address}/mcp", http_client=http)) as client,
    ):
        listed = await client.call_tool("list_metrics", {})
    assert not listed.is_error and listed.structured_content is not None
    assert "net_revenue" in listed.model_dump_json()


def test_a_printed_token_opens_the_console_and_its_session_ends_with_it(project: Project) -> None:
    visitor = Visitor(project.address)
    with visitor.http:
        visitor.signed_in(project.tokens["ana"])
        assert visitor.get("/console/metrics").path == "/console/metrics"
        settings = project.folder / "cellbound.toml"
        kept = settings.read_text(encoding="utf-8")
        head, token, tail = kept.partition("[[identity.tokens]]")
        settings.write_text(head + tail[tail.index("[server]") :], encoding="utf-8")
        assert token and visitor.get("/console/metrics").path == "/console/sign-in"


def test_a_token_that_only_looks_like_a_printed_one_opens_nothing(project: Project) -> None:
    near = f"{project.tokens['ana'][:-1]}~"
    with httpx.Client(headers={"Authorization": f"Bearer {near}"}) as http:
        assert http.get(f"{project.address}/v1/metrics").status_code == 401
    visitor = Visitor(project.address)
    with visitor.http:
        page = visitor.get("/console/sign-in")
        assert visitor.send(page, "/console/sign-in", token=near).path == "/console/sign-in"
