"""The servers that are asked, each a process of its own: the gateway, an empty handler, the bare MCP SDK."""

import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from gateway.demo.shop_data import write_shop
from gateway.scaffold.project import templates

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "the token of the load benchmark"
SCHEDULED = 2
"""Of the clocks of a process, the one that the scheduler keeps: exact, where ticks are samples."""
START_SECONDS = 60.0
BEHIND = 5
"""How much nicer every server is than the driver: the clock goes before what it measures."""
SERVE = "from gateway.doors.cli.main import main; main()"


@dataclass(frozen=True, slots=True)
class Served:
    """A server that listens: its port, and the processes that answer."""

    port: int
    pid: int

    def cpu_ms(self) -> float:
        """Return the CPU of its own processes so far; workers of the database are not among them."""
        return sum(map(_cpu_ms, self._own()))

    def resident_mb(self) -> float:
        """Return the memory of its own processes."""
        return round(sum(map(_resident_mb, self._own())), 1)

    def workers_mb(self) -> float:
        """Return the memory of the processes that it started and that are not its own: the database's."""
        return round(sum(map(_resident_mb, {*_below(self.pid)} - {*self._own()})), 1)

    def _own(self) -> list[int]:
        """Return the process, and those that it forked to serve with it."""
        name = _command(self.pid)
        return [self.pid, *(each for each in _children(self.pid) if _command(each) == name)]


@contextmanager
def gateway_at(folder: Path, settings: Mapping[str, str]) -> Iterator[Served]:
    """Serve a project with these settings."""
    environ = {f"CELLBOUND_SERVER__{name.upper()}": value for name, value in settings.items()}
    command = [sys.executable, "-c", SERVE, "serve", "--port", "0", "--project", str(folder)]
    with _running(command, environ) as served:
        yield served


@contextmanager
def floor(kind: str, reply: Path) -> Iterator[Served]:
    """Serve an empty handler (`empty`) or a bare SDK tool that returns a reply (`sdk`)."""
    with _running([sys.executable, "-m", "benchmarks.loading.floors", kind, str(reply)], {}) as served:
        yield served


def project(folder: Path) -> Path:
    """Make the demo shop with few events and one token for ana."""
    shutil.copytree(templates() / "shop", folder)
    write_shop(folder / "var" / "shop.duckdb", events=100_000)
    settings = folder / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    head, _, rest = text.partition("[[identity.tokens]]")
    token = f'[[identity.tokens]]\nuser = "ana"\nsha256 = "{sha256(TOKEN.encode()).hexdigest()}"\n\n'
    settings.write_text(f"{head}{token}{rest[rest.index('[server]') :]}", encoding="utf-8")
    return folder


@contextmanager
def _running(command: list[str], environ: Mapping[str, str]) -> Iterator[Served]:
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environ}, stderr=subprocess.PIPE, text=True
    )
    os.setpriority(os.PRIO_PROCESS, process.pid, BEHIND)
    assert process.stderr is not None
    try:
        yield Served(_port(process), process.pid)
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _port(process: "subprocess.Popen[str]") -> int:
    assert process.stderr is not None
    until, said = time.monotonic() + START_SECONDS, []
    while time.monotonic() < until and select.select([process.stderr], [], [], 1.0):
        line = process.stderr.readline()
        said.append(line)
        if found := re.search(r"http://[\d.]+:(\d+)", line):
            return int(found[1])
        if not line:
            break
    raise SystemExit(f"the server did not start: {''.join(said)}")


def _cpu_ms(pid: int) -> float:
    """Return the CPU of another process from its own clock; Linux names that clock by the process."""
    return time.clock_gettime((~pid << 3) | SCHEDULED) * 1000


def _resident_mb(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    return int(found[1]) / 1024 if found else 0.0


def _children(pid: int) -> list[int]:
    return [
        int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    ]


def _below(pid: int) -> Iterator[int]:
    """Yield every process below another, whichever of its threads started it."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (thread / "children").read_text(encoding="ascii").split()):
            yield child
            yield from _below(child)


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()
