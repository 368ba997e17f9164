"""What a check may look at: one frozen view per stage, and the finding it answers with."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Catalogue, Reading
from policies.policy import Policy, Role
from traces.records import Caller, Estimate, Grounding, Origin, Stage, Verdict


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's word. `span` is a range of the text sent; `retry` says whether a new query may be tried."""

    verdict: Verdict
    reason: str
    seen: str = ""
    threshold: str = ""
    place: str = ""
    span: tuple[int, int] | None = None
    candidates: tuple[str, ...] = ()
    next_step: str = ""
    retry: bool = False


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """A plan as it came and what resolving it said."""

    caller: Caller
    role_name: str
    role: Role | None
    policy: Policy
    plan: MetricPlan | None
    issues: tuple[Issue, ...]
    release_class: str
    dry_run: bool


@dataclass(frozen=True, slots=True)
class SqlFacts:
    """A reading of the SQL text, and what role and policy allow. `resolved` is None for free SQL."""

    origin: Origin
    policy: Policy
    catalogue: Catalogue
    reading: Reading
    resolved: ResolvedPlan | None


@dataclass(frozen=True, slots=True)
class CostFacts:
    """The database's estimate beside the lines it has to stay under."""

    role: Role
    policy: Policy
    catalogue: Catalogue
    estimate: Estimate


Facts = TypeVar("Facts")


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What grounding found in one draft."""

    grounding: Grounding


@dataclass(frozen=True, slots=True)
class Check(Generic[Facts]):
    """A named pure function from facts to findings; no finding means it allows."""

    id: str
    stage: Stage
    run: Callable[[Facts], Iterable[Finding]]
