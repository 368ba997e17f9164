"""The verb `metrics choices`: the readings of open terms that a team chose."""

from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Project


def choices(
    team: Annotated[
        str, typer.Option("--team", metavar="TEAM", help="One of your teams; all otherwise.")
    ] = "",
    revoke: Annotated[
        str, typer.Option("--revoke", metavar="TERM", help="Forget the reading of a term: it is asked again.")
    ] = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """List how your teams chose to read open terms, or take a reading back.

    Without --team, --revoke looks among the readings of your first team, where yours are kept.
    """
    from gateway.doors.opened import opened
    from gateway.doors.terminal.choices import print_choices
    from gateway.doors.terminal.exit import told

    with opened(project) as house:
        caller = house.callers.for_cli(user)
        if revoke:
            found = house.gateway.revoke_choice(caller, revoke, team)
        else:
            found = house.gateway.list_choices(caller, team)
    raise told(found, print_choices, as_json=as_json)
