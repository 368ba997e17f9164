"""The tutorial, typed by a new user: every file it shows is written, every command of it is run, in order."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.servers.postgres import DEFAULT_VERSION, SUPERUSER, Server, running, versions, why_missing
from tests.servers.served import ENVIRONMENT, MAIN, Served

pytestmark = [pytest.mark.slow, pytest.mark.engine("postgres")]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
EVERYBODY = "host all all 127.0.0.1/32 trust"
INSTALLS = ("python3 -m venv", ". cellbound-env", "pip install")
STEP = re.compile(
    r"`(?P<file>[\w./-]+)`[^\n`]*:\n\n```\w+\n(?P<text>.*?)```|^ {4}(?P<command>\S[^\n]*)$",
    re.DOTALL | re.MULTILINE,
)
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
CELLBOUND = f'#!/bin/sh\nexec {sys.executable} {shlex.join(MAIN)} "$@"\n'


@pytest.fixture
def server() -> Iterator[Server]:
    if DEFAULT_VERSION not in versions():
        pytest.skip(why_missing(DEFAULT_VERSION))
    with running(DEFAULT_VERSION, hba=(EVERYBODY,)) as found:
        yield found


class NewUser:
    """Somebody with a shell, a database server and the tutorial."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.here = folder / "home"
        self.here.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        for name, text in (("psql", PSQL), ("cellbound", CELLBOUND)):
            (programs / name).write_text(text, encoding="utf-8")
            (programs / name).chmod(0o755)
        self.environment = {
            **ENVIRONMENT,
            "PATH": f"{programs}{os.pathsep}{ENVIRONMENT['PATH']}",
            "HOME": str(folder),
            "PGHOST": "127.0.0.1",
            "PGPORT": str(server.port),
            "PGUSER": SUPERUSER,
        }
        self.said: dict[str, str] = {}

    def write(self, name: str, text: str) -> None:
        """Make a file, or add to one that is there."""
        with (self.here / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{text}")

    def type(self, command: str) -> None:
        """Run one line; it has to end well."""
        if command.startswith("cd "):
            self.here /= command.removeprefix("cd ")
            return
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.here,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        self.said[command] = done.stdout


def test_a_new_user_gets_from_nothing_to_a_served_answer(server: Server, tmp_path: Path) -> None:
    user = NewUser(tmp_path, server)
    page = PAGE.read_text(encoding="utf-8")
    asked = ""
    for step in STEP.finditer(page):
        command = step["command"] or ""
        if step["file"]:
            user.write(step["file"], step["text"])
        elif command.startswith("curl "):
            asked = command
        elif not command.startswith(INSTALLS) and command != "cellbound serve":
            user.type(command)
    assert len(user.said) >= 9
    answered = user.said['cellbound ask --question "takings by town in October 2026"']
    assert "Leer" in answered and "2250.00" in answered and "row 1 column takings" in answered
    dry = user.said['cellbound ask --question "turnover in October 2026" --dry-run']
    assert "SELECT" in dry and "2250" not in dry
    (token,) = re.findall(r"cellbound_[\w-]+", user.said["cellbound token create --user me"])[:1]
    with Served(user.here, user.environment) as served:
        assert sent(asked, token, served.address)["outcome"] == "answered"


def sent(command: str, token: str, address: str) -> dict[str, object]:
    """Send what a line of curl sends, to where the gateway listens in this test."""
    words = shlex.split(command.replace("$TOKEN", token))
    url = next(word for word in words if word.startswith("http")).replace("http://127.0.0.1:8321", address)
    headers = dict(words[at + 1].split(": ", 1) for at, word in enumerate(words) if word == "-H")
    answer = httpx.post(url, headers=headers, content=words[words.index("-d") + 1], timeout=60)
    return dict(answer.json())
