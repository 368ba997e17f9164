"""The JSON schemas of what `--json` prints, one object per verb; committed under gateway/schema."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from evals.compare import Comparison
from evals.firing import Firing
from evals.report import EvalReport
from evals.stef.against import AgainstFamilies
from evals.stef.batch import StefReport
from evals.stef.marks import Marks
from gateway.analyses.view import AcceptedAnalysis, AnalysisList, AnalysisReply
from gateway.choices import ChoiceList
from gateway.custody.reports import (
    Erasure,
    HoldOnSubject,
    NamedTraces,
    Retirement,
    Rotation,
    TraceErasure,
)
from gateway.demo.showing import TourReport
from gateway.discovery.decisions import Decided
from gateway.discovery.reports import DiscoveryReport
from gateway.doors.cli.token_acts import NewToken, TokenLine, TokenList
from gateway.doors.cli.validation import Validation
from gateway.doors.configuration import Configuration
from gateway.doors.evaluating.case import NewCase
from gateway.doors.evaluating.run import Imported
from gateway.doors.explaining import Explained
from gateway.doors.keys import KeyBackup, KeyList
from gateway.doors.mcp.install import ClientConfig
from gateway.doors.policy_input import PolicyDiff
from gateway.doors.release_work import ShadowReport
from gateway.doors.shapes import AskReport, LayerDiff, NewProject
from gateway.ladder.view import ClassView, ReleaseList, Sweep
from gateway.replay.sample import ReplaySample
from gateway.replay.side_by_side import TraceDifference
from gateway.reply import (
    AttestReport,
    CheckpointNotes,
    DraftReply,
    MetricCard,
    MetricList,
    Readiness,
    Refusal,
    ReplayReport,
    Reply,
    SqlReport,
    TraceList,
    TraceView,
    Verification,
)
from gateway.reviews.view import Calibration, HoldList, HoldView
from gateway.tracing.explained import WhyReport
from gateway.tracing.found import Export, FoundTraces, IndexBuilt
from metric_layer.interchange.importing import ImportReport
from policies.labelled import LabelReport

DRAFT = "https://json-schema.org/draft/2020-12/schema"
VERBS: Mapping[str, tuple[type[BaseModel], ...]] = {
    "init": (NewProject,),
    "demo": (TourReport,),
    "metrics list": (MetricList,),
    "metrics show": (MetricCard, Refusal),
    "metrics validate": (Validation,),
    "metrics diff": (LayerDiff,),
    "metrics attest": (AttestReport,),
    "metrics choices": (ChoiceList, Refusal),
    "metrics import": (ImportReport, Refusal),
    "ask": (Reply, AskReport),
    "analyses list": (AnalysisList,),
    "analyses run": (AnalysisReply, Refusal),
    "analyses accept": (AcceptedAnalysis, Refusal),
    "check-answer": (DraftReply,),
    "sql check": (SqlReport, Refusal),
    "review list": (HoldList, Refusal),
    "review show": (HoldView, Refusal),
    "review decide": (HoldView, Refusal),
    "review calibration": (Calibration, Refusal),
    "release list": (ReleaseList, Refusal),
    "release show": (ClassView, Refusal),
    "release promote": (ClassView, Refusal),
    "release demote": (ClassView, Refusal),
    "release shadow": (ShadowReport, Refusal),
    "release check": (Sweep, Refusal),
    "policy test": (LabelReport, Refusal),
    "policy diff": (PolicyDiff, Refusal),
    "trace list": (TraceList,),
    "trace show": (TraceView, Refusal),
    "trace verify": (Verification,),
    "trace checkpoint": (CheckpointNotes,),
    "trace diff": (TraceDifference, Refusal),
    "trace find": (FoundTraces, Refusal),
    "trace why": (WhyReport, Refusal),
    "trace index": (IndexBuilt,),
    "trace export": (Export,),
    "trace unseal": (TraceView, Refusal),
    "trace erase": (Erasure, TraceErasure, Refusal),
    "trace named": (NamedTraces, Refusal),
    "trace hold": (HoldOnSubject, Refusal),
    "trace retain": (Retirement, Refusal),
    "keys list": (KeyList,),
    "keys rotate": (Rotation, Refusal),
    "keys backup": (KeyBackup, Refusal),
    "keys restore": (KeyBackup, Refusal),
    "token create": (NewToken,),
    "token revoke": (TokenLine,),
    "token list": (TokenList,),
    "discover": (DiscoveryReport, Refusal),
    "discover accept": (Decided, Refusal),
    "mcp install": (ClientConfig, Refusal),
    "explain": (Explained, Refusal),
    "config show": (Configuration,),
    "replay": (ReplayReport, ReplaySample, Refusal),
    "doctor": (Readiness,),
    "eval run": (EvalReport, Refusal),
    "eval score": (EvalReport, Refusal),
    "eval report": (EvalReport, Refusal),
    "eval compare": (Comparison,),
    "eval import": (Imported,),
    "eval case": (NewCase, Refusal),
    "eval firing": (Firing, Refusal),
    "eval stef": (StefReport, AgainstFamilies, Marks, Refusal),
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
