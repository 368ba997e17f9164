"""The verbs of custody on the command line: what they print, what they leave, how they exit."""

import json
import stat
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from gateway.doors.cli.main import run
from gateway.doors.published import verb_schemas
from traces.keybackup import PASSPHRASE

PHRASE = "several words nobody puts together"
SERVICE = """
import base64, json, sys
asked = json.load(sys.stdin)
if asked["do"] == "wrap":
    print(json.dumps({"key": "vault:" + asked["key"][::-1]}))
else:
    print(json.dumps({"key": asked["key"].removeprefix("vault:")[::-1]}))
"""


@pytest.fixture
def project(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shop, which has a custodian, and this process inside it."""
    monkeypatch.chdir(shop)
    return shop


def asked(capsys: pytest.CaptureFixture[str]) -> str:
    """Ask as ana by a region, and return the trace id."""
    plan = {"metrics": ["order_count"], "filters": [{"field": "region", "op": "eq", "values": ["EMEA"]}]}
    Path("plan.json").write_text(json.dumps(plan), encoding="utf-8")
    assert run(["ask", "plan.json", "--json"]) == 0
    return str(json.loads(capsys.readouterr().out)["trace_id"])


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run([*arguments, "--as", "cleo", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_a_trace_is_unsealed_with_a_reason_only(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = asked(capsys)
    assert run(["trace", "show", trace, "--as", "cleo"]) == 0
    assert "EMEA" not in capsys.readouterr().out
    assert run(["trace", "unseal", trace, "--as", "cleo"]) == 2
    assert "--reason" in capsys.readouterr().err
    assert run(["trace", "unseal", trace, "--as", "rita", "--reason", "audit 7"]) == 3
    assert "unseal" in capsys.readouterr().err
    assert run(["trace", "unseal", trace, "--as", "cleo", "--reason", "audit 7"]) == 0
    assert "EMEA" in capsys.readouterr().out
    assert run(["trace", "unseal", "f" * 32, "--as", "cleo", "--reason", "audit 7"]) == 2


def test_a_person_is_held_then_released_then_erased(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = asked(capsys)
    why = ("--subject", "ana", "--reason", "request 17")
    assert told(capsys, "trace", "hold", *why)["held"] is True
    assert run(["trace", "erase", *why, "--as", "cleo"]) == 3
    assert "legal hold" in capsys.readouterr().err
    assert told(capsys, "trace", "hold", "--release", *why)["held"] is False
    assert told(capsys, "trace", "erase", *why)["keys"] == 1
    assert run(["trace", "show", trace]) == 0
    assert "EMEA" not in capsys.readouterr().out
    assert run(["trace", "verify"]) == 0
    assert run(["trace", "erase", "--reason", "x", "--as", "cleo"]) == 2


def test_nothing_is_old_enough_to_go(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked(capsys)
    found = told(capsys, "trace", "retain", "--days", "30", "--reason", "the rule", "--dry-run")
    assert (found["deleted"], found["dry_run"]) == ([], True)
    assert run(["trace", "retain", "--days", "0", "--as", "cleo"]) == 2


def test_keys_are_listed_rotated_and_listed_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = asked(capsys)
    before = told_keys(capsys)
    assert run(["keys", "rotate", "--kind", "chains", "--as", "cleo", "--reason", "yearly"]) == 2
    assert "chain" in capsys.readouterr().err
    assert run(["keys", "rotate", "--as", "ana", "--reason", "yearly"]) == 3
    capsys.readouterr()
    assert told_keys(capsys) == before
    done = told(capsys, "keys", "rotate", "--reason", "yearly")
    assert done["kinds"] == ["chain", "signing", "subjects"]
    after = told_keys(capsys)
    assert all(len(after[kind]) == 2 and after[kind][0] == before[kind][0] for kind in ("chain", "signing"))
    master = told(capsys, "keys", "rotate", "--kind", "master", "--reason", "yearly")
    assert master["kinds"] == ["master"] and told_keys(capsys)["master"] != before["master"]
    assert run(["trace", "show", trace]) == 0
    assert "EMEA" in capsys.readouterr().out
    assert run(["trace", "verify"]) == 0


def told_keys(capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    assert run(["keys", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["keys"]
    assert isinstance(found, dict)
    return found


def test_a_project_moves_to_a_key_service(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = asked(capsys)
    (project / "service.py").write_text(SERVICE, encoding="utf-8")
    settings = project / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(
        f'{text}\n[keys]\ncommand = ["{sys.executable}", "{project}/service.py"]\n', encoding="utf-8"
    )
    assert run(["trace", "show", trace]) == 1
    assert "keys rotate --kind master" in capsys.readouterr().err
    told(capsys, "keys", "rotate", "--kind", "master", "--reason", "to the vault")
    kept = json.loads((project / "var" / "keys.json").read_text(encoding="utf-8"))
    assert kept["master"] == "" and kept["wrapped_master"].startswith("vault:")
    assert run(["trace", "show", trace]) == 0
    assert "EMEA" in capsys.readouterr().out


def test_a_backup_brings_a_lost_key_file_back_but_nobody_who_was_erased(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = asked(capsys)
    keys = project / "var" / "keys.json"
    monkeypatch.setenv(PASSPHRASE, PHRASE)
    assert run(["keys", "backup", "var/traces/keys.backup", "--as", "cleo"]) == 2
    assert not (project / "var" / "traces" / "keys.backup").exists()
    assert run(["keys", "backup", "keys.backup", "--as", "cleo"]) == 0
    assert stat.S_IMODE((project / "keys.backup").stat().st_mode) == 0o600
    keys.unlink()
    assert run(["keys", "restore", "keys.backup", "--as", "cleo"]) == 0
    capsys.readouterr()
    assert run(["trace", "show", trace]) == 0
    assert "EMEA" in capsys.readouterr().out
    told(capsys, "trace", "erase", "--subject", "ana", "--reason", "request 17")
    keys.unlink()
    assert run(["keys", "restore", "keys.backup", "--as", "cleo"]) == 0
    capsys.readouterr()
    assert run(["trace", "show", trace]) == 0
    assert "EMEA" not in capsys.readouterr().out
    monkeypatch.setenv(PASSPHRASE, PHRASE + "!")
    assert run(["keys", "restore", "keys.backup", "--as", "cleo"]) == 1
    assert "passphrase" in capsys.readouterr().err


def test_somebody_named_by_another_is_found_and_goes_with_the_trace(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = asked(capsys)
    why = ("--reason", "request 18", "--as", "cleo")
    assert run(["trace", "named", "emea", *why]) == 0
    assert trace in capsys.readouterr().out
    assert run(["trace", "named", "emea", "--reason", "request 18", "--as", "rita"]) == 3
    assert "unseal" in capsys.readouterr().err
    assert run(["trace", "erase", "--trace", trace, "--dry-run", *why]) == 0
    assert "words are lost in 1 trace" in capsys.readouterr().out
    assert run(["trace", "show", trace]) == 0
    assert "EMEA" in capsys.readouterr().out
    assert run(["trace", "erase", "--trace", trace, *why]) == 0
    assert run(["trace", "show", trace]) == 0
    assert "EMEA" not in capsys.readouterr().out
    assert run(["trace", "verify"]) == 0
    assert run(["trace", "erase", "--trace", "f" * 32, *why]) == 2
    assert "unknown_trace" in capsys.readouterr().err
    assert run(["trace", "erase", "--trace", trace, "--subject", "ana", *why]) == 2
    assert run(["trace", "erase", "--dry-run", "--subject", "ana", *why]) == 2


def test_keys_leave_and_come_back_for_who_may_administer_only(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(capsys)
    monkeypatch.setenv(PASSPHRASE, PHRASE)
    assert run(["keys", "backup", "keys.backup"]) == 3
    assert "right admin" in capsys.readouterr().err and not (project / "keys.backup").exists()
    found = told(capsys, "keys", "backup", "keys.backup")
    assert found["file"] == "keys.backup"
    schema = {"$defs": verb_schemas()["$defs"], **verb_schemas()["verbs"]["keys backup"]}
    Draft202012Validator(schema).validate(found)
    kept = (project / "var" / "keys.json").read_bytes()
    assert run(["keys", "restore", "keys.backup", "--as", "rita"]) == 3
    assert "right admin" in capsys.readouterr().err
    (project / "var" / "keys.json").unlink()
    assert run(["keys", "restore", "keys.backup", "--as", "rita"]) == 3
    assert not (project / "var" / "keys.json").exists(), "a lost key file does not open the door either"
    assert told(capsys, "keys", "restore", "keys.backup")["subjects"] == found["subjects"]
    assert json.loads((project / "var" / "keys.json").read_bytes()).keys() == json.loads(kept).keys()


def test_a_passphrase_that_is_too_short_is_a_slip_of_who_typed_it(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(capsys)
    monkeypatch.setenv(PASSPHRASE, "short")
    assert run(["keys", "backup", "keys.backup", "--as", "cleo"]) == 2
    assert "passphrase_short" in capsys.readouterr().err and not (project / "keys.backup").exists()
