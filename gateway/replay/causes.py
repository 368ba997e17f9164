"""Which changes make a question come out differently: the smallest set of them that does, and their words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from gateway.replay.artefacts import Artefacts, Shelf, part_of_setting
from gateway.replay.steps import PureStep, Recorded, parted, take
from gateway.reply import ReplayCause
from metric_layer.layer import Kind, Layer
from metric_layer.record import Record
from metric_layer.resolved import Used
from policies.changes import policy_changes

FEEDS: dict[PureStep, tuple[str, ...]] = {
    "plan_checks": ("definition", "calendar", "entitlement", "policy"),
    "sql": ("definition", "calendar", "thresholds", "entitlement"),
    "sql_checks": ("allowlist", "thresholds", "policy", "definition", "entitlement"),
    "cost_checks": ("thresholds", "policy", "entitlement"),
    "access": ("entitlement", "definition"),
    "outputs": ("definition", "calendar"),
    "answer": ("definition",),
}
"""What can move the outcome of a step when every step before it came out the same."""
SHOWN = 5


def smallest(asked: Recorded, now: Recorded, shelf: Shelf, old: Artefacts, new: Artefacts) -> tuple[str, ...]:
    """Return the fewest parts of `new` that make `old` give what `new` gives; all where fewer do not.

    Parts are put in one at a time, then in pairs, and so on, those first that feed the first step that
    differs. `now` is the question with the role it would be asked in today.
    """
    before, after = take(asked, old), take(now, new)
    steps = parted(before, after)
    if not steps:
        return ()
    suspects = _ordered(shelf.changed(old, new), FEEDS[steps[0]])
    if asked.role != now.role and "entitlement" not in suspects:
        suspects = ("entitlement", *suspects)
    for size in range(1, len(suspects)):
        for chosen in combinations(suspects, size):
            mixed = shelf.mixed(old, new, frozenset(chosen))
            role = now.role if "entitlement" in chosen else asked.role
            if mixed is not None and not parted(take(replace(asked, role=role), mixed), after):
                return chosen
    return suspects


def causes_of(
    parts: Iterable[str], old: Artefacts, new: Artefacts, used: Sequence[Used]
) -> Iterator[ReplayCause]:
    """Yield what changed in each part, by name, as it was and as it is."""
    for part in parts:
        if part == "definition":
            yield from _definitions(old.layer, new.layer, used)
        elif part == "calendar":
            yield from _calendar(old.layer, new.layer)
        else:
            yield from _settings(part, old, new)


def in_words(cause: ReplayCause) -> str:
    """Return a cause as text."""
    if not cause.old and not cause.new:
        return f"{cause.pin}: {cause.name}"
    if cause.old == cause.new:
        return f"{cause.pin}: {cause.name} {cause.old} changed without a new version"
    return f"{cause.pin}: {cause.name} {cause.old or '(not there)'} -> {cause.new or '(not there)'}"


def _ordered(parts: Sequence[str], first: Sequence[str]) -> tuple[str, ...]:
    return (*(part for part in first if part in parts), *(part for part in parts if part not in first))


def _definitions(old: Layer, new: Layer, used: Sequence[Used]) -> Iterator[ReplayCause]:
    named = dict.fromkeys((each.kind, each.name) for each in used)
    found = [cause for kind, name in named if (cause := _definition(old, new, kind, name))]
    yield from found or [
        ReplayCause(pin="definition", name="the definitions", old=old.digest[:12], new=new.digest[:12])
    ]


def _definition(old: Layer, new: Layer, kind: Kind, name: str) -> ReplayCause | None:
    was, now = _digest(old, kind, name), _digest(new, kind, name)
    if was == now:
        return None
    before, after = (_version(layer, kind, name, here) for layer, here in ((old, was), (new, now)))
    return ReplayCause(pin="definition", name=name, old=before, new=after)


def _digest(layer: Layer, kind: Kind, name: str) -> str:
    try:
        return layer.digest_of(kind, name)
    except KeyError:
        return ""


def _version(layer: Layer, kind: Kind, name: str, digest: str) -> str:
    """Return a definition's version; of a kind that has none, its hash, and nothing of what is not there."""
    if not digest:
        return ""
    match kind:
        case "metric":
            return f"v{layer.metrics[name].version}"
        case "dimension":
            return f"v{layer.dimensions[name].version}"
    return digest[:12]


def _calendar(old: Layer, new: Layer) -> Iterator[ReplayCause]:
    yield from _fields("calendar", old.calendar.rules, new.calendar.rules)


def _fields(pin: str, old: Record, new: Record) -> Iterator[ReplayCause]:
    for key in type(old).model_fields:
        was, now = getattr(old, key), getattr(new, key)
        if was != now:
            yield ReplayCause(pin=pin, name=key, old=str(was)[:80], new=str(now)[:80])


def _settings(part: str, old: Artefacts, new: Artefacts) -> Iterator[ReplayCause]:
    changes = policy_changes(old.governed.policy, new.governed.policy)
    mine = [change for change in changes if part_of_setting(change.path) == part]
    for change in mine[:SHOWN]:
        yield ReplayCause(pin=part, name=change.path, old=change.old[:80], new=change.new[:80])
    if len(mine) > SHOWN:
        yield ReplayCause(
            pin=part, name=f"{len(mine) - SHOWN} more settings", old="as they were", new="changed"
        )
    if not mine:
        yield ReplayCause(pin=part, name="the asker's role", old="as it was", new="another")
