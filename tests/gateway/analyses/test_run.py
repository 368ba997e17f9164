"""Saved analyses of the shop, run as different callers through the whole pipeline."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gateway.analyses.call import AnalysisCall
from gateway.analyses.view import AnalysisReply
from gateway.asking import AskOptions
from gateway.reply import Refusal, ReplyIssue
from gateway.service import Gateway
from traces.records import Caller

CALL = AnalysisCall("revenue_review", {"region": "EMEA", "period": "Q3 2026"})
FAY = Caller(user="fay", roles=("finance",), teams=("finance",), tenant="shop")


def ran(gateway: Gateway, caller: Caller, call: AnalysisCall = CALL) -> AnalysisReply:
    found = gateway.run_analysis(caller, call)
    assert isinstance(found, AnalysisReply)
    return found


def codes(issues: tuple[ReplyIssue, ...]) -> list[tuple[str, str]]:
    return [(issue.code, issue.path) for issue in issues]


def test_one_reply_cites_the_results_of_every_step(gateway: Gateway, ana: Caller) -> None:
    found = ran(gateway, ana)
    assert found.outcome == "answered"
    assert [step.id for step in found.steps] == ["total", "categories"]
    assert {citation.trace_id for citation in found.citations} == {step.trace_id for step in found.steps}
    for citation in found.citations:
        assert found.answer[citation.start : citation.end] == citation.text


def test_the_owners_sentence_prints_cells_and_parameters(gateway: Gateway, ana: Caller) -> None:
    found = ran(gateway, ana)
    revenue, orders = found.steps[0].rows[0]
    said = found.answer.split("\n\n")[0]
    assert said.startswith("In EMEA, from 2026-07-01 to 2026-09-30, net revenue was $")
    assert f"{int(str(orders)):,} orders" in said
    assert f"{float(str(revenue)):,.2f}" in said


def test_a_choice_that_settles_nothing_in_any_step_is_said_once_for_the_whole(
    gateway: Gateway, ana: Caller
) -> None:
    call = AnalysisCall(CALL.name, CALL.parameters, AskOptions(choices={"region": "EMEA"}, dry_run=True))
    said = [note for note in ran(gateway, ana, call).notes if "was not used" in note]
    assert said == ["A choice of yours was not used, for nothing is open there: 'region'."]
    dated = AnalysisCall(
        CALL.name, CALL.parameters, AskOptions(choices={"time": "activity_date"}, dry_run=True)
    )
    assert not [note for note in ran(gateway, ana).notes if "was not used" in note]
    assert ran(gateway, ana, dated).outcome == "dry_run"


def test_a_step_is_the_same_question_as_its_plan(gateway: Gateway, ana: Caller) -> None:
    found = ran(gateway, ana)
    for step in found.steps:
        assert step.plan is not None
        alone = gateway.ask(ana, step.plan)
        assert (alone.rows, alone.sql) == (step.rows, step.sql)


def test_a_trace_pins_the_analysis_by_name_version_and_hash(gateway: Gateway, ana: Caller) -> None:
    found = ran(gateway, ana)
    saved = gateway.house.analyses.analyses["revenue_review"]
    for step in found.steps:
        trace = gateway.traces.read(step.trace_id)
        assert trace is not None
        pin = trace.opened.analysis
        assert pin is not None
        assert (pin.name, pin.version, pin.digest, pin.step) == ("revenue_review", 1, saved.digest, step.id)
        assert trace.opened.origin == "plan"
        replayed = gateway.replay(ana, step.trace_id)
        assert replayed is not None
        assert replayed.verdict == "same"


def test_an_analysis_runs_with_the_rows_of_its_caller(gateway: Gateway, ana: Caller, emil: Caller) -> None:
    amer = AnalysisCall("revenue_review", {"region": "AMER", "period": "Q3 2026"})
    assert ran(gateway, ana, amer).outcome == "answered"
    assert ran(gateway, emil).steps[0].rows == ran(gateway, ana).steps[0].rows
    hidden = ran(gateway, emil, amer)
    assert not any(any(cell for cell in row) for step in hidden.steps for row in step.rows)


def test_an_analysis_over_hidden_names_does_not_exist(gateway: Gateway) -> None:
    assert gateway.list_analyses(FAY).analyses == ()
    found = gateway.run_analysis(FAY, CALL)
    never = gateway.run_analysis(FAY, AnalysisCall("no_such_review"))
    assert isinstance(found, Refusal)
    assert isinstance(never, Refusal)
    assert found.issues[0].candidates == ()
    assert found.issues[0].message.replace("revenue_review", "no_such_review") == never.issues[0].message


def test_a_caller_without_a_role_has_no_analyses(gateway: Gateway) -> None:
    nobody = Caller(user="mallory", roles=("no_such_role",), tenant="shop")
    assert gateway.list_analyses(nobody).analyses == ()
    assert isinstance(gateway.run_analysis(nobody, CALL), Refusal)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, [("missing_parameter", "/parameters/region")]),
        ({"region": "Erope"}, [("value_not_allowed", "/parameters/region")]),
        ({"region": 3}, [("wrong_type", "/parameters/region")]),
        ({"region": "EMEA", "period": "soon"}, [("no_period", "/parameters/period")]),
        ({"region": "EMEA", "period": "2031"}, [("no_period", "/parameters/period")]),
        ({"region": "EMEA", "period": "2026-09-31"}, [("no_period", "/parameters/period")]),
        ({"region": "EMEA", "top": 0}, [("out_of_bounds", "/parameters/top")]),
        ({"region": "EMEA", "top": True}, [("wrong_type", "/parameters/top")]),
        (
            {"regoin": "EMEA", "top": 99},
            [
                ("unknown_parameter", "/parameters/regoin"),
                ("missing_parameter", "/parameters/region"),
                ("out_of_bounds", "/parameters/top"),
            ],
        ),
    ],
)
def test_parameters_that_do_not_fit_are_all_refused_and_nothing_runs(
    gateway: Gateway, ana: Caller, given: Mapping[str, object], expected: list[tuple[str, str]]
) -> None:
    before = len(gateway.list_traces(ana))
    found = ran(gateway, ana, AnalysisCall("revenue_review", given))
    assert found.outcome == "invalid_plan"
    assert codes(found.issues) == expected
    assert all(issue.next_step for issue in found.issues)
    assert len(gateway.list_traces(ana)) == before


def test_a_value_is_taken_by_its_synonym_and_a_slip_gets_a_near_name(gateway: Gateway, ana: Caller) -> None:
    found = ran(gateway, ana, AnalysisCall("revenue_review", {"region": "europe", "period": "Q3 2026"}))
    assert found.parameters["region"] == "EMEA"
    slip = ran(gateway, ana, AnalysisCall("revenue_review", {"region": "Eurpe"}))
    assert slip.issues[0].candidates == ("EMEA",)


def test_a_dry_run_prices_every_step_and_runs_none(gateway: Gateway, ana: Caller) -> None:
    found = ran(gateway, ana, AnalysisCall(CALL.name, CALL.parameters, AskOptions(dry_run=True)))
    assert found.outcome == "dry_run"
    assert [step.outcome for step in found.steps] == ["dry_run", "dry_run"]
    assert all(step.sql and step.estimate and not step.rows for step in found.steps)


def test_search_finds_an_analysis_and_only_for_who_may_run_it(gateway: Gateway, ana: Caller) -> None:
    def kinds(caller: Caller) -> set[str]:
        found = gateway.search_catalog(caller, "revenue review of a region")
        assert not isinstance(found, Refusal)
        return {hit.kind for hit in found.hits}

    assert "analysis" in kinds(ana)
    assert "analysis" not in kinds(FAY)


def test_a_follow_up_goes_on_from_the_last_step(gateway: Gateway, ana: Caller) -> None:
    ran(gateway, ana, AnalysisCall(CALL.name, CALL.parameters, AskOptions(conversation="c1")))
    found = gateway.ask_question(ana, "and in AMER?", AskOptions(conversation="c1"))
    assert found.plan is not None
    assert found.plan.metrics == ("units_sold",)


def test_changed_files_of_analyses_come_into_force_and_wrong_ones_do_not(
    open_shop: Callable[[], Gateway], shop: Path, ana: Caller
) -> None:
    gateway = open_shop()
    file = shop / "analyses" / "revenue_review.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("version: 1", "version: 2"), encoding="utf-8")
    found = gateway.reload()
    assert found is not None
    assert found.outcome == "changed"
    assert ran(gateway, ana).analysis is not None
    assert gateway.list_analyses(ana).analyses[0].version == 2
    file.write_text(text.replace("$region", "$regoin"), encoding="utf-8")
    refused = gateway.reload()
    assert refused is not None
    assert refused.outcome == "refused"
    assert {issue.code for issue in refused.issues} == {"unknown_parameter", "unused_parameter"}
    assert gateway.list_analyses(ana).analyses[0].version == 2


def test_a_sentence_the_result_does_not_bear_out_is_left_out(
    open_shop: Callable[[], Gateway], shop: Path, ana: Caller
) -> None:
    file = shop / "analyses" / "revenue_review.yml"
    text = file.read_text(encoding="utf-8")
    wrong = text.replace(
        "net revenue was {{c:0.net_revenue}}", "net revenue was $99, not {{c:0.net_revenue}}"
    )
    assert wrong != text
    file.write_text(wrong, encoding="utf-8")
    found = ran(open_shop(), ana)
    assert found.outcome == "answered"
    assert "$99" not in found.answer
    assert any("owner's sentence is left out" in note for note in found.notes)
    assert found.steps[0].answer.startswith("Net revenue $")


def test_a_step_that_is_refused_stops_the_analysis_before_another_runs(
    open_shop: Callable[[], Gateway], shop: Path, ana: Caller
) -> None:
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8").replace("governed: autonomous", "governed: dry_run")
    policy.write_text(text, encoding="utf-8")
    found = ran(open_shop(), ana)
    assert found.outcome == "dry_run"
    assert not any(step.rows for step in found.steps)


def test_a_reply_travels_as_json_and_says_what_it_pins(gateway: Gateway, ana: Caller) -> None:
    sent = json.loads(ran(gateway, ana).model_dump_json(by_alias=True))
    assert sent["analysis"]["name"] == "revenue_review"
    assert sent["parameters"] == {"region": "EMEA", "period": "2026-07-01 to 2026-09-30", "top": "3"}
