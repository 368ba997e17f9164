"""Prints what an import could not keep, and puts an export where it was asked for."""

import sys
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from gateway.doors.json_input import BadInput
from gateway.doors.project import definitions_of
from gateway.doors.terminal.screen import Terminal, counted
from metric_layer.draft import DraftReader
from metric_layer.interchange.importing import ImportReport
from metric_layer.interchange.losses import Loss
from metric_layer.interchange.ossie_write import ossie_document, requirements_of
from metric_layer.interchange.writing import json_text, yaml_text
from metric_layer.issues import Issue
from policies.policy import Policy

LEVELS = {"error": "bold red", "degraded": "yellow", "info": "dim"}


@dataclass(frozen=True, slots=True)
class Exported:
    """A document, and the metrics whose SQL it withholds with what they require."""

    document: dict[str, object]
    withheld: tuple[tuple[str, tuple[str, ...]], ...]


def print_import(terminal: Terminal, report: ImportReport) -> None:
    """Print a line per construct that was refused or changed, then what was written."""
    for (level, code), lines in groupby(report.lines, key=_kind):
        found = list(lines)
        terminal.line(f"{level}[{code}] {found[0].next_step}".rstrip(), LEVELS[level])
        for line in found:
            seen = f" ({line.seen})" if line.seen else ""
            terminal.line(f"  {line.place}: {line.name}: {line.message}{seen}")
    what = (
        f"{counted(report.metrics, 'metric')} ({report.certified} certified), "
        f"{counted(report.dimensions, 'dimension')}, "
        f"{counted(report.datasets, 'dataset')}, {counted(report.relationships, 'relationship')}"
    )
    counts = ", ".join(
        f"{sum(1 for line in report.lines if line.level == level)} {level}" for level in LEVELS
    )
    terminal.verdict("ok" if report.ok else "incomplete", f"{what} in {report.folder}; lines: {counts}")
    for file in report.files:
        terminal.line(f"  {file}", "dim")


def _kind(line: Loss) -> tuple[str, str]:
    return line.level, line.code


def exported(project: Path | None) -> Exported:
    """Return a project's definitions as a document. Raises what an unusable project raises."""
    given = definitions_of(project)
    document = DraftReader().read_folder(given.settings.at(given.settings.paths.metrics)).document()
    made = ossie_document(document, given.settings.folder.name, policies_of(given.policy))
    return Exported(document=made, withheld=requirements_of(document))


def policies_of(policy: Policy) -> dict[str, object]:
    """Return who may see what, without the values of any row rule: those are nobody else's business."""
    roles: dict[str, object] = {
        name: {
            "metrics": role.metrics,
            "datasets": role.datasets,
            "hidden_columns": role.hidden_columns,
            "row_fields": tuple(sorted({rule.field for rule in role.rows})),
            "personal": dict(role.personal),
        }
        for name, role in sorted(policy.roles.items())
    }
    return {"name": policy.name, "roles": roles}


def put(terminal: Terminal, made: Exported, file: Path | None) -> None:
    """Write a document to standard output or to a new file. Raises BadInput when the file is there."""
    text = json_text(made.document) + "\n" if file and file.suffix == ".json" else yaml_text(made.document)
    if file is None:
        sys.stdout.write(text)
    else:
        try:
            with file.open("x", encoding="utf-8") as stream:
                stream.write(text)
        except FileExistsError as fault:
            message, step = f"{file} is there already.", "Move it away, or name another file."
            raise BadInput(
                Issue(code="file_exists", message=message, place=str(file), next_step=step)
            ) from fault
        terminal.verdict("ok", f"wrote {file}")
    for name, requires in made.withheld:
        terminal.note(f"{name}: readers need the extension ({', '.join(requires)})")
