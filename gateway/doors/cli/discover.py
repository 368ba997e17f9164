"""Verbs of the command line over personal data: `discover`, `discover accept`."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, Project


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    found = typer.Typer()
    found.callback(invoke_without_command=True)(discover)
    found.command("accept")(accept)
    app.add_typer(found, name="discover")


def discover(
    context: typer.Context,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", metavar="NAME", help="Only this one; may be repeated.")
    ] = None,
    drift: Annotated[
        bool,
        typer.Option("--drift", help="Only say what changed since the last look; exit 3 where anything did."),
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write what is suggested, ready to accept.")
    ] = None,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Look for personal data in a small sample of every column, under a login of its own.

    Nothing changes: a suggestion counts once a data owner accepts it. No value is shown, logged or kept.
    """
    if context.invoked_subcommand is not None:
        return
    from gateway.doors.cli.discovering import looked, proposal
    from gateway.doors.terminal.discovery import print_drift, print_report
    from gateway.doors.terminal.screen import Terminal

    report = looked(project, dataset or (), drift=drift)
    if out is not None:
        out.write_text(proposal(report), encoding="utf-8")
    terminal = Terminal()
    if as_json:
        terminal.object(report)
    else:
        print_drift(terminal, report) if drift else print_report(terminal, report)
    raise typer.Exit(3 if drift and report.drift else 0)


def accept(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Decisions, as --out writes them.")
    ] = None,
    column: Annotated[str, typer.Option("--column", metavar="DATASET.COLUMN", help="One column.")] = "",
    tag: Annotated[
        str, typer.Option("--tag", metavar="TAG", help="Its tag; `none` where nothing is personal.")
    ] = "",
    user: Annotated[
        str, typer.Option("--as", metavar="USER", help="The data owner; identity.cli_user otherwise.")
    ] = "",
    by: Annotated[str, typer.Option("--by", metavar="USER", hidden=True)] = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Accept tags of personal data as a data owner (the right accept_tags). They are in force at once."""
    from gateway.doors.cli.discovering import accepted
    from gateway.doors.terminal.discovery import print_decided
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.screen import Terminal

    found = accepted(project, user or by, file=file, column=column, tag=tag)
    terminal = Terminal()
    terminal.object(found) if as_json else print_decided(terminal, found)
    raise leave(found)
