"""Verbs of the command line over keys: `keys list|rotate|backup|restore`."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, AsUser, Project

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


def add_to(app: typer.Typer) -> None:
    """Give an application these verbs."""
    keys = typer.Typer(no_args_is_help=True, help="List, rotate, back up and restore the project's keys.")
    keys.command("list")(list_keys)
    keys.command("rotate")(rotate)
    keys.command("backup")(backup)
    keys.command("restore")(restore)
    app.add_typer(keys, name="keys")


def list_keys(as_json: AsJson = False, project: Project = None) -> None:
    """List the ids of the keys in force, and of older ones; never a key."""
    from gateway.doors.keys import keys_in_force
    from gateway.doors.terminal.custody import print_keys
    from gateway.doors.terminal.screen import Terminal

    found = keys_in_force(project)
    terminal = Terminal()
    terminal.object(found) if as_json else print_keys(terminal, found)


def rotate(
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", metavar="KIND", help="chain, signing, subjects, master; all but master else."),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it goes on record.")] = "",
    user: AsUser = "",
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Put fresh keys in force. What the older ones sealed or signed still opens and verifies."""
    from gateway.doors.keys import rotated
    from gateway.doors.terminal.custody import tell
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.screen import Terminal

    found = rotated(kind or [], reason, user=user, project=project)
    tell(Terminal(), found, as_json=as_json)
    raise leave(found)


def backup(file: BackupFile, user: AsUser = "", as_json: AsJson = False, project: Project = None) -> None:
    """Write the key file, encrypted under a passphrase; it takes the right admin.

    Keep it apart from the traces, and not as long.
    """
    from gateway.doors.keys import passphrase_given, write_backup
    from gateway.doors.terminal.custody import print_backup
    from gateway.doors.terminal.exit import told

    phrase = passphrase_given() or typer.prompt("Passphrase", hide_input=True, confirmation_prompt=True)
    found = write_backup(file, phrase, user=user, project=project)
    raise told(found, print_backup, as_json=as_json)


def restore(file: BackupFile, user: AsUser = "", as_json: AsJson = False, project: Project = None) -> None:
    """Take keys from a backup; it takes the right admin. Those of erased persons do not come back."""
    from gateway.doors.keys import passphrase_given, read_backup
    from gateway.doors.terminal.custody import print_restored
    from gateway.doors.terminal.exit import told

    phrase = passphrase_given() or typer.prompt("Passphrase", hide_input=True)
    found = read_backup(file, phrase, user=user, project=project)
    raise told(found, print_restored, as_json=as_json)
