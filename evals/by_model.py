"""What each model gets wrong: its calls by purpose, why replies were not taken, which checks fired."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from metric_layer.record import Record
from traces.records import ModelCall


class PurposeRates(Record):
    """The calls of one model for one purpose. `reasons` counts what kept replies from being taken."""

    purpose: str
    calls: int
    used: int
    rejected: int
    unreadable: int
    failed: int
    reasons: Mapping[str, int]
    tokens_in: int
    tokens_out: int
    ms: int


class ModelRates(Record):
    """One model, by name and parameters. `fired` counts its questions in which a check fired at the end."""

    model: str
    questions: int
    outcomes: Mapping[str, int]
    purposes: tuple[PurposeRates, ...]
    fired: Mapping[str, int]


class FiringByModel(Record):
    """Every model on record; `questions` are those that one took part in."""

    questions: int
    models: tuple[ModelRates, ...]


@dataclass(frozen=True, slots=True)
class Worked:
    """A question that a model took part in: its calls, drafts included, its outcome, checks that fired."""

    model: str
    calls: tuple[ModelCall, ...]
    outcome: str
    fired: tuple[str, ...]


def firing_by_model(questions: Iterable[Worked]) -> FiringByModel:
    """Count what became of the replies of each model. Milliseconds are the mean of a call."""
    of: dict[str, list[Worked]] = defaultdict(list)
    for question in questions:
        of[question.model].append(question)
    return FiringByModel(
        questions=sum(map(len, of.values())),
        models=tuple(_rates(model, worked) for model, worked in sorted(of.items())),
    )


def _rates(model: str, worked: list[Worked]) -> ModelRates:
    calls: dict[str, list[ModelCall]] = defaultdict(list)
    for each in worked:
        for call in each.calls:
            calls[call.purpose].append(call)
    return ModelRates(
        model=model,
        questions=len(worked),
        outcomes=_counted(each.outcome for each in worked),
        purposes=tuple(_purpose(purpose, made) for purpose, made in sorted(calls.items())),
        fired=_counted(check for each in worked for check in dict.fromkeys(each.fired)),
    )


def _purpose(purpose: str, calls: list[ModelCall]) -> PurposeRates:
    ended = Counter(call.outcome for call in calls)
    return PurposeRates(
        purpose=purpose,
        calls=len(calls),
        used=ended["used"],
        rejected=ended["rejected"],
        unreadable=ended["unreadable"],
        failed=ended["failed"],
        reasons=_counted(
            why for call in calls for why in (*call.checks, *((call.fault,) if call.fault else ()))
        ),
        tokens_in=sum(call.tokens_in for call in calls),
        tokens_out=sum(call.tokens_out for call in calls),
        ms=sum(call.ms for call in calls) // len(calls),
    )


def _counted(names: Iterable[str]) -> Mapping[str, int]:
    """Return how often each name stands, the most frequent first, equals by name."""
    return dict(sorted(Counter(names).items(), key=lambda found: (-found[1], found[0])))
