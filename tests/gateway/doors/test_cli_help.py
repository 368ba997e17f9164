"""`explain` and `config show`: every code is explained, every setting has its source, no secret is shown."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docs.harvest import MADE, said_codes
from gateway.doors.cli.completion import codes, metric_names
from gateway.doors.cli.main import run
from gateway.doors.explaining import Explained, explain
from gateway.doors.status import OUTCOMES
from gateway.notices.channels import DRIFT, Notice, Webhook
from gateway.reply import Refusal
from gateway.settings.file import NotifySettings
from policies.register import SQL_CHECKS


@pytest.mark.parametrize("code", ["plan", "fan_out", "held", "blocked", "unknown_metric", "config_error"])
def test_a_code_that_is_said_is_explained_or_a_near_one_is_named(code: str) -> None:
    found = explain(code)
    assert isinstance(found, Explained) == (code != "config_error")


def test_every_issue_check_and_outcome_can_be_explained() -> None:
    codes = (*said_codes(), *(check.id for check in SQL_CHECKS), *OUTCOMES)
    silent = [code for code in codes if not isinstance(explain(code), Explained)]
    assert not silent


def test_a_code_that_is_put_together_where_it_is_said_is_explained_whole() -> None:
    root = Path(__file__).parents[3]
    found = {
        re.sub(r"\{[^}]*\}", "…", code)
        for room in ("gateway", "policies", "evals", "traces", "metric_layer")
        for file in (root / room).rglob("*.py")
        for code in re.findall(r'\bcode=f"([^"]*)"', file.read_text(encoding="utf-8"))
    }
    assert found == MADE.keys()


@pytest.mark.parametrize("about", [f"{DRIFT}0a1b", "0a1b"])
def test_the_event_of_a_notice_is_explained(about: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def posted(said: Mapping[str, str], headers: Mapping[str, str]) -> int:
        sent.append(said["event"])
        return 204

    hook = Webhook(NotifySettings(base_url="https://gate.example", webhook="https://hook.example"))
    monkeypatch.setattr(hook, "_blocking", posted)
    hook.send(Notice(about, "", datetime(2026, 12, 1, tzinfo=UTC)))
    found = explain(sent[0])
    assert isinstance(found, Explained)
    (notice,) = [each for each in found.meanings if each.kind == "notice"]
    assert notice.next_steps and notice.page == "docs/reviews.md"
    slip = explain(sent[0].replace("e", "", 1))
    assert isinstance(slip, Refusal) and sent[0] in slip.issues[0].candidates


def test_a_slip_is_answered_with_the_near_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "unknwn_metric", "--json"]) == 2
    (issue,) = json.loads(capsys.readouterr().out)["issues"]
    assert issue["candidates"][0] == "unknown_metric"


def shown(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, tuple[str, str]]:
    assert run(["config", "show", "--json", *options]) == 0
    found = json.loads(capsys.readouterr().out)["settings"]
    return {one["name"]: (one["value"], one["source"]) for one in found}


def test_the_environment_goes_before_the_file_and_the_file_before_the_default(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shop)
    monkeypatch.setenv("CELLBOUND_SERVER__QUEUE", "7")
    monkeypatch.setenv("CELLBOUND_SERVER__ALLOWED_ORIGINS", '["https://bi.example"]')
    found = shown(capsys)
    assert found["server.queue"] == ("7", "CELLBOUND_SERVER__QUEUE")
    assert found["server.allowed_origins"] == ("https://bi.example", "CELLBOUND_SERVER__ALLOWED_ORIGINS")
    assert found["project.name"] == ("shop", "cellbound.toml")
    assert found["results.minutes"] == ("60", "default")


def test_secrets_are_not_shown(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shop)
    monkeypatch.setenv("CELLBOUND_MASTER_KEY", "bm90IGEga2V5")
    found = shown(capsys, "--changed")
    assert found["identity.tokens.0.sha256"][0] == "(hidden)"
    assert found["master key"] == ("(hidden)", "CELLBOUND_MASTER_KEY")


def test_a_variable_that_is_no_setting_is_refused_by_its_name(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shop)
    monkeypatch.setenv("CELLBOUND_SERVER__PROT", "80")
    assert run(["config", "show", "--json"]) == 1
    (issue,) = json.loads(capsys.readouterr().out)["issues"]
    assert (issue["code"], issue["place"]) == ("unknown_key", "$CELLBOUND_SERVER__PROT")
    assert "port" in issue["candidates"]


def test_every_verb_names_the_person_who_acts_by_the_same_option() -> None:
    page = (Path(__file__).parents[3] / "docs" / "cli.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(--[a-z-]+) USER`", page, flags=re.MULTILINE))
    assert named == {"--as", "--subject", "--person", "--user"}, "only --as acts; the others are spoken of"


def test_the_shell_offers_metrics_that_the_user_may_see(
    shop: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(shop)
    assert metric_names("net_rev") == ["net_revenue"]
    assert "event_count" in metric_names("event_")
    monkeypatch.setenv("CELLBOUND_IDENTITY__CLI_USER", "emil")
    assert (metric_names("net_rev"), metric_names("event_")) == (["net_revenue"], [])
    monkeypatch.delenv("CELLBOUND_IDENTITY__CLI_USER")
    assert "fan_out" in codes("fan_")
    monkeypatch.chdir(tmp_path)
    assert metric_names("net") == []
