"""The evidence of one answer: rows for its asker while kept, a pseudonym for an auditor, no stranger."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateway.asking import Door
from gateway.record.evidence import Evidence
from gateway.reply import Reply
from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.traces.samples import opened
from traces.keys import pseudonym
from traces.records import Caller, Table

Plan = dict[str, object]
START = datetime(2026, 10, 1, 12, tzinfo=UTC)


@pytest.fixture
def asked(gateway: Gateway, ana: Caller, revenue: Plan) -> Reply:
    reply = gateway.ask(ana, revenue, door=Door("cli"))
    assert reply.outcome == "answered", reply.issues
    return reply


@pytest.fixture
def open_at(shop: Path) -> Iterator[Callable[[datetime], Gateway]]:
    """Opens the shop with a clock that stands still."""
    opened: list[Gateway] = []

    def open_(now: datetime) -> Gateway:
        opened.append(open_gateway(shop, lambda: now))
        return opened[-1]

    yield open_
    for gateway in opened:
        gateway.close()


def evidence(gateway: Gateway, caller: Caller, reply: Reply) -> Evidence:
    found = gateway.evidence(caller, reply.trace_id)
    assert found is not None
    return found


def edit(folder: Path, old: str, new: str) -> None:
    """Replace a text in every file of a folder of the project."""
    texts = {file: file.read_text(encoding="utf-8") for file in folder.glob("*.yml")}
    assert any(old in text for text in texts.values())
    for file, text in texts.items():
        file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_asker_sees_their_name_and_the_rows_as_the_answer_prints_them(
    gateway: Gateway, ana: Caller, asked: Reply
) -> None:
    found = evidence(gateway, ana, asked)
    assert (found.asked.asker, found.asked.own, found.asked.role, found.asked.client) == (
        "ana",
        True,
        "analyst",
        "cli",
    )
    assert found.told.text == asked.answer
    assert found.told.citations == asked.citations
    table = found.kept.table
    assert table is not None and table.height == asked.row_count and table.exact == asked.rows
    assert {row[0] for row in table.printed} == {"2026-07", "2026-08", "2026-09"}
    for citation in found.told.citations:
        assert citation.cell is not None
        column = [each.name for each in table.columns].index(citation.cell.column)
        assert table.printed[citation.cell.row][column] == citation.text


def test_the_rows_make_the_plots(gateway: Gateway, ana: Caller, asked: Reply) -> None:
    kept = evidence(gateway, ana, asked).kept
    assert [plot.metric for plot in kept.plots] == ["net_revenue"]
    assert kept.kept_until is not None and not kept.no_table and not kept.no_plot


def test_an_auditor_sees_a_pseudonym_and_no_row(
    gateway: Gateway, ana: Caller, rita: Caller, asked: Reply
) -> None:
    found = evidence(gateway, rita, asked)
    assert found.asked.asker == pseudonym(gateway.house.keys, ana.user, ana.tenant)
    assert not found.asked.own
    assert found.kept.table is None and not found.kept.plots
    assert found.kept.no_table == "Rows are shown to the asker only."
    assert '"ana"' not in found.model_dump_json()
    assert found.told.text == "" and "sealed" in found.told.withheld, "who may audit reads no words"
    assert found.ran.shape is not None
    ranges = {end for column in found.ran.shape.columns for end in (column.low, column.high)}
    assert not [c for c in asked.citations if c.value in found.model_dump_json() and c.value not in ranges]


def test_nobody_else_learns_that_there_is_a_trace(gateway: Gateway, emil: Caller, asked: Reply) -> None:
    assert gateway.evidence(emil, asked.trace_id) is None
    assert gateway.evidence(emil, "no such trace") is None


def test_the_receipt_is_the_one_that_came_with_the_answer(
    gateway: Gateway, ana: Caller, asked: Reply
) -> None:
    assert evidence(gateway, ana, asked).receipt == asked.receipt


def test_the_sql_the_price_and_every_check_are_there(gateway: Gateway, ana: Caller, asked: Reply) -> None:
    found = evidence(gateway, ana, asked)
    assert found.ran.sql == asked.sql
    assert (found.ran.estimate, found.ran.actual) == (asked.estimate, asked.actual)
    assert {decision.stage for decision in found.decisions} == {"plan", "sql", "cost", "rows", "answer"}
    assert found.asked.period == "2026-07-01 to 2026-09-30, both days included, by month, on order_date"
    assert found.asked.filters == ("order_status is completed",)


def test_every_metric_behind_the_answer_is_defined_the_asked_one_first(
    gateway: Gateway, ana: Caller, asked: Reply
) -> None:
    first, *parts = evidence(gateway, ana, asked).metrics
    assert (first.name, first.label, first.version, first.owner) == (
        "net_revenue",
        "Net revenue",
        3,
        "sales-analytics",
    )
    assert first.description and first.formula == "gross_revenue - refunds" and not first.remark
    assert {part.name for part in parts} == {"gross_revenue", "refunds"} and not any(
        part.asked for part in parts
    )


def test_a_definition_that_changed_since_is_not_passed_off_as_the_one_that_was_used(
    shop: Path, gateway: Gateway, ana: Caller, asked: Reply, open_shop: Callable[[], Gateway]
) -> None:
    gateway.traces.close()
    edit(shop / "metrics", "version: 3", "version: 4")
    edit(shop / "metrics", "Gross revenue less refunds.", "Something else by now.")
    first = evidence(open_shop(), ana, asked).metrics[0]
    assert first.version == 3
    assert "v4 now" in first.remark
    assert not first.description and not first.formula


def test_an_auditor_reads_no_definition_of_a_metric_hidden_from_them(
    shop: Path, gateway: Gateway, ana: Caller, rita: Caller, asked: Reply, open_shop: Callable[[], Gateway]
) -> None:
    gateway.traces.close()
    edit(shop / "policies", "  reviewer:\n", "  reviewer:\n    metrics: [order_count]\n")
    first = evidence(open_shop(), rita, asked).metrics[0]
    assert (first.description, first.formula) == ("", "")
    assert "not one that you may see" in first.remark


def test_after_expiry_the_cited_values_are_what_is_left_and_that_is_said(
    open_at: Callable[[datetime], Gateway], ana: Caller, revenue: Plan
) -> None:
    early = open_at(START)
    reply = early.ask(ana, revenue)
    assert evidence(early, ana, reply).kept.table is not None
    late = evidence(open_at(START + timedelta(hours=2)), ana, reply)
    assert late.kept.table is None and not late.kept.plots
    assert "kept no longer" in late.kept.no_table
    assert late.told.citations == reply.citations


def test_rows_are_not_shown_under_another_access_than_they_were_read_with(
    shop: Path, gateway: Gateway, ana: Caller, asked: Reply, open_shop: Callable[[], Gateway]
) -> None:
    gateway.traces.close()
    edit(
        shop / "policies",
        "hidden_columns: [products.unit_cost]",
        "hidden_columns: [products.unit_cost, customers.segment]",
    )
    found = evidence(open_shop(), ana, asked)
    assert found.kept.table is None
    assert "access has changed" in found.kept.no_table


def test_an_asker_whose_access_has_changed_reads_no_old_figure_anywhere(
    gateway: Gateway, ana: Caller, emil: Caller, rita: Caller, asked: Reply
) -> None:
    assert gateway.check_answer(ana, asked.answer, [asked.trace_id]).outcome == "passed"
    for roles in (emil.roles, ()):
        reduced = ana.model_copy(update={"roles": roles})
        found = evidence(gateway, reduced, asked)
        assert "access has changed" in found.told.withheld and found.ran.shape is None
        view, report = gateway.get_trace(reduced, asked.trace_id), gateway.replay(reduced, asked.trace_id)
        assert view is not None and report is not None and "access has changed" in view.answer
        now = {str(number.new) for number in report.numbers}
        told = found.model_dump_json() + view.model_dump_json() + report.model_dump_json()
        old = [c for c in asked.citations if not {c.text, c.value} & now]
        assert old and not [c for c in old if c.text in told or f'"{c.value}"' in told]
        assert not [n for n in report.numbers if n.old != "(withheld)"]
    auditor = gateway.get_trace(rita, asked.trace_id)
    assert auditor is not None and "sealed" in auditor.answer


def test_rows_that_are_not_the_recorded_ones_are_not_shown(
    gateway: Gateway, ana: Caller, asked: Reply
) -> None:
    subject = pseudonym(gateway.house.keys, ana.user, ana.tenant)
    stored = gateway.results.get(asked.trace_id, subject)
    assert stored is not None
    gateway.results.put(
        asked.trace_id, subject, Table(columns=stored.table.columns, rows=stored.table.rows[1:])
    )
    kept = evidence(gateway, ana, asked).kept
    assert kept.table is None and "not the recorded ones" in kept.no_table


@pytest.mark.parametrize(
    ("rule", "rows", "drawn"), [("show: none", 0, False), ("rows: 3", 3, False), ("rows: 500", 12, True)]
)
def test_policy_says_how_many_rows_are_shown_and_a_picture_needs_them_all(
    shop: Path,
    open_shop: Callable[[], Gateway],
    ana: Caller,
    revenue: Plan,
    rule: str,
    rows: int,
    drawn: bool,
) -> None:
    with (shop / "policies" / "policy.yml").open("a", encoding="utf-8") as file:
        file.write(f"\nreading:\n  {rule}\n")
    gateway = open_shop()
    kept = evidence(gateway, ana, gateway.ask(ana, revenue)).kept
    assert (len(kept.table.printed) if kept.table else 0) == rows
    assert bool(kept.plots) is drawn


def test_a_refused_question_shows_its_checks_and_no_answer(
    gateway: Gateway, ana: Caller, revenue: Plan
) -> None:
    reply = gateway.ask(ana, {**revenue, "dimensions": ["regoin"]})
    found = evidence(gateway, ana, reply)
    assert found.outcome == reply.outcome
    assert (found.told.text, found.told.withheld) == ("", "There is no answer. The reasons:")
    assert found.kept.table is None and found.kept.no_table
    assert any(decision.verdict == "hard" for decision in found.decisions)
    assert [issue.code for issue in found.issues] == [issue.code for issue in reply.issues]


def test_a_result_without_rows_has_the_fixed_text_and_no_chart(
    gateway: Gateway, ana: Caller, shop: Path
) -> None:
    plan = json.loads((shop / "plans" / "empty_month.json").read_text(encoding="utf-8"))
    reply = gateway.ask(ana, plan)
    found = evidence(gateway, ana, reply)
    assert found.outcome == "no_rows"
    assert found.told.text == reply.answer and found.told.text
    assert found.kept.table is None and not found.kept.plots and found.kept.no_table


def test_a_question_that_never_ended_says_so(gateway: Gateway, ana: Caller) -> None:
    subject = pseudonym(gateway.house.keys, ana.user, ana.tenant)
    gateway.traces.append(
        opened("t1").model_copy(update={"subject": subject, "tenant": ana.tenant}), durable=True
    )
    found = gateway.evidence(ana, "t1")
    assert found is not None
    assert (found.outcome, found.receipt, found.kept.table) == ("unfinished", None, None)
    assert found.kept.no_table == "The question never ended."


def test_erased_text_is_said_to_be_erased(gateway: Gateway, ana: Caller, rita: Caller, asked: Reply) -> None:
    gateway.house.keys.destroy_subject(pseudonym(gateway.house.keys, ana.user, ana.tenant))
    told = evidence(gateway, rita, asked).told
    assert (told.text, told.withheld) == ("", "The text was erased.")


def test_drafts_are_listed_without_their_text(gateway: Gateway, ana: Caller, asked: Reply) -> None:
    draft = f"{asked.answer.splitlines()[0].removeprefix('- ')} canary words 999,999,999 too."
    assert gateway.check_answer(ana, draft, [asked.trace_id]).outcome == "blocked"
    found = evidence(gateway, ana, asked)
    assert [(attempt.number, attempt.outcome) for attempt in found.attempts] == [(1, "blocked")]
    assert found.attempts[0].refused
    assert "canary words" not in found.model_dump_json()


def test_the_last_draft_that_left_is_shown_as_it_was_printed_with_its_numbers_cited(
    gateway: Gateway, ana: Caller, asked: Reply
) -> None:
    assert evidence(gateway, ana, asked).sent is None, "no draft was checked yet"
    cell = asked.citations[0].cell
    assert cell is not None
    told = asked.answer.splitlines()[0].removeprefix("- ")
    printed = told.replace(asked.citations[0].text, f"{{{{c:{cell.row}.{cell.column}}}}}")
    for draft, outcome in ((told, "passed"), (printed, "passed"), ("Region X had 999,999,999.", "abstained")):
        reply = gateway.check_answer(ana, draft, [asked.trace_id])
        assert reply.outcome == outcome, reply.findings
    sent = evidence(gateway, ana, asked).sent
    assert sent is not None and printed != told and sent.text == told, "slots are printed"
    assert [sent.text[each.start : each.end] for each in sent.citations] == [asked.citations[0].text]


def test_a_draft_that_left_is_read_by_nobody_but_its_asker_and_is_erased_with_them(
    gateway: Gateway, ana: Caller, rita: Caller, asked: Reply
) -> None:
    told = asked.answer.splitlines()[0].removeprefix("- ")
    assert gateway.check_answer(ana, told, [asked.trace_id]).outcome == "passed"
    read = evidence(gateway, rita, asked).sent
    assert read is not None and not read.text and "trace unseal" in read.withheld and read.citations
    gateway.house.keys.destroy_subject(pseudonym(gateway.house.keys, ana.user, ana.tenant))
    erased = evidence(gateway, ana, asked).sent
    assert erased is None or not erased.text
