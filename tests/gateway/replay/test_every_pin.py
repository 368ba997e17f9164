"""Each pin that a trace keeps, changed alone, is named by a replay: none is kept for nothing."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from gateway.replay.artefacts import Shelf
from gateway.replay.report import Reader
from gateway.replay.single import Replayer
from gateway.reply import ReplayReport
from tests.gateway.replay.stall import ANN, LAYER_FILE, POLICY_FILE, Stall
from traces.diff import SETTING_PINS
from traces.records import Pins, Trace

BY_WEEK: dict[str, Any] = {"dimensions": ["fruit"], "time": {"field": "sold_at", "grain": "week"}}
LATE = "INSERT INTO sales VALUES (100, DATE '2026-09-15', TIMESTAMP '2026-09-15 08:00:00', 'apple', 7)"
Change = Callable[[Stall], ReplayReport]


def _edited(file: str, old: str, new: str) -> Change:
    """Ask, change one setting of the project, and replay."""

    def change(stall: Stall) -> ReplayReport:
        asked = stall.ask(**BY_WEEK)
        stall.edit(file, old, new)
        return stall.replay(asked)

    return change


def _recorded(stall: Stall) -> Trace:
    trace = stall.gateway.traces.read(stall.ask(**BY_WEEK).trace_id)
    assert trace is not None
    return trace


def _replayed(stall: Stall, trace: Trace) -> ReplayReport:
    shelf = Shelf(stall.gateway._replays._pins)
    replayer = Replayer(stall.gateway.house, shelf, askers=tuple, write=lambda record: None)
    return replayer.replay(trace, Reader(ANN, own=True))


def _was(pin: str, value: str, **parts: object) -> Change:
    """Take a trace as another version of one part of the stack would have left it, and replay that."""

    def change(stall: Stall) -> ReplayReport:
        trace = _recorded(stall)
        closed = trace.closed
        assert closed is not None and closed.pins is not None
        assert closed.query is not None and closed.shape is not None
        made = {
            "query": closed.query.model_copy(update={"sql": closed.query.sql.replace("SUM", "MIN")}),
            "shape": closed.shape.model_copy(update={"keyed_hash": "0" * 64, "periods": ()}),
        }
        update = {"pins": closed.pins.model_copy(update={pin: value}), **{key: made[key] for key in parts}}
        return _replayed(stall, trace.model_copy(update={"closed": closed.model_copy(update=update)}))

    return change


def _late(stall: Stall) -> ReplayReport:
    asked = stall.ask(**BY_WEEK)
    stall.change(LATE)
    return stall.replay(asked)


def _taken_off(stall: Stall) -> ReplayReport:
    """Ask in free SQL for a function of the site's own, then take that off the list."""
    listed = f"functions_extra: {{{stall.gateway.house.engine.dialect}: [house_rule]}}\n"
    stall.edit(POLICY_FILE, "\nroles:", f"\n{listed}roles:")
    asked = stall.gateway.ask_planned(ANN, lambda _: "SELECT house_rule(fruit) AS sounds FROM sales LIMIT 5")
    stall.edit(POLICY_FILE, listed, "")
    return stall.replay(asked)


def _narrowed(stall: Stall) -> ReplayReport:
    """Let the role see some rows only, by a rule of the database too where that keeps it."""
    asked = stall.ask(**BY_WEEK)
    if stall.gateway.house.engine.dialect == "postgres":
        stall.change(ROW_RULE)
    stall.edit(POLICY_FILE, "analyst: {datasets: [sales]}", NARROWER)
    return stall.replay(asked)


def _moved(stall: Stall) -> ReplayReport:
    """Have moments written in UTC, ask for their weeks, then move the days to another zone."""
    stall.edit(LAYER_FILE, "sold_at, type: timestamp", "sold_at, type: timestamp, time_zone: UTC")
    return _edited(LAYER_FILE, "\ndatasets:", "\ncalendar: {time_zone: Asia/Tokyo}\ndatasets:")(stall)


_FIRST = "version: 1\n    owner: stall@example.com\n    description: What was paid.\n    type: sum"
_SECOND = _FIRST.replace("version: 1", "version: 2").replace("type: sum", "type: max")
ROW_RULE = (
    "ALTER TABLE sales ENABLE ROW LEVEL SECURITY;"
    "CREATE POLICY fruits ON sales FOR SELECT USING (current_user <> 'ann' OR fruit = 'apple')"
)
NARROWER = "analyst: {datasets: [sales], rows: [{field: fruit, op: in, values: [apple]}]}"
PINS: Mapping[str, tuple[Change, str]] = {
    "layer": (_edited(LAYER_FILE, "type: sum", "type: max"), "definition"),
    "used": (_edited(LAYER_FILE, _FIRST, _SECOND), "definition"),
    "policy": (_edited(POLICY_FILE, "governed: autonomous", "governed: shadow"), "policy"),
    "thresholds": (
        _edited(POLICY_FILE, "rows: {warn: 500000000, hard: 900000000}", "rows: {warn: 1, hard: 2}"),
        "thresholds",
    ),
    "allowlist": (_taken_off, "allowlist"),
    "entitlement": (_narrowed, "entitlement"),
    "calendar": (
        _edited(LAYER_FILE, "\ndatasets:", "\ncalendar: {week_start: sunday}\ndatasets:"),
        "calendar",
    ),
    "zone": (_moved, "calendar"),
    "gateway": (_was("gateway", "0.0.1", query=True), "gateway"),
    "parser": (_was("parser", "0.0.1", query=True), "parser"),
    "engine": (_was("engine", "duckling", shape=True), "engine"),
    "engine_version": (_was("engine_version", "0.1", shape=True), "engine"),
    "mode": (_was("mode", "another", shape=True), "engine"),
    "driver": (_was("driver", "other-driver 0.1", shape=True), "driver"),
    "search_path": (_was("search_path", "elsewhere", shape=True), "search_path"),
    "dialect": (_was("dialect", "snowflake"), "cannot tell"),
    "data": (_late, "data(late)"),
}
ENGINE_PINS = ("engine", "engine_version", "mode", "driver", "search_path")
"""On PostgreSQL nothing proves that the data of then is that of now, so both may be why."""
BY_A_CANDIDATE = ("model", "prompt")
"""What only asking a model again can tell: tests/gateway/agent/test_candidate.py changes these."""


@pytest.mark.parametrize("pin", PINS)
def test_one_changed_pin_is_the_cause(stall: Stall, pin: str) -> None:
    change, verdict = PINS[pin]
    unproved = pin in ENGINE_PINS and stall.gateway.house.engine.dialect == "postgres"
    report = change(stall)
    assert report.verdict == (f"{verdict} + data(unknown)" if unproved else verdict), report.detail


def test_rows_that_are_gone_are_not_laid_to_another_version_of_the_engine(postgres_stall: Stall) -> None:
    trace = _recorded(postgres_stall)
    closed = trace.closed
    assert closed is not None and closed.pins is not None
    older = closed.model_copy(update={"pins": closed.pins.model_copy(update={"engine_version": "0.1"})})
    postgres_stall.change("DELETE FROM sales WHERE sale_id = 5")
    report = _replayed(postgres_stall, trace.model_copy(update={"closed": older}))
    assert report.verdict == "data(restated)", report.detail


def _other_rows(trace: Trace, **pins: str) -> Trace:
    closed = trace.closed
    assert closed is not None and closed.pins is not None and closed.shape is not None
    shape = closed.shape.model_copy(update={"keyed_hash": "0" * 64, "periods": ()})
    update = {"pins": closed.pins.model_copy(update=pins), "shape": shape}
    return trace.model_copy(update={"closed": closed.model_copy(update=update)})


def test_of_several_things_between_a_text_and_its_rows_each_that_changed_is_named(
    duckdb_stall: Stall,
) -> None:
    trace = _other_rows(_recorded(duckdb_stall), engine_version="0.1", driver="other 1", search_path="there")
    report = _replayed(duckdb_stall, trace)
    assert report.verdict == "engine + driver + search_path", report.detail
    assert "driver: version other 1 -> " in report.detail
    assert "search_path: setting there -> main" in report.detail


def test_what_a_trace_of_an_older_format_did_not_say_is_no_cause(postgres_stall: Stall) -> None:
    trace = _recorded(postgres_stall)
    assert trace.closed is not None and trace.closed.pins is not None
    assert trace.closed.pins.driver.startswith("psycopg ") and trace.closed.pins.search_path
    older = _other_rows(trace, driver="", search_path="")
    assert _replayed(postgres_stall, older).verdict == "data(restated)"


def test_every_pin_of_a_trace_is_among_them() -> None:
    assert {*PINS, *BY_A_CANDIDATE} == set(Pins.model_fields)
    assert set(SETTING_PINS) <= set(PINS)


def test_a_changed_zone_is_named_with_both(duckdb_stall: Stall) -> None:
    report = PINS["zone"][0](duckdb_stall)
    assert "time_zone" in report.detail and "Asia/Tokyo" in report.detail
