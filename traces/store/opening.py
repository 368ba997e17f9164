"""Taking a log to write: one that a dead process of this host left behind, mended, or a new one."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from traces.chain import SegmentFile, key_of, segments_in
from traces.errors import TraceUnwritable
from traces.formats import encode
from traces.log_records import Recovered
from traces.merkle import MerkleTree
from traces.store.lease import Lease, logs_of_this_host, new_log_id
from traces.store.log import ChainLog, Entry, LogRules
from traces.store.notes import FolderOfNotes
from traces.store.recovery import LogEnd, Torn, find_end, with_tree
from traces.store.refusal import log_damaged, log_taken, unwritable


def open_log(folder: Path, log_id: str, rules: LogRules) -> ChainLog:
    """Open `log_id`, or with none given any log nobody writes; torn tails are cut and the cut is recorded."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lease, end = _take(folder, log_id, rules)
        with _given_back_on_failure(lease):
            for path in end.empty:
                path.unlink()
            log = ChainLog(folder, lease, end, rules)
    except OSError as error:
        raise unwritable(error, folder) from error
    if end.torn:
        _record_cuts(log, end.torn, rules.clock())
    return log


def signed_stand(segments: Sequence[SegmentFile], folder: Path, rules: LogRules) -> tuple[str, str] | None:
    """Sign where a log stands, whoever writes it, once that is durable: return the note's name and the note.

    None for a log that has no record, is damaged, or is not what an earlier checkpoint says: twice, for one
    look may meet its writer half-way through a line.
    """
    end = _end_in(segments, folder, rules) or _end_in(segments, folder, rules)
    if end is None or end.path is None or rules.keeper is None:
        return None
    handle = os.open(end.path, os.O_RDONLY)
    try:
        rules.disk.sync(handle)
    finally:
        os.close(handle)
    return rules.keeper.over(segments[0].log, end.number, end.stand, key_of(segments[0], rules.key).id)


def _record_cuts(log: ChainLog, torn: Sequence[Torn], at: datetime) -> None:
    cuts = [
        Recovered(at=at, segment=name, cut_bytes=len(data), cut_sha256=sha256(data).hexdigest())
        for name, data in torn
    ]
    try:
        log.write([Entry(encode(cut), durable=True) for cut in cuts])
        log.sync()
    except TraceUnwritable:
        log.close()
        raise


@contextmanager
def _given_back_on_failure(lease: Lease) -> Iterator[None]:
    try:
        yield
    except OSError:
        lease.give_back()
        raise


def _take(folder: Path, log_id: str, rules: LogRules) -> tuple[Lease, LogEnd]:
    for candidate in [log_id] if log_id else [*logs_of_this_host(folder), new_log_id()]:
        lease = Lease.take(folder, candidate)
        if lease is None:
            continue
        with _given_back_on_failure(lease):
            end = _end_to_go_on_from(folder, candidate, rules)
        if end is not None:
            return lease, end
        lease.give_back()
        if log_id:
            raise log_damaged(log_id, folder)
    raise log_taken(log_id, folder)


def _end_to_go_on_from(folder: Path, log: str, rules: LogRules) -> LogEnd | None:
    """Return where a log ends that may be continued: with the key in force, and not behind a checkpoint."""
    segments = segments_in(folder).get(log, [])
    if not segments and rules.keeper is not None:
        fresh = LogEnd.empty_log(MerkleTree())
        return None if rules.keeper.found(FolderOfNotes(folder), log).sound else fresh
    if segments and key_of(segments[0], rules.key).id != rules.key.id:
        return None
    return _end_in(segments, folder, rules)


def _end_in(segments: Sequence[SegmentFile], folder: Path, rules: LogRules) -> LogEnd | None:
    """Return where a log ends; None where it is damaged, or is not what a checkpoint says it was."""
    key = key_of(segments[0], rules.key) if segments else rules.key
    end = find_end(segments, key)
    if end is None or rules.keeper is None or not segments:
        return end
    kept = rules.keeper.found(FolderOfNotes(folder), segments[0].log)
    return with_tree(end, segments, kept.sound, key)
