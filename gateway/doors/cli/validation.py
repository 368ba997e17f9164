"""Checks the definitions and the policy of a project without opening its database."""

from collections.abc import Iterator
from pathlib import Path

from gateway.doors.faults import refusal_for
from gateway.doors.project import definitions_of
from gateway.reply import ReplyIssue
from metric_layer.load import LayerInvalid
from metric_layer.record import Record
from metric_layer.source import Source, read_source, yaml_files
from policies.load import PolicyInvalid


class Validation(Record):
    """What `metrics validate` found; `notes` names what is allowed and probably not meant."""

    ok: bool
    metrics: int = 0
    datasets: int = 0
    issues: tuple[ReplyIssue, ...] = ()
    notes: tuple[str, ...] = ()


def validate_project(project: Path | None) -> Validation:
    """Return every problem at once, each with file, line and column. Raises SettingsInvalid."""
    try:
        found = definitions_of(project)
    except (LayerInvalid, PolicyInvalid) as fault:
        return Validation(ok=False, issues=refusal_for(fault, local=True).issues)
    layer = found.layer
    notes = tuple(_notes(found.settings.at(found.settings.paths.metrics)))
    return Validation(ok=True, metrics=len(layer.metrics), datasets=len(layer.datasets), notes=notes)


def _notes(folder: Path) -> Iterator[str]:
    """Yield a line for every file of definitions that holds none, and one where nothing is defined at all."""
    files = tuple(yaml_files(folder))
    if not files:
        yield f"{folder.name}/ holds no .yml file: nothing can be asked. docs/metrics.md shows one."
    for file in files:
        source = read_source(file)
        if isinstance(source, Source) and not source.data:
            name = file.relative_to(folder.parent).as_posix()
            yield f"{name} is empty: it defines nothing. Write `metrics:` or another section, or delete it."
