"""The file of a run: one JSON line per question, appended as it ends, read to go on or to report."""

import os
from collections.abc import Generator, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from evals.cases import Case
from evals.run import CaseRun
from metric_layer.issues import Issue
from metric_layer.record import Record

PRIVATE = 0o600


class RunLine(Record):
    """One question asked once: by whom, against which text of the case, and what came of it."""

    v: Literal[1] = 1
    subject: str
    case_digest: str
    repeat: int = 0
    run: CaseRun

    @property
    def key(self) -> str:
        """Return what one question of a run is known by."""
        return line_key(self.subject, self.case_digest, self.run.phrasing, self.repeat)


class ResultsInvalid(Exception):
    """A file of results cannot be read. `issues` says where and what to do next."""

    def __init__(self, issues: tuple[Issue, ...]) -> None:
        super().__init__("; ".join(f"{issue.place} {issue.message}".strip() for issue in issues))
        self.issues = issues


def line_key(subject: str, case_digest: str, phrasing: int, repeat: int) -> str:
    """Return what tells one question of a run from another: asked again, it would be the same question."""
    return f"{subject}\x1f{case_digest}\x1f{phrasing}\x1f{repeat}"


def case_digest(case: Case) -> str:
    """Return a hash of a case; a case whose text changed is another one."""
    return sha256(case.model_dump_json(exclude_defaults=True).encode()).hexdigest()[:16]


def read_results(path: Path) -> tuple[RunLine, ...]:
    """Return the lines of a run. Raises ResultsInvalid for a line that is none, OSError without a file."""
    lines = path.read_bytes().split(b"\n")
    issues, found = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(RunLine.model_validate_json(line))
        except ValidationError:
            issues.append(
                Issue(
                    code="bad_result",
                    message="The line holds no result that this version of `eval run` writes.",
                    place=f"{path}:{number}",
                    seen=line[:80].decode(errors="replace"),
                    next_step="Run the cases again into a new file.",
                )
            )
    if issues:
        raise ResultsInvalid(tuple(issues))
    return tuple(found)


def resumed(path: Path) -> tuple[RunLine, ...]:
    """Return what a run that was stopped has asked already; half a last line is cut off the file."""
    if not path.exists():
        return ()
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    return read_results(path)


def append(path: Path, lines: Iterable[RunLine]) -> Generator[RunLine, None, None]:
    """Write each line to the end of a file that only its owner may read, and pass it on once it is there.

    The folder of the file is made where there is none.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE)
    with os.fdopen(handle, "ab", buffering=0) as file:
        for line in lines:
            file.write(line.model_dump_json().encode() + b"\n")
            yield line
