"""Callers that write whole traces into one store for a while, each in a thread of its own."""

import os
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.tracing.records import question
from gateway.operation.memory import settle
from traces.checkpoint import name_of_project
from traces.frame import ChainKey
from traces.records import Close, Open
from traces.signed_note import NoteSigner
from traces.store.files import FileTraceStore
from traces.store.keeper import CheckpointKeeper

KEY = ChainKey("bench", bytes(32))
RESERVED = 256 * 1024


class Asked(NamedTuple):
    """How many traces became durable, in how many seconds, with how much CPU time of the process."""

    traces: int
    seconds: float
    cpu_seconds: float


def asked(folder: Path, callers: int, seconds: float, begin: Callable[[], object] = lambda: None) -> Asked:
    """Have so many callers write whole traces, as a question does: room first, `open`, a durable `close`.

    Memory is settled first, as the gateway's is before it answers. `begin` is called when all of them are
    ready, and may wait for other processes.
    """
    store = opened_store(folder)
    process = os.getpid()
    write(store, *question(f"{process}-first"))
    settle()
    stop, counts = threading.Event(), [0] * callers
    sample, go = question("sample"), threading.Barrier(callers + 1)

    def ask(caller: int) -> None:
        opened, closed = sample
        go.wait()
        while not stop.is_set():
            trace_id = {"trace_id": f"{process}-{caller}-{counts[caller]}"}
            write(store, opened.model_copy(update=trace_id), closed.model_copy(update=trace_id))
            counts[caller] += 1

    threads = [threading.Thread(target=ask, args=(caller,)) for caller in range(callers)]
    for thread in threads:
        thread.start()
    begin()
    go.wait()
    began, spent = time.perf_counter(), time.process_time()
    time.sleep(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    took, cpu = time.perf_counter() - began, time.process_time() - spent
    store.close()
    return Asked(sum(counts), took, cpu)


def write(store: FileTraceStore, opened: Open, closed: Close) -> None:
    """Write one trace."""
    with store.reserve(RESERVED):
        store.append(opened, durable=False)
        store.append(closed, durable=True)


def opened_store(folder: Path) -> FileTraceStore:
    """Return a store that signs checkpoints, as the gateway's does."""
    signer = NoteSigner(name_of_project("bench"), Ed25519PrivateKey.from_private_bytes(bytes(32)))
    keeper = CheckpointKeeper(signer, [signer.verifier], lambda: datetime.now(UTC))
    return FileTraceStore(folder, KEY, keeper=keeper)
