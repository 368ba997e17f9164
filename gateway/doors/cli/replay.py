"""The verbs `replay` and `trace diff`: recorded questions worked through again, and two held side by side."""

from datetime import datetime
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Project, a_day


def replay(
    trace_id: Annotated[str, typer.Argument(metavar="TRACE", help="The trace id of an answer.")] = "",
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample", metavar="N", min=1, max=10_000, help="Replay so many, spread over all on record."
        ),
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since",
            metavar="DAY",
            parser=a_day,
            help="Replay those asked since then (UTC).",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="K=PATH",
            help="Replay under a layer=DIR, policy=FILE or policy=DIR; or ask a model=NAME or prompt=FILE.",
        ),
    ] = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Work recorded questions through again and name the change that makes a difference, if one does.

    With --sample or --since many are replayed and counted by verdict. Exit 0 only where all are the same.
    Against a model=NAME or a prompt=FILE (its name says of which purpose) the questions that a model planned
    are put to it anew: the one replay that asks a model.
    """
    from gateway.doors.cli.candidate import replayed_against
    from gateway.doors.cli.kept import one_or_many, split_against
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.replay import print_replayed
    from gateway.doors.terminal.screen import Terminal

    choice = one_or_many(trace_id, sample, since)
    given = dict(map(split_against, against or ()))
    found = replayed_against(given, trace_id, choice, user=user, project=project)
    terminal = Terminal()
    terminal.object(found) if as_json else print_replayed(terminal, found)
    raise leave(found)


def diff_traces(
    old: Annotated[str, typer.Argument(metavar="A", help="The trace id of an answer.")],
    new: Annotated[str, typer.Argument(metavar="B", help="The trace id of another.")],
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Hold two traces side by side: pins, plan, SQL as trees, estimate, shape, each cited number."""
    from gateway.doors.cli.ids import whole_trace
    from gateway.doors.faults import unknown_trace
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.replay import print_side_by_side

    with opened(project) as house:
        caller = house.callers.for_cli(user)
        old, new = (whole_trace(house.gateway, caller, each) for each in (old, new))
        found = house.gateway.diff_traces(caller, old, new) or unknown_trace(f"{old} or {new}")
    raise told(found, print_side_by_side, as_json=as_json)
