"""Shows on a terminal how far a run of an evaluation is."""

import sys
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from evals.results import RunLine


def progress(lines: Iterable[RunLine], *, total: int, done: int) -> Iterator[RunLine]:
    """Pass lines on; on a terminal, show on stderr how far the run is."""
    if not sys.stderr.isatty():
        yield from lines
        return
    bar = Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True))
    with bar:
        task = bar.add_task("cases", total=total, completed=done)
        for line in lines:
            bar.advance(task)
            yield line
