"""A saved analysis as a card: what it is for, what its parameters take, a call that works."""

from collections.abc import Mapping

from gateway.analyses.view import AnalysisCard, ParameterCard
from gateway.playbooks.definition import (
    DateParameter,
    IntegerParameter,
    Parameter,
    StringParameter,
    ValueParameter,
)
from gateway.playbooks.parameters import LISTED, allowed_values, told
from gateway.playbooks.shelf import Saved
from metric_layer.layer import Layer


def card_of(saved: Saved, layer: Layer) -> AnalysisCard:
    """Return the card of an analysis."""
    analysis = saved.analysis
    return AnalysisCard(
        name=analysis.name,
        version=analysis.version,
        owner=analysis.owner,
        description=analysis.description,
        parameters=tuple(_parameter(parameter, layer) for parameter in analysis.parameters),
        steps=tuple(step.id for step in analysis.steps),
        metrics=saved.metrics,
        example=dict(analysis.example),
    )


def _parameter(parameter: Parameter, layer: Layer) -> ParameterCard:
    default = parameter.default
    shown = ", ".join(default) if isinstance(default, tuple) else "" if default is None else str(default)
    return ParameterCard(
        name=parameter.name,
        type=parameter.type,
        description=parameter.description,
        required=default is None,
        default=shown,
        values=allowed_values(parameter, layer)[: LISTED * LISTED],
        takes=told(parameter),
        accepts=_accepts(parameter, layer),
    )


def _accepts(parameter: Parameter, layer: Layer) -> Mapping[str, object]:
    """Return what a parameter takes as a JSON Schema. Labels and synonyms are taken beside listed values."""
    text = {"type": "string", "description": f"{parameter.description} {told(parameter)}".strip()}
    match parameter:
        case StringParameter():
            return {**text, "enum": list(parameter.values)}
        case ValueParameter(several=True):
            return {**text, "type": "array", "items": {"type": "string"}, "minItems": 1}
        case DateParameter():
            return {**text, "format": "date"}
        case IntegerParameter():
            bounds = {"minimum": parameter.minimum, "maximum": parameter.maximum}
            return {**text, "type": "integer", **bounds}
        case ValueParameter():
            known = ", ".join(allowed_values(parameter, layer)[:LISTED])
            return {**text, "description": f"{text['description']} Known: {known}."}
    return text
