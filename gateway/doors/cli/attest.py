"""The verb `metrics attest`: the declared keys, held against the data."""

import typer

from gateway.doors.cli.options import AsJson, AsUser, Project


def attest(user: AsUser = "", as_json: AsJson = False, project: Project = None) -> None:
    """Count the keys that joins rest on: are they unique, and how many rows meet nothing?"""
    from gateway.doors.opened import opened
    from gateway.doors.status import FINDINGS, OK
    from gateway.doors.terminal.attest import print_attested
    from gateway.doors.terminal.screen import Terminal

    with opened(project) as house:
        report = house.gateway.attest(house.callers.for_cli(user))
    terminal = Terminal()
    terminal.object(report) if as_json else print_attested(terminal, report)
    raise typer.Exit((OK if report.ok else FINDINGS).exit)
