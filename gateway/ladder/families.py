"""The families of the newest evaluation that asked questions of a class, each mean with its n."""

from importlib.util import find_spec
from pathlib import Path

from traces.release_records import EvidenceFigure

GOVERNED = "governed"
"""The class of cases that name none."""
COUNTED = frozenset(("eval retrieval spurious",))
"""Figures of an evaluation that are counts; every other one is a share in [0, 1]."""


def families_of(runs: Path | None, name: str) -> tuple[str, tuple[EvidenceFigure, ...]]:
    """Return the file of the newest run with cases of a class, and its figures; nothing where there is none.

    Reading a run takes the extra `evals`; a file that is none is passed over.
    """
    if runs is None or not runs.is_dir() or find_spec("scipy") is None:
        return "", ()
    from evals.report import summarise
    from evals.results import ResultsInvalid, read_results

    files = sorted(runs.glob("*.jsonl"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files:
        try:
            lines = read_results(file)
        except ResultsInvalid:
            continue
        mine = [line.run for line in lines if (line.run.question_class or GOVERNED) == name]
        if mine:
            return file.stem, tuple(
                EvidenceFigure(name=f"eval {family} {figure}", value=mean.mean, n=mean.n)
                for family, means in summarise(mine).families.items()
                for figure, mean in means.items()
            )
    return "", ()
