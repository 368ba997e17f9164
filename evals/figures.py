"""Every figure of one question as family, name and value: what reports, comparisons and JUnit go by."""

from collections.abc import Iterator

from evals.components import SETS
from evals.precision import PrecisionRecall
from evals.run import CaseRun

Figure = tuple[str, str, float | None]
"""Family, name, value; None is undefined."""


def figures_of(run: CaseRun) -> Iterator[Figure]:
    """Yield the figures of a question, family by family; what is undefined is None."""
    scores = run.scores
    if scores is not None:
        if scores.retrieval is not None:
            yield from _halves("retrieval", "", scores.retrieval.score)
            yield "retrieval", "spurious", scores.retrieval.spurious
        yield from _halves("retrieval_inside", "", run.offered_inside.score)
        yield from _halves("columns", "", scores.output.columns)
        yield from _halves("cells", "", scores.output.cells)
        if scores.component is not None:
            for name in SETS:
                yield from _halves("component", f"{name} ", getattr(scores.component, name))
    if run.grounding is not None:
        checked = run.grounding.bound + run.grounding.findings
        yield "grounding", "passed", float(run.grounding.outcome == "passed")
        yield "grounding", "numbers with a cell", run.grounding.bound / checked if checked else None
    yield "answer", "right_action", _truth(run.answer.right_action)
    yield "answer", "right_value", _truth(run.answer.right_value)
    yield "answer", "right_definition", _truth(run.answer.right_definition)


def _halves(family: str, prefix: str, score: PrecisionRecall) -> Iterator[Figure]:
    yield family, f"{prefix}precision", score.precision
    yield family, f"{prefix}recall", score.recall


def _truth(claim: bool | None) -> float | None:
    return None if claim is None else float(claim)
