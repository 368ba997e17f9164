"""A signing key for the tests, and stores that make checkpoints with it."""

from datetime import datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.traces.samples import KEY, NOON
from traces.checkpoint import Checkpoint, name_of_project, read_checkpoint
from traces.signed_note import NoteSigner
from traces.store.files import FileTraceStore
from traces.store.keeper import CheckpointKeeper
from traces.store.limits import StoreLimits
from traces.store.notes import FolderOfNotes

SIGNER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def keeper(second: Path | None = None, key: Ed25519PrivateKey = SIGNER_KEY) -> CheckpointKeeper:
    """A keeper of the project `shop`; its notes go to a second place if one is given."""
    signer = NoteSigner(name_of_project("shop"), key)
    return CheckpointKeeper(signer, [signer.verifier], _noon, FolderOfNotes(second) if second else None)


def _noon() -> datetime:
    return NOON


def signing_store(
    folder: Path, second: Path | None = None, *, log_id: str = "a", segment_bytes: int = 20_000
) -> FileTraceStore:
    """A store with small segments that signs where its log stands."""
    limits = StoreLimits(segment_bytes=segment_bytes)
    return FileTraceStore(folder, KEY, log_id=log_id, limits=limits, keeper=keeper(second))


def notes_in(folder: Path) -> dict[str, Checkpoint]:
    """The checkpoints of a folder by file name."""
    believed = keeper().believed
    return {
        path.name: read_checkpoint(path.read_text(), believed) for path in sorted(folder.glob("*.checkpoint"))
    }
