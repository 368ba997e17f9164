"""The key file under a passphrase: to be kept apart from the traces, and for a shorter time than they are."""

import base64
import binascii
import json
import secrets
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from pydantic import ValidationError

from traces.errors import KeysUnusable
from traces.keyfile import KeyFile, KeyFileStore, SubjectEntry

PASSPHRASE = "CELLBOUND_BACKUP_PASSPHRASE"
LEAST_CHARACTERS = 12
_NAME = "cellbound keys backup"
_COST = 2**16
_MOST_COST = 2**20


def back_up(content: KeyFile, passphrase: str, at: datetime) -> bytes:
    """Return a key file encrypted under a passphrase, as JSON text; raises KeysUnusable for a short one."""
    if len(passphrase) < LEAST_CHARACTERS:
        raise KeysUnusable(
            "passphrase_short",
            f"a passphrase needs at least {LEAST_CHARACTERS} characters",
            next_step="take several words that nobody puts together",
        )
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    head = {"name": _NAME, "v": 1, "made": at.astimezone(UTC).isoformat(), "scrypt_n": _COST}
    sealed = AESGCM(_key(passphrase, salt, _COST)).encrypt(
        nonce, content.model_dump_json().encode(), json.dumps(head).encode()
    )
    body = {"salt": _coded(salt), "nonce": _coded(nonce), "sealed": _coded(sealed)}
    return json.dumps(head | body, indent=1).encode()


def open_backup(backup: bytes, passphrase: str, place: str = "") -> KeyFile:
    """Return the key file in a backup; raises KeysUnusable: no backup, or another passphrase."""
    try:
        found = json.loads(backup)
        head = {key: found[key] for key in ("name", "v", "made", "scrypt_n")}
        salt, nonce, sealed = (base64.b64decode(found[key]) for key in ("salt", "nonce", "sealed"))
    except (ValueError, KeyError, TypeError, binascii.Error):
        raise _no_backup(place) from None
    if head["name"] != _NAME or head["v"] != 1 or head["scrypt_n"] not in (_COST, _COST * 2, _MOST_COST):
        raise _no_backup(place)
    try:
        plain = AESGCM(_key(passphrase, salt, head["scrypt_n"])).decrypt(
            nonce, sealed, json.dumps(head).encode()
        )
        return KeyFile.model_validate_json(plain)
    except (InvalidTag, ValueError, ValidationError):
        raise KeysUnusable(
            "backup_closed",
            "this backup does not open: the passphrase is another one, or the file was changed",
            place=place,
            next_step="try the passphrase it was made with, or an older backup",
        ) from None


def restore(path: Path, backup: KeyFile, erased: Collection[str]) -> KeyFile:
    """Put a backup in the place of a lost key file, or add to one that is there what it lacks.

    Keys whose ids are `erased`, or were destroyed by the file that is there, do not come back.
    """
    file = KeyFileStore(path)
    if not path.exists():
        file.create(lambda: _without(backup, erased))
        return file.read()
    return file.change(lambda there: _merged(there, backup, erased, str(path)))


def _merged(there: KeyFile, backup: KeyFile, erased: Collection[str], place: str) -> KeyFile:
    if _root_name(there) != _root_name(backup):
        raise KeysUnusable(
            "backup_other_keys",
            "the key file that is there belongs to another master key than the backup",
            place=place,
            next_step="move that file away first, if it is the wrong one",
        )
    gone = {*there.destroyed, *backup.destroyed, *erased}
    subjects = {
        name: _joined(there.subjects.get(name, ()), backup.subjects.get(name, ()))
        for name in (*backup.subjects, *there.subjects)
    }
    ring = {**backup.ring, **there.ring}
    held = tuple(dict.fromkeys((*there.held, *backup.held)))
    return _without(there.model_copy(update={"subjects": subjects, "ring": ring, "held": held}), gone)


def _joined(newer: tuple[SubjectEntry, ...], older: tuple[SubjectEntry, ...]) -> tuple[SubjectEntry, ...]:
    known = {entry.id for entry in newer}
    return (*(entry for entry in older if entry.id not in known), *newer)


def _without(content: KeyFile, erased: Collection[str]) -> KeyFile:
    gone = {*content.destroyed, *erased}
    left: Mapping[str, tuple[SubjectEntry, ...]] = {
        name: kept
        for name, entries in content.subjects.items()
        if (kept := tuple(entry for entry in entries if entry.id not in gone))
    }
    return content.model_copy(update={"subjects": left, "destroyed": tuple(sorted(gone))})


def _root_name(content: KeyFile) -> str:
    return content.root or content.master_id


def _key(passphrase: str, salt: bytes, cost: int) -> bytes:
    return Scrypt(salt=salt, length=32, n=cost, r=8, p=1).derive(passphrase.encode())


def _coded(blob: bytes) -> str:
    return base64.b64encode(blob).decode()


def _no_backup(place: str) -> KeysUnusable:
    return KeysUnusable(
        "no_backup",
        "this is no backup of a key file",
        place=place,
        next_step="take a file that `cellbound keys backup` wrote",
    )
