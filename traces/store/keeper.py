"""Signs where logs stand and keeps the notes in two places; the second is written behind everybody's back."""

import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from traces.chain import Damage
from traces.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from traces.damage import SAID
from traces.errors import CheckpointUnusable
from traces.merkle import MerkleTree
from traces.signed_note import NoteSigner, VerifierKey
from traces.store.notes import NotePlace, log_of, note_name


class Stand(NamedTuple):
    """How far a log is: the next number, the chain hash, and the tree over the lines where one is kept."""

    seq: int
    head: str
    tree: MerkleTree | None = None


class KeptCheckpoints(NamedTuple):
    """What the places hold: checkpoints our keys signed, notes they did not; and places out of reach."""

    sound: tuple[Checkpoint, ...] = ()
    forged: tuple[Damage, ...] = ()
    faults: tuple[CheckpointUnusable, ...] = ()


class CheckpointKeeper:
    """Makes, keeps and finds checkpoints. `second` is another volume, or None where there is none yet.

    `believed` are the public keys of the project, those that were in force before included. `fault` is why
    the last checkpoint could not be kept in both places, if it could not.
    """

    def __init__(
        self,
        signer: NoteSigner,
        believed: Sequence[VerifierKey],
        clock: Callable[[], datetime],
        second: NotePlace | None = None,
    ) -> None:
        self.signer = signer
        self.believed = tuple(believed)
        self.fault: CheckpointUnusable | None = None
        self._clock = clock
        self._second = second

    def over(self, log: str, segment: int, stand: Stand, key_id: str) -> tuple[str, str]:
        """Sign where a log stands; return the note's name and the note."""
        tree = stand.tree or MerkleTree()
        checkpoint = Checkpoint(
            origin=f"{self.signer.name}/{log}",
            size=stand.seq,
            root=tree.root.hex(),
            head=stand.head,
            segment=segment,
            at=self._clock(),
            key_id=key_id,
            edge=tuple(each.hex() for each in tree.edge),
        )
        return note_name(log, segment), write_checkpoint(checkpoint, self.signer)

    def found(self, first: NotePlace, log: str = "") -> KeptCheckpoints:
        """Return what both places hold, of one log where named."""
        sound: dict[tuple[str, int, str], Checkpoint] = {}
        forged: dict[str, Damage] = {}
        faults: list[CheckpointUnusable] = []
        for place in self._places(first):
            try:
                notes = [(name, place.get(name) or "") for name in place.names(log)]
            except CheckpointUnusable as fault:
                faults.append(fault)
                continue
            for name, note in notes:
                try:
                    found = read_checkpoint(note, self.believed, name)
                except CheckpointUnusable:
                    forged[name] = _forged(name)
                else:
                    sound[found.log, found.size, found.root] = found
        ordered = sorted(sound.values(), key=lambda one: (one.log, one.size))
        return KeptCheckpoints(tuple(ordered), tuple(forged.values()), tuple(faults))

    def copy_on(self, first: NotePlace, log: str, names: Iterable[str] = ()) -> None:
        """Copy to the second place these notes of a log, and all it never got; raises CheckpointUnusable."""
        if self._second is None:
            return
        missing = set(first.names(log)).difference(self._second.names(log))
        for name in sorted(missing.union(names)):
            note = first.get(name)
            if note is not None and self._is_newer(name, note, self._second.get(name)):
                self._second.put(name, note)

    def _is_newer(self, name: str, note: str, old: str | None) -> bool:
        """Say whether a note goes over an old one; what nobody signed never goes over anything."""
        if note == old:
            return False
        try:
            size = read_checkpoint(note, self.believed, name).size
        except CheckpointUnusable:
            return False
        return old is None or size > self._size_of(name, old)

    def _size_of(self, name: str, note: str) -> int:
        try:
            return read_checkpoint(note, self.believed, name).size
        except CheckpointUnusable:
            return -1

    def _places(self, first: NotePlace) -> tuple[NotePlace, ...]:
        return (first,) if self._second is None else (first, self._second)


class NoteWriter:
    """One thread that writes checkpoints: a slow or missing second place holds up no question."""

    def __init__(self, keeper: CheckpointKeeper, first: NotePlace, log: str) -> None:
        self._keeper = keeper
        self._first = first
        self._log = log
        self._ready = threading.Condition()
        self._waiting: dict[str, str] = {}
        self._closed = False
        self._thread: threading.Thread | None = None

    def write(self, name: str, note: str) -> None:
        """Let a note be written soon; one that waits under the same name is left out."""
        with self._ready:
            self._waiting[name] = note
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="trace-notes", daemon=True)
                self._thread.start()
            self._ready.notify_all()

    def close(self, seconds: float) -> None:
        """Wait until all is written, or so many seconds: what is left is copied at a later start."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self) -> None:
        while True:
            with self._ready:
                while not self._waiting and not self._closed:
                    self._ready.wait()
                if not self._waiting:
                    return
                notes, self._waiting = self._waiting, {}
            self._keep(notes)

    def _keep(self, notes: dict[str, str]) -> None:
        try:
            for name, note in notes.items():
                self._first.put(name, note)
            self._keeper.copy_on(self._first, self._log, notes)
        except CheckpointUnusable as fault:
            self._keeper.fault = fault
        else:
            self._keeper.fault = None


def _forged(name: str) -> Damage:
    return Damage(log=log_of(name), seq=0, segment=name, line=1, kind="forged", message=SAID["forged"])
