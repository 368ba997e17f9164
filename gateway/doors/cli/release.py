"""Verbs of the command line over the release ladder: `release list|show|promote|demote|shadow|check`."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Project

ClassName = Annotated[str, typer.Argument(metavar="CLASS", help="A class of question that the policy names.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it goes on record, sealed.")]
STAGES = "dry_run, shadow or reviewed"


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    release = typer.Typer(no_args_is_help=True, help="Release classes of question, one stage at a time.")
    release.command("list")(list_classes)
    release.command("show")(show)
    release.command("promote")(promote)
    release.command("demote")(demote)
    release.command("shadow")(shadow)
    release.command("check")(check)
    app.add_typer(release, name="release")


def list_classes(user: AsUser = "", as_json: AsJson = False, project: Project = None) -> None:
    """List the classes of question with the stage in force, and what the policy says of it."""
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.release import print_classes

    with opened(project) as house:
        found = house.gateway.ladder.list(house.callers.for_cli(user))
    raise told(found, print_classes, as_json=as_json)


def show(name: ClassName, user: AsUser = "", as_json: AsJson = False, project: Project = None) -> None:
    """Show the evidence of a class since its last decision, each figure with its n, and all decisions."""
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.release import print_class

    with opened(project) as house:
        found = house.gateway.ladder.show(house.callers.for_cli(user), name)
    raise told(found, print_class, as_json=as_json)


def promote(
    name: ClassName, reason: Reason, user: AsUser = "", as_json: AsJson = False, project: Project = None
) -> None:
    """Move a class one stage up, on record, with its evidence. It takes the right `release`."""
    from gateway.doors.opened import opened
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.release import print_class

    with opened(project) as house:
        found = house.gateway.ladder.move(house.callers.for_cli(user), name, None, reason, up=True)
    raise told(found, print_class, as_json=as_json)


def demote(
    name: ClassName,
    reason: Reason,
    to: Annotated[
        str, typer.Option("--to", metavar="STAGE", help=f"{STAGES}; one stage down if left out.")
    ] = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Move a class down, on record, with its evidence; from the next question on. Right: `release`."""
    from gateway.doors.opened import opened
    from gateway.doors.release_work import stage_named
    from gateway.doors.terminal.exit import told
    from gateway.doors.terminal.release import print_class

    stage = stage_named(to) if to else None
    with opened(project) as house:
        found = house.gateway.ladder.move(house.callers.for_cli(user), name, stage, reason, up=False)
    raise told(found, print_class, as_json=as_json)


def shadow(
    trace_id: Annotated[str, typer.Argument(metavar="TRACE", help="The question that was answered.")],
    answer: Annotated[str, typer.Option("--answer", metavar="NUMBER", help="Your figure.")] = "",
    tolerance: Annotated[
        str, typer.Option("--tolerance", metavar="NUMBER", help="How far off is still right (absolute).")
    ] = "0",
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE.csv", help="Your rows, under a header.")
    ] = None,
    sql: Annotated[
        Path | None, typer.Option("--sql", metavar="FILE.sql", help="Your SQL; it runs as you, under checks.")
    ] = None,
    question: Annotated[
        str, typer.Option("--question", metavar="TEXT", help="The question of the case, in words.")
    ] = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Hold your own answer against a recorded one; a disagreement becomes an evaluation case at once.

    Also for answers that were told: there a disagreement counts as a correction. Right: `evaluate`.
    """
    from gateway.doors.release_work import Given
    from gateway.doors.release_work import shadow as compared
    from gateway.doors.status import FINDINGS, OK
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.release import print_compared
    from gateway.doors.terminal.screen import Terminal
    from gateway.reply import Refusal

    given = Given(answer, tolerance, file, sql, question)
    found = compared(trace_id, given, user=user, project=project)
    terminal = Terminal()
    terminal.object(found) if as_json else print_compared(terminal, found)
    if isinstance(found, Refusal):
        raise leave(found)
    raise typer.Exit((OK if found.compared.agreed else FINDINGS).exit)


def check(user: AsUser = "", as_json: AsJson = False, project: Project = None) -> None:
    """Apply the policy's rules of demotion to every class, and take back decisions that only the log has.

    For a nightly job: it exits with 3 where a class went down.
    """
    from gateway.doors.opened import opened
    from gateway.doors.status import FINDINGS, OK
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.release import print_sweep
    from gateway.doors.terminal.screen import Terminal
    from gateway.reply import Refusal

    with opened(project) as house:
        found = house.gateway.ladder.sweep(house.callers.for_cli(user))
    terminal = Terminal()
    terminal.object(found) if as_json else print_sweep(terminal, found)
    if isinstance(found, Refusal):
        raise leave(found)
    raise typer.Exit((FINDINGS if found.demoted else OK).exit)
