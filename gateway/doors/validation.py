"""Checks the definitions and the policy of a project without opening its database."""

from pathlib import Path

from gateway.doors.faults import refusal_for
from gateway.doors.project import definitions_of
from gateway.reply import ReplyIssue
from metric_layer.load import LayerInvalid
from metric_layer.record import Record
from policies.load import PolicyInvalid


class Validation(Record):
    """What `metrics validate` found."""

    ok: bool
    metrics: int = 0
    datasets: int = 0
    issues: tuple[ReplyIssue, ...] = ()


def validate_project(project: Path | None) -> Validation:
    """Return every problem at once, each with file, line and column. Raises SettingsInvalid."""
    try:
        layer = definitions_of(project).layer
    except (LayerInvalid, PolicyInvalid) as fault:
        return Validation(ok=False, issues=refusal_for(fault, local=True).issues)
    return Validation(ok=True, metrics=len(layer.metrics), datasets=len(layer.datasets))
