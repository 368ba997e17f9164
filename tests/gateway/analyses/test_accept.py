"""SQL that a reviewer accepted becomes a saved analysis; any change of it needs a new acceptance."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.analyses.call import AnalysisCall, NewAnalysis
from gateway.analyses.view import AcceptedAnalysis, AnalysisReply
from gateway.doors.cli.new_analysis import put_on_shelf
from gateway.playbooks.acceptance import digest_of
from gateway.playbooks.load import AnalysesInvalid
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.wiring import open_gateway
from traces.records import Caller

SQL = (
    "SELECT order_status, COUNT(*) AS orders FROM orders "
    "WHERE order_date >= DATE '2026-07-01' AND order_date < DATE '2026-10-01' GROUP BY order_status"
)
ABOUT = NewAnalysis("orders_by_status", "sales-analytics", "Orders of Q3 by what became of them.")
WORDED = "    wording: 'There were {{c:completed.orders}} completed orders.'\n"


@pytest.fixture
def free_shop(shop: Path) -> Path:
    """A shop whose policy lets free SQL be asked under review."""
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8").replace(
        "governed: autonomous", "governed: autonomous\n  free: reviewed"
    )
    policy.write_text(text, encoding="utf-8")
    return shop


@pytest.fixture
def held(free_shop: Path, open_shop: Callable[[], Gateway], ana: Caller) -> tuple[Gateway, str]:
    gateway = open_shop()
    reply = gateway.ask_planned(ana, lambda _catalogue: SQL)
    assert reply.outcome == "held", reply.issues
    return gateway, reply.hold_id


def accepted(gateway: Gateway, hold_id: str, rita: Caller) -> AcceptedAnalysis:
    gateway.decide_hold(rita, hold_id, "accept", "asked often, reads what it says")
    found = gateway.accept_analysis(rita, hold_id, ABOUT)
    assert isinstance(found, AcceptedAnalysis), found
    return found


def test_accepted_sql_becomes_an_analysis_that_runs_as_the_caller(
    held: tuple[Gateway, str], free_shop: Path, ana: Caller, emil: Caller, rita: Caller
) -> None:
    gateway, hold_id = held
    written = put_on_shelf(load_settings(free_shop), accepted(gateway, hold_id, rita))
    assert isinstance(written, AcceptedAnalysis)
    file = Path(written.file)
    file.write_text(file.read_text(encoding="utf-8") + WORDED, encoding="utf-8")
    reloaded = gateway.reload()
    assert reloaded is not None
    assert reloaded.outcome == "changed", reloaded.issues
    whole, part = (gateway.run_analysis(who, AnalysisCall(ABOUT.name)) for who in (ana, emil))
    assert isinstance(whole, AnalysisReply)
    assert isinstance(part, AnalysisReply)
    assert (whole.outcome, part.outcome) == ("answered", "answered"), (whole.issues, part.issues)
    orders, fewer = ({row[0]: int(str(row[1])) for row in reply.rows} for reply in (whole, part))
    assert whole.answer == f"There were {orders['completed']:,} completed orders."
    assert 0 < fewer["completed"] < orders["completed"]
    trace = gateway.traces.read(whole.trace_id)
    assert trace is not None
    assert trace.opened.origin == "analysis"
    assert trace.opened.analysis is not None
    assert trace.opened.analysis.name == ABOUT.name


def test_a_replay_of_accepted_sql_is_the_same(
    held: tuple[Gateway, str], free_shop: Path, ana: Caller, rita: Caller
) -> None:
    gateway, hold_id = held
    put_on_shelf(load_settings(free_shop), accepted(gateway, hold_id, rita))
    gateway.reload()
    reply = gateway.run_analysis(ana, AnalysisCall(ABOUT.name))
    assert isinstance(reply, AnalysisReply)
    report = gateway.replay(ana, reply.trace_id)
    assert report is not None
    assert report.verdict == "same", report


@pytest.mark.parametrize("change", ["sql", "sql_and_hash", "hold"])
def test_sql_that_changed_after_its_acceptance_is_not_loaded(
    held: tuple[Gateway, str], free_shop: Path, rita: Caller, change: str
) -> None:
    gateway, hold_id = held
    written = put_on_shelf(load_settings(free_shop), accepted(gateway, hold_id, rita))
    assert isinstance(written, AcceptedAnalysis)
    file = Path(written.file)
    text = file.read_text(encoding="utf-8")
    sql = gateway.show_hold(rita, hold_id)
    assert not isinstance(sql, Refusal)
    if change == "hold":
        text = text.replace(hold_id, "another-hold")
    else:
        text = text.replace("2026-10-01", "2026-12-01")
        if change == "sql_and_hash":
            text = text.replace(written.sha256, digest_of(sql.sql.replace("2026-10-01", "2026-12-01")))
    assert text != file.read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AnalysesInvalid) as fault:
        open_gateway(free_shop)
    assert [issue.code for issue in fault.value.issues] == ["sql_not_accepted"]
    assert fault.value.issues[0].next_step


def test_only_a_hold_that_was_accepted_becomes_an_analysis(
    held: tuple[Gateway, str], ana: Caller, rita: Caller
) -> None:
    gateway, hold_id = held
    waiting = gateway.accept_analysis(rita, hold_id, ABOUT)
    assert isinstance(waiting, Refusal)
    assert waiting.issues[0].code == "not_accepted"
    gateway.decide_hold(rita, hold_id, "accept", "fine")
    asker = gateway.accept_analysis(ana, hold_id, ABOUT)
    assert isinstance(asker, Refusal)
    assert asker.issues[0].code == "right_missing"
    nothing = gateway.accept_analysis(rita, "no-such-hold", ABOUT)
    assert isinstance(nothing, Refusal)
    assert nothing.issues[0].code == "unknown_hold"


def test_a_bad_name_is_refused_before_anything_is_written(held: tuple[Gateway, str], rita: Caller) -> None:
    gateway, hold_id = held
    gateway.decide_hold(rita, hold_id, "accept", "fine")
    found = gateway.accept_analysis(rita, hold_id, NewAnalysis("Not A Name", "", "x"))
    assert isinstance(found, Refusal)
    assert {issue.path for issue in found.issues} == {"/name", "/owner"}


def test_nothing_is_overwritten(held: tuple[Gateway, str], free_shop: Path, rita: Caller) -> None:
    gateway, hold_id = held
    found = accepted(gateway, hold_id, rita)
    settings = load_settings(free_shop)
    put_on_shelf(settings, found)
    again = put_on_shelf(settings, found)
    assert isinstance(again, Refusal)
    assert again.issues[0].code == "file_exists"


def test_who_may_not_read_the_tables_has_no_such_analysis(
    held: tuple[Gateway, str], free_shop: Path, rita: Caller
) -> None:
    gateway, hold_id = held
    put_on_shelf(load_settings(free_shop), accepted(gateway, hold_id, rita))
    gateway.reload()
    sol = Caller(user="sol", roles=("support_lead",), teams=("support",), tenant="shop")
    assert ABOUT.name not in {card.name for card in gateway.list_analyses(sol).analyses}
    assert isinstance(gateway.run_analysis(sol, AnalysisCall(ABOUT.name)), Refusal)
