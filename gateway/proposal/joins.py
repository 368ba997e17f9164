"""Joins between drafts: those that foreign keys declare, and those that a person has to look at."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from gateway.engines.catalogue import ForeignKey
from gateway.proposal.draft import Draft, filled, free_name, one_line, slug


class Joins:
    """The joins between drafts: `declared` by foreign keys, `guessed` for a person to look at.

    `near_columns` are (dataset, column) pairs that join, `unusable` foreign keys in words.
    """

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self._of_table = {(draft.table.schema, draft.table.name): draft for draft in drafts}
        self._taken: set[str] = set()
        self.declared: list[Mapping[str, object]] = []
        self.guessed: list[Mapping[str, object]] = []
        self.unusable: list[str] = []
        self.near_columns: set[tuple[str, str]] = set()
        pairs = Counter((draft.name, key.table) for draft in drafts for key in draft.table.foreign_keys)
        for draft in drafts:
            for key in draft.table.foreign_keys:
                self._declare(draft, key, several=pairs[draft.name, key.table] > 1)
        called: dict[str, list[tuple[Draft, str]]] = defaultdict(list)
        for far in drafts:
            for only in dict.fromkeys(columns[0] for columns in far.keys if len(columns) == 1):
                for name in _names_of(far, only):
                    called[name].append((far, only))
        for draft in drafts:
            for column in draft.types:
                self._guess(draft, column, called[slug(column)])

    def _declare(self, draft: Draft, key: ForeignKey, *, several: bool) -> None:
        far = self._of_table.get(key.table)
        own = f"{draft.table.schema}.{draft.table.name} ({', '.join(key.columns)})"
        said = one_line(f"{own} -> {'.'.join(key.table)}")
        if far is None or far is draft or not self._fits(draft, key.columns, far, key.to_columns):
            self.unusable.append(said)
            return
        self.near_columns.update((draft.name, column) for column in key.columns)
        self.declared.append(self._join(draft, key.columns, far, key.to_columns, several=several))

    def _guess(self, draft: Draft, column: str, called: Sequence[tuple[Draft, str]]) -> None:
        """Propose a join of a column that is named like the one-column key of exactly one other table."""
        if (draft.name, column) in self.near_columns or draft.is_key((column,)):
            return
        found = [
            (far, key)
            for far, key in called
            if far is not draft and self._fits(draft, (column,), far, (key,))
        ]
        if len(found) == 1:
            ((far, key),) = found
            self.guessed.append(self._join(draft, (column,), far, (key,), several=False))

    def _fits(self, near: Draft, own: tuple[str, ...], far: Draft, theirs: tuple[str, ...]) -> bool:
        """Say whether the layer could join them: kept columns of one type, a declared key at the far end."""
        pairs = [(near.types.get(a), far.types.get(b)) for a, b in zip(own, theirs, strict=True)]
        same = all(a and b and (a == b or {a, b} <= {"integer", "decimal"}) for a, b in pairs)
        return same and far.is_key(theirs)

    def _join(
        self, near: Draft, own: tuple[str, ...], far: Draft, theirs: tuple[str, ...], *, several: bool
    ) -> Mapping[str, object]:
        role = re.sub(r"_?(id|key|code)$", "", slug(own[0])) or slug(own[0])
        name = f"{near.name}_{role}" if several else f"{near.name}_{far.name}"
        return filled(
            name=free_name(slug(name), self._taken),
            from_dataset=near.name,
            from_columns=own,
            to_dataset=far.name,
            to_columns=theirs,
            cardinality="one_to_one" if near.is_key(own) else "",
            role=role if several else "",
        )


def _names_of(far: Draft, key: str) -> set[str]:
    """Return what a column that points at a table's key is called: customer_id for id of customers."""
    own, table = slug(key), slug(far.table.name)
    singular = {table, table.removesuffix("s"), table.removesuffix("es"), re.sub(r"ies$", "y", table)}
    return {f"{each}_{own}" for each in singular} | ({own} if own not in ("id", "key", "code") else set())
