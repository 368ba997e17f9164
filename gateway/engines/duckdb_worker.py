"""The program of a worker process: one DuckDB session at a time, orders from a pipe, inside walls of its own.

It holds no key, no store and no secret of the gateway, and ends when the gateway does.
"""

import ctypes
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gateway.engines.base import EngineError, Limits
from gateway.engines.duckdb_columns import Taken
from gateway.engines.duckdb_plan import estimate
from gateway.engines.duckdb_proof import find_faults
from gateway.engines.duckdb_rows import take_rows
from gateway.engines.duckdb_serialised import functions_called
from gateway.engines.duckdb_session import Session, open_session
from gateway.engines.duckdb_spill import hold
from gateway.engines.duckdb_wire import (
    LENGTH,
    Message,
    fault_message,
    frame,
    limits_in,
    rows_message,
    scope_in,
    unframe,
)
from gateway.engines.flights import Flight
from gateway.engines.refusals import beside_too_large

MB = 1 << 20
SLACK_MB = 2048
"""Addresses that Python and DuckDB map beyond what a query may use."""

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38

Head = Mapping[str, Any]


def main() -> None:
    """Obey orders on stdin until it ends. Arguments: control pipe, gateway's pid, memory and spill in MB."""
    control, gateway, memory_mb, spill_mb = map(int, sys.argv[1:5])
    _raise_walls(gateway, memory_mb, spill_mb)
    replies = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    desk = Desk()
    threading.Thread(target=_listen, args=(control, desk), daemon=True).start()
    _send(replies, Message({"ready": True}))
    while (order := _receive(0)) is not None:
        _send(replies, desk.obey(order))
    # What still runs in a thread of DuckDB is not waited for.
    os._exit(0)


class Desk:
    """Where orders are obeyed, one after the other; `stop` comes from another thread."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._spill: int | None = None
        self._lock = threading.Lock()
        self._number = 0
        self._flight = Flight("", cancelled=False)
        self._verbs: Mapping[str, Callable[[Head, Flight], Message]] = {
            "open": self._open,
            "explain": self._explain,
            "run": self._run,
            "probe": self._probe,
            "shut": self._shut,
        }

    def obey(self, order: Message) -> Message:
        """Return what an order gave, or the error it ended in."""
        with self._lock:
            self._number = int(order.head["number"])
            self._flight = flight = Flight("", cancelled=False)
        try:
            return self._verbs[order.head["verb"]](order.head, flight)
        except EngineError as error:
            return fault_message(error)

    def stop(self, number: int) -> None:
        """Interrupt the order of that number; a call that comes too late does nothing."""
        with self._lock:
            flight = self._flight if number == self._number else None
        if flight is not None:
            flight.cancelled = True
            with flight.lock:
                if flight.interrupt is not None:
                    flight.interrupt()

    def _open(self, head: Head, flight: Flight) -> Message:
        self._shut(head, flight)
        scope, limits = scope_in(head), limits_in(head)
        spill = Path(head["spill"])
        if limits.spill_mb:
            self._spill = hold(spill)
        self._session = open_session(Path(head["path"]), scope, limits, spill)
        return Message({})

    def _shut(self, _head: Head, _flight: Flight) -> Message:
        if self._session is not None:
            self._session.close()
            self._session = None
        if self._spill is not None:
            os.close(self._spill)
            self._spill = None
        return Message({})

    def _explain(self, head: Head, flight: Flight) -> Message:
        session = self._opened()
        with session.cursor(limits_in(head).seconds) as cursor, flight.stoppable(cursor.driver.interrupt):
            driver = cursor.driver
            plans = session.plan(driver, head["sql"])
            lake = session.parquet(driver)
            found = estimate(plans.physical, lambda table: session.storage(driver, table), lake)
            names = functions_called(driver, head["sql"])
        return Message({"estimate": {**found.model_dump(mode="json"), "functions": names}})

    def _run(self, head: Head, flight: Flight) -> Message:
        taken, ahead = run_statements(self._opened(), head["sql"], head["beside"], limits_in(head), flight)
        return rows_message(taken, ahead)

    def _probe(self, head: Head, flight: Flight) -> Message:
        session, scope = self._opened(), scope_in(head)
        with session.cursor(limits_in(head).seconds) as cursor, flight.stoppable(cursor.driver.interrupt):
            faults = find_faults(cursor.driver, scope, session.alias, extract=head["extract"])
        return Message({"faults": faults})

    def _opened(self) -> Session:
        if self._session is None:
            raise EngineError("database_closed", "the database was closed", retryable=True)
        return self._session


def run_statements(
    session: Session, sql: str, beside: str, limits: Limits, flight: Flight
) -> tuple[Taken, Taken | None]:
    """Run a SELECT, after the one `beside` it, within one time limit, and return rows up to the caps."""
    with session.cursor(limits.seconds) as cursor, flight.stoppable(cursor.driver.interrupt):
        for statement in (beside, sql) if beside else (sql,):
            if statement not in session.planned:
                session.plan(cursor.driver, statement)
        flight.check()
        started = time.monotonic()
        ahead = None
        if beside:
            ahead = take_rows(cursor.statement(beside), flight, limits, started)
            if ahead.limit_source:
                raise beside_too_large()
            cursor.limit(limits.seconds - (time.monotonic() - started))
        return take_rows(cursor.statement(sql), flight, limits, started), ahead


def _raise_walls(gateway: int, memory_mb: int, spill_mb: int) -> None:
    """Bound addresses and files, leave no core dump, and tie this process's life to the gateway's."""
    os.umask(0o077)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for kind, most in (
        (resource.RLIMIT_AS, (memory_mb + SLACK_MB) * MB),
        (resource.RLIMIT_FSIZE, spill_mb * MB),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    kernel = ctypes.CDLL(None)
    kernel.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    kernel.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != gateway:
        os._exit(1)


def _listen(control: int, desk: Desk) -> None:
    """Stop orders by number as asked; when the gateway is gone, go too, whatever runs."""
    while len(number := os.read(control, LENGTH)) == LENGTH:
        desk.stop(int.from_bytes(number, "big"))
    os._exit(1)


def _receive(pipe: int) -> Message | None:
    length = _read(pipe, LENGTH)
    body = None if length is None else _read(pipe, int.from_bytes(length, "big"))
    return None if body is None else unframe(body)


def _read(pipe: int, size: int) -> bytes | None:
    """Return so many bytes, or None where the pipe ends before."""
    parts = []
    while size:
        part = os.read(pipe, size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _send(pipe: int, message: Message) -> None:
    view = memoryview(frame(message))
    while view:
        view = view[os.write(pipe, view) :]


if __name__ == "__main__":
    main()
