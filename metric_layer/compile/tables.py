"""Relations, derived tables and joins: every table is aliased, every join runs along a declared key."""

from collections.abc import Iterable, Mapping, Sequence

from sqlglot import exp

from metric_layer.definitions import Dataset
from metric_layer.expression import column_of
from metric_layer.paths import Path
from metric_layer.relation import relation_parts
from metric_layer.resolved import Hop

Datasets = Mapping[str, Dataset]

# PostgreSQL cuts a name after 63 bytes without a word: two longer aliases may become one.
MAX_ALIAS = 63


def identifier(name: str) -> exp.Identifier:
    """Return a quoted identifier."""
    return exp.Identifier(this=name, quoted=True)


def aliased(node: exp.Expr, name: str) -> exp.Alias:
    """Return an expression under an output name."""
    return exp.Alias(this=node, alias=identifier(name))


def derived(query: exp.Query, alias: str) -> exp.Subquery:
    """Return a query as a table of that alias."""
    return exp.Subquery(this=query, alias=exp.TableAlias(this=identifier(alias)))


def union_all(parts: Sequence[exp.Query], **by: object) -> exp.Query:
    """Return the rows of every part: UNION ALL, by position or as `by` says."""
    found = parts[0]
    for part in parts[1:]:
        found = exp.Union(this=found, expression=part, distinct=False, **by)
    return found


def table_of(relation: str, alias: str) -> exp.Table:
    """Return the aliased table node of a relation."""
    return exp.Table(**_named(relation), alias=exp.TableAlias(this=identifier(alias)))


def relation_text(relation: str, dialect: str) -> str:
    """Return a relation's name as SQL text, every part quoted."""
    return exp.Table(**_named(relation)).sql(dialect=dialect)


def select_text(relation: str, columns: Iterable[str], dialect: str) -> str:
    """Return the text of a SELECT of columns of one relation."""
    shown: list[exp.Expr] = [exp.Column(this=identifier(name)) for name in columns] or [exp.Literal.number(1)]
    return exp.Select(expressions=shown, from_=exp.From(this=exp.Table(**_named(relation)))).sql(
        dialect=dialect
    )


def _named(relation: str) -> dict[str, exp.Identifier]:
    parts = zip(("this", "db", "catalog"), reversed(relation_parts(relation)), strict=False)
    return {key: identifier(part) for key, part in parts}


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

    def named(self, name: str) -> str:
        """Return an alias that is still free, `name` if it is, and keep it."""
        return self._alias_for(name, "")

    @property
    def taken(self) -> frozenset[str]:
        """Return the aliases in use."""
        return frozenset(self._taken)

    def _alias_for(self, dataset: str, relationship: str) -> str:
        names = [dataset, f"{dataset}_{relationship}"]
        names.extend(
            f"{stem}_{number}" for number in range(2, len(self._taken) + 4) for stem in (dataset, "t")
        )
        found = next(name for name in names if name not in self._taken and len(name) <= MAX_ALIAS)
        self._taken.add(found)
        return found
