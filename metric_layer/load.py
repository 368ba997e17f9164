"""A folder of YAML -> Layer, or every issue of every file with file, line and column."""

from collections.abc import Sequence
from pathlib import Path

from metric_layer.draft import DraftReader
from metric_layer.issues import Issue
from metric_layer.layer import Layer, build_layer
from metric_layer.rules import check_rules
from metric_layer.source import read_text, without_echo

_UNKNOWN = "unknown_"
"""How the codes of names begin that nobody knows; where a file cannot be read they may well stand in it."""


class LayerInvalid(Exception):
    """The definitions cannot be used; `issues` holds every problem with its place."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__("; ".join(f"{issue.place} {issue.message}".strip() for issue in issues))
        self.issues = tuple(issues)


def load_layer(folder: Path) -> Layer:
    """Load all definitions below a folder. Raises LayerInvalid with all issues of all files."""
    if not folder.is_dir():
        message, step = (
            "There is no such folder of definitions.",
            "Name a project folder, or make one with init.",
        )
        raise LayerInvalid((Issue(code="no_folder", message=message, place=str(folder), next_step=step),))
    reader = DraftReader()
    reader.read_folder(folder)
    return _finished(reader)


def load_text(text: str, file: str = "metrics.yml") -> Layer:
    """Load definitions from one text. Raises LayerInvalid."""
    reader = DraftReader()
    reader.take(read_text(text, file, as_far_as_it_goes=True))
    return _finished(reader)


def _finished(reader: DraftReader) -> Layer:
    draft = reader.draft()
    broken = (
        issue for issue in check_rules(draft) if not (reader.unread and issue.code.startswith(_UNKNOWN))
    )
    issues = without_echo((*reader.issues, *broken))
    if issues:
        raise LayerInvalid(sorted(issues, key=_place))
    return build_layer(draft.document())


def _place(issue: Issue) -> tuple[str, int, int]:
    file, line, column = issue.place.rsplit(":", 2)
    return file, int(line), int(column)
