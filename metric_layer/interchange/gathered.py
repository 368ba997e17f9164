"""The definitions an importer has put together, each with the place in the foreign file it comes from."""

from collections.abc import Mapping
from functools import partial
from typing import Any, get_args

from pydantic import TypeAdapter

from metric_layer.asking import AskingRules
from metric_layer.definitions import (
    CalendarRules,
    Clock,
    Dataset,
    Dimension,
    Document,
    Hierarchy,
    Metric,
    Relationship,
)
from metric_layer.interchange.losses import Losses
from metric_layer.record import Record
from metric_layer.validate import pointer_text, read_value

UNOWNED = "unowned"
SINGLES: Mapping[str, type[Record]] = {"calendar": CalendarRules, "asking": AskingRules}
"""What a project says once."""
SHAPES: Mapping[str, Any] = {
    "datasets": Dataset,
    "relationships": Relationship,
    "dimensions": Dimension,
    "hierarchies": Hierarchy,
    "clocks": Clock,
    "metrics": Metric,
}
_ADAPTERS: Mapping[str, TypeAdapter[Any]] = {name: TypeAdapter(shape) for name, shape in SHAPES.items()}
_METRICS: Mapping[str, tuple[Any, TypeAdapter[Any]]] = {
    kind: (model, TypeAdapter(model))
    for model in get_args(get_args(Metric)[0])
    for kind in get_args(model.model_fields["type"].annotation)
}


def _model_of(section: str, payload: Mapping[str, object]) -> tuple[Any, TypeAdapter[Any]]:
    """Return the model that a definition has to fit: of a metric, the one of its type."""
    whole = (SHAPES[section], _ADAPTERS[section])
    return _METRICS.get(str(payload.get("type")), whole) if section == "metrics" else whole


class Gathered:
    """Definitions by section and name; `stated` names the metrics whose file says their status itself."""

    def __init__(self, losses: Losses) -> None:
        self.losses = losses
        self.stated: set[str] = set()
        self.singles: dict[str, Record] = {}
        self._items: dict[str, dict[str, object]] = {section: {} for section in SHAPES}
        self._places: dict[tuple[str, str], str] = {}

    def add(self, section: str, payload: Mapping[str, object], place: str) -> bool:
        """Add one definition as plain values; what does not fit its model is reported and left out."""
        shape, adapter = _model_of(section, payload)
        found = read_value(dict(payload), partial(adapter.validate_python, strict=True), shape)
        name = str(payload.get("name"))
        if isinstance(found, list):
            for problem in found:
                why = f"{pointer_text(problem.pointer)}: {problem.message}"
                self.losses.add("does_not_fit", name, place, seen=problem.seen, why=why)
            return False
        self._items[section][name] = found
        self._places[section, name] = place
        return True

    def set_single(self, name: str, rules: Record, place: str) -> None:
        """Add what a project says once: its calendar, or how its questions are read."""
        self.singles[name] = rules
        self._places[name, name] = place

    def place(self, section: str, name: str) -> str:
        """Return where a definition comes from."""
        return self._places.get((section, name), "")

    def has(self, section: str, name: str) -> bool:
        """Say whether a definition was added."""
        return name in self._items[section]

    def replace(self, section: str, name: str, definition: object) -> None:
        """Put a changed definition in the place of the one of its name."""
        self._items[section][name] = definition

    def drop(self, section: str, name: str) -> None:
        """Take a definition out again."""
        self._items[section].pop(name, None)

    def document(self) -> Document:
        """Return everything that was added."""
        sections = {name: tuple(items.values()) for name, items in self._items.items()}
        return Document.model_validate({**sections, **self.singles})
