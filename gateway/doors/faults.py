"""From an exception of the house to issues a caller can act on: code, place, next step, never a traceback."""

from pathlib import Path
from traceback import walk_tb

from gateway.doors.json_input import BadInput
from gateway.doors.status import BROKEN, BUSY, UNKNOWN_CALLER, USAGE, DoorStatus
from gateway.engines.base import EngineError
from gateway.engines.fault import replied
from gateway.errors import Busy, HouseError, IdentityRefused
from gateway.reply import Refusal, ReplyIssue, issue_of
from metric_layer.load import LayerInvalid
from policies.load import PolicyInvalid
from traces.errors import TraceError

FAULTS = (HouseError, LayerInvalid, PolicyInvalid, EngineError, TraceError, OSError)
"""Everything that is raised on purpose below a door: the house is broken, and says how."""

OWN = frozenset(("metric_layer", "traces", "policies", "evals", "gateway"))

MISUSES = frozenset(
    (
        "no_project",
        "not_a_folder",
        "not_empty",
        "no_parent",
        "passphrase_short",
        "keys_beside_traces",
    )
)
"""Faults that are of the command line and not of the house: it names a place or a text that will not do."""


def refusal_for(fault: Exception, *, local: bool = False) -> Refusal:
    """Return what a caller is told. Places on the server's own disk are for `local` callers only."""
    issues = _issues(fault)
    return Refusal(issues=issues if local else tuple(_without_place(issue) for issue in issues))


def status_for(fault: Exception) -> DoorStatus:
    """Return the row of the table that a fault falls under."""
    match fault:
        case HouseError() if fault.issues and MISUSES.issuperset(issue.code for issue in fault.issues):
            return USAGE
        case TraceError() if fault.code in MISUSES:
            return USAGE
        case Busy():
            return BUSY
        case IdentityRefused():
            return UNKNOWN_CALLER
        case BadInput():
            return USAGE
    return BROKEN


def unknown_trace(trace_id: str) -> Refusal:
    """Say that there is no such trace; the same words whether it is missing or somebody else's."""
    return Refusal(
        issues=(
            ReplyIssue(
                code="unknown_trace",
                message="There is no trace of that id that you may read.",
                stage="input",
                seen=trace_id[:100],
                next_step="Use the trace_id of an answer you received.",
            ),
        )
    )


def _issues(fault: Exception) -> tuple[ReplyIssue, ...]:
    match fault:
        case BadInput():
            return tuple(issue_of(issue, "input") for issue in fault.issues)
        case HouseError() | LayerInvalid() | PolicyInvalid():
            return tuple(issue_of(issue, "house") for issue in fault.issues)
        case EngineError():
            return (replied(fault),)
        case TraceError():
            return (
                ReplyIssue(
                    code=fault.code,
                    message=str(fault),
                    stage="house",
                    place=fault.place,
                    next_step=fault.next_step,
                ),
            )
        case OSError():
            return (_disk(fault),)
    return (_defect(fault),)


def _defect(fault: Exception) -> ReplyIssue:
    frames = [frame for frame, _ in walk_tb(fault.__traceback__)]
    ours = [f for f in frames if f.f_globals.get("__name__", "").partition(".")[0] in OWN] or frames
    place = f"{Path(ours[-1].f_code.co_filename).name}:{ours[-1].f_lineno}" if ours else ""
    return ReplyIssue(
        code="defect",
        message=f"A defect of cellbound, not of your request ({type(fault).__name__}).",
        stage="house",
        place=place,
        next_step="Please report it with this line and what you asked.",
    )


def _disk(fault: OSError) -> ReplyIssue:
    why = fault.strerror or type(fault).__name__
    if fault.filename is None:
        return ReplyIssue(
            code="system_refused",
            message=f"The operating system refused: {why}.",
            stage="house",
            next_step="Run `cellbound doctor`.",
        )
    return ReplyIssue(
        code="file_unusable",
        message=f"A file of the project cannot be used: {why}.",
        stage="house",
        place=str(fault.filename),
        next_step="Look at that path: does it exist, may this user use it, is the disk full? Then try again.",
    )


def _without_place(issue: ReplyIssue) -> ReplyIssue:
    return issue.model_copy(update={"place": ""}) if issue.stage == "house" else issue
