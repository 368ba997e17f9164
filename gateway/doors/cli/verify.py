"""Verbs of the command line over the log itself: `trace verify|checkpoint`."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.doors.cli.options import AsJson, Project


def verify(
    kept: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RECEIPT.json]...", help="Receipts or whole replies you kept."),
    ] = None,
    receipts: Annotated[
        list[str] | None,
        typer.Option("--receipts", metavar="FILE", help="A file of receipts or replies, one or many."),
    ] = None,
    checkpoint: Annotated[
        list[str] | None,
        typer.Option("--checkpoint", metavar="FILE", help="Checkpoints you kept; more than once if need be."),
    ] = None,
    verifier_key: Annotated[
        str, typer.Option("--verifier-key", metavar="KEY", help="Check from outside, with this key only.")
    ] = "",
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="DIR", help="The segments to check from outside.")
    ] = None,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Check every record byte for byte, and against receipts and checkpoints.

    Checkpoints beside the segments and in the second place are always held against the log. Somebody without
    the project's keys gives --verifier-key and at least one --checkpoint: the root over all records shows
    whether anything before it was changed.
    """
    from gateway.doors.cli.kept import read_notes, read_receipts
    from gateway.doors.cli.ledger import check_inside, check_outside
    from gateway.doors.terminal.exit import leave
    from gateway.doors.terminal.lists import print_verification
    from gateway.doors.terminal.screen import Terminal

    given = [receipt for file in (*(kept or ()), *(receipts or ())) for receipt in read_receipts(file)]
    notes = read_notes(checkpoint or ())
    if verifier_key:
        found = check_outside(verifier_key, notes, given, folder, project)
    else:
        found = check_inside(notes, given, folder, project)
    terminal = Terminal()
    terminal.object(found) if as_json else print_verification(terminal, found)
    raise leave(found)


def checkpoint(
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to put the notes; printed otherwise.")
    ] = None,
    public_key: Annotated[
        bool, typer.Option("--public-key", help="Print the key that checkpoints are checked with.")
    ] = False,
    as_json: AsJson = False,
    project: Project = None,
) -> None:
    """Sign how long every log is and what stands in it, and keep that in the second place.

    Give the note to somebody who does not run this gateway: with it they can tell later that nothing before
    it was changed or cut off.
    """
    import sys

    from gateway.doors.cli.ledger import ledger_of, write_notes
    from gateway.doors.terminal.screen import Terminal, plain

    with ledger_of(project) as ledger:
        if public_key:
            sys.stdout.write(ledger.public_key + "\n")
            return
        found = ledger.checkpoint()
    if as_json:
        Terminal().object(found)
    text = "\n".join(found.notes)
    if out is not None:
        write_notes(out, text)
        Terminal().note(f"{len(found.notes)} checkpoints are in {out}; give it to somebody outside.")
    elif not as_json:
        sys.stdout.write(plain(text))
