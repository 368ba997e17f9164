"""Whose record a line is, and the order in which the records of one question may stand."""

import re
from typing import NamedTuple

_HEADING = re.compile(
    rb'^\{"kind":"(?P<kind>[a-z]+)","v":[0-9]+,"trace_id":"(?P<id>[^"\\]+)","at":"(?P<at>[^"]+)"'
)
AFTER_CLOSE = frozenset(("answer", "decision"))


class Heading(NamedTuple):
    """What every record of a question begins with."""

    kind: str
    trace_id: str
    at: bytes


def heading(body: bytes) -> Heading | None:
    """Return the heading of a record; None for what a log says about itself."""
    found = _HEADING.match(body)
    if found is None:
        return None
    return Heading(found["kind"].decode(), found["id"].decode(errors="replace"), found["at"])


class QuestionOrder:
    """The questions seen so far, in all logs: each is opened once and closed once.

    After its close there may only be drafts and verdicts of reviewers. Whether another log has the close
    before or after a record cannot be told, so that rule holds inside one log.
    """

    def __init__(self) -> None:
        self._opened: set[str] = set()
        self._closed: dict[str, str] = {}

    def allows(self, log: str, found: Heading) -> bool:
        """Take the next record of a log; False where its question cannot have this record any more."""
        kind, trace_id = found.kind, found.trace_id
        if self._closed.get(trace_id) == log and kind not in AFTER_CLOSE:
            return False
        if kind == "open":
            fresh = trace_id not in self._opened
            self._opened.add(trace_id)
            return fresh
        return kind != "close" or self._closed.setdefault(trace_id, log) == log
