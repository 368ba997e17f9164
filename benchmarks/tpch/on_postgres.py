"""PostgreSQL: price and guarded run beside the bare driver, a slow link, and how soon a stop stops."""

import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

import psycopg

from benchmarks.tpch.data import QUERIES, duckdb_file, load_postgres
from benchmarks.tpch.timing import Clock, Taken, cpu_of_family, in_turns, summary
from gateway.engines.base import EngineError, Identity, Limits
from gateway.engines.postgres import PostgresEngine, open_postgres
from gateway.settings.file import EngineSettings
from tests.servers.postgres import Server, running
from tests.servers.proxy import Proxy

WHO = Identity("ann", "analyst")
LIMITS = Limits(rows=10_000, bytes=50_000_000, seconds=120, memory_mb=2048, spill_mb=0)
DATABASE = "tpch"
ONE_WAY_SECONDS = 0.005
SHORT = "SELECT n_name FROM nation ORDER BY n_name"
ENDLESS = "SELECT count(*) FROM lineitem a, lineitem b WHERE a.l_comment <> b.l_comment"
WORKING = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'ann' AND state = 'active'"


def measure(factor: float, rounds: int) -> dict[str, Any]:
    """Return the figures of PostgreSQL at a scale factor. Raises Unavailable and NoServer."""
    file = duckdb_file(factor)
    with running() as server:
        server.execute("CREATE ROLE ann LOGIN")
        server.create_database(DATABASE)
        load_postgres(file, server.dsn(database=DATABASE), "ann")
        with _opened(server) as engine, _bare(server) as bare:
            figures = summary(
                {
                    name: _compare(engine, bare, sql, rounds, lambda: _cpu(server))
                    for name, sql in QUERIES.items()
                }
            )
            figures["cancel_ms"] = _stopped(engine, server)
        figures.update(_over_a_slow_link(server, rounds))
        return {"scale_factor": factor, "server": server.version, **figures}


def _over_a_slow_link(server: Server, rounds: int) -> dict[str, Any]:
    """Return the round trips beyond the bare query, and the time of both, with 5 ms each way."""
    socket = str(server.folder / f".s.PGSQL.{server.port}")
    with (
        Proxy(socket, ONE_WAY_SECONDS) as proxy,
        _opened(server, proxy.port) as engine,
        _bare(server, proxy.port) as bare,
    ):
        compared = _compare(engine, bare, SHORT, rounds)
        turns = []
        for ask in (lambda: _guarded(engine, SHORT), lambda: bare.execute(SHORT).fetchall()):
            before = proxy.turns
            ask()
            turns.append(proxy.turns - before)
    return {
        "extra_round_trips": turns[0] - turns[1],
        "slow_link": {f"{way}_ms": taken.ms for way, taken in compared.items()},
    }


@contextmanager
def _opened(server: Server, port: int = 0) -> Iterator[PostgresEngine]:
    url = f"postgresql:///{DATABASE}?host={quote(str(server.folder), safe='')}&port={server.port}"
    settings = EngineSettings(url=f"postgresql://127.0.0.1:{port}/{DATABASE}" if port else url)
    with closing(
        open_postgres(settings, LIMITS, {"analyst": ("ann",)}, Path(tempfile.gettempdir()))
    ) as engine:
        yield engine


@contextmanager
def _bare(server: Server, port: int = 0) -> Iterator[psycopg.Connection[Any]]:
    where: dict[str, Any] = {"host": "127.0.0.1", "port": str(port)} if port else {}
    with psycopg.connect(server.dsn("ann", DATABASE, **where), autocommit=True) as connection:
        yield connection


def _guarded(engine: PostgresEngine, sql: str) -> None:
    engine.explain(sql, WHO, LIMITS)
    engine.run(sql, WHO, LIMITS, "guarded")


def _cpu(server: Server) -> float:
    """Return the seconds of CPU that this process and the server with all its backends have used."""
    return time.process_time() + cpu_of_family(server.process.pid)


def _compare(
    engine: PostgresEngine,
    bare: psycopg.Connection[Any],
    sql: str,
    rounds: int,
    cpu: Clock = time.process_time,
) -> dict[str, Taken]:
    ways = {
        "run": lambda: engine.run(sql, WHO, LIMITS, "guarded"),
        "priced": lambda: _guarded(engine, sql),
        "bare": lambda: bare.execute(sql.encode()).fetchall(),
    }
    return in_turns(ways, rounds, cpu)


def _stopped(engine: PostgresEngine, server: Server) -> float:
    """Return how long after `cancel` the backend is idle again."""
    spent = []
    with (
        psycopg.connect(server.dsn(database=DATABASE), autocommit=True) as looking,
        ThreadPoolExecutor(1) as pool,
    ):
        for number in range(5):
            asked = pool.submit(engine.run, ENDLESS, WHO, LIMITS, str(number))
            while not _working(looking):
                time.sleep(0.005)
            time.sleep(0.05)
            started = time.perf_counter()
            threading.Thread(target=engine.cancel, args=(str(number),)).start()
            while _working(looking):
                pass
            spent.append((time.perf_counter() - started) * 1000)
            with suppress(EngineError):
                asked.result()
    return round(median(spent), 1)


def _working(looking: psycopg.Connection[Any]) -> bool:
    row = looking.execute(WORKING).fetchone()
    return bool(row and row[0])
