"""A database that is none: it answers one metric by region, and lets the simulation in at each call."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass

from gateway.engines.base import (
    Capabilities,
    EngineBusy,
    EngineCancelled,
    EngineError,
    EngineTimeout,
    Identity,
    Limits,
    Promise,
    RoleScope,
    Rows,
)
from gateway.engines.turnstile import Turnstile
from metric_layer.plan import Dialect
from traces.records import Actual, DataReference, Estimate

SEEN = {"everywhere": ("north", "south"), "north_only": ("north",)}
"""What each role sees: the regions of its rows."""
SLOTS = 3
Meanwhile = Callable[[str, Identity | None, str], None]
"""What happens in the middle of a call: its name, who it runs as, and the id of the question."""


@dataclass(frozen=True, slots=True)
class Started:
    """A statement that the database began to execute."""

    query_id: str
    user: str
    role: str


class FakeDatabase:
    """An engine behind the real queue for sessions; only the estimate and the rows are made up.

    `price` gives the bytes of an estimate. `meanwhile` is called in the middle of every call with its name;
    `fails` says how the next call ends.
    """

    dialect: Dialect = "duckdb"

    def __init__(self, price: Callable[[], int], meanwhile: Meanwhile) -> None:
        self.fails = ""
        self.started: list[Started] = []
        self.asked: list[Identity] = []
        self._price = price
        self._meanwhile = meanwhile
        self._stopped: set[str] = set()
        self._turnstile = Turnstile(SLOTS, 0, 0.0)

    def free_slots(self) -> int:
        """Count the sessions that can still be had, by taking them."""
        with ExitStack() as taken:
            for count in range(SLOTS + 1):
                try:
                    taken.enter_context(self._turnstile.inside(lambda: None))
                except EngineBusy:
                    return count
        return SLOTS + 1

    def explain(self, sql: str, who: Identity, limits: Limits, query_id: str = "") -> Estimate:
        with self._call("explain", who, query_id):
            return Estimate(rows=2, bytes=self._price(), bound="exact")

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        with self._call("run", who, query_id, Started(query_id, who.user, who.role)):
            rows = tuple((region, 7 + len(region)) for region in SEEN[who.role])
            return Rows(
                ("region", "parcel_count"), ("VARCHAR", "BIGINT"), rows, False, "", Actual(rows=2, ms=1.0)
            )

    def one_snapshot(self, query_id: str) -> AbstractContextManager[None]:
        return nullcontext()

    def cancel(self, query_id: str) -> None:
        self._stopped.add(query_id)

    def pin(self, seconds: float | None = None, query_id: str = "") -> DataReference:
        self._meanwhile("pin", None, "")
        self._fail()
        return DataReference(kind="timestamp", value="2026-10-31T00:00:00Z")

    def capabilities(self) -> Capabilities:
        return Capabilities("simulated", "1", "soft", "views", read_only=True, time_travel="none")

    def probe(self, scope: RoleScope) -> tuple[str, ...]:
        return ()

    def inspect(self, scope: RoleScope) -> tuple[Promise, ...]:
        return ()

    def close(self) -> None:
        """There is nothing to give back."""

    @contextmanager
    def _call(self, name: str, who: Identity, query_id: str, begins: Started | None = None) -> Iterator[None]:
        self.asked.append(who)
        with self._turnstile.inside(lambda: self._check(query_id)):
            self._check(query_id)
            if begins is not None:
                self.started.append(begins)
            self._meanwhile(name, who, query_id)
            self._check(query_id)
            self._fail()
            yield

    def _check(self, query_id: str) -> None:
        if query_id in self._stopped:
            raise EngineCancelled("query_cancelled", "the query was stopped")

    def _fail(self) -> None:
        fails, self.fails = self.fails, ""
        match fails:
            case "dies":
                raise EngineError("connection_lost", "the database closed the connection", retryable=True)
            case "slow":
                raise EngineTimeout("timed_out", "the database stopped it at its limit")
