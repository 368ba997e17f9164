"""What a server tells its operator on stderr: lines of text, or one JSON object a line. No values."""

import json
import logging
import os
import select
import stat
import sys
from datetime import UTC, datetime
from io import UnsupportedOperation

LOGGERS = ("cellbound", "uvicorn")
LOG = "cellbound.server"


class JsonLines(logging.Formatter):
    """One object a line: at, level, logger, message, and what was given as `fields`.

    Of an exception only its kind and its place in the code are told: its words may hold values.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        said: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _said(record),
        }
        fields = getattr(record, "fields", None)
        if isinstance(fields, dict):
            said.update(fields)
        return json.dumps({**said, **_fault(record)}, ensure_ascii=False)


class TextLines(logging.Formatter):
    """The message alone, with the kind and place of an exception behind it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        fault = _fault(record)
        told = _said(record)
        return f"{told} ({fault['fault']} at {fault['place']})" if fault else told


class Lines(logging.Handler):
    """Writes to a descriptor what that takes at once; where it stands still, lines are lost and counted."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._to = _not_waiting(descriptor)
        self.dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line, behind a note of those that were dropped before it."""
        text = f"{self.format(record)}\n".encode(errors="backslashreplace")
        if self.dropped and self._written(f"({self.dropped} lines of this log were dropped)\n".encode()):
            self.dropped = 0
        if self.dropped or not self._written(text):
            self.dropped += 1

    def _written(self, text: bytes) -> bool:
        """Say whether a text could be written; of a long one the rest is lost where there is room no more."""
        for start in range(0, len(text), select.PIPE_BUF):
            if not select.select((), (self._to,), (), 0)[1]:
                return False
            try:
                os.write(self._to, text[start : start + select.PIPE_BUF])
            except OSError:
                return False
        return True


def begin_logging(form: str) -> None:
    """Send what the server tells to stderr in this form, and that a library warned, without its words."""
    handler = _to_stderr()
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
    logging.getLogger().handlers = [handler]
    logging.getLogger("cellbound").setLevel(logging.INFO)


def _to_stderr() -> logging.Handler:
    """Return what writes to stderr; one without a descriptor is no file that could stand still."""
    try:
        return Lines(sys.stderr.fileno())
    except UnsupportedOperation:
        return logging.StreamHandler()


def _not_waiting(descriptor: int) -> int:
    """Return a descriptor of the same pipe that never waits; others keep theirs as it is."""
    if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        return descriptor
    try:
        return os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return descriptor


def tell(message: str) -> None:
    """Tell the operator one thing."""
    logging.getLogger(LOG).info(message)


def _said(record: logging.LogRecord) -> str:
    """Return the words of the house; of a library only that it warned, and where: it may quote values."""
    if record.name.partition(".")[0] in LOGGERS:
        return record.getMessage().rstrip()
    return f"{record.name} warned at {record.filename}:{record.lineno}"


def _fault(record: logging.LogRecord) -> dict[str, str]:
    if not record.exc_info or record.exc_info[1] is None:
        return {}
    fault = record.exc_info[1]
    last = fault.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = f"{last.tb_frame.f_code.co_filename.rpartition('/')[2]}:{last.tb_lineno}" if last else ""
    return {"fault": type(fault).__name__, "place": place}
