"""Notices leave on threads of their own: a question never waits for them, and what is given up is counted."""

import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from time import monotonic

from gateway.holds.records import Held
from gateway.notices.channels import DRIFT, Channel, Notice, Unsent
from gateway.notices.store import NoticeStore
from gateway.reply import Finding
from gateway.stores.rows import StoreUnusable

FIRST_PAUSE = 1.0
GROWTH = 4
LONGEST_PAUSE = 600.0
STORE_PAUSE = 5.0
"""How long it is waited for a store that cannot be used."""
CLOSE_SECONDS = 3.0
DRIFT_STANDS = timedelta(days=7)
"""How long the same changes of columns are not told a second time."""


class Outbox:
    """One channel with its thread, which runs while notices of the channel wait."""

    def __init__(
        self, channel: Channel, kept: NoticeStore, attempts: int, first_pause: float = FIRST_PAUSE
    ) -> None:
        self._channel = channel
        self._kept = kept
        self._attempts = attempts
        self._first_pause = first_pause
        self._woken = threading.Event()
        self._closing = False
        self._left = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        """Return the name of the channel."""
        return self._channel.name

    def wake(self) -> None:
        """Look now at what waits. Returns at once, whatever the channel does."""
        with self._lock:
            if self._closing:
                return
            self._woken.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"notices {self.name}", daemon=True)
                self._thread.start()

    def close(self, until: float) -> None:
        """Try what is due once more, until a moment of the monotonic clock; the rest stays kept.

        What is under way by then is another process's to send again, as nobody can say that it got through.
        """
        with self._lock:
            self._closing = True
            self._woken.set()
            thread = self._thread
        if thread is not None:
            thread.join(max(0.0, until - monotonic()))
            if thread.is_alive():
                self._left.set()

    def _run(self) -> None:
        while not self._left.is_set():
            self._woken.clear()
            try:
                if self._send_one():
                    continue
                pause = None if self._left.is_set() else self._kept.pause(self.name)
            except StoreUnusable:
                pause = STORE_PAUSE
            with self._lock:
                if self._closing or (pause is None and not self._woken.is_set()):
                    self._thread = None
                    return
            self._woken.wait(pause)

    def _send_one(self) -> bool:
        """Try a notice that is due; return False where none is."""
        taken = self._kept.take(self.name)
        if taken is None:
            return False
        notice, tries = taken
        sent = self._sent(notice)
        if self._left.is_set():
            return False
        if sent:
            self._kept.sent(notice.hold_id, self.name)
        elif tries + 1 >= self._attempts:
            self._kept.give_up(notice.hold_id, self.name)
        else:
            pause = min(self._first_pause * GROWTH**tries, LONGEST_PAUSE)
            self._kept.put_off(notice.hold_id, self.name, pause)
        return True

    def _sent(self, notice: Notice) -> bool:
        try:
            self._channel.send(notice)
        except Unsent:
            return False
        return True


class Notices:
    """Tells reviewers that something waits, over every channel. `link` is what a hold's id is put behind.

    `drift_link` is where an owner reads which columns changed. What is told is kept first, in the state of
    the project, and sent by whoever serves it.
    """

    def __init__(
        self,
        channels: Sequence[Channel],
        kept: NoticeStore,
        *,
        link: str = "",
        drift_link: str = "",
        attempts: int = 5,
        first_pause: float = FIRST_PAUSE,
    ) -> None:
        self._outboxes = tuple(Outbox(channel, kept, attempts, first_pause) for channel in channels)
        self._kept = kept
        self._looked = False
        self.link = link
        self._drift_link = drift_link

    @property
    def channels(self) -> tuple[str, ...]:
        """Return the names of the channels."""
        return tuple(each.name for each in self._outboxes)

    def tell(self, held: Held) -> None:
        """Say that a hold waits. Returns at once, whatever the channels do.

        Where the notice cannot be kept, the next look finds the hold without one.
        """
        if not self._outboxes:
            return
        link = f"{self.link}{held.id}" if self.link else ""
        self._put(Notice(held.id, link, held.hold.expires))

    def tell_drift(self, mark: str, now: datetime) -> None:
        """Say that columns changed; `mark` tells one set of changes from another.

        The same set is told again only after more than DRIFT_STANDS.
        """
        if self._outboxes:
            self._put(Notice(f"{DRIFT}{mark}", self._drift_link, now + DRIFT_STANDS))

    def resume(self) -> None:
        """Go on with what another process, or an earlier one, left unsent. Raises StoreUnusable."""
        if self._outboxes and not self._looked:
            self._kept.put_missing(self.channels, self.link)
            self._looked = True
        for outbox in self._outboxes:
            if self._kept.pause(outbox.name) == 0.0:
                outbox.wake()

    def _put(self, notice: Notice) -> None:
        try:
            self._kept.put((notice,), self.channels)
        except StoreUnusable:
            self._looked = False
            return
        for outbox in self._outboxes:
            outbox.wake()

    def finding(self) -> Finding:
        """Return how sending goes, for the readiness of the house; questions go on without it."""
        try:
            going = {each.name: self._kept.going(each.name) for each in self._outboxes}
        except StoreUnusable as fault:
            return _finding(fault.issues[0].message, fault.issues[0].next_step)
        said = ", ".join(
            f"{name}: {each.sent} sent, {each.waiting} waiting, {each.given_up} given up"
            for name, each in going.items()
        )
        lost = any(each.given_up for each in going.values())
        return _finding(said, "See that the addresses under [notify] can be reached." if lost else "")

    def close(self) -> None:
        """Give what is due a last try within seconds."""
        until = monotonic() + CLOSE_SECONDS
        for outbox in self._outboxes:
            outbox.close(until)


def _finding(said: str, next_step: str) -> Finding:
    return Finding(name="notices", ok=not next_step, detail=said, next_step=next_step, needed=False)
