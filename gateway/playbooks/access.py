"""Which saved analyses exist for a role: those whose every name and whose accepted SQL it may read."""

from collections.abc import Iterator
from datetime import datetime

from gateway.playbooks.parameters import told
from gateway.playbooks.shelf import Saved, Shelf
from metric_layer.catalog import AnalysisLine
from metric_layer.layer import Layer
from policies.entitlement import Entitlement
from policies.facts import SqlFacts
from policies.policy import Policy
from policies.register import SQL_CHECKS, judge, worst


def shown_to(role: Entitlement, shelf: Shelf, layer: Layer, policy: Policy, now: datetime) -> Iterator[Saved]:
    """Yield the analyses that exist for a role, in the order of names."""
    for saved in shelf.analyses.values():
        texts = saved.statements.values()
        if saved.shown_to(layer, role.visible) and all(_reads(text, role, policy, now) for text in texts):
            yield saved


def line_of(saved: Saved) -> AnalysisLine:
    """Return an analysis as the catalogue lists it, with what its parameters take."""
    analysis = saved.analysis
    takes = " ".join(told(parameter) for parameter in analysis.parameters)
    return AnalysisLine(analysis.name, f"{analysis.description} {takes}".strip(), saved.metrics)


def _reads(sql: str, role: Entitlement, policy: Policy, now: datetime) -> bool:
    facts = SqlFacts("analysis", policy, role.catalogue, role.reader.read(sql, now), None)
    return worst(judge(SQL_CHECKS, facts)) != "hard"
