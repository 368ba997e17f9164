"""What stands beside the stores of a gateway: files, notices, pinned artefacts, the search index."""

from dataclasses import dataclass
from pathlib import Path

from gateway.notices.outbox import Notices
from gateway.operation.reload import ProjectFiles
from traces.pins import PinStore
from traces.records import Caller


@dataclass(frozen=True, slots=True)
class Beside:
    """What a gateway may have besides its stores.

    `files` is what is reloaded, `digest` what it was before the house was read; without it nothing ever
    changes. `notices` tells reviewers of what waits. `pins` keeps what traces pin, `askers` are the users
    that the project knows. `index` is the file of the search index; without it one is made for each search.
    `runs` is the folder of what evaluations wrote, `samples` that of the questions drawn each day, `sample`
    of each kind.
    """

    files: ProjectFiles | None = None
    digest: str = ""
    notices: Notices | None = None
    pins: PinStore | None = None
    askers: tuple[Caller, ...] = ()
    runs: Path | None = None
    index: Path | None = None
    samples: Path | None = None
    sample: int = 0


ALONE = Beside()
