"""Two gateways of one project over one PostgreSQL: what one of them decided, counted or kept, both know."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gateway.asking import AskOptions
from gateway.doors.faults import refusal_for, status_for
from gateway.errors import Busy, SettingsInvalid
from gateway.reply import Refusal, Reply
from gateway.service import Gateway
from gateway.settings.file import load_settings
from gateway.stores.rows import StoreUnusable
from gateway.wiring import open_gateway
from tests.servers.state import StateDatabase
from traces.records import Caller

Plan = dict[str, object]
Replicas = tuple[Gateway, Gateway]
TIGHT = ("bytes: {warn: 20000000, hard: 40000000}", "bytes: {warn: 1, hard: 1000000000000}")
"""A budget under which whatever reads a table waits for a reviewer."""


@pytest.fixture
def open_replicas(shop: Path, state_database: StateDatabase) -> Iterator[Callable[[], Replicas]]:
    """Opens two gateways as on two machines: the same files and keys, and no state file."""
    opened: list[Gateway] = []

    def both() -> Replicas:
        with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
            settings.write(f'\n[state]\nurl = "{state_database.url}"\n')
        opened.extend(open_gateway(shop) for _ in range(2))
        return opened[0], opened[1]

    yield both
    for gateway in opened:
        gateway.close()


@pytest.fixture
def replicas(open_replicas: Callable[[], Replicas]) -> Replicas:
    return open_replicas()


@pytest.fixture
def tight(shop: Path, open_replicas: Callable[[], Replicas]) -> Replicas:
    """Two replicas under a budget that holds every question."""
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    assert TIGHT[0] in text
    policy.write_text(text.replace(*TIGHT), encoding="utf-8")
    return open_replicas()


def together(replicas: Replicas, work: Callable[[Gateway], object], times: int) -> list[object]:
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda n: work(replicas[n % 2]), range(times)))


def test_nothing_of_the_state_is_in_a_file(
    replicas: Replicas, shop: Path, ana: Caller, revenue: Plan
) -> None:
    assert replicas[0].ask(ana, revenue).outcome == "answered"
    assert not list((shop / "var").glob("*.sqlite*"))


@pytest.mark.parametrize("kept_in", ["a file", "PostgreSQL"])
def test_a_question_without_a_join_is_answered_wherever_state_is(
    request: pytest.FixtureRequest, open_shop: Callable[[], Gateway], ana: Caller, kept_in: str
) -> None:
    gateway = open_shop() if kept_in == "a file" else request.getfixturevalue("replicas")[0]
    plan = {"metrics": ["order_count"], "time": {"from": "2026-07-01", "to": "2026-09-30"}}
    reply = gateway.ask(ana, plan)
    assert reply.outcome == "answered", reply.issues
    assert " join " not in reply.sql.lower(), "the plan reads one table"


def test_an_id_that_can_be_none_is_unknown_and_no_fault_of_the_store(
    tight: Replicas, ana: Caller, rita: Caller, revenue: Plan
) -> None:
    gateway, never = tight[0], "h\0"
    for found in (
        gateway.show_hold(rita, never),
        gateway.decide_hold(rita, never, "accept", "looked at it"),
        gateway.await_decision(rita, never, 0.1),
    ):
        assert isinstance(found, Refusal) and found.issues[0].code == "unknown_hold"
    assert not gateway.hold_waits(rita, never)
    held = gateway.ask(ana, revenue, AskOptions.model_validate({"approval_id": never}))
    assert held.outcome == "held" and "approval_unknown" in [issue.code for issue in held.issues]
    assert gateway.get_trace(ana, never) is None
    assert isinstance(gateway.result(ana, never), Refusal)


def test_another_project_of_the_same_name_is_refused_by_its_keys(
    replicas: Replicas, shop: Path, ana: Caller, revenue: Plan
) -> None:
    assert replicas[0].ask(ana, revenue).outcome == "answered"
    keys = shop / "var" / "keys.json"
    keys.rename(shop / "var" / "theirs.json")
    other = open_gateway(shop)
    with pytest.raises(StoreUnusable) as caught:
        other.state.probe()
    other.close()
    assert [issue.code for issue in caught.value.issues] == ["store_of_another"]
    assert replicas[1].ready().ready


def test_a_key_runs_once_whoever_gets_the_request(replicas: Replicas, ana: Caller) -> None:
    ran: list[int] = []

    def work() -> Reply:
        ran.append(1)
        return Reply(outcome="answered", trace_id="t1")

    def ask(gateway: Gateway) -> object:
        try:
            return gateway.once(ana, "k", "d", work).trace_id
        except Busy:
            return "busy"

    assert set(together(replicas, ask, 12)) <= {"t1", "busy"}
    assert ran == [1]


def test_a_result_and_a_conversation_go_on_at_the_other_replica(replicas: Replicas, ana: Caller) -> None:
    first, second = replicas
    options = AskOptions.model_validate({"conversation": "c1"})
    told = first.ask_question(ana, "net revenue by region in Q3 2026", options)
    assert told.outcome == "answered"
    after = second.ask_question(ana, "by month instead", options)
    assert after.outcome == "answered" and after.plan is not None
    assert str(after.plan.time.from_) == "2026-07-01"  # type: ignore[union-attr]
    checked = second.check_answer(ana, told.answer, (told.trace_id,))
    assert checked.outcome == "passed"


def test_a_database_that_is_away_is_a_named_503_and_loses_no_hold(
    tight: Replicas, ana: Caller, revenue: Plan, state_database: StateDatabase
) -> None:
    first, second = tight
    held = hold(first, ana, revenue)
    state_database.open(to=False)
    with pytest.raises(StoreUnusable) as caught:
        second.ask(ana, revenue)
    assert status_for(caught.value).http == 503
    told = refusal_for(caught.value)
    assert told.issues[0].code == "store_away" and not told.issues[0].place and told.issues[0].next_step
    findings = {each.name: each for each in second.ready().findings}
    assert not findings["state"].ok and not second.ready().ready
    state_database.open(to=True)
    assert second.ready().ready
    waiting = second.state.holds.find(held)
    assert waiting is not None and waiting.status == "waiting"


def test_an_accept_is_used_by_one_replica_only(tight: Replicas, ana: Caller, revenue: Plan) -> None:
    first, second = tight
    held = hold(first, ana, revenue)
    second.state.holds.rule(held, "accept", "rita")
    options = AskOptions.model_validate({"approval_id": held})
    replies = together(tight, lambda gateway: gateway.ask(ana, revenue, options).outcome, 6)
    assert sorted(map(str, replies)).count("answered") == 1
    assert set(replies) == {"answered", "held"}


def hold(gateway: Gateway, caller: Caller, plan: Plan) -> str:
    """Ask something that has to wait, and return its hold."""
    reply = gateway.ask(caller, plan)
    assert reply.outcome == "held", reply
    return reply.hold_id


def test_state_beside_the_data_is_refused(tmp_path: Path) -> None:
    url = "postgres://gateway@db.example/warehouse"
    data = "postgresql://asker@db.example:5432/warehouse"
    text = f'[project]\nname = "x"\n[engine]\nurl = "{data}"\n[state]\nurl = "{url}"\n'
    (tmp_path / "cellbound.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(tmp_path)
    assert [issue.code for issue in caught.value.issues] == ["state_beside_data"]
