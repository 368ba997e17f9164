"""Classes of question and how far each is released: dry run, shadow, reviewed, autonomous; all of it data."""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.record import Record

ReleaseStage = Literal["dry_run", "shadow", "reviewed", "autonomous"]
Match = Literal["governed", "free"]
STAGES: tuple[ReleaseStage, ...] = ("dry_run", "shadow", "reviewed", "autonomous")
"""The ladder, from the bottom up."""
RELEASE_CLASSES: tuple[Match, ...] = ("governed", "free")
"""The classes that there always are: questions over metrics, and free SQL, where no other class fits."""
HIGHEST: Mapping[Match, ReleaseStage] = {"governed": "autonomous", "free": "reviewed"}
"""Only what the layer covers gets a path with nobody on it: free SQL is always reviewed."""


class Audience(Record):
    """Whose questions are meant: those of one of the roles, and of one of the teams, where they are named."""

    roles: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()


class QuestionClass(Record):
    """A class of question. Conditions left out are met; the first class that a metric fits is the metric's.

    `metrics` are patterns of names, `tags` name groups of them. `stage` is where the class starts, `most` the
    highest stage that a decision may raise it to.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
    match: Match = "governed"
    metrics: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    audience: Audience = Audience()
    stage: ReleaseStage = "dry_run"
    most: ReleaseStage = "autonomous"


class DemotionRule(Record):
    """When a class goes down by itself: a share among its `last` answers lies above `above`.

    `disagreed` is the share of compared answers that an analyst did not agree with, `corrected` that among
    answers which their askers had been told. Fewer than `least` comparisons say nothing. `classes` are
    patterns of names; `to` is the stage it goes down to.
    """

    classes: tuple[str, ...] = ("*",)
    measure: Literal["disagreed", "corrected"] = "disagreed"
    above: Annotated[float, Field(ge=0, le=1)]
    last: Annotated[int, Field(ge=1, le=10_000)] = 50
    least: Annotated[int, Field(ge=1, le=10_000)] = 10
    to: ReleaseStage = "shadow"
    owner: Annotated[str, Field(min_length=1)]


class LadderRules(Record):
    """How decisions about stages are taken: the rules after which a class goes down by itself."""

    demote: tuple[DemotionRule, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedAs:
    """What of a question says which classes it is of. `metrics` are those of its plan, none for free SQL."""

    match: Match
    metrics: tuple[str, ...] = ()
    role: str = ""
    teams: tuple[str, ...] = ()


def fits(each: QuestionClass, asked: AskedAs, metric: str, tags: Mapping[str, tuple[str, ...]]) -> bool:
    """Say whether a question, as far as it is about `metric`, is of a class.

    `tags` says which patterns of metrics a tag stands for. No name fits free SQL, whose `metric` is empty.
    """
    roles, teams = each.audience.roles, each.audience.teams
    if each.match != asked.match or (roles and asked.role not in roles):
        return False
    if teams and not set(teams) & set(asked.teams):
        return False
    tagged = [pattern for tag in each.tags for pattern in tags.get(tag, ())]
    named = not each.metrics or any(fnmatchcase(metric, pattern) for pattern in each.metrics)
    return named and (not each.tags or any(fnmatchcase(metric, pattern) for pattern in tagged))


def lower(one: ReleaseStage, other: ReleaseStage) -> ReleaseStage:
    """Return the more cautious of two stages."""
    return min(one, other, key=STAGES.index)


def in_force(
    start: ReleaseStage, most: ReleaseStage, decided: tuple[ReleaseStage, ReleaseStage] | None
) -> ReleaseStage:
    """Return the stage in force of a class whose policy says `start` and at most `most`.

    `decided` is the last decision's stage, and what the policy said when it was taken. A decision stands as
    long as the policy says the same; once the policy says something else, the more cautious of the two holds.
    """
    if decided is None:
        return lower(start, most)
    stage, start_then = decided
    return lower(stage if start_then == start else lower(stage, start), most)
