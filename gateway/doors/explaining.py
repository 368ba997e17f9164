"""What a code, a check or an outcome means, for somebody who met it and asks."""

import inspect
import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Literal, TypeVar, get_args

from gateway.doors.status import DRAFTS, OUTCOMES, DoorStatus
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

Kind = Literal["issue", "check", "outcome", "draft outcome", "span of a draft"]
_PAGES: dict[Kind, str] = {
    "issue": "docs/codes.md",
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
            yield Meaning(kind="check", says=(says,), stage=stage, page=_PAGES["check"])
    for kind, table in _OUTCOMES:
        if code in table:
            http, status, _ = table[code]
            says = f"Leaves HTTP with status {http} and the command line with {status}."
            yield Meaning(kind=kind, says=(says,), http=http, exit=status, page=_PAGES[kind])
    if code in get_args(SpanCode):
        says = "What a draft check says of a span that has no source."
        yield Meaning(kind="span of a draft", says=(says,), page=_PAGES["span of a draft"])
    issue = _issues().get(code)
    if issue:
        yield Meaning(
            kind="issue",
            says=tuple(issue["sentences"]),
            next_steps=tuple(issue["next_steps"]),
            page=_PAGES["issue"],
        )


_OUTCOMES: tuple[tuple[Kind, dict[str, DoorStatus]], ...] = (
    ("outcome", {str(name): row for name, row in OUTCOMES.items()}),
    ("draft outcome", {str(name): row for name, row in DRAFTS.items()}),
)


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


def _issues() -> dict[str, dict[str, list[str]]]:
    text = files("gateway.doors").joinpath("codes.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, list[str]]] = json.loads(text)
    return found


def known_codes() -> Iterator[str]:
    """Yield every check, outcome, span and issue code."""
    yield from (name for name, _, _ in _checks())
    for _, table in _OUTCOMES:
        yield from table
    yield from get_args(SpanCode)
    yield from _issues()
