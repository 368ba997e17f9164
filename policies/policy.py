"""The policy as data: who may ask what, the lists, the budgets, the limits and the stages."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, StrictBool

from metric_layer.plan import Filter
from metric_layer.record import Record
from policies.agent_policy import AgentRules
from policies.judge_policy import PERSON, FindingRule, ModelJudge
from policies.release import HIGHEST, STAGES, AskedAs, LadderRules, Match, QuestionClass, fits, lower
from policies.release import RELEASE_CLASSES as RELEASE_CLASSES
from policies.release import ReleaseStage as ReleaseStage

PersonalRule = Literal[
    "deny", "mask", "last_four", "first_letter", "domain", "generalise", "hash", "aggregate"
]
"""What a role may do with personal data of a tag: `mask` leaves nothing of a value, the next a part."""
MOST_COUNTED = 10**18
"""The largest count of bytes, rows or units of cost: it fits a signed 64-bit number."""
DAY = 86_400
WEEK_MINUTES = 10_080

Right = Literal[
    "ask",
    "check_sql",
    "audit",
    "unseal",
    "verify",
    "erase",
    "replay_as_asker",
    "evaluate",
    "review",
    "release",
    "accept_tags",
    "admin",
]
"""What a role may do. `audit` reads headers and steps of other people's traces, `unseal` their words too."""


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
    may: tuple[Right, ...] = ("ask",)


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
    With `stale` at `hold`, a question that joins on a key without an attestation of that age is held.
    """

    guard: Literal["first_use", "always", "never"] = "first_use"
    attested_hours: Annotated[float, Field(gt=0, le=8_760)] = 24
    stale: Literal["count", "hold"] = "count"


class AnalysisRules(Record):
    """How saved analyses are published: with `as_tools`, each as an MCP tool of its own as well."""

    as_tools: StrictBool = False


class TextLimits(Record):
    """Size limits on SQL text, counted on tokens before any parser runs."""

    characters: Annotated[int, Field(ge=100, le=1_000_000)] = 65_536
    nesting: Annotated[int, Field(ge=1, le=200)] = 100
    subscripts: Annotated[int, Field(ge=1, le=1_000)] = 50
    generated_rows: Annotated[int, Field(ge=1, le=1_000_000_000)] = 100_000
    recursion_steps: Annotated[int, Field(ge=1, le=1_000_000_000)] = 10_000


class Policy(Record):
    """One immutable policy. `functions_extra` adds reviewed functions per dialect to the shipped lists.

    `definitions` lists what may be asked besides metrics that are certified and in effect, and
    `definitions_held` what is held then. `findings` says by check who decides what is held, `judge` is the
    decision model that may be asked. `class_budgets` are lines per question of a class, beside those of the
    role. `classes` are classes of question of the policy's own, `release` says how far the two that there
    always are (`governed`, `free`) are released, `tags` names groups of metrics by their patterns.
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
    analyses: AnalysisRules = AnalysisRules()
    definitions: tuple[Literal["draft", "expired"], ...] = ()
    definitions_held: tuple[Literal["draft", "expired"], ...] = ()
    functions_extra: Mapping[str, tuple[str, ...]] = {}
    judgeable: tuple[str, ...] = ("join_key", "join_growth")
    findings: Mapping[str, FindingRule] = {}
    judge: ModelJudge | None = None
    hold_minutes: Annotated[int, Field(ge=1, le=WEEK_MINUTES)] = 60
    release: Mapping[str, ReleaseStage] = {}
    tags: Mapping[str, tuple[str, ...]] = {}
    classes: tuple[QuestionClass, ...] = ()
    ladder: LadderRules = LadderRules()
    agent: AgentRules = AgentRules()

    @property
    def askable(self) -> frozenset[Literal["draft", "expired"]]:
        """Return what may be asked besides definitions in force, held or not."""
        return frozenset((*self.definitions, *self.definitions_held))

    def rule_of(self, check: str) -> FindingRule:
        """Return who decides the findings of a check; where the policy does not say, another person does."""
        return self.findings.get(check, PERSON)

    def classes_of(self, asked: AskedAs) -> tuple[str, ...]:
        """Return the class of each metric of a question: the first that it fits, else one of the two.

        The question is of the most cautious of them.
        """
        found = (
            next((each.name for each in self.classes if fits(each, asked, metric, self.tags)), asked.match)
            for metric in asked.metrics or ("",)
        )
        return tuple(dict.fromkeys(found))

    def class_of(self, asked: AskedAs) -> str:
        """Return the class of a question by the stages that the policy itself names."""
        return min(self.classes_of(asked), key=lambda name: STAGES.index(self.stage_of(name)))

    def teams_of(self, release_class: str) -> tuple[str, ...]:
        """Return the teams whose questions a class is of; none where it is of everybody's."""
        own = self._own(release_class)
        return own.audience.teams if own else ()

    def stage_of(self, release_class: str) -> ReleaseStage:
        """Return the stage that the policy names for a class; one that is not named runs dry."""
        own = self._own(release_class)
        return lower(
            own.stage if own else self.release.get(release_class, "dry_run"), self.most_of(release_class)
        )

    def most_of(self, release_class: str) -> ReleaseStage:
        """Return the highest stage a decision may raise a class to; one that is not named stays a dry run."""
        own = self._own(release_class)
        if own is not None:
            return lower(own.most, HIGHEST[own.match])
        return HIGHEST[self.match_of(release_class)] if release_class in self.release else "dry_run"

    def match_of(self, release_class: str) -> Match:
        """Return whether a class is of questions over metrics, or of free SQL."""
        own = self._own(release_class)
        return own.match if own else "free" if release_class == "free" else "governed"

    def class_names(self) -> tuple[str, ...]:
        """Return every class that the policy names, its own ones first."""
        return (
            *(each.name for each in self.classes),
            *(each for each in RELEASE_CLASSES if each in self.release),
        )

    def class_lines(self, release_class: str) -> Measures:
        """Return the lines on a question of a class: its own, else those of all questions of its kind."""
        of_kind = self.class_budgets.get(self.match_of(release_class), Measures())
        return self.class_budgets.get(release_class, of_kind)

    def _own(self, release_class: str) -> QuestionClass | None:
        return next((each for each in self.classes if each.name == release_class), None)
