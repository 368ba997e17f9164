"""A draft with thousands of faults: the reply and the trace name the first and count the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.drafts.listed import MOST, listed
from gateway.service import Gateway
from policies.facts import AnswerFacts
from policies.register import ANSWER_CHECKS, judge, worst
from traces.grounding import Grounding, SpanCode, SpanFinding
from traces.records import Caller

KINDS: st.SearchStrategy[tuple[SpanCode, str]] = st.sampled_from(
    (("claim", ""), ("claim", "5"), ("window", ""), ("no_source", ""))
)


def grounding(kinds: list[tuple[SpanCode, str]]) -> Grounding:
    findings = tuple(
        SpanFinding(code=code, start=at, end=at + 1, text="x", message="wrong", expected=expected)
        for at, (code, expected) in enumerate(kinds)
    )
    return Grounding(verdict="block" if findings else "pass", text="x" * len(kinds), findings=findings)


@given(st.lists(KINDS, max_size=3 * MOST))
def test_what_is_listed_has_the_verdict_of_all_and_counts_them(kinds: list[tuple[SpanCode, str]]) -> None:
    whole = grounding(kinds)
    told = listed(whole)
    of = [worst(judge(ANSWER_CHECKS, AnswerFacts(grounding=each))) for each in (whole, told)]
    assert of[0] == of[1]
    assert len(told.findings) <= MOST + 1
    last = told.findings[-1].message.partition("; ")[2].split(" ")[0] if told.findings else ""
    assert len(told.findings) + int(last.replace(",", "") or 0) == len(kinds)
    assert told.findings[:MOST] == tuple(sorted(told.findings[:MOST], key=lambda each: each.start))


def test_one_fault_behind_many_open_claims_still_blocks() -> None:
    kinds: list[tuple[SpanCode, str]] = [("claim", "")] * 500
    told = listed(grounding([*kinds, ("no_source", "")]))
    assert told.findings[MOST - 1].code == "no_source"
    assert told.findings[-1].message == "wrong; 450 more findings are not listed"


@pytest.mark.parametrize("count", [800, 3800])
def test_reply_and_trace_of_a_draft_that_is_wrong_everywhere_stay_small(
    gateway: Gateway, ana: Caller, revenue: dict[str, object], count: int
) -> None:
    asked = gateway.ask(ana, revenue)
    checked = gateway.check_answer(ana, "from 2001 to " * count, [asked.trace_id])
    assert checked.outcome == "blocked"
    assert len(checked.findings) == MOST + 1
    assert checked.findings[-1].message.endswith("more findings are not listed")
    trace = gateway.traces.read(asked.trace_id)
    assert trace is not None
    (attempt,) = trace.attempts
    assert len([each for each in attempt.decisions if each.verdict == "hard"]) == MOST + 1
    assert "2001" not in attempt.model_dump_json()
