"""Everything one question needs, immutable: a question that began under one house ends under it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from gateway.asked import LayerWords
from gateway.engines.base import Engine, Limits, Relation, RoleScope
from gateway.intake import Prepared, PreparedOnce
from gateway.statements import Statements
from metric_layer.catalog import Catalogs, Example
from metric_layer.layer import Layer
from metric_layer.sql import Reading
from metric_layer.visible import Visible
from policies.entitlement import Entitlement, Entitlements
from policies.load import Governed
from policies.policy import RowCaps
from policies.visible import NOTHING
from traces.keys import KeyStore, pseudonym
from traces.records import Caller


@dataclass(frozen=True, slots=True)
class House:
    """The definitions, the policy, the database and the keys of a project, as loaded together."""

    layer: Layer
    words: LayerWords
    governed: Governed
    entitlements: Entitlements
    engine: Engine
    keys: KeyStore
    now: Callable[[], datetime]
    reaches: Statements[frozenset[str]] = field(default_factory=Statements)
    statements: Statements[Reading] = field(default_factory=Statements)
    examples: tuple[Example, ...] = ()
    catalogs: Catalogs = field(default_factory=Catalogs)
    intake: PreparedOnce = field(default_factory=PreparedOnce)

    def subject(self, caller: Caller) -> str:
        """Return the pseudonym under which a caller stands in traces and stores."""
        return pseudonym(self.keys, caller.user, caller.tenant)

    def prepared(self) -> Prepared:
        """Return the words in which questions may be asked."""
        return self.intake.of(self.layer)

    def visible_for(self, caller: Caller) -> Visible:
        """Return what a caller may see; without a role in force nothing."""
        role = self.entitlements.of(caller)
        return role.visible if role else NOTHING


def limits_of(caps: RowCaps) -> Limits:
    """Return the policy's caps as an engine takes them."""
    return Limits(
        rows=caps.rows,
        bytes=caps.bytes,
        seconds=caps.seconds,
        memory_mb=caps.memory_mb,
        spill_mb=caps.spill_mb,
    )


def scope_of_role(role: Entitlement) -> RoleScope:
    """Return what a role may see, as an engine takes it."""
    relations = tuple(
        Relation(name=view.name, select=view.select, columns=view.columns, probe=view.probe)
        for view in role.views
    )
    return RoleScope(role=role.role_name, relations=relations, digest=role.digest)
