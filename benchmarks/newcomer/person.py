"""The person: writes the files of the page, types its commands, and opens a second window to ask."""

import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.newcomer.page import Step
from benchmarks.newcomer.terminal import Terminal

TOKEN = re.compile(r"cellbound_[\w-]+")
SERVE, PLACEHOLDER, ADDRESS = "cellbound serve", "cellbound_...", "http://127.0.0.1:8321"
LISTENING = "http://127.0.0.1:"
PSQL = f"""#!{sys.executable}
# What the tutorial needs of psql, so that no client has to be installed.
import argparse, pathlib, psycopg
options = argparse.ArgumentParser()
for name in ("-d", "-f", "-c", "-v"):
    options.add_argument(name)
given = options.parse_args()
with psycopg.connect(dbname=given.d, autocommit=True) as connection:
    connection.execute((given.c or pathlib.Path(given.f).read_text()).encode())
"""


@dataclass(frozen=True, slots=True)
class Done:
    """A step, what it said, and the seconds that the machine took for it."""

    step: Step
    said: str
    seconds: float


@dataclass(slots=True)
class Person:
    """Somebody who follows the page step by step, in a home of their own."""

    folder: Path
    environment: Mapping[str, str]
    done: list[Done] = field(default_factory=list)
    _windows: list[Terminal] = field(default_factory=list)
    _address: str = ADDRESS
    _token: str = ""

    def follow(self, step: Step) -> None:
        """Write the step's file, or type its command. Raises StepFailed."""
        window = self._window()
        if step.file:
            began = time.perf_counter()
            with (window.here / step.file).open("a", encoding="utf-8") as file:
                file.write(f"\n{step.text}")
            said, seconds = "", time.perf_counter() - began
        elif step.command == SERVE:
            said, seconds = window.start(SERVE, LISTENING)
            self._address = re.findall(r"http://[\d.]+:\d+", said)[0]
            self._windows.append(Terminal(window.here, self.environment))
        else:
            typed = step.command.replace(PLACEHOLDER, self._token).replace(ADDRESS, self._address)
            said, seconds = window.run(typed)
            self._token = next(iter(TOKEN.findall(said)), self._token)
        self.done.append(Done(step, said, seconds))

    def said(self, beginning: str) -> str:
        """Return what the last command that begins like this said."""
        return next(each.said for each in reversed(self.done) if each.step.command.startswith(beginning))

    def leave(self) -> None:
        """Close the windows, the last one first."""
        for window in reversed(self._windows):
            window.close()

    def _window(self) -> Terminal:
        if not self._windows:
            self._windows.append(Terminal(self.folder, self.environment))
        return self._windows[-1]


def environment_of(home: Path, port: int, superuser: str, programs: Path) -> dict[str, str]:
    """Return what the person's shell starts with: a server on this machine, and free ports to listen on.

    `programs` is a folder for what is not installed here; it stands first on the path.
    """
    programs.mkdir(parents=True, exist_ok=True)
    if shutil.which("psql") is None:
        _program(programs / "psql", PSQL)
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_INDEX", "PIP_FIND"))}
    return {
        **kept,
        "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}",
        "HOME": str(home),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PGHOST": "127.0.0.1",
        "PGPORT": str(port),
        "PGUSER": superuser,
        "CELLBOUND_SERVER__PORT": "0",
    }


def borrowed(programs: Path, root: Path) -> None:
    """Put a `cellbound` there that runs the checkout's code in this environment: nothing is installed."""
    run = shlex.join((sys.executable, "-c", "from gateway.doors.cli.main import main; main()"))
    _program(programs / "cellbound", f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(root))} exec {run} "$@"\n')


def _program(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)
