"""Verbs of the command line that explain: `explain CODE`, `config show`."""

from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, Project, code_names


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    app.command("explain")(explain)
    config = typer.Typer(no_args_is_help=True, help="See which settings are in force.")
    config.command("show")(show)
    app.add_typer(config, name="config")


def explain(
    code: Annotated[
        str,
        typer.Argument(metavar="CODE", help="A code, check or outcome you met.", autocompletion=code_names),
    ],
    as_json: AsJson = False,
) -> None:
    """Say what a code means and what helps."""
    from gateway.doors.explaining import explain as meaning_of
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.help import print_explained
    from gateway.doors.terminal.screen import Terminal
    from gateway.reply import Refusal

    found = meaning_of(code)
    terminal = Terminal()
    if isinstance(found, Refusal):
        terminal.object(found) if as_json else terminal.issues(found.issues, to_stderr=True)
        raise leave(found)
    terminal.object(found) if as_json else print_explained(terminal, found)


def show(
    changed: Annotated[bool, typer.Option("--changed", help="Leave out what is as it comes.")] = False,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Print every setting in force and where it is from; secrets are not shown.

    A variable CELLBOUND_SECTION__KEY goes before cellbound.toml, which goes before the default.
    """
    from gateway.doors.configuration import configuration
    from gateway.doors.terminal.help import print_configuration
    from gateway.doors.terminal.screen import Terminal

    found = configuration(project, changed_only=changed)
    terminal = Terminal()
    terminal.object(found) if as_json else print_configuration(terminal, found)
