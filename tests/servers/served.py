"""`cellbound serve` as a process of its own, over a project that a test made."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
MAIN = ("-c", "from gateway.doors.cli.main import main; main()")
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", "")}


class Served:
    """A gateway on a free port. One that does not start fails the test, with its own words."""

    def __init__(self, project: Path, environment: Mapping[str, str] = ENVIRONMENT) -> None:
        command = [sys.executable, *MAIN, "serve", "--port", "0", "--project", str(project)]
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        first = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", first)
        if found is None:
            self.process.kill()
            raise AssertionError(first + self.process.communicate()[1])
        self.address = found[0]
        self.port = int(found[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def kill(self) -> None:
        """End it as the kernel would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=30)

    def end(self) -> None:
        """Tell it to end, and wait until it has."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.communicate(timeout=60)


def with_tokens(project: Path, names: Sequence[str]) -> None:
    """Give users of a demo project tokens that are their names, in the place of those of the template."""
    file = project / "cellbound.toml"
    head, _, rest = file.read_text(encoding="utf-8").partition("[[identity.tokens]]")
    tokens = "".join(
        f'[[identity.tokens]]\nuser = "{name}"\nsha256 = "{sha256(name.encode()).hexdigest()}"\n\n'
        for name in names
    )
    file.write_text(f"{head}{tokens}{rest[rest.index('[server]') :]}", encoding="utf-8")
