"""Verbs of the command line over a project as a whole: `init`, `demo`, `doctor`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gateway.doors.cli.options import AsJson, Project, one_of

_FIRST_PLANS = {"shop": "net_revenue_by_region", "flights": "delays_by_origin"}


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    app.command("init")(init)
    app.command("demo")(demo)
    app.command("doctor")(doctor)


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or an empty folder.")],
    demo: Annotated[
        Literal["shop", "flights"] | None,
        typer.Option("--demo", parser=one_of("shop", "flights"), help="Start from a demo with data."),
    ] = None,
    profile: Annotated[
        Literal["analysts", "small", "full"],
        typer.Option(
            "--profile", parser=one_of("analysts", "small", "full"), help="How strict the policy starts."
        ),
    ] = "analysts",
    url: Annotated[
        str,
        typer.Option("--url", metavar="URL", help="Propose definitions from this database's catalogue."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Make a new project folder.

    With --url postgresql://HOST/DATABASE, duckdb:FILE, snowflake://LOGIN@... or bigquery://LOGIN@...,
    datasets, keys, joins and dimensions are proposed from the catalogue, and a count per table as a draft,
    for an owner to accept.
    """
    from gateway.doors.json_input import BadInput
    from gateway.doors.shapes import NewProject
    from gateway.doors.terminal.screen import Terminal
    from gateway.scaffold.project import scaffold
    from metric_layer.issues import Issue

    if url and demo:
        raise BadInput(
            Issue(
                code="two_sources",
                message="A project is a demo or stands over a database of yours.",
                seen="--demo --url",
                next_step="Leave one of the two out.",
            )
        )
    made = scaffold(folder, demo, profile, url=url)
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
    terminal.line(f"Next: {_next_step(folder, demo, url)} --project {folder}")


def _next_step(folder: Path, demo: str | None, url: str) -> str:
    """Return what to do with a new project first, up to the option that names it."""
    if demo:
        return f"cellbound ask {folder}/plans/{_FIRST_PLANS[demo]}.json"
    if url:
        return (
            f"read {folder}/metrics; a draft can be asked once its owner has said what it means and written "
            "`status: certified`. Then cellbound doctor"
        )
    return f"name your database in {folder}/cellbound.toml, then cellbound doctor"


def demo(as_json: AsJson = False) -> None:
    """Walk through the seven promises over the demo shop, with the real pipeline."""
    from gateway.demo.tour import run_tour
    from gateway.doors.cli.demo_folder import demo_project, make_demo_project
    from gateway.doors.status import BROKEN, OK
    from gateway.doors.terminal.screen import Terminal
    from gateway.doors.terminal.tour import print_tour

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
    from gateway.doors.cli.doctor import examine
    from gateway.doors.status import FINDINGS, OK
    from gateway.doors.terminal.lists import print_findings
    from gateway.doors.terminal.screen import Terminal

    report = examine(project)
    terminal = Terminal()
    terminal.object(report) if as_json else print_findings(terminal, report.findings)
    raise typer.Exit((OK if report.ready else FINDINGS).exit)
