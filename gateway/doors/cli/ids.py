"""Ids that a person cut short: of the newest traces, or of all holds, that they may see, the one meant."""

from collections.abc import Iterable
from itertools import islice
from sys import maxsize

from gateway.doors.json_input import BadInput
from gateway.reviews.view import HoldList
from gateway.service import Gateway
from metric_layer.issues import Issue
from traces.records import Caller

WHOLE = 32
LATEST = 1_000
PAGE = 200
NAMED = 5


def whole_id(written: str, known: Iterable[str]) -> str:
    """Return the one id of those known that begins as written; where none does, as it is.

    A whole id is not looked for. Raises BadInput with the ids where several begin so.
    """
    if len(written) >= WHOLE or not written:
        return written
    found = list(islice((each for each in known if each.startswith(written)), NAMED))
    if len(found) > 1:
        raise BadInput(_several(written, tuple(found)))
    return found[0] if found else written


def whole_trace(gateway: Gateway, caller: Caller, written: str) -> str:
    """Return the trace that is meant, among the newest a caller may read. Raises BadInput."""
    return whole_id(written, _traces(gateway, caller))


def whole_hold(gateway: Gateway, caller: Caller, written: str) -> str:
    """Return the hold that is meant, among those a caller may see. Raises BadInput."""
    return whole_id(written, _holds(gateway, caller))


def _traces(gateway: Gateway, caller: Caller) -> Iterable[str]:
    before = ""
    for _ in range(LATEST // PAGE):
        page = gateway.list_traces(caller, PAGE, before)
        yield from (line.trace_id for line in page)
        if len(page) < PAGE:
            return
        before = page[-1].trace_id


def _holds(gateway: Gateway, caller: Caller) -> Iterable[str]:
    found = gateway.list_holds(caller, "all", maxsize)
    return (line.hold_id for line in found.holds) if isinstance(found, HoldList) else ()


def _several(written: str, found: tuple[str, ...]) -> Issue:
    return Issue(
        code="ambiguous_id",
        message=f"Several ids begin with {written}.",
        seen=written,
        candidates=found,
        next_step="Write more of it.",
    )
