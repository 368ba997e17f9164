"""The JSON schemas of what `--json` prints, one object per verb; committed under gateway/schema."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from gateway.demo.showing import TourReport
from gateway.doors.cli_ask import AskReport
from gateway.doors.cli_project import NewProject
from gateway.doors.cli_traces import TraceList
from gateway.doors.validation import Validation
from gateway.reply import (
    DraftReply,
    MetricCard,
    MetricList,
    Readiness,
    Refusal,
    ReplayReport,
    Reply,
    SqlReport,
    TraceView,
    Verification,
)

DRAFT = "https://json-schema.org/draft/2020-12/schema"
VERBS: Mapping[str, tuple[type[BaseModel], ...]] = {
    "init": (NewProject,),
    "demo": (TourReport,),
    "metrics list": (MetricList,),
    "metrics show": (MetricCard, Refusal),
    "metrics validate": (Validation,),
    "ask": (Reply, AskReport),
    "check-answer": (DraftReply,),
    "sql check": (SqlReport, Refusal),
    "trace list": (TraceList,),
    "trace show": (TraceView, Refusal),
    "trace verify": (Verification,),
    "replay": (ReplayReport, Refusal),
    "doctor": (Readiness,),
}
"""What each verb prints with `--json`. A verb that the house cannot serve prints a Refusal."""


def reply_schema() -> dict[str, Any]:
    """Return the schema of an answer: the same object over MCP, HTTP and `ask --json`."""
    return {"$schema": DRAFT, **TypeAdapter(Reply).json_schema(mode="serialization")}


def verb_schemas() -> dict[str, Any]:
    """Return the schemas of all verbs: `verbs` names the shapes in `$defs` that a verb may print."""
    models = {model for shapes in VERBS.values() for model in shapes}
    ordered = sorted(models, key=lambda model: model.__name__)
    _, schema = models_json_schema([(model, "serialization") for model in ordered])
    verbs = {
        verb: {"anyOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in shapes]}
        for verb, shapes in VERBS.items()
    }
    return {"$schema": DRAFT, "verbs": verbs, **schema}
