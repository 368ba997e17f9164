"""What `doctor` says of keys and checkpoints: advice, for questions are answered without it."""

from pathlib import Path

from gateway.reply import Finding
from gateway.settings.file import Settings
from traces.keys import KeyStore


def custody_findings(settings: Settings, keys: KeyStore) -> tuple[Finding, ...]:
    """Return where the keys lie and whether checkpoints have a second place."""
    traces = settings.at(settings.paths.traces)
    return (_keys(settings.at(settings.paths.keys), traces, keys), _checkpoints(settings, traces))


def _keys(file: Path, traces: Path, keys: KeyStore) -> Finding:
    held = keys.held()
    said = f"; {len(held)} legal holds stand" if held else ""
    if not keys.file.read().master:
        return Finding(
            name="keys", ok=True, detail=f"the master key is not in the key file{said}", needed=False
        )
    if same_volume(file, traces):
        return Finding(
            name="keys",
            ok=False,
            detail=f"the signing key lies on the volume of the traces: whoever takes one has both{said}",
            next_step="Set paths.keys to another volume, or keep the master key in the environment or a"
            " key service (docs/keys.md).",
            needed=False,
        )
    return Finding(name="keys", ok=True, detail=f"on another volume than the traces{said}", needed=False)


def _checkpoints(settings: Settings, traces: Path) -> Finding:
    second = settings.traces.checkpoints
    if not second:
        return Finding(
            name="checkpoints",
            ok=False,
            detail="they are kept beside the traces only: whoever can delete those can delete both",
            next_step="Set [traces] checkpoints to a folder on another volume.",
            needed=False,
        )
    place = settings.at(second)
    if same_volume(place, traces):
        return Finding(
            name="checkpoints",
            ok=False,
            detail="their second place is on the volume of the traces",
            next_step="Set [traces] checkpoints to a folder on another volume.",
            needed=False,
        )
    return Finding(
        name="checkpoints", ok=True, detail="kept in a second place, on another volume", needed=False
    )


def same_volume(one: Path, other: Path) -> bool:
    """Say whether two paths, or the nearest folders above them that exist, lie on one volume."""
    return _nearest(one).stat().st_dev == _nearest(other).stat().st_dev


def _nearest(path: Path) -> Path:
    return next(each for each in (path, *path.resolve().parents) if each.exists())
