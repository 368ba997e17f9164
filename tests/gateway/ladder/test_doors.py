"""A class in shadow tells its asker nothing over HTTP, MCP and the command line."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from mcp.client import Client

from gateway.doors.cli.main import run
from gateway.doors.counters import Counters
from gateway.doors.mcp.server import build_mcp
from gateway.doors.workers import Workers
from gateway.service import Gateway
from tests.gateway.over_http import over_http
from tests.servers.served import with_tokens
from traces.records import Caller, Close

Plan = dict[str, object]
OUTSIDE = {"Authorization": "Bearer ana"}


@pytest.fixture
def client(shop: Path, shadow: Gateway) -> Iterator[TestClient]:
    with_tokens(shop, ("ana",))
    with over_http(shadow, shop) as opened:
        yield opened


def secrets(gateway: Gateway) -> list[str]:
    """Every way in which the one figure of the last question could be told."""
    last = [each for each in gateway.traces.records() if isinstance(each, Close) and each.came_to][-1]
    (cited,) = (each for each in last.answer if each.metric)
    whole = cited.value.partition(".")[0]
    assert len(whole) > 5
    return [cited.value, cited.text, whole, f"{int(whole):,}"]


def silent(text: str, gateway: Gateway) -> None:
    assert not [secret for secret in secrets(gateway) if secret in text]


def test_over_http(client: TestClient, shadow: Gateway, total: Plan) -> None:
    asked = client.post("/v1/questions", json={"plan": total}, headers=OUTSIDE)
    assert (asked.status_code, asked.json()["outcome"]) == (403, "not_released")
    trace_id = asked.json()["trace_id"]
    for path in (
        f"/v1/traces/{trace_id}",
        f"/v1/traces/{trace_id}/evidence",
        f"/v1/traces/{trace_id}/chart.svg",
        f"/v1/results/{trace_id}",
        f"/evidence/{trace_id}",
    ):
        answer = client.get(path, headers=OUTSIDE)
        assert path.endswith(f"/v1/traces/{trace_id}") == (answer.status_code == 200), path
        silent(answer.text, shadow)
    draft = {"draft": f"Net revenue was {secrets(shadow)[0]}.", "trace_ids": [trace_id]}
    checked = client.post("/v1/answers/check", json=draft, headers=OUTSIDE)
    assert (checked.status_code, checked.json()["outcome"]) == (422, "invalid")
    guessed = client.post("/v1/answers/check", json={**draft, "draft": "It was 1."}, headers=OUTSIDE)
    assert guessed.json() == checked.json(), "a right guess looks like a wrong one"
    again = {**OUTSIDE, "Idempotency-Key": "k1"}
    for _ in range(2):
        silent(client.post("/v1/questions", json={"plan": total}, headers=again).text, shadow)


@pytest.mark.anyio
async def test_over_mcp(shadow: Gateway, ana: Caller, total: Plan) -> None:
    workers = Workers(2, 2)
    async with Client(build_mcp(shadow, lambda: ana, workers, Counters())) as client:
        asked = await client.call_tool("ask_metric", total)
        found = asked.structured_content
        assert found is not None and found["outcome"] == "not_released"
        told = [asked.model_dump_json()]
        told.append((await client.call_tool("get_trace", {"trace_id": found["trace_id"]})).model_dump_json())
        draft = {"draft": "It was 1.", "trace_ids": [found["trace_id"]]}
        told.append((await client.call_tool("check_answer", draft)).model_dump_json())
        for name in ("trace", "data"):
            try:
                told.append((await client.read_resource(f"{name}://{found['trace_id']}")).model_dump_json())
            except Exception as fault:  # noqa: BLE001 - whatever it says is looked at
                told.append(str(fault))
    workers.close()
    for text in told:
        silent(text, shadow)


def test_on_the_command_line(
    shop: Path, shadow: Gateway, total: Plan, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(total), encoding="utf-8")
    common = ("--as", "ana", "--project", str(shop))
    assert run(["ask", str(plan), "--json", *common]) == 3
    trace_id = json.loads(capsys.readouterr().out)["trace_id"]
    said = []
    for words in (
        ("ask", str(plan)),
        ("trace", "show", trace_id),
        ("trace", "show", trace_id, "--json"),
        ("trace", "list"),
        ("trace", "unseal", trace_id, "--reason", "curious"),
        ("trace", "diff", trace_id, trace_id),
        ("replay", trace_id),
        ("replay", trace_id, "--json"),
    ):
        run([*words, *common])
        printed = capsys.readouterr()
        said.append(printed.out + printed.err)
    assert all(said)
    for text in said:
        silent(text, shadow)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
