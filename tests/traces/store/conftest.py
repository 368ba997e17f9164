"""A trace database with its writer, for the tests of the store in PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from tests.servers.postgres import Server
from tests.traces.samples import KEY
from tests.traces.signing import keeper
from traces.frame import ChainKey
from traces.store.base import TraceStore
from traces.store.files import FileTraceStore
from traces.store.limits import DEFAULT, StoreLimits
from traces.store.postgres import PostgresTraceStore
from traces.store.postgres_setup import traces_setup

StoreOpener = Callable[..., TraceStore]


@dataclass(frozen=True, slots=True)
class TraceDatabase:
    """A database that was set up by the script, and the url of its writer."""

    server: Server
    name: str
    writer: str
    url: str

    def store(
        self,
        key: ChainKey = KEY,
        *,
        log_id: str = "",
        limits: StoreLimits = DEFAULT,
        second: Path | None = None,
        url: str = "",
    ) -> PostgresTraceStore:
        """A store on it that signs checkpoints."""
        return PostgresTraceStore(
            url or self.url,
            key,
            log_id=log_id,
            limits=limits,
            keeper=keeper(second),
            retention=self.retention_url,
        )

    @property
    def retention_url(self) -> str:
        """The url of the login that may delete old segments."""
        return self.url.replace(f"//{self.writer}@", f"//{self.writer}_retention@")

    def run(self, statement: str) -> None:
        """Run a statement as the superuser, past every right and every trigger."""
        self.server.execute(f"SET session_replication_role = replica; {statement}", self.name)


def run_setup(server: Server, script: str, database: str) -> None:
    """Run what `setup sql --traces` prints, as psql would."""
    before, after = script.split("\n\\connect ", 1)
    for statement in before.split(";\n"):
        server.execute(statement)
    server.execute(after.partition("\n")[2], database)


@contextmanager
def set_up_on(server: Server) -> Iterator[TraceDatabase]:
    """Make a trace database and its writer, and take them away again."""
    mark = uuid4().hex[:12]
    name, writer = f"traces_{mark}", f"writer_{mark}"
    try:
        run_setup(server, traces_setup(f"postgres://{writer}@host/{name}"), name)
        folder = str(server.folder).replace("/", "%2F")
        yield TraceDatabase(server, name, writer, f"postgresql://{writer}@{folder}:{server.port}/{name}")
    finally:
        server.drop_database(name)
        server.execute(f"DROP ROLE IF EXISTS {writer}")
        server.execute(f"DROP ROLE IF EXISTS {writer}_owner")
        server.execute(f"DROP ROLE IF EXISTS {writer}_retention")


@pytest.fixture
def trace_database(postgres_server: Server) -> Iterator[TraceDatabase]:
    with set_up_on(postgres_server) as database:
        yield database


@pytest.fixture(params=["files", "postgres"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoreOpener]:
    """Opens stores on one place, of either kind; they are closed when the test ends."""
    opened: list[TraceStore] = []
    database: TraceDatabase | None = None
    if request.param == "postgres":
        database = request.getfixturevalue("trace_database")

    def open_one(
        key: ChainKey = KEY, *, log_id: str = "", limits: StoreLimits = DEFAULT, second: Path | None = None
    ) -> TraceStore:
        store: TraceStore
        if database is not None:
            store = database.store(key, log_id=log_id, limits=limits, second=second)
        else:
            folder = tmp_path / "traces"
            store = FileTraceStore(folder, key, log_id=log_id, limits=limits, keeper=keeper(second))
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()
