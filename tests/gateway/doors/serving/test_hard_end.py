"""A process that hangs when it should end does end, and one that ends in time never hears of it."""

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
WAIT = 60.0
SERVED = """
import sys, threading
from contextlib import asynccontextmanager
from starlette.applications import Starlette
from gateway.doors.serving.hard_end import HardEnd
from gateway.doors.serving.server import listen, serve_application
from gateway.settings.server import ServerSettings

def tell(text):
    sys.stderr.write(text + "\\n")
    sys.stderr.flush()

@asynccontextmanager
async def lifespan(_):
    tell("ready")
    yield
    if "hang" in sys.argv:
        threading.Event().wait()

with listen("127.0.0.1", 0) as listening:
    app = Starlette(lifespan=lifespan)
    serve_application(app, ServerSettings(grace_seconds=1), listening, HardEnd(SECONDS, tell).arm)
    tell("ended")
"""


def served(seconds: float, *arguments: str) -> tuple[int, str]:
    """Serve, send SIGTERM once it listens, and return the status and what was said."""
    code = textwrap.dedent(SERVED).replace("SECONDS", str(seconds))
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        said = [next(line for line in process.stderr if line.strip() == "ready")]
        process.send_signal(signal.SIGTERM)
        said.extend(process.stderr)
        return process.wait(WAIT), "".join(said)
    finally:
        process.kill()
        process.wait(WAIT)
        process.stderr.close()


@pytest.mark.slow
def test_a_process_that_hangs_as_it_ends_is_ended_as_it_stands() -> None:
    status, said = served(2.0, "hang")
    assert status == 1
    assert "did not end in time" in said
    assert "ended" not in said.splitlines()


@pytest.mark.slow
def test_a_process_that_ends_in_time_is_left_to_it() -> None:
    status, said = served(30.0)
    assert status in (0, -signal.SIGTERM)
    assert "did not end in time" not in said
