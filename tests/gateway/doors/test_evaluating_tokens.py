"""A token that was made for evaluations keeps what waits out of the reviewers' queue; nothing else does."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from evals.subject import Given
from gateway.doors.cli.main import run
from gateway.doors.evaluating.remote import OverHttp, OverMcp
from gateway.doors.identity import Callers
from gateway.doors.identity.scopes import ASK, EVALUATE, METRICS, SCOPES
from gateway.doors.serving.app import build_http
from gateway.reviews.view import HoldList
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.wiring import open_gateway
from tests.gateway.conftest import RITA
from tests.gateway.doors.suites.served import serving
from tests.gateway.over_http import over_http

PLAN = {"metrics": ["net_revenue"], "time": {"from": "2026-07-01", "to": "2026-07-31"}}
MARKS = ("Evaluation", "X-Evaluation", "Cellbound-Evaluation", "X-Cellbound-Door", "User-Agent")


@pytest.fixture
def house(shop: Path) -> Iterator[Gateway]:
    """A shop in which every question waits for a reviewer."""
    file = shop / "policies" / "policy.yml"
    text = file.read_text(encoding="utf-8")
    assert "bytes: {warn: 20000000," in text
    file.write_text(text.replace("bytes: {warn: 20000000,", "bytes: {warn: 1,"), encoding="utf-8")
    gateway = open_gateway(shop)
    yield gateway
    gateway.close()


def queue(house: Gateway) -> int:
    found = house.list_holds(RITA)
    assert isinstance(found, HoldList)
    return len(found.holds)


def doors(house: Gateway) -> list[str]:
    return [record.client.partition(" ")[0] for record in house.traces.records() if record.kind == "open"]


def test_a_run_with_tokens_of_its_own_waits_in_no_queue_over_either_door(house: Gateway, shop: Path) -> None:
    settings = load_settings(shop)
    app = build_http(house, Callers(settings.identity, issued=house.state.tokens), settings.server)
    _, usual = house.state.tokens.issue("ana", SCOPES, None)
    _, own = house.state.tokens.issue("ana", (ASK, EVALUATE), None)
    with serving(app, settings.server) as mcp:
        for token, waiting in ((own, 0), (usual, 1)):
            web = OverHttp(mcp.removesuffix("/mcp"), token, 60)
            given: list[Given] = [web.plan(PLAN), OverMcp(mcp, token, 60).plan(PLAN)]
            assert all("budget" in each.checks for each in given), given
            assert queue(house) == waiting
    assert doors(house) == ["eval", "eval", "http", "mcp"]


@pytest.mark.parametrize("mark", MARKS)
def test_no_header_and_no_key_makes_a_question_an_evaluations(house: Gateway, shop: Path, mark: str) -> None:
    _, token = house.state.tokens.issue("ana", SCOPES, None)
    with over_http(house, shop) as client:
        headers = {"Authorization": f"Bearer {token}", mark: EVALUATE}
        answer = client.post("/v1/questions", json={"plan": PLAN}, headers=headers)
        keyed = client.post("/v1/questions", json={"plan": PLAN, "door": "eval"}, headers=headers)
    assert answer.json()["outcome"] == "held" and queue(house) == 1
    assert keyed.json()["outcome"] == "invalid_plan"
    assert doors(house) == ["http"]


def test_the_scope_alone_opens_nothing(house: Gateway, shop: Path) -> None:
    with over_http(house, shop) as client:
        for scopes in ((EVALUATE,), (EVALUATE, METRICS)):
            _, token = house.state.tokens.issue("ana", scopes, None)
            answer = client.post(
                "/v1/questions", json={"plan": PLAN}, headers={"Authorization": f"Bearer {token}"}
            )
            assert answer.status_code == httpx.codes.FORBIDDEN


def test_a_token_has_the_scope_only_where_it_was_named(
    shop: Path, house: Gateway, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["token", "create", "--user", "ana", "--project", str(shop), "--json"]
    assert run(words) == 0
    assert EVALUATE not in capsys.readouterr().out
    assert run([*words, "--scope", ASK, "--scope", EVALUATE]) == 0
    assert f'"{EVALUATE}"' in capsys.readouterr().out
    assert EVALUATE not in SCOPES, "so a listed token, a proxy's user and the provider's metadata lack it"
