"""Everybody finds their own questions, who may audit the tenant's; a figure is found as it was written."""

from pathlib import Path

import pytest

from gateway.custody.reports import Erasure
from gateway.custody.rights import Person
from gateway.record.ledger import verification
from gateway.reply import Refusal
from gateway.service import Gateway
from gateway.tracing.figures import readings_of
from gateway.tracing.found import FoundTraces, Wanted
from tests.gateway.tracing.conftest import CLEO, PLAN
from traces.records import Caller


def found(house: Gateway, caller: Caller, **wanted: object) -> list[str]:
    result = house.tracing.find(caller, Wanted.model_validate(wanted))
    assert isinstance(result, FoundTraces), result
    return [line.trace_id for line in result.traces]


def refused(house: Gateway, caller: Caller, **wanted: object) -> list[str]:
    result = house.tracing.find(caller, Wanted.model_validate(wanted))
    assert isinstance(result, Refusal)
    assert all(issue.next_step and issue.path for issue in result.issues)
    return [issue.code for issue in result.issues]


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("1234567.8", "1234567.8"),
        ("1,234,568", "1234568"),
        ("1.23M", "1230000"),
        ("$1.2 million", "1200000"),
        ("-12.3%", "12.3"),
        ("(1,234)", "1234"),
        ("1.234.567,8", "1234567.8"),
    ],
)
def test_a_number_is_read_as_people_write_it(typed: str, value: str) -> None:
    assert [str(each.normalize()) for each in readings_of(typed)] == [str(_normal(value))]


def _normal(value: str) -> object:
    (found,) = readings_of(value)
    return found.normalize()


@pytest.mark.parametrize("typed", ["", "abc", "12 or 13", "2026-07-01", "1" * 80, "12 3"])
def test_what_is_not_one_number_is_none(typed: str) -> None:
    assert readings_of(typed) == ()


def test_a_figure_is_found_at_every_precision_it_may_be_written_in(house: Gateway, ana: Caller) -> None:
    asked = house.ask(ana, PLAN)
    value = asked.citations[0].value
    whole = float(value)
    ways = (
        value,
        f"{whole:,.2f}",
        f"{whole:,.0f}",
        f"{whole / 1e3:,.1f}k",
        f"{whole / 1e6:.2f}M",
        f"-{value}",
    )
    for typed in ways:
        assert found(house, ana, number=typed) == [asked.trace_id], typed
    assert found(house, ana, number=f"{whole * 1.5:,.0f}") == []


def test_a_question_is_found_by_metric_version_table_outcome_and_sql(house: Gateway, ana: Caller) -> None:
    answered = house.ask(ana, PLAN).trace_id
    refused_one = house.ask(ana, {"metrics": ["net_revenue"], "dimensions": ["nowhere"]}).trace_id
    everything = found(house, ana)
    assert everything == [refused_one, answered]
    for wanted in (
        {"metric": "net_revenue", "version": 3},
        {"metric": "refunds"},
        {"table": "order_lines"},
        {"outcome": "answered"},
        {"sql": "where \"customers\".\"region\" IN ('x', 'y')".removeprefix("where ")},
        {"person": "ana", "outcome": "answered"},
        {"person": house.house.subject(ana), "outcome": "answered"},
    ):
        assert found(house, ana, **wanted) == [answered], wanted
    assert found(house, ana, outcome="invalid_plan") == [refused_one]
    assert found(house, ana, metric="net_revenue", version=2) == []
    assert len(found(house, ana, limit=1)) == 1


def test_nobody_finds_the_questions_of_others_without_the_right_to_audit(
    house: Gateway, ana: Caller, emil: Caller, rita: Caller
) -> None:
    hers, his = house.ask(ana, PLAN), house.ask(emil, PLAN)
    assert found(house, ana) == [hers.trace_id] and found(house, emil) == [his.trace_id]
    number = hers.citations[0].value
    assert found(house, emil, number=number) == [] and found(house, emil, person="ana") == []
    assert found(house, emil, person=house.house.subject(ana)) == []
    assert found(house, rita) == [his.trace_id, hers.trace_id]
    assert found(house, rita, person="ana") == found(house, rita, number=number) == [hers.trace_id]
    elsewhere = Caller(user="rita", roles=("reviewer",), tenant="elsewhere")
    assert found(house, elsewhere) == found(house, elsewhere, person=house.house.subject(ana)) == []
    alone = house.tracing.find(emil, Wanted())
    assert isinstance(alone, FoundTraces) and alone.own_only


def test_all_that_is_wrong_with_a_search_is_said_at_once(house: Gateway, ana: Caller) -> None:
    codes = refused(
        house,
        ana,
        number="some",
        version=3,
        outcome="answred",
        since="2026-10-02T00:00:00",
        until="2026-10-01T00:00:00",
    )
    assert codes == ["unreadable_number", "version_of_what", "unknown_outcome", "empty_period"]
    wrong = house.tracing.find(ana, Wanted(outcome="answred"))
    assert isinstance(wrong, Refusal) and "answered" in wrong.issues[0].candidates


def test_a_metric_that_nothing_has_is_met_with_names_its_seeker_may_see(
    house: Gateway, ana: Caller, emil: Caller
) -> None:
    for caller, name, near in ((ana, "net_revenu", "net_revenue"), (emil, "shipping_revenu", "")):
        result = house.tracing.find(caller, Wanted(metric=name))
        assert isinstance(result, FoundTraces) and not result.traces
        assert (near in result.near) if near else not any("shipping" in each for each in result.near)


def test_an_erasure_goes_through_the_index(house: Gateway, ana: Caller, rita: Caller) -> None:
    asked = house.ask(ana, PLAN)
    number = asked.citations[0].value
    assert found(house, rita, number=number) == [asked.trace_id]
    report = house.custody.erase(CLEO, Person(user="ana"), "she asked for it")
    assert isinstance(report, Erasure) and report.purged["index"] > 0
    assert found(house, rita, number=number) == []
    assert found(house, rita, metric="net_revenue", version=3) == [asked.trace_id]


def test_the_index_lies_beside_the_traces_and_comes_back_when_it_is_deleted(
    house: Gateway, audited: Path, ana: Caller
) -> None:
    asked = house.ask(ana, PLAN).trace_id
    assert found(house, ana) == [asked]
    place = audited / "var" / "traces" / "index.sqlite"
    place.unlink()
    assert found(house, ana) == [asked] and place.is_file()
    built = house.tracing.index(rebuild=True)
    assert (built.traces, built.rebuilt) == (1, True) and built.segments >= 1
    assert verification(house.traces.verify()).ok
