"""Relations and their joins: every table is aliased, every join runs along a declared key."""

from collections.abc import Iterable, Mapping

from sqlglot import exp

from metric_layer.definitions import Dataset
from metric_layer.expression import column_of
from metric_layer.paths import Path
from metric_layer.relation import relation_parts
from metric_layer.resolved import Hop

Datasets = Mapping[str, Dataset]


def identifier(name: str) -> exp.Identifier:
    """Return a quoted identifier."""
    return exp.Identifier(this=name, quoted=True)


def table_of(relation: str, alias: str) -> exp.Table:
    """Return the aliased table node of a relation."""
    keys = ("this", "db", "catalog")
    named = {
        key: identifier(part) for key, part in zip(keys, reversed(relation_parts(relation)), strict=False)
    }
    return exp.Table(**named, alias=exp.TableAlias(this=identifier(alias)))


def joined_on(hop: Hop, left: str, right: str) -> exp.Expr:
    """Return the key equality of one hop between two aliases."""
    pairs = zip(hop.from_columns, hop.to_columns, strict=True)
    return all_of([exp.EQ(this=column_of(a, left), expression=column_of(b, right)) for a, b in pairs])


def all_of(conditions: Iterable[exp.Expr]) -> exp.Expr:
    """Return the conjunction of at least one condition."""
    found, *rest = conditions
    for condition in rest:
        found = exp.And(this=found, expression=condition)
    return found


class Joins:
    """The tables of one SELECT: a fact and what is joined to it, each path once under its own alias."""

    def __init__(
        self, datasets: Datasets, fact: str, *, side: str | None = "LEFT", taken: Iterable[str] = ()
    ) -> None:
        self._datasets = datasets
        self._side = side
        self._taken = set(taken)
        self.root = self._alias_for(fact, "")
        self._aliases: dict[Path, str] = {(): self.root}
        self.source = table_of(datasets[fact].relation, self.root)
        self.nodes: list[exp.Join] = []

    def alias(self, path: Path) -> str:
        """Return the alias a path ends at, joining what is not joined yet."""
        known = self._aliases.get(path)
        if known is not None:
            return known
        before, hop = self.alias(path[:-1]), path[-1]
        name = self._alias_for(hop.to_dataset, hop.relationship)
        self._aliases[path] = name
        table = table_of(self._datasets[hop.to_dataset].relation, name)
        self.nodes.append(exp.Join(this=table, side=self._side, on=joined_on(hop, before, name)))
        return name

    @property
    def taken(self) -> frozenset[str]:
        """Return the aliases in use."""
        return frozenset(self._taken)

    def _alias_for(self, dataset: str, relationship: str) -> str:
        names = [dataset, f"{dataset}_{relationship}"]
        names.extend(f"{dataset}_{number}" for number in range(2, len(self._taken) + 3))
        found = next(name for name in names if name not in self._taken)
        self._taken.add(found)
        return found
