"""Recorded questions beside what a candidate made of them: plans, checks, numbers, cost, in pairs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from evals.firing import FIRED
from gateway.agent.task import CHECK
from gateway.replay.sample import SHOWN
from gateway.reply import Comparison, NumberChange
from metric_layer.record import Record
from traces.records import Close, ModelCall

PlanChange = Literal["same", "changed", "none"]


class Side(Record):
    """One side of a pair: how it ended, which checks fired, what replies were not taken for, what it took."""

    outcome: str
    fired: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    calls: int = 0
    tokens: int = 0
    bytes: int = 0


class CandidateQuestion(Record):
    """A recorded question beside the candidate's. `ran` says that its SQL ran, so numbers are compared.

    `causes` are the pins that explain why it parts, empty where it does not.
    """

    trace_id: str
    at: str
    plan: PlanChange
    recorded: Side
    candidate: Side
    ran: bool = False
    numbers: tuple[NumberChange, ...] = ()
    causes: tuple[str, ...] = ()

    @property
    def parts(self) -> bool:
        """Whether the candidate came to anything else."""
        return self.plan != "same" or bool(self.numbers) or self.recorded.fired != self.candidate.fired


class CandidateReport(Comparison):
    """What asking a candidate gave, over `n` questions that a model had worked on, paired one by one.

    `skipped` counts those that could not be asked, by the reason. Only questions that part are listed.
    `causes` counts why they part.
    """

    verdict: Literal["same", "differs", "nothing"]
    model: str
    prompt: str
    questions: int
    n: int
    plans: Mapping[str, int] = Field(default_factory=dict)
    fired: Mapping[str, tuple[int, int]] = Field(default_factory=dict)
    numbers_compared: int = 0
    numbers_differ: int = 0
    tokens: tuple[int, int] = (0, 0)
    bytes: tuple[int, int] = (0, 0)
    skipped: Mapping[str, int] = Field(default_factory=dict)
    changed: tuple[CandidateQuestion, ...] = ()
    left_off: int = 0
    causes: Mapping[str, int] = Field(default_factory=dict)


def summed_up(
    pairs: Sequence[CandidateQuestion],
    skipped: Mapping[str, int],
    found: int,
    candidate: tuple[str, str],
) -> CandidateReport:
    """Return the report over all pairs; `found` were on record, `candidate` is its model and prompt hash."""
    changed = [pair for pair in pairs if pair.parts]
    compared = [pair for pair in pairs if pair.ran]
    model, prompt = candidate
    return CandidateReport(
        verdict=("differs" if changed else "same") if pairs else "nothing",
        model=model,
        prompt=prompt,
        questions=found,
        n=len(pairs),
        plans=dict(Counter(pair.plan for pair in pairs).most_common()),
        fired=_fired(pairs),
        numbers_compared=len(compared),
        numbers_differ=sum(bool(pair.numbers) for pair in compared),
        tokens=(sum(p.recorded.tokens for p in pairs), sum(p.candidate.tokens for p in pairs)),
        bytes=(sum(p.recorded.bytes for p in pairs), sum(p.candidate.bytes for p in pairs)),
        skipped=dict(skipped),
        changed=tuple(changed[:SHOWN]),
        left_off=max(len(changed) - SHOWN, 0),
        causes=dict(Counter(" + ".join(pair.causes) for pair in changed).most_common()),
    )


def side_of(outcome: str, closes: Sequence[Close], calls: Sequence[ModelCall]) -> Side:
    """Return one side of a pair from its closing records and its calls."""
    decisions = (decision for close in closes for decision in close.decisions)
    fired = (d.check for d in decisions if d.verdict in FIRED and d.check != CHECK)
    sizes = [close.estimate.bytes or 0 for close in closes if close.estimate]
    return Side(
        outcome=outcome,
        fired=tuple(dict.fromkeys(fired)),
        rejected=tuple(check for call in calls for check in call.checks),
        calls=len(calls),
        tokens=sum(call.tokens_in + call.tokens_out for call in calls),
        bytes=sum(sizes),
    )


def _fired(pairs: Sequence[CandidateQuestion]) -> Mapping[str, tuple[int, int]]:
    """Return in how many questions each check fired, rejections included: recorded, with the candidate."""
    before = Counter(check for p in pairs for check in {*p.recorded.fired, *p.recorded.rejected})
    after = Counter(check for p in pairs for check in {*p.candidate.fired, *p.candidate.rejected})
    return {check: (before[check], after[check]) for check in sorted({*before, *after})}
