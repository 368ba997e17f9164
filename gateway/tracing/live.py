"""Spans of every question as it ends, to a collector: in the background, and never in a question's way."""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator

from gateway import __version__
from gateway.errors import HouseError
from gateway.house import House
from gateway.tracing.reads import ReadColumns
from gateway.tracing.sending import Collector
from traces.export.exported import Exported
from traces.export.spans import batches, request_of, spans_of
from traces.records import Close, Open, Trace

MOST_WAITING = 2_000
AT_ONCE = 200
WAIT_SECONDS = 1.0
TOLD_AGAIN_AFTER = 60.0
Count = Callable[[str, int], None]
"""Takes `sent`, `dropped` or `refused`, and how many questions that befell."""
FAULTS = (
    HouseError,
    OSError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    LookupError,
    RuntimeError,
)
"""What a batch can fail on: the collector, the network, or a trace that no span can be made of."""
log = logging.getLogger("cellbound.spans")


class LiveSpans:
    """Takes every question that ended. When the collector is slow or gone, the newest are dropped, counted.

    `masked` takes the private parts out of a trace, as everything that leaves has them out.
    """

    def __init__(
        self,
        collector: Collector,
        house: Callable[[], House],
        masked: Callable[[Trace], Trace],
        count: Count,
    ) -> None:
        self._collector = collector
        self._house = house
        self._masked = masked
        self._count = count
        self._queue: queue.Queue[tuple[Open, Close] | None] = queue.Queue(MOST_WAITING)
        self._reads: tuple[House, ReadColumns] | None = None
        self._told_at = float("-inf")
        self._thread = threading.Thread(target=self._run, name="live-spans", daemon=True)
        self._thread.start()

    def __call__(self, opened: Open, closed: Close) -> None:
        """Take a question; this never waits."""
        try:
            self._queue.put_nowait((opened, closed))
        except queue.Full:
            self._count("dropped", 1)

    def close(self, seconds: float) -> None:
        """Send what waits, for so long at most."""
        try:
            self._queue.put(None, timeout=seconds)
        except queue.Full:
            return
        self._thread.join(seconds)

    def _run(self) -> None:
        ended = False
        while not ended:
            taken = list(self._taken())
            ended = None in taken
            self._send_or_count([each for each in taken if each is not None])

    def _taken(self) -> Iterator[tuple[Open, Close] | None]:
        """Yield what waits: the first, and what comes within a moment."""
        first = self._queue.get()
        yield first
        until = time.monotonic() + WAIT_SECONDS
        for _ in range(AT_ONCE - 1):
            if first is None:
                return
            try:
                first = self._queue.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                return
            yield first

    def _send_or_count(self, questions: list[tuple[Open, Close]]) -> None:
        """Send questions; where something is wrong with them they are counted, and the next ones are sent."""
        try:
            self._send(questions)
        except FAULTS as fault:
            self._count("dropped", len(questions))
            self._tell(fault)

    def _send(self, questions: list[tuple[Open, Close]]) -> None:
        reads = self._reading()
        exported = [self._exported(*each) for each in questions]
        for batch in batches((spans_of(each, reads.of(each)) for each in exported), AT_ONCE * 4):
            refused = self._collector.send(request_of(batch, "cellbound", __version__))
            if refused:
                self._count("refused", refused)
        self._count("sent", len(questions))

    def _exported(self, opened: Open, closed: Close) -> Exported:
        masked = self._masked(Trace(trace_id=opened.trace_id, opened=opened, closed=closed))
        return Exported(opened=masked.opened, closed=masked.closed)

    def _reading(self) -> ReadColumns:
        house = self._house()
        if self._reads is None or self._reads[0] is not house:
            self._reads = house, ReadColumns(house)
        return self._reads[1]

    def _tell(self, fault: Exception) -> None:
        """Say that spans are dropped, once a minute at most; of what is not the house's own, the kind."""
        if time.monotonic() - self._told_at > TOLD_AGAIN_AFTER:
            self._told_at = time.monotonic()
            named = isinstance(fault, HouseError)
            kept = None if named else (type(fault), fault, fault.__traceback__)
            log.warning("spans are dropped: %s", fault if named else type(fault).__name__, exc_info=kept)
