"""Checks the definitions and the policy of a project without opening its database."""

from pathlib import Path

from gateway.doors.cli_open import settings_of
from gateway.doors.faults import refusal_for
from gateway.reply import ReplyIssue
from metric_layer.load import LayerInvalid, load_layer
from metric_layer.record import Record
from policies.load import PolicyInvalid, load_policy


class Validation(Record):
    """What `metrics validate` found."""

    ok: bool
    metrics: int = 0
    datasets: int = 0
    issues: tuple[ReplyIssue, ...] = ()


def validate_project(project: Path | None) -> Validation:
    """Return every problem at once, each with file, line and column. Raises SettingsInvalid."""
    settings = settings_of(project)
    try:
        layer = load_layer(settings.at(settings.paths.metrics))
        load_policy(settings.at(settings.paths.policies), layer)
    except (LayerInvalid, PolicyInvalid) as fault:
        return Validation(ok=False, issues=refusal_for(fault, local=True).issues)
    return Validation(ok=True, metrics=len(layer.metrics), datasets=len(layer.datasets))
