"""What doctor says of a project beside its roles, and what `setup sql` prints."""

import base64
import json
import os
import resource
import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.doors.cli.doctor import examine
from gateway.doors.cli.main import run
from gateway.doors.status import FINDINGS
from gateway.reply import Finding
from gateway.scaffold.project import templates
from gateway.wiring import open_gateway, utc_now
from tests.servers.served import ENVIRONMENT, MAIN
from traces.records import Caller


def test_a_clock_that_went_back_is_named(shop: Path, ana: Caller) -> None:
    late = open_gateway(shop, now=lambda: utc_now() + timedelta(hours=1))
    late.ask(ana, {"metrics": ["order_count"]}, options=AskOptions(dry_run=True))
    late.close()
    found = {finding.name: finding for finding in examine(shop).findings}
    assert not found["clock"].ok
    assert "in the future" in found["clock"].detail and found["clock"].next_step
    assert all(finding.ok for name, finding in found.items() if finding.needed and name != "clock")


def test_every_role_says_what_holds_it_in_words(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--project", str(shop)]) == 0
    said = capsys.readouterr().out
    for role in ("analyst", "emea_analyst", "finance", "support_lead", "reviewer"):
        assert f"role {role}: sees its rows and columns and no others" in said
        assert f"role {role}: cannot write: 8 ways to write are refused on a copy" in said


def test_a_disk_that_takes_no_trace_is_named(shop: Path) -> None:
    """The system refuses this process every file above 200 kB: what a full disk looks like."""

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    command = [sys.executable, *MAIN, "doctor", "--json", "--project", str(shop)]
    said = subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, check=False, timeout=120, preexec_fn=full
    )
    assert said.returncode == FINDINGS.exit
    wrong = [finding for finding in json.loads(said.stdout)["findings"] if not finding["ok"]]
    needed = {finding["name"]: finding for finding in wrong if finding["needed"]}
    assert set(needed) == {"traces"} and needed["traces"]["next_step"]


@pytest.mark.parametrize("written", [None, b"no database at all"])
def test_without_a_database_no_role_is_said_to_be_held(
    shop: Path, written: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    database = next(shop.rglob("shop.duckdb"))
    database.unlink()
    if written is not None:
        database.write_bytes(written)
    assert run(["doctor", "--project", str(shop)]) == FINDINGS.exit
    assert "refused on a copy" not in capsys.readouterr().out
    roles = [finding for finding in examine(shop).findings if finding.name.startswith("role ")]
    assert roles and not any(finding.ok for finding in roles)
    assert all(finding.detail.startswith("not proved: ") and finding.next_step for finding in roles)


@pytest.mark.parametrize("engine", ["postgres", "snowflake", "bigquery", "duckdb"])
def test_setup_prints_a_script_and_connects_to_nothing(
    engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["setup", "sql", "--engine", engine, "--project", str(templates() / "shop")]) == 0
    said = capsys.readouterr().out
    assert "Nothing was run" in said and "emea_analyst" in said.lower()


def test_setup_for_an_engine_there_is_not_is_a_wrong_call() -> None:
    assert run(["setup", "sql", "--engine", "oracle"]) == 2


def test_without_an_engine_the_projects_own_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["setup", "sql", "--project", str(templates() / "shop")]) == 0
    assert "DuckDB has no users" in capsys.readouterr().out


def finding_of(project: Path, name: str) -> Finding:
    return next(finding for finding in examine(project).findings if finding.name == name)


def test_the_mode_of_the_engine_is_said(shop: Path) -> None:
    assert "mode soft" in finding_of(shop, "engine").detail


def test_keys_and_checkpoints_on_the_volume_of_the_traces_are_advised_against(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("keys", "checkpoints"):
        found = finding_of(shop, name)
        assert not found.ok and not found.needed and found.next_step
    assert run(["doctor", "--project", str(shop)]) == 0
    assert "advice  keys: the signing key lies on the volume of the traces" in capsys.readouterr().out


def test_keys_and_checkpoints_on_another_volume_are_as_they_should_be(shop: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
        if Path(elsewhere).stat().st_dev == shop.stat().st_dev:
            pytest.skip("there is no second volume here")
        settings = shop / "cellbound.toml"
        text = settings.read_text(encoding="utf-8")
        text = text.replace('keys = "var/keys.json"', f'keys = "{elsewhere}/keys.json"')
        settings.write_text(f'{text}\n[traces]\ncheckpoints = "{elsewhere}/notes"\n', encoding="utf-8")
        assert finding_of(shop, "keys").ok and finding_of(shop, "checkpoints").ok


def test_a_master_key_that_is_not_in_the_file_may_lie_beside_the_traces(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CELLBOUND_MASTER_KEY", base64.b64encode(os.urandom(32)).decode())
    assert finding_of(shop, "keys").ok
