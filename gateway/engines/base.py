"""The one small protocol to a database, and the records it speaks in."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Protocol

from metric_layer.plan import Dialect
from traces.cost_records import Actual, Estimate
from traces.data_records import DataReference, Value


class EngineError(Exception):
    """The database could not be used. `code` is stable; `retryable` says whether trying again may help."""

    def __init__(self, code: str, message: str, *, retryable: bool = False, next_step: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable
        self.next_step = next_step


class EngineTimeout(EngineError):
    """The database stopped the query at its time limit."""


class EngineCancelled(EngineError):
    """The query was stopped because its caller left or asked for it."""


class EngineBusy(EngineError):
    """Every session is in use and the queue is full. `retry_after` is in seconds."""

    def __init__(self, code: str, message: str, *, next_step: str, retry_after: float) -> None:
        super().__init__(code, message, retryable=True, next_step=next_step)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the query runs as. `tenant` says whose key hashes are made with."""

    user: str
    role: str
    tenant: str = ""

    @property
    def scope(self) -> str:
        """Return the name of the scope of this role and tenant, where they have one of their own."""
        return scope_of(self.role, self.tenant)


@lru_cache(maxsize=1024)
def scope_of(role: str, tenant: str) -> str:
    """Return the name of what a role of one tenant sees."""
    return f"{role}@{sha256(tenant.encode()).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may take of the database.

    `seconds` are left of its `whole` time, for waiting, connecting, pricing and running alike.
    """

    rows: int
    bytes: int
    seconds: float
    memory_mb: int
    spill_mb: int
    of_seconds: float = 0.0

    @property
    def whole(self) -> float:
        """Return the seconds that the question had when it began."""
        return self.of_seconds or self.seconds

    def leaving(self, seconds: float) -> "Limits":
        """Return the same limits where so many seconds are left."""
        left = max(0.0, seconds)
        return Limits(self.rows, self.bytes, left, self.memory_mb, self.spill_mb, self.whole)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation a role may see: `name` as SQL text names it, `select` the statement over the base relations.

    In `select`, base relations are written under the schema-less placeholder catalog `{source}`. `columns`
    are the names the role may see, in any order; `probe` is a statement that counts rows which break the
    role's row rule. Both are what `Engine.probe` proves; left empty they are not proved. `files` are Parquet
    files that the role reads as they are, in the place of `select`.
    """

    name: str
    select: str
    columns: tuple[str, ...] = ()
    probe: str = ""
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleScope:
    """All that a role may see. `digest` is the entitlement hash of the trace."""

    role: str
    relations: tuple[Relation, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A result as the driver gave it: names, engine types, rows up to the cap, and who cut it.

    `beside` are the rows of the second statement that ran in the same snapshot, if there was one. `data` is
    what the data was for exactly this run, where the engine can say. `query_id` is the database's own name
    for the run and `backend` the process that served it, where there are such.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    truncated: bool
    limit_source: str
    actual: Actual
    beside: tuple[tuple[Value, ...], ...] = ()
    data: DataReference | None = None
    query_id: str = ""
    backend: str = ""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What this engine can promise; shown by `doctor` and pinned in every trace.

    `driver` names the library that speaks to it, and its version, where that is not the engine itself;
    `search_path` is where a bare name is looked for.
    """

    engine: str
    version: str
    mode: str
    enforces_rows: str
    read_only: bool
    time_travel: str
    driver: str = ""
    search_path: str = ""
    notes: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Promise:
    """A limit that the database holds for a role: what was found, and each thing that is wrong with it."""

    name: str
    found: str
    faults: tuple[str, ...] = ()


class Engine(Protocol):
    """A database that can price a query without running it and run it as the asker."""

    dialect: Dialect

    def explain(self, sql: str, who: Identity, limits: Limits, query_id: str = "") -> Estimate:
        """Return the database's own estimate. Never executes the statement; `cancel` stops it by its id."""
        ...

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        """Run the statement as the asker and stream rows up to the caps.

        `beside` is a second statement of a few rows, read first, as the same asker and in the same snapshot.
        """
        ...

    def one_snapshot(self, query_id: str) -> AbstractContextManager[None]:
        """Let what is priced and run under an id in the block read one snapshot, as far as the engine can.

        It ends with the run. Leave the block before anybody else is waited for.
        """
        ...

    def cancel(self, query_id: str) -> None:
        """Stop the query with that id. One that has not begun yet does not begin; never raises."""
        ...

    def pin(self, seconds: float | None = None, query_id: str = "") -> DataReference:
        """Return what the data is right now, as far as the engine can say; `cancel` ends it by its id."""
        ...

    def capabilities(self) -> Capabilities:
        """Return what this engine promises."""
        ...

    def probe(self, scope: RoleScope) -> tuple[str, ...]:
        """Prove that a role sees only its rows and columns; return one line per thing found wrong."""
        ...

    def inspect(self, scope: RoleScope) -> tuple[Promise, ...]:
        """Try every limit that has to hold for a role even where the gateway is wrong. Executes no write."""
        ...

    def close(self) -> None:
        """Give every connection back."""
        ...
