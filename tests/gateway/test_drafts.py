"""Drafts of a calling agent: what may leave, what is blocked, and how often it may try."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
    gateway.results.erase(gateway.house.subject(ana))
    assert gateway.check_answer(ana, answered.answer, [answered.trace_id]).outcome == "passed"
    role = gateway.house.entitlements.of(ana)
    assert role is not None
    gateway.results.erase(gateway.house.subject(ana))
    other = replace(role, digest="another entitlement")

    class Moved:
        def of(self, caller: Caller) -> object:
            return other

    house = replace(gateway.house, entitlements=Moved())  # type: ignore[arg-type]
    moved = Gateway(house, gateway.traces, gateway.results, gateway.state, gateway.attestations)
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


QUARTERS = {"Q2": ("2026-04-01", "2026-06-30"), "Q3": ("2026-07-01", "2026-09-30")}


def by_region(gateway: Gateway, who: Caller, quarter: str, **also: object) -> Reply:
    """Ask for net revenue and orders by region in a quarter."""
    start, end = QUARTERS[quarter]
    plan: Plan = {
        "metrics": ["net_revenue", "order_count"],
        "dimensions": ["region"],
        "time": {"field": "order_date", "from": start, "to": end},
        **also,
    }
    reply = gateway.ask(who, plan)
    assert reply.outcome == "answered", reply.issues
    return reply


def figure(reply: Reply, metric: str, row_key: str = "") -> str:
    """Return a figure as the answer prints it."""
    return next(
        c.text for c in reply.citations if c.metric == metric and (not row_key or row_key in c.row_key)
    )


def verdict(gateway: Gateway, who: Caller, draft: str, *cited: Reply) -> str:
    return gateway.check_answer(who, draft, [reply.trace_id for reply in cited]).outcome


def test_figures_of_two_periods_pass_only_beside_their_own_period(gateway: Gateway, ana: Caller) -> None:
    q2, q3 = by_region(gateway, ana, "Q2"), by_region(gateway, ana, "Q3")
    old, new = figure(q2, "net_revenue", "AMER"), figure(q3, "net_revenue", "AMER")
    text = "AMER net revenue was {} in Q2 2026. AMER net revenue was {} in Q3 2026."
    checked = gateway.check_answer(ana, text.format(old, new), [q2.trace_id, q3.trace_id])
    assert checked.outcome == "passed", checked.findings
    assert [c.trace_id for c in checked.citations] == [q2.trace_id, q3.trace_id]
    assert verdict(gateway, ana, text.format(new, old), q2, q3) == "blocked"
    one = f"AMER net revenue in Q2 2026 was {new}, in Q3 2026 {old}."
    q2, q3 = by_region(gateway, ana, "Q2"), by_region(gateway, ana, "Q3")
    assert verdict(gateway, ana, one, q2, q3) == "blocked"
    silent = f"AMER net revenue was {old}. EMEA net revenue was {figure(q3, 'net_revenue', 'EMEA')}."
    assert verdict(gateway, ana, silent, q2, q3) == "blocked"


@pytest.mark.parametrize(
    "text",
    [
        "In Q2 2026, AMER net revenue was\n{}.",
        "Here is Q2 2026. AMER net revenue was {}.",
        "In Q2 2026, AMER net revenue was <!--\n-->{}.",
        "AMER orders were {old} in Q2 2026. AMER net revenue was {}.",
    ],
)
def test_a_period_named_before_a_figure_is_the_period_of_that_figure(
    gateway: Gateway, ana: Caller, text: str
) -> None:
    q2, q3 = by_region(gateway, ana, "Q2"), by_region(gateway, ana, "Q3")
    old = figure(q2, "order_count", "AMER")
    right = text.format(figure(q2, "net_revenue", "AMER"), old=old)
    wrong = text.format(figure(q3, "net_revenue", "AMER"), old=old)
    checked = gateway.check_answer(ana, wrong, [q2.trace_id, q3.trace_id])
    assert checked.outcome == "blocked" and checked.findings
    good = gateway.check_answer(ana, right, [q2.trace_id, q3.trace_id])
    assert good.outcome == "passed", good.findings


def test_a_claim_left_open_does_not_hide_that_the_period_has_changed(gateway: Gateway, ana: Caller) -> None:
    q2, q3 = by_region(gateway, ana, "Q2"), by_region(gateway, ana, "Q3")
    text = "AMER net revenue was {} in Q2 2026. EMEA net revenue was {} because of the campaign."
    first = figure(q2, "net_revenue", "AMER")
    held = text.format(first, figure(q2, "net_revenue", "EMEA"))
    assert verdict(gateway, ana, held, q2, q3) == "held"
    moved = text.format(first, figure(q3, "net_revenue", "EMEA"))
    assert verdict(gateway, ana, moved, q2, q3) == "blocked"


def test_a_result_without_figures_bears_nothing_out(gateway: Gateway, ana: Caller) -> None:
    q3 = by_region(gateway, ana, "Q3")
    plan: Plan = {"metrics": ["net_revenue"], "time": {"from": "2025-06-01", "to": "2025-06-30"}}
    empty = gateway.ask(ana, plan)
    assert empty.outcome == "no_rows"
    amer = figure(q3, "net_revenue", "AMER")
    checked = gateway.check_answer(ana, f"AMER net revenue was {amer}.", [empty.trace_id, q3.trace_id])
    assert checked.outcome == "passed" and checked.citations[0].trace_id == q3.trace_id
    wrong = f"AMER net revenue was {amer} in June 2025."
    assert verdict(gateway, ana, wrong, empty, q3) == "blocked"


def test_a_grand_total_is_not_a_regions_figure_because_another_result_names_the_region(
    gateway: Gateway, ana: Caller
) -> None:
    q3, total = by_region(gateway, ana, "Q3"), by_region(gateway, ana, "Q3", dimensions=[])
    draft = f"AMER's net revenue was {figure(total, 'net_revenue')}."
    assert verdict(gateway, ana, draft, q3, total) == "blocked"


def test_a_quarters_figure_is_not_a_months_because_another_result_has_the_month(
    gateway: Gateway, ana: Caller
) -> None:
    q3 = by_region(gateway, ana, "Q3")
    monthly = by_region(
        gateway,
        ana,
        "Q3",
        time={"field": "order_date", "from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
    )
    draft = f"In July 2026, AMER orders were {figure(q3, 'order_count', 'AMER')}."
    assert verdict(gateway, ana, draft, q3, monthly) == "blocked"


def test_an_unfiltered_figure_after_a_filtered_one_is_blocked_where_nothing_says_so(
    gateway: Gateway, ana: Caller
) -> None:
    only = [{"field": "region", "op": "in", "values": ["EMEA"]}]
    emea = by_region(gateway, ana, "Q3", dimensions=[], filters=only)
    every = by_region(gateway, ana, "Q3", dimensions=[])
    text = "EMEA net revenue was {}. Orders were {}."
    own = text.format(figure(emea, "net_revenue"), figure(emea, "order_count"))
    mixed = text.format(figure(emea, "net_revenue"), figure(every, "order_count"))
    assert verdict(gateway, ana, own, emea, every) == "passed"
    assert verdict(gateway, ana, mixed, emea, every) == "blocked"


def test_a_slot_is_refused_where_several_results_are_cited(gateway: Gateway, ana: Caller) -> None:
    q2, q3 = by_region(gateway, ana, "Q2"), by_region(gateway, ana, "Q3")
    checked = gateway.check_answer(ana, "It was {{c:AMER.net_revenue}}.", [q2.trace_id, q3.trace_id])
    assert checked.outcome == "blocked"
    assert [finding.code for finding in checked.findings] == ["bad_slot"]
    twice = gateway.check_answer(ana, "It was {{c:AMER.net_revenue}}.", [q3.trace_id, q3.trace_id])
    assert twice.outcome == "passed", twice.findings


def test_parallel_drafts_get_no_more_attempts_than_the_policy_gives(
    gateway: Gateway, ana: Caller, answered: Reply
) -> None:
    wrong = changed_digit(answered)
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: gateway.check_answer(ana, wrong, [answered.trace_id]), range(16)))
    assert sum(bool(reply.findings) for reply in replies) == 3
    trace = gateway.traces.read(answered.trace_id)
    assert trace is not None and sorted(a.attempt for a in trace.attempts) == [1, 2, 3]


def test_a_draft_is_an_attempt_at_every_answer_it_cites(gateway: Gateway, ana: Caller) -> None:
    q2, q3 = by_region(gateway, ana, "Q2"), by_region(gateway, ana, "Q3")
    for _ in range(3):
        verdict(gateway, ana, "AMER net revenue was $1.", q2, q3)
    after = gateway.check_answer(ana, q3.answer, [q3.trace_id])
    assert [issue.code for issue in after.issues] == ["attempts_used_up"]


def test_a_trace_keeps_what_was_wrong_with_a_draft_but_no_word_of_it(
    gateway: Gateway, ana: Caller, answered: Reply
) -> None:
    draft = "AMER's canaryword was 987,654,321 in March 1871, and {{c:secretslot.x}} rose."
    checked = gateway.check_answer(ana, draft, [answered.trace_id])
    assert checked.outcome == "blocked" and "987,654,321" in {f.text for f in checked.findings}
    trace = gateway.traces.read(answered.trace_id)
    assert trace is not None
    (attempt,) = trace.attempts
    ids = re.compile(r"[0-9A-Za-z+/_-]{16,}={0,2}")  # hashes and sealed bytes may hold any three digits
    kept = ids.sub("", attempt.model_dump_json(exclude={"sealed_text"}))
    assert "attempt" in kept or "decisions" in kept
    assert not [word for word in ("canaryword", "987", "1871", "secretslot") if word in kept]
    codes = {finding.code for finding in checked.findings}
    denied = [decision for decision in attempt.decisions if decision.verdict == "hard"]
    assert {decision.reason for decision in denied} <= codes and all(d.span for d in denied)


def test_a_kept_result_is_told_no_more_to_an_asker_whose_access_has_changed(
    gateway: Gateway, ana: Caller, emil: Caller, answered: Reply
) -> None:
    reduced = ana.model_copy(update={"roles": emil.roles})
    checked = gateway.check_answer(reduced, answered.answer, [answered.trace_id])
    assert checked.outcome == "result_expired" and not checked.findings
    assert "access has changed" in checked.issues[0].message
    gone = ana.model_copy(update={"roles": ()})
    assert gateway.check_answer(gone, answered.answer, [answered.trace_id]).outcome == "result_expired"


def test_a_role_that_holds_one_region_may_name_it_and_the_scope_says_so(
    gateway: Gateway, emil: Caller, revenue: Plan
) -> None:
    asked = gateway.ask(
        emil, {**revenue, "dimensions": [], "time": {"from": "2026-07-01", "to": "2026-07-31"}}
    )
    assert "region = EMEA" in asked.scope
    figure = asked.citations[0].text
    own = gateway.check_answer(emil, f"Net revenue in EMEA was {figure}.", [asked.trace_id])
    assert own.outcome == "passed", own.findings
    other = gateway.check_answer(emil, f"Net revenue in APAC was {figure}.", [asked.trace_id])
    assert other.outcome == "blocked"


def test_a_draft_without_words_is_no_answer(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    trace = gateway.ask(ana, revenue).trace_id
    reply = gateway.check_answer(ana, " \n", [trace])
    assert (reply.outcome, [issue.code for issue in reply.issues]) == ("invalid", ["empty_draft"])
