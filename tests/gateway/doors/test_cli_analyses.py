"""Saved analyses and conversations on the command line, over the demo shop."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.doors.cli.main import run
from gateway.doors.opened import opened

Shell = Callable[..., tuple[int, str, str]]
FREE = (
    "SELECT order_status, COUNT(*) AS orders FROM orders WHERE order_date >= DATE '2026-07-01' "
    "AND order_date < DATE '2026-10-01' AND order_status = 'completed' GROUP BY order_status"
)
WANTED = """
parameters: [{name: status, type: string, values: [completed, cancelled]}]
example: {status: completed}
"""
REVIEW = ("analyses", "run", "revenue_review", "--set", "period=Q3 2026")


@pytest.fixture
def cellbound(shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(shop)

    def said(*arguments: str) -> tuple[int, str, str]:
        status = run(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return status, captured.out, captured.err

    return said


def test_analyses_are_listed_with_a_call_that_works(cellbound: Shell) -> None:
    status, out, _ = cellbound("analyses", "list")
    assert status == 0
    assert "revenue_review v1" in out
    assert "--set region=EMEA" in out
    status, out, _ = cellbound("analyses", "list", "--json")
    (card,) = json.loads(out)["analyses"]
    assert (status, card["example"]) == (0, {"region": "EMEA", "period": "Q3 2026"})


def test_an_analysis_runs_with_its_parameters(cellbound: Shell) -> None:
    status, out, _ = cellbound(*REVIEW, "--set", "region=EMEA", "--json")
    found = json.loads(out)
    assert (status, found["outcome"], len(found["steps"])) == (0, "answered", 2)
    status, out, _ = cellbound(*REVIEW, "--set", "region=EMEA")
    assert status == 0
    assert "In EMEA, from 2026-07-01 to 2026-09-30, net revenue was $" in out


def test_a_wrong_parameter_is_told_with_status_2(cellbound: Shell) -> None:
    status, out, _ = cellbound(*REVIEW, "--set", "region=Eurpe", "--json")
    (issue,) = json.loads(out)["issues"]
    assert (status, issue["code"], issue["candidates"]) == (2, "value_not_allowed", ["EMEA"])
    status, _, err = cellbound("analyses", "run", "revenue_review", "--set", "region")
    assert status == 2
    assert "NAME=VALUE" in err


def test_an_analysis_that_a_caller_may_not_see_is_unknown(cellbound: Shell) -> None:
    status, out, _ = cellbound(*REVIEW, "--set", "region=EMEA", "--as", "fay", "--json")
    assert (status, json.loads(out)["issues"][0]["code"]) == (2, "unknown_analysis")


def test_only_an_accepted_hold_becomes_an_analysis(cellbound: Shell, shop: Path) -> None:
    about = ("--name", "x", "--owner", "finance", "--description", "Orders.")
    status, out, _ = cellbound("analyses", "accept", "no-such-hold", *about, "--as", "rita", "--json")
    assert (status, json.loads(out)["issues"][0]["code"]) == (2, "unknown_hold")
    assert not (shop / "analyses" / "x.yml").exists()


def test_a_follow_up_goes_on_in_its_conversation_only(cellbound: Shell) -> None:
    first = ("ask", "--question", "net revenue by region in Q3 2026", "--json", "--conversation", "one")
    assert cellbound(*first)[0] == 0
    status, out, _ = cellbound("ask", "--question", "and in Q2 2026?", "--json", "--conversation", "one")
    plan = json.loads(out)["plan"]
    assert status == 0
    assert (plan["metrics"], plan["dimensions"]) == (["net_revenue"], ["region"])
    assert plan["time"]["from"] == "2026-04-01"
    status, out, _ = cellbound("ask", "--question", "and in Q2 2026?", "--json", "--conversation", "two")
    assert (status, json.loads(out)["outcome"]) == (4, "needs_clarification")
    other = ("ask", "--question", "and in Q2 2026?", "--json", "--conversation", "one", "--as", "emil")
    assert cellbound(*other)[0] == 4, "a conversation is its own user's"


def test_accepted_sql_is_taken_in_with_parameters_and_run(cellbound: Shell, shop: Path) -> None:
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(
        text.replace("governed: autonomous", "governed: autonomous\n  free: reviewed"), encoding="utf-8"
    )
    with opened(shop) as house:
        hold = house.gateway.ask_planned(house.callers.for_cli("ana"), lambda _catalogue: FREE).hold_id
    assert cellbound("review", "decide", hold, "accept", "--reason", "reads well", "--as", "rita")[0] == 0
    wanted = shop / "wanted.yml"
    wanted.write_text("parameters: [{name: status, type: text}]\n", encoding="utf-8")
    taken = (
        "analyses",
        "accept",
        hold,
        "--name",
        "by_status",
        "--owner",
        "sales",
        "--description",
        "Orders.",
    )
    status, _, err = cellbound(*taken, "--parameters", str(wanted), "--as", "rita")
    assert status == 2
    assert "wanted.yml:1" in err
    wanted.write_text(WANTED, encoding="utf-8")
    status, out, err = cellbound(*taken, "--parameters", str(wanted), "--as", "rita")
    assert (status, err) == (0, "")
    assert "'$status'" in out
    status, out, err = cellbound(
        "analyses", "run", "by_status", "--set", "status=cancelled", "--as", "ana", "--json"
    )
    assert status == 0, (out, err)
    assert [row[0] for row in json.loads(out)["rows"]] == ["cancelled"]
    assert cellbound("analyses", "run", "by_status", "--set", "status=lost", "--as", "ana")[0] == 2
