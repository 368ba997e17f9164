"""One act of custody from the command line: who orders it, what became of it, how the process ends."""

from collections.abc import Callable
from pathlib import Path

import typer

from gateway.custody.desk import Custody
from gateway.doors.faults import unknown_trace
from gateway.doors.opened import opened
from gateway.doors.terminal.custody import tell
from gateway.doors.terminal.exit import leave
from gateway.doors.terminal.screen import Terminal
from metric_layer.record import Record
from traces.records import Caller

Act = Callable[[Custody, Caller], Record | None]


def acted(project: Path | None, user: str, act: Act, trace_id: str = "", *, as_json: bool) -> typer.Exit:
    """Have an act done and told, and return how to leave; None says that there is no `trace_id`."""
    with opened(project) as house:
        found = act(house.gateway.custody, house.callers.for_cli(user)) or unknown_trace(trace_id)
    tell(Terminal(), found, as_json=as_json)
    return leave(found)
