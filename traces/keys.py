"""The key store: a master key, keys by purpose under it, and a destroyable random key per subject."""

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from traces.errors import KeysUnusable
from traces.frame import ChainKey
from traces.keyfile import (
    KeyFile,
    KeyFileStore,
    RingEntry,
    SubjectEntry,
    decode_key,
    encode_key,
    fresh_key,
)
from traces.kms import KeyService
from traces.wrapping import derive, unwrap, wrap

ENVIRONMENT = "CELLBOUND_MASTER_KEY"
Purpose = Literal["chain", "signing"]
"""What a key of the ring is for."""


@dataclass(frozen=True, slots=True)
class SubjectKey:
    """A subject's sealing key, the key of its commitments, and the id of both."""

    id: str
    key: bytes = field(repr=False)
    commitment: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SigningKey:
    """The key that signs checkpoints, and the id under which its public half is known."""

    id: str
    private: Ed25519PrivateKey = field(repr=False)


class KeyStore:
    """All keys of a project. Every key but the master key sits in the file encrypted, or is derived."""

    def __init__(self, file: KeyFileStore, master: bytes) -> None:
        self.file = file
        self._derived: dict[str, bytes] = {}
        self._unwrapped: dict[str, SubjectKey] = {}
        self._owners: tuple[KeyFile, Mapping[str, str]] | None = None
        content = file.read()
        if content.master_id != id_of(master):
            raise KeysUnusable(
                "keys_other_master",
                f"the keys were made under master key {content.master_id}, this one is {id_of(master)}",
                place=str(file.path),
                next_step=f"set {ENVIRONMENT} to the key the project was started with",
            )
        self._root = root_of(content, master, str(file.path))
        self.key_id = id_of(self._root)

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
                "the master key of this project comes from the environment or from a key service",
                place=str(path),
                next_step=f"set {ENVIRONMENT}, or name the service under [keys]",
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
        file.create(lambda: KeyFile(master_id=id_of(master)))
        return cls(file, master)

    @classmethod
    def from_service(cls, path: Path, service: KeyService, *, apart_from: Path | None = None) -> Self:
        """Let a key service open the master key, which lies in the file as the service wrapped it."""
        _refuse_inside(path, apart_from)
        file = KeyFileStore(path)
        file.create(lambda: _wrapped_file(service))
        content = file.read()
        if not content.wrapped_master:
            raise KeysUnusable(
                "keys_not_wrapped",
                "the master key of this project was never given to a key service",
                place=str(path),
                next_step="leave [keys] command out, or run `cellbound keys rotate --kind master`",
            )
        return cls(file, service.unwrap(content.wrapped_master))

    def commitment(self, purpose: str) -> bytes:
        """Return the 32-byte HMAC key for `purpose`; the same for as long as the project lives."""
        return self._derive(f"commitment/{purpose}")

    def wrapping_key(self, purpose: str) -> bytes:
        """Return the 32-byte AES key under which a store wraps its own keys."""
        return self._derive(f"wrapping/{purpose}")

    def chain_key(self) -> ChainKey:
        """Return the key that links the records of new trace logs, with those of older ones."""
        first = ChainKey(self.key_id, self.commitment("chain"))
        later = [ChainKey(entry.id, self._of_ring("chain", entry)) for entry in self._ring("chain")]
        *older, newest = (first, *later)
        return ChainKey(newest.id, newest.secret, tuple(older))

    def signing_key(self) -> SigningKey:
        """Return the key that signs checkpoints now."""
        return self._signing_keys()[-1]

    def verifier_keys(self) -> Mapping[str, Ed25519PublicKey]:
        """Return the public key of every signing key there ever was, by its id, oldest first."""
        return {key.id: key.private.public_key() for key in self._signing_keys()}

    def rotate(self, purpose: Purpose, at: datetime) -> str:
        """Put a fresh key of `purpose` in force and return its id; older ones still verify."""
        key = fresh_key()
        key_id = _signing(key).id if purpose == "signing" else id_of(key)
        entry = RingEntry(id=key_id, wrapped=self._wrapped(purpose, key_id, key), since=at.astimezone(UTC))

        def with_entry(content: KeyFile) -> KeyFile:
            ring = {**content.ring, purpose: (*content.ring.get(purpose, ()), entry)}
            return content.model_copy(update={"ring": ring})

        self.file.change(with_entry)
        return key_id

    def rotate_subjects(self) -> int:
        """Give every subject a fresh key for what is sealed from now on; returns how many there are."""

        def with_fresh(content: KeyFile) -> KeyFile:
            subjects = {
                name: (*entries, self._subject_entry(name)) for name, entries in content.subjects.items()
            }
            return content.model_copy(update={"subjects": subjects})

        return len(self.file.change(with_fresh).subjects)

    def rotate_master(self, master: bytes, *, held: str = "", wrapped: str = "") -> str:
        """Put another master key over the root; `held` is what the file keeps of it, or `wrapped`."""
        root = wrap(derive(master, "root"), self._root, "root")
        update = {"master": held, "wrapped_master": wrapped, "master_id": id_of(master), "root": root}
        self.file.change(lambda content: content.model_copy(update=update))
        return id_of(master)

    def subject_key(self, subject: str) -> SubjectKey:
        """Return the subject's current sealing key, made on first use and again after a destruction."""
        entries = self.file.read().subjects.get(subject) or self._add_subject(subject)
        return self._unwrap(subject, entries[-1])

    def find_subject_key(self, subject: str, key_id: str) -> SubjectKey | None:
        """Return the key that sealed a text, or None when this store does not hold it (any more)."""
        entries = self.file.read().subjects.get(subject, ())
        found = next((entry for entry in entries if entry.id == key_id), None)
        return None if found is None else self._unwrap(subject, found)

    def subject_of(self, key_id: str) -> str:
        """Return whose key an id names; empty when this store does not hold it (any more)."""
        content = self.file.read()
        if self._owners is None or self._owners[0] is not content:
            owners = {entry.id: name for name, entries in content.subjects.items() for entry in entries}
            self._owners = (content, owners)
        return self._owners[1].get(key_id, "")

    def was_destroyed(self, key_id: str) -> bool:
        """Say whether a subject key of this id was destroyed here."""
        return key_id in self.file.read().destroyed

    def ids_of(self, subject: str) -> tuple[str, ...]:
        """Return the ids of a subject's keys, oldest first."""
        return tuple(entry.id for entry in self.file.read().subjects.get(subject, ()))

    def hold(self, subject: str) -> bool:
        """Block the destruction of a subject's keys; returns whether that is new."""
        return self._change_held(lambda held: (*held, subject) if subject not in held else held)

    def release(self, subject: str) -> bool:
        """Allow the destruction of a subject's keys again; returns whether it was blocked."""
        return self._change_held(lambda held: tuple(name for name in held if name != subject))

    def held(self) -> tuple[str, ...]:
        """Return the subjects under a legal hold."""
        return self.file.read().held

    def destroy_subject(self, subject: str) -> tuple[str, ...]:
        """Destroy every key of a subject and return their ids; what they sealed can never be read again.

        Raises KeysUnusable for a subject under a legal hold.
        """
        gone: list[str] = []

        def without(content: KeyFile) -> KeyFile:
            if subject in content.held:
                raise _held(subject)
            gone[:] = [entry.id for entry in content.subjects.get(subject, ())]
            rest = {name: entries for name, entries in content.subjects.items() if name != subject}
            return content.model_copy(update={"subjects": rest, "destroyed": (*content.destroyed, *gone)})

        self.file.change(without)
        for key_id in gone:
            self._unwrapped.pop(key_id, None)
        return tuple(gone)

    def destroy_keys(self, subject: str, key_ids: Collection[str]) -> tuple[str, ...]:
        """Destroy some keys of a subject and return their ids; what is sealed from now on gets a fresh one.

        Raises KeysUnusable for a subject under a legal hold.
        """
        gone: list[str] = []

        def without(content: KeyFile) -> KeyFile:
            if subject in content.held:
                raise _held(subject)
            entries = content.subjects.get(subject, ())
            gone[:] = [entry.id for entry in entries if entry.id in key_ids]
            left = tuple(entry for entry in entries if entry.id not in gone)
            if left and entries[-1].id in gone:
                left = (*left, self._subject_entry(subject))
            rest = {name: each for name, each in content.subjects.items() if name != subject}
            subjects = {**rest, subject: left} if left else rest
            return content.model_copy(update={"subjects": subjects, "destroyed": (*content.destroyed, *gone)})

        self.file.change(without)
        for key_id in gone:
            self._unwrapped.pop(key_id, None)
        return tuple(gone)

    def _change_held(self, edit: Callable[[tuple[str, ...]], tuple[str, ...]]) -> bool:
        changed: list[bool] = []

        def with_held(content: KeyFile) -> KeyFile:
            held = edit(content.held)
            changed[:] = [held != content.held]
            return content.model_copy(update={"held": held})

        self.file.change(with_held)
        return changed[0]

    def _add_subject(self, subject: str) -> tuple[SubjectEntry, ...]:
        def with_subject(content: KeyFile) -> KeyFile:
            if content.subjects.get(subject):
                return content
            entry = self._subject_entry(subject)
            return content.model_copy(update={"subjects": {**content.subjects, subject: (entry,)}})

        return self.file.change(with_subject).subjects[subject]

    def _subject_entry(self, subject: str) -> SubjectEntry:
        key_id = secrets.token_hex(8)
        locked = wrap(self.wrapping_key("subjects"), fresh_key(), f"{key_id}\n{subject}")
        return SubjectEntry(id=key_id, wrapped=locked)

    def _unwrap(self, subject: str, entry: SubjectEntry) -> SubjectKey:
        known = self._unwrapped.get(entry.id)
        if known is None:
            under, place = self.wrapping_key("subjects"), str(self.file.path)
            key = unwrap(under, entry.wrapped, f"{entry.id}\n{subject}", place)
            known = self._unwrapped[entry.id] = SubjectKey(entry.id, key, derive(key, "commitment"))
        return known

    def _signing_keys(self) -> tuple[SigningKey, ...]:
        later = (_signing(self._of_ring("signing", entry)) for entry in self._ring("signing"))
        return (_signing(self._derive("signing")), *later)

    def _ring(self, purpose: Purpose) -> tuple[RingEntry, ...]:
        return self.file.read().ring.get(purpose, ())

    def _of_ring(self, purpose: Purpose, entry: RingEntry) -> bytes:
        under = self.wrapping_key("ring")
        return unwrap(under, entry.wrapped, f"{entry.id}\n{purpose}", str(self.file.path))

    def _wrapped(self, purpose: Purpose, key_id: str, key: bytes) -> str:
        return wrap(self.wrapping_key("ring"), key, f"{key_id}\n{purpose}")

    def _derive(self, label: str) -> bytes:
        known = self._derived.get(label)
        if known is None:
            known = self._derived[label] = derive(self._root, label)
        return known


def pseudonym(keys: KeyStore, user: str, tenant: str) -> str:
    """Return the stable name under which traces know a user; nobody without the key can tell who it is."""
    person = len(tenant.encode()).to_bytes(4, "big") + tenant.encode() + user.encode()
    return "u_" + hmac.digest(keys.commitment("pseudonym"), person, "sha256").hex()[:32]


def id_of(key: bytes) -> str:
    """Return the id under which a key is named; it tells nothing of the key."""
    return hashlib.sha256(b"cellbound key id\n" + key).hexdigest()[:16]


def root_of(content: KeyFile, master: bytes, place: str) -> bytes:
    """Return the root key of a key file, given its master key; raises KeysUnusable."""
    return unwrap(derive(master, "root"), content.root, "root", place) if content.root else master


def _signing(seed: bytes) -> SigningKey:
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public = private.public_key().public_bytes_raw()
    return SigningKey(hashlib.sha256(b"cellbound signing key\n" + public).hexdigest()[:16], private)


def _new_file() -> KeyFile:
    master = fresh_key()
    return KeyFile(master=encode_key(master), master_id=id_of(master))


def _wrapped_file(service: KeyService) -> KeyFile:
    master = fresh_key()
    return KeyFile(wrapped_master=service.wrap(master), master_id=id_of(master))


def _held(subject: str) -> KeysUnusable:
    return KeysUnusable(
        "subject_held",
        f"a legal hold stands on {subject}: nothing of theirs may be erased",
        next_step="release it with `cellbound trace hold --release`, if you may",
    )


def _refuse_inside(path: Path, folder: Path | None) -> None:
    if folder is not None and path.resolve().is_relative_to(folder.resolve()):
        raise KeysUnusable(
            "keys_beside_traces",
            "the key file lies inside the trace folder: whoever copies one has both",
            place=str(path),
            next_step="move the key file to a folder of its own",
        )
