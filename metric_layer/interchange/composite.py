"""A metric that is arithmetic over aggregates -> one metric per aggregate, and the one made of them."""

from collections.abc import Callable

from metric_layer.expression_apart import Formula, Leaf
from metric_layer.interchange.gathered import UNOWNED, Gathered
from metric_layer.interchange.names import Names

Payload = dict[str, object]
LeafPayload = Callable[[Leaf], Payload]
_SAID = ("version", "owner", "label", "description", "status", "synonyms", "name", "display", "unit")


def head(name: str, owner: str, label: str, description: str) -> Payload:
    """Return what every imported metric says of itself."""
    return {
        "name": name,
        "version": 1,
        "owner": owner or UNOWNED,
        "label": label,
        "description": description or f"{name}: no description was given.",
        "status": "draft",
    }


class Composites:
    """Adds metrics; an aggregate that is there already is used again instead of being added twice."""

    def __init__(self, gathered: Gathered, names: Names) -> None:
        self._gathered = gathered
        self._names = names
        self._known: dict[str, str] = {}

    def add_leaf(self, said: Payload, leaf: Payload, place: str) -> None:
        """Add a metric that is one aggregate."""
        self._gathered.add("metrics", {**said, **leaf}, place)
        self._known.setdefault(_key(leaf), str(said["name"]))

    def add(self, said: Payload, formula: Formula, payload_of: LeafPayload, place: str) -> None:
        """Add a metric that is arithmetic over aggregates. Adds nothing if `payload_of` raises."""
        payloads = [payload_of(leaf) for leaf in formula.leaves]
        names = [
            self._leaf(str(said["name"]), number, each, place) for number, each in enumerate(payloads, 1)
        ]
        if formula.shape == "ratio":
            made: Payload = {"type": "ratio", "numerator": names[0], "denominator": names[1]}
        else:
            made = {"type": "derived", "expression": formula.text.format(*names)}
        self._gathered.add("metrics", {**said, **made}, place)

    def known(self, leaf: Payload) -> str | None:
        """Return the metric that is exactly this aggregate already."""
        return self._known.get(_key(leaf))

    def _leaf(self, whole: str, number: int, payload: Payload, place: str) -> str:
        known = self.known(payload)
        if known is not None:
            return known
        given = self._names.give("asked", f"{whole}_part_{number}")
        said = {**head(given, "", "", f"Part {number} of {whole}.")}
        self.add_leaf(said, payload, place)
        return given


def _key(payload: Payload) -> str:
    """Return what two aggregates share exactly if they are the same figure."""
    return repr(sorted((key, value) for key, value in payload.items() if key not in _SAID))
