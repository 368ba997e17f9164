"""A process that writes traces until it is killed: `FOLDER [TEAR_AT]`; prints each receipt once it has it."""

import os
import signal
import sys
from pathlib import Path

from tests.traces.samples import KEY, closed, opened
from tests.traces.signing import keeper
from traces.store.disk import Disk
from traces.store.files import FileTraceStore
from traces.store.limits import StoreLimits


class TearingDisk(Disk):
    """Kills its own process half-way through write number `nth`."""

    def __init__(self, nth: int) -> None:
        self._left = nth

    def write(self, handle: int, data: bytes, offset: int) -> int:
        self._left -= 1
        if self._left == 0:
            super().write(handle, data[: len(data) // 2], offset)
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(handle, data, offset)


def run(folder: Path, tear_at: int) -> None:
    store = FileTraceStore(
        folder,
        KEY,
        disk=TearingDisk(tear_at),
        limits=StoreLimits(segment_bytes=50_000),
        keeper=None if tear_at else keeper(folder.with_name("elsewhere")),
    )
    for number in range(100_000):
        trace_id = f"{os.getpid()}-{number}"
        with store.reserve(12_000):
            store.append(opened(trace_id), durable=False)
            receipt = store.append(closed(trace_id), durable=True)
        os.write(1, receipt.model_dump_json().encode() + b"\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
