"""The definitions and the policy that a question is worked through with, and mixtures of two such sets."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from gateway.remembered import Remembered
from metric_layer.definitions import Document
from metric_layer.layer import Layer, build_layer
from metric_layer.plan import Dialect
from metric_layer.record import Record
from metric_layer.sql import Reading
from policies.entitlement import Entitlement, entitle
from policies.load import Governed, govern
from policies.policy import Policy, Role
from traces.pins import PinStore, PinUnusable

R = TypeVar("R", bound=Record)
LAYER, POLICY = "layer", "policy"
THRESHOLDS = ("budget", "class_budgets", "caps", "text", "answers", "reading")
PARTS = ("definition", "calendar", "entitlement", "thresholds", "allowlist", "policy")
"""What can be changed by itself between two sets, in the order in which the steps of a question read it."""


@dataclass(frozen=True, slots=True)
class Artefacts:
    """One set of definitions and policy over one engine's dialect. Entitlements are worked out when asked.

    `readings` are what was made of plans: a sample asks many of them again and again.
    """

    layer: Layer
    governed: Governed
    dialect: Dialect
    schema: str
    readings: Remembered[Hashable, Reading] = field(default_factory=Remembered, repr=False, compare=False)
    _roles: Remembered[str, Entitlement] = field(default_factory=Remembered, repr=False, compare=False)

    @property
    def name(self) -> str:
        """Return the two hashes that traces pin."""
        return f"{self.layer.digest} {self.governed.digest}"

    def entitlement(self, role: str, now: datetime) -> Entitlement | None:
        """Return what a role may ask and see; None for a role that the policy does not know."""
        policy = self.governed.policy
        if role not in policy.roles:
            return None
        return self._roles.of(role, lambda: entitle(role, self.layer, policy, self.dialect, self.schema, now))


class Gone(Exception):
    """An artefact that a trace pins cannot be had; the message names it and says why."""


class Shelf:
    """The pinned artefacts, read once each; and mixtures of two sets, made once each."""

    def __init__(self, pins: PinStore | None) -> None:
        self._pins = pins
        self._sets: dict[tuple[str, ...], Artefacts] = {}
        self._changed: dict[tuple[str, str], tuple[str, ...]] = {}
        self._mixed: dict[tuple[str, str, frozenset[str]], Artefacts | None] = {}

    def pinned(self, layer: str, policy: str, dialect: Dialect, schema: str) -> Artefacts:
        """Return the set that a trace pins by its two hashes. Raises Gone."""
        key = (layer, policy, dialect, schema)
        found = self._sets.get(key)
        if found is None:
            found = self._sets[key] = self._read(layer, policy, dialect, schema)
        return found

    def changed(self, old: Artefacts, new: Artefacts) -> tuple[str, ...]:
        """Return the parts in which two sets differ."""
        key = (old.name, new.name)
        if key not in self._changed:
            self._changed[key] = changed_parts(old, new)
        return self._changed[key]

    def mixed(self, old: Artefacts, new: Artefacts, parts: frozenset[str]) -> Artefacts | None:
        """Return `old` with some parts of `new`; None where they do not go together."""
        key = (old.name, new.name, parts)
        if key not in self._mixed:
            self._mixed[key] = _mixed(old, new, parts)
        return self._mixed[key]

    def _read(self, layer: str, policy: str, dialect: Dialect, schema: str) -> Artefacts:
        document = self._found(LAYER, layer, Document)
        rules = self._found(POLICY, policy, Policy)
        return Artefacts(build_layer(document), govern(rules), dialect, schema)

    def _found(self, kind: str, digest: str, model: type[R]) -> R:
        if self._pins is None:
            raise Gone(f"{kind} {digest[:12]} is gone: this house keeps no pinned artefacts")
        try:
            found = self._pins.find(kind, digest, model)
        except PinUnusable as fault:
            raise Gone(f"{kind} {digest[:12]} {fault}") from fault
        if found is None:
            raise Gone(f"{kind} {digest[:12]} is gone from the store of pinned artefacts")
        return found


def keep(pins: PinStore, layer: Layer, governed: Governed) -> None:
    """Keep a set under the hashes that its traces will pin, before any question is asked. Raises OSError."""
    pins.keep(LAYER, layer.digest, layer.document())
    pins.keep(POLICY, governed.digest, governed.policy)


def changed_parts(old: Artefacts, new: Artefacts) -> tuple[str, ...]:
    """Return the parts in which two sets differ."""
    before, after = _parts(old), _parts(new)
    return tuple(part for part in PARTS if before[part] != after[part])


def _parts(found: Artefacts) -> Mapping[str, object]:
    document, policy = found.layer.document(), found.governed.policy
    return {
        "definition": document.model_copy(update={"calendar": None}),
        "calendar": document.calendar,
        **{part: _policy_part(policy, part) for part in PARTS[2:]},
    }


def _policy_part(policy: Policy, part: str) -> dict[str, object]:
    """Return the settings of a policy that belong to a part, those of roles under the role's name."""
    found: dict[str, object] = {
        key: getattr(policy, key) for key in Policy.model_fields if key != "roles" and _part_of(key) == part
    }
    for name, role in policy.roles.items():
        own = {key: getattr(role, key) for key in Role.model_fields if _role_part(key) == part}
        if own:
            found[f"roles.{name}"] = own
    return found


def part_of_setting(path: str) -> str:
    """Return the part that a setting of a policy belongs to, by its path in the file."""
    key, _, rest = path.partition(".")
    if key != "roles":
        return _part_of(key)
    return _role_part(rest.partition(".")[2].partition(".")[0])


def _part_of(key: str) -> str:
    """Return the part that a setting of a policy belongs to."""
    if key in THRESHOLDS:
        return "thresholds"
    return "allowlist" if key == "functions_extra" else "policy"


def _role_part(key: str) -> str:
    """Return the part that a setting of a role belongs to: its budget, what it may do, else what it sees."""
    return {"budget": "thresholds", "may": "policy"}.get(key, "entitlement")


def _mixed(old: Artefacts, new: Artefacts, parts: frozenset[str]) -> Artefacts | None:
    layer = _mixed_layer(old.layer, new.layer, parts)
    policy = _mixed_policy(old.governed.policy, new.governed.policy, parts)
    if not all(_fits(role, layer) for role in policy.roles.values()):
        return None
    return Artefacts(layer, govern(policy), old.dialect, old.schema)


def _mixed_layer(old: Layer, new: Layer, parts: frozenset[str]) -> Layer:
    chosen = parts & {"definition", "calendar"}
    if not chosen:
        return old
    source = new.document() if "definition" in chosen else old.document()
    calendar = (new if "calendar" in chosen else old).calendar.rules
    return build_layer(source.model_copy(update={"calendar": calendar}))


def _mixed_policy(old: Policy, new: Policy, parts: frozenset[str]) -> Policy:
    settings = {
        key: getattr(new, key) for key in Policy.model_fields if key != "roles" and _part_of(key) in parts
    }
    roles: dict[str, Role] = {}
    for name in dict.fromkeys((*old.roles, *new.roles)):
        was, now = old.roles.get(name), new.roles.get(name)
        if was is not None and now is not None:
            own = {key: getattr(now, key) for key in Role.model_fields if _role_part(key) in parts}
            roles[name] = was.model_copy(update=own)
        elif (there := now if "entitlement" in parts else was) is not None:
            roles[name] = there
    return old.model_copy(update={**settings, "roles": roles})


def _fits(role: Role, layer: Layer) -> bool:
    """Say whether a role of one set names only what the definitions of the other hold."""
    return set(role.datasets) <= set(layer.datasets) and all(
        rule.field in layer.dimensions for rule in role.rows
    )
