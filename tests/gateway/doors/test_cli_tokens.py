"""Tokens on the command line: shown once, listed without themselves, taken back from a running server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway.doors.cli.main import run
from gateway.doors.identity import Callers
from gateway.doors.identity.entrance import Entrance
from gateway.doors.identity.scopes import SCOPES
from gateway.service import Gateway
from gateway.settings.file import load_settings
from tests.gateway.doors.console.conftest import console_shop, gateway, serving

__all__ = ["console_shop", "gateway"]
Said = Callable[..., tuple[int, Any]]


@pytest.fixture
def said(console_shop: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs a verb of the shop with --json, and gives its status and what it printed."""

    def command(*words: str) -> tuple[int, Any]:
        capsys.readouterr()
        status = run(["token", *words, "--json", "--project", str(console_shop)])
        return status, json.loads(capsys.readouterr().out)

    return command


def test_a_token_opens_a_running_server_at_once_until_it_is_taken_back(
    said: Said, gateway: Gateway, console_shop: Path
) -> None:
    settings = load_settings(console_shop)
    door = Entrance(Callers(settings.identity, console_shop, gateway.state.tokens))
    with serving(gateway, console_shop, door=door) as address, httpx.Client(base_url=address) as http:
        status, made = said("create", "--user", "ana", "--expires", "30d", "--scope", "metrics:read")
        bearer = {"Authorization": f"Bearer {made['token']}"}
        assert status == 0 and (made["user"], made["scopes"], made["state"]) == (
            "ana",
            ["metrics:read"],
            "good",
        )
        assert http.get("/v1/metrics", headers=bearer).status_code == 200
        assert http.get("/v1/traces/x", headers=bearer).status_code == 403
        status, listed = said("list")
        assert status == 0 and [each["id"] for each in listed["tokens"]] == [made["id"]]
        assert made["token"] not in json.dumps(listed)
        status, gone = said("revoke", made["id"])
        assert status == 0 and gone["state"] == "revoked"
        assert http.get("/v1/metrics", headers=bearer).status_code == 401
    assert said("list")[1]["tokens"][0]["state"] == "revoked"


def test_all_that_is_wrong_with_a_request_is_said_at_once_and_nothing_is_made(said: Said) -> None:
    status, refused = said("create", "--user", "anna", "--expires", "2y", "--scope", "metric:read")
    assert status == 2
    codes = {issue["code"]: issue["candidates"] for issue in refused["issues"]}
    assert set(codes) == {"unknown_user", "bad_expiry", "unknown_scope"}
    assert codes["unknown_user"][0] == "ana" and codes["unknown_scope"][0] == "metrics:read"
    assert said("list")[1]["tokens"] == []


@pytest.mark.parametrize("expires", ["0d", "-1d", "30", "1.5h", "4000d", "9999999w", "", "d"])
def test_a_time_that_no_token_can_live_is_refused(said: Said, expires: str) -> None:
    status, refused = said("create", "--user", "ana", "--expires", expires)
    assert status == 2 and refused["issues"][0]["code"] == "bad_expiry"


def test_a_token_without_scopes_and_without_an_end_is_possible_and_said(said: Said) -> None:
    _, made = said("create", "--user", "ana", "--expires", "never")
    assert made["expires"] is None and made["scopes"] == list(SCOPES)


def test_an_id_that_no_token_has_is_refused(said: Said) -> None:
    _, made = said("create", "--user", "ana")
    status, refused = said("revoke", made["id"][:-1])
    assert status == 2 and refused["issues"][0]["candidates"] == [made["id"]]
