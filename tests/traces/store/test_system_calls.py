"""The kernel fails the N-th call of a kind, for every N until none fails: nothing acknowledged is lost."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.traces.samples import closed, opened
from tests.traces.signing import signing_store
from tests.traces.store.fault_child import QUESTIONS
from traces.chain import Verified
from traces.records import Receipt

ROOT = Path(__file__).parents[3]
SECONDS = 60
MOST = 60
STRACE = shutil.which("strace")
CALLS = ("pwrite64", "fdatasync", "fsync", "fallocate", "ftruncate", "rename")
OPENED = ("", "a.lock", *(f"a.{number:06d}.jsonl" for number in range(8)))
"""The folder of a log, and the files that are opened in it: strace fails calls on these paths alone."""


@pytest.mark.faults
@pytest.mark.slow
@pytest.mark.skipif(STRACE is None, reason="no strace: as root, apt-get install strace")
@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
@pytest.mark.parametrize("call", [*CALLS, "openat"])
def test_whichever_call_the_kernel_fails_nothing_acknowledged_is_lost(
    tmp_path: Path, call: str, error: str
) -> None:
    for nth in range(1, MOST):
        folder, second = tmp_path / str(nth), tmp_path / f"{nth}-elsewhere"
        said, injected = run_with_fault(folder, second, f"{call}:error={error}:when={nth}")
        receipts = [Receipt.model_validate_json(line) for line in said if line.startswith("{")]
        prove_whole(folder, second, receipts)
        store = signing_store(folder, second)
        store.append(opened("later"), durable=False)
        receipts.append(store.append(closed("later"), durable=True))
        store.close()
        prove_whole(folder, second, receipts)
        if not injected:
            assert nth > 1, f"the store never calls {call}"
            assert len(receipts) == QUESTIONS + 1
            return
        assert len(receipts) >= QUESTIONS - 1, said  # strace counts for each thread: two may be refused
    pytest.fail("the faults never ended")


def run_with_fault(folder: Path, second: Path, fault: str) -> tuple[list[str], bool]:
    """Run the child; return what it printed and whether any call was made to fail."""
    log = folder.with_suffix(".strace")
    paths = [str(folder / name) for name in OPENED] if fault.startswith("openat") else []
    command = [
        str(STRACE),
        "-f",
        "-qq",
        "--seccomp-bpf",
        "-o",
        str(log),
        "-e",
        f"trace={fault.split(':')[0]}",
        *(part for path in paths for part in ("-P", path)),
    ]
    command += ["-e", f"inject={fault}", sys.executable, "-m", "tests.traces.store.fault_child"]
    done = subprocess.run(
        [*command, str(folder), str(second)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if "ptrace" in done.stderr and not log.read_text():
        pytest.skip(f"strace may not trace here: {done.stderr.strip()[:100]}")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), "(INJECTED)" in log.read_text()


def prove_whole(folder: Path, second: Path, receipts: list[Receipt]) -> None:
    store = signing_store(folder, second)
    for verdict in store.verify(receipts):
        assert isinstance(verdict, Verified), verdict
    answered = [one.trace_id for one in store.list() if one.outcome == "answered"]
    assert len(answered) == len(set(answered))
    assert {receipt.trace_id for receipt in receipts} <= set(answered)
