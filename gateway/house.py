"""Everything one question needs, immutable: a question that began under one house ends under it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from gateway.engines.base import Engine, Limits, Relation, RoleScope
from gateway.engines.present import Present
from gateway.ground.question import LayerWords
from gateway.intake import Prepared, PreparedOnce
from gateway.kept_plans import KeptPlans
from gateway.models.verb import Model
from gateway.playbooks.shelf import Shelf
from metric_layer.catalog import Catalogs, Example
from metric_layer.compile import KEY
from metric_layer.layer import Layer
from metric_layer.plan import MetricPlan
from metric_layer.visible import Visible
from policies.entitlement import Entitlement, Entitlements
from policies.judge import Judge
from policies.load import Governed
from policies.policy import Right, RowCaps
from policies.visible import NOTHING
from traces.keys import KeyStore, pseudonym
from traces.records import Caller, Query
from traces.score_records import StefMark

Scorer = Callable[[MetricPlan, Query], StefMark | None]
"""Score a query against its plan as a question closes; None where it cannot be told."""


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
    kept: KeptPlans = field(default_factory=KeptPlans)
    judge: Judge | None = None
    model: Model | None = None
    examples: tuple[Example, ...] = ()
    catalogs: Catalogs = field(default_factory=Catalogs)
    intake: PreparedOnce = field(default_factory=PreparedOnce)
    analyses: Shelf = field(default_factory=Shelf)
    present: Present = field(default_factory=Present)
    scorer: Scorer | None = None
    hold_page: str = ""

    def page_of(self, hold_id: str) -> str:
        """Return where people read a held question; empty where the settings name no address."""
        return f"{self.hold_page}{hold_id}" if self.hold_page and hold_id else ""

    def subject(self, caller: Caller) -> str:
        """Return the pseudonym under which a caller stands in traces and stores."""
        return pseudonym(self.keys, caller.user, caller.tenant)

    def rights(self, caller: Caller) -> tuple[Right, ...]:
        """Return what the role of a caller that is in force may do; nothing without a role."""
        role = self.entitlements.of(caller)
        return role.role.may if role else ()

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


def hashes(role: Entitlement) -> bool:
    """Say whether a role sees hashes that a key of ours makes."""
    return any(KEY in view.select for view in role.views)


def scope_of_role(role: Entitlement, keys: KeyStore, tenant: str = "") -> RoleScope:
    """Return what a role may see, as an engine takes it, with the key of a tenant's hashes where it has any.

    Without a tenant there is no key, so what would be hashed is hidden.
    """

    def keyed(statement: str) -> str:
        return (
            statement.replace(KEY, keys.commitment(f"masks of {tenant}").hex())
            if KEY in statement
            else statement
        )

    relations = tuple(
        Relation(
            name=view.name,
            select=keyed(view.select) if tenant else view.unkeyed,
            columns=view.columns,
            probe=keyed(view.probe),
        )
        for view in role.views
    )
    return RoleScope(role=role.role_name, relations=relations, digest=role.digest)
