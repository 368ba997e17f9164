"""A terminal with a shell in it that lives on from one command to the next, and says how long each took."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

END = "\x1e"
"""Begins the line on which the shell says how a command ended."""
LONGEST_S = 900.0


class StepFailed(Exception):
    """A command that did not end with 0; the text is the command and what it said."""


class Terminal:
    """One window: what is set, activated or entered in it holds for the commands that follow."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        """Open a shell in a folder."""
        self.here = folder
        self._shell = subprocess.Popen(
            ["/bin/bash", "--norc", "--noprofile"],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, command: str) -> tuple[str, float]:
        """Return what a command says, once it has ended, and its seconds. Raises StepFailed."""
        began = time.perf_counter()
        said = self._read_to(f'{command}\nprintf "\\n\\036%s %s\\n" "$?" "$PWD"\n', END)
        text, _, ended = "".join(said).rpartition(END)
        status, _, folder = ended.strip().partition(" ")
        if status != "0":
            raise StepFailed(f"{command}\n{text}")
        self.here = Path(folder)
        return text, time.perf_counter() - began

    def start(self, command: str, sign: str) -> tuple[str, float]:
        """Return the line with a sign that a command says which then stays, and the seconds until that."""
        began = time.perf_counter()
        said = self._read_to(f"{command}\nexit 1\n", sign)
        if not said or sign not in said[-1]:
            raise StepFailed(f"{command}\n{''.join(said)}")
        return said[-1], time.perf_counter() - began

    def close(self) -> None:
        """End the shell and what runs in it."""
        self._tell(signal.SIGTERM)
        self._shell.communicate(timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read_to(self, typed: str, sign: str) -> list[str]:
        """Type something and return the lines up to the one with a sign; to the last where none has it."""
        keys, screen = self._shell.stdin, self._shell.stdout
        if keys is None or screen is None:
            raise StepFailed("The terminal is closed.")
        clock = threading.Timer(LONGEST_S, self._tell, (signal.SIGKILL,))
        clock.start()
        said: list[str] = []
        try:
            keys.write(typed)
            keys.flush()
            for line in screen:
                said.append(line)
                if sign in line:
                    break
        except BrokenPipeError as fault:
            raise StepFailed(f"{typed}The shell has ended.") from fault
        finally:
            clock.cancel()
        return said

    def _tell(self, what: signal.Signals) -> None:
        if self._shell.poll() is None:
            os.killpg(self._shell.pid, what)
