"""The judge verb: a typed question about one soft or held finding in, probabilities over its answers out.

A hard finding cannot be put to a judge: `Judgeable` takes no such verdict, and nothing else is asked about.
The text of a question is written here, once per check. What comes from outside (words, values, definitions,
SQL) stands in named fields beside it and never inside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Annotated, Literal, Protocol

from pydantic import Field

from metric_layer.record import Record
from policies.judge_policy import FindingRule, JudgeRule
from traces.records import Decision, Stage

TOLERANCE = 0.005
"""How far the probabilities of one answer may be from adding up to one."""
Ruling = Literal["allow", "deny", "between"]


class YesNo(Record):
    """A question with the answers yes and no. `allows` are the answers that let the finding pass."""

    kind: Literal["yes_no"] = "yes_no"
    text: str
    allows: tuple[Literal["yes", "no"], ...] = ("yes",)

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the answers, each of which gets a probability."""
        return ("yes", "no")


class Choice(Record):
    """A choice of one of fixed options."""

    kind: Literal["choice"] = "choice"
    text: str
    options: Annotated[tuple[str, ...], Field(min_length=2)]
    allows: tuple[str, ...]

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the answers, each of which gets a probability."""
        return self.options


class Score(Record):
    """A score on levels that go from worst to best."""

    kind: Literal["score"] = "score"
    text: str
    levels: Annotated[tuple[str, ...], Field(min_length=2)]
    allows: tuple[str, ...]

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the answers, each of which gets a probability."""
        return self.levels


Question = YesNo | Choice | Score

_ROWS = "Would this statement give the figures that were asked for, none of them counted more than once?"
_COST = "Is what was asked worth what this query would cost?"
_CLAIM = "Do the rows of the result bear this claim out?"
QUESTIONS: Mapping[str, Question] = MappingProxyType(
    {
        "join_key": YesNo(text=_ROWS),
        "cross_join": YesNo(text=_ROWS),
        "fan_out": YesNo(text=_ROWS),
        "date_filter": YesNo(text=_COST),
        "select_star": YesNo(text="Is every column that this statement would read needed?"),
        "budget": YesNo(text=_COST),
        "day_budget": YesNo(text=_COST),
        "full_scan": YesNo(text=_COST),
        "join_growth": YesNo(text=_ROWS),
        "second_opinion": YesNo(text="May the database read the relations that the statement does not name?"),
        "row_conservation": YesNo(text="May this run although the rows of its joins cannot be counted?"),
        "stale_attestation": YesNo(text="Are the keys that this question joins on still keys of their data?"),
        "definition_status": YesNo(text="May this definition be used although it is not in force?"),
        "model_plan": YesNo(text="Does this plan, or this statement, answer the question that was asked?"),
        "nearby_question": Score(
            text="How near is the question that would be answered to the one that was asked?",
            levels=("another question", "a part of it", "the same but for its words", "the same"),
            allows=("the same but for its words", "the same"),
        ),
        "claims": Choice(
            text=_CLAIM,
            options=("the rows bear it out", "the rows speak against it", "the rows do not tell"),
            allows=("the rows bear it out",),
        ),
    }
)
"""The question per check. A check that stands nowhere here is put to no judge; a person can decide it."""
PEOPLE_ONLY = frozenset(("release",))
"""Checks whose findings a person decides, whatever the policy says: free SQL is always reviewed."""
FIELDS = ("reason", "seen", "threshold", "place", "words", "plan", "sql", "definitions", "draft")
"""The named fields of every request, empty ones too, so that a request has one shape."""


class Judgeable(Record):
    """A finding that somebody may decide. There is no such record of a hard one: its verdict has no room."""

    check: str
    stage: Stage
    verdict: Literal["soft", "hold"]
    reason: str
    seen: str = ""
    threshold: str = ""
    place: str = ""
    amount: float | None = None


class Request(Record):
    """What a judge is asked: the question of the finding's check and the fields that it is about."""

    check: str
    question: Question
    fields: Mapping[str, str]


class Opinion(Record):
    """Probabilities over the answers of a question; `chance` is that of the answers that allow."""

    probabilities: Mapping[str, float]
    chance: float


class JudgeFault(Exception):
    """A judge gave no answer that can be used. `code` says how: down, slow, malformed or out_of_range."""

    def __init__(self, code: str, message: str) -> None:
        """Keep the code beside the message."""
        super().__init__(message)
        self.code = code


class Judge(Protocol):
    """Somebody, or something, that answers a typed question with probabilities."""

    def ask(self, request: Request) -> Opinion:
        """Answer within its own time limit. Raises JudgeFault, and nothing else."""
        ...


@dataclass(frozen=True, slots=True)
class Case:
    """What the fields of a request are filled from, and what rules look at."""

    role: str
    metrics: tuple[str, ...] = ()
    words: str = ""
    plan: str = ""
    sql: str = ""
    definitions: str = ""
    draft: str = ""


def judgeable(decision: Decision) -> Judgeable | None:
    """Return a finding as a judge may see it, or None where no judge decides: it allows, or it is hard."""
    if decision.verdict not in ("soft", "hold"):
        return None
    return Judgeable(
        check=decision.check,
        stage=decision.stage,
        verdict=decision.verdict,
        reason=decision.reason,
        seen=decision.seen,
        threshold=decision.threshold,
        place=decision.place,
        amount=decision.amount,
    )


def request_of(finding: Judgeable, case: Case) -> Request | None:
    """Put a finding as a question; None for a check that no judge is asked about."""
    question = QUESTIONS.get(finding.check)
    if question is None:
        return None
    said = {
        "reason": finding.reason,
        "seen": finding.seen,
        "threshold": finding.threshold,
        "place": finding.place,
        "words": case.words,
        "plan": case.plan,
        "sql": case.sql,
        "definitions": case.definitions,
        "draft": case.draft,
    }
    return Request(check=finding.check, question=question, fields={name: said[name] for name in FIELDS})


def opinion_of(question: Question, probabilities: Mapping[str, object]) -> Opinion:
    """Check an answer: one probability per answer, each in [0, 1], adding up to one. Raises JudgeFault."""
    answers = question.answers
    if set(probabilities) != set(answers):
        raise JudgeFault("malformed", "the answer does not give one probability for each answer")
    found: dict[str, float] = {}
    for name in answers:
        value = probabilities[name]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise JudgeFault("malformed", "a probability of the answer is no number")
        if not isfinite(value) or not 0 <= value <= 1:
            raise JudgeFault("out_of_range", "a probability of the answer is not between 0 and 1")
        found[name] = float(value)
    if abs(sum(found.values()) - 1) > TOLERANCE:
        raise JudgeFault("out_of_range", "the probabilities of the answer do not add up to 1")
    chance = min(1.0, sum(found[name] for name in question.allows))
    return Opinion(probabilities=found, chance=chance)


def rule(chance: float, of: FindingRule) -> Ruling:
    """Return what a probability comes to between the two thresholds; without both a person decides."""
    if of.allow_at is None or of.deny_at is None:
        return "between"
    if chance >= of.allow_at:
        return "allow"
    return "deny" if chance <= of.deny_at else "between"


class RulesJudge:
    """The judge `rules`: certain where one of the policy's rules is met, undecided where none is."""

    def __init__(self, rules: Sequence[JudgeRule], finding: Judgeable, case: Case) -> None:
        self._rules = rules
        self._finding = finding
        self._case = case

    def ask(self, request: Request) -> Opinion:
        """Answer by the first rule that is met."""
        met = next((each.verdict for each in self._rules if self._is_met(each)), "")
        return _certain(request.question, met)

    def _is_met(self, each: JudgeRule) -> bool:
        case, amount = self._case, self._finding.amount
        if each.roles and case.role not in each.roles:
            return False
        if each.metrics and not (case.metrics and set(case.metrics) <= set(each.metrics)):
            return False
        return each.most is None or (amount is not None and amount <= each.most)


def _certain(question: Question, verdict: str) -> Opinion:
    """Return all the probability on the answers that allow, on those that do not, or half on each side."""
    allows = question.allows
    denies = tuple(name for name in question.answers if name not in allows)
    share = {"allow": 1.0, "deny": 0.0}.get(verdict, 0.5)
    found = {name: share / len(allows) for name in allows}
    found |= {name: (1 - share) / len(denies) for name in denies}
    return Opinion(probabilities={name: found[name] for name in question.answers}, chance=share)
