"""What an MCP client is sent fits, says what it lost, and keeps what a reader needs most."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from mcp_types import TextContent

from gateway.doors.mcp.room import MOST_CHARACTERS, length, within
from gateway.doors.mcp.tools import tool_result
from gateway.reply import DraftReply, MetricLine, MetricList, Reply, ReplyIssue, TraceView

ISSUE = {"code": "x", "message": "m" * 50}


def lines(count: int) -> tuple[MetricLine, ...]:
    return tuple(
        MetricLine(
            name=f"metric_{number}",
            label="A metric",
            description="What it means. " * 12,
            unit="EUR",
            version=1,
            owner="finance",
            status="certified",
        )
        for number in range(count)
    )


def body_of(record: Any) -> dict[str, Any]:
    result = tool_result(record)
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert json.loads(block.text) == result.structured_content, "the same facts in both"
    return dict(result.structured_content or {})


def test_a_long_list_of_metrics_is_cut_at_its_end_and_counted() -> None:
    body = body_of(MetricList(metrics=lines(400), left_off=3))
    shown = len(body["metrics"])
    assert length(body) <= MOST_CHARACTERS
    assert body["left_off"] == 3 + 400 - shown
    assert [each["name"] for each in body["metrics"]] == [f"metric_{n}" for n in range(shown)]
    assert body["cut"] == [{"path": "/metrics", "shown": shown, "of": 400}]


def test_of_a_long_trace_every_record_arrives_and_the_longest_values_give_way() -> None:
    records = (
        {"kind": "opened", "plan": {"metrics": ["net_revenue"]}},
        {"kind": "compiled", "sql": "SELECT " + "x, " * 9_000},
        {"kind": "checked", "verdicts": [{"check": f"check_{n}", "verdict": "allow"} for n in range(900)]},
        {"kind": "closed", "outcome": "answered"},
    )
    body = body_of(TraceView(trace_id="t1", outcome="answered", records=records))
    assert length(body) <= MOST_CHARACTERS
    assert [record["kind"] for record in body["records"]] == ["opened", "compiled", "checked", "closed"]
    assert {said["path"] for said in body["cut"]} == {"/records/1/sql", "/records/2/verdicts"}


def test_a_checked_text_is_never_cut_for_half_of_it_is_another_text() -> None:
    text = "It was 2.50 EUR. " * 2_000
    body = body_of(DraftReply(outcome="passed", text=text, flags=("f" * 400,) * 90))
    assert body["text"] == text


def test_rows_of_a_question_are_the_policys_to_cut() -> None:
    reply = Reply(outcome="answered", trace_id="t1", rows=tuple((f"r{n}", "2.50") for n in range(4_000)))
    body = body_of(reply)
    assert len(body["rows"]) == 4_000
    assert "cut" not in body


def test_what_fits_is_sent_as_it_is() -> None:
    reply = Reply(outcome="dry_run", sql="SELECT 1")
    assert body_of(reply) == reply.model_dump(mode="json", by_alias=True)


def test_issues_arrive_whole() -> None:
    issue = ReplyIssue(code="x", message="m" * 400, stage="input")
    body = body_of(Reply(outcome="invalid_plan", sql="x" * 40_000, issues=(issue,) * 5))
    assert [each["message"] for each in body["issues"]] == ["m" * 400] * 5
    assert length(body) <= MOST_CHARACTERS


VALUES = st.recursive(
    st.text(max_size=500) | st.integers() | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=12) | st.dictionaries(st.sampled_from("abcdefgh"), inner, max_size=6)
    ),
    max_leaves=40,
)


@given(st.dictionaries(st.sampled_from("klmnopqr"), st.lists(VALUES, max_size=30), min_size=1), st.booleans())
def test_whatever_lists_a_result_holds_it_fits_and_its_keys_and_issues_stay(
    lists: dict[str, list[Any]], counted: bool
) -> None:
    body: dict[str, Any] = {"outcome": "answered", **lists, "issues": [ISSUE]}
    room = 1_500
    found = within(body, room)
    assert found.keys() - {"cut"} == body.keys()
    assert found["issues"] == [ISSUE]
    assert found["outcome"] == "answered"
    assert length(found) <= room
    assert ("cut" in found) == (length(body) > room)
    for said in found.get("cut", ()):
        assert said["shown"] < said["of"]
