"""What the server tells on stderr: never a value, and never at the cost of a question."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from gateway.doors.serving.logs import JsonLines, Lines, TextLines
from tests.servers.served import Served, with_tokens

PLAN = {"plan": {"metrics": ["net_revenue"], "dimensions": ["region"]}}
NOBODY_READS = 300


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for end in (reading, writing):
        os.close(end)


def line(text: str, name: str = "cellbound.test") -> logging.LogRecord:
    return logging.LogRecord(name, logging.WARNING, "file.py", 7, text, (), None)


def test_a_log_that_nobody_reads_loses_lines_and_holds_nobody_up(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    log = Lines(writing)
    log.setFormatter(TextLines())
    for number in range(NOBODY_READS):
        log.handle(line(f"{number} " + "x" * 1_000))
    lost = log.dropped
    assert 0 < lost < NOBODY_READS
    kept = os.read(reading, 1_000_000).decode().splitlines()
    assert len(kept) == NOBODY_READS - lost
    log.handle(line("read again"))
    assert os.read(reading, 1_000_000).decode() == f"({lost} lines of this log were dropped)\nread again\n"
    assert log.dropped == 0


def test_the_pipe_of_others_waits_as_it_did(pipe: tuple[int, int]) -> None:
    Lines(pipe[1])
    assert os.get_blocking(pipe[1])


def test_a_log_in_a_file_is_added_to(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w", encoding="utf-8") as file:
        file.write("before\n")
        file.flush()
        log = Lines(file.fileno())
        log.handle(line("after"))
    assert (tmp_path / "log").read_text("utf-8") == "before\nafter\n"


@pytest.mark.parametrize("form", [JsonLines(), TextLines()])
def test_a_library_that_warns_is_named_and_not_quoted(form: logging.Formatter) -> None:
    with pytest.raises(ValueError, match="mia") as raised:
        int("mia@example.org")
    record = line("Tool raised mia@example.org", "mcp.server")
    record.exc_info = (ValueError, raised.value, raised.tb)
    said = form.format(record)
    assert "mcp.server warned at file.py:7" in said and "ValueError" in said
    assert "mia" not in said and "Tool" not in said


@pytest.mark.faults
def test_a_served_gateway_whose_log_stands_still_answers_and_ends(shop: Path) -> None:
    """Each refused credential and each question is a line here; nobody reads them."""
    with_tokens(shop, ["ana"])
    settings = shop / "cellbound.toml"
    text = settings.read_text(encoding="utf-8")
    assert text.count("[server]") == 1
    settings.write_text(text.replace("[server]", '[server]\nlog = "json"'), encoding="utf-8")
    with Served(shop) as served:
        full = os.open(f"/proc/{served.process.pid}/fd/2", os.O_WRONLY | os.O_NONBLOCK)
        with pytest.raises(BlockingIOError):
            while True:
                os.write(full, b"x" * 512)
        os.close(full)
        with httpx.Client(headers={"Authorization": "Bearer ana"}, timeout=30) as client:
            outcomes = {
                client.post(f"{served.address}/v1/questions", json=PLAN).json()["outcome"] for _ in range(3)
            }
        assert outcomes == {"answered"}
        served.process.terminate()
        assert served.process.wait(timeout=30) == 0
        assert served.process.stderr is not None
        served.process.stderr.close()
