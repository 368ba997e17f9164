"""The small state of a project: questions that wait, readings that teams chose, attempts at answers."""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal, cast

from gateway.conversations import SCHEMA, Conversations, Replies
from gateway.sqlite_file import SqliteFile

VERSION = 2
HoldStatus = Literal["waiting", "accepted", "denied", "expired", "used"]
Ruling = Literal["accept", "deny"]
Amount = tuple[int, int, int]
"""Bytes, rows and units of cost."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS holds (
    id TEXT PRIMARY KEY,
    trace_id TEXT NOT NULL,
    binding TEXT NOT NULL,
    findings TEXT NOT NULL,
    asker TEXT NOT NULL,
    expires REAL NOT NULL,
    status TEXT NOT NULL DEFAULT 'waiting',
    decided_by TEXT NOT NULL DEFAULT '',
    decided_at REAL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS holds_open ON holds (status, expires);
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
_HOLD = "id, trace_id, binding, findings, asker, expires, status, decided_by, decided_at"


class NotDecidable(Exception):
    """A hold cannot be decided. `hold_id` names it."""

    def __init__(self, hold_id: str, message: str) -> None:
        """Keep the id beside the message."""
        super().__init__(message)
        self.hold_id = hold_id


class UnknownHold(NotDecidable):
    """No hold has that id."""


class AlreadyDecided(NotDecidable):
    """Somebody was quicker; a hold is decided once."""


class HoldExpired(NotDecidable):
    """The hold's time is over, which counts as denied."""


@dataclass(frozen=True, slots=True)
class HeldQuestion:
    """A question that waits, or waited.

    `binding` hashes all that an accept is bound to; `asker` is a pseudonym.
    """

    id: str
    trace_id: str
    binding: str
    findings: tuple[str, ...]
    asker: str
    expires: datetime
    status: HoldStatus
    decided_by: str = ""
    decided_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The reading a team chose for an ambiguous term. `by` is the pseudonym of who chose it.

    `definition` is the digest, `version` the version of what was chosen (empty and 0 where it has none).
    """

    team: str
    term: str
    option: str
    definition: str
    version: int
    by: str
    at: datetime


class StateStore:
    """Holds, choices and attempts in one file, for several threads and processes.

    Every method is one transaction. Raises StoreUnusable when the file cannot be used.
    """

    def __init__(self, path: Path, *, clock: Callable[[], datetime] | None = None) -> None:
        """Open or make the file. `clock` returns aware times."""
        self._file = SqliteFile(path, f"{_SCHEMA};{SCHEMA}", version=VERSION, durability="FULL")
        self._clock = clock or _utc_now
        self.conversations = Conversations(self._file, self._clock)
        self.replies = Replies(self._file, self._clock)

    def create_hold(
        self,
        *,
        hold_id: str,
        trace_id: str,
        binding: str,
        findings: Sequence[str],
        asker: str,
        expires: datetime,
    ) -> HeldQuestion:
        """Let a question wait for a decision until `expires`."""
        with self._file.transaction() as connection:
            connection.execute(
                "INSERT INTO holds (id, trace_id, binding, findings, asker, expires)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (hold_id, trace_id, binding, json.dumps(list(findings)), asker, expires.timestamp()),
            )
        return HeldQuestion(hold_id, trace_id, binding, tuple(findings), asker, expires, "waiting")

    def get_hold(self, hold_id: str) -> HeldQuestion | None:
        """Return a hold as it stands now, or None when no hold has that id."""
        with self._file.reading() as connection:
            return self._find(connection, hold_id)

    def list_waiting(self) -> tuple[HeldQuestion, ...]:
        """Return every hold that can still be decided, the one that expires first in front."""
        with self._file.reading() as connection:
            rows = connection.execute(
                f"SELECT {_HOLD} FROM holds WHERE status = 'waiting' AND expires > ? ORDER BY expires, id",
                (self._clock().timestamp(),),
            ).fetchall()
        return tuple(_hold(row) for row in rows)

    def decide_hold(self, hold_id: str, ruling: Ruling, by: str) -> HeldQuestion:
        """Accept or deny a hold, once. Raises UnknownHold, AlreadyDecided or HoldExpired.

        An accept runs nothing: it waits for its asker, until the hold expires.
        """
        now = self._clock()
        status: HoldStatus = "accepted" if ruling == "accept" else "denied"
        with self._file.transaction() as connection:
            hold = self._find(connection, hold_id)
            if hold is None:
                raise UnknownHold(hold_id, f"there is no hold {hold_id}")
            if hold.status == "expired":
                raise HoldExpired(hold_id, f"hold {hold_id} expired at {hold.expires:%Y-%m-%d %H:%M} UTC")
            if hold.status != "waiting":
                raise AlreadyDecided(hold_id, f"hold {hold_id} is already {hold.status}")
            connection.execute(
                "UPDATE holds SET status = ?, decided_by = ?, decided_at = ? WHERE id = ?",
                (status, by, now.timestamp(), hold_id),
            )
        return replace(hold, status=status, decided_by=by, decided_at=now)

    def consume_hold(self, hold_id: str, binding: str, asker: str) -> bool:
        """Use up an accept. True once, for the same asker and binding and before it expires; else False."""
        with self._file.transaction() as connection:
            changed = connection.execute(
                "UPDATE holds SET status = 'used' WHERE id = ? AND status = 'accepted'"
                " AND binding = ? AND asker = ? AND expires > ?",
                (hold_id, binding, asker, self._clock().timestamp()),
            )
            return changed.rowcount == 1

    def expire_holds(self) -> tuple[HeldQuestion, ...]:
        """Mark every hold whose time is over and return those marked just now: each once, by one process."""
        with self._file.transaction() as connection:
            rows = connection.execute(
                "UPDATE holds SET status = 'expired' WHERE status IN ('waiting', 'accepted') AND expires <= ?"
                f" RETURNING {_HOLD}",
                (self._clock().timestamp(),),
            ).fetchall()
        return tuple(_hold(row) for row in rows)

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
                "INSERT OR REPLACE INTO attempts VALUES (?, ?)",
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
                "INSERT OR REPLACE INTO choices VALUES (?, ?, ?, ?, ?, ?, ?)",
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

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _spent(self, connection: sqlite3.Connection, subject: str, day: date) -> Amount:
        # Sums as floats: a day of huge estimates must not overflow, and lines are far from exact anyway.
        row = connection.execute(
            "SELECT total(bytes), total(rows), total(cost) FROM spent WHERE day = ? AND subject = ?",
            (day.isoformat(), subject),
        ).fetchone()
        return int(row[0]), int(row[1]), int(row[2])

    def _used(self, connection: sqlite3.Connection, trace_id: str) -> int:
        row = connection.execute("SELECT used FROM attempts WHERE trace_id = ?", (trace_id,)).fetchone()
        return int(row[0]) if row else 0

    def _find(self, connection: sqlite3.Connection, hold_id: str) -> HeldQuestion | None:
        row = connection.execute(f"SELECT {_HOLD} FROM holds WHERE id = ?", (hold_id,)).fetchone()
        if row is None:
            return None
        hold = _hold(row)
        over = hold.status in ("waiting", "accepted") and hold.expires <= self._clock()
        return replace(hold, status="expired") if over else hold


def _hold(row: tuple[str, str, str, str, str, float, str, str, float | None]) -> HeldQuestion:
    hold_id, trace_id, binding, findings, asker, expires, status, decided_by, decided_at = row
    return HeldQuestion(
        id=hold_id,
        trace_id=trace_id,
        binding=binding,
        findings=tuple(json.loads(findings)),
        asker=asker,
        expires=_time(expires),
        status=cast("HoldStatus", status),
        decided_by=decided_by,
        decided_at=None if decided_at is None else _time(decided_at),
    )


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _utc_now() -> datetime:
    return datetime.now(UTC)
