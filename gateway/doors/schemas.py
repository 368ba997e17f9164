"""The schemas that the doors publish: no references, no titles, closed objects, few bytes."""

from collections.abc import Mapping, Sequence
from typing import Any

from gateway.asking import AskOptions
from gateway.questions import MOST_CHARACTERS
from metric_layer.plan import MetricPlan

Schema = dict[str, Any]

PLAN_HELP: Mapping[str, str] = {
    "metrics": "Metric names from list_metrics.",
    "dimensions": "Group by these; names from describe_metric.",
    "filters": "All must hold. {field, op, values} on a dimension; {metric, op, values} on a result.",
    "time": "Window, both dates inclusive (YYYY-MM-DD); grain adds a time bucket to the result.",
    "dialect": "Leave out, or name the engine's own.",
    "order": "`by` names an output column.",
    "limit": "Rows wanted at most.",
}
SCALAR: Schema = {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]}
TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
WHOLE: Schema = {"type": "integer"}
YES_OR_NO: Schema = {"type": "boolean"}
OBJECTS: Schema = {"type": "array", "items": {"type": "object"}}
ROWS: Schema = {"type": "array", "items": {"type": "array"}}


def plan_schema(*, without: Sequence[str] = ()) -> Schema:
    """Return the schema of a question: the plan's own keys, flat, and what may stand beside them."""
    plan = inlined(MetricPlan.model_json_schema(by_alias=True))
    for name, text in PLAN_HELP.items():
        plan["properties"][name]["description"] = text
    return {**plan, "properties": {**plan["properties"], **_options(without)}}


def outlined(schema: Schema) -> Schema:
    """Return a schema with the kind of each key only, for a list that says the rest of it elsewhere."""
    return {**schema, "properties": {name: _kind(part) for name, part in schema["properties"].items()}}


def _kind(part: Schema) -> Schema:
    kept: Schema = {"type": part["type"]}
    if part["type"] == "array":
        kept["items"] = {"type": part["items"].get("type", "object")}
    return kept


def words_schema(*, without: Sequence[str] = ()) -> Schema:
    """Return the schema of a question in words, and what may stand beside it."""
    question = {"type": "string", "maxLength": MOST_CHARACTERS, "description": "The question."}
    return {
        "type": "object",
        "properties": {"question": question, **_options((*without, "words"))},
        "required": ["question"],
        "additionalProperties": False,
    }


def _options(without: Sequence[str]) -> Schema:
    beside = inlined(AskOptions.model_json_schema())
    return {name: part for name, part in beside["properties"].items() if name not in without}


def reply_schema(**listed: Schema) -> Schema:
    """Return a loose output schema: an outcome, issues, and the keys named. Cells stay untyped on purpose."""
    keys: Schema = {"outcome": TEXT, **listed, "issues": OBJECTS}
    return {"type": "object", "properties": keys, "required": ["outcome"]}


def inlined(schema: Schema) -> Schema:
    """Return a schema with every reference replaced by what it names. The house's schemas do not recurse."""
    definitions = schema.get("$defs", {})
    result = _plain({key: value for key, value in schema.items() if key != "$defs"}, definitions)
    return result if isinstance(result, dict) else {}


def _plain(node: object, definitions: Mapping[str, Any]) -> object:
    if isinstance(node, list):
        return [_plain(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return _plain({**definitions[node["$ref"].rsplit("/", 1)[1]], **rest}, definitions)
    if "anyOf" in node:
        return _choice(node, definitions)
    return _object(node, definitions)


def _object(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> Schema:
    kept = {
        key: _plain(value, definitions)
        for key, value in node.items()
        if key not in {"title", "default", "properties", "description", "maxLength", "minLength", "maxItems"}
    }
    if "properties" in node:
        kept["properties"] = {name: _plain(part, definitions) for name, part in node["properties"].items()}
        kept["additionalProperties"] = False
    elif "description" in node:
        kept["description"] = node["description"]
    return kept


def _choice(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> object:
    """A choice between scalars is said briefly; "or null" is dropped: leaving a key out says the same."""
    options = [option for option in node["anyOf"] if option.get("type") != "null"]
    if len(options) == 1:
        return _plain(options[0], definitions)
    if all("$ref" not in option and option.get("type") != "object" for option in options):
        return SCALAR
    return {"anyOf": [_plain(option, definitions) for option in options]}
