"""dbt's entities -> datasets, relationships and dimensions; what a path such as `a__b__name` means."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metric_layer.interchange.column_types import ASSUMED, ColumnTypes
from metric_layer.interchange.dbt_models import KEYS, Entity, Model, ModelDimension
from metric_layer.interchange.gathered import Gathered
from metric_layer.interchange.names import Names


class Unresolved(Exception):
    """A reference leads nowhere, or to several places; `message` says which."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship from the model that holds an entity to the model whose key it is."""

    name: str
    entity: str
    origin: str
    target: str


def _edge_name(edge: Edge) -> str:
    return edge.name


class DbtGraph:
    """The models by name, how they are joined, and the dimension that each reference stands for."""

    def __init__(self, models: Sequence[Model], gathered: Gathered, names: Names, types: ColumnTypes) -> None:
        self.models = {model.name: model for model in models}
        self.gathered = gathered
        self.names = names
        self.types = types
        self.datasets = {model.name: names.give("datasets", model.name) for model in models}
        self._edges: dict[str, list[Edge]] = {model.name: [] for model in models}
        self._roles: frozenset[Edge] = frozenset()
        self._dimensions: dict[tuple[str, str, tuple[str, ...]], str] = {}

    def build(self) -> None:
        """Add the columns, relationships and dimensions of all models."""
        for model in self.models.values():
            self._columns(model)
        for origin in self.models.values():
            for entity in origin.entities.values():
                for target in self._targets(origin, entity):
                    self._join(origin, target, entity)
        often = Counter(name for model in self.models.values() for name in model.dimensions)
        for model in self.models.values():
            for dimension in model.dimensions.values():
                plain = [dimension.name] if often[dimension.name] == 1 else []
                self._add_dimension(model, dimension, (), *plain, f"{model.name}_{dimension.name}")
        self._roles = frozenset(self._shared_ends())
        for edge in sorted(self._roles, key=_edge_name):
            target = self.models[edge.target]
            for dimension in target.dimensions.values():
                self._role_dimension(target, dimension, (edge,))

    def add_datasets(self) -> None:
        """Add the datasets, once every column that a metric reads is known."""
        for model in self.models.values():
            dataset = self.datasets[model.name]
            keys = [each for each in model.entities.values() if each.kind in KEYS]
            primary = tuple(each.column for each in keys if each.kind == "primary")[:1]
            payload: dict[str, object] = {
                "name": dataset,
                "relation": model.relation or model.name,
                "columns": self.types.of(dataset),
                "primary_key": primary,
                "unique_keys": tuple(key for each in keys if (key := (each.column,)) != primary),
                "description": model.description,
                "owner": model.owner,
            }
            if payload["columns"]:
                self.gathered.add("datasets", payload, model.part.place())
            else:
                model.part.lose("dbt_empty_model", model.name)

    def dimension(self, model: str, entities: Sequence[str], name: str) -> tuple[str, ModelDimension, str]:
        """Return (name here, dimension, model) of `entity__entity__name` as seen from a model.

        Raises Unresolved.
        """
        home, path = self._walk(model, entities, name)
        dimension = home.dimensions[name]
        return self._role_dimension(home, dimension, path), dimension, home.name

    def entity_dimension(self, model: str, entity: str, *, shared: bool = False) -> str:
        """Return the dimension that holds an entity's key: the model's own column, or its home's if shared.

        Raises Unresolved.
        """
        home = self._home(entity) if shared else None
        where = home or self.models[model]
        found = where.entities.get(entity)
        if found is None:
            raise Unresolved(f"{model} has no entity {entity}")
        key = (where.name, f"entity {entity}", ())
        if key not in self._dimensions:
            wanted = (entity, f"{entity}_key") if home else ()
            name = self.names.give("asked", *wanted, f"{where.name}_{entity}")
            payload = {"name": name, "dataset": self.datasets[where.name], "column": found.column}
            self.gathered.add("dimensions", payload, found.part.place())
            self._dimensions[key] = name
        return self._dimensions[key]

    def _columns(self, model: Model) -> None:
        dataset = self.datasets[model.name]
        for entity in model.entities.values():
            self.types.know(dataset, entity.column, "string", ASSUMED, entity.part.place())
            if entity.description:
                self.types.describe(dataset, entity.column, entity.description)
            if entity.kind == "primary":
                self.types.is_key(dataset, entity.column)
        for dimension in model.dimensions.values():
            place = dimension.part.place()
            if dimension.granularity:
                self.types.know(dataset, dimension.column, "timestamp", ASSUMED, place)
            else:
                self.types.know(dataset, dimension.column, place=place)

    def _targets(self, origin: Model, entity: Entity) -> Iterator[Model]:
        """Yield the models whose key an entity is. Two models with the same key are joined once."""
        for target in self.models.values():
            other = target.entities.get(entity.name)
            if target is origin or other is None or other.kind not in KEYS:
                continue
            if entity.kind in KEYS and target.name < origin.name:
                continue
            yield target

    def _join(self, origin: Model, target: Model, entity: Entity) -> None:
        if origin.has_partition and target.has_partition:
            entity.part.lose("dbt_partition_join", f"{origin.name} to {target.name}", entity.name)
            return
        left = (self.datasets[origin.name], entity.column)
        right = (self.datasets[target.name], target.entities[entity.name].column)
        name = self.names.give(
            "relationships", f"{left[0]}_{entity.name}", f"{left[0]}_{entity.name}_{right[0]}"
        )
        payload: dict[str, object] = {
            "name": name,
            "from_dataset": left[0],
            "to_dataset": right[0],
            "from_columns": (left[1],),
            "to_columns": (right[1],),
        }
        if entity.kind in KEYS:
            payload["cardinality"] = "one_to_one"
        if (
            any(edge.target == target.name for edge in self._edges[origin.name])
            or entity.name != target.primary
        ):
            payload["role"] = entity.name
        self.gathered.add("relationships", payload, entity.part.place())
        self.types.join(left, right)
        self._edges[origin.name].append(Edge(name, entity.name, origin.name, target.name))
        if entity.kind in KEYS:
            self._edges[target.name].append(Edge(name, entity.name, target.name, origin.name))

    def _shared_ends(self) -> Iterator[Edge]:
        """Yield the relationships that are not the only one between their two models."""
        for edges in self._edges.values():
            often = Counter(edge.target for edge in edges)
            yield from (edge for edge in edges if often[edge.target] > 1)

    def _role_dimension(self, home: Model, dimension: ModelDimension, path: tuple[Edge, ...]) -> str:
        """Return the dimension for a path; one of its own where another path leads there too."""
        via = tuple(edge.name for edge in path) if not self._roles.isdisjoint(path) else ()
        key = (home.name, dimension.name, via)
        if key not in self._dimensions:
            words = "_".join(edge.entity for edge in path)
            wanted = (f"{words}_{dimension.name}", f"{path[0].origin}_{words}_{dimension.name}")
            self._add_dimension(home, dimension, via, *wanted)
        return self._dimensions[key]

    def _add_dimension(
        self, model: Model, dimension: ModelDimension, via: tuple[str, ...], *wanted: str
    ) -> None:
        name = self.names.give("asked", *wanted)
        if not via and name != dimension.name:
            dimension.part.lose("renamed", dimension.name, name)
        payload = {
            "name": name,
            "dataset": self.datasets[model.name],
            "column": dimension.column,
            "label": "" if via else dimension.label,
            "description": dimension.description,
            "owner": dimension.owner or model.owner,
            "via": via,
        }
        self.gathered.add("dimensions", payload, dimension.part.place())
        self._dimensions[model.name, dimension.name, via] = name

    def _walk(self, model: str, entities: Sequence[str], name: str) -> tuple[Model, tuple[Edge, ...]]:
        here, path = self.models[model], list[Edge]()
        steps = list(entities)
        if steps and steps[0] == here.primary and (len(steps) > 1 or name in here.dimensions):
            steps.pop(0)
        for index, entity in enumerate(steps):
            last = index == len(steps) - 1
            found = [
                edge
                for edge in self._edges[here.name]
                if edge.entity == entity and (not last or name in self.models[edge.target].dimensions)
            ]
            if len(found) != 1:
                many = "leads to several models" if found else "leads to no model"
                raise Unresolved(f"{'__'.join((*entities, name))} {many} from {model}")
            path.append(found[0])
            here = self.models[found[0].target]
        if name not in here.dimensions:
            raise Unresolved(f"{here.name} has no dimension {name} that could be kept")
        return here, tuple(path)

    def _home(self, entity: str) -> Model | None:
        homes = [
            model
            for model in self.models.values()
            if (found := model.entities.get(entity)) is not None and found.kind == "primary"
        ]
        return homes[0] if len(homes) == 1 else None
