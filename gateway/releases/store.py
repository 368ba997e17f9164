"""Where decisions about stages and comparisons of answers are kept: one transaction each."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from gateway.stores.rows import Rows, Statements
from traces.release_records import AnswerCompared, StageDecided

SCHEMA = """
CREATE TABLE IF NOT EXISTS release_decisions (
    class TEXT NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (class, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS release_compared (
    number INTEGER PRIMARY KEY,
    class TEXT NOT NULL,
    told INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS release_compared_class ON release_compared (class, number)
"""


class ReleaseStore:
    """Decisions and comparisons in the project's state file, for several threads and processes.

    The trace log has them too, and has them first. Raises StoreUnusable when the file cannot be used.
    """

    def __init__(self, file: Rows, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._clock = clock

    def newest(self, name: str) -> StageDecided | None:
        """Return the last decision about a class, or None."""
        return self._file.looked(("release", name), partial(_newest, name))

    def decisions(self, name: str) -> tuple[StageDecided, ...]:
        """Return every decision about a class, the newest first."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "SELECT body FROM release_decisions WHERE class = ? ORDER BY number DESC", (name,)
            ).fetchall()
        return tuple(StageDecided.model_validate_json(str(row[0])) for row in rows)

    def decide(self, decision: StageDecided, write: Callable[[StageDecided], object]) -> bool:
        """Keep a decision if no other of its number was taken; `write` puts it on record inside.

        False, and nothing written, where somebody else was first.
        """
        with self._file.transaction() as connection:
            taken = connection.execute(
                "SELECT 1 FROM release_decisions WHERE class = ? AND number >= ?",
                (decision.question_class, decision.number),
            ).fetchone()
            if taken:
                return False
            write(decision)
            _insert(connection, decision)
        return True

    def put_back(self, decisions: Sequence[StageDecided]) -> int:
        """Keep decisions that a log has and the file has lost; return how many they were."""
        with self._file.transaction() as connection:
            return sum(_insert(connection, each) for each in decisions)

    def add(self, compared: AnswerCompared) -> None:
        """Keep a comparison."""
        with self._file.transaction() as connection:
            connection.execute(
                "INSERT INTO release_compared (class, told, body) VALUES (?, ?, ?)",
                (compared.question_class, int(compared.told), compared.model_dump_json()),
            )

    def last_compared(self) -> int:
        """Return the number of the newest comparison; 0 before the first."""
        with self._file.reading() as connection:
            (newest,) = connection.execute("SELECT MAX(number) FROM release_compared").fetchone()
        return int(newest or 0)

    def compared(self, name: str, *, last: int, told_only: bool = False) -> tuple[AnswerCompared, ...]:
        """Return the newest comparisons of a class, one per trace: the last word on an answer counts."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "SELECT body FROM release_compared WHERE class = ? AND told >= ? ORDER BY number DESC",
                (name, int(told_only)),
            )
            found: dict[str, AnswerCompared] = {}
            for (body,) in rows:
                each = AnswerCompared.model_validate_json(str(body))
                found.setdefault(each.of, each)
                if len(found) == last:
                    break
        return tuple(found.values())


def _newest(name: str, statements: Statements) -> StageDecided | None:
    row = statements.execute(
        "SELECT body FROM release_decisions WHERE class = ? ORDER BY number DESC LIMIT 1", (name,)
    ).fetchone()
    return StageDecided.model_validate_json(str(row[0])) if row else None


def _insert(connection: Statements, decision: StageDecided) -> int:
    return connection.execute(
        "INSERT INTO release_decisions VALUES (?, ?, ?) ON CONFLICT (class, number) DO NOTHING",
        (decision.question_class, decision.number, decision.model_dump_json()),
    ).rowcount
