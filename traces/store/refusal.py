"""Why the disk would not take or give a record, said so that whoever runs the gateway can mend it."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from traces.errors import TraceDamaged, TraceUnwritable

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_RIGHT = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


def unwritable(error: OSError, place: Path) -> TraceUnwritable:
    """Return the error that a failed system call means for traces."""
    said = os.strerror(error.errno) if error.errno else str(error)
    if error.errno in _NO_ROOM:
        code, message, step = (
            "trace_disk_full",
            "there is no room for the trace",
            "free some space; questions are answered again as soon as there is room",
        )
    elif error.errno in _NO_RIGHT:
        code, message, step = (
            "trace_no_right",
            "this user may not write the trace",
            "give the user that runs the gateway the right to write the trace folder",
        )
    else:
        code, message, step = (
            "trace_disk_error",
            "the disk failed to take the trace",
            "check the disk under the trace folder, then run `cellbound trace verify`",
        )
    return TraceUnwritable(code, f"{message} ({said})", place=str(place), next_step=step)


@contextmanager
def reading(place: Path) -> Iterator[None]:
    """Turn an operating system's refusal to read into TraceDamaged."""
    try:
        yield
    except OSError as error:
        raise TraceDamaged(
            "trace_no_access",
            f"the traces cannot be read ({error.strerror or error})",
            place=str(error.filename or place),
            next_step="check the disk and the rights of this user on the trace folder",
        ) from error


def writer_gone(place: Path | str) -> TraceUnwritable:
    """Return the error for a store that was closed or whose writer ended."""
    return TraceUnwritable(
        "trace_closed", "the trace store is closed", place=str(place), next_step="open the store again"
    )


def too_slow(seconds: float, place: Path | str) -> TraceUnwritable:
    """Return the error for a disk that did not confirm a record in time."""
    return TraceUnwritable(
        "trace_slow_disk",
        f"the disk did not confirm the trace within {seconds:g} s",
        place=str(place),
        next_step="check the disk under the trace folder for stalls",
    )


def log_taken(log: str, place: Path) -> TraceUnwritable:
    """Return the error for a log that another process is writing."""
    return TraceUnwritable(
        "trace_log_taken",
        f"log {log} is being written by another process",
        place=str(place),
        next_step="give this process another log id, or none",
    )


def log_damaged(log: str, place: Path) -> TraceUnwritable:
    """Return the error for a log that must not be continued because it is damaged."""
    return TraceUnwritable(
        "trace_log_damaged",
        f"log {log} is damaged and cannot be continued",
        place=str(place),
        next_step="run `cellbound trace verify`, keep the files, give this process another log id",
    )
