"""The verbs `metrics import` and `metrics export`: definitions of other layers, and ours for them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gateway.doors.cli.options import AsJson, Project, one_of


def import_metrics(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A manifest, a document, or a data model of one file or a folder."
        ),
    ],
    kind: Annotated[
        Literal["dbt", "ossie", "cube"],
        typer.Option(
            "--from",
            parser=one_of("dbt", "ossie", "cube"),
            help="semantic_manifest.json, an Apache Ossie document, or Cube YAML.",
        ),
    ],
    folder: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="A project, or a folder that shall become one.")
    ],
    owner: Annotated[
        str, typer.Option("--owner", metavar="NAME", help="Owner of metrics whose file names none.")
    ] = "",
    certify: Annotated[
        bool, typer.Option("--certify", help="Certify metrics that have an owner; drafts otherwise.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Import definitions of dbt, Apache Ossie or Cube; a line says what could not be kept as it was.

    New files are written into the folder's definitions. Nothing is overwritten.
    """
    from gateway.doors.project import metrics_folder
    from gateway.doors.status import FINDINGS, OK, USAGE
    from gateway.doors.terminal.interchange import print_import
    from gateway.doors.terminal.screen import Terminal
    from gateway.reply import Refusal, issue_of
    from metric_layer.interchange.importing import import_file
    from metric_layer.interchange.reading import ForeignUnreadable

    terminal = Terminal()
    try:
        report = import_file(file, kind, metrics_folder(folder), owner, certify=certify)
    except ForeignUnreadable as fault:
        refusal = Refusal(issues=tuple(issue_of(issue, "input") for issue in fault.issues))
        terminal.issues(refusal.issues, to_stderr=True)
        if as_json:
            terminal.object(refusal)
        raise typer.Exit(USAGE.exit) from fault
    terminal.object(report) if as_json else print_import(terminal, report)
    raise typer.Exit((OK if report.ok else FINDINGS).exit)


def export_metrics(
    file: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="A new file: JSON if it ends in .json, else YAML."),
    ] = None,
    project: Project = None,
) -> None:
    """Write the definitions as an Apache Ossie document, to standard output or to a new file.

    What Ossie cannot say stands in an extension; a metric that would be another number without it has no SQL.
    """
    from gateway.doors.cli.ossie import exported, put
    from gateway.doors.terminal.screen import Terminal

    made = exported(project)
    put(Terminal(), made, file)
