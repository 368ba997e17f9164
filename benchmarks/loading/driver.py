"""An open-loop driver: requests leave at their time, whatever became of those before them."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter

SECONDS = 30.0
"""Who waits longer for an answer has lost it."""


@dataclass(slots=True)
class Seen:
    """What became of the requests of one run: milliseconds from the time each was due, by how it ended."""

    asked: int = 0
    seconds: float = 0.0
    answered: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    connections: int = 0

    @property
    def lost(self) -> int:
        """How many heard neither an answer nor a refusal."""
        return self.asked - len(self.answered) - len(self.refused)

    def figures(self) -> dict[str, float | int]:
        """Return the figures of the run."""
        return {
            "asked": self.asked,
            "answered_per_s": round(len(self.answered) / self.seconds, 1) if self.seconds else 0.0,
            "refused": len(self.refused),
            "lost": self.lost,
            "connections": self.connections,
            **{f"p{q}_ms": percentile(self.answered, q) for q in (50, 95, 99)},
            **{f"refused_p{q}_ms": percentile(self.refused, q) for q in (50, 95) if self.refused},
        }


def percentile(values: list[float], q: int) -> float:
    """Return a percentile in milliseconds; -1 of nothing."""
    if not values:
        return -1.0
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * q / 100))], 2)


class Wire:
    """Connections to one server that are free, and new ones up to a number."""

    def __init__(self, port: int, most: int) -> None:
        self._port = port
        self._most = most
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._room = asyncio.Semaphore(most)
        self.opened = 0

    async def open(self, count: int) -> None:
        """Open so many connections before anything is measured."""
        for _ in range(min(count, self._most)):
            self._free.append(await self._new())

    async def send(self, request: bytes) -> tuple[int, bytes]:
        """Send one request and return status and body of its answer."""
        async with self._room:
            reader, writer = self._free.pop() if self._free else await self._new()
            try:
                writer.write(request)
                status, headers, body = await _answer(reader)
            except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                writer.close()
                raise
            if headers.get("connection") == "close":
                writer.close()
            else:
                self._free.append((reader, writer))
            return status, body

    def close(self) -> None:
        """Close every connection."""
        for _, writer in self._free:
            writer.close()

    async def _new(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self.opened += 1
        return await asyncio.open_connection("127.0.0.1", self._port)


async def _answer(reader: asyncio.StreamReader) -> tuple[int, Mapping[str, str], bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip().lower() for name, _, value in pairs}
    if headers.get("transfer-encoding") != "chunked":
        return int(first.split()[1]), headers, await reader.readexactly(int(headers.get("content-length", 0)))
    body = bytearray()
    while size := int(await reader.readline(), 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    return int(first.split()[1]), headers, bytes(body)


Judge = Callable[[int, bytes], str]
"""Says of a status and a body whether they are `answered`, `refused`, or what else."""


async def open_loop(wire: Wire, request: bytes, judge: Judge, per_second: float, seconds: float) -> Seen:
    """Send at a fixed rate for so long, and wait for what was sent."""
    seen = Seen()
    began = perf_counter()
    sent: list[Awaitable[None]] = []
    while (due := seen.asked / per_second) < seconds:
        wait = began + due - perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        seen.asked += 1
        sent.append(asyncio.ensure_future(_one(wire, request, judge, began + due, seen)))
    await asyncio.gather(*sent)
    seen.seconds = perf_counter() - began
    seen.connections = wire.opened
    return seen


async def closed_loop(wire: Wire, request: bytes, judge: Judge, callers: int, seconds: float) -> Seen:
    """Let so many callers ask one after the other for so long."""
    seen = Seen()
    began = perf_counter()

    async def caller() -> None:
        while perf_counter() - began < seconds:
            seen.asked += 1
            await _one(wire, request, judge, perf_counter(), seen)

    await asyncio.gather(*(caller() for _ in range(callers)))
    seen.seconds = perf_counter() - began
    seen.connections = wire.opened
    return seen


async def _one(wire: Wire, request: bytes, judge: Judge, due: float, seen: Seen) -> None:
    became = "lost"
    with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
        async with asyncio.timeout(SECONDS):
            became = judge(*await wire.send(request))
    took = (perf_counter() - due) * 1000
    if became == "answered":
        seen.answered.append(took)
    elif became == "refused":
        seen.refused.append(took)
    else:
        seen.other.append(became)
