"""The policy as data: who may ask what, the lists, the budgets, the limits and the stages."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.plan import Filter
from metric_layer.record import Record

PersonalRule = Literal["deny", "mask", "aggregate"]
RELEASE_CLASSES = ("governed", "free")
"""The classes of question that a policy releases: plans over metrics, and free SQL."""
MOST_COUNTED = 10**18
"""The largest count of bytes, rows or units of cost: it fits a signed 64-bit number."""
DAY = 86_400
WEEK_MINUTES = 10_080

ReleaseStage = Literal["dry_run", "shadow", "reviewed", "autonomous"]


class Lines(Record):
    """A budget: above `warn` a question is held, above `hard` it is denied."""

    warn: Annotated[int, Field(gt=0, le=MOST_COUNTED)]
    hard: Annotated[int, Field(gt=0, le=MOST_COUNTED)]


class Measures(Record):
    """Lines on bytes and rows that would be read, and on the engine's own unit of cost."""

    bytes: Lines | None = None
    rows: Lines | None = None
    cost: Lines | None = None


class Budget(Measures):
    """Lines per question; `day` holds those on all questions of one user and one day (UTC) together."""

    day: Measures = Measures()
    join_growth: Annotated[float, Field(gt=1, le=1e9)] = 10.0
    join_rows: Annotated[int, Field(gt=0, le=MOST_COUNTED)] = 1_000_000
    unknown: Literal["hold", "hard_caps"] = "hold"


class RowCaps(Record):
    """What a run may return and take, whatever the estimate said."""

    rows: Annotated[int, Field(ge=1, le=10_000_000)] = 10_000
    bytes: Annotated[int, Field(ge=1, le=10_000_000_000)] = 50_000_000
    seconds: Annotated[float, Field(gt=0, le=DAY)] = 30.0
    memory_mb: Annotated[int, Field(ge=64, le=16_777_216)] = 1024
    spill_mb: Annotated[int, Field(ge=0, le=16_777_216)] = 2048


class Role(Record):
    """What a role may ask and see.

    `rows` restricts every dataset that reaches the named dimension to the rows the filter keeps; the rule is
    generated into the engine. A dataset that is not listed does not exist for the role. `personal` maps a
    column tag to its rule; a tag that is not named is `deny`.
    """

    metrics: tuple[str, ...] = ("*",)
    datasets: Annotated[tuple[str, ...], Field(min_length=1)]
    hidden_columns: tuple[str, ...] = ()
    rows: tuple[Filter, ...] = ()
    personal: Mapping[str, PersonalRule] = {}
    budget: Budget | None = None
    may: tuple[Literal["ask", "check_sql", "audit", "evaluate"], ...] = ("ask",)


class AnswerRules(Record):
    """How drafts are judged: attempts, the chance line per number, the smallest group shown in traces."""

    attempts: Annotated[int, Field(ge=1, le=20)] = 3
    chance: Annotated[float, Field(gt=0, le=1)] = 0.01
    min_group: Annotated[int, Field(ge=1, le=1_000_000)] = 5


class ReadingRules(Record):
    """What of a result leaves towards a caller or a model. The whole result stays in the result store.

    `show` gives the first `rows` rows, as many spread evenly over the result, or none at all; a plan that
    names its own `limit` sees up to `most_rows`. `characters` bounds the whole reply as JSON. A figure of a
    group of fewer than `min_group` is hidden where the role's rule for a tag is `aggregate`.
    """

    show: Literal["first", "sample", "none"] = "first"
    rows: Annotated[int, Field(ge=1, le=1000)] = 50
    most_rows: Annotated[int, Field(ge=1, le=1000)] = 1000
    characters: Annotated[int, Field(ge=2_000, le=10_000_000)] = 25_000
    min_group: Annotated[int, Field(ge=1, le=1_000_000)] = 5


class EvidenceRules(Record):
    """When the rows of a question's joins are counted beside it, to prove that none was lost or repeated.

    `first_use` counts once per question and state of the data, unless every key it joins on is attested for
    that state; where the database cannot say which state it is, an attestation counts for `attested_hours`.
    """

    guard: Literal["first_use", "always", "never"] = "first_use"
    attested_hours: Annotated[float, Field(gt=0, le=8_760)] = 24


class TextLimits(Record):
    """Size limits on SQL text, counted on tokens before any parser runs."""

    characters: Annotated[int, Field(ge=100, le=1_000_000)] = 65_536
    nesting: Annotated[int, Field(ge=1, le=200)] = 100
    subscripts: Annotated[int, Field(ge=1, le=1_000)] = 50
    generated_rows: Annotated[int, Field(ge=1, le=1_000_000_000)] = 100_000
    recursion_steps: Annotated[int, Field(ge=1, le=1_000_000_000)] = 10_000


class Policy(Record):
    """One immutable policy. `functions_extra` adds reviewed functions per dialect to the shipped lists.

    `definitions` lists what may be asked besides metrics that are certified and in effect. `class_budgets`
    are lines per question of a class (`governed`, `free`), beside those of the role.
    """

    name: Annotated[str, Field(min_length=1)]
    owner: str = ""
    roles: Annotated[Mapping[str, Role], Field(min_length=1)]
    budget: Budget = Budget()
    class_budgets: Mapping[str, Measures] = {}
    caps: RowCaps = RowCaps()
    text: TextLimits = TextLimits()
    answers: AnswerRules = AnswerRules()
    reading: ReadingRules = ReadingRules()
    evidence: EvidenceRules = EvidenceRules()
    definitions: tuple[Literal["draft", "expired"], ...] = ()
    functions_extra: Mapping[str, tuple[str, ...]] = {}
    judgeable: tuple[str, ...] = ("join_key", "join_growth")
    hold_minutes: Annotated[int, Field(ge=1, le=WEEK_MINUTES)] = 60
    release: Mapping[str, ReleaseStage] = {}

    def stage_of(self, release_class: str) -> ReleaseStage:
        """Return how far a class of questions is released; a class that is not named runs dry."""
        return self.release.get(release_class, "dry_run")
