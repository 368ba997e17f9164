"""The small state of a project: questions that wait, readings that teams chose, attempts at answers."""

from collections.abc import Callable, Mapping
from dataclasses import astuple
from datetime import UTC, date, datetime

from gateway.entrances import ended, issued
from gateway.holds import opinions, store
from gateway.notices import store as notices
from gateway.releases import store as releases
from gateway.stores import asked_before
from gateway.stores.conversations import SCHEMA, Conversations, Replies
from gateway.stores.opening import open_rows
from gateway.stores.rows import Place, Statements, Tables
from gateway.team_choice import Choice

VERSION = 2
Amount = tuple[int, int, int]
"""Bytes, rows and units of cost."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS choices (
    team TEXT NOT NULL,
    term TEXT NOT NULL,
    option TEXT NOT NULL,
    definition TEXT NOT NULL,
    version INTEGER NOT NULL,
    by TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (team, term)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (
    trace_id TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    day TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    cost INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS spent_by_day ON spent (day, subject);
CREATE TABLE IF NOT EXISTS attempts (
    trace_id TEXT PRIMARY KEY,
    used INTEGER NOT NULL
) STRICT, WITHOUT ROWID
"""
_TABLES = ";".join(
    (
        _SCHEMA,
        SCHEMA,
        store.SCHEMA,
        opinions.SCHEMA,
        asked_before.SCHEMA,
        issued.SCHEMA,
        ended.SCHEMA,
        releases.SCHEMA,
        notices.SCHEMA,
    )
)


_TAKE = "INSERT INTO attempts VALUES (?, ?) ON CONFLICT (trace_id) DO UPDATE SET used = EXCLUDED.used"
_SPENT = """
SELECT COALESCE(SUM(CAST(bytes AS DOUBLE PRECISION)), 0), COALESCE(SUM(CAST(rows AS DOUBLE PRECISION)), 0),
    COALESCE(SUM(CAST(cost AS DOUBLE PRECISION)), 0)
FROM spent WHERE day = ? AND subject = ?
"""


class StateStore:
    """Holds, choices and attempts in one file or database, for several threads, processes and replicas.

    Every method is one transaction. Raises StoreUnusable when its place cannot be used.
    """

    def __init__(self, place: Place, *, clock: Callable[[], datetime] | None = None) -> None:
        """Open or make the file, or name the database. `clock` returns aware times."""
        self._file = open_rows(place, Tables("state", _TABLES, VERSION, "FULL"))
        self._clock = clock or _utc_now
        self.holds = store.HoldStore(self._file, self._clock)
        self.opinions = opinions.OpinionLog(self._file, self._clock)
        self.releases = releases.ReleaseStore(self._file, self._clock)
        self.conversations = Conversations(self._file, self._clock)
        self.replies = Replies(self._file, self._clock)
        self.asked = asked_before.AskedBefore(self._file, self._clock)
        self.tokens = issued.IssuedTokens(self._file, self._clock)
        self.ended = ended.EndedSessions(self._file, self._clock)
        self.notices = notices.NoticeStore(self._file, self._clock)

    def take_attempt(self, recorded: Mapping[str, int], most: int) -> int | None:
        """Use up one attempt of every trace at once; None when one of them has none left of its `most`.

        `recorded` says by trace id how many its own records count; the higher count holds. Returns the
        number of the attempt, from 1: the highest among the traces.
        """
        with self._file.transaction() as connection:
            used = {each: max(count, self._used(connection, each)) for each, count in recorded.items()}
            if any(count >= most for count in used.values()):
                return None
            connection.executemany(
                _TAKE,
                [(each, count + 1) for each, count in used.items()],
            )
        return max(used.values(), default=0) + 1

    def spend(self, trace_id: str, subject: str, day: date, amount: Amount, hard: Amount) -> Amount:
        """Count a question with what it is expected to read, unless that goes over a hard line of the day.

        Returns what the subject's other questions of the day were counted with. One transaction: of many
        questions at once only as many are counted as fit under the lines. Days before are forgotten.
        """
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM spent WHERE day < ?", (day.isoformat(),))
            before = self._spent(connection, subject, day)
            if all(done + new <= most for done, new, most in zip(before, amount, hard, strict=True)):
                connection.execute(
                    "INSERT INTO spent VALUES (?, ?, ?, ?, ?, ?)",
                    (trace_id, subject, day.isoformat(), *amount),
                )
        return before

    def spent(self, subject: str, day: date) -> Amount:
        """Return what a subject's questions of a day were counted with."""
        with self._file.reading() as connection:
            return self._spent(connection, subject, day)

    def correct_bytes(self, trace_id: str, really: int) -> None:
        """Count a question with the bytes that it really read."""
        with self._file.transaction() as connection:
            connection.execute("UPDATE spent SET bytes = ? WHERE trace_id = ?", (really, trace_id))

    def refund(self, trace_id: str) -> None:
        """Count a question no more, because it did not run."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM spent WHERE trace_id = ?", (trace_id,))

    def record_choice(self, choice: Choice) -> None:
        """Keep the reading a team chose; the newest counts."""
        with self._file.transaction() as connection:
            connection.execute(
                "INSERT INTO choices VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (team, term) DO UPDATE SET"
                " option = EXCLUDED.option, definition = EXCLUDED.definition, version = EXCLUDED.version,"
                " by = EXCLUDED.by, at = EXCLUDED.at",
                (*astuple(choice)[:-1], choice.at.timestamp()),
            )

    def list_choices(self, team: str) -> tuple[Choice, ...]:
        """Return every reading a team chose, by term."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "SELECT team, term, option, definition, version, by, at FROM choices"
                " WHERE team = ? ORDER BY term",
                (team,),
            ).fetchall()
        return tuple(
            Choice(team, term, option, definition, version, by, _time(at))
            for team, term, option, definition, version, by, at in rows
        )

    def revoke_choice(self, team: str, term: str) -> bool:
        """Forget a reading; returns whether there was one."""
        with self._file.transaction() as connection:
            gone = connection.execute("DELETE FROM choices WHERE team = ? AND term = ?", (team, term))
            return gone.rowcount == 1

    def erase(self, subject: str) -> int:
        """Forget what is kept of a subject; what a team chose stays, without who chose it.

        Returns how many rows went. What the day was counted with stays until the day is over.
        """
        with self._file.transaction() as connection:
            own = connection.execute("DELETE FROM choices WHERE team = ?", (subject,)).rowcount
            connection.execute("UPDATE choices SET by = '' WHERE by = ?", (subject,))
        self.notices.erase(subject)
        gone = (
            own + self.conversations.erase(subject) + self.replies.erase(subject) + self.holds.erase(subject)
        )
        gone += self.asked.erase(subject)
        self._file.forget()
        return gone

    def probe(self) -> None:
        """See that the place can be written to, and change nothing."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM attempts WHERE trace_id = ''")

    def close(self) -> None:
        """Close the place."""
        self._file.close()

    def _spent(self, connection: Statements, subject: str, day: date) -> Amount:
        # Sums as floats: a day of huge estimates must not overflow, and lines are far from exact anyway.
        row = connection.execute(
            _SPENT,
            (day.isoformat(), subject),
        ).fetchone()
        return int(row[0]), int(row[1]), int(row[2])

    def _used(self, connection: Statements, trace_id: str) -> int:
        row = connection.execute("SELECT used FROM attempts WHERE trace_id = ?", (trace_id,)).fetchone()
        return int(row[0]) if row else 0


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _utc_now() -> datetime:
    return datetime.now(UTC)
