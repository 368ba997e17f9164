"""Taking a log to write: one that a dead process of this host left behind, mended, or a new one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from traces.chain import segments_in
from traces.errors import TraceUnwritable
from traces.formats import encode
from traces.frame import ChainKey
from traces.log_records import Recovered
from traces.store.disk import Disk
from traces.store.lease import Lease, logs_of_this_host, new_log_id
from traces.store.log import ChainLog, Entry
from traces.store.recovery import LogEnd, Torn, find_end
from traces.store.refusal import log_damaged, log_taken, unwritable


def open_log(
    folder: Path,
    log_id: str,
    key: ChainKey,
    *,
    disk: Disk,
    clock: Callable[[], datetime],
    max_bytes: int,
) -> ChainLog:
    """Open `log_id`, or with none given any log nobody writes; torn tails are cut and the cut is recorded."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lease, end = _take(folder, log_id, key)
        with _given_back_on_failure(lease):
            for path in end.empty:
                path.unlink()
            log = ChainLog(folder, lease, end, key, disk=disk, clock=clock, max_bytes=max_bytes)
    except OSError as error:
        raise unwritable(error, folder) from error
    if end.torn:
        _record_cuts(log, end.torn, clock())
    return log


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


def _take(folder: Path, log_id: str, key: ChainKey) -> tuple[Lease, LogEnd]:
    for candidate in [log_id] if log_id else [*logs_of_this_host(folder), new_log_id()]:
        lease = Lease.take(folder, candidate)
        if lease is None:
            continue
        end = find_end(segments_in(folder).get(candidate, []), key)
        if end is not None:
            return lease, end
        lease.give_back()
        if log_id:
            raise log_damaged(log_id, folder)
    raise log_taken(log_id, folder)
