"""Canaries planted through every door, and what is shown to others than who typed them.

A producer plants canaries through one door. Add yours to PRODUCERS: the scan after it is the same for all.
"""

import base64
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import Implementation

from gateway.asking import AskOptions
from gateway.custody.rights import Person
from gateway.doors.cli.main import run
from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.mcp.server import build_mcp
from gateway.doors.serving.app import build_http
from gateway.doors.workers import Workers
from gateway.pipeline import Planner
from gateway.reply import Refusal, Reply
from gateway.scaffold.project import templates
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.tracing.found import FORMATS, Wanted
from traces.records import Caller

PERSON, SECRET, NUMBER = "Elvira O'Canarybird", "canary-secret-5d1f\\x", 86753091234
CANARIES = (
    "Canarybird",
    "canary-secret-5d1f",
    "canary_alias",
    str(NUMBER),
    "86,753,091,234",
    "cellbound_canary",
)
ANA = Caller(user="ana", roles=("analyst",), tenant="shop")
RITA = Caller(user="rita", roles=("reviewer",), tenant="shop")
CLEO = Caller(user="cleo", roles=("custodian",), tenant="shop")
TOKEN = "cellbound_canary_token_77aa"
ROLES = "\nroles:\n  judge:\n    datasets: [customers]\n    may: [ask, review]\n"
WINDOW = {"from": "2026-07-01", "to": "2026-09-30"}
PLANS: tuple[dict[str, object], ...] = (
    {"metrics": ["net_revenue"], "filters": [{"field": "region", "op": "in", "values": [PERSON, SECRET]}]},
    {"metrics": ["net_revenue"], "dimensions": ["region"], "time": WINDOW,
     "filters": [{"field": "region", "op": "not_in", "values": [PERSON, "EMEA"]},
                 {"metric": "net_revenue", "op": "lt", "values": [NUMBER]}]},
    {"metrics": ["net_revenue", PERSON]},
    {"metrics": ["net_revenue"], "dimensions": [SECRET]},
    {"metrics": ["net_revenue"], "filters": [{"field": PERSON, "op": "eq", "values": [SECRET]}]},
    {"metrics": ["net_revenue"], "order": {"by": PERSON}},
    {"metrics": ["net_revenue"], "time": {**WINDOW, "zone": SECRET}},
    {"metrics": ["net_revenue"], "filters": [{"field": "order_date", "op": "gt", "values": [PERSON]}]},
    {"metrics": ["event_count"], "filters": [{"field": "region", "op": "eq", "values": [PERSON]}],
     "time": {"field": "event_time", "from": "2026-04-01", "to": "2026-09-30"}},
)  # fmt: skip
QUESTIONS = (
    f"net revenue last month for {PERSON}",
    f"net revenue by region last month {SECRET}",
    f"what did {PERSON} spend on {NUMBER}?",
)
DRAFTS = (
    f"{PERSON} earned 1,234.50 and {NUMBER} in EMEA.",
    f"Net revenue was {{{{c:0.{SECRET}}}}}.",
    f"{PERSON}: {{{{c:0.net_revenue}}}}",
)
QUOTED = PERSON.replace("'", "''")
SQL = (
    f"SELECT region AS canary_alias FROM customers WHERE region <> '{QUOTED}' LIMIT 3",
    f'SELECT "{SECRET}" FROM nowhere -- {PERSON}',
    f"SELEC {PERSON} ' {NUMBER}",
)


class Planted(NamedTuple):
    """A project with canaries about to be planted, its gateway, and what is said to others than the asker.

    `databases` are those in which it keeps what it keeps, as their superuser reaches them.
    """

    project: Path
    house: Gateway
    overheard: list[str]
    databases: tuple[str, ...] = ()


def constant(reply: Reply) -> Callable[[], Reply]:
    return lambda: reply


def planner_of(sql: str) -> Planner:
    return lambda _: sql


async def by_plans(at: Planted) -> None:
    for plan in PLANS:
        for options in (
            AskOptions(conversation=f"talk with {PERSON}"),
            AskOptions(dry_run=True, choices={PERSON: SECRET}, approval_id=SECRET),
        ):
            asked = at.house.ask(ANA, plan, options)
            again = at.house.once(ANA, f"{PERSON} {SECRET}", f"{options}{plan}", constant(asked))
            assert again.outcome in (asked.outcome, "invalid_plan")


async def by_questions_and_follow_ups(at: Planted) -> None:
    for question in QUESTIONS:
        at.house.ask_question(ANA, question, AskOptions(conversation=PERSON, choices={SECRET: PERSON}))


async def by_drafts(at: Planted) -> None:
    asked = at.house.ask(ANA, PLANS[1])
    assert asked.outcome == "answered", asked.issues
    for draft in DRAFTS:
        at.house.check_answer(ANA, draft, [asked.trace_id])
        at.house.check_answer(ANA, draft, [SECRET])
    declared = [{"id": "a", "op": "sum", "args": {PERSON: SECRET}}]
    at.house.check_answer(ANA, DRAFTS[0], [asked.trace_id], declared)


async def by_sql(at: Planted) -> None:
    for sql in SQL:
        at.house.check_sql(ANA, sql)
        at.house.ask_planned(ANA, planner_of(sql))


async def by_reasons(at: Planted) -> None:
    held = at.house.ask_planned(ANA, planner_of(SQL[0]))
    assert held.outcome == "held", held.issues
    judge = Caller(user="judy", roles=("judge",), tenant="shop")
    at.house.decide_hold(judge, held.hold_id, "deny", f"{PERSON} said {SECRET}")
    for reason in (PERSON, SECRET):
        assert not isinstance(at.house.custody.unseal(CLEO, held.trace_id, reason), Refusal)
        at.house.custody.hold(CLEO, Person(user=PERSON), reason)
        at.house.custody.hold(CLEO, Person(user=PERSON), reason, release=True)
        at.house.custody.erase(CLEO, Person(user=PERSON), reason)
        at.house.custody.rotate(CLEO, ("subjects",), reason)
        at.house.custody.retire(CLEO, 30, reason)


async def by_http(at: Planted) -> None:
    settings = load_settings(at.project)
    app = build_http(at.house, Callers(settings.identity), settings.server)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    own: list[httpx.Response] = []
    other: list[httpx.Response] = []
    for token, replies in ((TOKEN, own), (f"{TOKEN}_of_nobody", other)):
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:1", headers={"Authorization": f"Bearer {token}"}
        ) as client:
            for plan in PLANS:
                key = {"Idempotency-Key": f"{SECRET} {len(replies)}", "User-Agent": f"{SECRET}/1.0"}
                replies.append(await client.post("/v1/questions", json={"plan": plan}, headers=key))
            replies.append(await client.post("/v1/questions", json={"question": QUESTIONS[0]}))
            replies.append(await client.post("/v1/questions", content=b"{" + PERSON.encode()))
            replies.append(await client.get(f"/v1/traces/{SECRET}"))
            at.overheard.extend(
                [(await client.get(path)).text for path in ("/metrics", "/health/ready", "/openapi.json")]
            )
    assert {reply.status_code for reply in other} == {401} and 401 not in {one.status_code for one in own}
    at.overheard.extend(reply.text for reply in other)


async def by_mcp(at: Planted) -> None:
    workers = Workers(2, 2)
    server = build_mcp(at.house, lambda: ANA, workers, Counters())
    calls: list[tuple[str, dict[str, Any]]] = [
        *(("ask_metric", plan) for plan in PLANS),
        *(("ask_question", {"question": question, "conversation": PERSON}) for question in QUESTIONS),
        ("check_answer", {"draft": DRAFTS[0], "trace_ids": [SECRET]}),
        ("get_trace", {"trace_id": PERSON}),
        (SECRET, {}),
    ]
    async with Client(server, client_info=Implementation(name=PERSON, version=SECRET)) as client:
        for name, arguments in calls:
            with suppress(MCPError):
                await client.call_tool(name, arguments)
    workers.close()


async def by_the_command_line(at: Planted) -> None:
    """What the asker's own terminal says to them is theirs; what is left behind is nobody's."""
    plan = at.project / "plan.json"
    for each in PLANS[:3]:
        plan.write_text(json.dumps(each), encoding="utf-8")
        run(["ask", str(plan), "--json", "--project", str(at.project)])
    run(["ask", "--question", QUESTIONS[0], "--project", str(at.project)])
    run(["trace", "erase", "--subject", PERSON, "--reason", SECRET, "--project", str(at.project)])
    plan.unlink()


PRODUCERS = (
    by_plans,
    by_questions_and_follow_ups,
    by_drafts,
    by_sql,
    by_reasons,
    by_http,
    by_mcp,
    by_the_command_line,
)


def project_in(folder: Path, shop_file: Path) -> Path:
    """The shop with a custodian and a reviewer in its policy, and free SQL released."""
    shutil.copytree(templates() / "shop", folder)
    (folder / "var").mkdir()
    shutil.copyfile(shop_file, folder / "var" / "shop.duckdb")
    policy = folder / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8").replace("\nroles:\n", ROLES, 1)
    policy.write_text(
        text.replace("  governed: autonomous\n", "  governed: autonomous\n  free: reviewed\n"), "utf-8"
    )
    settings = folder / "cellbound.toml"
    written, count = re.subn(
        r'(user = "ana"\nsha256 = ")0+',
        rf"\g<1>{sha256(TOKEN.encode()).hexdigest()}",
        settings.read_text(encoding="utf-8"),
    )
    assert count == 1
    settings.write_text(written, encoding="utf-8")
    return folder


def seen_by_an_auditor(at: Planted) -> Iterator[str]:
    """Yield what somebody with the right `audit`, and no other, can be shown of every trace."""
    for line in at.house.list_traces(RITA, 200):
        for shown in (at.house.get_trace(RITA, line.trace_id), at.house.evidence(RITA, line.trace_id)):
            assert shown is not None
            yield shown.model_dump_json()
        yield line.model_dump_json()
        story = at.house.tracing.why(RITA, line.trace_id)
        assert story is not None
        yield story.model_dump_json()
    for form in FORMATS:
        yield "\n".join(at.house.tracing.export(RITA).lines(form, "duckdb://shop"))
    yield at.house.tracing.find(RITA, Wanted()).model_dump_json()


def spelled(canary: str) -> Iterator[bytes]:
    for text in (canary, canary.upper(), canary.casefold(), json.dumps(canary)[1:-1], repr(canary)[1:-1]):
        yield text.encode()
    yield canary.encode("utf-16-le")
    yield base64.b64encode(canary.encode())[:-4]
    yield canary.encode().hex().encode()


def silent(place: str, content: bytes) -> None:
    found = [canary for canary in CANARIES for way in spelled(canary) if way in content]
    assert not found, f"{found[0]!r} sings in {place}"
