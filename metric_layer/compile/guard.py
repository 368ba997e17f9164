"""Row conservation: SQL that counts every branch with and without its joins, and the keys to suspect."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlglot import exp

from metric_layer.compile.collation import filter_by_bytes
from metric_layer.compile.leaves import shared_branches
from metric_layer.compile.rows import days_of, filters_of, rows_alone
from metric_layer.compile.tables import Joins, aliased, all_of, union_all
from metric_layer.layer import Layer
from metric_layer.paths import Path
from metric_layer.resolved import Frame, Leaf, ResolvedPlan

Days = tuple[date | None, date | None]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A branch of the guard and the relationships it is joined along: one of their keys is not unique.

    `branch` is the text in the guard's column of that name.
    """

    branch: str
    relationships: tuple[str, ...]


def compile_guard(resolved: ResolvedPlan, layer: Layer, dialect: str) -> exp.Expr | None:
    """Return the query that proves no join multiplies or drops rows; None for a plan that joins nothing.

    Its rows are `branch`, `joined` (rows of the fact with everything joined to it) and `own` (rows of the
    fact alone); both under the same filters and days, those on other datasets as EXISTS. The two counts are
    equal unless a row met several rows along a key that should be one. Leaves whose rows another leaf of the
    same fact reads too are counted with that one.
    """
    counts = [_counted(guarded, resolved, layer, dialect) for guarded in _guarded(resolved)]
    if not counts:
        return None
    found = union_all(counts)
    filter_by_bytes(found, dialect)
    return found


def suspects(resolved: ResolvedPlan) -> tuple[Suspect, ...]:
    """Return, for each branch of the guard, the relationships it is joined along."""
    return tuple(
        Suspect(each.name, tuple(dict.fromkeys(hop.relationship for path in each.paths for hop in path)))
        for each in _guarded(resolved)
    )


def counted_rows(resolved: ResolvedPlan) -> tuple[str, ...]:
    """Return which rows each branch of the guard counts, as a text that is the same in every process.

    It says all that decides them but the definitions of the datasets and the zone of the days.
    """
    return tuple(each.rows for each in _guarded(resolved))


@dataclass(frozen=True, slots=True)
class _Guarded:
    """Leaves of one fact: the widest one's rows are counted, over `days`, with all that any of them joins."""

    leaves: tuple[Leaf, ...]
    paths: tuple[Path, ...]
    days: Days
    tests: frozenset[str]

    @property
    def name(self) -> str:
        """Return the ids of the leaves."""
        return ", ".join(leaf.id for leaf in self.leaves)

    @property
    def rows(self) -> str:
        """Return all that the branch is and counts, as text."""
        fact = self.leaves[0]
        return repr((self.name, fact.dataset, fact.time, self.days, self.paths, sorted(self.tests)))

    def with_other(self, other: "_Guarded") -> "_Guarded | None":
        """Return one branch that counts the rows of both, or None where neither holds the other's."""
        ours, theirs = self.leaves[0], other.leaves[0]
        if (ours.dataset, ours.time) != (theirs.dataset, theirs.time):
            return None
        leaves = (*self.leaves, *other.leaves)
        paths = tuple(dict.fromkeys((*self.paths, *other.paths)))
        if self.tests == other.tests and _touch(self.days, other.days):
            return _Guarded(leaves, paths, _hull(self.days, other.days), self.tests)
        if self.tests <= other.tests and _hull(self.days, other.days) == self.days:
            return _Guarded(leaves, paths, self.days, self.tests)
        return None


def _guarded(resolved: ResolvedPlan) -> list[_Guarded]:
    """Return the branches that join anything, put together where the rows of one hold those of another."""
    found: list[_Guarded] = []
    for leaves in shared_branches(resolved.leaves):
        paths = _paths(leaves)
        if not paths:
            continue
        tests = frozenset(map(repr, (*filters_of(leaves[0]), leaves[0].followed)))
        branch = _Guarded(tuple(leaves), paths, days_of(leaves[0], resolved), tests)
        for at, known in enumerate(found):
            merged = known.with_other(branch) or branch.with_other(known)
            if merged is not None:
                found[at] = merged
                break
        else:
            found.append(branch)
    return found


def _touch(days: Days, others: Days) -> bool:
    """Say whether two ranges of days leave no day between them."""
    (first, end), (start, after) = days, others
    apart = (end is not None and start is not None and end < start) or (
        after is not None and first is not None and after < first
    )
    return not apart


def _hull(days: Days, others: Days) -> Days:
    """Return the range that holds two; None is no end."""
    (first, end), (start, after) = days, others
    low = None if first is None or start is None else min(first, start)
    return low, None if end is None or after is None else max(end, after)


def _paths(leaves: Sequence[Leaf]) -> tuple[Path, ...]:
    """Return the ways along which a branch joins; a way down stands in an EXISTS and multiplies nothing."""
    paths = dict.fromkeys(column.path for leaf in leaves for column in leaf.columns)
    return tuple(path for path in paths if path and not any(hop.to_many for hop in path))


def _counted(guarded: _Guarded, resolved: ResolvedPlan, layer: Layer, dialect: str) -> exp.Select:
    """Return one row: the branch, its rows with all that is joined to them, and its rows alone."""
    widest, (start, end) = guarded.leaves[0], guarded.days
    if end is not None:
        widest = replace(widest, frame=Frame(start, end))
    whole, alone = (Joins(layer.datasets, widest.dataset) for _ in range(2))
    for path in guarded.paths:
        whole.alias(path)
    columns: dict[str, exp.Expr] = {
        "branch": exp.Literal.string(guarded.name),
        "joined": exp.Count(this=exp.Star(), big_int=True),
        "own": exp.Subquery(this=_count(alone, rows_alone(widest, resolved, layer, dialect, alone))),
    }
    select = _count(whole, rows_alone(widest, resolved, layer, dialect, whole))
    select.set("expressions", [aliased(node, name) for name, node in columns.items()])
    return select


def _count(joins: Joins, where: Sequence[exp.Expr]) -> exp.Select:
    parts: dict[str, object] = {
        "expressions": [exp.Count(this=exp.Star(), big_int=True)],
        "from_": exp.From(this=joins.source),
    }
    if joins.nodes:
        parts["joins"] = joins.nodes
    if where:
        parts["where"] = exp.Where(this=all_of(where))
    return exp.Select(**parts)
