"""A project's definitions as an Apache Ossie document, put where it was asked for."""

import sys
from dataclasses import dataclass
from pathlib import Path

from gateway.doors.json_input import BadInput
from gateway.doors.project import definitions_of
from gateway.doors.terminal.screen import Terminal
from metric_layer.draft import DraftReader
from metric_layer.interchange.ossie_write import ossie_document, requirements_of
from metric_layer.interchange.writing import json_text, yaml_text
from metric_layer.issues import Issue
from policies.policy import Policy


@dataclass(frozen=True, slots=True)
class Exported:
    """A document, and the metrics whose SQL it withholds with what they require."""

    document: dict[str, object]
    withheld: tuple[tuple[str, tuple[str, ...]], ...]


def exported(project: Path | None) -> Exported:
    """Return a project's definitions as a document. Raises what an unusable project raises."""
    given = definitions_of(project)
    document = DraftReader().read_folder(given.settings.at(given.settings.paths.metrics)).document()
    made = ossie_document(document, given.settings.folder.name, _policies_of(given.policy))
    return Exported(document=made, withheld=requirements_of(document))


def _policies_of(policy: Policy) -> dict[str, object]:
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
