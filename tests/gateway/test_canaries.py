"""Canaries in the data, in tokens and in the key file: none sings in a reply, a store, a log or an error."""

import asyncio
import base64
import json
import logging
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from gateway.asking import AskOptions
from gateway.doors.cli.doctor import examine
from gateway.doors.cli.main import run
from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.mcp.server import build_mcp
from gateway.doors.serving.app import build_http
from gateway.doors.workers import Workers
from gateway.engines.base import Identity, Limits, Rows
from gateway.pipeline import answer
from gateway.record.recorder import StoreRecorder
from gateway.reply import Reply
from gateway.scaffold.project import templates
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.wiring import open_gateway
from metric_layer.record import Record
from policies.mask import MASK
from traces.records import Ask, Caller

Plan = dict[str, object]
NAME, MAIL, PHONE, TYPED = (
    "Canarybird Zephyrine",
    "zephyrine@canary.invalid",
    "+999 0CANARY0",
    "typed-canary-note",
)
TOKEN, STRANGER = "canary-token-of-sol-5d1f", "canary-token-of-nobody-77aa"
PLANTED = (NAME, MAIL, PHONE, TYPED, "Canarybird", "canary.invalid", "0CANARY0")
SECRETS = (TOKEN, STRANGER)
SOL = Caller(user="sol", roles=("support_lead",), tenant="shop")
RINA = Caller(user="rina", roles=("researcher",), tenant="shop")
ANA = Caller(user="ana", roles=("analyst",), tenant="shop")
RITA = Caller(user="rita", roles=("reviewer",), tenant="shop")
ASKERS = (ANA, SOL, RINA)
POLICY = (
    ("\nroles:\n", "\nroles:\n  researcher:\n    datasets: [customers, orders, support_tickets]\n"
     "    personal: {contact: aggregate, identity: aggregate}\n"),
    ("  governed: autonomous\n", "  governed: autonomous\n  free: reviewed\n"),
)  # fmt: skip
PLANS: tuple[Plan, ...] = (
    {"metrics": ["new_customers"], "dimensions": ["region", "segment"]},
    {"metrics": ["ticket_count"], "dimensions": ["region"], "limit": 3},
    {"metrics": ["net_revenue"], "dimensions": ["email"]},
    {"metrics": ["new_customers"], "filters": [{"field": "name", "op": "eq", "values": ["x"]}]},
    {"metrics": ["event_count"], "time": {"field": "event_time", "from": "2025-11-01", "to": "2026-10-31"}},
    {"metrics": ["new_customers"], "dimensions": ["customer_since"], "limit": 5},
)
FREE = (
    "SELECT email, phone, region FROM customers ORDER BY region LIMIT 20",
    "SELECT UPPER(email) AS shouted, CONCAT(phone, '') AS dialled FROM customers LIMIT 20",
    "WITH a AS (SELECT email AS e FROM customers) SELECT e AS harmless FROM a LIMIT 20",
    "SELECT CAST(email AS INTEGER) AS n FROM customers LIMIT 20",
    "SELECT CAST(phone AS DATE) AS d FROM customers LIMIT 20",
    "SELECT name, region FROM customers LIMIT 20",
    "SELECT * FROM customers LIMIT 20",
    "SELECT MIN(email) AS first, MAX(phone) AS last FROM customers",
    "SELECT region, COUNT(DISTINCT email) AS n FROM customers GROUP BY region",
    "SELECT region FROM customers WHERE email LIKE 'z%' LIMIT 20",
    "SELECT payload FROM events LIMIT 20",
)


@pytest.fixture
def project(tmp_path: Path, shop_file: Path) -> Path:
    """The shop with a canary in every personal column, more released than is wise, and a token for sol."""
    folder = tmp_path / "shop"
    shutil.copytree(templates() / "shop", folder)
    (folder / "var").mkdir()
    shutil.copyfile(shop_file, folder / "var" / "shop.duckdb")
    with duckdb.connect(str(folder / "var" / "shop.duckdb")) as database:
        database.execute(
            "UPDATE customers SET name = ? || customer_id, email = customer_id || ?, phone = ?",
            [NAME, MAIL, PHONE],
        )
        database.execute("UPDATE events SET payload = ?", [TYPED])
        database.execute(f"COMMENT ON COLUMN customers.email IS 'such as {MAIL}'")
        database.execute(f"COMMENT ON TABLE customers IS 'people like {NAME}'")
    policy = folder / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    for old, new in POLICY:
        assert old in text
        text = text.replace(old, new)
    policy.write_text(text, encoding="utf-8")
    settings = folder / "cellbound.toml"
    digest = sha256(TOKEN.encode()).hexdigest()
    found, count = re.subn(
        r'(user = "sol"\nsha256 = ")0+', rf"\g<1>{digest}", settings.read_text(encoding="utf-8")
    )
    assert count == 1
    settings.write_text(found, encoding="utf-8")
    return folder


@pytest.fixture
def house(project: Path) -> Iterator[Gateway]:
    opened = open_gateway(project)
    yield opened
    opened.close()


class Faulty:
    """The real engine, which fails a run in a way that nobody foresaw, with a row in its message."""

    def __init__(self, inner: object) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        raise RuntimeError(f"could not convert {MAIL} near {NAME}")


def with_a_defect(house: Gateway) -> Gateway:
    engine = Faulty(house.house.engine)
    return Gateway(
        replace(house.house, engine=engine),  # type: ignore[arg-type]
        house.traces,
        house.results,
        house.state,
        house.attestations,
    )


def reviewed(house: Gateway, caller: Caller, sql: str) -> Reply:
    """Ask with free SQL, accept it as a reviewer who looks at nothing, and ask again."""
    held = house.ask_planned(caller, lambda _: sql)
    if held.outcome != "held":
        return held
    house.state.holds.rule(held.hold_id, "accept", by="rita")
    recorder = StoreRecorder(house.traces, house.results, house.state, house.attestations)
    return answer(house.house, recorder, caller, Ask(approval_id=held.hold_id), planner=lambda _: sql)


def said(record: object) -> str:
    return record.model_dump_json(by_alias=True) if isinstance(record, Record) else str(record)


def silent(text: str | bytes, *more: str) -> None:
    """Fail when a canary or a secret is in a text, as itself, escaped, or as base64 of itself."""
    found = text.encode() if isinstance(text, str) else text
    for canary in (*PLANTED, *SECRETS, *more):
        spellings = (
            canary,
            canary.upper(),
            json.dumps(canary)[1:-1],
            base64.b64encode(canary.encode()).decode()[:-4],
        )
        assert not [s for s in spellings if s.encode() in found], f"{canary!r} sings"


def kept(project: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file the house keeps, except the database itself and the key file."""
    apart = {"shop.duckdb", "keys.json"}
    for file in sorted((project / "var").rglob("*")):
        if file.is_file() and file.name not in apart:
            yield file, file.read_bytes()


def master_key(project: Path) -> tuple[str, ...]:
    """The master key as it stands in the key file, and its bytes as hex."""
    encoded = json.loads((project / "var" / "keys.json").read_text(encoding="utf-8"))["master"]
    assert len(base64.b64decode(encoded)) == 32
    return encoded, base64.b64decode(encoded).hex()


def test_the_canaries_are_in_the_data_and_the_mask_is_what_hides_them(house: Gateway, project: Path) -> None:
    with duckdb.connect(str(project / "var" / "shop.duckdb"), read_only=True) as database:
        row = database.execute("SELECT name, email, phone FROM customers LIMIT 1").fetchone()
    assert row is not None
    assert NAME in row[0] and MAIL in row[1] and PHONE in row[2]
    with pytest.raises(AssertionError, match="sings"):
        silent(str(row))
    reply = reviewed(house, SOL, FREE[0])
    assert reply.outcome == "answered", reply.issues
    assert len(reply.rows) == 20 and all(row[:2] == (MASK, MASK) for row in reply.rows)
    broken = reviewed(house, SOL, FREE[3])
    assert (broken.outcome, broken.issues[0].code) == ("failed", "data_error")


def test_no_canary_sings_in_any_reply_nor_in_anything_that_is_kept(
    house: Gateway, project: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    outcomes = set()
    for caller in ASKERS:
        asked = [house.ask(caller, plan) for plan in PLANS]
        asked += [house.ask(caller, plan, options=AskOptions(dry_run=True)) for plan in PLANS]
        asked += [reviewed(house, caller, sql) for sql in FREE]
        outcomes |= {reply.outcome for reply in asked}
        for reply in asked:
            silent(said(reply))
            for draft in (
                "{{c:0.email}} {{c:0.region}} {{c:0.shouted}} {{c:0.harmless}}",
                f"{reply.answer} 7 more",
            ):
                silent(said(house.check_answer(caller, draft, [reply.trace_id])))
            silent(said(house.get_trace(RITA, reply.trace_id)))
            silent(said(house.replay(RITA, reply.trace_id)))
        for report in (
            house.list_metrics(caller, "email"),
            house.describe_metric(caller, "new_customers"),
            house.list_traces(caller),
            *(house.check_sql(caller, sql) for sql in FREE),
        ):
            silent(said(report))
    assert {"answered", "dry_run", "denied", "failed", "invalid_plan"} <= outcomes
    silent(said(examine(project)))
    files = list(kept(project))
    assert {"results.sqlite", "state.sqlite"} <= {file.name for file, _ in files}
    for _, content in files:
        silent(content, *master_key(project))
    captured = capfd.readouterr()
    silent(captured.out + captured.err + caplog.text, *master_key(project))


def test_the_row_in_the_message_of_a_defect_reaches_no_caller_and_no_trace(
    house: Gateway, project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = with_a_defect(house)
    with pytest.raises(RuntimeError):
        broken.ask(ANA, PLANS[0])
    for _, content in kept(project):
        silent(content)
    monkeypatch.setattr("gateway.service.Gateway.ask", broken.ask)
    monkeypatch.chdir(project)
    plan = project / "plan.json"
    plan.write_text(json.dumps(PLANS[0]), encoding="utf-8")
    assert run(["ask", str(plan), "--json"]) == 1
    captured = capfd.readouterr()
    assert "defect" in captured.out + captured.err
    silent(captured.out + captured.err)


def test_the_command_line_says_no_canary(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    plan = project / "plan.json"
    for number, asked in enumerate(PLANS):
        plan.write_text(json.dumps(asked), encoding="utf-8")
        run(["ask", str(plan), "--as", "sol", *(["--json"] if number % 2 else [])])
    sql = project / "query.sql"
    for number, text in enumerate(FREE):
        sql.write_text(text, encoding="utf-8")
        run(["sql", "check", str(sql), "--as", "sol", *(["--json"] if number % 2 else [])])
    run(["doctor"])
    run(["trace", "list", "--as", "rita", "--json"])
    captured = capfd.readouterr()
    assert "ticket_count" in captured.out
    silent(captured.out + captured.err, *master_key(project))


@pytest.mark.anyio
async def test_http_says_no_canary_no_token_and_no_key(
    house: Gateway, project: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    settings = load_settings(project)
    replies = []
    for face in (house, with_a_defect(house)):
        app = build_http(face, Callers(settings.identity), settings.server)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        for token in (TOKEN, STRANGER):
            headers = {"Authorization": f"Bearer {token}"}
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1:1", headers=headers
            ) as client:
                replies += [await client.post("/v1/questions", json={"plan": plan}) for plan in PLANS]
                replies += [
                    await client.get(path)
                    for path in ("/openapi.json", "/metrics", "/health/ready", "/v1/metrics", f"/v1/{token}")
                ]
                replies.append(
                    await client.post("/v1/answers/check", json={"draft": "7", "trace_ids": ["x"]})
                )
                replies.append(await client.post("/v1/questions", content=b"{" + token.encode()))
    assert {200, 401, 500} <= {reply.status_code for reply in replies}
    for reply in replies:
        silent(reply.content, *master_key(project))
        silent(str(reply.headers), *master_key(project))
    captured = capfd.readouterr()
    silent(captured.out + captured.err, *master_key(project))
    silent("\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("http")))


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_mcp_says_no_canary_even_of_a_defect(house: Gateway, project: Path, mode: str) -> None:
    for face in (house, with_a_defect(house)):
        workers = Workers(2, 2)
        server = build_mcp(face, lambda: SOL, workers, Counters())
        said_by: list[str] = []
        async with Client(server, mode=mode) as client:
            for name, arguments in (
                *(("ask_metric", plan) for plan in PLANS),
                *(("dry_run_plan", plan) for plan in PLANS),
                ("check_answer", {"draft": "{{c:0.email}}", "trace_ids": ["none"]}),
                ("list_metrics", {"search": "email"}),
                ("get_trace", {"trace_id": "none"}),
            ):
                said_by.append(await told(client, name, arguments))
        await asyncio.to_thread(workers.close)
        assert any("ticket_count" in text for text in said_by)
        for text in said_by:
            silent(text, *master_key(project))


async def told(client: Client, tool: str, arguments: Any) -> str:
    try:
        return (await client.call_tool(tool, arguments)).model_dump_json()
    except MCPError as fault:
        return str(fault)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
