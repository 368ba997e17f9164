"""Whether the memory of the served gateway stays flat: mixed questions at a modest rate for half an hour.

python benchmarks/memory.py [--quick] [--json] [--minutes 30] [--rate 5]

In turn over HTTP and MCP: a plan asked before, a plan that nobody asked, a question in words, a plan that is
refused. Resident memory is read every ten seconds; `kb_per_1000` is the slope of its last two thirds in kB
for each thousand questions, of the gateway's own processes and of the database's workers. Caches fill in the
first third.
"""

import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import date, timedelta
from itertools import count, cycle
from pathlib import Path
from statistics import linear_regression
from time import monotonic
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402
from benchmarks.load import PLAN, http_request, mcp_request  # noqa: E402
from benchmarks.loading.driver import SECONDS, Wire  # noqa: E402
from benchmarks.loading.served import Served, gateway_at, project  # noqa: E402

EVERY_SECONDS = 10.0
FIRST_DAY = date(2025, 1, 1)
DAYS = 600


class Reading(NamedTuple):
    """Questions so far, and kB resident in the gateway's own processes and in those of the database."""

    asked: int
    own: float
    workers: float


def main() -> None:
    """Run the benchmark and print its figures, or one JSON object."""
    options = options_of(__doc__)
    options.add_argument("--minutes", type=float, default=30.0)
    options.add_argument("--rate", type=float, default=5.0, help="questions a second")
    chosen = options.parse_args()
    seconds = 30.0 if chosen.quick else chosen.minutes * 60
    figures = asyncio.run(measure(seconds, chosen.rate, seconds / 15 if chosen.quick else EVERY_SECONDS))
    if chosen.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for name, value in figures.items():
        sys.stdout.write(f"{name:>14}  {json.dumps(value)}\n")


async def measure(seconds: float, rate: float, every: float) -> dict[str, Any]:
    """Serve the demo shop, ask at the rate for so long, and return what memory did."""
    with tempfile.TemporaryDirectory(prefix="cellbound-memory-") as scratch:
        became: Counter[str] = Counter()
        with gateway_at(project(Path(scratch) / "shop"), {}) as served:
            readings = [reading async for reading in _watched(served, seconds, rate, every, became)]
    late = readings[len(readings) // 3 :]
    return {
        "asked": sum(became.values()),
        "became": dict(became.most_common()),
        "minutes": round(seconds / 60, 1),
        "own_mb": _megabytes(readings, "own"),
        "workers_mb": _megabytes(readings, "workers"),
        "kb_per_1000": {"own": _slope(late, "own"), "workers": _slope(late, "workers")},
        "own_mb_each_tenth": [round(one.own / 1024, 1) for one in readings[:: max(len(readings) // 10, 1)]],
    }


async def _watched(
    served: Served, seconds: float, rate: float, every: float, became: Counter[str]
) -> AsyncIterator[Reading]:
    """Yield a reading every so often while the questions go on."""
    asking = asyncio.ensure_future(_ask(served, seconds, rate, became))
    due = monotonic()
    while not asking.done():
        yield Reading(sum(became.values()), served.resident_mb() * 1024, served.workers_mb() * 1024)
        due += every
        await asyncio.wait([asking], timeout=max(due - monotonic(), 0.0))
    await asking


async def _ask(served: Served, seconds: float, rate: float, became: Counter[str]) -> None:
    wire, kinds, began = Wire(served.port, 16), _kinds(), monotonic()
    waiting: set[asyncio.Task[None]] = set()
    for asked in count():
        due = asked / rate
        if due >= seconds:
            break
        await asyncio.sleep(max(began + due - monotonic(), 0.0))
        name, request = next(kinds)
        task = asyncio.create_task(_one(wire, name, request, became))
        waiting.add(task)
        task.add_done_callback(waiting.discard)
    await asyncio.gather(*waiting)
    wire.close()


async def _one(wire: Wire, name: str, request: Callable[[], bytes], became: Counter[str]) -> None:
    try:
        async with asyncio.timeout(SECONDS):
            status, body = await wire.send(request())
    except (OSError, asyncio.IncompleteReadError, TimeoutError):
        became[f"{name}: lost"] += 1
        return
    outcome = next((each for each in (b"answered", b"invalid_plan") if each in body), str(status).encode())
    became[f"{name}: {outcome.decode()}"] += 1


def _kinds() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield for ever the kinds of questions in their turn, each with the request that is sent next."""
    new = _new_plans()
    refused = {**PLAN, "metrics": ["nothing_of_that_name"]}
    words = {"question": "net revenue by region in July 2026"}
    return cycle((
        ("http, asked before", http_request),
        ("mcp, asked before", lambda: mcp_request("again")),
        ("http, new", lambda: http_request({"plan": next(new)})),
        ("mcp, new", lambda: mcp_request("new", next(new))),
        ("http, words", lambda: http_request(words)),
        ("mcp, refused", lambda: mcp_request("refused", refused)),
    ))  # fmt: skip


def _new_plans() -> Iterator[dict[str, Any]]:
    """Yield plans that differ in their days and dimensions; after some tens of thousands they come again."""
    for length in cycle(range(20, 120)):
        for first in range(DAYS):
            begin = FIRST_DAY + timedelta(days=first)
            time = {**PLAN["time"], "from": f"{begin}", "to": f"{begin + timedelta(days=length)}"}
            yield {**PLAN, "dimensions": [("region", "segment")[first % 2]], "time": time}


def _megabytes(readings: list[Reading], which: str) -> dict[str, float]:
    found = [getattr(one, which) / 1024 for one in readings]
    return {"first": round(found[0], 1), "most": round(max(found), 1), "last": round(found[-1], 1)}


def _slope(readings: list[Reading], which: str) -> float:
    """Return kB for each thousand questions, by least squares; 0 where nothing was asked between readings."""
    asked = [one.asked / 1000 for one in readings]
    if len(set(asked)) < 2:
        return 0.0
    return round(linear_regression(asked, [getattr(one, which) for one in readings]).slope, 1)


if __name__ == "__main__":
    main()
