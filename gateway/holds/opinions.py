"""What judges said: each opinion for its calibration, and whether a model may be asked and believed now."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from gateway.stores.rows import Rows
from policies.judge_policy import JudgeKind, ModelJudge

SCHEMA = """
CREATE TABLE IF NOT EXISTS review_opinions (
    number INTEGER PRIMARY KEY,
    trace_id TEXT NOT NULL,
    finding TEXT NOT NULL,
    check_id TEXT NOT NULL,
    judge TEXT NOT NULL,
    asked TEXT NOT NULL,
    chance REAL,
    said TEXT NOT NULL,
    at REAL NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS review_opinions_asked ON review_opinions (asked, at);
CREATE TABLE IF NOT EXISTS review_judges (
    url TEXT PRIMARY KEY,
    good INTEGER NOT NULL,
    recent TEXT NOT NULL,
    rests_until REAL NOT NULL
) STRICT, WITHOUT ROWID
"""
REMEMBERED = 10
"""How many of a model's last calls its rest is judged by."""
_PAIRS = """
SELECT o.check_id, o.judge, o.chance,
    CASE WHEN o.chance IS NULL THEN NULL
         WHEN EXISTS (SELECT 1 FROM review_rulings r WHERE r.hold_id = h.id AND
                      REPLACE(r.findings, '"' || o.finding || '"', '') <> r.findings
                      AND r.verdict IN ('deny', 'revoke')) THEN 0
         WHEN EXISTS (SELECT 1 FROM review_rulings r WHERE r.hold_id = h.id AND
                      REPLACE(r.findings, '"' || o.finding || '"', '') <> r.findings
                      AND r.verdict = 'accept') THEN 1
    END
FROM review_opinions o LEFT JOIN review_holds h ON h.trace_id = o.trace_id ORDER BY o.number
"""
"""The findings of a ruling are a JSON list of keys: one is in it where taking it out changes the text."""


@dataclass(frozen=True, slots=True)
class Given:
    """One opinion: the probability, None where the judge failed, and what became of it."""

    trace_id: str
    finding: str
    check: str
    judge: JudgeKind
    asked: str
    chance: float | None
    said: str


@dataclass(frozen=True, slots=True)
class Compared:
    """An opinion beside the decision of people on the same finding: True accepted, None nobody decided."""

    check: str
    judge: JudgeKind
    chance: float | None
    accepted: bool | None


class OpinionLog:
    """Opinions and the standing of models, in the project's state file. Every method is one transaction."""

    def __init__(self, file: Rows, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._clock = clock

    def note(self, given: Given) -> None:
        """Keep an opinion."""
        with self._file.transaction() as connection:
            connection.execute(
                "INSERT INTO review_opinions (trace_id, finding, check_id, judge, asked, chance, said, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    given.trace_id,
                    given.finding,
                    given.check,
                    given.judge,
                    given.asked,
                    given.chance,
                    given.said,
                    self._clock().timestamp(),
                ),
            )

    def recall(self, asked: str, life: timedelta) -> tuple[float, str] | None:
        """Return what a model said of this very request within `life`: nobody asks until the answer suits."""
        since = (self._clock() - life).timestamp()
        with self._file.reading() as connection:
            row = connection.execute(
                "SELECT chance, said FROM review_opinions WHERE asked = ? AND judge = 'model' AND at > ?"
                " AND chance IS NOT NULL ORDER BY number DESC LIMIT 1",
                (asked, since),
            ).fetchone()
        return None if row is None else (float(row[0]), str(row[1]))

    def may_ask(self, model: ModelJudge) -> bool:
        """Say whether a model may be called now. After its rest one caller tries, and the others wait on."""
        now = self._clock()
        with self._file.transaction() as connection:
            row = connection.execute(
                "SELECT rests_until FROM review_judges WHERE url = ?", (model.url,)
            ).fetchone()
            if row is None or row[0] == 0:
                return True
            if row[0] > now.timestamp():
                return False
            until = (now + timedelta(seconds=model.seconds)).timestamp()
            connection.execute("UPDATE review_judges SET rests_until = ? WHERE url = ?", (until, model.url))
        return True

    def answered(self, model: ModelJudge, *, good: bool) -> int:
        """Note how a call went and return how many good ones in a row came before it."""
        with self._file.transaction() as connection:
            row = connection.execute(
                "SELECT good, recent FROM review_judges WHERE url = ?", (model.url,)
            ).fetchone()
            before, recent = (int(row[0]), list(json.loads(row[1]))) if row else (0, [])
            recent = [*recent, int(good)][-REMEMBERED:]
            rests = 0.0
            if not good and recent.count(0) >= model.failures:
                rests = (self._clock() + timedelta(seconds=model.pause_seconds)).timestamp()
            connection.execute(
                "INSERT INTO review_judges VALUES (?, ?, ?, ?) ON CONFLICT (url) DO UPDATE SET"
                " good = EXCLUDED.good, recent = EXCLUDED.recent, rests_until = EXCLUDED.rests_until",
                (model.url, before + 1 if good else 0, json.dumps(recent), rests),
            )
        return before

    def compared(self) -> tuple[Compared, ...]:
        """Return every opinion beside what people decided on the same finding."""
        with self._file.reading() as connection:
            rows = connection.execute(_PAIRS).fetchall()
        return tuple(
            Compared(check, judge, chance, None if accepted is None else bool(accepted))
            for check, judge, chance, accepted in rows
        )
