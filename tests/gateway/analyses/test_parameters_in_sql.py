"""Accepted SQL with parameters: accepted with all they may be, bound in the tree, checked as it runs."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gateway.analyses.call import AnalysisCall, NewAnalysis
from gateway.analyses.view import AcceptedAnalysis, AnalysisReply
from gateway.doors.cli.new_analysis import put_on_shelf
from gateway.playbooks.acceptance import digest_of
from gateway.playbooks.definition import Wanted
from gateway.playbooks.load import AnalysesInvalid
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.wiring import open_gateway
from policies.judge_policy import FindingRule
from policies.load import govern
from traces.records import Caller

SQL = (
    "SELECT order_status, COUNT(*) AS orders, 'Q3' AS told FROM orders "
    "WHERE order_date >= DATE '2026-07-01' AND order_date < DATE '2026-10-01' "
    "AND order_status IN ('completed', 'cancelled') GROUP BY order_status ORDER BY 2 DESC LIMIT 7"
)
STATUS = {"name": "status", "type": "string", "values": ["completed", "cancelled", "returned"]}
PERIOD = {"name": "period", "type": "period", "words": ["Q3 2026", "Q2 2026"]}
MOST = {"name": "most", "type": "integer", "minimum": 1, "maximum": 10}
EXAMPLE = {"status": "completed", "period": "Q3 2026", "most": 7}
NAME = "orders_by_status"


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
def hold(free_shop: Path, open_shop: Callable[[], Gateway], ana: Caller, rita: Caller) -> tuple[Gateway, str]:
    gateway = open_shop()
    reply = gateway.ask_planned(ana, lambda _catalogue: SQL)
    assert reply.outcome == "held", reply.issues
    gateway.decide_hold(rita, reply.hold_id, "accept", "asked often, reads what it says")
    return gateway, reply.hold_id


def about(*parameters: Mapping[str, Any], example: Mapping[str, Any] = EXAMPLE) -> NewAnalysis:
    """The SQL as an analysis with parameters; of the example only what they need."""
    names = {parameter["name"] for parameter in parameters}
    given = {name: value for name, value in example.items() if name in names}
    wanted = Wanted.model_validate({"parameters": parameters, "example": given})
    return NewAnalysis(NAME, "sales", "Orders of a status in a period.", wanted=wanted)


def shelved(hold: tuple[Gateway, str], shop: Path, rita: Caller, new: NewAnalysis) -> AcceptedAnalysis:
    gateway, hold_id = hold
    found = gateway.accept_analysis(rita, hold_id, new)
    assert isinstance(found, AcceptedAnalysis), found
    written = put_on_shelf(load_settings(shop), found)
    assert isinstance(written, AcceptedAnalysis)
    reloaded = gateway.reload()
    assert reloaded is not None
    assert reloaded.outcome == "changed", reloaded.issues
    return written


def ran(gateway: Gateway, who: Caller, given: Mapping[str, object]) -> AnalysisReply:
    found = gateway.run_analysis(who, AnalysisCall(NAME, given))
    assert isinstance(found, AnalysisReply), found
    return found


def test_a_call_runs_the_statement_with_its_own_values(
    hold: tuple[Gateway, str], free_shop: Path, ana: Caller, emil: Caller, rita: Caller
) -> None:
    gateway, _ = hold
    written = shelved(hold, free_shop, rita, about(STATUS, PERIOD, MOST))
    for text in ("'$status'", "'$period.from'", "'$period.after'", "'$most'"):
        assert text in written.sql
    same = ran(gateway, ana, EXAMPLE)
    other = ran(gateway, ana, {"status": "returned", "period": "Q2 2026", "most": 1})
    fewer = ran(gateway, emil, EXAMPLE)
    assert {row[0] for row in same.rows} == {"completed", "cancelled"}
    assert len(other.rows) == 1
    assert other.rows[0][0] in {"returned", "cancelled"}
    assert "'2026-04-01'" in other.sql
    assert "'2026-07-01'" in other.sql
    assert "$" not in other.sql
    whole, part = ({str(row[0]): int(str(row[1])) for row in reply.rows} for reply in (same, fewer))
    assert part["completed"] < whole["completed"]
    report = gateway.replay(ana, other.trace_id)
    assert report is not None
    assert report.verdict == "same", report


def test_the_acceptance_is_of_who_took_the_parameters_in(
    hold: tuple[Gateway, str], free_shop: Path, ana: Caller, rita: Caller
) -> None:
    gateway, hold_id = hold
    written = shelved(hold, free_shop, rita, about(STATUS))
    assert written.sha256 != digest_of(written.sql)
    assert f"by: {gateway.house.subject(rita)}" in written.text
    refused = gateway.accept_analysis(ana, hold_id, about(STATUS))
    assert isinstance(refused, Refusal)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"status": "completed' OR '1'='1"}, "value_not_allowed"),
        ({"status": "pending"}, "value_not_allowed"),
        ({"status": ["completed"]}, "wrong_type"),
        ({}, "missing_parameter"),
        ({"status": "completed", "sql": "SELECT 1"}, "unknown_parameter"),
    ],
)
def test_what_is_not_allowed_never_reaches_the_statement(
    hold: tuple[Gateway, str],
    free_shop: Path,
    ana: Caller,
    rita: Caller,
    given: Mapping[str, object],
    code: str,
) -> None:
    gateway, _ = hold
    shelved(hold, free_shop, rita, about(STATUS))
    before = len(gateway.list_traces(ana))
    found = ran(gateway, ana, given)
    assert [issue.code for issue in found.issues] == [code]
    assert len(gateway.list_traces(ana)) == before


@pytest.mark.parametrize(
    "value", ["it's", "a\\' OR 1=1 --", "$status", "$$", "%(x)s", ":x", "{{p:status}}", "é\u2028"]
)
def test_a_value_that_looks_like_sql_is_a_text_of_the_tree(
    hold: tuple[Gateway, str], free_shop: Path, ana: Caller, rita: Caller, value: str
) -> None:
    gateway, _ = hold
    odd = {**STATUS, "values": ["completed", value]}
    shelved(hold, free_shop, rita, about(odd))
    found = ran(gateway, ana, {"status": value})
    assert found.outcome == "answered", found.issues
    assert {row[0] for row in found.rows} == {"cancelled"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'$status'", "'cancelled'"),
        ("returned]", "returned, pending]"),
        ("Q2 2026]", "Q2 2025]"),
        ("maximum: 10", "maximum: 10000"),
        ("minimum: 1", "minimum: 0"),
    ],
)
def test_a_change_of_the_statement_or_of_what_a_parameter_may_be_needs_a_new_acceptance(
    hold: tuple[Gateway, str], free_shop: Path, rita: Caller, old: str, new: str
) -> None:
    written = shelved(hold, free_shop, rita, about(STATUS, PERIOD, MOST))
    file = Path(written.file)
    text = file.read_text(encoding="utf-8")
    changed = text.replace(old, new).replace(old.replace("'", "''"), new.replace("'", "''"))
    assert changed != text
    file.write_text(changed, encoding="utf-8")
    with pytest.raises(AnalysesInvalid) as fault:
        open_gateway(free_shop)
    assert "sql_not_accepted" in {issue.code for issue in fault.value.issues}


@pytest.mark.parametrize(
    ("parameters", "example", "codes"),
    [
        ([{**STATUS, "values": ["completed", "lost"]}], {"status": "lost"}, ["parameter_not_there"]),
        ([{**STATUS, "values": ["Q3"]}], {"status": "Q3"}, ["parameter_misplaced"]),
        ([{**MOST, "minimum": 1}], {"most": 2}, ["parameter_misplaced"]),
        ([STATUS], {"status": "pending"}, ["value_not_allowed"]),
        (
            [STATUS, {**STATUS, "name": "second"}],
            {"status": "completed", "second": "completed"},
            ["same_value"],
        ),
        ([{**MOST, "minimum": 9, "maximum": 1}], {"most": 7}, ["reversed_bounds"]),
        (
            [{"name": "status", "type": "dimension_value", "dimension": "order_status", "several": True}],
            {"status": ["completed"]},
            ["list_in_sql"],
        ),
        (
            [{"name": "status", "type": "dimension_value", "dimension": "no_such"}, {**MOST, "minimum": 99}],
            {},
            ["unknown_dimension", "reversed_bounds"],
        ),
    ],
)
def test_what_cannot_be_a_parameter_is_refused_with_its_reason(
    hold: tuple[Gateway, str],
    rita: Caller,
    parameters: list[Mapping[str, Any]],
    example: Mapping[str, Any],
    codes: list[str],
) -> None:
    gateway, hold_id = hold
    found = gateway.accept_analysis(rita, hold_id, about(*parameters, example=example))
    assert isinstance(found, Refusal), found
    assert sorted(issue.code for issue in found.issues) == sorted(codes)
    assert all(issue.next_step and issue.path for issue in found.issues)


def test_a_text_that_would_be_a_parameter_is_told(
    free_shop: Path, open_shop: Callable[[], Gateway], ana: Caller, rita: Caller
) -> None:
    gateway = open_shop()
    reply = gateway.ask_planned(ana, lambda _catalogue: SQL.replace("'cancelled'", "'$other'"))
    gateway.decide_hold(rita, reply.hold_id, "accept", "odd, but it reads what it says")
    found = gateway.accept_analysis(rita, reply.hold_id, about(STATUS))
    assert isinstance(found, Refusal)
    assert [(each.code, each.seen) for each in found.issues] == [("parameter_taken", "$other")]
    plain = gateway.accept_analysis(rita, reply.hold_id, about())
    assert isinstance(plain, AcceptedAnalysis), plain


def test_who_asked_does_not_accept_the_parameters(
    free_shop: Path, open_shop: Callable[[], Gateway], rita: Caller
) -> None:
    gateway = open_shop()
    asker = rita.model_copy(update={"roles": ("analyst",)})
    assert gateway.house.subject(asker) == gateway.house.subject(rita)
    reply = gateway.ask_planned(asker, lambda _catalogue: SQL)
    assert reply.outcome == "held", reply.issues
    other = rita.model_copy(update={"user": "ruben"})
    gateway.decide_hold(other, reply.hold_id, "accept", "fine")
    found = gateway.accept_analysis(rita, reply.hold_id, about(STATUS))
    assert isinstance(found, Refusal)
    assert [each.code for each in found.issues] == ["own_question"]
    assert isinstance(gateway.accept_analysis(other, reply.hold_id, about(STATUS)), AcceptedAnalysis)


@pytest.mark.parametrize("when", ["held", "taken in"])
def test_what_two_people_accept_is_widened_by_no_one_alone(
    free_shop: Path, open_shop: Callable[[], Gateway], ana: Caller, rita: Caller, when: str
) -> None:
    gateway = open_shop()
    if when == "held":
        demand_two(gateway)
    hold_id = gateway.ask_planned(ana, lambda _catalogue: SQL).hold_id
    other = rita.model_copy(update={"user": "ruben"})
    for who in (rita, other) if when == "held" else (rita,):
        gateway.decide_hold(who, hold_id, "accept", "reads what it says")
    if when == "taken in":
        demand_two(gateway)
    for who in (rita, other):
        found = gateway.accept_analysis(who, hold_id, about(STATUS, MOST))
        assert isinstance(found, Refusal)
        assert [(each.code, each.seen) for each in found.issues] == [("needs_two_people", "release")]
        assert found.issues[0].next_step
    plain = gateway.accept_analysis(rita, hold_id, about())
    assert isinstance(plain, AcceptedAnalysis), plain


def demand_two(gateway: Gateway) -> None:
    """From now on two people accept free SQL."""
    policy = gateway.house.governed.policy
    both = policy.model_copy(update={"findings": {"release": FindingRule(two_person=True)}})
    gateway.houses.replace(replace(gateway.house, governed=govern(both)))
