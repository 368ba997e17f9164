"""What two events of a dbt conversion metric have in common: the entity, and what must be equal on both."""

from metric_layer.interchange.dbt_book import MetricBook, Payload
from metric_layer.interchange.dbt_inputs import span_of
from metric_layer.interchange.reading import Part
from metric_layer.interchange.refused import Refused

CALCULATIONS = {"": "rate", "conversion_rate": "rate", "conversions": "count"}


def conversion_of(inner: Part, base: str, goal: str, book: MetricBook) -> Payload:
    """Return the keys of a conversion metric over two metrics. Raises Refused or Unresolved."""
    calculation = inner.text("calculation").lower()
    if calculation not in CALCULATIONS:
        raise Refused("dbt_unknown_type", seen=calculation)
    payload: Payload = {
        "type": "conversion",
        "base": base,
        "conversion": goal,
        "entity": _shared(inner.text("entity"), base, goal, book),
        "calculation": CALCULATIONS[calculation],
        "constant": tuple(_constant(each, base, goal, book) for each in inner.parts("constant_properties")),
    }
    window = span_of(inner, "window")
    return payload | {"window": window} if window else payload


def _constant(part: Part, base: str, goal: str, book: MetricBook) -> str:
    left, right = part.text("base_property"), part.text("conversion_property")
    if left.split("__")[-1] != right.split("__")[-1]:
        raise Refused("dbt_constant_property", seen=f"{left}, {right}")
    return _shared(left, base, goal, book)


def _shared(word: str, base: str, goal: str, book: MetricBook) -> str:
    """Return the one dimension that an entity or a dimension is for both events."""
    *path, name = word.split("__")
    models = sorted(book.scopes[base].models | book.scopes[goal].models)
    if any(name in book.graph.models[each].entities for each in models):
        return book.graph.entity_dimension(models[0], name, shared=True)
    fields = {book.graph.dimension(each, path, name)[0] for each in models}
    if len(fields) != 1:
        raise Refused("dbt_constant_property", seen=word)
    return fields.pop()
