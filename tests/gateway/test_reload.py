"""Changed definitions and policies come into force whole or not at all, while questions go on."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.doors.watch import watching
from gateway.engines.duckdb import DuckDBEngine
from gateway.houses import Houses
from gateway.operation.reload import Reload
from gateway.reply import Reply
from gateway.service import Gateway
from traces.records import Caller

Plan = dict[str, object]
V1 = "version: 3\n    owner: sales-analytics\n    label: Net revenue"
V2 = "version: 4\n    owner: sales-analytics\n    label: Net revenue"
OLD, NEW = "expression: gross_revenue - refunds\n", "expression: gross_revenue - refunds - shipping_fees\n"


def sales(shop: Path) -> Path:
    return shop / "metrics" / "sales.yml"


def second_version(text: str) -> str:
    assert V1 in text and OLD in text
    return text.replace(V1, V2).replace(OLD, NEW)


def edit(file: Path, change: Callable[[str], str]) -> None:
    before = file.read_text(encoding="utf-8")
    after = change(before)
    assert after != before, "the edit changed nothing"
    file.write_text(after, encoding="utf-8")


def reloaded(gateway: Gateway) -> Reload:
    found = gateway.reload()
    assert found is not None
    return found


def asked(gateway: Gateway, who: Caller, plan: Plan) -> Reply:
    reply = gateway.ask(who, plan)
    assert reply.outcome == "answered", reply.issues
    return reply


def closings(monkeypatch: pytest.MonkeyPatch) -> list[DuckDBEngine]:
    closed: list[DuckDBEngine] = []
    close = DuckDBEngine.close

    def closing(engine: DuckDBEngine) -> None:
        closed.append(engine)
        close(engine)

    monkeypatch.setattr(DuckDBEngine, "close", closing)
    return closed


def test_a_changed_definition_is_in_force_from_the_next_question_on(
    gateway: Gateway, shop: Path, ana: Caller, revenue: Plan
) -> None:
    before = asked(gateway, ana, revenue)
    edit(sales(shop), second_version)
    assert asked(gateway, ana, revenue).rows == before.rows, "nobody looked yet"
    assert reloaded(gateway).outcome == "changed"
    after = asked(gateway, ana, revenue)
    assert after.rows != before.rows
    assert [column.version for column in after.columns if column.name == "net_revenue"] == [4]


def test_a_stamp_stands_for_who_asks_and_for_the_definitions_in_force(
    gateway: Gateway, shop: Path, ana: Caller, emil: Caller
) -> None:
    before = gateway.stamp(ana)
    assert before == gateway.stamp(ana) != gateway.stamp(emil)
    edit(sales(shop), second_version)
    assert gateway.stamp(ana) == before, "nobody looked yet"
    assert reloaded(gateway).outcome == "changed"
    assert gateway.stamp(ana) != before


def test_files_as_they_were_change_nothing(gateway: Gateway, shop: Path) -> None:
    house = gateway.house
    assert reloaded(gateway).outcome == "unchanged"
    edit(sales(shop), lambda text: text + "\n# a remark\n")
    assert reloaded(gateway).outcome == "unchanged"
    assert gateway.house is house, "what was worked out for it is kept"


@pytest.mark.slow
def test_every_answer_asked_during_a_reload_is_wholly_of_one_version(
    gateway: Gateway, shop: Path, ana: Caller, revenue: Plan
) -> None:
    texts = (sales(shop).read_text(encoding="utf-8"), second_version(sales(shop).read_text(encoding="utf-8")))
    truth: dict[str, object] = {}
    for text in texts:
        sales(shop).write_text(text, encoding="utf-8")
        reloaded(gateway)
        truth[gateway.house.layer.digest] = asked(gateway, ana, revenue).rows
    assert len(truth) == 2 and len(set(map(str, truth.values()))) == 2

    ended = threading.Event()

    def turn() -> None:
        for turned in range(10_000):
            sales(shop).write_text(texts[turned % 2], encoding="utf-8")
            reloaded(gateway)
            if ended.wait(0.005):
                return

    with ThreadPoolExecutor(5) as pool:
        turning = pool.submit(turn)
        replies = list(pool.map(lambda _: asked(gateway, ana, revenue), range(200)))
        ended.set()
        turning.result()
    seen = set()
    for reply in replies:
        trace = gateway.traces.read(reply.trace_id)
        assert trace is not None and trace.closed is not None and trace.closed.pins is not None
        assert reply.rows == truth[trace.closed.pins.layer], "the numbers of the pinned definitions"
        pinned = {(used.name, used.version) for used in trace.closed.pins.used}
        shown = [column.version for column in reply.columns if column.name == "net_revenue"]
        assert [("net_revenue", version) in pinned for version in shown] == [True]
        seen.add(trace.closed.pins.layer)
    assert seen == set(truth), "both versions answered while they changed"


def test_the_last_good_set_answers_while_the_files_are_wrong(
    gateway: Gateway, shop: Path, ana: Caller, revenue: Plan
) -> None:
    before = asked(gateway, ana, revenue).rows
    good = sales(shop).read_text(encoding="utf-8")
    sales(shop).write_text(good.replace(OLD, "expression: gross_revenu - refunds\n"), encoding="utf-8")
    refused = reloaded(gateway)
    assert refused.outcome == "refused"
    assert [issue.code for issue in refused.issues] == ["unknown_metric"]
    assert refused.issues[0].place.startswith("metrics/sales.yml:")
    assert reloaded(gateway) == refused, "said again as long as it is so"
    assert asked(gateway, ana, revenue).rows == before
    ready = gateway.ready()
    found = next(finding for finding in ready.findings if finding.name == "reload")
    assert ready.ready and not found.ok
    assert "metrics/sales.yml:" in found.detail and "gross_revenu" in found.detail
    sales(shop).write_text(good, encoding="utf-8")
    assert reloaded(gateway).outcome == "unchanged"
    assert "reload" not in {finding.name for finding in gateway.ready().findings}


def test_a_policy_in_force_next_may_take_a_metric_away(
    gateway: Gateway, shop: Path, ana: Caller, emil: Caller, revenue: Plan
) -> None:
    plan = {**revenue, "metrics": ["units_sold"]}
    asked(gateway, emil, plan)
    edit(shop / "policies" / "policy.yml", lambda text: text.replace("      - units_sold\n", ""))
    assert reloaded(gateway).outcome == "changed"
    assert gateway.ask(emil, plan).outcome == "invalid_plan"
    assert "units_sold" not in {line.name for line in gateway.list_metrics(emil).metrics}
    asked(gateway, ana, plan)


def test_a_wrong_policy_is_refused_with_its_place_but_not_the_servers_path(
    gateway: Gateway, shop: Path
) -> None:
    edit(shop / "policies" / "policy.yml", lambda text: text.replace("hold_minutes", "hold_minuts"))
    refused = reloaded(gateway)
    assert refused.outcome == "refused"
    assert [issue.place.partition(":")[0] for issue in refused.issues] == ["policies/policy.yml"]


def test_a_changed_formula_keeps_the_engine(
    gateway: Gateway, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, closed = gateway.house.engine, closings(monkeypatch)
    edit(sales(shop), second_version)
    reloaded(gateway)
    assert gateway.house.engine is engine and not closed


def test_a_changed_row_rule_opens_an_engine_of_its_own(
    gateway: Gateway, shop: Path, emil: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, closed = gateway.house.engine, closings(monkeypatch)
    edit(shop / "policies" / "policy.yml", lambda text: text.replace("values: [EMEA]", "values: [APAC]"))
    assert reloaded(gateway).outcome == "changed"
    assert closed == [engine] and gateway.house.engine is not engine
    assert {row[1] for row in asked(gateway, emil, revenue).rows} == {"APAC"}


def test_an_engine_closes_behind_its_last_question_and_no_sooner(
    gateway: Gateway, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, closed = gateway.house, closings(monkeypatch)
    with gateway.houses.asking() as first:
        edit(sales(shop), second_version)
        reloaded(gateway)
        with gateway.houses.asking() as second:
            assert first.engine is second.engine is old.engine and first.layer is not second.layer
            edit(shop / "policies" / "policy.yml", lambda text: text.replace("seconds: 30", "seconds: 29"))
            assert reloaded(gateway).outcome == "changed"
            assert gateway.house.engine is not old.engine
        assert closed == [], "the first question still runs on it"
    assert closed == [old.engine]


def test_a_policy_that_the_database_does_not_hold_is_not_put_in_force(
    gateway: Gateway, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = gateway.house
    monkeypatch.setattr(DuckDBEngine, "probe", lambda *_: ("sees 3 rows that its rule forbids",))
    closed = closings(monkeypatch)
    edit(shop / "policies" / "policy.yml", lambda text: text.replace("values: [EMEA]", "values: [APAC]"))
    refused = reloaded(gateway)
    assert refused.outcome == "refused" and {issue.code for issue in refused.issues} == {"not_proved"}
    assert gateway.house is house
    assert len(closed) == 1 and closed[0] is not house.engine, "what was opened in vain is given back"


def test_files_that_are_still_being_written_wait_for_the_next_look(gateway: Gateway, shop: Path) -> None:
    edit(sales(shop), second_version)
    outcomes = []
    for _ in range(3):
        found = gateway.reload(once_settled=True)
        assert found is not None
        outcomes.append(found.outcome)
    assert outcomes == ["moving", "changed", "unchanged"]


def test_files_that_change_while_they_are_read_are_read_again(
    gateway: Gateway, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = gateway.house
    edit(sales(shop), second_version)
    reloader: Any = gateway._reloader
    read = reloader._files.read

    def written_meanwhile(old: object) -> object:
        found = read(old)
        edit(sales(shop), lambda text: text + "\n# still writing\n")
        return found

    monkeypatch.setattr(reloader._files, "read", written_meanwhile)
    assert reloaded(gateway).outcome == "moving" and gateway.house is house
    monkeypatch.undo()
    assert reloaded(gateway).outcome == "changed"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1))
def test_a_file_cut_anywhere_never_takes_the_service_down(gateway: Gateway, shop: Path, share: float) -> None:
    whole = sales(shop).read_bytes()
    try:
        sales(shop).write_bytes(whole[: int(len(whole) * share)])
        found = reloaded(gateway)
        assert found.outcome in ("refused", "changed", "unchanged")
        assert (found.outcome == "refused") == bool(found.issues)
        assert gateway.ready().ready
    finally:
        sales(shop).write_bytes(whole)
        reloaded(gateway)


def test_the_watch_says_what_became_of_a_change_once(gateway: Gateway, shop: Path) -> None:
    told: list[str] = []
    heard = threading.Semaphore(0)

    def tell(line: str) -> None:
        told.append(line)
        heard.release()

    good = sales(shop).read_text(encoding="utf-8")
    with watching(gateway, 0.02, tell):
        sales(shop).write_text(good + "\nmetrics:\n", encoding="utf-8")
        assert heard.acquire(timeout=20)
        sales(shop).write_text(second_version(good), encoding="utf-8")
        assert heard.acquire(timeout=20)
    assert len(told) == 2
    assert told[0].startswith("not reloaded, layer ") and "metrics/sales.yml:" in told[0]
    assert told[1] == f"reloaded: layer {gateway.house.layer.digest[:12]}, " + (
        f"policy {gateway.house.governed.digest[:12]}"
    )


def test_a_watch_of_zero_seconds_never_looks(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bool] = []
    monkeypatch.setattr(gateway, "reload", lambda **_: looked.append(True))
    with watching(gateway, 0, lambda _: None):
        threading.Event().wait(0.05)
    assert not looked


def test_a_look_that_fails_ends_no_watch(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = threading.Semaphore(0)

    def broken(**_: object) -> None:
        looked.release()
        raise RuntimeError("a defect")

    monkeypatch.setattr(gateway, "reload", broken)
    told: list[str] = []
    with watching(gateway, 0.01, told.append):
        assert looked.acquire(timeout=20) and looked.acquire(timeout=20)
    assert len(told) == 1 and "defect" in told[0]


def test_an_older_question_keeps_its_house(gateway: Gateway, shop: Path) -> None:
    houses: Houses = gateway.houses
    with houses.asking() as house:
        edit(sales(shop), second_version)
        reloaded(gateway)
        assert house is not gateway.house
        assert house.layer.metrics["net_revenue"].version == 3
        assert gateway.house.layer.metrics["net_revenue"].version == 4
