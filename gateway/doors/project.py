"""Reads a project's settings, definitions and policy alone: no database, no store, no key."""

from dataclasses import dataclass
from pathlib import Path

from gateway.doors.identity import Callers
from gateway.doors.json_input import BadInput
from gateway.settings.file import FILE, Settings, find_project, load_settings
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.load import LayerInvalid, load_layer
from metric_layer.visible import Visible
from policies.load import load_policy
from policies.policy import Policy
from policies.visible import visible_for


@dataclass(frozen=True, slots=True)
class Definitions:
    """What a project means and who may ask it."""

    settings: Settings
    layer: Layer
    policy: Policy

    def visible_to(self, user: str) -> Visible:
        """Return what `--as USER`, else `identity.cli_user`, may see. Raises IdentityRefused."""
        return visible_for(self.policy, self.layer, Callers(self.settings.identity).for_cli(user))


def settings_of(project: Path | None) -> Settings:
    """Return the settings of a folder, else of the nearest project upwards. Raises SettingsInvalid."""
    return load_settings(project if project is not None else find_project(Path.cwd()))


def layer_at(folder: Path) -> Layer:
    """Read the definitions of a project, or of a folder that holds nothing else.

    Raises BadInput for a folder that is none, and LayerInvalid with places that say in which folder.
    """
    if not folder.is_dir():
        message, step = f"{folder} is no folder.", "Name a project or a folder of definitions."
        raise BadInput(Issue(code="no_folder", message=message, place=str(folder), next_step=step))
    settings = load_settings(folder) if (folder / FILE).is_file() else None
    metrics = settings.at(settings.paths.metrics) if settings else folder
    try:
        return load_layer(metrics)
    except LayerInvalid as fault:
        around = metrics.parent
        issues = (issue.model_copy(update={"place": str(around / issue.place)}) for issue in fault.issues)
        raise LayerInvalid(tuple(issues)) from fault


def metrics_folder(folder: Path) -> Path:
    """Return where a project keeps its definitions; in a folder that is none yet, where it will."""
    settings = load_settings(folder) if (folder / FILE).is_file() else None
    return settings.at(settings.paths.metrics) if settings else folder / "metrics"


def definitions_at(path: Path) -> Path:
    """Return where the definitions of a project are, or the path itself: a folder of nothing else."""
    settings = load_settings(path) if (path / FILE).is_file() else None
    return settings.at(settings.paths.metrics) if settings else path


def policy_at(path: Path) -> Path:
    """Return where the policy of a project is, or the path itself: a folder with one policy, or its file."""
    settings = load_settings(path) if (path / FILE).is_file() else None
    return settings.at(settings.paths.policies) if settings else path


def definitions_of(project: Path | None) -> Definitions:
    """Read a project. Raises SettingsInvalid, LayerInvalid or PolicyInvalid with every problem."""
    settings = settings_of(project)
    layer = load_layer(settings.at(settings.paths.metrics))
    governed = load_policy(settings.at(settings.paths.policies), layer)
    return Definitions(settings=settings, layer=layer, policy=governed.policy)
