"""Takes changed definitions and policies into force, whole or not at all: the last good set stays."""

import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal, Protocol

from gateway.engines.base import EngineError
from gateway.engines.fault import replied
from gateway.errors import HouseError
from gateway.house import House
from gateway.houses import Houses
from gateway.reply import Finding, ReplyIssue, issue_of
from metric_layer.issues import Issue
from metric_layer.load import LayerInvalid
from metric_layer.record import Record
from metric_layer.source import yaml_files
from policies.load import PolicyInvalid

SHOWN = 3


class Reload(Record):
    """What a look at the project's files came to, and the set in force after it.

    `moving` means that the files changed while they were read: they are read again at the next look.
    """

    outcome: Literal["unchanged", "changed", "refused", "moving"]
    layer: str
    policy: str
    issues: tuple[ReplyIssue, ...] = ()


class ProjectFiles(Protocol):
    """The definitions and policies of a project on disk."""

    def digest(self) -> str:
        """Return a hash of every file that a set is read from."""
        ...

    def read(self, old: House) -> House:
        """Return the house of the files as they are now; one that sees the same data keeps the old engine.

        Raises LayerInvalid, PolicyInvalid, HouseError, EngineError or OSError.
        """
        ...


class Reloader:
    """Looks at the files of a project and puts what they say into force. One look at a time."""

    def __init__(self, houses: Houses, files: ProjectFiles, digest: str) -> None:
        """Take the digest that the files had before the set in force was read."""
        self._houses = houses
        self._files = files
        self._lock = threading.Lock()
        self._known = digest
        self._glimpsed = digest
        self._issues: tuple[ReplyIssue, ...] = ()

    def look(self, *, once_settled: bool) -> Reload:
        """Read the files if they changed. With `once_settled`, only once they are as they were a look ago."""
        with self._lock:
            digest = self._files.digest()
            settled = digest == self._glimpsed
            self._glimpsed = digest
            if digest == self._known:
                return self._said("refused" if self._issues else "unchanged")
            if once_settled and not settled:
                return self._said("moving")
            return self._read(digest)

    def finding(self) -> Finding | None:
        """Return what is wrong with the files, if they are not what is in force; questions go on."""
        issues = self._issues
        if not issues:
            return None
        first = "; ".join(f"{i.place} {i.message}".strip() for i in issues[:SHOWN])
        more = f"; {len(issues) - SHOWN} more" if len(issues) > SHOWN else ""
        return Finding(
            name="reload",
            ok=False,
            needed=False,
            detail=f"changed files are not in force: {first}{more}",
            next_step="Run `cellbound metrics validate` and mend them; the last good set answers until then.",
            issues=issues,
        )

    def _read(self, digest: str) -> Reload:
        old = self._houses.house
        try:
            new = self._files.read(old)
        except (LayerInvalid, PolicyInvalid, HouseError, EngineError, OSError) as fault:
            if self._files.digest() != digest:
                return self._said("moving")
            self._known, self._issues = digest, _issues(fault)
            return self._said("refused")
        if self._files.digest() != digest:
            _drop(new, old)
            return self._said("moving")
        self._known, self._issues = digest, ()
        if new is old:
            return self._said("unchanged")
        self._houses.replace(new)
        return self._said("changed")

    def _said(self, outcome: Literal["unchanged", "changed", "refused", "moving"]) -> Reload:
        house = self._houses.house
        issues = self._issues if outcome == "refused" else ()
        return Reload(outcome=outcome, layer=house.layer.digest, policy=house.governed.digest, issues=issues)


def digest_of(folders: Sequence[Path]) -> str:
    """Return a hash of the YAML files below some folders: names and bytes."""
    text = sha256()
    for folder in folders:
        for path in yaml_files(folder):
            try:
                found = path.read_bytes()
            except OSError:
                continue
            text.update(f"{path}\0{len(found)}\0".encode())
            text.update(found)
    return text.hexdigest()


def _drop(new: House, old: House) -> None:
    if new.engine is not old.engine:
        new.engine.close()


def _placed(issue: Issue) -> Issue:
    """Return an issue whose place tells nothing of the server's disk: folder and file are enough."""
    if not issue.place.startswith("/"):
        return issue
    return issue.model_copy(update={"place": "/".join(issue.place.rsplit("/", 2)[-2:])})


def _issues(fault: Exception) -> tuple[ReplyIssue, ...]:
    match fault:
        case LayerInvalid() | PolicyInvalid() | HouseError():
            return tuple(issue_of(_placed(issue), "house") for issue in fault.issues)
        case EngineError():
            return (replied(fault),)
    why = fault.strerror if isinstance(fault, OSError) else type(fault).__name__
    message, step = f"The files cannot be read: {why}.", "Let the gateway's user read the project folder."
    return (ReplyIssue(code="unreadable", message=message, stage="house", next_step=step),)
