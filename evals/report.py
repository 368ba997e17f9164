"""A run in figures: families side by side, every mean with its n, ceilings beside, nothing folded."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum

from evals.columns import THRESHOLD
from evals.components import SETS
from evals.precision import PrecisionRecall
from evals.reading import read_shape
from evals.run import CaseRun
from metric_layer.record import Record

Figure = tuple[str, str, float | None]
"""Family, name, value; None is undefined."""


class Mean(Record):
    """A mean over the cases where the figure is defined, with how many those are; None over none."""

    mean: float | None
    n: int


class CaseLine(Record):
    """One case in the report: what its shape says, in words."""

    case_id: str
    phrasing: int
    reading: tuple[str, ...]


class EvalReport(Record):
    """What a run said. `answers` counts what was expected against what was done; it is never averaged in.

    `settings` are printed with the figures, which mean nothing without them.
    """

    runs: int
    settings: Mapping[str, str]
    families: Mapping[str, Mapping[str, Mean]]
    ceilings: Mapping[str, int]
    answers: Mapping[str, Mapping[str, int]]
    faults: Mapping[str, int]
    stopped_by: Mapping[str, int]
    median_latency_s: float | None
    cases: tuple[CaseLine, ...]


def summarise(runs: Sequence[CaseRun]) -> EvalReport:
    """Return the report of a run. Undefined figures are left out of their mean and of its n."""
    figures: dict[str, dict[str, list[float]]] = {}
    for run in runs:
        for family, name, value in _figures(run):
            known = figures.setdefault(family, {}).setdefault(name, [])
            if value is not None:
                known.append(value)
    answers: dict[str, Counter[str]] = {}
    for run in runs:
        answers.setdefault(run.answer.expected, Counter())[run.answer.given] += 1
    latencies = sorted(run.latency_s for run in runs)
    return EvalReport(
        runs=len(runs),
        settings={"pairing_threshold": str(THRESHOLD)},
        families={
            family: {name: _mean(values) for name, values in names.items()}
            for family, names in figures.items()
        },
        ceilings=dict(_ceilings(runs)),
        answers={expected: dict(given) for expected, given in answers.items()},
        faults=dict(Counter(run.answer.fault for run in runs if run.answer.fault)),
        stopped_by=dict(Counter(check for run in runs for check in run.answer.checks)),
        median_latency_s=latencies[len(latencies) // 2] if latencies else None,
        cases=tuple(
            CaseLine(case_id=run.case_id, phrasing=run.phrasing, reading=read_shape(run.scores))
            for run in runs
            if run.scores is not None
        ),
    )


def write_text(report: EvalReport) -> str:
    """Return the report as plain text, families side by side."""
    settings = ", ".join(f"{name} {value}" for name, value in report.settings.items())
    lines = [f"{report.runs} questions asked; {settings}", ""]
    lines += [f"{'family':<18}{'figure':<26}{'mean':>10}{'n':>7}"]
    for family, names in report.families.items():
        for name, mean in names.items():
            shown = "undefined" if mean.mean is None else f"{mean.mean:.3f}"
            lines.append(f"{family:<18}{name:<26}{shown:>10}{mean.n:>7}")
    counted = {name: count for name, count in report.ceilings.items() if count}
    lines += ["", *_counts("ceilings, counted and never corrected", counted)]
    for expected, given in report.answers.items():
        lines += _counts(f"expected to {expected}", given)
    lines += _counts("wrong answers released, good questions blocked", report.faults)
    lines += _counts("stopped by", report.stopped_by)
    lines += [f"{line.case_id}: {'; '.join(line.reading)}" for line in report.cases if line.reading]
    return "\n".join(lines) + "\n"


def _counts(title: str, counts: Mapping[str, int]) -> list[str]:
    shown = ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
    return [f"{title}: {shown}"]


def _figures(run: CaseRun) -> Iterator[Figure]:
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
    yield "answer", "right_action", float(run.answer.right_action)
    yield "answer", "right_value", _truth(run.answer.right_value)
    yield "answer", "right_definition", _truth(run.answer.right_definition)


def _halves(family: str, prefix: str, score: PrecisionRecall) -> Iterator[Figure]:
    yield family, f"{prefix}precision", score.precision
    yield family, f"{prefix}recall", score.recall


def _truth(claim: bool | None) -> float | None:
    return None if claim is None else float(claim)


def _mean(values: Sequence[float]) -> Mean:
    return Mean(mean=fsum(values) / len(values) if values else None, n=len(values))


def _ceilings(runs: Iterable[CaseRun]) -> Counter[str]:
    """Count each ceiling over the run: cases for claims, rows and shelves for counts."""
    total: Counter[str] = Counter()
    for run in runs:
        if run.scores is not None:
            total.update({name: int(count) for name, count in run.scores.ceilings.model_dump().items()})
        total.update(stale=int(run.answer.stale), not_left_out=int(run.not_left_out))
    return total
