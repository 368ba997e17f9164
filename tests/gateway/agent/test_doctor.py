"""`cellbound doctor` says whether the model of the settings could be asked, and asks it nothing."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from gateway.doors.cli.main import run
from gateway.models.configured import KEY_VARIABLE
from tests.servers.models import Endpoint

SECRET = "sk-kept-out-of-every-text"


def found_by_doctor(
    shop: Path, base_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, dict[str, Any], str]:
    settings = shop / "cellbound.toml"
    agent = f'\n[agent]\nprovider = "openai"\nbase_url = "{base_url}"\nmodel = "scripted"\n'
    settings.write_text(settings.read_text(encoding="utf-8") + agent, encoding="utf-8")
    monkeypatch.chdir(shop)
    status = run(("doctor", "--json"))
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
    (finding,) = [each for each in json.loads(said.out)["findings"] if each["name"] == "model"]
    return status, finding, said.out + said.err


def test_a_model_that_answers_is_named_with_its_place_and_without_its_key(
    shop: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    _, finding, said = found_by_doctor(shop, endpoint.base_url, capsys, monkeypatch)
    assert finding["ok"] and "scripted" in finding["detail"] and "a key is set" in finding["detail"]
    assert SECRET not in said
    assert endpoint.asked == []


def test_a_model_that_nobody_reaches_is_a_finding_that_stops_no_question_in_the_layers_words(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{unused.getsockname()[1]}"
        _, finding, _ = found_by_doctor(shop, f"http://{place}/v1", capsys, monkeypatch)
    assert not finding["ok"] and place in finding["detail"] and "base_url" in finding["next_step"]
    assert run(("ask", "--question", "net revenue by region in Q3 2026", "--json")) == 0


def test_a_provider_of_its_own_place_without_a_key_is_named_with_the_variable(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    _, finding, _ = found_by_doctor(shop, "", capsys, monkeypatch)
    assert not finding["ok"] and KEY_VARIABLE in finding["detail"] + finding["next_step"]
