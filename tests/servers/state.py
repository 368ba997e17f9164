"""A database for the state of a project, set up by the product's own script, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

from gateway.stores.postgres_setup import state_setup
from gateway.stores.rows import Database
from tests.servers.postgres import Server

PROJECT = "shop"
KEYS = "5f" * 32
"""What stands for the commitment of a key store, where a test opens stores without a project."""


@dataclass(frozen=True, slots=True)
class StateDatabase:
    """A database that was set up by the script, its login and the url of it."""

    server: Server
    name: str
    login: str
    url: str

    @property
    def place(self) -> Database:
        """The place that stores are opened at."""
        return Database(self.url, PROJECT, KEYS)

    def empty(self) -> None:
        """Take every table away."""
        self.cut()
        self.server.execute("DROP SCHEMA IF EXISTS cellbound_state CASCADE", self.name)

    def cut(self) -> None:
        """End every connection of the login, as a server that restarts does."""
        self.server.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{self.login}'"
        )

    def open(self, *, to: bool) -> None:
        """Let connections in, or let nobody in and end those there are."""
        self.server.execute(f"ALTER DATABASE {self.name} WITH ALLOW_CONNECTIONS {str(to).lower()}")
        if not to:
            self.cut()


@contextmanager
def state_database_on(server: Server) -> Iterator[StateDatabase]:
    """Make a database and its login, and take them away again."""
    mark = uuid4().hex[:12]
    name, login = f"state_{mark}", f"gateway_{mark}"
    folder = str(server.folder).replace("/", "%2F")
    try:
        for statement in state_setup(f"postgres://{login}@host/{name}").split(";\n"):
            if statement.strip():
                server.execute(statement)
        yield StateDatabase(server, name, login, f"postgresql://{login}@{folder}:{server.port}/{name}")
    finally:
        server.drop_database(name)
        server.execute(f"DROP ROLE IF EXISTS {login}")
