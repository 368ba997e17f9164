"""Reads the files that verbs of the command line are given; `-` is standard input."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gateway.doors.json_input import BadInput, read_json
from metric_layer.issues import Issue

STDIN = "-"
MAX_BYTES = 4_000_000


def read_text(name: str) -> str:
    """Return the text of a file or of standard input. Raises BadInput."""
    try:
        data = _read(name)
    except OSError as fault:
        raise _unusable(name, f"cannot be read: {fault.strerror}", "Check the path.") from fault
    if len(data) > MAX_BYTES:
        raise _unusable(name, f"is larger than {MAX_BYTES} bytes", "Send less at once.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise _unusable(name, "is not UTF-8 text", "Save the file as UTF-8.") from fault


def _read(name: str) -> bytes:
    if name == STDIN:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(name).open("rb") as stream:
        return stream.read(MAX_BYTES + 1)


def pairs_of(given: Sequence[str], example: str) -> Mapping[str, object]:
    """Return `NAME=VALUE` arguments by name; a name that is repeated has a list. Raises BadInput."""
    found: dict[str, object] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or not name.strip():
            message, step = f"{each!r} is not NAME=VALUE.", f"Write {example}."
            raise BadInput(Issue(code="not_a_pair", message=message, seen=each, next_step=step))
        earlier = found.get(name)
        several = (*earlier, value) if isinstance(earlier, tuple) else (earlier, value)
        found[name] = value if earlier is None else several
    return found


def choices_of(given: Sequence[str]) -> Mapping[str, str]:
    """Return `TERM=READING` arguments by term. Raises BadInput, also for a term with two readings."""
    found = pairs_of(given, "--choice sales=net_revenue")
    twice = [term for term, reading in found.items() if not isinstance(reading, str)]
    if twice:
        message, step = f"{twice[0]!r} has two readings.", "Choose one of them."
        raise BadInput(Issue(code="two_readings", message=message, seen=twice[0], next_step=step))
    return {term: str(reading) for term, reading in found.items()}


def read_json_file(name: str) -> object:
    """Return what a JSON file says. Raises BadInput with line and column."""
    return read_json(read_text(name), "stdin" if name == STDIN else name)


def _unusable(name: str, problem: str, next_step: str) -> BadInput:
    shown = "Standard input" if name == STDIN else "The file"
    return BadInput(Issue(code="bad_file", message=f"{shown} {problem}.", place=name, next_step=next_step))
