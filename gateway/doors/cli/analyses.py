"""Verbs of the command line over saved analyses: `analyses list`, `run`, `accept`."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Choices, Project


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    analyses = typer.Typer(no_args_is_help=True, help="Run questions that their owners saved.")
    analyses.command("list")(list_analyses)
    analyses.command("run")(run)
    analyses.command("accept")(accept)
    app.add_typer(analyses, name="analyses")


def list_analyses(user: AsUser = "", as_json: AsJson = False, project: Project = None) -> None:
    """List the saved analyses you may run, with what their parameters take."""
    from gateway.doors.opened import opened
    from gateway.doors.terminal.analyses import print_analyses
    from gateway.doors.terminal.screen import Terminal

    with opened(project) as house:
        found = house.gateway.list_analyses(house.callers.for_cli(user))
    terminal = Terminal()
    terminal.object(found) if as_json else print_analyses(terminal, found)


def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The analysis, as `analyses list` names it.")],
    given: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PARAMETER=VALUE", help="A parameter; repeated for a list."),
    ] = None,
    choice: Choices = None,
    approval: Annotated[
        str, typer.Option("--approval", metavar="HOLD", help="The hold under which a step was accepted.")
    ] = "",
    conversation: Annotated[
        str, typer.Option("--conversation", metavar="ID", help="Your id of the conversation it belongs to.")
    ] = "",
    user: AsUser = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check and price only; nothing runs.")] = False,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Run a saved analysis with your own access: one answer over the results of all its steps."""
    from gateway.analyses.call import AnalysisCall
    from gateway.asking import AskOptions
    from gateway.doors.cli.input import choices_of, pairs_of
    from gateway.doors.cli.plan import DOOR
    from gateway.doors.opened import opened
    from gateway.doors.terminal.analyses import print_run
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.screen import Terminal

    options = AskOptions(
        choices=choices_of(choice or ()), dry_run=dry_run, approval_id=approval, conversation=conversation
    )
    call = AnalysisCall(name, pairs_of(given or (), "--set region=EMEA"), options, DOOR)
    with opened(project) as house:
        result = house.gateway.run_analysis(house.callers.for_cli(user), call)
    terminal = Terminal()
    terminal.object(result) if as_json else print_run(terminal, result)
    raise leave(result)


def accept(
    hold_id: Annotated[str, typer.Argument(metavar="HOLD", help="A hold of free SQL that was accepted.")],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the analysis is called.")],
    owner: Annotated[str, typer.Option("--owner", metavar="TEAM", help="Who answers for it.")],
    description: Annotated[
        str, typer.Option("--description", metavar="TEXT", help="What it is for; a search looks here.")
    ],
    parameters: Annotated[
        Path | None,
        typer.Option(
            "--parameters",
            metavar="FILE.yml",
            help="Parameters that it is to take, and the `example` call that the SQL answers as it stands.",
        ),
    ] = None,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Make SQL that a reviewer accepted a saved analysis, pinned to its hash. Nothing runs.

    With parameters it is the SQL with them, and what each may be, that you accept. Any change of either
    afterwards needs a new acceptance.
    """
    from gateway.analyses.call import NewAnalysis
    from gateway.doors.cli.new_analysis import put_on_shelf, wanted_from
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.screen import Terminal
    from gateway.reply import Refusal

    with opened(project) as house:
        about = NewAnalysis(name, owner, description, wanted=wanted_from(parameters))
        found = house.gateway.accept_analysis(house.callers.for_cli(user), hold_id, about)
        result = found if isinstance(found, Refusal) else put_on_shelf(house.settings, found)
    terminal = Terminal()
    if as_json:
        terminal.object(result)
    elif isinstance(result, Refusal):
        terminal.issues(result.issues, to_stderr=True)
    else:
        terminal.line(f"Wrote {result.file}, pinned to {result.sha256[:12]}.")
        if about.wanted.parameters:
            terminal.line(result.sql)
    raise leave(result)
