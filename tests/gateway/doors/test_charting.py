"""Charts as files: SVG and PNG of the kept rows, under the rules of the rows, also over HTTP."""

import struct
import zlib
from collections.abc import AsyncIterator
from xml.etree import ElementTree

import httpx
import pytest

from gateway.charts.draw import Picture
from gateway.doors.charting import chart_of
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.record.evidence import Evidence
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN
from traces.records import Caller

Plan = dict[str, object]


@pytest.fixture
def evidence(gateway: Gateway, ana: Caller, revenue: Plan) -> Evidence:
    found = gateway.evidence(ana, gateway.ask(ana, revenue).trace_id)
    assert found is not None
    return found


def decoded(png: bytes) -> tuple[int, int, set[bytes]]:
    """Return width, height and the distinct scan lines of a PNG, every checksum of it proved."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, parts = 8, dict[bytes, bytes]()
    while at < len(png):
        (size,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        data, (crc,) = png[at + 8 : at + 8 + size], struct.unpack(">I", png[at + 8 + size : at + 12 + size])
        assert zlib.crc32(kind + data) == crc
        parts[kind] = parts.get(kind, b"") + data
        at += size + 12
    width, height, depth, colour = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    lines = zlib.decompress(parts[b"IDAT"])
    row = width * depth // 8 * {2: 3, 6: 4}[colour] + 1
    assert len(lines) == row * height and b"IEND" in parts
    return width, height, {lines[start : start + row] for start in range(0, len(lines), row)}


def test_a_png_decodes_and_holds_a_drawing(evidence: Evidence) -> None:
    drawn = chart_of(evidence, "png")
    assert isinstance(drawn, Picture)
    width, height, lines = decoded(drawn.data)
    assert width > 400 and height > 200 and len(lines) > 20, "lines differ: there is something on it"
    dark = chart_of(evidence, "png", dark=True)
    assert isinstance(dark, Picture) and dark.data != drawn.data


def test_a_plot_is_chosen_by_its_metric(evidence: Evidence) -> None:
    named = chart_of(evidence, "svg", metric="net_revenue")
    assert isinstance(named, Picture) and named.plot.metric == "net_revenue"
    absent = chart_of(evidence, "svg", metric="orders")
    assert isinstance(absent, Refusal) and absent.issues[0].code == "no_chart"
    assert "net_revenue" in absent.issues[0].next_step and absent.issues[0].seen == "orders"


def test_a_drawing_that_takes_too_long_is_refused_with_the_reason(evidence: Evidence) -> None:
    late = chart_of(evidence, "png", seconds=0.01)
    assert isinstance(late, Refusal) and "took longer than" in late.issues[0].message


def test_who_may_not_see_the_rows_gets_no_chart_of_them(
    gateway: Gateway, rita: Caller, emil: Caller, evidence: Evidence
) -> None:
    audited = gateway.evidence(rita, evidence.trace_id)
    assert audited is not None
    refused = chart_of(audited, "png")
    assert isinstance(refused, Refusal) and refused.issues[0].message == "Rows are shown to the asker only."
    assert gateway.evidence(emil, evidence.trace_id) is None


@pytest.fixture
async def client(
    gateway: Gateway, callers: Callers, server: ServerSettings
) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build_http(gateway, callers, server), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1:1", headers=headers
    ) as open_:
        yield open_


@pytest.mark.anyio
async def test_both_forms_are_served_to_their_asker_and_to_nobody_else(
    client: httpx.AsyncClient, gateway: Gateway, rita: Caller, revenue: Plan
) -> None:
    asked = await client.post("/v1/questions", json={"plan": revenue})
    at = f"/v1/traces/{asked.json()['trace_id']}/chart"
    svg, png = await client.get(f"{at}.svg"), await client.get(f"{at}.png", params={"dark": "true"})
    assert (svg.status_code, svg.headers["content-type"]) == (200, "image/svg+xml")
    assert ElementTree.fromstring(svg.content).tag.endswith("svg")
    assert (png.status_code, png.headers["content-type"]) == (200, "image/png")
    assert decoded(png.content)[0] > 400
    assert (
        png.headers["cache-control"] == "private, no-store"
        and "sandbox" in svg.headers["content-security-policy"]
    )
    other = gateway.ask(rita, revenue).trace_id
    stranger, unknown = (
        await client.get(f"/v1/traces/{other}/chart.png"),
        await client.get("/v1/traces/x/chart.png"),
    )
    assert stranger.status_code == unknown.status_code == 404
    assert stranger.json()["code"] == unknown.json()["code"] == "unknown_trace"
