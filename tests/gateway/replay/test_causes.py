"""One changed pin at a time gives exactly that cause, two give both, none gives `same`."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from gateway.asking import AskOptions
from gateway.replay.artefacts import PARTS, Artefacts, Shelf
from gateway.replay.causes import smallest
from gateway.replay.report import Reader
from gateway.replay.single import Replayer
from gateway.replay.steps import Recorded, parted, take
from gateway.reply import Refusal, ReplayReport
from metric_layer.layer import build_layer
from policies.load import govern
from policies.policy import Policy
from tests.gateway.replay.stall import ANN, LAYER_FILE, POLICY_FILE, Stall
from traces.records import Caller, Trace

BY_WEEK: dict[str, Any] = {"dimensions": ["fruit"], "time": {"grain": "week"}}
FREE = "SELECT house_rule(fruit) AS sounds FROM sales LIMIT 5"


@pytest.fixture
def asked(duckdb_stall: Stall) -> Trace:
    """The takings by fruit and week, as recorded."""
    return _trace(duckdb_stall, duckdb_stall.ask(**BY_WEEK).trace_id)


def _trace(stall: Stall, trace_id: str) -> Trace:
    trace = stall.gateway.traces.read(trace_id)
    assert trace is not None and trace.closed is not None
    return trace


def _today(stall: Stall) -> Artefacts:
    house = stall.gateway.house
    schema = next(iter(house.entitlements)).catalogue.default_schema
    return Artefacts(house.layer, house.governed, "duckdb", schema)


def _recorded(trace: Trace) -> Recorded:
    assert trace.closed is not None
    return Recorded(trace.opened, trace.closed, trace.opened.role)


def _with_policy(found: Artefacts, change: Callable[[Policy], Policy]) -> Artefacts:
    return Artefacts(found.layer, govern(change(found.governed.policy)), found.dialect, found.schema)


def _definition(found: Artefacts) -> Artefacts:
    document = found.layer.document()
    metrics = tuple(
        metric.model_copy(update={"version": 2, "filters": (), "type": "max"})
        if metric.name == "takings"
        else metric
        for metric in document.metrics
    )
    layer = build_layer(document.model_copy(update={"metrics": metrics}))
    return Artefacts(layer, found.governed, found.dialect, found.schema)


def _calendar(found: Artefacts) -> Artefacts:
    document = found.layer.document()
    rules = found.layer.calendar.rules.model_copy(update={"week_start": "sunday"})
    layer = build_layer(document.model_copy(update={"calendar": rules}))
    return Artefacts(layer, found.governed, found.dialect, found.schema)


def _entitlement(found: Artefacts) -> Artefacts:
    def narrower(policy: Policy) -> Policy:
        rule = {"field": "fruit", "op": "in", "values": ("apple",)}
        plain = policy.model_dump()
        plain["roles"] = {**plain["roles"], "analyst": {**plain["roles"]["analyst"], "rows": (rule,)}}
        return Policy.model_validate(plain)

    return _with_policy(found, narrower)


def _thresholds(found: Artefacts) -> Artefacts:
    caps = found.governed.policy.caps.model_copy(update={"rows": 777})
    return _with_policy(found, lambda policy: policy.model_copy(update={"caps": caps}))


def _policy(found: Artefacts) -> Artefacts:
    return _with_policy(found, lambda policy: policy.model_copy(update={"release": {"governed": "shadow"}}))


def _allowlist(found: Artefacts) -> Artefacts:
    extra = {"duckdb": ("house_rule",)}
    return _with_policy(found, lambda policy: policy.model_copy(update={"functions_extra": extra}))


CHANGES: dict[str, Callable[[Artefacts], Artefacts]] = {
    "definition": _definition,
    "calendar": _calendar,
    "entitlement": _entitlement,
    "thresholds": _thresholds,
    "policy": _policy,
}


@pytest.mark.parametrize("part", CHANGES)
def test_one_changed_part_is_the_cause(duckdb_stall: Stall, asked: Trace, part: str) -> None:
    old = _today(duckdb_stall)
    recorded = _recorded(asked)
    assert smallest(recorded, recorded, Shelf(None), old, CHANGES[part](old)) == (part,)


@pytest.mark.parametrize("pair", tuple(combinations(CHANGES, 2)), ids="+".join)
def test_two_changed_parts_are_both_the_cause(
    duckdb_stall: Stall, asked: Trace, pair: tuple[str, str]
) -> None:
    old = _today(duckdb_stall)
    recorded = _recorded(asked)
    new = CHANGES[pair[1]](CHANGES[pair[0]](old))
    assert set(smallest(recorded, recorded, Shelf(None), old, new)) == set(pair)


@pytest.mark.parametrize("part", CHANGES)
def test_a_part_that_changes_nothing_of_the_question_is_no_cause(
    duckdb_stall: Stall, asked: Trace, part: str
) -> None:
    old = _today(duckdb_stall)
    recorded = _recorded(asked)
    harmless = _with_policy(old, lambda policy: policy.model_copy(update={"hold_minutes": 7, "owner": "new"}))
    assert not parted(take(recorded, old), take(recorded, harmless))
    new = CHANGES[part](harmless)
    assert smallest(recorded, recorded, Shelf(None), old, new) == (part,)


def test_a_function_taken_off_the_list_is_the_allowlist(duckdb_stall: Stall) -> None:
    old = _today(duckdb_stall)
    held = duckdb_stall.gateway.ask_planned(ANN, lambda _: FREE)
    recorded = replace(_recorded(_trace(duckdb_stall, held.trace_id)), text=FREE)
    assert smallest(recorded, recorded, Shelf(None), old, _allowlist(old)) == ("allowlist",)


def test_every_part_of_a_set_can_be_swapped(duckdb_stall: Stall) -> None:
    old, shelf = _today(duckdb_stall), Shelf(None)
    new = _allowlist(_policy(_thresholds(_entitlement(_calendar(_definition(old))))))
    assert set(shelf.changed(old, new)) == set(PARTS)
    whole = shelf.mixed(old, new, frozenset(PARTS))
    assert whole is not None and whole.name == new.name
    nothing = shelf.mixed(old, new, frozenset())
    assert nothing is not None and nothing.name == old.name


@pytest.mark.parametrize(
    ("file", "old", "new", "verdict", "detail"),
    [
        (LAYER_FILE, "type: sum", "type: max", "definition", "takings v1 changed without a new version"),
        (
            POLICY_FILE,
            "governed: autonomous",
            "governed: shadow",
            "policy",
            "release.governed autonomous -> shadow",
        ),
        (
            POLICY_FILE,
            "analyst: {datasets: [sales]}",
            "analyst: {datasets: [sales], rows: [{field: fruit, op: in, values: [apple]}]}",
            "entitlement",
            "roles.analyst.rows",
        ),
        (
            POLICY_FILE,
            "rows: {warn: 500000000, hard: 900000000}",
            "rows: {warn: 1, hard: 2}",
            "thresholds",
            "budget.rows.hard 900000000 -> 2",
        ),
    ],
    ids=["definition", "policy", "entitlement", "thresholds"],
)
def test_an_edited_file_is_named_by_its_setting(
    duckdb_stall: Stall, file: str, old: str, new: str, verdict: str, detail: str
) -> None:
    asked = duckdb_stall.ask(**BY_WEEK)
    duckdb_stall.edit(file, old, new)
    report = duckdb_stall.replay(asked)
    assert report.verdict == verdict
    assert detail in report.detail


def test_the_set_in_force_then_is_read_from_its_store_whatever_is_in_force_now(duckdb_stall: Stall) -> None:
    asked = duckdb_stall.ask(**BY_WEEK)
    duckdb_stall.edit(LAYER_FILE, "type: sum", "type: max")
    assert duckdb_stall.replay(asked).verdict == "definition"
    duckdb_stall.edit(LAYER_FILE, "type: max", "type: sum")
    assert duckdb_stall.replay(asked).verdict == "same"


def test_a_missing_artefact_is_named(duckdb_stall: Stall) -> None:
    asked = duckdb_stall.ask()
    digest = duckdb_stall.gateway.house.layer.digest
    (duckdb_stall.folder / "var" / "pins" / digest).unlink()
    report = duckdb_stall.replay(asked)
    assert report.verdict == "cannot tell"
    assert f"layer {digest[:12]} is gone" in report.detail


def test_an_altered_artefact_is_named(duckdb_stall: Stall) -> None:
    asked = duckdb_stall.ask()
    digest = duckdb_stall.gateway.house.governed.digest
    file = duckdb_stall.folder / "var" / "pins" / digest
    file.write_text(file.read_text(encoding="utf-8").replace("autonomous", "dry_run"), encoding="utf-8")
    report = duckdb_stall.replay(asked)
    assert report.verdict == "cannot tell"
    assert f"policy {digest[:12]} is not what was kept here" in report.detail


def _replayed(stall: Stall, trace: Trace) -> ReplayReport:
    pins = stall.gateway._replays._pins
    replayer = Replayer(stall.gateway.house, Shelf(pins), askers=tuple, write=lambda record: None)
    return replayer.replay(trace, Reader(ANN, own=True))


def _altered(trace: Trace, gateway: str = "", parser: str = "") -> Trace:
    """Return a trace whose SQL is not what the pinned artefacts give, under other versions if wanted."""
    closed = trace.closed
    assert closed is not None and closed.pins is not None and closed.query is not None
    pins = closed.pins.model_copy(
        update={"gateway": gateway or closed.pins.gateway, "parser": parser or closed.pins.parser}
    )
    query = closed.query.model_copy(update={"sql": closed.query.sql.replace("SUM", "MIN")})
    return trace.model_copy(update={"closed": closed.model_copy(update={"pins": pins, "query": query})})


def test_what_the_pinned_artefacts_give_no_more_is_the_gateway_the_parser_or_a_defect(
    duckdb_stall: Stall, asked: Trace
) -> None:
    assert _replayed(duckdb_stall, asked).verdict == "same"
    assert _replayed(duckdb_stall, _altered(asked)).verdict == "nondeterministic"
    assert _replayed(duckdb_stall, _altered(asked, gateway="0.0.1")).verdict == "gateway"
    assert _replayed(duckdb_stall, _altered(asked, parser="0.0.1")).verdict == "parser"
    both = _replayed(duckdb_stall, _altered(asked, gateway="0.0.1", parser="0.0.1"))
    assert both.verdict == "gateway + parser"


def test_a_check_that_says_something_else_of_the_same_is_a_defect_and_a_new_check_is_not(
    duckdb_stall: Stall, asked: Trace
) -> None:
    closed = asked.closed
    assert closed is not None
    first, *rest = closed.decisions
    for decisions, verdict in (
        ((first.model_copy(update={"output": "another"}), *rest), "nondeterministic"),
        (tuple(rest), "same"),
    ):
        other = closed.model_copy(update={"decisions": decisions})
        assert _replayed(duckdb_stall, asked.model_copy(update={"closed": other})).verdict == verdict


def test_an_older_version_that_gave_the_same_is_no_cause(duckdb_stall: Stall, asked: Trace) -> None:
    assert asked.closed is not None and asked.closed.pins is not None
    pins = asked.closed.pins.model_copy(update={"gateway": "0.0.1", "parser": "0.0.1"})
    older = asked.model_copy(update={"closed": asked.closed.model_copy(update={"pins": pins})})
    assert _replayed(duckdb_stall, older).verdict == "same"


def test_a_printed_figure_that_is_not_its_value_is_a_defect(duckdb_stall: Stall, asked: Trace) -> None:
    closed = asked.closed
    assert closed is not None
    first, *rest = closed.answer
    forged = (first.model_copy(update={"value": "1"}), *rest)
    trace = asked.model_copy(update={"closed": closed.model_copy(update={"answer": forged})})
    report = _replayed(duckdb_stall, trace)
    assert report.verdict == "nondeterministic"
    assert "the step answer" in report.detail


def _with_rows(trace: Trace, key_id: str = "", engine_version: str = "") -> Trace:
    """Return a trace whose rows hash otherwise, under another key or engine if wanted."""
    closed = trace.closed
    assert closed is not None and closed.shape is not None and closed.pins is not None
    shape = closed.shape.model_copy(
        update={"keyed_hash": "0" * 64, "key_id": key_id or closed.shape.key_id, "periods": ()}
    )
    version = engine_version or closed.pins.engine_version
    pins = closed.pins.model_copy(update={"engine_version": version})
    return trace.model_copy(update={"closed": closed.model_copy(update={"shape": shape, "pins": pins})})


def test_other_rows_of_the_same_file_are_the_engine_or_a_defect(duckdb_stall: Stall, asked: Trace) -> None:
    assert _replayed(duckdb_stall, _with_rows(asked)).verdict == "nondeterministic"
    other = _replayed(duckdb_stall, _with_rows(asked, engine_version="0.1"))
    assert other.verdict == "engine"
    assert "duckdb 0.1" in other.detail


def test_rows_that_were_hashed_under_another_key_are_not_compared(duckdb_stall: Stall, asked: Trace) -> None:
    report = _replayed(duckdb_stall, _with_rows(asked, key_id="another"))
    assert report.verdict == "cannot tell"
    assert "not in use any more" in report.detail


def _variants() -> list[dict[str, Any]]:
    grains = (None, "day", "week", "month", "quarter")
    groups: tuple[tuple[str, ...], ...] = ((), ("fruit",))
    metrics = (("takings",), ("sale_count",), ("takings", "sale_count"))
    return [
        {"metrics": list(names), "dimensions": list(group), "time": {"grain": grain} if grain else {}}
        for names in metrics
        for group in groups
        for grain in grains
    ]


def test_each_kind_of_unchanged_question_replays_the_same(stall: Stall) -> None:
    for parts in _variants():
        asked = stall.ask(**parts)
        report = stall.replay(asked)
        assert report.verdict == "same", (parts, report.detail)


ENDINGS: dict[str, tuple[dict[str, Any], AskOptions]] = {
    "invalid_plan": ({"metrics": ["takings", "nothing_such"]}, AskOptions()),
    "no_rows": ({"metrics": ["takings"], "time": {"from": "2031-01-01", "to": "2031-01-31"}}, AskOptions()),
    "dry_run": ({"metrics": ["takings"]}, AskOptions(dry_run=True)),
    "answered": ({"metrics": ["takings"], "dimensions": ["fruit"], "limit": 1}, AskOptions()),
}


@pytest.mark.parametrize("outcome", ENDINGS)
def test_a_question_replays_the_same_however_it_ended(duckdb_stall: Stall, outcome: str) -> None:
    plan, options = ENDINGS[outcome]
    asked = duckdb_stall.gateway.ask(ANN, plan, options)
    assert asked.outcome == outcome, asked.issues
    report = duckdb_stall.replay(asked)
    assert report.verdict == "same", report.detail


def test_a_question_that_was_denied_or_not_released_replays_the_same(duckdb_stall: Stall) -> None:
    duckdb_stall.edit(POLICY_FILE, "rows: {warn: 500000000, hard: 900000000}", "rows: {warn: 1, hard: 2}")
    denied = duckdb_stall.gateway.ask(ANN, {"metrics": ["takings"]})
    assert denied.outcome == "denied"
    assert duckdb_stall.replay(denied).verdict == "same"
    duckdb_stall.edit(POLICY_FILE, "rows: {warn: 1, hard: 2}", "rows: {warn: 1, hard: 900000000}")
    assert duckdb_stall.replay(denied).verdict == "thresholds"
    held = duckdb_stall.gateway.ask(ANN, {"metrics": ["takings"]})
    assert held.outcome == "held"
    assert duckdb_stall.replay(held).verdict == "same"


@pytest.mark.slow
def test_a_thousand_unchanged_replays_give_same(stall: Stall) -> None:
    asked = [stall.ask(**parts) for parts in _variants()]
    verdicts = [stall.replay(asked[number % len(asked)]).verdict for number in range(1000)]
    assert verdicts == ["same"] * 1000


def test_an_accepted_question_replays_with_the_accept_it_had(duckdb_stall: Stall) -> None:
    duckdb_stall.edit(
        POLICY_FILE, "rows: {warn: 500000000, hard: 900000000}", "rows: {warn: 1, hard: 900000000}"
    )
    duckdb_stall.edit(POLICY_FILE, "  auditor:", "  reviewer: {datasets: [sales], may: [review]}\n  auditor:")
    held = duckdb_stall.gateway.ask(ANN, {"metrics": ["takings"]})
    reviewer = Caller(user="rob", roles=("reviewer",), tenant=ANN.tenant)
    decided = duckdb_stall.gateway.decide_hold(reviewer, held.hold_id, "accept", "it is fine")
    assert not isinstance(decided, Refusal), decided
    options = AskOptions(approval_id=held.hold_id)
    answered = duckdb_stall.gateway.ask(ANN, {"metrics": ["takings"]}, options)
    assert answered.outcome == "answered", answered.issues
    assert duckdb_stall.replay(answered).verdict == "same"
