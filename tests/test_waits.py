"""Every wait has a deadline: one that has none is listed here, with what ends it."""

import ast
from collections import Counter

import pytest

from tests.test_house import HOUSE, places

WAITS = frozenset(("wait", "join", "acquire", "communicate", "result", "recv", "get"))
REACHES = frozenset(("Client", "AsyncClient", "urlopen", "create_connection", "post"))
"""What opens a connection: its deadline is given with it."""
DONE = "the future is done: this reads it"
STOPS = "the thread looks at an event that was set just before, or ends with its current bounded step"
ENDED_BY = {
    "evals/runner.py": (1, DONE),
    "gateway/doors/http/events.py": (7, "with the question, which has a deadline, or the caller's leaving"),
    "gateway/doors/http/holds.py": (2, "with the time that the caller gave to wait, or their leaving"),
    "gateway/doors/mcp/late.py": (1, "inside asyncio.timeout"),
    "gateway/doors/mcp/progress.py": (1, "with the call, which puts the last stage or cancels"),
    "gateway/doors/serving/processes.py": (2, "a pipe that has something; a process that was killed"),
    "gateway/doors/serving/rechecking.py": (1, STOPS),
    "gateway/doors/serving/shared_counts.py": (1, STOPS),
    "gateway/doors/threads.py": (2, "the end is put into the queue; a question has a deadline"),
    "gateway/doors/watch.py": (1, STOPS),
    "gateway/engines/blocking.py": (1, DONE),
    "gateway/engines/duckdb_extracts.py": (1, DONE),
    "gateway/engines/duckdb_fleet.py": (1, DONE),
    "gateway/engines/event_loop.py": (
        2,
        "the coroutine waits two seconds; the loop was stopped",
    ),
    "gateway/engines/postgres_pool.py": (1, DONE),
    "gateway/repeated.py": (1, STOPS),
    "gateway/tracing/live.py": (1, "a thread of its own that serves nobody; its end is put into the queue"),
    "traces/store/keeper.py": (1, "with the next record or the end, on a thread that serves nobody"),
    "traces/store/writer.py": (1, "takes a lock that was made the line before"),
}


def unbounded(node: ast.Call) -> bool:
    """Say whether a call waits and is given no time."""
    if not isinstance(node.func, ast.Attribute):
        return False
    named = {keyword.arg for keyword in node.keywords}
    owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
    bare = node.func.attr in WAITS and not node.args and not named
    many = (owner, node.func.attr) == ("asyncio", "wait") and "timeout" not in named
    reaches = owner.startswith(("httpx", "socket", "request")) and node.func.attr in REACHES
    runs = owner == "subprocess" and node.func.attr in ("run", "check_call", "check_output")
    connects = (owner, node.func.attr) == ("psycopg", "connect")
    limit = named & {"timeout", "connect_timeout", None}
    return bare or many or ((reaches or runs or connects) and not limit)


def test_no_wait_is_without_a_deadline_but_those_that_something_else_ends() -> None:
    found = Counter(place.partition(":")[0] for place, call in places(HOUSE, ast.Call) if unbounded(call))
    assert sum(found.values()) > 20, "the search finds waits"
    more = {file: count for file, count in found.items() if count > ENDED_BY.get(file, (0, ""))[0]}
    assert not more
    assert not set(ENDED_BY) - set(found), "what is listed is there"


@pytest.mark.parametrize(
    ("code", "waits"),
    [
        ("thread.join()", 1),
        ("thread.join(2)", 0),
        ("future.result(timeout=left)", 0),
        ("', '.join(names)", 0),
        ("await asyncio.wait({a, b})", 1),
        ("await asyncio.wait({a, b}, timeout=1)", 0),
        ("httpx.Client(base_url=url)", 1),
        ("subprocess.run(command, check=True)", 1),
        ("psycopg.connect(dsn, connect_timeout=5)", 0),
    ],
)
def test_what_waits_is_told_from_what_does_not(code: str, waits: int) -> None:
    calls = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call))
    assert len([call for call in calls if unbounded(call)]) == waits
