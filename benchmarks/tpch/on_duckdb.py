"""DuckDB: price and run in a worker beside the bare driver, what the pipe costs, how soon a stop stops."""

import itertools
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import duckdb

from benchmarks.tpch.data import QUERIES, SCOPE, duckdb_file
from benchmarks.tpch.timing import Taken, cpu_of, in_turns, milliseconds, summary
from gateway.engines.base import EngineError, Identity, Limits
from gateway.engines.duckdb import DuckDBEngine
from gateway.engines.duckdb_fleet import FLEET
from gateway.engines.duckdb_session import Session, open_session
from gateway.settings.file import DuckDBSettings

WHO = Identity("ann", "analyst")
LIMITS = Limits(rows=10_000, bytes=50_000_000, seconds=60, memory_mb=2048, spill_mb=0)
ENDLESS = "SELECT count(*) FROM lineitem a, lineitem b WHERE a.l_comment <> b.l_comment"
DEAF = "SELECT list_reduce(range(100000000), lambda x, y: (x * 31 + y) % 1000003)"
ROWS = (1, 100, 1_000)
FEW = "SELECT l_orderkey, l_shipmode, l_extendedprice, l_shipdate FROM lineitem LIMIT {}"


def measure(factor: float, rounds: int) -> dict[str, Any]:
    """Return the figures of DuckDB at a scale factor. Raises Unavailable where no data can be made."""
    file = duckdb_file(factor)
    with tempfile.TemporaryDirectory(prefix="cellbound-bench-") as scratch:
        engine = _engine(file, Path(scratch), "soft")
        first = milliseconds(lambda: engine.run("SELECT 1", WHO, LIMITS, "first"))
        with closing(engine), closing(_bare(file)) as bare:
            queries = {name: _compare(engine, bare, sql, rounds) for name, sql in QUERIES.items()}
            figures = summary(queries)
            figures["first_ms"] = round(first, 1)
            figures["worker_adds_ms"] = _added(engine, file, Path(scratch), rounds * 10)
            figures["cancel_ms"] = _stopped(engine, ENDLESS)
            figures["cancel_deaf_ms"] = _stopped(engine, DEAF)
        with closing(_engine(file, Path(scratch), "hard")) as hard:
            made = milliseconds(lambda: hard.run("SELECT 1", WHO, LIMITS, "first"))
            figures["extract_s"] = round(made / 1000, 2)
    return {"scale_factor": factor, "file_mb": round(file.stat().st_size / 1e6), **figures}


def _engine(file: Path, scratch: Path, mode: str) -> DuckDBEngine:
    settings = DuckDBSettings.model_validate({"mode": mode})
    return DuckDBEngine(
        file, {"analyst": SCOPE}, LIMITS, scratch / "spill", settings=settings, extracts=scratch / "extracts"
    )


def _bare(file: Path) -> duckdb.DuckDBPyConnection:
    """Open the file as anybody would, with the memory of a worker; threads are as many for both."""
    return duckdb.connect(str(file), read_only=True, config={"memory_limit": f"{LIMITS.memory_mb}MB"})


def _compare(
    engine: DuckDBEngine, bare: duckdb.DuckDBPyConnection, sql: str, rounds: int
) -> dict[str, Taken]:
    numbers = itertools.count()

    def run(text: str = sql) -> None:
        engine.run(text, WHO, LIMITS, "guarded")

    def priced(text: str) -> None:
        engine.explain(text, WHO, LIMITS)
        run(text)

    ways = {
        "run": run,
        "priced": lambda: priced(f"{sql} -- {next(numbers)}"),
        "again": lambda: priced(sql),
        "bare": lambda: bare.execute(sql).fetchall(),
    }
    return in_turns(ways, rounds, _cpu)


def _cpu() -> float:
    """Return the seconds of CPU that this process and its idle workers have used."""
    return time.process_time() + sum(cpu_of(worker.pid) for worker in FLEET.idle)


def _added(engine: DuckDBEngine, file: Path, scratch: Path, rounds: int) -> dict[str, float]:
    """Return what a warm worker takes beyond the driver in this process, by the rows of the result."""
    found = {}
    with closing(open_session(file, SCOPE, LIMITS, scratch)) as session:
        for rows in ROWS:
            sql = FEW.format(rows)
            taken = in_turns(
                {"worker": partial(_ask, engine, sql), "here": partial(_here, session, sql)}, rounds
            )
            both = zip(taken["worker"].turns, taken["here"].turns, strict=True)
            found[str(rows)] = round(median(worker - here for worker, here in both), 3)
    return found


def _ask(engine: DuckDBEngine, sql: str) -> None:
    engine.run(sql, WHO, LIMITS, "warm")


def _here(session: Session, sql: str) -> None:
    """Ask the driver in this process, under the same time limit, for the same rows of Python's values."""
    with session.cursor(LIMITS.seconds) as cursor:
        cursor.driver.execute(sql).fetchall()


def _stopped(engine: DuckDBEngine, sql: str) -> float:
    """Return how long after `cancel` the asker hears that the query ended."""
    spent = []
    with ThreadPoolExecutor(1) as pool:
        for number in range(3):
            running = pool.submit(engine.run, sql, WHO, LIMITS, str(number))
            time.sleep(0.3)
            started = time.perf_counter()
            engine.cancel(str(number))
            with suppress(EngineError):
                running.result()
            spent.append((time.perf_counter() - started) * 1000)
    return round(median(spent), 1)
