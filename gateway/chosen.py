"""Readings of open terms that a team chose before: used where a plan leaves the same term open, and said."""

from collections.abc import Callable, Mapping, Sequence

from gateway.team_choice import Choice
from metric_layer.layer import Layer
from metric_layer.resolve import Resolved
from metric_layer.resolved import ResolvedPlan
from traces.records import Caller

Resolving = Callable[[Mapping[str, str]], Resolved]


def team_of(caller: Caller, subject: str) -> str:
    """Return who a choice is kept for: the caller's first team in their tenant, or the caller alone."""
    tenant = f"{len(caller.tenant)}:{caller.tenant}"
    return f"{tenant}/{caller.teams[0]}" if caller.teams else f"~{subject}"


def settle(
    resolving: Resolving, asked: Mapping[str, str], keeping: Callable[[], Mapping[str, Choice]], layer: Layer
) -> tuple[Resolved, tuple[Choice, ...]]:
    """Resolve with the asker's readings; terms they leave open take the kept ones, which are returned.

    A kept reading counts only while it is offered and its definition is the one that was chosen. `keeping`
    is asked only where something is open.
    """
    used: dict[str, Choice] = {}
    kept: Mapping[str, Choice] | None = None
    while True:
        found = resolving({**{term: choice.option for term, choice in used.items()}, **asked})
        if isinstance(found, ResolvedPlan):
            return found, tuple(used.values())
        kept = keeping() if kept is None else kept
        fresh = {
            issue.term: kept[issue.term]
            for issue in found
            if issue.term in kept and issue.term not in used and issue.term not in asked
            if kept[issue.term].option in {option.name for option in issue.options}
            and kept[issue.term].definition == definition_of(layer, kept[issue.term].option)[0]
        }
        if not fresh:
            return found, ()
        used.update(fresh)


def needed(resolving: Resolving, asked: Mapping[str, str]) -> tuple[str, ...]:
    """Return the terms among the asker's readings without which the plan would be open."""
    found = []
    for term in asked:
        without = resolving({other: option for other, option in asked.items() if other != term})
        if not isinstance(without, ResolvedPlan) and any(issue.term == term for issue in without):
            found.append(term)
    return tuple(found)


def unused(
    resolving: Callable[[Mapping[str, str]], object], asked: Mapping[str, str], kept: Sequence[Choice] = ()
) -> tuple[str, ...]:
    """Return the terms among the asker's readings without which all would mean the same; `kept` count too."""
    beside = {choice.term: choice.option for choice in kept}
    found = resolving({**beside, **asked}) if asked else ()
    return tuple(
        term
        for term in asked
        if resolving({**beside, **{other: asked[other] for other in asked if other != term}}) == found
    )


def unused_note(terms: Sequence[str]) -> str:
    """Return the note that an answer carries about readings that settled nothing."""
    named = ", ".join(map(repr, terms))
    return f"A choice of yours was not used, for nothing is open there: {named}." if terms else ""


def definition_of(layer: Layer, option: str) -> tuple[str, int]:
    """Return the digest and version of what an option names, a value by its dimension.

    A way, clock or grain rests on the layer.
    """
    name = option.partition(":")[0]
    metric, dimension = layer.metrics.get(name), layer.dimensions.get(name)
    if metric is not None:
        return layer.digest_of("metric", name), metric.version
    if dimension is not None:
        return layer.digest_of("dimension", name), dimension.version
    return layer.digest, 0


def said(choice: Choice) -> str:
    """Return the note that an answer carries about a kept reading."""
    length, _, named = choice.team.partition(":")
    team = named[int(length) + 1 :] if length.isdecimal() else named
    who = "as you chose" if choice.team.startswith("~") else f"as team {team} chose"
    version = f", version {choice.version}" if choice.version else ""
    return f"{choice.term!r} was read as {choice.option}{version}, {who} on {choice.at:%Y-%m-%d}."
