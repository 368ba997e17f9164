"""Verbs of the command line over the custody of traces: `trace unseal|erase|hold|retain`."""

from typing import Annotated

import typer

from gateway.doors.cli_options import AsJson, AsUser, Project

Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it goes on record, sealed.")]
Subject = Annotated[str, typer.Option("--subject", metavar="USER", help="The person, by user name.")]
Pseudonym = Annotated[
    str, typer.Option("--pseudonym", metavar="NAME", help="The person, as `trace show` names them.")
]


def add_to_traces(trace: typer.Typer) -> None:
    """Give the verbs of `trace` these, too."""
    trace.command("unseal")(unseal)
    trace.command("erase")(erase)
    trace.command("hold")(hold)
    trace.command("retain")(retain)


def unseal(
    trace_id: Annotated[str, typer.Argument(metavar="TRACE", help="The trace id of an answer.")],
    reason: Reason = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Show another person's question with its words. That you read them is on record before you do."""
    from gateway.doors.cli_exit import leave
    from gateway.doors.cli_open import opened
    from gateway.doors.faults import unknown_trace
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_custody import tell
    from gateway.doors.terminal_lists import print_trace
    from gateway.reply import TraceView

    with opened(project) as house:
        caller = house.callers.for_cli(user)
        found = house.gateway.custody.unseal(caller, trace_id, reason) or unknown_trace(trace_id)
    terminal = Terminal()
    if isinstance(found, TraceView) and not as_json:
        print_trace(terminal, found)
    else:
        tell(terminal, found, as_json=as_json)
    raise leave(found)


def erase(
    subject: Subject = "",
    pseudonym: Pseudonym = "",
    reason: Reason = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Destroy a person's keys: what was sealed for them can be read by nobody any more. No way back."""
    from gateway.custody.rights import Person
    from gateway.doors.cli_exit import leave
    from gateway.doors.cli_open import opened
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_custody import tell

    with opened(project) as house:
        caller = house.callers.for_cli(user)
        found = house.gateway.custody.erase(caller, Person(subject, pseudonym), reason)
    tell(Terminal(), found, as_json=as_json)
    raise leave(found)


def hold(
    subject: Subject = "",
    pseudonym: Pseudonym = "",
    release: Annotated[bool, typer.Option("--release", help="Lift the hold again.")] = False,
    reason: Reason = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Put a legal hold on a person: nothing of theirs may be erased or deleted until it is lifted."""
    from gateway.custody.rights import Person
    from gateway.doors.cli_exit import leave
    from gateway.doors.cli_open import opened
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_custody import tell

    with opened(project) as house:
        caller = house.callers.for_cli(user)
        found = house.gateway.custody.hold(caller, Person(subject, pseudonym), reason, release=release)
    tell(Terminal(), found, as_json=as_json)
    raise leave(found)


def retain(
    days: Annotated[int, typer.Option("--days", min=1, max=36_500, help="Keep what is younger than this.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go; delete nothing.")] = False,
    reason: Reason = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Delete closed segments that are older; checkpoints stay, so that the gap is seen to be a deletion."""
    from gateway.doors.cli_exit import leave
    from gateway.doors.cli_open import opened
    from gateway.doors.terminal import Terminal
    from gateway.doors.terminal_custody import tell

    with opened(project) as house:
        caller = house.callers.for_cli(user)
        found = house.gateway.custody.retire(caller, days, reason, dry_run=dry_run)
    tell(Terminal(), found, as_json=as_json)
    raise leave(found)
