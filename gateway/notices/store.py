"""Notices on their way: kept with the holds, so that word of what waits outlives a process."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from gateway.notices.channels import Notice
from gateway.stores.rows import Rows, Statements

SCHEMA = """
CREATE TABLE IF NOT EXISTS notices (
    hold_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    link TEXT NOT NULL,
    expires REAL NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    due REAL NOT NULL,
    PRIMARY KEY (hold_id, channel)
) STRICT, WITHOUT ROWID
"""
KEPT = timedelta(days=1)
"""How long after its hold's expiry it is known what became of a notice."""
LEASE_SECONDS = 120.0
"""How long a notice is one process's to send; where that process is killed, another one takes it then."""
_ROW = "hold_id, link, expires, tries"
_OVER = """
UPDATE notices SET state = 'settled' WHERE state = 'waiting' AND EXISTS
    (SELECT 1 FROM review_holds AS held WHERE held.id = hold_id AND held.status <> 'waiting')
"""


@dataclass(frozen=True, slots=True)
class Going:
    """How the notices of one channel go: how many wait, were sent, and were given up."""

    waiting: int = 0
    sent: int = 0
    given_up: int = 0


class NoticeStore:
    """Notices in the project's state, for several threads, processes and replicas.

    Every method is one transaction. Raises StoreUnusable when the place cannot be used.
    """

    def __init__(self, file: Rows, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._clock = clock

    def put(self, notices: Iterable[Notice], channels: Iterable[str]) -> None:
        """Keep notices to be sent over each channel at once; one that is known already stays as it is."""
        ways = tuple(channels)
        with self._file.transaction() as connection:
            self._put(connection, [(notice, way) for notice in notices for way in ways])

    def put_missing(self, channels: Iterable[str], link: str) -> None:
        """Keep a notice for every hold that waits and has none, as after a kill between the two."""
        ways = tuple(channels)
        with self._file.transaction() as connection:
            rows = connection.execute(
                "SELECT id, expires FROM review_holds WHERE status = 'waiting' AND expires > ? ORDER BY at",
                (self._now(),),
            ).fetchall()
            found = [Notice(str(row[0]), f"{link}{row[0]}" if link else "", _time(row[1])) for row in rows]
            self._put(connection, [(notice, way) for notice in found for way in ways])

    def take(self, channel: str) -> tuple[Notice, int] | None:
        """Return a notice that is due and how often it was tried, for this process alone to send now.

        What is about a hold that waits no more is not sent any more, and what expired unsent is given up.
        """
        now = self._now()
        with self._file.transaction() as connection:
            connection.execute(_OVER)
            connection.execute(
                "UPDATE notices SET state = 'given_up' WHERE state = 'waiting' AND expires <= ?", (now,)
            )
            row = connection.execute(
                f"SELECT {_ROW} FROM notices WHERE channel = ? AND state = 'waiting' AND due <= ?"
                " ORDER BY due, hold_id LIMIT 1",
                (channel, now),
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE notices SET due = ? WHERE hold_id = ? AND channel = ?",
                (now + LEASE_SECONDS, str(row[0]), channel),
            )
        return Notice(str(row[0]), str(row[1]), _time(row[2])), int(row[3])

    def sent(self, hold_id: str, channel: str) -> None:
        """Note that a notice got through."""
        self._end(hold_id, channel, "sent")

    def give_up(self, hold_id: str, channel: str) -> None:
        """Note that a notice is tried no more."""
        self._end(hold_id, channel, "given_up")

    def put_off(self, hold_id: str, channel: str, seconds: float) -> None:
        """Note that a notice did not get through and is tried again later."""
        with self._file.transaction() as connection:
            connection.execute(
                "UPDATE notices SET tries = tries + 1, due = ? WHERE hold_id = ? AND channel = ?",
                (self._now() + seconds, hold_id, channel),
            )

    def pause(self, channel: str) -> float | None:
        """Return the seconds until a notice of a channel is due, or None where none waits."""
        with self._file.reading() as connection:
            (due,) = connection.execute(
                "SELECT MIN(due) FROM notices WHERE channel = ? AND state = 'waiting'", (channel,)
            ).fetchone()
        return None if due is None else max(0.0, float(due) - self._now())

    def going(self, channel: str) -> Going:
        """Return how the notices of a channel go, those of the last day and what waits."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "SELECT state, COUNT(*) FROM notices WHERE channel = ? GROUP BY state", (channel,)
            ).fetchall()
        found = {str(state): int(count) for state, count in rows}
        return Going(found.get("waiting", 0), found.get("sent", 0), found.get("given_up", 0))

    def erase(self, asker: str) -> None:
        """Forget the notices about the holds of an asker."""
        with self._file.transaction() as connection:
            connection.execute(
                "DELETE FROM notices WHERE hold_id IN (SELECT id FROM review_holds WHERE asker = ?)", (asker,)
            )

    def _put(self, connection: Statements, rows: list[tuple[Notice, str]]) -> None:
        now = self._now()
        connection.execute("DELETE FROM notices WHERE expires < ?", (now - KEPT.total_seconds(),))
        connection.executemany(
            "INSERT INTO notices VALUES (?, ?, ?, ?, 'waiting', 0, ?) ON CONFLICT (hold_id, channel)"
            " DO NOTHING",
            [(each.hold_id, way, each.link, each.expires.timestamp(), now) for each, way in rows],
        )

    def _end(self, hold_id: str, channel: str, state: str) -> None:
        with self._file.transaction() as connection:
            connection.execute(
                "UPDATE notices SET state = ?, tries = tries + 1 WHERE hold_id = ? AND channel = ?",
                (state, hold_id, channel),
            )

    def _now(self) -> float:
        return self._clock().timestamp()


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
