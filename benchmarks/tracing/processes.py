"""The same callers over several processes, each with a log of its own, as `serve --workers` has them."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from benchmarks.tracing.asking import Asked, asked

_PATIENCE = 60.0


def asked_in_processes(folder: Path, callers: int, processes: int, seconds: float) -> list[Asked]:
    """Have so many callers, shared out evenly, write into logs in one folder at the same time."""
    context = get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(processes, context) as pool:
        ready = manager.Barrier(processes, timeout=_PATIENCE)
        shares = [
            pool.submit(asked, folder, callers // processes, seconds, ready.wait) for _ in range(processes)
        ]
        return [share.result() for share in shares]
