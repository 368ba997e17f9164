"""What a check may look at: one frozen view per stage, and the finding it answers with."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Catalogue, Reading
from policies.policy import Budget, Policy, ReleaseStage, Role
from traces.grounding import Grounding
from traces.records import Caller, Estimate, Origin, Spent, Stage, Verdict


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's word. `span` is a range of the text sent; `retry` says whether a new query may be tried.

    `amount` is the measured number behind `seen`, where there is one.
    """

    verdict: Verdict
    reason: str
    seen: str = ""
    threshold: str = ""
    place: str = ""
    span: tuple[int, int] | None = None
    candidates: tuple[str, ...] = ()
    next_step: str = ""
    retry: bool = False
    amount: float | None = None


@dataclass(frozen=True, slots=True)
class SuspectKey:
    """A declared key that a join rests on; `query` shows the rows that repeat it."""

    relationship: str
    dataset: str
    columns: str
    query: str
    repeated: int = 0


@dataclass(frozen=True, slots=True)
class GuardedBranch:
    """What the guard counted for the aggregates of one fact: rows once joined, and the fact's own rows."""

    leaves: str
    joined: int
    own: int
    suspects: tuple[SuspectKey, ...]


@dataclass(frozen=True, slots=True)
class GuardFacts:
    """What is known of the joins of a question. `skipped` says why nothing was counted, `blocked` why not.

    Counts below `smallest` are not told.
    """

    branches: tuple[GuardedBranch, ...] = ()
    skipped: str = ""
    blocked: str = ""
    smallest: int = 1


@dataclass(frozen=True, slots=True)
class DifferenceFacts:
    """How many earlier questions of the asker differ from this one by fewer people than `smallest`.

    `within` says that two figures of the question itself do.
    """

    near: int = 0
    within: bool = False
    smallest: int = 1


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """A plan as it came and what resolving it said. `broken_keys` were found not to be keys.

    `stale_keys` are relationships without a recent attestation, `unsettled` metrics that are not in force.
    `stage` is the one in force for the class; None where only the policy says it.
    """

    caller: Caller
    role_name: str
    role: Role | None
    policy: Policy
    plan: MetricPlan | None
    issues: tuple[Issue, ...]
    release_class: str
    dry_run: bool
    broken_keys: tuple[SuspectKey, ...] = ()
    stale_keys: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    stage: ReleaseStage | None = None


@dataclass(frozen=True, slots=True)
class SqlFacts:
    """A reading of the SQL text, and what role and policy allow. `resolved` is None for free SQL.

    It is None as well for the statement that counts the joins of a plan; that plan is `counted` then.
    """

    origin: Origin
    policy: Policy
    catalogue: Catalogue
    reading: Reading
    resolved: ResolvedPlan | None
    counted: ResolvedPlan | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the database reads, calls or computes with that our reading of the statement does not hold.

    Without `one_select` it counts something else than one SELECT.
    """

    relations: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    one_select: bool = True

    @property
    def parts(self) -> bool:
        """Say whether the two readings part; columns alone are an alarm, as engines add some."""
        return bool(self.relations or self.functions) or not self.one_select


AGREED = Opinion()


@dataclass(frozen=True, slots=True)
class CostFacts:
    """The database's estimate beside the lines it has to stay under. Without `day` no day is counted.

    `opinion` is where the database's own reading of the statement is another one than ours.
    """

    role: Role
    policy: Policy
    catalogue: Catalogue
    estimate: Estimate
    release_class: str = "governed"
    day: Spent | None = None
    opinion: Opinion = AGREED

    @property
    def budget(self) -> Budget:
        """Return the lines of the role, else those of the policy."""
        return self.role.budget or self.policy.budget


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
