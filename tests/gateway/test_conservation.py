"""No figure leaves over joins that lost or repeated rows, and nothing is counted twice without need."""

import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from gateway.asking import EVALUATION, AskOptions
from gateway.service import Gateway
from gateway.stores.attestations import Attestation, AttestationStore
from gateway.wiring import open_gateway
from traces.records import Caller, DataReference

Plan = dict[str, object]
Open = Callable[[], Gateway]


@pytest.fixture
def change(shop: Path, tmp_path: Path) -> Callable[[str], None]:
    """Runs one statement on a copy of the shop's database and puts the copy in its place."""

    def changed(statement: str) -> None:
        file, other = shop / "var" / "shop.duckdb", tmp_path / "other.duckdb"
        shutil.copy(file, other)
        with duckdb.connect(str(other)) as database:
            database.execute(statement)
        file.unlink()
        shutil.move(other, file)

    return changed


REPEAT = "INSERT INTO customers SELECT * FROM customers WHERE region = 'EMEA' LIMIT 1"


def verdicts(gateway: Gateway, trace_id: str, check: str = "row_conservation") -> list[str]:
    trace = gateway.traces.read(trace_id)
    assert trace is not None and trace.closed is not None
    return [decision.verdict for decision in trace.closed.decisions if decision.check == check]


def guarded(gateway: Gateway, trace_id: str) -> bool:
    trace = gateway.traces.read(trace_id)
    assert trace is not None and trace.closed is not None and trace.closed.query is not None
    return bool(trace.closed.query.guard)


def test_one_repeated_key_is_caught_before_an_answer_leaves(
    open_shop: Open, change: Callable[[str], None], ana: Caller, revenue: Plan
) -> None:
    change(REPEAT)
    gateway = open_shop()
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "denied" and not reply.rows and not reply.answer
    issue = reply.issues[0]
    assert (issue.code, issue.stage) == ("row_conservation", "rows")
    assert issue.path == "line_order, order_customer"
    assert "customers (customer_id)" in issue.message and "repeated" in issue.message
    assert "GROUP BY" in issue.next_step and '"customers"' in issue.next_step


def test_the_query_in_the_refusal_shows_the_rows_that_repeat_the_key(
    open_shop: Open, change: Callable[[str], None], shop: Path, ana: Caller, revenue: Plan
) -> None:
    change(REPEAT)
    step = open_shop().ask(ana, revenue).issues[0].next_step
    query = next(part for part in step.split("; ") if "customers" in part).split(": ")[-1]
    with duckdb.connect(str(shop / "var" / "shop.duckdb"), read_only=True) as database:
        rows = database.execute(query).fetchall()
    assert [row[-1] for row in rows] == [2]


def test_a_plan_is_counted_once_per_state_of_the_data(
    open_shop: Open, change: Callable[[str], None], ana: Caller, revenue: Plan
) -> None:
    gateway = open_shop()
    first, second = gateway.ask(ana, revenue), gateway.ask(ana, revenue)
    assert set(verdicts(gateway, first.trace_id)) == {"allow"}
    assert guarded(gateway, first.trace_id) and not guarded(gateway, second.trace_id)
    assert verdicts(gateway, second.trace_id) == ["skipped"]
    gateway.close()
    change("UPDATE orders SET shipping_fee = shipping_fee + 1")
    third = open_shop()
    assert guarded(third, third.ask(ana, revenue).trace_id)


def test_another_role_counts_for_itself(gateway: Gateway, ana: Caller, emil: Caller, revenue: Plan) -> None:
    gateway.ask(ana, revenue)
    assert guarded(gateway, gateway.ask(emil, revenue).trace_id)


def test_a_plan_that_joins_nothing_has_nothing_to_count(gateway: Gateway, ana: Caller) -> None:
    reply = gateway.ask(ana, {"metrics": ["order_count"]})
    assert reply.outcome == "answered"
    assert not guarded(gateway, reply.trace_id) and verdicts(gateway, reply.trace_id) == ["skipped"]


def test_a_question_reads_once_what_is_attested(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[str, ...]] = []
    known = AttestationStore.of

    def of(store: AttestationStore, relationships: Iterable[str]) -> Mapping[str, Attestation]:
        read.append(tuple(relationships))
        return known(store, read[-1])

    monkeypatch.setattr(AttestationStore, "of", of)
    assert gateway.ask(ana, revenue).outcome == "answered"
    assert len(read) == 1 and read[0]


def test_attested_keys_need_no_counting(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    report = gateway.attest(ana)
    assert {key.relationship: key.repeated for key in report.keys}["order_customer"] == 0
    assert not guarded(gateway, gateway.ask(ana, revenue).trace_id)


def test_a_key_that_failed_its_attestation_is_joined_on_by_nobody(
    open_shop: Open, change: Callable[[str], None], ana: Caller, revenue: Plan
) -> None:
    change(REPEAT)
    gateway = open_shop()
    report = gateway.attest(ana)
    broken = {key.relationship: key for key in report.keys if key.repeated}
    assert not report.ok and broken["order_customer"].repeated == 1
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "denied" and reply.issues[0].code == "key_attestation"
    assert broken["order_customer"].query in reply.issues[0].next_step
    assert gateway.ask(ana, {"metrics": ["order_count"]}).outcome == "answered"


def test_who_sees_a_part_attests_nothing(gateway: Gateway, emil: Caller) -> None:
    report = gateway.attest(emil)
    assert not report.ok
    assert all("does not see all" in key.uncounted for key in report.keys if "customers" in key.key)


def test_an_attestation_of_other_data_does_not_count(
    open_shop: Open, change: Callable[[str], None], ana: Caller, revenue: Plan
) -> None:
    first = open_shop()
    first.attest(ana)
    first.close()
    change(REPEAT)
    assert open_shop().ask(ana, revenue).outcome == "denied"


def test_a_dry_run_prices_the_count_with_the_query(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    counted = gateway.ask(ana, revenue, options=AskOptions(dry_run=True))
    gateway.attest(ana)
    alone = gateway.ask(ana, revenue, options=AskOptions(dry_run=True))
    assert counted.estimate is not None and alone.estimate is not None
    assert (counted.estimate.bytes or 0) > (alone.estimate.bytes or 0) > 0


def test_a_count_that_alone_goes_over_the_budget_is_held(
    open_shop: Open, shop: Path, ana: Caller, revenue: Plan
) -> None:
    gateway = open_shop()
    counted = gateway.ask(ana, revenue, options=AskOptions(dry_run=True))
    gateway.attest(ana)
    alone = gateway.ask(ana, revenue, options=AskOptions(dry_run=True))
    gateway.close()
    assert counted.estimate is not None and alone.estimate is not None
    line = ((counted.estimate.bytes or 0) + (alone.estimate.bytes or 0)) // 2
    policy = next((shop / "policies").glob("*.yml"))
    policy.write_text(
        policy.read_text().replace("{warn: 20000000, hard: 40000000}", f"{{warn: {line}, hard: {line}}}")
    )
    for file in (shop / "var").glob("attestations.sqlite*"):
        file.unlink()
    held = open_shop().ask(ana, revenue)
    assert held.outcome == "held" and held.issues[0].code == "row_conservation"


@pytest.mark.parametrize("mode", ["always", "never"])
def test_the_policy_says_when_rows_are_counted(
    open_shop: Open, shop: Path, ana: Caller, revenue: Plan, mode: str
) -> None:
    policy = next((shop / "policies").glob("*.yml"))
    policy.write_text(policy.read_text() + f"\nevidence: {{guard: {mode}}}\n")
    gateway = open_shop()
    asked = [gateway.ask(ana, revenue).trace_id for _ in range(2)]
    assert [guarded(gateway, trace_id) for trace_id in asked] == [mode == "always"] * 2


def test_a_guarded_answer_replays_the_same(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    asked = [gateway.ask(ana, revenue).trace_id for _ in range(2)]
    reports = [gateway.replay(ana, trace_id) for trace_id in asked]
    assert [report.verdict for report in reports if report] == ["same", "same"]


def test_an_attestation_ends_with_the_relation_it_counted(
    open_shop: Open, change: Callable[[str], None], shop: Path, ana: Caller, revenue: Plan
) -> None:
    change("CREATE TABLE clients AS SELECT * FROM customers UNION ALL SELECT * FROM customers")
    first = open_shop()
    first.attest(ana)
    first.close()
    datasets = shop / "metrics" / "datasets.yml"
    text = datasets.read_text()
    assert "    relation: customers\n" in text
    datasets.write_text(text.replace("    relation: customers\n", "    relation: clients\n"))
    reply = open_shop().ask(ana, revenue)
    assert reply.outcome == "denied" and reply.issues[0].code == "row_conservation"


def test_a_count_that_misses_a_branch_is_no_proof(
    gateway: Gateway, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = gateway.house.engine
    run = engine.run
    monkeypatch.setattr(engine, "run", lambda *a, **k: replace(run(*a, **k), beside=()))
    reply = gateway.ask(ana, revenue)
    assert reply.outcome == "held" and reply.issues[0].code == "row_conservation"
    monkeypatch.undo()
    assert guarded(gateway, gateway.ask(ana, revenue).trace_id), "nothing was remembered as counted"


def test_a_broken_key_says_nothing_to_a_role_that_sees_a_part(
    open_shop: Open, change: Callable[[str], None], ana: Caller, emil: Caller, revenue: Plan
) -> None:
    change("INSERT INTO customers SELECT * FROM customers WHERE region = 'APAC' LIMIT 1")
    gateway = open_shop()
    assert not gateway.attest(ana).ok
    reply = gateway.ask(emil, revenue)
    assert reply.outcome == "answered", reply.issues
    assert guarded(gateway, reply.trace_id), "the rows that the role sees were counted"


def test_the_size_of_a_small_group_is_not_told(gateway: Gateway, ana: Caller) -> None:
    plan = {
        "metrics": ["order_count"],
        "dimensions": ["region"],
        "time": {"field": "order_date", "from": "1990-01-01", "to": "1990-01-02"},
    }
    trace = gateway.traces.read(gateway.ask(ana, plan).trace_id)
    assert trace is not None and trace.closed is not None
    seen = [d.seen for d in trace.closed.decisions if d.check == "row_conservation"]
    assert seen == ["few rows"]


def test_an_evaluation_counts_in_every_question(gateway: Gateway, ana: Caller, revenue: Plan) -> None:
    gateway.attest(ana)
    asked = [gateway.ask(ana, revenue, door=EVALUATION).trace_id for _ in range(2)]
    assert [guarded(gateway, trace_id) for trace_id in asked] == [True, True]


def test_a_stale_attestation_makes_the_question_count_and_holds_only_where_it_cannot(
    shop: Path, ana: Caller, revenue: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the database cannot name its data, an attestation is as good as it is young."""
    at = [datetime(2026, 10, 2, 12, tzinfo=UTC)]
    with closing(open_gateway(shop, now=lambda: at[0])) as gateway:
        engine = gateway.house.engine
        monkeypatch.setattr(engine, "pin", lambda *_: DataReference(kind="none", value=""))
        assert gateway.attest(ana).ok
        hours = gateway.house.governed.policy.evidence.attested_hours
        at[0] += timedelta(hours=hours - 1)
        young = gateway.ask(ana, revenue)
        assert young.outcome == "answered" and not guarded(gateway, young.trace_id)
        assert any("joins were last counted at 2026-10-02 12:00 UTC" in note for note in young.notes)
        at[0] += timedelta(hours=2)
        run = engine.run
        monkeypatch.setattr(engine, "run", lambda *a, **k: replace(run(*a, **k), beside=()))
        held = gateway.ask(ana, revenue)
        assert held.outcome == "held" and {issue.code for issue in held.issues} == {"row_conservation"}
        monkeypatch.setattr(engine, "run", run)
        counted = gateway.ask(ana, revenue)
        assert counted.outcome == "answered" and guarded(gateway, counted.trace_id)
        after = gateway.ask(ana, revenue)
        assert after.outcome == "answered" and not guarded(gateway, after.trace_id)
