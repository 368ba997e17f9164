"""The import as a whole: a foreign file -> new files of a project, and a line per thing that was not kept."""

from pathlib import Path
from typing import Literal

from metric_layer.interchange.cube import read_cube_model
from metric_layer.interchange.dbt import read_dbt
from metric_layer.interchange.gathered import Gathered
from metric_layer.interchange.losses import Loss, Losses
from metric_layer.interchange.ossie import read_ossie
from metric_layer.interchange.project import fit, leave_out_taken, settle, write
from metric_layer.interchange.reading import read_folder, read_foreign
from metric_layer.record import Record

Format = Literal["dbt", "ossie", "cube"]


class ImportReport(Record):
    """What an import wrote, and what it could not keep as it was. `ok` says that nothing was refused."""

    ok: bool
    folder: str
    files: tuple[str, ...]
    datasets: int
    relationships: int
    dimensions: int
    metrics: int
    certified: int
    lines: tuple[Loss, ...]


def import_file(
    file: Path, kind: Format, folder: Path, owner: str = "", *, certify: bool = False
) -> ImportReport:
    """Import a file of another layer, or a folder of cubes, into a folder of definitions.

    Nothing there is overwritten. Metrics come as drafts unless `certify` is asked for and they have an owner.
    What breaks a rule of the layer is left out and reported. Raises ForeignUnreadable for a file that is no
    document of its kind, or when files of the names to write are there, LayerInvalid when the folder's own
    definitions are broken.
    """
    losses = Losses()
    gathered = _read(file, kind, losses)
    leave_out_taken(gathered, folder)
    settle(gathered, owner, certify=certify)
    files = fit(gathered, folder, kind)
    written = write(files, folder)
    found = gathered.document()
    return ImportReport(
        ok=not losses.failed(),
        folder=str(folder),
        files=written,
        datasets=len(found.datasets),
        relationships=len(found.relationships),
        dimensions=len(found.dimensions),
        metrics=len(found.metrics),
        certified=sum(1 for metric in found.metrics if metric.status == "certified"),
        lines=losses.lines(),
    )


def _read(file: Path, kind: Format, losses: Losses) -> Gathered:
    match kind:
        case "dbt":
            return read_dbt(read_foreign(file), losses)
        case "ossie":
            return read_ossie(read_foreign(file), losses)
        case "cube":
            sources = read_folder(file) if file.is_dir() else (read_foreign(file),)
            return read_cube_model(sources, losses)
