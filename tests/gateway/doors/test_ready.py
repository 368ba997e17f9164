"""What /health/ready says of changed files that are wrong: the service is ready, they are not in force."""

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from gateway.doors.http.health import add_health
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.reply import Finding
from gateway.service import Gateway
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import FakeGateway

pytestmark = pytest.mark.anyio


async def test_wrong_files_are_named_by_code_and_place_and_take_nothing_out_of_service(
    gateway: Gateway, shop: Path, callers: Callers, server: ServerSettings
) -> None:
    file = shop / "metrics" / "sales.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("gross_revenue - refunds", "secret_revenue - refunds"), encoding="utf-8")
    gateway.reload()
    transport = httpx.ASGITransport(build_http(gateway, callers, server))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as stranger:
        ready = await stranger.get("/health/ready")
    found = ready.json()
    assert (ready.status_code, found["ready"], found["parts"]["reload"]) == (200, True, False)
    assert [issue["code"] for issue in found["issues"]] == ["unknown_metric"]
    assert found["issues"][0]["place"].startswith("metrics/sales.yml:")
    assert set(found["issues"][0]) == {"code", "place"}
    assert "secret" not in ready.text and str(shop) not in ready.text


@pytest.mark.parametrize(("needed", "status"), [(False, 200), (True, 503)])
async def test_places_that_never_come_back_are_told_and_end_the_service_once_all_are_gone(
    house: FakeGateway, needed: bool, status: int
) -> None:
    app = FastAPI()
    add_health(app, house, lambda: (Finding(name="places", ok=False, detail="1 of 2", needed=needed),))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as stranger:
        ready = await stranger.get("/health/ready")
    assert (ready.status_code, ready.json()["ready"]) == (status, not needed)
    assert ready.json()["parts"]["places"] is False
