"""The checks of a question stage by stage, as they are lit on a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from traces.records import Decision, Stage, Verdict

ORDER: tuple[tuple[Stage, str], ...] = (
    ("plan", "Plan"),
    ("sql", "SQL"),
    ("cost", "Cost"),
    ("rows", "Rows"),
    ("answer", "Answer"),
)
GRAVEST: tuple[Verdict, ...] = ("hard", "hold", "soft", "allow", "skipped")


@dataclass(frozen=True, slots=True)
class StageLight:
    """One stage: its gravest verdict, empty where it was not reached, and what each check said."""

    name: str
    verdict: Verdict | None
    allowed: int
    judged: int
    stopped: tuple[Decision, ...]
    decisions: tuple[Decision, ...]


def stages_of(decisions: Sequence[Decision]) -> tuple[StageLight, ...]:
    """Return a light per stage, in the order of the pipeline; nothing where no check was asked at all."""
    return tuple(_light(stage, label, decisions) for stage, label in ORDER) if decisions else ()


def _light(stage: Stage, label: str, decisions: Sequence[Decision]) -> StageLight:
    here = tuple(decision for decision in decisions if decision.stage == stage)
    said = {decision.verdict for decision in here}
    judged = [decision for decision in here if decision.verdict != "skipped"]
    return StageLight(
        name=label,
        verdict=next((verdict for verdict in GRAVEST if verdict in said), None),
        allowed=sum(decision.verdict == "allow" for decision in judged),
        judged=len(judged),
        stopped=tuple(decision for decision in judged if decision.verdict != "allow"),
        decisions=here,
    )
