"""A process that asks a few questions while system calls fail: `FOLDER SECOND`; prints what it was given."""

import sys
from pathlib import Path

from tests.traces.samples import closed, opened
from tests.traces.signing import signing_store
from traces.errors import TraceUnwritable

QUESTIONS = 3


def run(folder: Path, second: Path) -> None:
    store = signing_store(folder, second)
    for number in range(QUESTIONS):
        try:
            with store.reserve(12_000):
                store.append(opened(f"t{number}"), durable=False)
                receipt = store.append(closed(f"t{number}"), durable=True)
        except TraceUnwritable as refused:
            sys.stdout.write(f"refused {refused.code}\n")
        else:
            sys.stdout.write(receipt.model_dump_json() + "\n")
    try:
        store.close()
    except TraceUnwritable as refused:
        sys.stdout.write(f"refused {refused.code}\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]))
