"""The key store: a master key, keys by purpose derived from it, and a destroyable random key per subject."""

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from traces.errors import KeysUnusable
from traces.frame import ChainKey
from traces.keyfile import KEY_BYTES, KeyFile, KeyFileStore, SubjectEntry, decode_key, encode_key, fresh_key

ENVIRONMENT = "CELLBOUND_MASTER_KEY"
_NONCE_BYTES = 12


@dataclass(frozen=True, slots=True)
class SubjectKey:
    """A subject's current sealing key and its id."""

    id: str
    key: bytes = field(repr=False)


class KeyStore:
    """All keys of a project. Subject keys sit in the file, encrypted under the master key."""

    def __init__(self, file: KeyFileStore, master: bytes) -> None:
        self._file = file
        self._master = master
        self._derived: dict[str, bytes] = {}
        self._unwrapped: dict[str, bytes] = {}
        self.key_id = _id_of(master)
        seen = file.read().master_id
        if seen != self.key_id:
            raise KeysUnusable(
                "keys_other_master",
                f"the subject keys were made under master key {seen}, this one is {self.key_id}",
                place=str(file.path),
                next_step=f"set {ENVIRONMENT} to the key the project was started with",
            )

    @classmethod
    def open(cls, path: Path, *, apart_from: Path | None = None) -> Self:
        """Open the key file, made on first use (0600); refused inside `apart_from`, the trace folder."""
        _refuse_inside(path, apart_from)
        file = KeyFileStore(path)
        file.create(_new_file)
        content = file.read()
        if not content.master:
            raise KeysUnusable(
                "keys_no_master",
                "the master key of this project comes from the environment",
                place=str(path),
                next_step=f"set {ENVIRONMENT}",
            )
        return cls(file, decode_key(content.master, str(path)))

    @classmethod
    def from_env(
        cls, path: Path, environ: Mapping[str, str] = os.environ, *, apart_from: Path | None = None
    ) -> Self:
        """Take the master key from the environment; `path` then holds subject keys that it alone can open."""
        _refuse_inside(path, apart_from)
        master = decode_key(environ.get(ENVIRONMENT, "").strip(), ENVIRONMENT)
        file = KeyFileStore(path)
        file.create(lambda: KeyFile(master_id=_id_of(master)))
        return cls(file, master)

    def commitment(self, purpose: str) -> bytes:
        """Return the 32-byte HMAC key for `purpose`; the same for as long as the master key is."""
        return self._derive(f"commitment/{purpose}")

    def chain_key(self) -> ChainKey:
        """Return the key that links the records of the trace logs."""
        return ChainKey(self.key_id, self.commitment("chain"))

    def wrapping_key(self, purpose: str) -> bytes:
        """Return the 32-byte AES key under which a store wraps its own keys."""
        return self._derive(f"wrapping/{purpose}")

    def subject_key(self, subject: str) -> SubjectKey:
        """Return the subject's current sealing key, made on first use and again after a destruction."""
        entries = self._file.read().subjects.get(subject) or self._add_subject(subject)
        return SubjectKey(entries[-1].id, self._unwrap(subject, entries[-1]))

    def find_subject_key(self, subject: str, key_id: str) -> bytes | None:
        """Return the key that sealed a text, or None when this store does not hold it (any more)."""
        entries = self._file.read().subjects.get(subject, ())
        found = next((entry for entry in entries if entry.id == key_id), None)
        return None if found is None else self._unwrap(subject, found)

    def was_destroyed(self, key_id: str) -> bool:
        """Say whether a subject key of this id was destroyed here."""
        return key_id in self._file.read().destroyed

    def destroy_subject(self, subject: str) -> tuple[str, ...]:
        """Destroy every key of a subject and return their ids; what they sealed can never be read again."""
        gone: list[str] = []

        def without(content: KeyFile) -> KeyFile:
            gone[:] = [entry.id for entry in content.subjects.get(subject, ())]
            rest = {name: entries for name, entries in content.subjects.items() if name != subject}
            return content.model_copy(update={"subjects": rest, "destroyed": (*content.destroyed, *gone)})

        self._file.change(without)
        for key_id in gone:
            self._unwrapped.pop(key_id, None)
        return tuple(gone)

    def _add_subject(self, subject: str) -> tuple[SubjectEntry, ...]:
        def with_subject(content: KeyFile) -> KeyFile:
            if content.subjects.get(subject):
                return content
            entry = self._wrap(subject, fresh_key())
            return content.model_copy(update={"subjects": {**content.subjects, subject: (entry,)}})

        return self._file.change(with_subject).subjects[subject]

    def _wrap(self, subject: str, key: bytes) -> SubjectEntry:
        key_id = secrets.token_hex(8)
        nonce = secrets.token_bytes(_NONCE_BYTES)
        locked = AESGCM(self.wrapping_key("subjects")).encrypt(nonce, key, _bound(subject, key_id))
        return SubjectEntry(id=key_id, wrapped=encode_key(nonce + locked))

    def _unwrap(self, subject: str, entry: SubjectEntry) -> bytes:
        known = self._unwrapped.get(entry.id)
        if known is not None:
            return known
        place = str(self._file.path)
        blob = decode_key(entry.wrapped, place, size=_NONCE_BYTES + KEY_BYTES + 16)
        try:
            key = AESGCM(self.wrapping_key("subjects")).decrypt(
                blob[:_NONCE_BYTES], blob[_NONCE_BYTES:], _bound(subject, entry.id)
            )
        except InvalidTag:
            raise KeysUnusable(
                "keys_altered",
                f"subject key {entry.id} is not what this store wrote",
                place=place,
                next_step="restore the key file from its backup",
            ) from None
        self._unwrapped[entry.id] = key
        return key

    def _derive(self, label: str) -> bytes:
        known = self._derived.get(label)
        if known is None:
            info = b"cellbound/1/" + label.encode()
            known = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(self._master)
            self._derived[label] = known
        return known


def pseudonym(keys: KeyStore, user: str, tenant: str) -> str:
    """Return the stable name under which traces know a user; nobody without the key can tell who it is."""
    person = len(tenant.encode()).to_bytes(4, "big") + tenant.encode() + user.encode()
    return "u_" + hmac.digest(keys.commitment("pseudonym"), person, "sha256").hex()[:32]


def _new_file() -> KeyFile:
    master = fresh_key()
    return KeyFile(master=encode_key(master), master_id=_id_of(master))


def _id_of(master: bytes) -> str:
    return hashlib.sha256(b"cellbound key id\n" + master).hexdigest()[:16]


def _bound(subject: str, key_id: str) -> bytes:
    return f"{key_id}\n{subject}".encode()


def _refuse_inside(path: Path, folder: Path | None) -> None:
    if folder is not None and path.resolve().is_relative_to(folder.resolve()):
        raise KeysUnusable(
            "keys_beside_traces",
            "the key file lies inside the trace folder: whoever copies one has both",
            place=str(path),
            next_step="move the key file to a folder of its own",
        )
