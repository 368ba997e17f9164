"""What is wrong with the part of a policy that says how far classes of question are released; all at once."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.validate import pointer_text
from metric_layer.vocabulary import near
from policies.policy import Policy
from policies.release import HIGHEST, RELEASE_CLASSES, STAGES, QuestionClass, ReleaseStage

Place = tuple[str | int, ...]


def release_issues(policy: Policy, layer: Layer, place: str) -> Iterator[Issue]:
    """Yield each problem of `release`, `classes`, `tags`, `class_budgets` and `ladder`."""
    for name, stage in policy.release.items():
        if name in RELEASE_CLASSES:
            yield from _too_high(policy, name, stage, ("release", name), place)
        else:
            known = (*RELEASE_CLASSES, *(each.name for each in policy.classes))
            yield _unknown("release", "release_class", name, ("release", name), place, known, RELEASE_CLASSES)
    names = (*RELEASE_CLASSES, *(each.name for each in policy.classes))
    for name in policy.class_budgets:
        if name not in names:
            yield _unknown(
                "class_budgets", "release_class", name, ("class_budgets", name), place, names, names
            )
    for tag, patterns in policy.tags.items():
        yield from _patterns(f"tags.{tag}", patterns, layer, ("tags", tag), place)
    for number, each in enumerate(policy.classes):
        yield from _class_issues(policy, layer, number, place)
        yield from _too_high(policy, each.name, each.stage, ("classes", number, "stage"), place)
    yield from _rule_issues(policy, place)


def _class_issues(policy: Policy, layer: Layer, number: int, place: str) -> Iterator[Issue]:
    each = policy.classes[number]
    at: Place = ("classes", number)
    taken = (*RELEASE_CLASSES, *(other.name for other in policy.classes[:number]))
    if each.name in taken:
        yield Issue(
            code="duplicate_class",
            message=f"There is a class {each.name!r} already.",
            path=pointer_text((*at, "name")),
            place=place,
            seen=each.name,
            next_step="Give each class a name of its own.",
        )
    if each.match == "free" and (each.metrics or each.tags):
        yield Issue(
            code="free_has_no_metrics",
            message=f"{each.name} is of free SQL, which has no plan and so no metrics.",
            path=pointer_text((*at, "metrics" if each.metrics else "tags")),
            place=place,
            seen=each.name,
            next_step="Tell questions in free SQL apart by their audience.",
        )
    yield from _patterns(each.name, each.metrics, layer, (*at, "metrics"), place)
    for tag in each.tags:
        if tag not in policy.tags:
            known = tuple(policy.tags)
            yield _unknown(each.name, "tag", tag, (*at, "tags"), place, known, known)
    for role in each.audience.roles:
        if role not in policy.roles:
            known = tuple(policy.roles)
            yield _unknown(each.name, "role", role, (*at, "audience", "roles"), place, known, known)


def _too_high(policy: Policy, name: str, stage: ReleaseStage, at: Place, place: str) -> Iterator[Issue]:
    """Yield that a class is to start above what it may be raised to; free SQL is never autonomous."""
    own: QuestionClass | None = next((each for each in policy.classes if each.name == name), None)
    match = policy.match_of(name)
    most = min(own.most if own else HIGHEST[match], HIGHEST[match], key=STAGES.index)
    if STAGES.index(stage) <= STAGES.index(most):
        return
    covered = match == "governed"
    yield Issue(
        code="stage_above_most" if covered else "free_autonomous",
        message=f"{name} starts at {stage}, above {most}."
        if covered
        else "Only what the layer covers is ever autonomous; free SQL is reviewed.",
        path=pointer_text(at),
        place=place,
        seen=stage,
        next_step=f"Write {most} at most.",
    )


def _rule_issues(policy: Policy, place: str) -> Iterator[Issue]:
    names = policy.class_names()
    for number, rule in enumerate(policy.ladder.demote):
        at: Place = ("ladder", "demote", number)
        for pattern in rule.classes:
            if not any(fnmatchcase(name, pattern) for name in names):
                yield _unknown(
                    "ladder.demote", "release_class", pattern, (*at, "classes"), place, names, names
                )
        if rule.least > rule.last:
            yield Issue(
                code="rule_never_met",
                message="The rule wants more comparisons than it looks at.",
                path=pointer_text((*at, "least")),
                place=place,
                seen=f"least {rule.least}, last {rule.last}",
                next_step="Write `least` no larger than `last`.",
            )


def _patterns(named: str, patterns: Sequence[str], layer: Layer, at: Place, place: str) -> Iterator[Issue]:
    metrics = tuple(layer.metrics)
    for pattern in patterns:
        if not any(fnmatchcase(metric, pattern) for metric in metrics):
            yield _unknown(named, "metric", pattern, at, place, metrics, ())


def _unknown(
    named: str, kind: str, seen: str, at: Place, place: str, pool: Sequence[str], listed: Sequence[str]
) -> Issue:
    candidates = near(seen, tuple(pool))
    step = f"Did you mean {candidates[0]}?" if candidates and not listed else f"Known: {', '.join(listed)}."
    words = {"release_class": "class of question"}.get(kind, kind)
    return Issue(
        code=f"unknown_{kind}",
        message=f"{named} names the {words} {seen!r}, which there is not.",
        path=pointer_text(at),
        place=place,
        seen=seen,
        candidates=candidates,
        next_step=step if candidates or listed else f"Define or drop the {words}.",
    )
