"""Verbs of the command line over the custody of traces: `trace unseal|erase|hold|retain|named`."""

from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Project

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
    trace.command("named")(named)


def unseal(
    trace_id: Annotated[str, typer.Argument(metavar="TRACE", help="The trace id of an answer.")],
    reason: Reason = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Show another person's question with its words. That you read them is on record before you do."""
    from gateway.doors.cli.custody_acts import acted

    raise acted(project, user, lambda c, who: c.unseal(who, trace_id, reason), trace_id, as_json=as_json)


def erase(
    subject: Subject = "",
    pseudonym: Pseudonym = "",
    trace_id: Annotated[
        str, typer.Option("--trace", metavar="ID", help="One trace instead, with all under the same key.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --trace: say how many traces lose words; destroy nothing.")
    ] = False,
    reason: Reason = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Destroy a person's keys: what was sealed for them can be read by nobody any more. No way back.

    With --trace: the keys that sealed one trace, for somebody who is named in the words of another.
    """
    from gateway.custody.refusals import one_of
    from gateway.custody.rights import Person
    from gateway.doors.cli.custody_acts import acted

    person = Person(subject, pseudonym)
    if trace_id and not (subject or pseudonym):
        raise acted(
            project,
            user,
            lambda c, who: c.erase_trace(who, trace_id, reason, dry_run=dry_run),
            trace_id,
            as_json=as_json,
        )
    if trace_id or dry_run:
        raise acted(project, user, lambda c, who: one_of(), as_json=as_json)
    raise acted(project, user, lambda c, who: c.erase(who, person, reason), as_json=as_json)


def named(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A name, as somebody may have written it.")],
    reason: Reason = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Find the traces in whose words a text stands, whoever asked. That all were read is on record before."""
    from gateway.doors.cli.custody_acts import acted

    raise acted(project, user, lambda c, who: c.naming(who, text, reason), as_json=as_json)


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
    from gateway.doors.cli.custody_acts import acted

    person = Person(subject, pseudonym)
    raise acted(project, user, lambda c, who: c.hold(who, person, reason, release=release), as_json=as_json)


def retain(
    days: Annotated[int, typer.Option("--days", min=1, max=36_500, help="Keep what is younger than this.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go; delete nothing.")] = False,
    reason: Reason = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Delete closed segments that are older; checkpoints stay, so that the gap is seen to be a deletion.

    A log holds the questions of every tenant, so this is of all of them.
    """
    from gateway.doors.cli.custody_acts import acted

    raise acted(project, user, lambda c, who: c.retire(who, days, reason, dry_run=dry_run), as_json=as_json)
