"""What a code, a check or an outcome means, for somebody who met it and asks."""

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar, get_args

from evals.words import CEILINGS, FAULTS, NOT_ASKED
from gateway.doors.meanings import DRAFTS_SAY, NOTICES_SAY, OUTCOMES_SAY, SQL_SAYS, Advice
from gateway.doors.status import DRAFTS, OUTCOMES, SQL_VERDICTS, DoorStatus
from gateway.reply import Refusal, ReplyIssue
from metric_layer.record import Record
from metric_layer.vocabulary import near
from policies.facts import Check
from policies.register import (
    ANSWER_CHECKS,
    COST_CHECKS,
    DIFFERENCE_CHECKS,
    GUARD_CHECKS,
    PLAN_CHECKS,
    SQL_CHECKS,
)
from traces.grounding import SpanCode
from traces.records import Stage

F = TypeVar("F")

Kind = Literal[
    "issue",
    "check",
    "finding",
    "outcome",
    "draft outcome",
    "verdict",
    "span of a draft",
    "import",
    "eval report",
    "notice",
]
_PAGES: dict[Kind, str] = {
    "issue": "docs/codes.md",
    "finding": "docs/codes.md",
    "verdict": "docs/codes.md",
    "import": "docs/interchange.md",
    "eval report": "docs/codes.md",
    "notice": "docs/reviews.md",
    "check": "docs/checks.md",
    "outcome": "docs/codes.md",
    "draft outcome": "docs/codes.md",
    "span of a draft": "docs/grounding.md",
}


class Meaning(Record):
    """One meaning of a code: what it says, what helps, and how it leaves each door."""

    kind: Kind
    says: tuple[str, ...]
    next_steps: tuple[str, ...] = ()
    stage: str = ""
    http: int | None = None
    exit: int | None = None
    page: str


class Explained(Record):
    """All meanings of a code."""

    code: str
    meanings: tuple[Meaning, ...]


def explain(code: str) -> Explained | Refusal:
    """Return what a code means wherever it is used, or near codes for one that nobody says."""
    found = tuple(_meanings(code))
    if found:
        return Explained(code=code, meanings=found)
    candidates = near(code, tuple(known_codes()))
    step = (
        f"Did you mean {candidates[0]}?" if candidates else "docs/codes.md and docs/checks.md list them all."
    )
    issue = ReplyIssue(
        code="unknown_code",
        message=f"Nothing here says {code!r}.",
        stage="input",
        seen=code,
        candidates=candidates,
        next_step=step,
    )
    return Refusal(issues=(issue,))


def _meanings(code: str) -> Iterator[Meaning]:
    for name, stage, says in _checks():
        if name == code:
            steps = tuple(_written()["check"][code]["next_steps"])
            yield Meaning(kind="check", says=(says,), next_steps=steps, stage=stage, page=_PAGES["check"])
    for kind, table, advices in _OUTCOMES:
        if code in table:
            yield _outcome(kind, table[code], advices[code])
    if code in get_args(SpanCode):
        says = "What a draft check says of a span that has no source."
        yield Meaning(kind="span of a draft", says=(says,), page=_PAGES["span of a draft"])
    if code in EVAL_WORDS:
        yield Meaning(kind="eval report", says=(EVAL_WORDS[code],), page=_PAGES["eval report"])
    if code in NOTICES_SAY:
        says, step = NOTICES_SAY[code]
        yield Meaning(kind="notice", says=(says,), next_steps=(step,), page=_PAGES["notice"])
    for written in _WRITTEN:
        found = _written()[written].get(code)
        if found:
            says_all, steps = tuple(found["sentences"]), tuple(found["next_steps"])
            yield Meaning(kind=written, says=says_all, next_steps=steps, page=_PAGES[written])


def _outcome(kind: Kind, row: DoorStatus, advice: Advice) -> Meaning:
    leaves = f"Leaves HTTP with status {row.http} and the command line with {row.exit}."
    return Meaning(
        kind=kind,
        says=(advice.says, leaves),
        next_steps=(advice.step,) if advice.step else (),
        http=row.http,
        exit=row.exit,
        page=_PAGES[kind],
    )


_OUTCOMES: tuple[tuple[Kind, Mapping[str, DoorStatus], Mapping[str, Advice]], ...] = (
    (
        "outcome",
        {str(name): row for name, row in OUTCOMES.items()},
        {str(name): row for name, row in OUTCOMES_SAY.items()},
    ),
    (
        "draft outcome",
        {str(name): row for name, row in DRAFTS.items()},
        {str(name): row for name, row in DRAFTS_SAY.items()},
    ),
    (
        "verdict",
        {str(name): row for name, row in SQL_VERDICTS.items()},
        {str(name): row for name, row in SQL_SAYS.items()},
    ),
)
_WRITTEN: tuple[Kind, ...] = ("issue", "finding", "import")
EVAL_WORDS: Mapping[str, str] = {**CEILINGS, **FAULTS, **NOT_ASKED}


def _checks() -> Iterator[tuple[str, Stage, str]]:
    """Yield (id, stage, what it does) of every check."""
    yield from _told(PLAN_CHECKS)
    yield from _told(SQL_CHECKS)
    yield from _told(COST_CHECKS)
    yield from _told(GUARD_CHECKS)
    yield from _told(DIFFERENCE_CHECKS)
    yield from _told(ANSWER_CHECKS)


def _told(checks: Sequence[Check[F]]) -> Iterator[tuple[str, Stage, str]]:
    for check in checks:
        yield check.id, check.stage, (inspect.getdoc(check.run) or "").partition("\n")[0]


@cache
def _written() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Return what is read from the source at release: kind, code, and its sentences and next steps."""
    text = files("gateway.doors").joinpath("codes.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, dict[str, list[str]]]] = json.loads(text)
    return found


def known_codes() -> Iterator[str]:
    """Yield every check, outcome, verdict, span, word of an eval report, notice, issue and finding."""
    yield from (name for name, _, _ in _checks())
    for _, table, _ in _OUTCOMES:
        yield from table
    yield from get_args(SpanCode)
    yield from EVAL_WORDS
    yield from NOTICES_SAY
    for kind in _WRITTEN:
        yield from _written()[kind]
