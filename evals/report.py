"""A run in figures: families side by side, every mean with its n, ceilings beside, nothing folded."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from math import fsum

from evals.columns import THRESHOLD
from evals.figures import figures_of
from evals.reading import read_shape
from evals.results import RunLine
from evals.run import CaseRun
from metric_layer.record import Record


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

    `settings` are printed with the figures, which mean nothing without them. `cost` is what the subject said
    all of it cost, `readings` how often a shape was read so, `spread` the lowest and highest mean of repeats.
    `gold_issues` names, per case, what leaves its gold answer to chance.
    """

    runs: int
    settings: Mapping[str, str]
    families: Mapping[str, Mapping[str, Mean]]
    ceilings: Mapping[str, int]
    answers: Mapping[str, Mapping[str, int]]
    faults: Mapping[str, int]
    stopped_by: Mapping[str, int]
    median_latency_s: float | None
    cost: str
    readings: Mapping[str, int]
    gold_issues: Mapping[str, tuple[str, ...]]
    spread: Mapping[str, tuple[float, float]] = {}
    cases: tuple[CaseLine, ...]


def summarise(runs: Sequence[CaseRun]) -> EvalReport:
    """Return the report of a run. Undefined figures are left out of their mean and of its n."""
    figures: dict[str, dict[str, list[float]]] = {}
    for run in runs:
        for family, name, value in figures_of(run):
            known = figures.setdefault(family, {}).setdefault(name, [])
            if value is not None:
                known.append(value)
    answers: dict[str, Counter[str]] = {}
    for run in runs:
        answers.setdefault(run.answer.expected, Counter())[run.answer.given] += 1
    latencies = sorted(run.latency_s for run in runs)
    cases = tuple(
        CaseLine(case_id=run.case_id, phrasing=run.phrasing, reading=read_shape(run.scores))
        for run in runs
        if run.scores is not None
    )
    return EvalReport(
        runs=len(runs),
        settings={"pairing_threshold": str(THRESHOLD)},
        families={
            family: {name: _mean(values) for name, values in names.items()}
            for family, names in figures.items()
        },
        ceilings=dict(count_ceilings(runs)),
        answers={expected: dict(given) for expected, given in answers.items()},
        faults=dict(Counter(run.answer.fault for run in runs if run.answer.fault)),
        stopped_by=dict(Counter(check for run in runs for check in run.answer.checks)),
        median_latency_s=latencies[len(latencies) // 2] if latencies else None,
        cost=str(sum((Decimal(run.cost) for run in runs if run.cost), Decimal(0))),
        readings=dict(Counter(word for line in cases for word in line.reading)),
        gold_issues={run.case_id: run.gold_issues for run in runs if run.gold_issues},
        cases=cases,
    )


def summarise_lines(lines: Sequence[RunLine]) -> EvalReport:
    """Return the report of a run with the spread of its repeats."""
    report = summarise([line.run for line in lines])
    repeats = sorted({line.repeat for line in lines})
    if len(repeats) < 2:
        return report
    each = [summarise([line.run for line in lines if line.repeat == repeat]) for repeat in repeats]
    means: dict[str, list[float]] = {}
    for part in each:
        for family, names in part.families.items():
            for name, mean in names.items():
                if mean.mean is not None:
                    means.setdefault(f"{family} {name}", []).append(mean.mean)
    spread = {name: (min(values), max(values)) for name, values in means.items()}
    return report.model_copy(update={"spread": spread})


def _mean(values: Sequence[float]) -> Mean:
    return Mean(mean=fsum(values) / len(values) if values else None, n=len(values))


def count_ceilings(runs: Iterable[CaseRun]) -> Counter[str]:
    """Count each ceiling over the run: cases for claims, rows and shelves for counts."""
    total: Counter[str] = Counter()
    for run in runs:
        if run.scores is not None:
            total.update({name: int(count) for name, count in run.scores.ceilings.model_dump().items()})
        total.update(stale=int(run.answer.stale), not_left_out=int(run.not_left_out))
        total.update(other_identity=int(run.other_identity), gold_unstable=int(bool(run.gold_issues)))
        answered = run.scores is not None and run.scores.output.candidate_shape is not None
        total.update(apart=int(answered and not run.one_snapshot), moved=int(run.moved))
    return total
