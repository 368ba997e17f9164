"""Notices leave on threads of their own: a question never waits for them, and what is lost is counted."""

import queue
import threading
from collections.abc import Sequence
from time import monotonic

from gateway.holds.records import Held
from gateway.notices.channels import Channel, Notice, Unsent
from gateway.reply import Finding

WAITING = 1_000
"""How many notices may wait per channel; one more is dropped."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
CLOSE_SECONDS = 3.0


class Outbox:
    """One channel with its queue and its thread, which starts with the first notice."""

    def __init__(self, channel: Channel, attempts: int, first_pause: float = FIRST_PAUSE) -> None:
        self._channel = channel
        self._attempts = attempts
        self._first_pause = first_pause
        self._queue: queue.Queue[Notice] = queue.Queue(WAITING)
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.sent = 0
        self.dropped = 0

    @property
    def name(self) -> str:
        """Return the name of the channel."""
        return self._channel.name

    def put(self, notice: Notice) -> None:
        """Queue a notice without waiting; with a full queue it is dropped and counted."""
        with self._lock:
            if self._closing.is_set():
                self.dropped += 1
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"notices {self.name}", daemon=True)
                self._thread.start()
            try:
                self._queue.put_nowait(notice)
            except queue.Full:
                self.dropped += 1

    def close(self, until: float) -> None:
        """Try what waits once more, until a moment of the monotonic clock, and count the rest as dropped."""
        with self._lock:
            self._closing.set()
            thread = self._thread
        if thread is not None:
            thread.join(max(0.0, until - monotonic()))
            with self._lock:
                self.dropped += self._queue.qsize() + (self._queue.unfinished_tasks > self._queue.qsize())

    def _run(self) -> None:
        while True:
            try:
                notice = self._queue.get(timeout=0.2)
            except queue.Empty:
                if self._closing.is_set():
                    return
                continue
            sent = self._sent(notice)
            with self._lock:
                self.sent += sent
                self.dropped += not sent
                self._queue.task_done()

    def _sent(self, notice: Notice) -> bool:
        """Try until it is sent or the attempts are used up; a closing house gets one try more."""
        pause = self._first_pause
        for left in range(self._attempts - 1, -1, -1):
            try:
                self._channel.send(notice)
            except Unsent:
                if not left or self._closing.is_set():
                    return False
                self._closing.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
            else:
                return True
        return False


class Notices:
    """Tells reviewers that something waits, over every channel. `link` is what a hold's id is put behind."""

    def __init__(self, channels: Sequence[Channel], *, link: str = "", attempts: int = 5) -> None:
        self._outboxes = tuple(Outbox(channel, attempts) for channel in channels)
        self.link = link

    @property
    def channels(self) -> tuple[str, ...]:
        """Return the names of the channels."""
        return tuple(each.name for each in self._outboxes)

    @property
    def dropped(self) -> int:
        """Return how many notices were given up, over all channels."""
        return sum(each.dropped for each in self._outboxes)

    def tell(self, held: Held) -> None:
        """Say that a hold waits. Returns at once, whatever the channels do."""
        link = f"{self.link}{held.id}" if self.link else ""
        for outbox in self._outboxes:
            outbox.put(Notice(held.id, link, held.hold.expires))

    def finding(self) -> Finding:
        """Return how sending goes, for the readiness of the house; questions go on without it."""
        said = ", ".join(f"{each.name}: {each.sent} sent, {each.dropped} dropped" for each in self._outboxes)
        return Finding(
            name="notices",
            ok=not self.dropped,
            detail=said,
            next_step="" if not self.dropped else "See that the addresses under [notify] can be reached.",
            needed=False,
        )

    def close(self) -> None:
        """Give what waits a last try within seconds."""
        until = monotonic() + CLOSE_SECONDS
        for outbox in self._outboxes:
            outbox.close(until)
