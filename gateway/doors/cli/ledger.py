"""Opens what was recorded for the verbs that check it, and writes the notes they make."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from gateway.doors.json_input import BadInput
from gateway.doors.project import settings_of
from gateway.record.ledger import Ledger, verify_from_outside
from gateway.reply import Verification
from gateway.wiring import open_ledger
from metric_layer.issues import Issue
from traces.chain import segments_in
from traces.records import Receipt


@contextmanager
def ledger_of(project: Path | None) -> Iterator[Ledger]:
    """Open a project's records, and nothing else of it, for the length of a block."""
    ledger = open_ledger(settings_of(project).folder)
    try:
        yield ledger
    finally:
        ledger.close()


def check_inside(
    notes: Mapping[str, str], receipts: Sequence[Receipt], folder: Path | None, project: Path | None
) -> Verification:
    """Check a project's own records with its keys. Raises BadInput where a folder is named without a key."""
    if folder is not None:
        raise _refused(
            "needs_verifier_key",
            "--folder is for checking from outside, which takes --verifier-key and --checkpoint.",
            "Take the key from `cellbound trace checkpoint --public-key`, or leave --folder out.",
        )
    with ledger_of(project) as ledger:
        return ledger.verify(receipts, notes)


def check_outside(
    public_key: str,
    notes: Mapping[str, str],
    receipts: Sequence[Receipt],
    folder: Path | None,
    project: Path | None,
) -> Verification:
    """Check segments with nothing but a public key. Raises BadInput without a checkpoint or a folder."""
    if not notes:
        raise _refused(
            "needs_checkpoint",
            "Without the project's keys only a checkpoint can vouch for its records.",
            "Give --checkpoint FILE: a note that `cellbound trace checkpoint` made.",
        )
    if folder is None:
        settings = settings_of(project)
        folder = settings.at(settings.paths.traces)
    if not folder.is_dir():
        raise _refused("no_folder", f"{folder} is no folder.", "Name the folder of the segments.")
    return verify_from_outside(segments_in(folder), notes, public_key, receipts)


def write_notes(out: Path, text: str) -> None:
    """Put notes into a file. Raises BadInput where that cannot be written."""
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as fault:
        step = "Name a file in a folder that you may write to; the notes are kept beside the traces already."
        raise _refused("bad_file", f"{out} cannot be written: {fault.strerror}.", step) from fault


def _refused(code: str, message: str, next_step: str) -> BadInput:
    return BadInput(Issue(code=code, message=message, next_step=next_step))
