"""The columns of each dataset and their types: stated by a file, told by its SQL, or assumed and said so."""

from collections.abc import Iterator
from dataclasses import dataclass

from metric_layer.definitions import ColumnType
from metric_layer.expression_foreign import types_in
from metric_layer.interchange.losses import Losses

ASSUMED, TOLD, STATED = 1, 2, 3


@dataclass(slots=True)
class _Column:
    type: ColumnType
    strength: int
    place: str
    nullable: bool = True
    description: str = ""


def _strength(column: _Column) -> int:
    return column.strength


class ColumnTypes:
    """What is known of each column. A stronger source wins; among equals, the first one."""

    def __init__(self) -> None:
        self._columns: dict[str, dict[str, _Column]] = {}
        self._joined: list[tuple[tuple[str, str], tuple[str, str]]] = []

    def know(
        self, dataset: str, name: str, kind: ColumnType = "string", strength: int = 0, place: str = ""
    ) -> None:
        """Note a column; without a strength only that there is one."""
        columns = self._columns.setdefault(dataset, {})
        found = columns.setdefault(name, _Column(kind, strength, place))
        found.place = found.place or place
        if strength > found.strength:
            found.type, found.strength = kind, strength

    def describe(self, dataset: str, name: str, description: str) -> None:
        """Keep what a file says of a column."""
        self._columns[dataset][name].description = description

    def is_key(self, dataset: str, name: str) -> None:
        """Note that a column is part of a primary key: it is never empty."""
        self._columns[dataset][name].nullable = False

    def learn(self, dataset: str, sql: str, wanted: ColumnType, place: str) -> None:
        """Note the columns of an expression whose value is of the type `wanted`. Raises ForeignSql."""
        for name, kind in types_in(sql, wanted).items():
            self.know(dataset, name, kind, TOLD, place)

    def join(self, left: tuple[str, str], right: tuple[str, str]) -> None:
        """Note that two (dataset, column) pairs are compared: they are of one type."""
        self._joined.append((left, right))

    def kind(self, dataset: str, name: str) -> ColumnType | None:
        """Return a column's type as known so far."""
        found = self._columns.get(dataset, {}).get(name)
        return found.type if found else None

    def settle(self, losses: Losses) -> None:
        """Give joined columns one type, and report every type that no file states."""
        for group in self._groups():
            strongest = max(group, key=_strength)
            for column in group:
                numbers = {column.type, strongest.type} <= {"integer", "decimal"}
                if column.strength < STATED and not numbers:
                    column.type = strongest.type
        for dataset, columns in self._columns.items():
            for name, column in columns.items():
                if column.strength < STATED:
                    seen = f"{dataset}.{name}"
                    losses.add("type_assumed", seen, column.place, seen=column.type)

    def of(self, dataset: str) -> tuple[dict[str, object], ...]:
        """Return the columns of a dataset as definitions write them."""
        return tuple(self._written(dataset))

    def _groups(self) -> Iterator[list[_Column]]:
        """Yield the columns that are compared with each other, directly or by way of others."""
        near: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for left, right in self._joined:
            near.setdefault(left, []).append(right)
            near.setdefault(right, []).append(left)
        seen: set[tuple[str, str]] = set()
        for start in near:
            waiting, group = [start], list[_Column]()
            while waiting:
                here = waiting.pop()
                if here in seen:
                    continue
                seen.add(here)
                waiting += near[here]
                column = self._columns.get(here[0], {}).get(here[1])
                if column is not None:
                    group.append(column)
            if group:
                yield group

    def _written(self, dataset: str) -> Iterator[dict[str, object]]:
        for name, column in self._columns.get(dataset, {}).items():
            found: dict[str, object] = {"name": name, "type": column.type}
            if not column.nullable:
                found["nullable"] = False
            if column.description:
                found["description"] = column.description
            yield found
