"""What only the command line prints with `--json`; every other object is the house's own."""

from collections.abc import Mapping

from gateway.replay.revision import Revision
from gateway.reply import DraftReply, Reply
from metric_layer.effects import LayerChange
from metric_layer.record import Record


class NewProject(Record):
    """A project that was made. Each token is shown here and kept nowhere."""

    folder: str
    files: tuple[str, ...]
    database: str = ""
    tokens: Mapping[str, str] = {}


class AskReport(Reply):
    """A reply, and what the answer check said of the draft that came with the question."""

    draft: DraftReply


class LayerDiff(Record):
    """Two versions of a layer side by side; `questions` with --against-traces."""

    change: LayerChange
    questions: Revision | None = None
