"""The evidence of one answer as values: what was asked, told, run and kept, and every check's verdict."""

from datetime import datetime
from typing import Literal

from gateway.charts.plot import Plot
from gateway.json_cells import JsonCell
from metric_layer.issues import Issue
from metric_layer.record import Record
from metric_layer.resolved import OutputColumn
from traces.records import Actual, Citation, Decision, Estimate, Outcome, Pins, Receipt, Shape


class MetricSource(Record):
    """A metric an answer rests on, as it was defined then. `remark` says what cannot be shown, and why."""

    name: str
    version: int
    owner: str
    label: str
    asked: bool
    description: str = ""
    formula: str = ""
    unit: str = ""
    remark: str = ""


class EvidenceTable(Record):
    """Rows of a result as policy shows them: printed, and exact as JSON carries them without loss.

    `numbers` are their 0-based places among the `height` rows of the whole result.
    """

    columns: tuple[OutputColumn, ...]
    height: int
    numbers: tuple[int, ...]
    printed: tuple[tuple[str, ...], ...]
    exact: tuple[tuple[JsonCell, ...], ...]


class Attempt(Record):
    """A draft that was checked against this answer, without its text."""

    number: int
    at: datetime
    outcome: str
    cited: int
    refused: tuple[Decision, ...] = ()


class Asked(Record):
    """What was asked and when (UTC); `asker` is a name for the asker themself, a pseudonym for an auditor."""

    at: datetime
    asker: str
    own: bool
    role: str
    client: str
    metrics: tuple[str, ...] = ()
    period: str = ""
    filters: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()


class Told(Record):
    """The text that left, with a citation per number; `withheld` says why there is none."""

    text: str = ""
    citations: tuple[Citation, ...] = ()
    notes: tuple[str, ...] = ()
    withheld: str = ""


class Ran(Record):
    """What was sent to the database: what it would cost, what it took, what came back without its values."""

    sql: str = ""
    estimate: Estimate | None = None
    actual: Actual | None = None
    shape: Shape | None = None


class Kept(Record):
    """The rows, while they are kept, and plots of those rows alone; `no_table` and `no_plot` say why not."""

    table: EvidenceTable | None = None
    kept_until: datetime | None = None
    no_table: str = ""
    plots: tuple[Plot, ...] = ()
    no_plot: str = ""


class Evidence(Record):
    """Everything that stands behind one answer, as far as its reader may see it.

    `sent` is the last draft of the calling agent that passed, as it was printed; None where none did.
    """

    trace_id: str
    outcome: Outcome | Literal["unfinished"]
    asked: Asked
    told: Told = Told()
    sent: Told | None = None
    metrics: tuple[MetricSource, ...] = ()
    ran: Ran = Ran()
    kept: Kept
    decisions: tuple[Decision, ...] = ()
    issues: tuple[Issue, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    pins: Pins | None = None
    receipt: Receipt | None = None
