"""Verbs of the command line over a project as a whole: `init`, `demo`, `doctor`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import typer

from gateway.doors.cli_options import AsJson, Project
from gateway.doors.status import BROKEN, FINDINGS, OK
from gateway.doors.terminal import Terminal
from gateway.doors.terminal_lists import print_findings
from metric_layer.record import Record


class NewProject(Record):
    """A project that was made. Each token is shown here and kept nowhere."""

    folder: str
    files: tuple[str, ...]
    database: str = ""
    tokens: Mapping[str, str] = {}


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    app.command("init")(init)
    app.command("demo")(demo)
    app.command("doctor")(doctor)


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or an empty folder.")],
    demo: Annotated[
        Literal["shop", "flights"] | None, typer.Option("--demo", help="Start from a demo with data.")
    ] = None,
    profile: Annotated[
        Literal["analysts", "small", "full"], typer.Option("--profile", help="How strict the policy starts.")
    ] = "analysts",
    as_json: AsJson = False,
) -> None:
    """Make a new project folder."""
    from gateway.scaffold import scaffold

    made = scaffold(folder, demo, profile)
    terminal = Terminal()
    if as_json:
        terminal.object(
            NewProject(
                folder=str(made.folder),
                files=made.files,
                database=str(made.database or ""),
                tokens=made.tokens,
            )
        )
        return
    terminal.verdict("ok", f"made {made.folder}")
    for file in made.files:
        terminal.line(f"  {file}", "dim")
    if made.tokens:
        terminal.line("Bearer tokens for `cellbound serve`, shown once and kept nowhere:")
        terminal.table(("user", "token"), list(made.tokens.items()))
    terminal.line(f"Next: cellbound metrics list --project {folder}")


def demo(as_json: AsJson = False) -> None:
    """Walk through the seven promises over the demo shop, with the real pipeline."""
    from gateway.demo.tour import run_tour
    from gateway.doors.demo_folder import demo_project, make_demo_project
    from gateway.doors.terminal_tour import print_tour

    terminal = Terminal()
    folder = demo_project()
    if not folder.is_dir():
        terminal.note(f"Making the demo shop in {folder} (once, some seconds)...")
        make_demo_project(folder)
    report = run_tour(folder)
    terminal.object(report) if as_json else print_tour(terminal, report)
    raise typer.Exit((OK if report.kept else BROKEN).exit)


def doctor(as_json: AsJson = False, project: Project = None) -> None:
    """Look at everything a question needs, prove the database's limits, and say what is wrong."""
    from gateway.doors.doctor import examine

    report = examine(project)
    terminal = Terminal()
    terminal.object(report) if as_json else print_findings(terminal, report.findings)
    raise typer.Exit((OK if report.ready else FINDINGS).exit)
