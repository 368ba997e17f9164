"""Drafts of a calling agent: what may leave, what is blocked, and how often it may try."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from gateway.reply import Reply
from gateway.service import Gateway
from traces.records import Caller

Plan = dict[str, object]


@pytest.fixture
def answered(gateway: Gateway, ana: Caller, revenue: Plan) -> Reply:
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "answered", reply.issues
    return reply


def changed_digit(reply: Reply, number: int = 0) -> str:
    cited = reply.citations[number]
    place = next(n for n in range(cited.end - 1, cited.start, -1) if reply.answer[n].isdigit())
    digit = str((int(reply.answer[place]) + 1) % 10)
    return reply.answer[:place] + digit + reply.answer[place + 1 :]


def test_our_own_answer_passes_as_a_draft(gateway: Gateway, ana: Caller, answered: Reply) -> None:
    checked = gateway.check_answer(ana, answered.answer, [answered.trace_id])
    assert checked.outcome == "passed", checked.findings
    assert len(checked.citations) == len(answered.citations)
    assert checked.receipt is not None


def test_one_changed_digit_is_blocked_with_its_span_and_the_right_cell(
    gateway: Gateway, ana: Caller, answered: Reply
) -> None:
    checked = gateway.check_answer(ana, changed_digit(answered), [answered.trace_id])
    assert checked.outcome == "blocked" and not checked.text
    (finding, *_) = checked.findings
    assert finding.start == answered.citations[0].start
    assert finding.belongs_to == answered.citations[0].cell
    assert finding.expected == answered.citations[0].text


def test_right_numbers_on_the_wrong_regions_are_blocked_where_they_stand(
    gateway: Gateway, ana: Caller, answered: Reply
) -> None:
    one = answered.citations[0]
    other = next(c for c in answered.citations if c.row_key != one.row_key)
    text = answered.answer
    swapped = text[: one.start] + other.text + text[one.end : other.start] + one.text + text[other.end :]
    checked = gateway.check_answer(ana, swapped, [answered.trace_id])
    assert checked.outcome == "blocked"
    wrong = [finding for finding in checked.findings if finding.code == "wrong_cell"]
    assert wrong and wrong[0].belongs_to == other.cell


def test_slots_are_printed_by_code(gateway: Gateway, ana: Caller, answered: Reply) -> None:
    cell = answered.citations[0].cell
    assert cell is not None
    checked = gateway.check_answer(ana, f"It was {{{{c:{cell.row}.{cell.column}}}}}.", [answered.trace_id])
    assert checked.outcome == "passed", checked.findings
    assert checked.text == f"It was {answered.citations[0].text}."


def test_a_declared_derivation_is_computed_by_code(gateway: Gateway, ana: Caller, answered: Reply) -> None:
    cells = [citation.cell for citation in answered.citations[:2]]
    args = [{"row": cell.row, "column": cell.column} for cell in cells if cell is not None]
    declare = [{"id": "gap", "op": "difference", "args": {"a": args[0], "b": args[1]}}]
    checked = gateway.check_answer(ana, "The gap was {{d:gap}}.", [answered.trace_id], declare)
    assert checked.outcome == "passed", (checked.findings, checked.issues)
    (citation,) = checked.citations
    assert citation.kind == "derivation" and citation.expression


def test_a_malformed_declaration_is_named_and_costs_no_attempt(
    gateway: Gateway, ana: Caller, answered: Reply
) -> None:
    checked = gateway.check_answer(ana, "x", [answered.trace_id], [{"id": "gap", "op": "median"}])
    assert checked.outcome == "invalid"
    assert {issue.code for issue in checked.issues} == {"bad_declaration"}
    trace = gateway.traces.read(answered.trace_id)
    assert trace is not None and trace.attempts == ()


def test_the_last_attempt_ends_as_an_abstention_and_there_is_no_further_one(
    gateway: Gateway, ana: Caller, answered: Reply
) -> None:
    wrong = changed_digit(answered)
    outcomes = [gateway.check_answer(ana, wrong, [answered.trace_id]).outcome for _ in range(3)]
    assert outcomes == ["blocked", "blocked", "abstained"]
    after = gateway.check_answer(ana, answered.answer, [answered.trace_id])
    assert after.outcome == "abstained"
    assert {issue.code for issue in after.issues} == {"attempts_used_up"}
    trace = gateway.traces.read(answered.trace_id)
    assert trace is not None and [attempt.attempt for attempt in trace.attempts] == [1, 2, 3]


def test_another_users_trace_answers_like_one_that_does_not_exist(
    gateway: Gateway, emil: Caller, answered: Reply
) -> None:
    theirs = gateway.check_answer(emil, "x", [answered.trace_id])
    absent = gateway.check_answer(emil, "x", ["0" * 32])
    assert theirs.outcome == absent.outcome == "invalid"
    assert [i.code for i in theirs.issues] == [i.code for i in absent.issues]


def test_a_draft_can_be_checked_from_another_process(
    open_shop: Callable[[], Gateway], ana: Caller, revenue: Plan
) -> None:
    answered = open_shop().ask(ana, revenue)
    assert open_shop().check_answer(ana, answered.answer, [answered.trace_id]).outcome == "passed"


def test_an_expired_result_is_run_again_and_only_the_same_rows_will_do(
    gateway: Gateway, ana: Caller, answered: Reply
) -> None:
    gateway.results.erase(gateway._subject(ana))
    assert gateway.check_answer(ana, answered.answer, [answered.trace_id]).outcome == "passed"
    role = gateway.house.entitlements.of(ana)
    assert role is not None
    gateway.results.erase(gateway._subject(ana))
    other = replace(role, digest="another entitlement")

    class Moved:
        def of(self, caller: Caller) -> object:
            return other

    house = replace(gateway.house, entitlements=Moved())  # type: ignore[arg-type]
    moved = Gateway(house, gateway.traces, gateway.results, gateway.state)
    checked = moved.check_answer(ana, answered.answer, [answered.trace_id])
    assert checked.outcome == "result_expired"


def test_a_draft_over_an_empty_result_gets_the_fixed_message(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    empty = gateway.ask(
        ana, {**revenue, "time": {"field": "order_date", "from": "2025-06-01", "to": "2025-06-30"}}
    )
    checked = gateway.check_answer(ana, "Net revenue was $0.00 in June 2025.", [empty.trace_id])
    assert checked.outcome == "fixed_message"
    assert checked.text.startswith("No rows matched")


def test_a_draft_over_two_results_may_use_numbers_of_both(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    first = gateway.ask(
        ana, {**revenue, "dimensions": [], "time": {"from": "2026-07-01", "to": "2026-07-31"}}
    )
    second = gateway.ask(
        ana, {"metrics": ["order_count"], "time": {"from": "2026-07-01", "to": "2026-07-31"}}
    )
    draft = f"Net revenue was {first.citations[0].text}. There were {second.citations[0].text} orders."
    assert gateway.check_answer(ana, draft, [first.trace_id, second.trace_id]).outcome == "passed"
    assert gateway.check_answer(ana, draft, [first.trace_id]).outcome == "blocked"
