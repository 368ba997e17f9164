"""From a project's key file to what the command line says of it, and back."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from gateway.custody.reports import Rotation
from gateway.custody.rights import without
from gateway.doors.identity import Callers
from gateway.doors.json_input import BadInput
from gateway.doors.opened import opened
from gateway.doors.private_file import write_private
from gateway.doors.project import definitions_of, settings_of
from gateway.reply import Refusal
from gateway.settings.file import Settings
from gateway.wiring import key_service, utc_now
from metric_layer.issues import Issue
from metric_layer.record import Record
from metric_layer.vocabulary import near
from policies.visible import role_in_force
from traces.custody_records import Erased
from traces.errors import KeysUnusable
from traces.frame import ChainKey
from traces.keybackup import PASSPHRASE as PASSPHRASE
from traces.keybackup import back_up, open_backup
from traces.keybackup import restore as put_back
from traces.keyfile import KeyFileStore
from traces.rotation import open_as_kept, rotate_master
from traces.store.files import FileTraceStore

KINDS = ("chain", "signing", "subjects")
MASTER = "master"


class KeyList(Record):
    """Ids of keys by kind, the one in force last, and how many persons have a key of their own."""

    master_from: str
    keys: Mapping[str, tuple[str, ...]]
    subjects: int
    held: int
    destroyed: int


def keys_in_force(project: Path | None) -> KeyList:
    """Return the ids of a project's keys. Raises KeysUnusable."""
    settings = settings_of(project)
    path = settings.at(settings.paths.keys)
    keys = open_as_kept(path, os.environ, key_service(settings))
    content = keys.file.read()
    chain = keys.chain_key()
    return KeyList(
        master_from=_kept_in(content.master, content.wrapped_master),
        keys={
            "master": (content.master_id,),
            "chain": (*(key.id for key in chain.older), chain.id),
            "signing": tuple(keys.verifier_keys()),
        },
        subjects=len(content.subjects),
        held=len(content.held),
        destroyed=len(content.destroyed),
    )


def rotated(kinds: Sequence[str], reason: str, *, user: str, project: Path | None) -> Rotation | Refusal:
    """Put fresh keys of these kinds in force, of all but the master key where none is named."""
    wanted = tuple(dict.fromkeys(kinds)) or KINDS
    for unknown in (kind for kind in wanted if kind not in (*KINDS, MASTER)):
        raise BadInput(
            Issue(
                code="unknown_key_kind",
                message=f"There is no kind of key {unknown!r}.",
                seen=unknown,
                candidates=near(unknown, (*KINDS, MASTER)),
                next_step=f"Take one of {', '.join((*KINDS, MASTER))}.",
            )
        )
    settings = settings_of(project)
    if MASTER in wanted:
        no = _refused(reason, user=user, project=project)
        if no is not None:
            return no
        rotate_master(settings.at(settings.paths.keys), os.environ, key_service(settings))
        if os.environ.get("CELLBOUND_MASTER_KEY") and not settings.keys.command:
            return Rotation(kinds=(MASTER,), next_step=_SET_NEXT)
    with opened(project) as house:
        return house.gateway.custody.rotate(house.callers.for_cli(user), wanted, reason)


def passphrase_given() -> str:
    """Return the passphrase that the environment holds; empty where somebody has to be asked."""
    return os.environ.get(PASSPHRASE, "")


class KeyBackup(Record):
    """A backup that was written or read: its file, and how many persons have a key in it."""

    file: str
    subjects: int


def write_backup(file: Path, passphrase: str, *, user: str, project: Path | None) -> KeyBackup | Refusal:
    """Write a backup that only its owner may read. Raises KeysUnusable; refuses the trace folder."""
    no = may_not_administer(user, project)
    if no is not None:
        return no
    settings = settings_of(project)
    traces = settings.at(settings.paths.traces)
    if file.resolve().is_relative_to(traces.resolve()):
        raise KeysUnusable(
            "keys_beside_traces",
            "the backup would lie among the traces: whoever copies one has both",
            place=str(file),
            next_step="write it somewhere else",
        )
    content = KeyFileStore(settings.at(settings.paths.keys)).read()
    write_private(file, back_up(content, passphrase, utc_now()))
    return KeyBackup(file=str(file), subjects=len(content.subjects))


def read_backup(file: Path, passphrase: str, *, user: str, project: Path | None) -> KeyBackup | Refusal:
    """Take keys from a backup. Raises KeysUnusable, TraceDamaged."""
    no = may_not_administer(user, project)
    if no is not None:
        return no
    settings = settings_of(project)
    content = open_backup(file.read_bytes(), passphrase, str(file))
    restored = put_back(settings.at(settings.paths.keys), content, _erased(settings))
    return KeyBackup(file=str(file), subjects=len(restored.subjects))


def may_not_administer(user: str, project: Path | None) -> Refusal | None:
    """Return why a user may not handle the keys as a whole, or None. It needs no key: they may be lost."""
    found = definitions_of(project)
    caller = Callers(found.settings.identity).for_cli(user)
    name = role_in_force(found.policy.roles, caller)
    issues = without("admin", name or "no role", found.policy.roles[name].may if name else ())
    return Refusal(issues=issues) if issues else None


def _erased(settings: Settings) -> frozenset[str]:
    """Return the ids of the keys that were destroyed on record."""
    store = FileTraceStore(settings.at(settings.paths.traces), ChainKey("", b""))
    return frozenset(each for one in store.records() if isinstance(one, Erased) for each in one.key_ids)


def _refused(reason: str, *, user: str, project: Path | None) -> Refusal | None:
    """Return why a caller may not; a project whose keys move to a service cannot be asked before they did."""
    try:
        with opened(project) as house:
            return house.gateway.custody.may_rotate(house.callers.for_cli(user), reason)
    except KeysUnusable as fault:
        if fault.code != "keys_not_wrapped":
            raise
    return None


def _kept_in(master: str, wrapped: str) -> str:
    if wrapped:
        return "key service"
    return "key file" if master else "environment"


_SET_NEXT = "Set CELLBOUND_MASTER_KEY to the new key now, everywhere; the old one opens nothing any more."
