"""What is told of saved analyses: the list, the cards, and the one reply to a call."""

from collections.abc import Mapping

from gateway.json_cells import JsonCell
from gateway.paged import Paged
from gateway.reply import Reply, StepLine
from metric_layer.record import Record
from metric_layer.resolved import OutputColumn
from policies.summary import Summary
from traces.records import AnalysisPin, Estimate, Receipt


class ParameterCard(Record):
    """What a parameter takes, in a sentence and as a JSON Schema.

    `values` are all that it can be, where that is a list.
    """

    name: str
    type: str
    description: str = ""
    required: bool
    default: str = ""
    values: tuple[str, ...] = ()
    takes: str
    accepts: Mapping[str, object]


class AnalysisCard(Record):
    """A saved analysis that the caller may run. `steps` are its queries in order."""

    name: str
    version: int
    owner: str
    description: str
    parameters: tuple[ParameterCard, ...]
    steps: tuple[str, ...]
    metrics: tuple[str, ...]
    example: Mapping[str, object]


class AnalysisList(Paged):
    """The saved analyses that a caller may run. `as_tools` says that each is an MCP tool of its own, too."""

    analyses: tuple[AnalysisCard, ...]
    as_tools: bool = False


class StepReply(StepLine):
    """What became of one step: a question like any other, with a trace of its own."""

    receipt: Receipt | None = None
    sql: str = ""
    estimate: Estimate | None = None
    columns: tuple[OutputColumn, ...] = ()
    rows: tuple[tuple[JsonCell, ...], ...] = ()
    truncated: bool = False
    summary: Summary | None = None
    hold_id: str = ""
    answer: str = ""
    scope: str = ""


class AnalysisReply(Reply):
    """The answer of a saved analysis: one text with citations of every step's trace.

    An analysis is answered whole or not at all: `outcome` is that of the step that stopped it, and the steps
    after it did not run. Where several steps wait, `hold_id` holds the ids of all, parted by commas: the call
    is sent again with all of them as `approval_id` once each is accepted. `trace_id`, plan, SQL and rows are
    the step's own where there is one only.
    """

    analysis: AnalysisPin | None = None
    parameters: Mapping[str, str] = {}
    steps: tuple[StepReply, ...] = ()


class AcceptedAnalysis(Record):
    """An accepted query as the file of a saved analysis; `text` is what stands in it, `sql` the statement."""

    name: str
    file: str = ""
    hold_id: str
    sha256: str
    sql: str = ""
    text: str
