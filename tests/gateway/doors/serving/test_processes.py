"""`cellbound serve --workers 2` for real: what one process holds, none of the others needs.

A process that is stopped accepts nothing, so a test says which of the two answers.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitRequestParams, ElicitResult

from gateway.wiring import open_gateway
from tests.gateway.conftest import shop_in
from tests.servers.served import with_tokens
from traces.chain import Verified
from traces.frame import ChainKey
from traces.store.files import FileTraceStore

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[4]
MAIN = ["-c", "from gateway.doors.cli.main import main; main()"]
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", "")}
WAIT = 60.0
Plan = dict[str, object]
PLAN: Plan = {"metrics": ["order_count"]}
T = TypeVar("T")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Pair:
    """Two processes on one port, and their parent."""

    def __init__(self, folder: Path, process: "subprocess.Popen[str]", address: str, said: list[str]) -> None:
        self.folder = folder
        self.process = process
        self.address = address
        self.said = said

    def members(self) -> tuple[int, ...]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(
            encoding="ascii"
        )
        return tuple(int(each) for each in children.split())

    def only(self, chosen: int) -> None:
        """Let one process go on, and the others stand still."""
        for each in self.members():
            os.kill(each, signal.SIGCONT if each == chosen else signal.SIGSTOP)

    def both(self) -> None:
        for each in self.members():
            os.kill(each, signal.SIGCONT)

    def ask(self, body: Plan, who: str = "ana") -> dict[str, Any]:
        answer = self.post("/v1/questions", body, who)
        assert "outcome" in answer.json(), (answer.text, self.said)
        return dict(answer.json())

    def post(self, path: str, body: Plan, who: str, seconds: float = WAIT) -> httpx.Response:
        return httpx.post(f"{self.address}{path}", json=body, headers=bearer(who), timeout=seconds)


def bearer(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {name}"}


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def project(shop: Path) -> Path:
    return with_turnover(shop)


def with_turnover(shop: Path) -> Path:
    """Let two metrics of a shop be called turnover, and let people in."""
    with_tokens(shop, ("ana", "emil", "rita"))
    file = shop / "metrics" / "sales.yml"
    text = file.read_text(encoding="utf-8")
    assert "net sales, sales]" in text
    file.write_text(text.replace("net sales, sales]", "net sales, sales, turnover]"), encoding="utf-8")
    return shop


@contextmanager
def started(project: Path) -> Iterator[Pair]:
    """Serve for the length of a block, and see that all of it ends."""
    process = subprocess.Popen(command(project), env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    said: list[str] = []
    heard = threading.Event()
    listening = threading.Thread(target=listen, args=(process, said, heard), daemon=True)
    listening.start()
    try:
        assert heard.wait(WAIT)
        found = re.search(r"http://[\d.:]+", said[0])
        assert found, said
        running = Pair(project, process, found[0], said)
        yield running
        if process.poll() is None:
            running.both()
            process.terminate()
        assert process.wait(WAIT) in (0, -signal.SIGKILL), said
    finally:
        process.kill()
        listening.join(WAIT)


def listen(process: "subprocess.Popen[str]", said: list[str], heard: threading.Event) -> None:
    assert process.stderr is not None
    with process.stderr:
        for line in process.stderr:
            said.append(line)
            heard.set()
    process.wait()


def command(project: Path) -> list[str]:
    return [sys.executable, *MAIN, "serve", "--port", "0", "--workers", "2", "--project", str(project)]


@pytest.fixture
def pair(project: Path) -> Iterator[Pair]:
    """Two processes that a test may end."""
    with started(project) as running:
        yield running


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory, shop_file: Path) -> Iterator[Pair]:
    with started(with_turnover(shop_in(tmp_path_factory.mktemp("lasting"), shop_file))) as running:
        yield running


@pytest.fixture
def shared(lasting: Pair) -> Iterator[Pair]:
    """Two processes for every test that ends none and looks at its own questions alone."""
    yield lasting
    lasting.both()


def test_a_process_that_is_killed_at_work_is_replaced_and_its_question_stays_on_the_record(
    pair: Pair, revenue: Plan
) -> None:
    """The database's workers stand still, so that a question is known to run when its process is killed."""
    first, second = pair.members()
    pair.only(first)
    answered = {pair.ask({"plan": revenue})["trace_id"]}
    workers = children_of(first)
    assert workers
    for each in workers:
        os.kill(each, signal.SIGSTOP)
    cut_off: list[bool] = []
    asked = threading.Thread(target=lambda: cut_off.append(is_cut_off(pair, revenue)), daemon=True)
    asked.start()
    until(lambda: bool(unfinished(pair.folder)))
    os.kill(first, signal.SIGKILL)
    asked.join(WAIT)
    for each in workers:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGCONT)
    assert cut_off == [True]

    os.kill(second, signal.SIGCONT)
    until(lambda: len(pair.members()) == 2 and first not in pair.members())
    answered.add(pair.ask({"plan": revenue})["trace_id"])
    assert any("another takes its place" in line for line in pair.said)
    assert len(unfinished(pair.folder)) == 1
    assert not unfinished(pair.folder) & answered
    until(lambda: not any(Path(f"/proc/{each}/stat").exists() for each in workers))
    pair.process.terminate()
    assert pair.process.wait(WAIT) == 0
    gateway = open_gateway(pair.folder)
    try:
        assert all(isinstance(verdict, Verified) for verdict in gateway.traces.verify())
    finally:
        gateway.close()


@contextmanager
def at_work(pair: Pair, chosen: int, begin: Callable[[], T]) -> Iterator[T]:
    """Let one process take what `begin` asks, with its database standing still for the length of a block."""
    pair.only(chosen)
    assert pair.ask({"plan": PLAN})["outcome"] == "answered", "its database has begun"
    workers = children_of(chosen)
    assert workers
    for each in workers:
        os.kill(each, signal.SIGSTOP)
    try:
        begun = begin()
        until(lambda: bool(unfinished(pair.folder)))
        yield begun
    finally:
        for each in workers:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGCONT)


def is_cut_off(pair: Pair, revenue: Plan) -> bool:
    """Ask, and say whether the connection ended without an answer."""
    try:
        pair.ask({"plan": {**revenue, "limit": 3}})
    except (httpx.RemoteProtocolError, httpx.ReadError):
        return True
    return False


def children_of(process: int) -> tuple[int, ...]:
    """Return the processes that any thread of a process started."""
    found = Path(f"/proc/{process}/task").glob("*/children")
    return tuple(int(each) for file in found for each in file.read_text(encoding="ascii").split())


def unfinished(project: Path) -> set[str]:
    """Return the questions that are open on disk, read as anybody reads who writes nothing there."""
    store = FileTraceStore(project / "var" / "traces", ChainKey("", b""))
    traces = [store.read(line.trace_id) for line in store.list(50)]
    return {trace.trace_id for trace in traces if trace is not None and trace.closed is None}


def test_what_is_held_in_one_process_is_decided_and_used_in_another(project: Path, revenue: Plan) -> None:
    file = project / "policies" / "policy.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("bytes: {warn: 20000000,", "bytes: {warn: 1,"), encoding="utf-8")
    with started(project) as pair:
        first, second = pair.members()
        pair.only(first)
        held = pair.ask({"plan": revenue})
        assert held["outcome"] == "held"
        pair.only(second)
        decision: Plan = {"verdict": "accept", "reason": "looked at it"}
        assert pair.post(f"/v1/holds/{held['hold_id']}/decisions", decision, "rita").status_code == 200
        approved: Plan = {"plan": revenue, "approval_id": held["hold_id"]}
        assert pair.ask(approved)["outcome"] == "answered"
        pair.only(first)
        assert pair.ask(approved)["outcome"] != "answered", "an approval is used once, wherever"


def test_a_key_that_one_process_has_answered_is_not_run_again_by_another(shared: Pair, revenue: Plan) -> None:
    replies = []
    for member in shared.members():
        shared.only(member)
        answer = httpx.post(
            f"{shared.address}/v1/questions",
            json={"plan": revenue},
            headers={**bearer("ana"), "Idempotency-Key": "one"},
            timeout=WAIT,
        )
        replies.append(answer.json()["trace_id"])
    assert len(set(replies)) == 1


def test_an_answer_of_one_process_is_checked_and_read_in_another(shared: Pair, revenue: Plan) -> None:
    first, second = shared.members()
    shared.only(first)
    reply = shared.ask({"plan": revenue})
    shared.only(second)
    draft: Plan = {"draft": reply["answer"].splitlines()[0], "trace_ids": [reply["trace_id"]]}
    assert shared.post("/v1/answers/check", draft, "ana").json()["outcome"] == "passed"
    trace = httpx.get(f"{shared.address}/v1/traces/{reply['trace_id']}", headers=bearer("ana"), timeout=WAIT)
    assert trace.json()["outcome"] == "answered"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_mcp_client_goes_on_with_another_process_at_every_call(shared: Pair, mode: str) -> None:
    """Two metrics are called turnover: the client is asked back by one process and answers another."""
    first, second = shared.members()
    asked: list[str] = []

    async def choose(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        shared.only(second)
        return ElicitResult(action="accept", content={"choice_1": "net_revenue"})

    unkept = httpx2.Limits(max_keepalive_connections=0)
    async with (
        httpx2.AsyncClient(headers=bearer("ana"), limits=unkept, timeout=WAIT) as http,
        Client(
            streamable_http_client(f"{shared.address}/mcp", http_client=http),
            mode=mode,
            elicitation_callback=choose,
        ) as client,
    ):
        shared.only(first)
        answer = await client.call_tool("ask_question", {"question": "turnover by region in Q3 2026"})
        shared.only(second)
        listed = await client.call_tool("list_metrics", {})
    assert (listed.structured_content or {}).get("metrics"), (listed, shared.said)
    outcome = (answer.structured_content or {})["outcome"]
    assert outcome == "answered" if mode == "auto" else outcome in ("answered", "needs_clarification")
    assert asked or mode == "legacy"


def test_questions_to_both_processes_at_once_leave_whole_logs(pair: Pair, revenue: Plan) -> None:
    """One stands still with what it took until the other has answered; the rest runs in both."""
    first, second = pair.members()
    replies: list[dict[str, Any]] = []

    def asking(limits: range) -> list[threading.Thread]:
        def ask(limit: int) -> None:
            replies.append(pair.ask({"plan": {**revenue, "limit": limit}}))

        found = [threading.Thread(target=ask, args=(limit,), daemon=True) for limit in limits]
        for each in found:
            each.start()
        return found

    with at_work(pair, first, lambda: asking(range(1, 7))) as threads:
        pair.only(second)
        threads += asking(range(7, 13))
        until(lambda: bool(replies))
        pair.both()
    for each in threads:
        each.join(WAIT)
    assert [reply["outcome"] for reply in replies] == ["answered"] * 12
    assert len({reply["receipt"]["log"] for reply in replies}) == 2, "each process has a log of its own"
    pair.process.terminate()
    assert pair.process.wait(WAIT) == 0
    gateway = open_gateway(pair.folder)
    try:
        assert all(isinstance(verdict, Verified) for verdict in gateway.traces.verify())
        assert len(list(gateway.traces.list(50))) == 13
    finally:
        gateway.close()


def test_told_to_end_both_end_and_what_runs_is_answered_first(pair: Pair, revenue: Plan) -> None:
    members = pair.members()
    first, second = members
    answers: list[int] = []

    def asking() -> threading.Thread:
        body: Plan = {"plan": {**revenue, "limit": 3}}
        found = threading.Thread(
            target=lambda: answers.append(pair.post("/v1/questions", body, "ana").status_code), daemon=True
        )
        found.start()
        return found

    with at_work(pair, second, asking) as asked:
        pair.both()
        pair.process.terminate()
        until(lambda: first not in pair.members())
        assert not answers
    asked.join(WAIT)
    assert pair.process.wait(WAIT) == 0
    assert answers == [200]
    for each in members:
        assert not Path(f"/proc/{each}").exists()


def test_processes_end_with_a_parent_that_was_killed(project: Path) -> None:
    with started(project) as pair:
        members = pair.members()
        pair.process.kill()
        until(lambda: not any(Path(f"/proc/{each}/stat").exists() for each in members))


def test_a_project_that_is_broken_is_told_and_never_served(project: Path) -> None:
    (project / "var" / "shop.duckdb").unlink()
    done = subprocess.run(
        command(project), env=ENVIRONMENT, capture_output=True, text=True, timeout=WAIT, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "listens" not in done.stderr and "Traceback" not in done.stderr and "[" in done.stderr
