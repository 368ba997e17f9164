"""Two runs held against each other, question by question: ceilings first, then paired differences with n."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from evals.figures import figures_of
from evals.report import count_ceilings
from evals.results import RunLine
from evals.run import CaseRun
from metric_layer.record import Record

MOVED_LEAST = 1e-9
"""A figure that moved by less did not move."""


class PairedDifference(Record):
    """A figure over the questions where both runs have it: both means, their difference, how many moved."""

    family: str
    name: str
    before: float
    after: float
    difference: float
    n: int
    better: int
    worse: int


class MovedCase(Record):
    """A question whose figures moved, or that was answered otherwise."""

    case_id: str
    phrasing: int
    moves: Mapping[str, tuple[float | None, float | None]]
    given: tuple[str, str]


class Comparison(Record):
    """What two runs of the same questions differ in. Nothing is folded and nothing is passed or failed."""

    both: int
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    changed_cases: tuple[str, ...]
    ceilings: Mapping[str, tuple[int, int]]
    differences: tuple[PairedDifference, ...]
    moved: tuple[MovedCase, ...]


Place = tuple[str, int, int]


def compare(before: Sequence[RunLine], after: Sequence[RunLine]) -> Comparison:
    """Pair questions by case, phrasing and repeat. A case whose text changed between the runs is left out."""
    old, new = ({_place(line): line for line in lines} for lines in (before, after))
    shared = [place for place in old if place in new]
    changed = {place for place in shared if old[place].case_digest != new[place].case_digest}
    pairs = [(old[place].run, new[place].run) for place in shared if place not in changed]
    counts = [count_ceilings(pair[at] for pair in pairs) for at in (0, 1)]
    return Comparison(
        both=len(pairs),
        only_before=_missing(old, new),
        only_after=_missing(new, old),
        changed_cases=tuple(sorted({case_id for case_id, _, _ in changed})),
        ceilings={name: (counts[0][name], counts[1][name]) for name in counts[0]},
        differences=_differences(pairs),
        moved=tuple(moved for pair in pairs if (moved := _moved(*pair)) is not None),
    )


def _place(line: RunLine) -> Place:
    return line.run.case_id, line.run.phrasing, line.repeat


def _missing(here: Iterable[Place], there: Iterable[Place]) -> tuple[str, ...]:
    """Return what only one run asked: whole cases by their id, of the others the wording or the repeat."""
    others = frozenset(there)
    cases = {case_id for case_id, _, _ in others}
    asked = {(case_id, phrasing) for case_id, phrasing, _ in others}
    found = set()
    for case_id, phrasing, repeat in here:
        if case_id not in cases:
            found.add(case_id)
        elif (case_id, phrasing) not in asked:
            found.add(f"{case_id} (wording {phrasing})")
        elif (case_id, phrasing, repeat) not in others:
            found.add(f"{case_id} (repeat {repeat + 1})")
    return tuple(sorted(found))


def _values(run: CaseRun) -> dict[tuple[str, str], float | None]:
    return {(family, name): value for family, name, value in figures_of(run)}


def _differences(pairs: Sequence[tuple[CaseRun, CaseRun]]) -> tuple[PairedDifference, ...]:
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for one, other in pairs:
        was, now = _values(one), _values(other)
        for key, value in was.items():
            later = now.get(key)
            if value is not None and later is not None:
                found.setdefault(key, []).append((value, later))
    return tuple(
        PairedDifference(
            family=family,
            name=name,
            before=fsum(old for old, _ in values) / len(values),
            after=fsum(new for _, new in values) / len(values),
            difference=fsum(new - old for old, new in values) / len(values),
            n=len(values),
            better=sum(new - old > MOVED_LEAST for old, new in values),
            worse=sum(old - new > MOVED_LEAST for old, new in values),
        )
        for (family, name), values in found.items()
    )


def _moved(one: CaseRun, other: CaseRun) -> MovedCase | None:
    was, now = _values(one), _values(other)
    moves = {
        f"{family} {name}": (was.get((family, name)), now.get((family, name)))
        for family, name in dict.fromkeys((*was, *now))
        if _differ(was.get((family, name)), now.get((family, name)))
    }
    given = one.answer.given, other.answer.given
    if not moves and given[0] == given[1]:
        return None
    return MovedCase(case_id=one.case_id, phrasing=one.phrasing, moves=moves, given=given)


def _differ(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is not other
    return abs(one - other) > MOVED_LEAST
