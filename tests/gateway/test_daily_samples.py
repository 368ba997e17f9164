"""Each day some allowed and some stopped questions of every class are put where a person looks at them."""

import json
import stat
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from gateway.asking import EVALUATION, NO_DOOR, Door
from gateway.doors.watch import watching
from gateway.service import Gateway
from traces.records import Caller, Trace

PLAN = {"metrics": ["order_count"]}
WRONG = {"metrics": ["order_cuont"]}
RITA = Caller(user="rita", roles=("reviewer",), tenant="shop")
ELSEWHERE = Caller(user="rita", roles=("reviewer",), tenant="elsewhere")


def asked(house: Gateway, ana: Caller, plan: object, times: int = 1, door: Door = NO_DOOR) -> set[str]:
    return {house.ask(ana, plan, door=door).trace_id for _ in range(times)}


def test_a_day_that_is_over_is_drawn_once_per_class_and_outcome(
    open_house: Callable[[], Gateway], clock: list[datetime], shop: Path, ana: Caller
) -> None:
    house = open_house()
    allowed, stopped = asked(house, ana, PLAN, 5), asked(house, ana, WRONG, 2)
    asked(house, ana, PLAN, 1, EVALUATION)
    assert house.samples.draw() == (), "the day is not over"
    clock[0] += timedelta(days=1)
    assert house.samples.draw() == (datetime(2026, 10, 2).date(),)
    file = shop / "var" / "samples" / "2026-10-02.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (day,) = house.samples.kept(RITA)
    by_outcome = {each.outcome: each for each in day.drawn}
    assert {each.question_class for each in day.drawn} == {"governed"}
    assert (by_outcome["allowed"].n, len(by_outcome["allowed"].traces)) == (5, 3)
    assert set(by_outcome["allowed"].traces) < allowed
    assert by_outcome["stopped"].n == 2 and set(by_outcome["stopped"].traces) == stopped
    written = file.read_bytes()
    assert house.samples.draw() == () and open_house().samples.draw() == ()
    assert file.read_bytes() == written


def test_days_on_which_nobody_served_are_made_up_for(
    open_house: Callable[[], Gateway], clock: list[datetime], ana: Caller
) -> None:
    house = open_house()
    for _ in range(2):
        asked(house, ana, PLAN)
        clock[0] += timedelta(days=1)
    clock[0] += timedelta(days=2)
    assert [day.isoformat() for day in house.samples.draw()] == ["2026-10-02", "2026-10-03"]
    assert [each.day.isoformat() for each in house.samples.kept(RITA)] == ["2026-10-03", "2026-10-02"]


def test_questions_from_before_the_days_that_are_missing_stay_sealed(
    open_house: Callable[[], Gateway], clock: list[datetime], ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = open_house()
    old = asked(house, ana, PLAN, 3)
    clock[0] += timedelta(days=30)
    new = asked(house, ana, PLAN, 2)
    clock[0] += timedelta(days=1)
    read: list[str] = []
    reading = house.traces.read

    def noted(trace_id: str) -> Trace | None:
        read.append(trace_id)
        return reading(trace_id)

    monkeypatch.setattr(house.traces, "read", noted)
    assert len(house.samples.draw()) == 1
    assert set(read) == new and not old & set(read)


def test_samples_are_shown_to_who_may_audit_in_the_tenant_and_to_nobody_else(
    open_house: Callable[[], Gateway], clock: list[datetime], shop: Path, ana: Caller
) -> None:
    house = open_house()
    asked(house, ana, PLAN)
    clock[0] += timedelta(days=1)
    house.samples.draw()
    assert house.samples.kept(RITA)
    assert house.samples.kept(ana) == house.samples.kept(ELSEWHERE) == ()
    (shop / "var" / "samples" / "2026-10-02.json").write_text("[]", encoding="utf-8")
    assert house.samples.kept(RITA) == (), "a file that somebody wrote over shows nothing"


def test_a_project_that_wants_none_gets_none(
    shop: Path, open_house: Callable[[], Gateway], clock: list[datetime], ana: Caller
) -> None:
    settings = shop / "cellbound.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + "\n[evals]\nsamples = 0\n", encoding="utf-8")
    house = open_house()
    asked(house, ana, PLAN)
    clock[0] += timedelta(days=1)
    assert house.samples.draw() == () and not (shop / "var" / "samples").exists()


def test_who_serves_a_project_draws_without_being_asked(
    open_house: Callable[[], Gateway], clock: list[datetime], shop: Path, ana: Caller
) -> None:
    house = open_house()
    (trace,) = asked(house, ana, PLAN)
    clock[0] += timedelta(days=1)
    file = shop / "var" / "samples" / "2026-10-02.json"
    with watching(house, 0.01, lambda _: None):
        until = time.monotonic() + 20
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.01)
    drawn = json.loads(file.read_text(encoding="utf-8"))["tenants"]["shop"]
    assert [each["traces"] for each in drawn] == [[trace]]
