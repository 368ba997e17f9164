"""What the answer check says of a draft: a verdict, its citations, and every thing found wrong."""

from typing import Literal

from metric_layer.record import Record
from traces.records import Cell, Citation

SpanCode = Literal[
    "no_source",
    "undeclared_derivation",
    "wrong_cell",
    "precision",
    "unit",
    "sign",
    "residual",
    "control_characters",
    "unknown_label",
    "null_as_value",
    "window",
    "filter",
    "metric_name",
    "claim",
    "bad_declaration",
    "bad_slot",
    "cut_result",
    "too_large",
]


class SpanFinding(Record):
    """One thing wrong with a draft: where it is, what it says, where it really belongs, what to do."""

    code: SpanCode
    start: int
    end: int
    text: str
    message: str
    belongs_to: Cell | None = None
    expected: str = ""
    next_step: str = ""


class Grounding(Record):
    """What the answer check found. `text` is the draft with its slots printed; `flags` names the claims seen.

    `fixed_message` means the result held no figure, so the fixed text replaces whatever the draft said.
    `settled` says which claims code itself decided, and how.
    """

    verdict: Literal["pass", "block", "fixed_message", "hold"]
    text: str
    citations: tuple[Citation, ...] = ()
    findings: tuple[SpanFinding, ...] = ()
    flags: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
