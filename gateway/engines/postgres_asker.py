"""Statements run as an asker: their login or a proved switched role, stoppable, errors in our own words."""

import math
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from psycopg.pq.abc import PGresult

from gateway.engines.base import EngineError, Identity, Limits
from gateway.engines.each_member import Members
from gateway.engines.flights import Flight, Flights
from gateway.engines.postgres_credentials import Credentials
from gateway.engines.postgres_errors import CANCELLED, TIME_IS_UP, as_query_error
from gateway.engines.postgres_kept import KeptSession
from gateway.engines.postgres_pool import Pool
from gateway.engines.postgres_session import WHOLE, Facts, Guarded, Part, Session, connect
from gateway.engines.postgres_switch import answer as faults_in
from gateway.engines.postgres_switch import question as ask_faults
from gateway.engines.postgres_target import Target
from gateway.engines.postgres_wire import Stalled, StatementFailed
from gateway.engines.refusals import cancelled, identity_refused, timed_out
from gateway.engines.turnstile import Turnstile
from gateway.settings.file import EngineSettings

CONNECT_SECONDS = 5.0
INTERRUPT_EVERY = 0.05
PROVED_SECONDS = 300.0


class Askers:
    """Everybody who may ask, over one pool. `facts` are those of the server once somebody has connected."""

    def __init__(
        self, target: Target, settings: EngineSettings, credentials: Credentials, members: Members
    ) -> None:
        """Connect to nothing yet. Raises EngineError when mode and url do not say the same."""
        if (settings.mode == "set_role") != bool(target.login):
            raise EngineError(
                "login_not_pinned",
                "in mode set_role the engine's url names the gateway's own login, in mode login none",
                next_step="Write postgresql://LOGIN@HOST/DATABASE for set_role, without LOGIN@ for login.",
            )
        self.facts: Facts | None = None
        self._target = target
        self._credentials = credentials
        self._users = tuple(dict.fromkeys(user for users in members.values() for user in users))
        self._pool = Pool(
            self._open,
            CONNECT_SECONDS * target.hosts,
            settings.connections,
            Turnstile(settings.connections, settings.waiting, settings.wait_seconds),
        )
        self._flights = Flights(INTERRUPT_EVERY)
        self._proved: dict[str, float] = {}
        self._kept: dict[str, KeptSession] = {}

    def others(self, user: str) -> tuple[str, ...]:
        """Return every configured user but one."""
        return tuple(other for other in self._users if other != user)

    def anybody(self) -> str:
        """Return the gateway's own login or else the first configured user; "" where there is none."""
        return self._target.login or next(iter(self._users), "")

    def flying(self, query_id: str = "", seconds: float = math.inf) -> AbstractContextManager[Flight]:
        """Make a query stoppable while the block runs, by its id or with all others; its time begins."""
        return self._flights.flying(query_id, seconds)

    def stop(self, query_id: str) -> None:
        """Stop the query with that id; if it has not begun yet, it will not begin."""
        self._flights.stop(query_id)

    def close(self) -> None:
        """Stop what runs and close every session."""
        self._flights.stop_all()
        self._pool.close()

    def ask(self, who: Identity, limits: Limits, flight: Flight, statement: str) -> PGresult:
        """Return the whole result of one statement of our own, run as the asker."""
        with self.asking(who, limits, flight, statement) as (guarded, _):
            return guarded.exchange.results(1)[0]

    def price_write(self, who: Identity, limits: Limits, flight: Flight, statement: str) -> str:
        """EXPLAIN a write as the asker; return the SQLSTATE of what refused it, "" where nothing did."""
        login = self._target.login or who.user
        with self._pool.session(login, flight) as session:
            try:
                return session.price_write(who.user, statement, limits.seconds)
            except Stalled as fault:
                raise _as_error(fault, flight, limits, limits.seconds) from None

    @contextmanager
    def keeping(self, query_id: str) -> Iterator[None]:
        """Let what is asked under an id share one transaction, until its last part or the end of the block.

        Nothing is begun before the first statement.
        """
        kept = self._kept[query_id] = KeptSession()
        try:
            yield
        finally:
            del self._kept[query_id]
            kept.end()

    @contextmanager
    def asking(
        self, who: Identity | None, limits: Limits, flight: Flight, *statements: str, last: bool = False
    ) -> Iterator[tuple[Guarded, str]]:
        """Run statements as the asker; yield the running transaction and its snapshot.

        Without an asker they run as the gateway's own login, or as anybody in mode login. Where the question
        keeps a transaction they are a part of it, and its `last` one ends it; else they have their own.
        Raises EngineError, EngineTimeout and EngineCancelled.
        """
        for statement in statements:
            _refuse_unsendable(statement)
        user = who.user if who else self.anybody()
        with self._lent(who, limits, flight, last=last) as (session, part):
            limits = flight.left(limits)
            guarded = session.prepare(user, limits, flight.query_id, *statements, part=part)
            started = time.monotonic()
            try:
                with flight.stoppable(guarded.interrupter()), guarded.running() as snapshot:
                    yield guarded, snapshot
            except (StatementFailed, Stalled) as fault:
                raise _as_error(fault, flight, limits, time.monotonic() - started) from None

    @contextmanager
    def _lent(
        self, who: Identity | None, limits: Limits, flight: Flight, *, last: bool
    ) -> Iterator[tuple[Session, Part]]:
        """Lend a session that may act as the asker: the one their question keeps, or any."""
        lend = partial(self._session, who, limits, flight)
        kept = self._kept.get(flight.query_id)
        if kept is not None and who is not None:
            with kept.lent(lend, who, last=last) as lent:
                yield lent
        else:
            with lend() as session:
                yield session, WHOLE

    @contextmanager
    def _session(self, who: Identity | None, limits: Limits, flight: Flight) -> Iterator[Session]:
        login = self._target.login or (who.user if who else self.anybody())
        with self._pool.session(login, flight) as session:
            if who and self._target.login:
                self._prove(session, who.user, flight.left(limits), flight)
            yield session

    def _open(self, login: str, seconds: float) -> Session:
        session = connect(self._target, login, self._credentials, seconds)
        self.facts = session.facts
        return session

    def _prove(self, session: Session, user: str, limits: Limits, flight: Flight) -> None:
        """Refuse to switch to a role where the database would not hold it; proved anew every five minutes."""
        if self._proved.get(user, 0.0) > time.monotonic():
            return
        guarded = session.prepare(session.login, limits, "doctor", ask_faults(user, session.facts.version))
        started = time.monotonic()
        try:
            with flight.stoppable(guarded.interrupter()), guarded.running():
                faults = faults_in(guarded.exchange.results(1)[0])
        except (StatementFailed, Stalled) as fault:
            error = _as_error(fault, flight, limits, time.monotonic() - started)
            if error.retryable or flight.cancelled:
                raise error from None
            faults = (f"the database did not say whether it is ({fault})",)
        if faults:
            raise identity_refused(f"mode set_role is not safe for {user!r}: {'; '.join(faults)}")
        self._proved[user] = time.monotonic() + PROVED_SECONDS


def _as_error(
    fault: StatementFailed | Stalled, flight: Flight, limits: Limits, seconds: float
) -> EngineError:
    if flight.cancelled:
        return cancelled()
    if isinstance(fault, Stalled) or fault.sqlstate in TIME_IS_UP:
        return timed_out(limits.whole)
    if fault.sqlstate == CANCELLED and seconds >= limits.seconds * 0.9:
        return timed_out(limits.whole)
    return as_query_error(fault)


def _refuse_unsendable(statement: str) -> None:
    """Refuse a text that would not arrive at the server as it is."""
    if "\0" in statement or any("\ud800" <= letter <= "\udfff" for letter in statement):
        raise EngineError("bad_sql", "the statement holds characters that the database cannot take")
