"""The search at the end of a run hears what sings, in a file or in words, and fails a run that was green."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.canaries import forgive

ROOT = Path(__file__).resolve().parent.parent
MAIL = "pia.mensah1@exam" + "ple.com"
LEAKS = {
    "a person in a file": f'(tmp_path / "store.bin").write_bytes(b"\\0{MAIL}\\0")',
    "a person in UTF-16": '(tmp_path / "store.bin").write_text("typed-canary" + "-note", "utf-16-le")',
    "a token in a file": '(tmp_path / "page.html").write_text("cellbound_" + "0a_" + "s" * 43)',
    "a key beside its file": (
        '(tmp_path / "keys.json").write_text("k" * 43 + "="); (tmp_path / "x").write_text("k" * 43 + "=")'
    ),
    "the environment": '(tmp_path / "dump").write_text(os.environ["SECRET_OF_THE_TEST_RUN"])',
    "a process that says it": f'subprocess.run(["echo", "{MAIL}"], capture_output=True, text=True)',
    "a terminal that is told it": f'print("{MAIL}"); capsys.readouterr()',
    "what a test leaves said": f'print("{MAIL}")',
    "an HTTP answer": f'httpx.Response(200, content=iter([b"{MAIL}"])).read()',
    "an answer to the newer client": f'httpx2.Response(200, content=iter([b"{MAIL}"])).read()',
    "an answer that is awaited": f'asyncio.run(httpx.Response(200, content=later("{MAIL}")).aread())',
    "one to the newer client that is awaited": (
        f'asyncio.run(httpx2.Response(200, content=later("{MAIL}")).aread())'
    ),
    "an event of a stream": (
        f'list(httpx2.EventSource(httpx2.Response(200, headers=EVENTS, request=httpx2.Request("GET", "http://h"),'
        f' content=iter([b"data: {MAIL}", b"\\n\\n"]))))'
    ),
}
QUIET = {
    "nothing": "pass",
    "a database": f'(tmp_path / "shop.duckdb").write_text("{MAIL}")',
    "a planted place": f'(tmp_path / "x").write_text("{MAIL}"); forgive(tmp_path / "x")',
    "a name without a number": '(tmp_path / "x").write_text("mia@exam" + "ple.com")',
}
HEAD = """
import asyncio, os, subprocess
import httpx, httpx2
from tests.canaries import forgive

EVENTS = {"content-type": "text/event-stream"}

async def later(text):
    yield text.encode()

"""


def run_of(bodies: dict[str, str], folder: Path, *how: str) -> tuple[int, str]:
    """Run green tests of its own, one for each body, under the plugin."""
    tests = (
        f"def test_{at}_of_it(tmp_path, capsys):\n    {body}\n" for at, body in enumerate(bodies.values())
    )
    (folder / "test_it.py").write_text("\n".join((HEAD, *tests)), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.canaries", "-p", "no:cacheprovider", *how]
    alone = {"PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **alone}
    with (folder / "said").open("w", encoding="utf-8") as said:
        done = subprocess.run(
            [*command, f"--rootdir={folder}", f"--basetemp={folder / 'run'}", "-c", os.devnull, "test_it.py"],
            cwd=folder,
            env=environment,
            stdout=said,
            check=False,
            timeout=120,
        )
    return done.returncode, (folder / "said").read_text(encoding="utf-8")


def beside(folders: pytest.TempPathFactory) -> Path:
    """Make a folder whose canaries are of another run: nothing under it is searched by this one."""
    folder = folders.mktemp("beside")
    forgive(folder)
    return folder


@pytest.fixture(scope="module")
def leaking(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str]:
    """How a run ended in which each test leaks in a way of its own."""
    return run_of(LEAKS, beside(tmp_path_factory))


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str]:
    """How a run ended in which no test leaks."""
    return run_of(QUIET, beside(tmp_path_factory))


def test_a_green_run_that_leaks_is_red(leaking: tuple[int, str]) -> None:
    status, said = leaking
    assert status == pytest.ExitCode.TESTS_FAILED, said
    assert f"{len(LEAKS)} passed" in said


@pytest.mark.parametrize("kind", LEAKS)
def test_each_leak_is_found_where_it_is(kind: str, leaking: tuple[int, str]) -> None:
    """A finding names the file, which lies in its test's folder, or the test in which it was said."""
    place = f"test_{list(LEAKS).index(kind)}_of_it"
    assert [line for line in findings(leaking[1]) if place in line], leaking[1]


def findings(said: str) -> list[str]:
    """Return the lines in which a run tells what it found."""
    _, _, after = said.partition("canaries: ")
    return [line for line in after.splitlines()[1:] if line.startswith("  ")]


def test_a_leak_in_a_process_of_the_run_reaches_its_end(tmp_path_factory: pytest.TempPathFactory) -> None:
    leak = {"a person in a file": LEAKS["a person in a file"]}
    status, said = run_of(leak, beside(tmp_path_factory), "-p", "xdist", "-n", "1")
    assert status == pytest.ExitCode.TESTS_FAILED, said
    assert "1 findings" in said and "store.bin" in said


def test_what_was_planted_where_it_stands_is_no_finding(quiet: tuple[int, str]) -> None:
    status, said = quiet
    assert status == pytest.ExitCode.OK, said
    assert "0 findings" in said and f"{len(QUIET)} passed" in said
