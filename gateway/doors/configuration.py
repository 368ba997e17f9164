"""Which settings of a project are in force, and where each is from."""

import os
from pathlib import Path

from gateway.settings.file import FILE, find_project, load_settings, read_toml
from gateway.settings.sources import HIDDEN, SettingSource, sources
from metric_layer.record import Record
from traces.keys import ENVIRONMENT


class Configuration(Record):
    """The settings of a project folder, each with its source."""

    folder: str
    settings: tuple[SettingSource, ...]


def configuration(project: Path | None, *, changed_only: bool = False) -> Configuration:
    """Return every setting, or those that are not the default. Raises SettingsInvalid."""
    folder = project if project is not None else find_project(Path.cwd())
    settings = load_settings(folder)
    found = [*sources(settings, read_toml(folder), os.environ, FILE)]
    if os.environ.get(ENVIRONMENT):
        found.append(SettingSource(name="master key", value=HIDDEN, kind="environment", source=ENVIRONMENT))
    kept = tuple(one for one in found if one.kind != "default" or not changed_only)
    return Configuration(folder=str(folder), settings=kept)
