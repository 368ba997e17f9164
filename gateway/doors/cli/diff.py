"""The verb `metrics diff`: two versions of a layer side by side."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Project


def diff(
    old: Annotated[Path, typer.Argument(metavar="A", help="A project or a folder of definitions: before.")],
    new: Annotated[Path, typer.Argument(metavar="B", help="A project or a folder of definitions: after.")],
    against_traces: Annotated[
        bool,
        typer.Option(
            "--against-traces", help="Say which recorded questions would be other ones. Nothing runs."
        ),
    ] = False,
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Say what changed between two versions of the definitions, and which metrics that reaches.

    With --against-traces the traces are those of --project, of the nearest project otherwise.
    """
    from gateway.doors.project import layer_at
    from gateway.doors.shapes import LayerDiff
    from gateway.doors.status import FINDINGS, OK
    from gateway.doors.terminal.diff import print_diff
    from gateway.doors.terminal.screen import Terminal
    from metric_layer.effects import compare_layers

    before, after = layer_at(old), layer_at(new)
    questions = None
    if against_traces:
        from gateway.doors.opened import opened

        with opened(project) as house:
            questions = house.gateway.revise(house.callers.for_cli(user), before, after)
    found = LayerDiff(change=compare_layers(before, after), questions=questions)
    terminal = Terminal()
    terminal.object(found) if as_json else print_diff(terminal, found)
    raise typer.Exit((FINDINGS if found.change.slips else OK).exit)
