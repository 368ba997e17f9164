"""`policy test` and `policy diff` over the demo shop."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gateway.doors.cli.main import run
from gateway.service import Gateway
from traces.records import Caller

CASES = (
    {"id": "count", "sql": "SELECT COUNT(*) AS n FROM orders", "role": "analyst", "verdict": "allow"},
    {
        "id": "star",
        "sql": "SELECT * FROM orders",
        "role": "analyst",
        "verdict": "soft",
        "checks": ["select_star"],
    },
    {"id": "mail", "sql": "SELECT email FROM customers", "role": "analyst", "verdict": "hard"},
    {"id": "other role", "sql": "SELECT COUNT(*) FROM customers", "role": "finance", "verdict": "hard"},
)


@pytest.fixture(autouse=True)
def in_the_shop(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)


def written(cases: Sequence[Mapping[str, object]], file: Path) -> str:
    file.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    return str(file)


def test_cases_that_get_their_labels_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = run(["policy", "test", written(CASES, tmp_path / "cases.jsonl"), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert (status, report["cases"], report["failed"]) == (0, 4, 0)
    assert [result["verdict"] for result in report["results"]] == ["allow", "soft", "hard", "hard"]


def test_a_case_that_gets_another_label_fails_and_is_in_the_junit_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = ({**CASES[2], "verdict": "allow"}, {**CASES[1], "checks": ["fan_out"]}, CASES[0])
    junit = tmp_path / "report.xml"
    status = run(["policy", "test", written(wrong, tmp_path / "cases.jsonl"), "--junit", str(junit)])
    out = capsys.readouterr().out
    assert status == 3
    assert "wanted allow, got hard by pii_column" in out
    assert "1 of 3 cases as labelled" in out
    suite = ElementTree.fromstring(junit.read_bytes())
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert [case.get("name") for case in suite if case.find("failure") is not None] == ["mail", "star"]


def test_every_line_that_is_no_case_is_named_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(
        '{"id": "a", "sql": "SELECT 1", "role": "anlyst", "verdict": "allow", "checks": ["fanout"]}\n'
        "{no json\n"
        '{"id": "b", "sql": "SELECT 1", "role": "analyst", "verdict": "perhaps"}\n'
        '{"id": "a", "sql": "SELECT 1", "role": "analyst", "verdict": "allow"}\n',
        encoding="utf-8",
    )
    status = run(["policy", "test", str(file), "--json"])
    issues = json.loads(capsys.readouterr().out)["issues"]
    assert status == 2
    assert [(issue["code"], issue["place"].rsplit(":", 1)[1]) for issue in issues] == [
        ("unknown_role", "1"),
        ("unknown_check", "1"),
        ("bad_json", "2"),
        ("invalid_value", "3"),
        ("repeated_id", "4"),
    ]
    assert "analyst" in issues[0]["candidates"]


def changed(shop: Path, tmp_path: Path, old: str, new: str) -> str:
    folder = tmp_path / "policies"
    shutil.copytree(shop / "policies", folder)
    (file,) = folder.glob("*.yml")
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return str(folder)


def test_the_settings_that_differ_are_named(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = changed(shop, tmp_path, "rows: {warn: 2500000,", "rows: {warn: 100,")
    assert run(["policy", "diff", ".", other, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "changes": [{"path": "budget.rows.warn", "old": "2500000", "new": "100"}],
        "questions": None,
    }


@pytest.mark.parametrize(
    ("old", "new", "standing", "because"),
    [
        ("rows: {warn: 2500000, hard: 5000000}", "rows: {warn: 1, hard: 2}", "denied", ["budget"]),
        ("rows: {warn: 2500000,", "rows: {warn: 1,", "held", ["budget"]),
        ("governed: autonomous", "governed: shadow", "in_shadow", ["release"]),
        ("governed: autonomous", "governed: dry_run", "runs_dry", ["release"]),
        (
            "  analyst:\n    datasets: [customers, orders, order_lines, products, support_tickets, events]",
            "  analyst:\n    datasets: [customers, support_tickets, events]",
            "denied",
            ["plan"],
        ),
    ],
)
def test_recorded_questions_that_would_stand_otherwise_are_named(
    old: str,
    new: str,
    standing: str,
    because: list[str],
    gateway: Gateway,
    ana: Caller,
    revenue: dict[str, object],
    shop: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    trace_ids = [gateway.ask(ana, revenue).trace_id for _ in range(2)]
    gateway.ask(ana, {"metrics": ["net_revenu"], "dialect": "duckdb"})
    gateway.close()
    assert run(["policy", "diff", ".", changed(shop, tmp_path, old, new), "--against-traces", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["questions"]
    assert (found["questions"], found["distinct"], found["same"]) == (3, 2, 1)
    (moved,) = found["changed"]
    assert (moved["trace_id"], moved["times"], moved["old"]) == (trace_ids[-1], 2, "passes")
    assert (moved["new"], moved["because"]) == (standing, because)


def test_an_auditor_is_told_of_everybodys_questions_and_others_of_their_own(
    gateway: Gateway,
    ana: Caller,
    emil: Caller,
    revenue: dict[str, object],
    shop: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for caller in (ana, emil):
        gateway.ask(caller, revenue)
    gateway.close()
    other = changed(shop, tmp_path, "governed: autonomous", "governed: shadow")
    counted = {}
    for user in ("ana", "rita"):
        assert run(["policy", "diff", ".", other, "--against-traces", "--as", user, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["questions"]
        counted[user] = (found["questions"], found["own_only"])
    assert counted == {"ana": (1, True), "rita": (2, False)}
