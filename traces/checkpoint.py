"""A checkpoint: how long a log is, its chain hash and the root over all its records, signed as one note."""

import base64
import binascii
import re
from collections.abc import Sequence
from datetime import datetime

from pydantic import ValidationError

from metric_layer.record import Record
from traces.errors import CheckpointUnusable
from traces.merkle import MerkleTree
from traces.signed_note import NoteSigner, VerifierKey, open_note

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class Checkpoint(Record):
    """A log as it stood after `size` records.

    `origin` is NAME/LOG, `root` the Merkle root, `head` the chain hash, both hexadecimal; `segment` is the
    number of the one that held record size - 1, and `edge` the roots of the tree's full subtrees, from which
    the log can be followed on although its earlier segments are gone.
    """

    origin: str
    size: int
    root: str
    head: str
    segment: int
    at: datetime
    key_id: str
    edge: tuple[str, ...]

    @property
    def log(self) -> str:
        """The id of the log."""
        return self.origin.rpartition("/")[2]

    def tree(self) -> MerkleTree:
        """Return the tree as it was; its root is the signed one, or the checkpoint could not be read."""
        return MerkleTree(self.size, (bytes.fromhex(each) for each in self.edge))


def name_of_project(project: str) -> str:
    """Return the name that the checkpoints of a project are signed under."""
    return "cellbound/" + (_UNSAFE.sub("-", project).strip("-") or "project")


def write_checkpoint(checkpoint: Checkpoint, signer: NoteSigner) -> str:
    """Return the signed note of a checkpoint."""
    lines = (
        checkpoint.origin,
        str(checkpoint.size),
        _base64_of(checkpoint.root),
        f"head {checkpoint.head}",
        f"segment {checkpoint.segment}",
        f"time {checkpoint.at.isoformat()}",
        f"chain-key {checkpoint.key_id}",
        " ".join(("edge", *map(_base64_of, checkpoint.edge))),
    )
    return signer.sign("".join(f"{line}\n" for line in lines))


def read_checkpoint(note: str, keys: Sequence[VerifierKey], place: str = "") -> Checkpoint:
    """Return what a note says that one of `keys` signed; raises CheckpointUnusable, naming `place`."""
    origin, _, rest = open_note(note, keys, place).partition("\n")
    size, _, rest = rest.partition("\n")
    root, _, rest = rest.partition("\n")
    more = dict(line.split(" ", 1) for line in rest.splitlines() if " " in line)
    try:
        found = Checkpoint(
            origin=origin,
            size=int(size),
            root=_hex_of(root),
            head=more["head"],
            segment=int(more["segment"]),
            at=datetime.fromisoformat(more["time"]),
            key_id=more["chain-key"],
            edge=tuple(map(_hex_of, more["edge"].split(" "))),
        )
        sound = found.tree().root.hex() == found.root
    except (KeyError, ValueError, ValidationError, binascii.Error) as error:
        raise _no_checkpoint(place) from error
    if not sound:
        raise _no_checkpoint(place)
    return found


def _base64_of(digest: str) -> str:
    return base64.b64encode(bytes.fromhex(digest)).decode()


def _hex_of(text: str) -> str:
    return base64.b64decode(text, validate=True).hex()


def _no_checkpoint(place: str) -> CheckpointUnusable:
    return CheckpointUnusable(
        "checkpoint_malformed",
        "this note is signed, but it is no checkpoint of a trace log of this version",
        place=place,
        next_step="take the file as `cellbound trace checkpoint` wrote it",
    )
