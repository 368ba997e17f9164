"""A process whose clock is turned under it: `FOLDER FILE TURN...`; prints the time, and each receipt it has.

libfaketime reads FILE at every look at the clock. Each turn comes once before space is set aside, once before
the opening record and once before the close.
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from tests.traces.samples import KEY, closed, opened
from tests.traces.signing import SIGNER_KEY
from traces.checkpoint import name_of_project
from traces.signed_note import NoteSigner
from traces.store.files import FileTraceStore
from traces.store.keeper import CheckpointKeeper
from traces.store.limits import StoreLimits

PLACES = 3


def run(folder: Path, turned: Path, turns: list[str]) -> None:
    signer = NoteSigner(name_of_project("shop"), SIGNER_KEY)
    keeper = CheckpointKeeper(signer, [signer.verifier], _now)
    store = FileTraceStore(folder, KEY, limits=StoreLimits(segment_bytes=50_000), keeper=keeper)
    for round_, turn in enumerate(turns):
        for place in range(PLACES):
            _turn(turned, turn if place == 0 else "")
            with store.reserve(12_000):
                trace_id = f"{os.getpid()}-{round_}-{place}"
                _turn(turned, turn if place == 1 else "")
                store.append(opened(trace_id).model_copy(update={"at": _now()}), durable=False)
                _turn(turned, turn if place == 2 else "")
                receipt = store.append(closed(trace_id).model_copy(update={"at": _now()}), durable=True)
            os.write(1, f"{_now().isoformat()} {receipt.model_dump_json()}\n".encode())
            _turn(turned, "+0s")
    store.close()


def _turn(turned: Path, offset: str) -> None:
    if offset:
        aside = turned.with_suffix(".aside")
        aside.write_text(offset)
        aside.replace(turned)


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
