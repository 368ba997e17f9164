"""Looks at the project's files every few seconds, says what became of a change, and does what is due."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gateway.doors.faults import refusal_for
from gateway.operation.memory import settle
from gateway.operation.reload import Reload
from gateway.service import Gateway

Tell = Callable[[str], None]


@contextmanager
def watching(gateway: Gateway, seconds: float, tell: Tell) -> Iterator[None]:
    """Reload changed files, expire holds, send notices, draw samples while the block runs; 0 never looks."""
    ended = threading.Event()
    thread = threading.Thread(target=_watch, args=(gateway, seconds, tell, ended), name="reload", daemon=True)
    if seconds:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if seconds:
            thread.join()


def _watch(gateway: Gateway, seconds: float, tell: Tell, ended: threading.Event) -> None:
    told = ""
    while not ended.wait(seconds):
        found = _look(gateway)
        if found and found != told:
            tell(found)
        told = found


def _look(gateway: Gateway) -> str:
    """Look once; whatever is wrong with the files, the watch goes on and so do the questions."""
    try:
        gateway.expire_holds()
        gateway.resume_notices()
        gateway.ladder.apply_rules()
        gateway.samples.draw()
        found = gateway.reload(once_settled=True)
    except Exception as fault:
        return "\n".join(issue.message for issue in refusal_for(fault, local=True).issues)
    if found is None or found.outcome in ("unchanged", "moving"):
        return ""
    if found.outcome == "changed":
        settle()
    return said(found)


def said(found: Reload) -> str:
    """Return what became of changed files, in lines for a log."""
    if found.outcome == "changed":
        return f"reloaded: layer {found.layer[:12]}, policy {found.policy[:12]}"
    lines = (f"  {i.place}: {i.message}" if i.place else f"  {i.message}" for i in found.issues)
    return "\n".join((f"not reloaded, layer {found.layer[:12]} stays in force:", *lines))
