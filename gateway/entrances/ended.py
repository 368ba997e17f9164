"""Sessions and sign-ins that are over although their cookie still lives, shared by all who serve."""

from collections.abc import Callable
from datetime import datetime

from gateway.stores.rows import Rows

SCHEMA = """
CREATE TABLE IF NOT EXISTS ended_sessions (
    id TEXT PRIMARY KEY,
    until REAL NOT NULL
) STRICT, WITHOUT ROWID
"""


class EndedSessions:
    """Remembers an id until its cookie could live no longer. Every method is one transaction."""

    def __init__(self, file: Rows, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._clock = clock

    def end(self, session_id: str, until: datetime) -> bool:
        """Remember an id; returns False where it was ended before."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM ended_sessions WHERE until <= ?", (self._clock().timestamp(),))
            added = connection.execute(
                "INSERT INTO ended_sessions (id, until) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
                (session_id, until.timestamp()),
            )
            return added.rowcount == 1

    def has_ended(self, session_id: str) -> bool:
        """Say whether an id was ended."""
        with self._file.reading() as connection:
            found = connection.execute("SELECT 1 FROM ended_sessions WHERE id = ?", (session_id,)).fetchone()
        return found is not None
