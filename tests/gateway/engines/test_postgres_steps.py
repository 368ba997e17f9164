"""Two sessions among askers, step by step in any order: whoever reads, reads their own rows."""

import itertools
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.pq import TransactionStatus

from gateway.engines import postgres_session
from gateway.engines.base import EngineBusy, EngineError, Identity
from gateway.engines.flights import Flight
from gateway.engines.postgres_rows import read_rows
from gateway.engines.postgres_session import Guarded, Part, Session
from gateway.engines.postgres_wire import Stalled, StatementFailed
from gateway.engines.refusals import failed
from tests.gateway.engines.warehouse import ALICE, BOB, GATEWAY, LIMITS, Warehouse

pytestmark = pytest.mark.engine("postgres")

SESSIONS = 2
OWN = "SELECT current_user::text, rep, amt FROM sales"
BECOMING = (
    "SELECT rep, amt FROM sales, (SELECT set_config('role', '{{other}}', {}) AS x OFFSET 0) AS become"
    " WHERE x IS NOT NULL"
)
STATEMENTS = {
    "own rows": OWN,
    "own rows, one by one": f"SELECT s.* FROM ({OWN}) AS s, (SELECT pg_sleep(0.01) OFFSET 0) AS waits",
    "a failure": "SELECT 1 / (sale_id - sale_id) FROM sales",
    "what is forbidden": "SELECT * FROM salaries",
    "another role": BECOMING.format("true"),
    "a role that stays": BECOMING.format("false"),
    "a setting that stays": "SELECT set_config('TimeZone', 'Asia/Tokyo', false), NULL",
    "a lock that stays": "SELECT pg_advisory_lock_shared(7)::text, NULL",
    "a long wait": "SELECT pg_sleep(0.5)::text, NULL",
}
LEFT = """
SELECT current_user::text, session_user::text, current_setting('TimeZone'),
       (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())
"""
BROKEN_RESET = (("ROLLBACK",), ("SELECT pg_advisory_lock_shared(8)", "SELECT 1/0"))
"""Fails, and leaves a lock by which a session that was used again would be known."""
FAULTS = (EngineError, StatementFailed, Stalled, psycopg.OperationalError)


@dataclass(slots=True)
class Question:
    """One asker's way through the pool: `place` gives the session back, `sent` is what runs on it."""

    who: Identity
    flight: Flight
    kept: bool
    session: Session
    part: Part
    place: ExitStack
    sent: Guarded | None = None
    running: ExitStack = field(default_factory=ExitStack)
    read: bool = False

    @property
    def other(self) -> str:
        """Return whose rows this asker must not see."""
        return (ALICE if self.who == BOB else BOB).user


@dataclass(frozen=True, slots=True)
class Move:
    """One step: who, which of the questions it is about, and what it sends where it sends something."""

    name: str
    at: int
    who: Identity
    what: str
    flag: bool


class Steps:
    """What can happen to sessions that several askers share, each step a move of the real pool."""

    def __init__(self, house: Warehouse, login: str) -> None:
        self.house = house
        self.login = login
        self.engine = self.house.engine(login=self.login, connections=SESSIONS, waiting=0, wait_seconds=0.5)
        self.askers = self.engine._askers
        self.open: list[Question] = []
        self.numbers = itertools.count()
        self.killed: set[int] = set()

    def move(self, move: Move) -> None:
        """Take a step; one that nobody is far enough for does nothing."""
        question = self.open[move.at % len(self.open)] if self.open else None
        match move.name:
            case "check out":
                self._check_out(move.who, move.flag)
            case "ask" if len(self.open) < SESSIONS:
                self._whole(move.who, tries=SESSIONS + 1)
            case "kill":
                self._kill(move.at)
            case "go on":
                self._go_on(question, move)
            case "cancel" if question is not None:
                question.session.interrupt()
            case "leave" if question is not None:
                self._end(question, failed("left") if move.flag else None)
        self.require_order()

    def end(self) -> None:
        """End every question, and see that both sessions serve both askers."""
        for question in tuple(self.open):
            self._end(question)
        self.require_order()
        for who in (BOB, ALICE):
            self._whole(who, tries=2 * SESSIONS + 1)

    def _check_out(self, who: Identity, kept: bool) -> None:
        """Take a session; who finds none free is told so."""
        place, name = ExitStack(), f"question {next(self.numbers)}"
        try:
            flight = place.enter_context(self.askers.flying(name, 30))
            if kept:
                place.enter_context(self.askers.keeping(name))
            lent = self.askers._lent(who, LIMITS, flight, last=not kept)
            session, part = place.enter_context(lent)
        except EngineError as error:
            place.close()
            assert error.retryable
            assert isinstance(error, EngineBusy) == (len(self.open) == SESSIONS)
            return
        assert len(self.open) < SESSIONS
        self.open.append(Question(who, flight, kept, session, part, place))

    def _go_on(self, question: Question | None, move: Move) -> None:
        """Take the next step of a question: check out, send, read, and send again or give back."""
        if question is None:
            self._check_out(move.who, move.flag)
        elif question.sent is None:
            self._send(question, move.what, breaks=move.flag)
        elif not question.read:
            self._read(question, question.sent)
        elif question.kept and move.flag:
            self._end_part(question)
        else:
            self._end(question)

    def _send(self, question: Question, what: str, *, breaks: bool) -> None:
        """Become the asker and send a statement; the reset behind it may be one that fails."""
        sql = STATEMENTS[what].replace("{other}", question.other)
        closing = postgres_session.CLOSING
        postgres_session.CLOSING = BROKEN_RESET if breaks else closing
        try:
            question.sent = question.session.prepare(
                question.who.user, LIMITS, question.flight.query_id, sql, part=question.part
            )
        finally:
            postgres_session.CLOSING = closing
        question.read = False
        try:
            question.running.enter_context(question.sent.running())
        except FAULTS:
            self._end(question)

    def _read(self, question: Question, sent: Guarded) -> None:
        """Read what a statement told: never another asker's row."""
        question.read = True
        try:
            rows = read_rows(question.session, sent.exchange, LIMITS).rows
        except FAULTS as fault:
            self._end(question, fault)
            return
        told = {str(value) for row in rows for value in row[:2]}
        assert question.other not in told, "somebody else's rows"

    def _end_part(self, question: Question) -> None:
        """End a part of a transaction that the question keeps: its next statement is another part."""
        try:
            question.running.close()
        except FAULTS as fault:
            self._end(question, fault)
        else:
            question.sent, question.part = None, Part(first=False, last=False)

    def _kill(self, at: int) -> None:
        """End a session in the server: one that is lent, or one that lies idle."""
        lent = [question.session for question in self.open]
        if sessions := [*lent, *(session for _, session in self.askers._pool._idle)]:
            pid = sessions[at % len(sessions)].connection.info.backend_pid
            self.killed.add(pid)
            self.house.ask(f"SELECT pg_terminate_backend({pid})")

    def require_order(self) -> None:
        """Only open questions hold sessions, each its own, and an idle one is its login's and clean."""
        pool = self.askers._pool
        assert pool._lent == len(self.open)
        assert pool._lent + len(pool._idle) <= SESSIONS
        sessions = [*(each.session for each in self.open), *(session for _, session in pool._idle)]
        assert len({id(session.connection) for session in sessions}) == len(sessions)
        assert all(each.session.login == (self.login or each.who.user) for each in self.open)
        assert all(self._clean(session) for _, session in pool._idle)

    def _end(self, question: Question, fault: BaseException | None = None) -> None:
        """Leave a question's blocks as a caller would, with a fault or without one."""
        self.open.remove(question)
        for block in (question.running, question.place):
            kind = None if fault is None else type(fault)
            with suppress(*FAULTS):
                block.__exit__(kind, fault, None)

    def _whole(self, who: Identity, tries: int) -> None:
        for _ in range(tries):
            try:
                rows = self.engine.run(OWN, who, LIMITS, f"whole {next(self.numbers)}").rows
            except EngineError as error:
                assert error.code == "database_unavailable", error
            else:
                assert {row[:2] for row in rows} == {(who.user, who.user)} and len(rows) == 100
                return
        pytest.fail("no session serves")

    def _clean(self, session: Session) -> bool:
        """Say whether a session is its login's and nothing else; one that was killed cannot be asked."""
        if session.connection.closed or session.connection.info.backend_pid in self.killed:
            return True
        assert session.connection.pgconn.transaction_status == TransactionStatus.IDLE
        return session.connection.execute(LEFT, prepare=False).fetchone() == (
            session.login,
            session.login,
            "UTC",
            0,
        )


MOVES = st.builds(
    Move,
    name=st.sampled_from([*["go on"] * 6, "check out", "check out", "ask", "cancel", "kill", "leave"]),
    at=st.integers(0, SESSIONS - 1),
    who=st.sampled_from([ALICE, BOB]),
    what=st.sampled_from(sorted(STATEMENTS)),
    flag=st.booleans(),
)


@pytest.mark.property
@pytest.mark.parametrize("mode", ["login", "set_role"])
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(MOVES, min_size=10, max_size=40))
def test_no_order_of_steps_over_shared_sessions_shows_another_askers_rows(
    warehouse: Warehouse, switched: Warehouse, mode: str, moves: list[Move]
) -> None:
    house = warehouse if mode == "login" else switched
    steps = Steps(house, "" if mode == "login" else GATEWAY)
    for move in moves:
        steps.move(move)
    steps.end()
    house.close()
