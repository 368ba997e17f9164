"""What was made of plans: one that was asked before costs a look-up, not a compile and two parses."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from gateway.ground import Scope
from gateway.remembered import Remembered
from metric_layer.compile.watermark import MarkedDays
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Reading
from policies.facts import CostFacts, Opinion
from traces.records import Decision, Estimate, Pins


@dataclass(frozen=True, slots=True)
class Joined:
    """What a plan joins along, and the text of the rows that its guard counts under one role."""

    relationships: tuple[str, ...]
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Priced:
    """What was made of an estimate: whether it reads what we read, and itself as it is recorded.

    It counts for that very estimate alone: an engine that prices anew gives another one.
    """

    estimate: Estimate
    opinion: Opinion
    plain: Estimate


@dataclass(frozen=True, slots=True)
class Costed:
    """What the cost checks said of an estimate; it counts for that very estimate and policy alone."""

    facts: CostFacts
    verdicts: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class KeptPlans:
    """All that is kept of the plans asked of one house, in one: other definitions begin with nothing.

    Only what definitions, policy, role and day decide is here, and what an estimate that comes again does
    with them. What hangs on the asker, their budget of the day, holds, the release in force or the data is
    looked at anew for every question.
    """

    reaches: Remembered[Hashable, frozenset[tuple[str, str]]] = field(default_factory=Remembered)
    resolutions: Remembered[Hashable, ResolvedPlan] = field(default_factory=Remembered)
    statements: Remembered[Hashable, Reading] = field(default_factory=Remembered)
    verdicts: Remembered[Hashable, tuple[Decision, ...]] = field(default_factory=Remembered)
    joins: Remembered[Hashable, Joined] = field(default_factory=Remembered)
    marks: Remembered[Hashable, tuple[MarkedDays, ...]] = field(default_factory=Remembered)
    cheap: Remembered[Hashable, bool] = field(default_factory=Remembered)
    scopes: Remembered[Hashable, Scope] = field(default_factory=Remembered)
    priced: Remembered[Hashable, Priced] = field(default_factory=Remembered)
    costs: Remembered[Hashable, Costed] = field(default_factory=Remembered)
    pins: Remembered[Hashable, Pins] = field(default_factory=Remembered)

    def statement(self, key: Hashable, read: Callable[[], Reading]) -> Reading:
        """Return what was read under a key, else read it; what is kept of it holds no tree."""
        known = self.statements.found(key)
        if known is not None:
            return known
        reading = read()
        self.statements.put(key, reading.to_keep())
        return reading
