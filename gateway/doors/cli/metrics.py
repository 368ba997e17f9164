"""Verbs of the command line over definitions: `metrics list`, `metrics show`, `metrics validate`."""

from typing import Annotated

import typer

from gateway.doors.cli.attest import attest
from gateway.doors.cli.choices import choices
from gateway.doors.cli.diff import diff
from gateway.doors.cli.interchange import export_metrics, import_metrics
from gateway.doors.cli.options import AsJson, AsUser, Limit, Project, metric_names


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    metrics = typer.Typer(no_args_is_help=True, help="See what may be asked, and check the definitions.")
    metrics.command("list")(list_metrics)
    metrics.command("show")(show_metric)
    metrics.command("validate")(validate)
    metrics.command("attest")(attest)
    metrics.command("diff")(diff)
    metrics.command("choices")(choices)
    metrics.command("import")(import_metrics)
    metrics.command("export")(export_metrics)
    app.add_typer(metrics, name="metrics")


def list_metrics(
    search: Annotated[str, typer.Option("--search", help="Words to look for.")] = "",
    limit: Limit = 50,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """List the metrics you may ask for."""
    from gateway import catalogue
    from gateway.doors.project import definitions_of
    from gateway.doors.terminal.lists import print_metrics
    from gateway.doors.terminal.screen import Terminal

    given = definitions_of(project)
    found = catalogue.list_metrics(given.layer, given.visible_to(user), search, limit)
    terminal = Terminal()
    terminal.object(found) if as_json else print_metrics(terminal, found)


def show_metric(
    name: Annotated[str, typer.Argument(metavar="NAME", autocompletion=metric_names)],
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Show one metric: formula, owner, dimensions, and a plan that works."""
    from gateway import catalogue
    from gateway.doors.project import definitions_of
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.lists import print_card

    given = definitions_of(project)
    card = catalogue.describe_metric(given.layer, given.visible_to(user), name)
    raise told(card, print_card, as_json=as_json)


def validate(as_json: AsJson = False, project: Project = None) -> None:
    """Check definitions and policy; every problem at once, each with file, line and column."""
    from gateway.doors.cli.validation import validate_project
    from gateway.doors.status import FINDINGS, OK
    from gateway.doors.terminal.screen import Terminal, counted

    found = validate_project(project)
    terminal = Terminal()
    if as_json:
        terminal.object(found)
    elif found.ok:
        metrics, datasets = counted(found.metrics, "metric"), counted(found.datasets, "dataset")
        terminal.verdict("ok", f"{metrics} over {datasets}")
        for note in found.notes:
            terminal.line(note, "dim")
    else:
        terminal.issues(found.issues)
    raise typer.Exit((OK if found.ok else FINDINGS).exit)
