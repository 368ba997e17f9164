"""One run of an evaluation as a page shows it: figures and questions, never rows of results."""

from dataclasses import dataclass
from pathlib import Path

from evals.page import report_page
from evals.reading import read_shape
from evals.report import EvalReport, summarise_lines
from evals.results import ResultsInvalid, RunLine, read_results
from gateway.reply import ReplyIssue, issue_of
from metric_layer.plan import Dialect


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run in figures, and each question with what its shape says."""

    report: EvalReport
    questions: tuple[tuple[RunLine, tuple[str, ...]], ...]


def run_page(file: Path) -> RunPage | tuple[ReplyIssue, ...]:
    """Return a run, or what is wrong with its file."""
    lines = _lines(file)
    if not all(isinstance(line, RunLine) for line in lines):
        return tuple(line for line in lines if isinstance(line, ReplyIssue))
    found = tuple(line for line in lines if isinstance(line, RunLine))
    questions = tuple((line, read_shape(line.run.scores) if line.run.scores else ()) for line in found)
    return RunPage(report=summarise_lines(found), questions=questions)


def whole_report(file: Path, dialect: Dialect) -> bytes:
    """Return the self-contained report of a run that can be read; its tables of results are left out."""
    found = [line for line in _lines(file) if isinstance(line, RunLine)]
    return report_page(found, dialect, f"Evaluation {file.stem}")


def _lines(file: Path) -> tuple[RunLine | ReplyIssue, ...]:
    try:
        return tuple(_without_rows(line) for line in read_results(file))
    except ResultsInvalid as fault:
        issues = (issue.model_copy(update={"place": file.name}) for issue in fault.issues)
        return tuple(issue_of(issue, "input") for issue in issues)


def _without_rows(line: RunLine) -> RunLine:
    """Leave out rows: they were read as whoever ran the evaluation."""
    return line.model_copy(update={"run": line.run.model_copy(update={"shown": None})})
