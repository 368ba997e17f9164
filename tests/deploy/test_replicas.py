"""Two served gateways, set up as deploy/compose sets them up, behind a balancer: callers notice nothing."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
import yaml

from gateway.demo.shop_data import write_shop
from gateway.scaffold.project import templates
from gateway.wiring import open_gateway
from tests.servers.balancer import Balancer
from tests.servers.postgres import DEFAULT_VERSION, Server, running, versions, why_missing
from tests.servers.served import ENVIRONMENT, Served, with_tokens
from tests.traces.store.conftest import run_setup
from traces.chain import Verified

pytestmark = [pytest.mark.slow, pytest.mark.faults, pytest.mark.engine("postgres")]
ROOT = Path(__file__).resolve().parents[2]
COMPOSE = ROOT / "deploy" / "compose"
PEOPLE = ("ana", "rita")
TIGHT = ("bytes: {warn: 20000000, hard: 40000000}", "bytes: {warn: 1, hard: 1000000000000}")
PLAN: dict[str, object] = {
    "metrics": ["order_count"],
    "dimensions": ["region"],
    "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-07-31"},
}
Body = dict[str, Any]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A PostgreSQL on which the scripts of deploy/compose were run."""
    if DEFAULT_VERSION not in versions():
        pytest.skip(why_missing(DEFAULT_VERSION))
    with running(DEFAULT_VERSION) as found:
        scripts = COMPOSE / "db"
        run_setup(found, (scripts / "10-traces.sql").read_text(encoding="utf-8"), "cellbound_traces")
        for statement in (scripts / "20-state.sql").read_text(encoding="utf-8").split(";\n"):
            if statement.strip():
                found.execute(statement)
        yield found


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo shop with a token for two people and a budget under which every question waits."""
    folder = tmp_path_factory.mktemp("replicas") / "shop"
    shutil.copytree(templates() / "shop", folder)
    (folder / "var").mkdir()
    write_shop(folder / "var" / "shop.duckdb", events=1_000)
    with_tokens(folder, PEOPLE)
    policy = folder / "policies" / "policy.yml"
    assert TIGHT[0] in policy.read_text(encoding="utf-8")
    policy.write_text(policy.read_text(encoding="utf-8").replace(*TIGHT), encoding="utf-8")
    return folder


def environment(server: Server) -> Mapping[str, str]:
    """Return what compose tells its gateway, with this server in the place of `db`."""
    composed = yaml.safe_load((COMPOSE / "compose.yml").read_text(encoding="utf-8"))
    given: Mapping[str, str] = composed["services"]["gateway"]["environment"]
    place = f"{quoted(server.folder)}:{server.port}"
    return {
        **ENVIRONMENT,
        **{name: value.replace("db:5432", place) for name, value in given.items() if "${" not in value},
        "CELLBOUND_SERVER__HOST": "127.0.0.1",
        "CELLBOUND_MASTER_KEY": "b2zEYCIzDyVPXdnNQqJEK5sdTBOVhGFUWMCSMGOTXnA=",
    }


def quoted(folder: Path) -> str:
    return str(folder).replace("/", "%2F")


@pytest.fixture
def replicas(project: Path, server: Server) -> Iterator[tuple[Served, Served]]:
    with Served(project, environment(server)) as first, Served(project, environment(server)) as second:
        yield first, second


@pytest.fixture
def balancer(replicas: tuple[Served, Served]) -> Iterator[Balancer]:
    with Balancer([each.port for each in replicas]) as found:
        yield found


def call(balancer: Balancer, method: str, path: str, who: str, body: object = None, key: str = "") -> Body:
    """Send one request on a connection of its own, which the balancer gives to whose turn it is."""
    headers = {"Authorization": f"Bearer {who}", **({"Idempotency-Key": key} if key else {})}
    answer = httpx.request(method, f"{balancer.address}{path}", headers=headers, json=body, timeout=60)
    assert answer.status_code < 500, answer.text
    return dict(answer.json())


def approved(balancer: Balancer) -> str:
    """Ask, have the question accepted, and return its hold; each request goes to the other replica."""
    held = call(balancer, "POST", "/v1/questions", "ana", PLAN)
    assert held["outcome"] == "held", held
    ruling = {"verdict": "accept", "reason": "looked at it"}
    seen = call(balancer, "POST", f"/v1/holds/{held['hold_id']}/decisions", "rita", ruling)
    assert seen["status"] == "accepted", seen
    return str(held["hold_id"])


def files_of(project: Path) -> dict[str, int]:
    return {
        str(file.relative_to(project)): file.stat().st_mtime_ns
        for file in project.rglob("*")
        if file.is_file() and "var" not in file.relative_to(project).parts
    }


def test_whoever_is_asked_knows_what_the_other_did(
    balancer: Balancer, replicas: tuple[Served, Served], project: Path
) -> None:
    before = files_of(project)
    body = {**PLAN, "approval_id": approved(balancer)}
    answered = call(balancer, "POST", "/v1/questions", "ana", body)
    assert answered["outcome"] == "answered", answered
    for _ in replicas:
        seen = call(balancer, "GET", f"/v1/traces/{answered['trace_id']}", "ana")
        assert seen["outcome"] == "answered"
        again = call(balancer, "POST", "/v1/questions", "ana", body)
        assert again["outcome"] == "held", "an accept is used once, by one of them"
    assert min(balancer.taken.values()) >= 2, "both were asked"
    assert files_of(project) == before, "nothing is written outside of var"


def test_a_replica_that_is_killed_costs_no_answer_and_nothing_that_was_told(
    balancer: Balancer, replicas: tuple[Served, Served], project: Path, server: Server, monkeypatch: Any
) -> None:
    hold, key = approved(balancer), uuid4().hex
    body = {**PLAN, "approval_id": hold}
    first = call(balancer, "POST", "/v1/questions", "ana", body, key)
    assert first["outcome"] == "answered", first
    replicas[0].kill()
    told = [call(balancer, "POST", "/v1/questions", "ana", body, key) for _ in range(3)]
    assert {each["trace_id"] for each in told} == {first["trace_id"]}, "sent again, nothing runs again"
    told.extend(call(balancer, "POST", "/v1/questions", "ana", PLAN) for _ in range(2))
    replicas[1].end()
    for name, value in environment(server).items():
        monkeypatch.setenv(name, value)
    gateway = open_gateway(project)
    for reply in told:
        trace = gateway.traces.read(reply["trace_id"])
        assert trace is not None and trace.closed is not None and trace.closed.outcome == reply["outcome"]
    assert all(isinstance(verdict, Verified) for verdict in gateway.traces.verify())
    gateway.close()
