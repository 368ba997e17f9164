"""What a server tells its operator on stderr: lines of text, or one JSON object a line. No values."""

import json
import logging
import sys
from datetime import UTC, datetime

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
            "message": record.getMessage().rstrip(),
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
        told = record.getMessage().rstrip()
        return f"{told} ({fault['fault']} at {fault['place']})" if fault else told


def begin_logging(form: str) -> None:
    """Send what the server tells to stderr in this form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
    logging.getLogger("cellbound").setLevel(logging.INFO)


def tell(message: str) -> None:
    """Tell the operator one thing."""
    logging.getLogger(LOG).info(message)


def _fault(record: logging.LogRecord) -> dict[str, str]:
    if not record.exc_info or record.exc_info[1] is None:
        return {}
    fault = record.exc_info[1]
    last = fault.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = f"{last.tb_frame.f_code.co_filename.rpartition('/')[2]}:{last.tb_lineno}" if last else ""
    return {"fault": type(fault).__name__, "place": place}
