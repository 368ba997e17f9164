"""The questions over people of the last day, per asker: keyed digests and counts, for several processes."""

from collections.abc import Callable
from datetime import datetime, timedelta

from gateway.stores.rows import Rows
from policies.differencing import Asked, is_near

SCHEMA = """
CREATE TABLE IF NOT EXISTS asked_before (
    trace_id TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    at REAL NOT NULL,
    asked TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS asked_before_by_subject ON asked_before (subject, at);
"""
KEPT = timedelta(days=1)
MOST = 500
"""Questions of one asker that are compared at most; the oldest go first."""


class AskedBefore:
    """Remembers for a day what figures over people were asked with."""

    def __init__(self, file: Rows, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._clock = clock

    def count_near(self, trace_id: str, subject: str, asked: Asked, smallest: int) -> int:
        """Remember a question and return how many of its asker's others it is near to.

        One transaction: of two at once the second sees the first.
        """
        now = self._clock().timestamp()
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM asked_before WHERE at < ?", (now - KEPT.total_seconds(),))
            rows = connection.execute(
                "SELECT asked FROM asked_before WHERE subject = ? AND trace_id <> ? ORDER BY at DESC LIMIT ?",
                (subject, trace_id, MOST),
            ).fetchall()
            connection.execute(
                "INSERT INTO asked_before VALUES (?, ?, ?, ?) ON CONFLICT (trace_id) DO UPDATE SET"
                " subject = EXCLUDED.subject, at = EXCLUDED.at, asked = EXCLUDED.asked",
                (trace_id, subject, now, asked.model_dump_json()),
            )
        return sum(is_near(asked, Asked.model_validate_json(text), smallest) for (text,) in rows)

    def forget(self, trace_id: str) -> None:
        """Forget a question whose figures nobody was told."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM asked_before WHERE trace_id = ?", (trace_id,))

    def erase(self, subject: str) -> int:
        """Forget every question of a subject; returns how many."""
        with self._file.transaction() as connection:
            return connection.execute("DELETE FROM asked_before WHERE subject = ?", (subject,)).rowcount
