"""What a person answers on the command line: a question back, a hold, with a short id; what is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.doors.cli.main import run
from tests.gateway.doors.shell import Shell

OPEN = {"metrics": ["takings"]}
EVENTS: dict[str, Any] = {
    "metrics": ["event_count"],
    "time": {"field": "event_time", "from": "2026-01-01", "to": "2026-06-30"},
}


@pytest.fixture
def two_readings(shop: Path) -> None:
    """`takings` may mean what was sold before refunds, or after them."""
    file = shop / "metrics" / "sales.yml"
    text = file.read_text(encoding="utf-8")
    text = text.replace("synonyms: [gross sales,", "synonyms: [takings, gross sales,", 1)
    file.write_text(text.replace("synonyms: [revenue,", "synonyms: [takings, revenue,", 1), encoding="utf-8")


@pytest.fixture
def dear_events(shop: Path) -> None:
    """Every question about events goes over the warning line."""
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("rows: {warn: 2500000", "rows: {warn: 1"), encoding="utf-8")


@pytest.mark.usefixtures("two_readings")
def test_a_question_back_says_how_it_is_answered_and_is_answered_so(cellbound: Shell) -> None:
    back = cellbound("ask", "-", stdin=json.dumps(OPEN))
    assert back.status == 4 and "choose takings=net_revenue" in back.out
    assert "answer: ask again with --choice takings=gross_revenue" in back.out
    said = cellbound("ask", "-", "--choice", "takings=net_revenue", "--json", stdin=json.dumps(OPEN))
    assert (said.status, said.object["columns"][0]["name"]) == (0, "net_revenue")
    worded = ("ask", "--question", "takings in October 2026", "--json")
    said = cellbound(*worded, "--choice", "takings=gross_revenue")
    assert (said.status, said.object["columns"][0]["name"]) == (0, "gross_revenue")


@pytest.mark.usefixtures("two_readings")
def test_a_choice_goes_before_that_of_the_file(cellbound: Shell) -> None:
    kept = {**OPEN, "choices": {"takings": "gross_revenue"}}
    said = cellbound("ask", "-", "--choice", "takings=net_revenue", "--json", stdin=json.dumps(kept))
    assert said.object["columns"][0]["name"] == "net_revenue"


@pytest.mark.parametrize(
    ("choices", "code"),
    [(("takings",), "not_a_pair"), (("takings=net_revenue", "takings=gross_revenue"), "two_readings")],
)
def test_a_choice_that_is_none_is_refused(cellbound: Shell, choices: tuple[str, ...], code: str) -> None:
    options = [word for choice in choices for word in ("--choice", choice)]
    said = cellbound("ask", "-", *options, stdin=json.dumps(OPEN))
    assert said.status == 2 and f"error[{code}]" in said.err


def test_an_approval_of_nobody_is_said_although_nothing_had_to_be_accepted(
    cellbound: Shell, revenue: dict[str, object]
) -> None:
    said = cellbound("ask", "-", "--approval", "nope", "--json", stdin=json.dumps(revenue))
    (issue,) = said.object["issues"]
    assert (said.status, said.object["outcome"]) == (0, "answered")
    assert (issue["code"], issue["seen"], bool(issue["next_step"])) == ("approval_unknown", "nope", True)
    trace, answer = said.object["trace_id"], said.object["answer"].splitlines()[0]
    draft = cellbound("check-answer", trace, "-", "--approval", "nope", "--json", stdin=answer).object
    assert (draft["outcome"], draft["issues"][0]["code"]) == ("passed", "approval_unknown")
    assert cellbound("replay", trace).status == 0, "what was said of the id is no difference"


def test_a_short_id_is_enough_where_one_trace_begins_so(cellbound: Shell, revenue: dict[str, object]) -> None:
    plan = json.dumps(revenue)
    first, second = (cellbound("ask", "-", "--json", stdin=plan).object["trace_id"] for _ in range(2))
    shared = next(at for at in range(32) if first[at] != second[at])
    short = first[: shared + 1]
    assert cellbound("trace", "show", short, "--json").object["trace_id"] == first
    assert cellbound("trace", "why", short, "--json").object["trace_id"] == first
    assert cellbound("replay", short).status == 0
    assert cellbound("trace", "diff", short, second[: shared + 1]).status == 0
    answer = cellbound("trace", "show", short, "--json").object["answer"].splitlines()[0]
    assert cellbound("check-answer", short, "-", stdin=answer).status == 0
    several = cellbound("trace", "show", first[:shared])
    assert several.status == 2 and first in several.err and second in several.err
    assert "error[ambiguous_id]" in several.err
    assert "error[unknown_trace]" in cellbound("trace", "show", "ffff").err


def test_nobody_completes_the_id_of_a_trace_that_is_not_theirs(
    cellbound: Shell, revenue: dict[str, object]
) -> None:
    trace = cellbound("ask", "-", "--json", stdin=json.dumps(revenue)).object["trace_id"]
    said = cellbound("trace", "show", trace[:10], "--as", "emil")
    assert said.status == 2 and "error[unknown_trace]" in said.err and trace not in said.err


@pytest.mark.usefixtures("dear_events")
def test_a_hold_is_decided_and_used_by_a_short_id(cellbound: Shell) -> None:
    hold = cellbound("ask", "-", "--json", stdin=json.dumps(EVENTS)).object["hold_id"]
    short = hold[:14]
    shown = cellbound("review", "show", short, "--as", "rita")
    assert shown.status == 0 and hold in shown.out
    decided = cellbound("review", "decide", short, "accept", "--reason", "worth it", "--as", "rita")
    assert decided.status == 0
    assert cellbound("ask", "-", "--approval", short, stdin=json.dumps(EVENTS)).status == 0


@pytest.mark.usefixtures("dear_events")
def test_the_newest_hold_is_found_by_a_short_id_however_many_came_before(
    cellbound: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.doors.cli.ids.LATEST", 1)
    later = {**EVENTS, "time": {**EVENTS["time"], "to": "2026-05-31"}}
    _, newest = (cellbound("ask", "-", "--json", stdin=json.dumps(each)).object for each in (EVENTS, later))
    shown = cellbound("review", "show", newest["hold_id"][:14], "--as", "rita")
    assert shown.status == 0 and newest["hold_id"] in shown.out


@pytest.mark.parametrize("server", ["ftp://gateway.example", "gateway.example:8321", "http//gateway.example"])
def test_what_is_no_address_of_a_gateway_is_named_before_anything_is_sent(
    server: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CELLBOUND_TOKEN", "t")
    assert run(["ask", "--question", "x", "--server", server]) == 2
    err = capsys.readouterr().err
    assert "error[no_address] --server" in err and server in err and "http://127.0.0.1:8321" in err


def test_every_mistake_of_a_plan_is_told_in_one_round(cellbound: Shell) -> None:
    plan = {
        "metrics": ["net_revenu"],
        "dimensions": ["regio"],
        "time": {"field": "order_dat", "from": "2026-07-01", "to": "2026-09-30"},
    }
    issues = cellbound("ask", "-", "--json", stdin=json.dumps(plan)).object["issues"]
    assert [issue["path"] for issue in issues] == ["/metrics/0", "/dimensions/0", "/time/field"]
    assert [issue["candidates"][0] for issue in issues] == ["net_revenue", "region", "order_date"]


def test_a_mistyped_value_beside_right_ones_is_told_with_the_answer(cellbound: Shell) -> None:
    plan = {
        "metrics": ["net_revenue"],
        "filters": [{"field": "region", "op": "in", "values": ["EMEA", "APCA"]}],
    }
    reply = cellbound("ask", "-", "--json", stdin=json.dumps(plan)).object
    (issue,) = reply["issues"]
    assert reply["outcome"] == "answered"
    assert (issue["code"], issue["path"]) == ("unlisted_value", "/filters/0/values/1")
    assert (issue["seen"], issue["candidates"]) == ("APCA", ["APAC"])
    right = {**plan, "filters": [{"field": "region", "op": "in", "values": ["EMEA", "APAC"]}]}
    assert not cellbound("ask", "-", "--json", stdin=json.dumps(right)).object["issues"]
