"""Signed notes: a text, an empty line, and signatures, in the form that transparency logs exchange (C2SP)."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from traces.errors import CheckpointUnusable

_DASH = "\u2014 "
_ED25519 = b"\x01"
_HINT_BYTES = 4
_NAME = re.compile(r"[^\s+]+")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
MOST_BYTES = 64 * 1024


class Signature(NamedTuple):
    """A line under a note: whose it says it is, which of their keys, and the signature."""

    name: str
    hint: bytes
    value: bytes


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key and the name it signs under; as text `name+hash+base64`."""

    name: str
    key: Ed25519PublicKey = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """Read the text form; raises CheckpointUnusable for any other text."""
        name, plus, rest = text.strip().partition("+")
        hint, _, body = rest.partition("+")
        blob = _decoded(body)
        if plus and _NAME.fullmatch(name) and blob[:1] == _ED25519 and len(blob) == 33:
            found = cls(name, Ed25519PublicKey.from_public_bytes(blob[1:]))
            if found.hint.hex() == hint:
                return found
        raise CheckpointUnusable(
            "verifier_key_malformed",
            "this is not the public key of a log: it reads NAME+HASH+BASE64",
            next_step="take it from `cellbound trace checkpoint --public-key` of the project",
        )

    @property
    def hint(self) -> bytes:
        """The four bytes that lead a signature to its key."""
        return sha256(self.name.encode() + b"\n" + self._blob).digest()[:_HINT_BYTES]

    @property
    def text(self) -> str:
        """The text form, in one line."""
        return f"{self.name}+{self.hint.hex()}+{base64.b64encode(self._blob).decode()}"

    @property
    def _blob(self) -> bytes:
        return _ED25519 + self.key.public_bytes_raw()


@dataclass(frozen=True, slots=True)
class NoteSigner:
    """A private key and the name it signs under."""

    name: str
    key: Ed25519PrivateKey = field(repr=False)

    @property
    def verifier(self) -> VerifierKey:
        """The public half."""
        return VerifierKey(self.name, self.key.public_key())

    def sign(self, text: str) -> str:
        """Return the note: the text, which ends with a newline, an empty line and our signature."""
        blob = self.verifier.hint + self.key.sign(text.encode())
        return f"{text}\n{_DASH}{self.name} {base64.b64encode(blob).decode()}\n"


def open_note(note: str, keys: Sequence[VerifierKey], place: str = "") -> str:
    """Return the text of a note that one of `keys` signed; raises CheckpointUnusable for any other.

    Signatures of names that nobody asked about, such as those of witnesses, are passed over.
    """
    text, signatures = split_note(note, place)
    by_hint = {(key.name, key.hint): key for key in keys}
    signed = False
    for signature in signatures:
        key = by_hint.get((signature.name, signature.hint))
        if key is None:
            continue
        try:
            key.key.verify(signature.value, text.encode())
        except InvalidSignature:
            raise _not_signed("its signature is not one of the text", place) from None
        signed = True
    if not signed:
        names = ", ".join(sorted({key.name for key in keys})) or "nobody"
        raise _not_signed(f"no key of {names} signed it", place)
    return text


def split_note(note: str, place: str = "") -> tuple[str, tuple[Signature, ...]]:
    """Take a note apart without looking at its signatures; raises CheckpointUnusable when it is none."""
    text, empty, below = note.rpartition("\n\n")
    lines = below.split("\n")
    whole = bool(empty and text) and lines.pop() == "" and len(note) <= MOST_BYTES
    signatures = [_signature(line) for line in lines]
    if not whole or not lines or None in signatures or _CONTROL.search(note):
        raise CheckpointUnusable(
            "checkpoint_malformed",
            "this is not a signed note: a text, an empty line and lines of signatures",
            place=place,
            next_step="take the file as `cellbound trace checkpoint` wrote it",
        )
    return text + "\n", tuple(one for one in signatures if one)


def _signature(line: str) -> Signature | None:
    if not line.startswith(_DASH):
        return None
    name, _, body = line[len(_DASH) :].partition(" ")
    blob = _decoded(body)
    if not _NAME.fullmatch(name) or len(blob) <= _HINT_BYTES:
        return None
    return Signature(name, blob[:_HINT_BYTES], blob[_HINT_BYTES:])


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _not_signed(why: str, place: str) -> CheckpointUnusable:
    return CheckpointUnusable(
        "checkpoint_not_signed",
        f"nothing vouches for this checkpoint: {why}",
        place=place,
        next_step="compare it with the copies in the second place, and with those that others keep",
    )
