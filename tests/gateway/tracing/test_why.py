"""An answer is told in words: who, what, which definitions, what checks said, where each number is from."""

import json
from pathlib import Path

import pytest

from gateway.asking import AskOptions, Door
from gateway.custody.rights import Person
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.tracing.explained import WhyReport
from gateway.tracing.found import FoundTraces, Wanted
from gateway.wiring import open_gateway
from tests.gateway.tracing.conftest import CLEO, JUDY, PLAN
from traces.records import Caller
from traces.store.sealed import SealedStore


def told(house: Gateway, caller: Caller, trace_id: str, number: str = "") -> WhyReport:
    result = house.tracing.why(caller, trace_id, number)
    assert isinstance(result, WhyReport), result
    return result


def test_an_answer_is_told_to_its_asker_in_full(house: Gateway, ana: Caller) -> None:
    asked = house.ask(ana, PLAN, door=Door("http"))
    report = told(house, ana, asked.trace_id)
    assert report.who.startswith("ana as analyst through HTTP, 20")
    assert report.asked.startswith("net_revenue by region, from 2026-07-01 to 2026-09-30")
    assert "EMEA or APAC" in report.asked
    assert "net_revenue v3, owned by sales-analytics: gross_revenue - refunds" in report.definitions
    assert report.query[0].startswith("The plan read customers, order_lines, orders, joined along")
    assert any("2 rows of 2 columns" in sentence for sentence in report.query)
    given = next(sentence for sentence in report.query if sentence.startswith("It was allowed "))
    assert "10,000 rows" in given and f"as {asked.trace_id} in process " in given
    assert report.checks[0].endswith("checks allowed it.")
    assert "expected to read at most" in report.cost and "ms in the database" in report.cost
    assert report.answer == asked.answer
    assert [number.said for number in report.numbers] == [each.text for each in asked.citations]
    assert "EMEA" in report.numbers[1].source and "column net_revenue" in report.numbers[1].source
    assert report.record and not report.missing and not report.decided


def test_one_number_is_followed_alone_however_it_is_written(
    house: Gateway, ana: Caller, rita: Caller
) -> None:
    asked = house.ask(ana, PLAN)
    first, second = asked.citations[:2]
    for typed in (second.text, second.value, f"{float(second.value) / 1e6:.2f}M"):
        report = told(house, ana, asked.trace_id, typed)
        assert [number.said for number in report.numbers] == [second.text] != [first.text]
    masked = told(house, rita, asked.trace_id, second.value)
    assert [(number.said, "row 2" in number.source) for number in masked.numbers] == [("", True)]
    for typed, code in (("17.5", "not_cited"), ("none", "unreadable_number")):
        refused = house.tracing.why(ana, asked.trace_id, typed)
        assert isinstance(refused, Refusal) and refused.issues[0].code == code
        assert refused.issues[0].next_step


def test_an_auditor_is_told_the_steps_and_no_word_or_value(house: Gateway, ana: Caller, rita: Caller) -> None:
    asked = house.ask_question(ana, "net revenue by region in October 2026 for EMEA")
    assert asked.outcome == "answered", asked.issues
    mine, theirs = told(house, ana, asked.trace_id), told(house, rita, asked.trace_id)
    assert "“net revenue by region in October 2026 for EMEA”" in mine.asked
    text = theirs.model_dump_json()
    for word in ("EMEA", "in October 2026", *(each.value for each in asked.citations)):
        assert word not in text
    assert house.house.subject(ana) in theirs.who and theirs.definitions == mine.definitions
    assert "sealed" in theirs.missing[0]


def test_nobody_is_told_of_a_trace_that_they_may_not_read(house: Gateway, ana: Caller, emil: Caller) -> None:
    asked = house.ask(ana, PLAN).trace_id
    assert house.tracing.why(emil, asked) is None and house.tracing.why(ana, "f" * 32) is None
    stranger = Caller(user="rita", roles=("reviewer",), tenant="elsewhere")
    assert house.tracing.why(stranger, asked) is None


def test_what_is_erased_is_said(house: Gateway, ana: Caller, rita: Caller) -> None:
    asked = house.ask(ana, PLAN)
    house.custody.erase(CLEO, Person(user="ana"), "she asked for it")
    for reader in (ana, rita):
        report = told(house, reader, asked.trace_id)
        assert report.missing[0].startswith("The asker was erased")
        assert not report.answer and {number.said for number in report.numbers} == {""}
        assert "EMEA" not in report.model_dump_json()
    followed = told(house, ana, asked.trace_id, asked.citations[0].value)
    assert not followed.numbers and followed.missing


def test_an_asker_whose_access_changed_is_told_no_value_any_more(audited: Path, ana: Caller) -> None:
    before = open_gateway(audited)
    asked = before.ask(ana, PLAN)
    before.close()
    policy = audited / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("hidden_columns: [products.unit_cost]", "hidden_columns: []", 1), "utf-8")
    after = open_gateway(audited)
    try:
        report = told(after, ana, asked.trace_id)
        assert "access has changed" in report.missing[0] and not report.numbers and not report.answer
        assert all(each.value not in report.model_dump_json() for each in asked.citations)
    finally:
        after.close()


def test_how_an_open_term_was_read_is_told(audited: Path, ana: Caller) -> None:
    file = audited / "metrics" / "sales.yml"
    text, two = file.read_text(encoding="utf-8"), "synonyms: [revenue, net sales, sales"
    assert two in text
    file.write_text(text.replace(two, f"{two}, turnover"), encoding="utf-8")
    house = open_gateway(audited)
    try:
        _told_of_turnover(house, ana)
    finally:
        house.close()


def _told_of_turnover(house: Gateway, ana: Caller) -> None:
    plan = {**PLAN, "metrics": ["turnover"]}
    chosen = house.ask(ana, plan, AskOptions(choices={"turnover": "net_revenue"}))
    assert chosen.outcome == "answered", chosen.issues
    assert told(house, ana, chosen.trace_id).readings == (
        "turnover was read as net_revenue: the asker chose that in this question",
    )
    again = house.ask(ana, plan)
    assert again.outcome == "answered", again.issues
    assert told(house, ana, again.trace_id).readings == (
        "turnover was read as net_revenue: the asker's team had chosen that before",
    )


def test_what_a_question_in_shadow_came_to_is_kept_from_its_asker(
    audited: Path, ana: Caller, rita: Caller
) -> None:
    policy = audited / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("governed: autonomous", "governed: shadow"), encoding="utf-8")
    house = open_gateway(audited)
    try:
        asked = house.ask(ana, PLAN)
        assert asked.outcome == "not_released", asked.issues
        trace = house.traces.read(asked.trace_id)
        assert trace is not None and trace.closed is not None and trace.closed.answer
        number = trace.closed.answer[0].value
        mine, theirs = told(house, ana, asked.trace_id), told(house, rita, asked.trace_id)
        assert not mine.numbers and len(theirs.numbers) == 2
        found = house.tracing.find(ana, Wanted(number=number))
        assert isinstance(found, FoundTraces) and not found.traces
        (own,), (all_of_it,) = (
            [json.loads(line) for line in house.tracing.export(caller).lines("jsonl", "")]
            for caller in (ana, rita)
        )
        assert (own["came_to"], own["rows"], own["citations"]) == ("not_released", None, 0)
        assert (all_of_it["came_to"], all_of_it["rows"], all_of_it["citations"]) == ("answered", 2, 2)
    finally:
        house.close()


@pytest.mark.holds
def test_who_decided_a_hold_is_told_and_what_held_it(house: Gateway, ana: Caller) -> None:
    held = house.ask_planned(
        ana, lambda _: "SELECT region, COUNT(*) AS n FROM customers GROUP BY region LIMIT 9"
    )
    assert held.outcome == "held", held.issues
    house.decide_hold(JUDY, held.hold_id, "deny", "not this week, Canary")
    report = told(house, ana, held.trace_id)
    assert "waited for a decision on" in report.decided[0]
    judge = house.house.subject(JUDY)
    assert report.decided[1].startswith(f"{judge} denied it on 20") and "sealed" in report.decided[1]
    assert "Canary" not in report.model_dump_json()
    assert any(" said hold: " in sentence for sentence in report.checks)
    assert "signed" not in report.decided[1]


@pytest.mark.holds
@pytest.mark.parametrize("version", [3, 2])
def test_a_decision_that_the_project_never_signed_is_told_as_such(
    house: Gateway, ana: Caller, version: int
) -> None:
    held = house.ask_planned(
        ana, lambda _: "SELECT region, COUNT(*) AS n FROM customers GROUP BY region LIMIT 9"
    )
    house.decide_hold(JUDY, held.hold_id, "deny", "not this week")
    trace = house.traces.read(held.trace_id)
    assert trace is not None
    forged = trace.judgements[0].model_copy(update={"verdict": "accept", "v": version})
    assert isinstance(house.traces, SealedStore)
    house.traces.inner.append(forged, durable=True)
    _, first, second, *_ = told(house, ana, held.trace_id).decided
    assert " denied it on 20" in first and "signed" not in first
    assert " accepted it on 20" in second and second.endswith("No key of this project signed that.")


def test_a_refused_question_is_told_with_its_reason(house: Gateway, ana: Caller) -> None:
    asked = house.ask(ana, {"metrics": ["net_revenue"], "dimensions": ["nowhere"]})
    report = told(house, ana, asked.trace_id)
    assert report.outcome == "invalid_plan" and report.query == ("No SQL was written.",)
    assert any("nowhere" in sentence for sentence in report.checks)
    assert not report.numbers and not report.cost
