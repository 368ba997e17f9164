"""What was recorded, checked byte for byte: with the project's keys, or from outside without any."""

from collections.abc import Mapping, Sequence

from gateway.reply import CheckpointNotes, DamageFound, Verification
from traces.chain import Damage, Segment, Verified
from traces.checkpoint import Checkpoint, read_checkpoint
from traces.outside import verify_outside
from traces.records import Receipt
from traces.signed_note import VerifierKey
from traces.store.base import TraceStore
from traces.verifying import settled

LOOK_CLOSER = (
    "Keep the files as they are, compare them with a backup and with the checkpoints of the second place; "
    "docs/traces.md says what each kind of damage means."
)


class Ledger:
    """The trace store of a project and the public key of its checkpoints, and nothing else of it."""

    def __init__(self, traces: TraceStore, public: Sequence[VerifierKey]) -> None:
        self.traces = traces
        self._public = tuple(public)

    @property
    def public_key(self) -> str:
        """The key that checkpoints are checked with, as text for somebody outside."""
        return self._public[0].text

    def verify(self, receipts: Sequence[Receipt], notes: Mapping[str, str]) -> Verification:
        """Check every log against itself, receipts and checkpoints; `notes` are more of them by their place.

        Raises CheckpointUnusable for a note that no key of this project signed.
        """
        checkpoints = [read_checkpoint(note, self._public, place) for place, note in notes.items()]
        return verification(self.traces.verify(receipts, checkpoints))

    def checkpoint(self) -> CheckpointNotes:
        """Sign where every log stands and keep the notes; raises CheckpointUnusable where that fails."""
        return CheckpointNotes(public_key=self.public_key, notes=self.traces.checkpoint())

    def close(self) -> None:
        """Give the store back."""
        self.traces.close()


def verify_from_outside(
    logs: Mapping[str, Sequence[Segment]],
    notes: Mapping[str, str],
    public_key: str,
    receipts: Sequence[Receipt] = (),
) -> Verification:
    """Check segments against signed notes, by their place, and receipts, with nothing but the public key.

    Raises CheckpointUnusable for a note that the key did not sign.
    """
    key = VerifierKey.parse(public_key)
    checkpoints: list[Checkpoint] = [read_checkpoint(note, [key], place) for place, note in notes.items()]
    return verification(settled(lambda: verify_outside(logs, checkpoints, receipts)))


def verification(verdicts: Sequence[Verified | Damage]) -> Verification:
    """Return one verdict over all logs; the first damage is named, and every other is listed."""
    sound = [verdict for verdict in verdicts if isinstance(verdict, Verified)]
    damages = [verdict for verdict in verdicts if isinstance(verdict, Damage)]
    first = damages[0] if damages else None
    return Verification(
        ok=first is None,
        records=sum(verdict.records for verdict in sound),
        segments=sum(verdict.segments for verdict in sound),
        damage=first.kind if first else "",
        place=_place(first) if first else "",
        seq=first.seq if first else None,
        message=first.message if first else "",
        next_step=LOOK_CLOSER if first else "",
        checkpoints=sum(verdict.checkpoints for verdict in sound),
        retired=sum(verdict.retired for verdict in sound),
        unvouched=sum(verdict.unvouched for verdict in sound),
        findings=tuple(
            DamageFound(
                log=each.log, damage=each.kind, place=_place(each), seq=each.seq, message=each.message
            )
            for each in damages
        ),
    )


def _place(damage: Damage) -> str:
    return f"{damage.segment}:{damage.line}" if damage.segment else damage.log
