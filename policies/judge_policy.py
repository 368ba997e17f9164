"""Who answers a held finding, as data: thresholds with an owner, and the decision model that may be asked."""

from typing import Annotated, Literal

from pydantic import Field

from metric_layer.record import Record

JudgeKind = Literal["person", "model", "rules"]
Chance = Annotated[float, Field(ge=0, le=1)]


class JudgeRule(Record):
    """A rule of the judge `rules`: every condition that it names has to be met, and the first that is counts.

    `roles` are the asker's role in force, `metrics` those of the plan (all of them), `most` is the largest
    measured amount (bytes, rows, cost, growth) that the rule is for.
    """

    verdict: Literal["allow", "deny"]
    roles: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    most: Annotated[float, Field(ge=0)] | None = None


class FindingRule(Record):
    """Who decides one finding, by its check's id.

    A judge's probability at or above `allow_at` lets it pass, at or below `deny_at` ends the question, and
    between the two a person decides. `two_person` needs two different people, `own_allowed` lets the asker be
    one of them.
    """

    judge: JudgeKind = "person"
    allow_at: Chance | None = None
    deny_at: Chance | None = None
    owner: str = ""
    two_person: bool = False
    own_allowed: bool = False
    rules: tuple[JudgeRule, ...] = ()


class ModelJudge(Record):
    """A decision model behind HTTP: a typed question in, probabilities out.

    One call takes `seconds` at most. After `failures` of its last ten calls it rests for `pause_seconds`. Its
    word counts after `probation` good answers in a row; one bad answer starts that anew. `review_share` of
    what it would allow goes to a person all the same, so that its agreement with people can be measured.
    """

    url: Annotated[str, Field(pattern=r"^https?://[^\s@]+$", max_length=2_000)]
    seconds: Annotated[float, Field(gt=0, le=60)] = 2.0
    failures: Annotated[int, Field(ge=1, le=10)] = 3
    pause_seconds: Annotated[float, Field(gt=0, le=86_400)] = 30.0
    probation: Annotated[int, Field(ge=0, le=1_000)] = 3
    review_share: Chance = 0.0


PERSON = FindingRule()
"""What holds for a finding that the policy does not name: one other person decides."""
