"""A folder of YAML -> Layer, or every issue of every file with file, line and column."""

from collections.abc import Sequence
from pathlib import Path

from metric_layer.draft import DraftReader
from metric_layer.issues import Issue
from metric_layer.layer import Layer, build_layer
from metric_layer.rules import check_rules
from metric_layer.source import Source, read_text


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
    source = read_text(text, file)
    if isinstance(source, Source):
        reader.add(source)
    else:
        reader.issues.extend(source)
    return _finished(reader)


def _finished(reader: DraftReader) -> Layer:
    draft = reader.draft()
    issues = [*reader.issues, *check_rules(draft)]
    if issues:
        raise LayerInvalid(sorted(issues, key=_place))
    return build_layer(draft.document())


def _place(issue: Issue) -> tuple[str, int, int]:
    file, line, column = issue.place.rsplit(":", 2)
    return file, int(line), int(column)
