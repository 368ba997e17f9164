"""Verbs of the command line over many recorded questions: `trace find|index|export`."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Limit, Project, WrongValue, a_day, chosen, one_of

Since = Annotated[
    datetime | None,
    typer.Option(
        "--since",
        metavar="DAY",
        parser=a_day,
        help="Only those asked since then (UTC).",
    ),
]


def an_outcome(written: str) -> str:
    """Read an outcome, or that there is none yet. Raises WrongValue."""
    from gateway.tracing.search import OUTCOMES

    return chosen(written, OUTCOMES, "unknown_outcome") if written else written


def a_number(written: str) -> str:
    """Return a text that says one number. Raises WrongValue."""
    from gateway.tracing.figures import readings_of

    if written and not readings_of(written):
        step = "Write it as it stood in the answer: 1234567.8, 1,234,568 or 1.23M."
        raise WrongValue("must be one number.", step, code="unreadable_number")
    return written


Number = Annotated[
    str,
    typer.Option("--number", metavar="N", parser=a_number, help="A number of the answer, as a text has it."),
]
Person = Annotated[str, typer.Option("--person", metavar="USER", help="Who asked: a user, or a pseudonym.")]
Metric = Annotated[
    str, typer.Option("--metric", metavar="NAME", help="A metric, or another definition it used.")
]
Version = Annotated[
    int | None, typer.Option("--version", metavar="N", min=1, help="The version that it had then.")
]
Check = Annotated[
    str, typer.Option("--check", metavar="ID", help="A check, or a code, that held or stopped it.")
]
Outcome = Annotated[
    str,
    typer.Option("--outcome", metavar="WORD", parser=an_outcome, help="What became of it; or: unfinished."),
]
Table = Annotated[str, typer.Option("--table", metavar="NAME", help="A table that it read.")]
Sql = Annotated[str, typer.Option("--sql", metavar="TEXT", help="A piece of its SQL; literals do not count.")]
Until = Annotated[
    datetime | None,
    typer.Option(
        "--until",
        metavar="DAY",
        parser=a_day,
        help="Only those asked before then (UTC).",
    ),
]


def find(
    number: Number = "",
    person: Person = "",
    metric: Metric = "",
    version: Version = None,
    check: Check = "",
    outcome: Outcome = "",
    table: Table = "",
    since: Since = None,
    until: Until = None,
    sql: Sql = "",
    limit: Limit = 50,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Find recorded questions, newest first: yours, or, with the right audit, everybody's.

    Everything that is given must hold. A number is found at the precision in which you type it: 1234567.8
    also as 1,234,568 or 1.23M.
    """
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.tracing import print_found
    from gateway.tracing.found import Wanted

    wanted = Wanted(
        number=number,
        person=person,
        metric=metric,
        version=version,
        check=check,
        outcome=outcome,
        table=table,
        since=since,
        until=until,
        sql=sql,
        limit=limit,
    )
    with opened(project) as house:
        found = house.gateway.tracing.find(house.callers.for_cli(user), wanted)
    raise told(found, print_found, as_json=as_json)


def index(
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make it anew from the traces.")] = False,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Bring the search index beside the traces up to date; `trace find` does so by itself."""
    from gateway.doors.opened import opened
    from gateway.doors.terminal.screen import Terminal, counted

    with opened(project) as house:
        found = house.gateway.tracing.index(rebuild=rebuild)
    terminal = Terminal()
    if as_json:
        terminal.object(found)
    else:
        traces, segments = counted(found.traces, "trace"), counted(found.segments, "segment")
        terminal.line(f"In the index: {traces} of {segments}.")


def export(
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="otel|openlineage|jsonl",
            parser=one_of("otel", "openlineage", "jsonl", code="bad_format"),
            help="What form to write.",
        ),
    ] = "jsonl",
    since: Since = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to; standard output otherwise.")
    ] = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Write recorded questions for other systems: no text, no value, and of askers only pseudonyms.

    Spans go to the collector of `[export] otlp` where there is one and no file is named.
    """
    from gateway.doors.cli.export import export_traces
    from gateway.doors.opened import opened
    from gateway.doors.terminal.screen import Terminal
    from gateway.doors.terminal.tracing import told_of

    with opened(project) as house:
        found = export_traces(house, house.callers.for_cli(user), form, since, out, as_json=as_json)
    terminal = Terminal()
    terminal.object(found) if as_json else terminal.note(told_of(found))
